# tests/real
