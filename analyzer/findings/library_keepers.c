/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows of library_keepers.def, looked for on the chains of sites that grow.
 */
#include "findings/library_keepers.h"

#include <string.h>

#include "heap/leak_growers.h"
#include "heap/leak_verdict.h"
#include "model/session.h"
#include "model/session_heap.h"

static const struct library_keeper {
    const char *file;     /* part of its path, or of the library's */
    const char *function; /* part of its name */
    double percent;       /* of the growth */
    const char *repair;   /* text of a source file that has it */
    const char *sentence;
} rows[] = {
#define LIBRARY_KEEPER(file, function, percent, repair, sentence)                                  \
    {file, function, percent, repair, sentence},
#include "findings/library_keepers.def"
#undef LIBRARY_KEEPER
};

enum { ROWS = sizeof rows / sizeof *rows, CENT = 100 };

static bool has_part(const char *text, const char *part)
{
    return *part == '\0' || (text && strstr(text, part));
}

static bool is_of_row(const struct library_keeper *row, const struct place *place)
{
    const char *file = place->function->is_python ? place->file : place->function->module;

    return has_part(file, row->file) && has_part(place->function->name, row->function);
}

/* Returns: the row of the innermost place that has one; NULL. */
static const struct library_keeper *find_row(struct places *places, uint32_t call)
{
    for (; call != 0; call = places_parent(places, call)) {
        const struct call_places *of;

        places_look_up(places, call);
        of = places_known(places, call);
        for (size_t i = 0; of && i < of->count; i++)
            for (size_t k = 0; k < ROWS; k++)
                if (is_of_row(&rows[k], &of->places[i]))
                    return &rows[k];
    }
    return NULL;
}

const char *library_keepers_find(const char **repair, const struct session *session,
                                 struct places *places, const struct leak_judgement *judgement)
{
    double bytes[ROWS] = {0}, all = 0;

    for (size_t i = 0; i < session->sites.count; i++) {
        double growth = leak_site_growth(session, i, &judgement->window);
        const struct library_keeper *row;

        if (!(growth > 0))
            continue;
        all += growth;
        row = find_row(places, session_site_at(session, i)->call);
        if (row)
            bytes[row - rows] += growth;
    }
    for (size_t k = 0; k < ROWS; k++)
        if (bytes[k] > 0 && CENT * bytes[k] >= rows[k].percent * all) {
            *repair = rows[k].repair;
            return rows[k].sentence;
        }
    return NULL;
}
