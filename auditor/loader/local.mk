# sources of auditor/loader
