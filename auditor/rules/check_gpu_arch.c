/* gpu-arch: a framework's library without code that runs on the GPU. */
#include "base/buf.h"
#include "base/path.h"
#include "model/family.h"
#include "rules/checks.h"
#include "rules/gpu.h"
#include "rules/sessions.h"

static const char *codes_of(struct ea_check *check, const struct ea_elf *elf)
{
	EA_CLEANUP(ea_buf_release) struct ea_buf text = { 0 };
	char one[24];

	for (uint32_t i = 0; i < elf->n_arches; i++)
		ea_buf_printf(&text, "%s%s", text.len ? ", " : "",
			      ea_gpu_arch_text(&elf->arches[i], one));
	return ea_arena_dup_str(&check->world->arena, ea_buf_str(&text));
}

static struct ea_finding *find_old(const struct ea_check *check, const struct ea_map *map)
{
	ea_vec_foreach(finding, &check->world->findings)
		if ((*finding)->rule == check->rule && (*finding)->evidence.n &&
		    ea_streq((*finding)->evidence.items[0].path, map->path))
			return *finding;
	return NULL;
}

static void report(struct ea_check *check, const struct ea_session *session,
		   const struct ea_map *map, const char *gpu, unsigned capability)
{
	struct ea_finding *finding = find_old(check, map);
	const char *codes;

	if (finding) {
		ea_session_note(check, finding, session);
		return;
	}
	codes = codes_of(check, map->elf);
	finding = ea_finding_new(check, "%s has no code for %s (sm_%u): %s is for %s",
				 ea_session_consumer(check, session), gpu, capability,
				 ea_path_base(map->path), codes);
	ea_finding_identity(check, finding, ea_path_base(map->path));
	ea_session_note(check, finding, session);
	ea_finding_evidence(check, finding, map->path, "has code for %s", codes);
	(void)ea_finding_fix(check, finding,
			     "install a release or build of it that has code for this GPU");
	ea_session_temper(finding, session);
}

/* Libraries of CUDA itself may hold code for some GPUs alone and choose another way on the rest. */
static bool is_judged(const struct ea_map *map)
{
	const struct ea_elf *elf = map->elf;

	return elf && elf->family && elf->family->framework && elf->arches_read && elf->n_arches;
}

static void check_gpu(struct ea_check *check, const char *gpu, unsigned capability)
{
	ea_vec_foreach(session, &check->world->sessions) {
		if (!ea_session_is_judged(check->world, *session))
			continue;
		ea_vec_foreach(map, &(*session)->maps)
			if (is_judged(*map) && !ea_gpu_runs((*map)->elf, capability))
				report(check, *session, *map, gpu, capability);
	}
}

void ea_check_gpu_arch(struct ea_check *check)
{
	unsigned capability;
	int rc;

	ea_vec_foreach(gpu, &check->world->host.gpus) {
		rc = ea_gpu_capability(check->facts, *gpu, &capability, check->err);
		if (rc < 0)
			check->rc = rc;
		else if (rc > 0)
			ea_gaps_add(
				&check->world->gaps, NULL, EA_GAP_ASSUMED,
				"%s is a GPU that the tables do not know: whether libraries have "
				"code for it was not checked (--gpu sm_NN)",
				*gpu);
		else
			check_gpu(check, *gpu, capability);
	}
}
