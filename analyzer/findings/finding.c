/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Putting findings together.
 *
 * Decision: doc/decisions/ceilings.
 */
#include "findings/finding.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
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
    enum finding_gain gain;
    const char *help;
} rules[] = {
#define RULE(name, id, gain, help) {id, FINDING_##gain, help},
#include "findings/rules.def"
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

enum level { LEVEL_LIMIT, LEVEL_LOW, LEVEL_MEDIUM, LEVEL_HIGH };

static enum level find_level(double confidence)
{
    if (confidence >= (FINDING_CONFIDENCE_HIGH + FINDING_CONFIDENCE_MEDIUM) / 2)
        return LEVEL_HIGH;
    if (confidence >= (FINDING_CONFIDENCE_MEDIUM + FINDING_CONFIDENCE_LOW) / 2)
        return LEVEL_MEDIUM;
    return confidence > FINDING_CONFIDENCE_LIMIT ? LEVEL_LOW : LEVEL_LIMIT;
}

const char *finding_confidence_name(double confidence)
{
    static const char *const names[] = {"low", "low", "medium", "high"};

    return names[find_level(confidence)];
}

const char *finding_ceiling_kind(const struct finding *finding)
{
    if (isnan(finding->ceiling))
        return NULL;
    return finding->gain == FINDING_PREDICTS ? "prediction" : "bound";
}

bool finding_is_advice(const struct finding *finding)
{
    return finding->gain <= FINDING_RISKS && find_level(finding->confidence) > LEVEL_LIMIT &&
           !(finding->ceiling < medium_ceiling);
}

bool finding_is_unlikely(const struct finding *finding)
{
    return find_level(finding->confidence) <= LEVEL_LOW;
}

void finding_append_gain(struct text *text, const struct finding *finding)
{
    const char *word = finding->gain == FINDING_PREDICTS ? "about" : "at most";
    char ceiling[UNITS_SIZE];

    if (isinf(finding->ceiling))
        text_append(text, "all of the time");
    else if (!isnan(finding->ceiling))
        text_appendf(text, "%s %s as fast", word, units_format_speedup(ceiling, finding->ceiling));
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
    *finding = (struct finding){
        .fraction = (double)NAN, .ceiling = (double)NAN, .saved_ns = (double)NAN};
    array_init(&finding->numbers, sizeof(struct finding_number));
#define FINDING_PART(field, key, heading, help) text_init(&finding->field);
#include "findings/parts.def"
#undef FINDING_PART
}

void finding_fini(struct finding *finding)
{
#define FINDING_PART(field, key, heading, help) text_fini(&finding->field);
#include "findings/parts.def"
#undef FINDING_PART
    array_fini(&finding->numbers);
}

enum status finding_status(const struct finding *finding)
{
    enum status status = STATUS_OK;

#define FINDING_PART(field, key, heading, help)                                                    \
    if (text_status(&finding->field))                                                              \
        status = STATUS_OUT_OF_MEMORY;
#include "findings/parts.def"
#undef FINDING_PART
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

/* Each is as grave as this, were it certain. */
static enum finding_severity find_weight(const struct finding *finding, bool is_grave)
{
    switch (finding->gain) {
    case FINDING_PREDICTS:
    case FINDING_BOUNDS:
        if (finding->ceiling >= high_ceiling)
            return FINDING_HIGH;
        return finding->ceiling >= medium_ceiling ? FINDING_MEDIUM : FINDING_LOW;
    case FINDING_RISKS: return is_grave ? FINDING_HIGH : FINDING_MEDIUM;
    case FINDING_DOUBTS: return is_grave ? FINDING_MEDIUM : FINDING_INFO;
    case FINDING_POINTS: break;
    }
    return FINDING_INFO;
}

enum finding_severity finding_find_severity(const struct finding *finding, bool is_grave)
{
    enum finding_severity weight = find_weight(finding, is_grave);

    return finding_is_unlikely(finding) && weight > FINDING_LOW ? FINDING_LOW : weight;
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

/* What a rule says whatever it found. */
static const struct {
    enum finding_rule rule;
    size_t part; /* where the text stands in a finding */
    const char *words;
} advice[] = {
#define TEXT(name, row)
#define ADVICE(rule, field, words) {FINDING_RULE_##rule, offsetof(struct finding, field), words},
#include "findings/texts.def"
#undef ADVICE
#undef TEXT
};

static void say_advice(struct finding *finding)
{
    for (size_t i = 0; i < sizeof advice / sizeof *advice; i++)
        if (advice[i].rule == finding->rule)
            text_append((struct text *)((char *)finding + advice[i].part), advice[i].words);
}

static struct finding *add_finding(struct findings *findings)
{
    struct finding *finding = add_item(findings, &findings->found, sizeof *finding);

    if (!finding)
        return &findings->spare;
    finding_init(finding);
    finding->rule = findings->rule;
    finding->gain = rules[findings->rule].gain;
    say_advice(finding);
    return finding;
}

/* What half of it would give tells how much of the ceiling must be reached. */
static void append_limit(struct findings *findings, struct finding *finding)
{
    char wall[UNITS_SIZE], saved[UNITS_SIZE], half[UNITS_SIZE];

    text_appendf(&finding->limit, "saves %s of %s of wall time",
                 units_format_time(saved, finding->saved_ns),
                 units_format_time(wall, findings->wall_ns));
    if (!isinf(finding->ceiling))
        text_appendf(
            &finding->limit, "; half of that gives %s",
            units_format_speedup(half, finding_ceiling(findings->wall_ns, finding->saved_ns / 2)));
}

static void add_ceiling(struct findings *findings, struct finding *finding)
{
    finding->ceiling = finding_ceiling(findings->wall_ns, finding->saved_ns);
    append_limit(findings, finding);
    finding_add_number(findings, finding, "saved_ns", finding->saved_ns);
}

/* What a repair saves at most that takes so much processor time away. */
static double bound_saving(const struct findings *findings, double saved_ns, double relieved_ns)
{
    double least_ns = room_least_ns(&findings->room, relieved_ns);
    double room_ns = fmax(0, findings->wall_ns - least_ns);

    return saved_ns > room_ns ? room_ns : saved_ns;
}

static struct finding *add_claim(struct findings *findings, const struct finding_claim *claim,
                                 double relieved_ns)
{
    struct finding *finding = add_finding(findings);

    finding->fraction = claim->target_ns / findings->wall_ns;
    finding->saved_ns = bound_saving(findings, claim->saved_ns, relieved_ns);
    finding->confidence = claim->confidence;
    finding_add_number(findings, finding, "target_ns", claim->target_ns);
    if (finding->gain <= FINDING_BOUNDS)
        add_ceiling(findings, finding);
    if (finding->gain <= FINDING_BOUNDS && finding->saved_ns < claim->saved_ns)
        text_append(&finding->limit, "; the processors allow no more");
    finding->severity = finding_find_severity(finding, false);
    return finding;
}

struct finding *findings_add(struct findings *findings, const struct finding_claim *claim)
{
    return add_claim(findings, claim, claim->saved_ns * findings->room.in_kernels);
}

struct finding *findings_add_waiting(struct findings *findings, const struct finding_claim *claim,
                                     double spun_ns)
{
    return add_claim(findings, claim, spun_ns);
}

void finding_weaken(struct finding *finding, enum finding_gain gain)
{
    if (gain <= finding->gain)
        return;
    finding->gain = gain;
    if (gain > FINDING_BOUNDS) {
        finding->ceiling = (double)NAN;
        text_clear(&finding->limit);
    }
    finding->severity = finding_find_severity(finding, false);
}

struct finding *findings_add_doubt(struct findings *findings, bool is_grave, double confidence)
{
    struct finding *finding = add_finding(findings);

    finding->confidence = confidence;
    finding->severity = finding_find_severity(finding, is_grave);
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

void findings_say_note(struct findings *findings, enum finding_outcome outcome,
                       const struct said *said)
{
    struct finding_note *note = add_item(findings, &findings->notes, sizeof *note);

    if (!note)
        return;
    *note = (struct finding_note){.rule = findings->rule, .outcome = outcome};
    text_init(&note->text);
    say_all(&note->text, said);
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
