# unit tests of auditor/fs
