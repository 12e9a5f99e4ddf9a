# manual pages and documents
dist_man_MANS += doc/envaudit.1
EXTRA_DIST += doc/report.schema.json
