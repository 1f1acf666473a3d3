/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A finding in sentences, as people read it.
 */
#include <math.h>

#include "analysis/findings/rows.h"
#include "base/units.h"

static void append_confidence(struct text *line, const struct finding *finding)
{
    text_appendf(line, "%s (%.2g)", finding_confidence_name(finding->confidence),
                 finding->confidence);
}

/* "[HIGH] GEMV: cblas_sgemv m=256 n=784 works on one item at a time" */
static enum status add_head(struct text_list *lines, const struct finding *finding)
{
    static const char *const severities[] = {"INFO", "LOW", "MEDIUM", "HIGH"};

    return text_list_addf(lines, "[%s] %s: %s",
                          finding_is_limit(finding) ? "LIMIT" : severities[finding->severity],
                          finding_id(finding->rule), finding->title.bytes);
}

static enum status add_ceiling(struct text_list *lines, const struct finding *finding)
{
    char ceiling[UNITS_SIZE];

    if (isnan(finding->ceiling))
        return STATUS_OK;
    if (isinf(finding->ceiling))
        return text_list_addf(lines, "  Ceiling: none; %s", finding->limit.bytes);
    return text_list_addf(lines, "  Ceiling: %s; %s",
                          units_format_speedup(ceiling, finding->ceiling), finding->limit.bytes);
}

static enum status add_refutation(struct text_list *lines, const struct finding *finding)
{
    struct text line;
    enum status status;

    text_init(&line);
    text_append(&line, "  Confidence: ");
    append_confidence(&line, finding);
    if (finding->refute.size > 0)
        text_appendf(&line, "; %s", finding->refute.bytes);
    status = text_status(&line);
    if (!status)
        status = text_list_add(lines, line.bytes);
    text_fini(&line);
    return status;
}

static enum status add_text(struct text_list *lines, const char *heading, const struct text *text)
{
    return text->size > 0 ? text_list_addf(lines, "  %s: %s", heading, text->bytes) : STATUS_OK;
}

enum status finding_add_sentences(struct text_list *lines, const struct finding *finding)
{
    enum status status = add_head(lines, finding);

    status = status ? status : add_text(lines, "Evidence", &finding->evidence);
    status = status ? status : add_ceiling(lines, finding);
    status = status ? status : add_text(lines, "Why", &finding->why);
    status = status ? status : add_text(lines, "Do", &finding->action);
    status = status ? status : add_refutation(lines, finding);
    return status ? status : add_text(lines, "See", &finding->see);
}
