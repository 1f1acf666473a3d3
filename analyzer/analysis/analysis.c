/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The list of analyses.
 */
#include "analysis/analysis.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "model/session.h"
#include "model/session_chains.h"

static const struct analysis *const analyses[] = {
#define ANALYSIS(name) &analysis_##name,
#include "analysis/analyses.def"
#undef ANALYSIS
};

struct analysis_options analysis_defaults(void)
{
    return (struct analysis_options){
        .confidence = 0.95,
        .warmup = 3,
        .find_frames = session_find_frames,
#define ANALYSIS(name) .name = analysis_##name.own.defaults,
#include "analysis/analyses.def"
#undef ANALYSIS
    };
}

void analysis_take_warmup(struct analysis_options *options, const struct session *session)
{
    if (session->process.warmup_calls <= UINT_MAX)
        options->warmup = (unsigned)session->process.warmup_calls;
}

size_t analysis_limit(const struct analysis_options *options, size_t usual)
{
    if (options->shows_all)
        return SIZE_MAX;
    return options->limit > 0 ? options->limit : usual;
}

static const struct {
    const char *word;
    const char *commands;
} by_rows[] = {
    {NULL, ""},
#define BY(name, word, commands, help) {word, commands},
#include "analysis/by.def"
#undef BY
};

const char *analysis_by_word(enum analysis_by by)
{
    return by_rows[by].word;
}

bool analysis_has_rows(const char *command, enum analysis_by by)
{
    return option_list_has(by_rows[by].commands, command);
}

bool analysis_find_by(const char *word, enum analysis_by *by)
{
    for (size_t i = 1; i < sizeof by_rows / sizeof *by_rows; i++)
        if (strcmp(by_rows[i].word, word) == 0) {
            *by = (enum analysis_by)i;
            return true;
        }
    return false;
}

static const char *const measure_words[] = {
#define MEASURE(name, word, help) word,
#include "analysis/measures.def"
#undef MEASURE
};

const char *analysis_measure_word(enum analysis_measure measure)
{
    return measure_words[measure];
}

bool analysis_find_measure(const char *word, enum analysis_measure *measure)
{
    for (size_t i = 0; i < ANALYSIS_MEASURES; i++)
        if (strcmp(measure_words[i], word) == 0) {
            *measure = (enum analysis_measure)i;
            return true;
        }
    return false;
}

const struct analysis *analysis_at(size_t index)
{
    return index < sizeof analyses / sizeof *analyses ? analyses[index] : NULL;
}

const struct analysis *analysis_find(const char *name)
{
    for (size_t i = 0; analysis_at(i); i++)
        if (strcmp(analysis_at(i)->name, name) == 0)
            return analysis_at(i);
    return NULL;
}
