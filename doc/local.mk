# manual pages and documents
