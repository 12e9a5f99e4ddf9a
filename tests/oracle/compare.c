/* Compares two accounts of a case. */
#include "transcript.h"

static const char *line_at(const struct lines *lines, uint32_t i)
{
	return i < lines->n ? lines->items[i] : "(nothing)";
}

/* The first difference only: what follows it follows from it. */
static bool compare_lines(const struct lines *real, const struct lines *model, const char *what,
			  uint32_t step, struct ea_buf *out)
{
	for (uint32_t i = 0; i < real->n || i < model->n; i++) {
		if (i < real->n && i < model->n && ea_streq(real->items[i], model->items[i]))
			continue;
		ea_buf_printf(out, "  step %u, %s %u\n    real  %s\n    model %s\n", step, what, i,
			      line_at(real, i), line_at(model, i));
		return false;
	}
	return true;
}

static bool compare_step(const struct step *real, const struct step *model, uint32_t step,
			 struct ea_buf *out)
{
	bool same = true;

	/* How far a process gets before it dies depends on the size of its stack. */
	if (ea_streq(real->result, CRASHED) && ea_streq(model->result, CRASHED)) {
		struct lines a = real->tries, b = model->tries;

		a.n = b.n = a.n < b.n ? a.n : b.n;
		return compare_lines(&a, &b, "try", step, out);
	}
	same &= compare_lines(&real->tries, &model->tries, "try", step, out);
	same &= compare_lines(&real->binds, &model->binds, "binding", step, out);
	if (!ea_streq(real->result, model->result)) {
		ea_buf_printf(out, "  step %u, result\n    real  %s\n    model %s\n", step,
			      real->result ? real->result : "(none)",
			      model->result ? model->result : "(none)");
		same = false;
	}
	same &= compare_lines(&real->messages, &model->messages, "message", step, out);
	same &= compare_lines(&real->inits, &model->inits, "constructor", step, out);
	same &= compare_lines(&real->maps, &model->maps, "map", step, out);
	return same;
}

bool transcript_compare(const struct transcript *real, const struct transcript *model,
			struct ea_buf *out)
{
	for (uint32_t i = 0; i < real->n && i < model->n; i++)
		if (!compare_step(&real->items[i], &model->items[i], i, out))
			return false;
	if (real->n == model->n)
		return true;
	ea_buf_printf(out, "  %u steps really, %u in the model\n", real->n, model->n);
	return false;
}
