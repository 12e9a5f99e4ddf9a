# tests/oracle
