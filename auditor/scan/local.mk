# sources of auditor/scan
