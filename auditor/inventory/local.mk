# sources of auditor/inventory
