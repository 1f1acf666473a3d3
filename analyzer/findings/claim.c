/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The findings of rules, and their notes when they find nothing.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/pool.h"
#include "findings/finding.h"
#include "findings/texts.h"

static void *add_item(struct array *array, size_t size)
{
    void **place = array_add(array);

    return *place = pool_get_zeros(1, size);
}

/* The fixed sentences of rules, and of kinds of their findings. */
static const struct {
    const char *name;
    size_t part; /* where the text is inserted in a finding */
    struct said words;
} advice[] = {
#define TEXT(name, row)
#define ADVICE(name, field, row)                                                                   \
    {#name, offsetof(struct finding, field), {.as = SAID_WORDS, .words = (row)}},
#include "findings/texts.def"
#undef ADVICE
#undef TEXT
};

static const char *const rule_names[] = {
#define RULE(name, id, gain, help) #name,
#include "findings/rules.def"
#undef RULE
};

void finding_advise(struct finding *finding, const char *name)
{
    for (size_t i = 0; i < sizeof advice / sizeof *advice; i++)
        if (strcmp(advice[i].name, name) == 0)
            say((struct text *)((char *)finding + advice[i].part), advice[i].words);
}

/* It outlives the pool of its rule. */
static struct finding *add_finding(struct findings *findings)
{
    struct pool *pool = pool_use(findings->found.pool);
    struct finding *finding = add_item(&findings->found, sizeof *finding);

    finding_init(finding);
    pool_use(pool);
    finding->rule = findings->rule;
    finding->gain = finding_gain_of(findings->rule);
    return finding;
}

/* The gain of half of it shows how much of the ceiling must be reached. */
static void say_limit(const struct findings *findings, struct finding *finding)
{
    say(&finding->limit, gain_saves_text, said_time(finding->saved_ns),
        said_time(findings->wall_ns));
    if (!isinf(finding->ceiling))
        say(&finding->limit, gain_half_text,
            said_speedup(finding_ceiling(findings->wall_ns, finding->saved_ns / 2)));
}

static void add_ceiling(struct findings *findings, struct finding *finding)
{
    finding->ceiling = finding_ceiling(findings->wall_ns, finding->saved_ns);
    say_limit(findings, finding);
    finding_add_number(finding, "saved_ns", finding->saved_ns);
}

/* The most that a repair saves which frees relieved_ns of processor time. */
static double bound_saving(const struct findings *findings, double saved_ns, double relieved_ns)
{
    double least_ns = capacity_least_ns(&findings->capacity, relieved_ns);
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
    finding_add_number(finding, "target_ns", claim->target_ns);
    if (finding->gain <= FINDING_BOUNDS)
        add_ceiling(findings, finding);
    if (finding->gain <= FINDING_BOUNDS && finding->saved_ns < claim->saved_ns)
        say(&finding->limit, gain_no_room_text);
    finding_advise(finding, rule_names[finding->rule]);
    finding->severity = finding_find_severity(finding, false);
    return finding;
}

struct finding *findings_add(struct findings *findings, const struct finding_claim *claim)
{
    return add_claim(findings, claim, claim->saved_ns * findings->capacity.in_kernels);
}

struct finding *findings_add_freeing(struct findings *findings, const struct finding_claim *claim,
                                     double cpu_ns)
{
    return add_claim(findings, claim,
                     fmax(cpu_ns, claim->saved_ns * findings->capacity.in_kernels));
}

struct finding *findings_add_waiting(struct findings *findings, const struct finding_claim *claim,
                                     double spun_ns)
{
    return add_claim(findings, claim, fmax(0, spun_ns - findings->capacity.spun_ns));
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
    finding_advise(finding, rule_names[finding->rule]);
    finding->severity = finding_find_severity(finding, is_grave);
    return finding;
}

void finding_add_number(struct finding *finding, const char *name, double value)
{
    struct finding_number *number;

    number = array_add(&finding->numbers);
    *number = (struct finding_number){name, value};
}

struct text *findings_add_note(struct findings *findings, enum finding_outcome outcome)
{
    struct pool *pool = pool_use(findings->notes.pool);
    struct finding_note *note = add_item(&findings->notes, sizeof *note);

    *note = (struct finding_note){.rule = findings->rule, .outcome = outcome};
    text_init(&note->text);
    pool_use(pool);
    return &note->text;
}

struct text *findings_say_note(struct findings *findings, enum finding_outcome outcome,
                               const struct said *said)
{
    struct text *note = findings_add_note(findings, outcome);

    say_all(note, said);
    return note;
}
