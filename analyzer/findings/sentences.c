/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A finding in sentences, as people read it.
 */
#include <math.h>
#include <string.h>

#include "base/text_list.h"
#include "findings/finding.h"
#include "findings/rows.h"

/* "[HIGH] GEMV: cblas_sgemv m=256 n=784 works on one item at a time" */
static void add_head(struct text_list *lines, const struct finding *finding)
{
    static const char *const severities[] = {"INFO", "LOW", "MEDIUM", "HIGH"};

    text_list_addf(lines, "[%s] %s: %s", severities[finding->severity], finding_id(finding->rule),
                   finding->title.bytes);
}

/* "  Gain: at most 1.90x as fast: saves 541 ms of 1.140 s of wall time.  Half of that ..." */
static void add_gain(struct text_list *lines, const struct finding *finding)
{
    struct text line;

    if (isnan(finding->ceiling))
        return;
    text_init(&line);
    text_append(&line, "  Gain: ");
    finding_append_gain(&line, finding);
    text_appendf(&line, ": %s", finding->limit.bytes);
    text_list_take(lines, &line);
}

static void add_text(struct text_list *lines, const char *heading, const struct text *text)
{
    if (text->size > 0)
        text_list_addf(lines, "  %s: %s", heading, text->bytes);
}

/* Without a saving, the line gives no confidence. */
static void add_refutation(struct text_list *lines, const struct finding *finding)
{
    struct text line;

    if (finding->gain > FINDING_RISKS) {
        add_text(lines, "Doubt", &finding->refute);
        return;
    }
    text_init(&line);
    text_appendf(&line, "  Confidence: %s.", finding_confidence_name(finding->confidence));
    if (finding->refute.size > 0)
        text_appendf(&line, " %s", finding->refute.bytes);
    text_list_take(lines, &line);
}

/* A finding that only locates time has no repair to do. */
static const char *action_heading(const struct finding *finding)
{
    return finding->gain == FINDING_POINTS ? "Next" : "Do";
}

void finding_add_sentences(struct text_list *lines, const struct finding *finding)
{
    add_head(lines, finding);

    add_text(lines, "Evidence", &finding->evidence);
    add_gain(lines, finding);
    add_text(lines, "Why", &finding->why);
    add_text(lines, action_heading(finding), &finding->action);
    add_refutation(lines, finding);
    add_text(lines, "See", &finding->see);
}

/* Returns: the length of the sentences that fit, but at least of one. */
static size_t cut_sentences(const char *words, size_t room)
{
    const char *end = strstr(words, ". ");
    size_t length = strlen(words), kept = 0;

    if (!end || length <= room)
        return length;
    for (; end && (kept == 0 || (size_t)(end - words) < room); end = strstr(end + 1, ". "))
        kept = (size_t)(end - words) + 1;
    return kept;
}

void finding_append_action(struct text *text, const struct finding *finding)
{
    enum { ROOM = 100 };

    text_append(text, " ");
    text_append_bytes(text, finding->action.bytes, cut_sentences(finding->action.bytes, ROOM));
}
