# sources of auditor/session
