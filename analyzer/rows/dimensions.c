/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The names of rows, by dimension.
 */
#include "rows/dimensions.h"

#include "model/session.h"
#include "model/session_layers.h"
#include "model/session_ops.h"
#include "model/session_threads.h"
#include "places/places.h"
#include "rows/site.h"
#include "rows/texts.h"

uint32_t fact_layer(const struct session *session, uint32_t op)
{
    return op == 0 ? 0 : session_op_at(session, op)->layer;
}

static void append_thread(struct text *name, const struct session *session,
                          const struct fact *fact)
{
    text_appendf(name, "thread %u", (unsigned)session_thread_at(session, fact->thread)->id);
}

void dimension_append_region(struct text *name, const struct session *session,
                             const struct fact *fact)
{
    const char *path = session_region_at(session, fact->region)->path;

    if (fact->region == 0)
        text_append(name, dimension_no_region_text.words);
    else
        text_append(name, *path ? path : dimension_unnamed_text.words);
}

void dimension_append_layer(struct text *name, const struct session *session,
                            const struct fact *fact)
{
    if (fact->layer == 0)
        text_append(name, dimension_no_module_text.words);
    else
        session_append_layer(name, session, fact->layer);
}

static void append_site(struct text *name, const struct session *session, const struct fact *fact)
{
    const struct site site = site_find(session, fact->site);

    site_append(name, &site);
}

/* All lines of a function are one row. */
static void append_function(struct text *name, const struct session *session,
                            const struct fact *fact)
{
    const struct site site = site_find(session, fact->site);
    if (!site.function)
        site_append(name, &site);
    else if (site.is_python && site_file(&site))
        places_append_spelled(name, site_file(&site), 0, site.function);
    else
        text_appendf(name, "%s%s%s", site.function, site.module ? " " : "",
                     site.module ? site.module : "");
}

static void append_file(struct text *name, const struct session *session, const struct fact *fact)
{
    const struct site site = site_find(session, fact->site);
    const char *file = site_file(&site);

    text_append(name, file ? file : dimension_no_file_text.words);
}

static void append_python(struct text *name, const struct session *session,
                          const struct fact *fact)
{
    if (!site_append_python(name, session, fact->site))
        text_append(name, dimension_no_python_text.words);
}

dimension dimension_find(enum analysis_by by)
{
    static const dimension of[] = {
        [ANALYSIS_BY_THREAD] = append_thread,
        [ANALYSIS_BY_REGION] = dimension_append_region,
        [ANALYSIS_BY_MODULE] = dimension_append_layer,
        [ANALYSIS_BY_SITE] = append_site,
        [ANALYSIS_BY_LINE] = append_site,
        [ANALYSIS_BY_FUNCTION] = append_function,
        [ANALYSIS_BY_FILE] = append_file,
        [ANALYSIS_BY_PYTHON] = append_python,
    };

    return by < sizeof of / sizeof *of ? of[by] : NULL;
}
