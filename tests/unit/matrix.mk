# unit tests of auditor/matrix
