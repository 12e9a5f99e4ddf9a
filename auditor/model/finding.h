/*
 * Findings and the rules that make them. A rule's texts and severity stand in matrices/rules/<slug>.cfg
 * (matrix/rules.h); its check is one function and one table line in rules/.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

enum ea_severity {
	EA_SEVERITY_NOTE,
	EA_SEVERITY_WARNING,
	EA_SEVERITY_ERROR,
	EA_SEVERITY_MAX_
};

extern const char *const ea_severity_words[EA_SEVERITY_MAX_];

enum ea_confidence {
	EA_CONFIDENCE_LOW,	/* rests on an assumption that the text names */
	EA_CONFIDENCE_MEDIUM,
	EA_CONFIDENCE_HIGH,
	EA_CONFIDENCE_MAX_
};

extern const char *const ea_confidence_words[EA_CONFIDENCE_MAX_];

/* What is known of a rule before it runs. */
struct ea_rule {
	const char *slug;		/* class or class/part */
	const char *code;		/* "EA0601" */
	enum ea_severity severity;
	bool enabled;
	const char *title;		/* one line for lists of rules */
	const char *why;		/* two sentences: what goes wrong and how one notices */
	const char *explain;		/* meaning and what triggers it; paragraphs */
	const char *silent;		/* what looks like it and does not trigger it */
	const char *fix;		/* general advice */
	/* Symbols, or versions of symbols, whose lack is this rule's; "*" stands for anything. */
	EA_VEC(const char *) lacks;
	const char *install;  /* conda's specification of a package that has them; may be NULL */
	EA_VEC(const char *) packages; /* keys that the check asks for; may end in '*' */
	const char *provider; /* family of the library that should define them; may be NULL */
};

/* One line of proof: a path and what is to be known of it. Either may be NULL. */
struct ea_evidence {
	const char *path;
	const char *text;
	const char *layer; /* of the image that brought PATH; NULL where none did */
};

struct ea_fix {
	const char *text;		/* what it does, a clause; may be NULL */
	EA_VEC(const char *) commands;	/* lines that can be pasted */
	const char *variable;		/* environment variable that it changes; NULL = none */
	const char *value;		/* its new value; NULL = none, it is unset */
	bool rechecked;			/* tried on a copy: the finding went and nothing new came */
};

struct ea_finding {
	const struct ea_rule *rule;
	enum ea_severity severity;
	enum ea_confidence confidence;
	char fingerprint[17];		/* 16 hex digits and a NUL; see rules/finding.h */
	const char *title;		/* one line with names and versions in it */
	const char *why;
	EA_VEC(const char *) consumers;
	EA_VEC(struct ea_evidence) evidence;
	EA_VEC(struct ea_fix) fixes;
};
