/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Putting findings together.
 */
#include "analysis/findings/finding.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/units.h"

/* The largest that is told from one without bound. */
static const double told_ceiling = 100;

/* What a limit promises at most: as much as 1.06x of a high confidence, or 1.17x of a low one. */
static const double limit_promise = 0.05;

enum { NOTE_SIZE = 1000 };

/* A speed-up of a quarter is worth a change of design, one of 5 % stands out of
 * the noise of most machines. */
static const double high_ceiling = 1.25, medium_ceiling = 1.05;

/* ---- words --------------------------------------------------------------------- */

static const struct {
    const char *id;
    const char *help;
} rules[] = {
#define RULE(name, id, help) {id, help},
#include "analysis/findings/rules.def"
#undef RULE
};

const char *finding_id(enum finding_rule rule)
{
    return rules[rule].id;
}

const char *finding_help(enum finding_rule rule)
{
    return rules[rule].help;
}

const char *finding_severity_name(enum finding_severity severity)
{
    static const char *const names[] = {"info", "low", "medium", "high"};

    return names[severity];
}

const char *finding_confidence_name(double confidence)
{
    if (confidence >= (FINDING_CONFIDENCE_HIGH + FINDING_CONFIDENCE_MEDIUM) / 2)
        return "high";
    if (confidence >= (FINDING_CONFIDENCE_MEDIUM + FINDING_CONFIDENCE_LOW) / 2)
        return "medium";
    return "low";
}

bool finding_is_limit(const struct finding *finding)
{
    return !isnan(finding->ceiling) && finding->confidence <= FINDING_CONFIDENCE_LIMIT &&
           finding->confidence > FINDING_CONFIDENCE_ROUGH;
}

double finding_promise(const struct finding *finding)
{
    double promise = (fmin(finding->ceiling, told_ceiling) - 1) * finding->confidence;

    if (isnan(finding->ceiling))
        return (double)NAN;
    return finding->confidence <= FINDING_CONFIDENCE_LIMIT ? fmin(promise, limit_promise) : promise;
}

/* ---- life ---------------------------------------------------------------------- */

void finding_init(struct finding *finding)
{
    *finding = (struct finding){.fraction = (double)NAN, .ceiling = (double)NAN};
    array_init(&finding->numbers, sizeof(struct finding_number));
#define FINDING_TEXT(field, key, heading, help) text_init(&finding->field);
#include "analysis/findings/texts.def"
#undef FINDING_TEXT
}

void finding_fini(struct finding *finding)
{
#define FINDING_TEXT(field, key, heading, help) text_fini(&finding->field);
#include "analysis/findings/texts.def"
#undef FINDING_TEXT
    array_fini(&finding->numbers);
}

enum status finding_status(const struct finding *finding)
{
    enum status status = STATUS_OK;

#define FINDING_TEXT(field, key, heading, help)                                                    \
    if (text_status(&finding->field))                                                              \
        status = STATUS_OUT_OF_MEMORY;
#include "analysis/findings/texts.def"
#undef FINDING_TEXT
    return status;
}

/* ---- for rules ----------------------------------------------------------------- */

double finding_ceiling(double wall_ns, double saved_ns)
{
    if (!(wall_ns > 0) || isnan(saved_ns))
        return (double)NAN;
    if (saved_ns <= 0)
        return 1;
    return saved_ns < wall_ns ? wall_ns / (wall_ns - saved_ns) : (double)INFINITY;
}

static enum finding_severity find_severity(double ceiling, double confidence)
{
    if (confidence <= FINDING_CONFIDENCE_ROUGH)
        return FINDING_LOW;
    if (ceiling >= high_ceiling)
        return FINDING_HIGH;
    return ceiling >= medium_ceiling ? FINDING_MEDIUM : FINDING_LOW;
}

/* Memory that ran out is told in the end: until then rules write to the spare. */
static void *add_item(struct findings *findings, struct array *array, size_t size)
{
    void **place = array_add(array);

    if (place)
        *place = calloc(1, size);
    if (place && *place)
        return *place;
    if (place)
        array_truncate(array, array->count - 1);
    findings->status = STATUS_OUT_OF_MEMORY;
    return NULL;
}

static struct finding *add_finding(struct findings *findings)
{
    struct finding *finding = add_item(findings, &findings->found, sizeof *finding);

    if (!finding)
        return &findings->spare;
    finding_init(finding);
    finding->rule = findings->rule;
    return finding;
}

/* What half of it would give tells how much of the ceiling must be reached. */
static void append_limit(struct findings *findings, struct finding *finding,
                         const struct finding_claim *claim)
{
    char fraction[UNITS_SIZE], wall[UNITS_SIZE], saved[UNITS_SIZE], all[UNITS_SIZE];
    char half[UNITS_SIZE];

    text_appendf(&finding->limit, "it takes %s of %s of wall time; ",
                 units_format_percent(fraction, finding->fraction),
                 units_format_time(wall, findings->wall_ns));
    if (isinf(finding->ceiling))
        text_append(&finding->limit, "all of it");
    else
        text_appendf(
            &finding->limit,
            "without %s of it the program is %s as fast, with half of that saved %s",
            units_format_time(saved, claim->saved_ns), units_format_speedup(all, finding->ceiling),
            units_format_speedup(half, finding_ceiling(findings->wall_ns, claim->saved_ns / 2)));
}

struct finding *findings_add(struct findings *findings, const struct finding_claim *claim)
{
    struct finding *finding = add_finding(findings);

    finding->fraction = claim->target_ns / findings->wall_ns;
    finding->ceiling = finding_ceiling(findings->wall_ns, claim->saved_ns);
    finding->confidence = claim->confidence;
    finding->severity = find_severity(finding->ceiling, finding->confidence);
    append_limit(findings, finding, claim);
    finding_add_number(findings, finding, "target_ns", claim->target_ns);
    finding_add_number(findings, finding, "saved_ns", claim->saved_ns);
    return finding;
}

struct finding *findings_add_doubt(struct findings *findings, enum finding_severity severity,
                                   double confidence)
{
    struct finding *finding = add_finding(findings);

    finding->severity = severity;
    finding->confidence = confidence;
    return finding;
}

void finding_add_number(struct findings *findings, struct finding *finding, const char *name,
                        double value)
{
    struct finding_number *number;

    if (finding == &findings->spare)
        return;
    number = array_add(&finding->numbers);
    if (number)
        *number = (struct finding_number){name, value};
    else
        findings->status = STATUS_OUT_OF_MEMORY;
}

static PRINTF_LIKE(3, 0) void add_note(struct findings *findings, enum finding_outcome outcome,
                                       const char *format, va_list arguments)
{
    struct finding_note *note = add_item(findings, &findings->notes, sizeof *note);
    char text[NOTE_SIZE];

    if (!note)
        return;
    note->rule = findings->rule;
    note->outcome = outcome;
    text_init(&note->text);
    vsnprintf(text, sizeof text, format, arguments);
    text_append(&note->text, text);
}

void findings_pass(struct findings *findings, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    add_note(findings, FINDING_PASSED, format, arguments);
    va_end(arguments);
}

void findings_skip(struct findings *findings, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    add_note(findings, FINDING_NOT_EVALUATED, format, arguments);
    va_end(arguments);
}
