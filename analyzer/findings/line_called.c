/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The function that a line calls for most of its time, and what may be spared there.
 */
#include "findings/line_called.h"

#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "findings/call_kinds.h"
#include "findings/context.h"
#include "model/session.h"
#include "model/session_samples.h"
#include "places/places.h"
#include "places/source_text.h"

/* A function that a line calls. */
struct called {
    const struct places_function *function;
    double ns;
};

static void add_called(struct array *all, const struct places_function *function, double ns)
{
    struct called *called = all->items;

    for (size_t i = 0; i < all->count; i++)
        if (called[i].function == function) {
            called[i].ns += ns;
            return;
        }
    *(struct called *)array_add(all) = (struct called){function, ns};
}

/* Returns: the function that a line calls for a sample; NULL: the line itself computes. */
static const struct places_function *find_called(const struct places *places, uint32_t call,
                                                 const struct place *line)
{
    const struct places_function *called = NULL;

    for (; call != 0; call = places_parent(places, call)) {
        const struct call_places *of = places_known(places, call);

        for (size_t i = 0; of && i < of->count; i++) {
            if (place_is_at(&of->places[i], line->file, line->line))
                return called;
            called = of->places[i].function;
        }
    }
    return NULL;
}

/* Returns: the function that has most of a line's time, if it has half of it; NULL. */
static const struct places_function *find_most_called(const struct findings_context *context,
                                                      const struct place *line,
                                                      line_called_at *is_at)
{
    const struct session *session = context->session;
    const struct called *most = NULL, *called;
    struct array all;
    double line_ns = 0;

    array_init(&all, sizeof(struct called));
    for (size_t i = 0; i < session->samples.count; i++) {
        const struct places_function *function;

        if (!is_at(context, i, line))
            continue;
        line_ns += context->time.sample_ns[i];
        function = find_called(context->time.places, session_sample_at(session, i)->call, line);
        if (function)
            add_called(&all, function, context->time.sample_ns[i]);
    }
    called = all.items;
    for (size_t i = 0; i < all.count; i++)
        if (!most || called[i].ns > most->ns)
            most = &called[i];
    return most && most->ns >= line_ns / 2 ? most->function : NULL;
}

/* "std::vector<int>::push_back(int const&)": "push_back"; "Worksheet.cell": "cell" */
static void append_last_name(struct text *text, const char *name)
{
    size_t size = strcspn(name, "(<"), start = size;

    while (start > 0 && name[start - 1] != ':' && name[start - 1] != '.')
        start--;
    text_append_bytes(text, name + start, size - start);
}

/* Where the interpreter calls compiled code, or a library has no names, only the line's text names
 * what it calls. */
void line_called_append_hint(struct text *text, const struct findings_context *context,
                             const struct place *line, line_called_at *is_at)
{
    const struct places_function *called = find_most_called(context, line, is_at);
    struct source_text source;
    struct text name;

    text_init(&name);
    if (called && called->has_name && (called->is_python || !line->function->is_python)) {
        append_last_name(&name, called->name);
        call_kinds_append_hint(text, name.bytes);
    } else if (line->file && (line->function->is_python || !called || !called->has_name)) {
        source_text_init(&source, context->session);
        source_text_append(&source, &name, line->file, line->line);
        call_kinds_append_line_hint(text, name.bytes);
    }
    text_fini(&name);
}
