/* Names of managers, comparison form of package names. */
#include "model/component.h"

const char *const ea_manager_words[EA_MANAGER_MAX_] = {
#define X(name, word) [EA_MANAGER_##name] = word,
	EA_MANAGERS(X)
#undef X
};

char *ea_component_key(struct ea_arena *arena, struct ea_str name)
{
	char *key = ea_arena_alloc(arena, name.len + 1);
	size_t n = 0;

	for (size_t i = 0; i < name.len; i++) {
		char c = name.ptr[i];

		if (c == '-' || c == '_' || c == '.') {
			if (n && key[n - 1] == '-')
				continue;
			c = '-';
		} else if (c >= 'A' && c <= 'Z') {
			c = (char)(c - 'A' + 'a');
		}
		key[n++] = c;
	}
	key[n] = '\0';
	return key;
}

struct ea_str ea_requirement_name(const char *line)
{
	return (struct ea_str){ line, strspn(line, "abcdefghijklmnopqrstuvwxyz"
						   "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") };
}

char *ea_requirement_text(struct ea_arena *arena, const char *line)
{
	char *text = ea_arena_alloc(arena, strlen(line) + 1);
	size_t n = 0;

	for (; *line && *line != ';'; line++)
		if (!strchr(" ()", *line))
			text[n++] = *line;
	return text;
}
