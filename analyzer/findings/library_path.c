/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each sample gives its time once to each function of Python between the line and its end.
 */
#include "findings/library_path.h"

#include "base/array.h"
#include "base/text.h"
#include "model/session.h"
#include "model/session_samples.h"

static const double mostly = 0.5; /* of the time of the line's libraries */

/* A function of a library below the line. */
struct step {
    const struct place *place;
    double ns;       /* with all that it calls */
    double entry_ns; /* part of it where the line calls it */
    double depth_ns; /* its time, times its distance from the line */
    size_t sample;   /* the last one that has it, plus one */
};

static struct step *find_step(struct array *steps, const struct place *place)
{
    struct step *step = steps->items;

    for (size_t i = 0; i < steps->count; i++)
        if (step[i].place->function->id == place->function->id)
            return &step[i];
    step = array_add(steps);
    *step = (struct step){.place = place};
    return step;
}

/* Fills `inner` with the places of Python between the end of a chain and its innermost own line.
 * Returns: the own line; NULL: there is none. */
static const struct place *collect(struct array *inner, const struct places *places, uint32_t call)
{
    inner->count = 0;
    for (; call != 0; call = places_parent(places, call)) {
        const struct call_places *of = places_known(places, call);

        for (size_t i = 0; of && i < of->count; i++) {
            if (place_is_own_python(&of->places[i]))
                return &of->places[i];
            if (of->places[i].function->is_python)
                *(const struct place **)array_add(inner) = &of->places[i];
        }
    }
    return NULL;
}

static void add_sample(struct array *steps, const struct array *inner, double ns, size_t sample)
{
    for (size_t i = 0; i < inner->count; i++) {
        const struct place *place = *(const struct place *const *)array_at(inner, i);
        struct step *step = find_step(steps, place);

        if (step->sample == sample + 1)
            continue;
        step->sample = sample + 1;
        step->ns += ns;
        step->depth_ns += ns * (double)(inner->count - i);
    }
    if (inner->count > 0)
        find_step(steps, *(const struct place *const *)array_at(inner, inner->count - 1))
            ->entry_ns += ns;
}

static double depth(const struct step *step)
{
    return step->ns > 0 ? step->depth_ns / step->ns : 0;
}

static void choose(struct library_path *path, const struct array *steps, double all_ns)
{
    const struct step *step = steps->items, *entry = NULL, *inner = NULL;

    for (size_t i = 0; i < steps->count; i++) {
        if (!entry || step[i].entry_ns > entry->entry_ns)
            entry = &step[i];
        if (step[i].ns >= mostly * all_ns && (!inner || depth(&step[i]) > depth(inner)))
            inner = &step[i];
    }
    if (!entry)
        return;
    inner = inner ? inner : entry;
    *path = (struct library_path){entry->place, inner->place, inner->ns};
}

/* `is_meant` NULL: the samples below no own line. */
static void find(struct library_path *path, const struct cpu_time *time,
                 library_path_filter *is_meant, const void *of)
{
    struct array steps, inner;
    double all_ns = 0;

    *path = (struct library_path){NULL, NULL, 0};
    array_init(&steps, sizeof(struct step));
    array_init(&inner, sizeof(const struct place *));
    for (size_t i = 0; i < time->session->samples.count; i++) {
        const struct session_sample *sample = session_sample_at(time->session, i);
        const struct place *own = collect(&inner, time->places, sample->call);

        if (is_meant ? !own || !is_meant(own, of) : own != NULL)
            continue;
        add_sample(&steps, &inner, time->sample_ns[i], i);
        all_ns += inner.count > 0 ? time->sample_ns[i] : 0;
    }
    choose(path, &steps, all_ns);
    array_fini(&steps);
    array_fini(&inner);
}

void library_path_find(struct library_path *path, const struct cpu_time *time,
                       library_path_filter *is_meant, const void *of)
{
    find(path, time, is_meant, of);
}

void library_path_find_unowned(struct library_path *path, const struct cpu_time *time)
{
    find(path, time, NULL, NULL);
}

void library_path_append(struct text *text, const struct place *place)
{
    const char *path = place->file ? places_find_below_root(place->file) : NULL;

    if (path) {
        places_append_python_module(text, path);
        text_append(text, " ");
    }
    text_append(text, place->function->name);
}
