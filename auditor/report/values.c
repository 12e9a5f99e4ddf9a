/* JSON values. */
#include "report/values.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/escape.h"

static json_t *checked(json_t *value)
{
	if (!value)
		ea_oom();
	return value;
}

json_t *ea_value_text(const char *text)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf utf8 = { 0 };

	if (!text)
		return json_null();
	ea_escape_utf8(&utf8, ea_str(text));
	return checked(json_stringn(ea_buf_text(&utf8), utf8.len));
}

json_t *ea_value_bool(bool value)
{
	return json_boolean(value);
}

json_t *ea_value_number(uint64_t value)
{
	return checked(json_integer((json_int_t)value));
}

json_t *ea_value_object(void)
{
	return checked(json_object());
}

json_t *ea_value_array(void)
{
	return checked(json_array());
}

void ea_value_set(json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, value))
		ea_oom();
}

void ea_value_add(json_t *array, json_t *value)
{
	if (json_array_append_new(array, value))
		ea_oom();
}

static int write_piece(const char *piece, size_t len, void *out)
{
	ea_out_write(out, piece, len);
	return 0;
}

void ea_value_write(struct ea_out *out, json_t *value)
{
	if (json_dump_callback(value, write_piece, out, JSON_ENSURE_ASCII | JSON_ENCODE_ANY))
		ea_oom();
	json_decref(value);
}
