# sources of auditor/audit
