/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rules whose repairs save the same time: see overlap.def.  Findings of the same rule are about
 * different kernels.
 */
#include "findings/overlap.h"

#include <math.h>

#include "findings/texts.h"

enum subject {
    NONE,
#define SUBJECT(name, words) SUBJECT_##name,
#include "findings/overlap.def"
    SUBJECTS
};

static const char *const subject_words[SUBJECTS] = {
#define SUBJECT(name, words) [SUBJECT_##name] = words,
#include "findings/overlap.def"
};

static const unsigned char subjects[FINDING_RULES] = {
#define SAVES(rule, subject) [FINDING_RULE_##rule] = SUBJECT_##subject,
#include "findings/overlap.def"
};

static bool is_about(const struct overlap_row *row, enum subject subject)
{
    return !isnan(row->finding->ceiling) && subjects[row->finding->rule] == subject;
}

/* Ask whether an earlier row names its rule. */
static bool is_named(const struct overlap_row *rows, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (rows[i].finding->rule == rows[index].finding->rule)
            return true;
    return false;
}

static void say_subject(struct text_list *lines, const struct overlap_rows *of,
                        enum subject subject)
{
    const struct overlap_row *rows = of->rows;
    struct text labels;
    size_t named = 0;

    text_init(&labels);
    for (size_t i = 0; i < of->count; i++)
        if (is_about(&rows[i], subject) && !is_named(rows, i))
            text_appendf(&labels, "%s%s", named++ > 0 ? ", " : "", rows[i].label);
    if (named > 1)
        text_list_say(lines, findings_overlap_text, said_words(of->indent),
                      said_words(labels.bytes), said_words(subject_words[subject]));
}

void overlaps_say(struct text_list *lines, const struct overlap_rows *of)
{
    for (int subject = NONE + 1; subject < SUBJECTS; subject++)
        say_subject(lines, of, (enum subject)subject);
}
