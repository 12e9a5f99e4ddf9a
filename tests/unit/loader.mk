# unit tests of auditor/loader
