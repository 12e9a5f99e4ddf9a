# manual pages, documents, completions
dist_man_MANS += doc/envaudit.1 doc/envaudit-matrix.5
EXTRA_DIST += doc/ARCHITECTURE.md doc/completions.py doc/rules.py doc/report.schema.json

bashcompletiondir = $(datadir)/bash-completion/completions
zshcompletiondir = $(datadir)/zsh/site-functions
fishcompletiondir = $(datadir)/fish/vendor_completions.d
nodist_bashcompletion_DATA = doc/bash/envaudit
nodist_zshcompletion_DATA = doc/zsh/_envaudit
nodist_fishcompletion_DATA = doc/fish/envaudit.fish
COMPLETIONS = $(nodist_bashcompletion_DATA) $(nodist_zshcompletion_DATA) \
	$(nodist_fishcompletion_DATA)
CLEANFILES += $(COMPLETIONS)

# The folder is the shell.
$(COMPLETIONS): $(srcdir)/doc/completions.py $(srcdir)/auditor/cli/commands.def \
		$(srcdir)/auditor/cli/options.def
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(PYTHON) $(srcdir)/doc/completions.py \
		`basename $(@D)` $(srcdir)/auditor/cli > $@.new && mv $@.new $@

# Made of the rules' own texts at each build, so that it cannot fall behind them.
nodist_man_MANS = doc/envaudit-rules.7
CLEANFILES += $(nodist_man_MANS)
doc/envaudit-rules.7: $(srcdir)/doc/rules.py $(srcdir)/matrices/DATE $(dist_matrixrules_DATA)
	$(AM_V_GEN)$(MKDIR_P) doc && $(PYTHON) $(srcdir)/doc/rules.py $(srcdir)/matrices/rules > $@.new && \
		mv $@.new $@
