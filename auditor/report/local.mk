# sources of auditor/report
