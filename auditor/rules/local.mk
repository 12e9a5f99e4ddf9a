# sources of auditor/rules
