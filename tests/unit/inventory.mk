# unit tests of auditor/inventory
