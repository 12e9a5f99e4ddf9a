# shipped matrices, installed under $(pkgdatadir)
