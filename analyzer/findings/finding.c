/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A finding: its words, its severity, and its promise.
 *
 * Decision: doc/decisions/ceilings.
 */
#include "findings/finding.h"

#include <math.h>

#include "findings/texts.h"

/* A larger one counts as unbounded. */
static const double told_ceiling = 100;

/* The most that a limit promises: as much as 1.06x of high confidence, or 1.17x of low. */
static const double limit_promise = 0.05;

/* A speed-up of a quarter is worth a change of design; 5 % exceed the noise of
 * most machines. */
static const double high_ceiling = 1.25, medium_ceiling = 1.05;

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

enum finding_gain finding_gain_of(enum finding_rule rule)
{
    return rules[rule].gain;
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
    if (isinf(finding->ceiling))
        text_append(text, "all of the time");
    else if (!isnan(finding->ceiling))
        say_part(text, finding->gain == FINDING_PREDICTS ? gain_about_text : gain_at_most_text,
                 said_speedup(finding->ceiling));
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

void finding_init(struct finding *finding)
{
    *finding =
        (struct finding){.fraction = (double)NAN, .ceiling = (double)NAN, .saved_ns = (double)NAN};
    array_init(&finding->numbers, sizeof(struct finding_number));
#define FINDING_PART(field, key, heading, help) text_init(&finding->field);
#include "findings/parts.def"
#undef FINDING_PART
}

double finding_ceiling(double wall_ns, double saved_ns)
{
    if (!(wall_ns > 0) || isnan(saved_ns))
        return (double)NAN;
    if (saved_ns <= 0)
        return 1;
    return saved_ns < wall_ns ? wall_ns / (wall_ns - saved_ns) : (double)INFINITY;
}

/* The severity that each finding would have if it were certain. */
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
