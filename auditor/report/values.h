/* JSON values (jansson) for the formats that need them. Allocation ends in ea_oom() as elsewhere.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "base/attr.h"
#include "base/out.h"

json_t *ea_value_text(const char *text); /* null for NULL; what is not UTF-8 is escaped */
json_t *ea_value_bool(bool value);
json_t *ea_value_number(uint64_t value);
json_t *ea_value_object(void);
json_t *ea_value_array(void);

/* Both take VALUE over. */
void ea_value_set(json_t *object, const char *key, json_t *value);
void ea_value_add(json_t *array, json_t *value);

/* Writes VALUE on one line, in ASCII, and frees it. */
void ea_value_write(struct ea_out *out, json_t *value);
