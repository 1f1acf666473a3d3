/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ways of samples, by the calls on their chains.
 */
#include "cpu/cpu_ways.h"

#include <string.h>

#include "base/text.h"
#include "cpu/cpu_row.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_kernels.h"
#include "model/session_ops.h"
#include "model/session_unknown.h"
#include "places/places.h"
#include "stacks/call_frame.h"
#include "symbols/storage.h"

void cpu_ways_init(struct cpu_ways *ways, const struct cpu_time *time)
{
    *ways = (struct cpu_ways){.time = time};
    array_init(&ways->steps, sizeof(struct call_frame));
}

static void add_step(struct cpu_ways *ways, struct call_frame step)
{
    *(struct call_frame *)array_add(&ways->steps) = step;
}

/* Named like rows, so that a function is one step, with time of its own and without. */
static const char *name_place(const struct cpu_ways *ways, const struct place *place)
{
    const char *kept = NULL;
    struct text name;

    text_init(&name);
    places_append_function(&name, place->function, false);
    kept = storage_keep(ways->time->texts, name.bytes, name.size);
    return kept;
}

/* A sample's own row is the innermost step, and is not repeated: a caller may have named code
 * without a name. */
static bool is_own(const struct cpu_ways *ways, const struct cpu_row *row, const char *name)
{
    return ways->steps.count == 1 && !ways->is_past &&
           (name == row->name || row->kind == CPU_RANGE || row->kind == CPU_GENERATED);
}

static void add_places(struct cpu_ways *ways, const struct call_places *places,
                       const struct cpu_row *row)
{
    for (size_t i = 0; places && i < places->count; i++) {
        const struct place *place = &places->places[i];
        struct call_frame step = call_frame_of_place(place);
        bool own;

        step.name = name_place(ways, place);
        own = is_own(ways, row, step.name);
        if (place->function->is_starter || own)
            ways->is_past = true;
        else
            add_step(ways, step);
        if (!own)
            continue;
        step.name = row->name;
        step.library = row->library;
        *(struct call_frame *)array_at(&ways->steps, 0) = step;
    }
}

/* ---- ops ---- */

static bool is_of_framework(const struct session *session, uint32_t module)
{
    static const char *const begins[] = {"libtorch", "libc10"};
    const char *name = module == SESSION_NONE
                           ? ""
                           : text_base_name(session_module_at(session, module)->path);

    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strncmp(name, begins[i], strlen(begins[i])) == 0)
            return true;
    return false;
}

static bool is_python(const struct cpu_time *time, uint32_t call)
{
    const struct call_places *places = places_known(time->places, call);

    return places && places->count > 0 && place_is_python(&places->places[0]);
}

/* Returns: the call around all functions of a framework, which its ops replace. */
static uint32_t leave_framework(const struct cpu_time *time, uint32_t call)
{
    uint32_t around = call;

    for (; call != 0 && !is_python(time, call); call = session_call_at(time->session, call)->parent)
        if (is_of_framework(time->session, session_call_at(time->session, call)->module))
            around = session_call_at(time->session, call)->parent;
    return around;
}

static void add_ops(struct cpu_ways *ways, uint32_t op)
{
    const struct session *session = ways->time->session;

    for (; op != 0; op = session_op_at(session, op)->parent) {
        const char *name = session_op_at(session, op)->name;
        const char *kept = storage_keep(ways->time->texts, name, strlen(name));

        add_step(ways, (struct call_frame){.name = kept});
    }
}

void cpu_ways_find(struct cpu_ways *ways, size_t sample)
{
    const struct cpu_time *time = ways->time;
    const struct cpu_row *row = array_at(&time->rows, time->sample_row[sample]);
    uint32_t call = session_sample_at(time->session, sample)->call;
    uint32_t op = session_sample_at(time->session, sample)->op;

    if (row->kind == CPU_KERNEL && time->call_kernel[call] == SESSION_NONE)
        call = 0; /* the chain ends inside of the kernel */
    array_truncate(&ways->steps, 0);
    ways->is_past = false;
    add_step(ways, (struct call_frame){.name = row->name, .library = row->library});
    if (op != 0) {
        call = leave_framework(time, call);
        ways->is_past = true;
        add_ops(ways, op);
    }
    for (; call != 0; call = session_call_at(time->session, call)->parent) {
        const struct session_call *of = session_call_at(time->session, call);

        if (of->kind == SESSION_CALL_PLAIN &&
            !(row->kind == CPU_KERNEL && time->call_kernel[call] != SESSION_NONE))
            add_places(ways, places_known(time->places, call), row);
    }
    ((struct call_frame *)array_at(&ways->steps, ways->steps.count - 1))->is_inlined = false;
}
