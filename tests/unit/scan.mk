# unit tests of auditor/scan
