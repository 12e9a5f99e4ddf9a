# unit tests of auditor/report
