/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Findings: causes of a slow program, with the speed-up of each repair, evidence, advice and
 * confidence.  Some findings point to the time, or doubt the figures.
 *
 * Each rule of rules.def is a function.  It adds its findings, or a note that it found none, with
 * the checked number, or a note why it could not check.  Rules return nothing and print nothing.
 *
 * Sources: the phrases are from XProf, the estimated speed-up of each finding is from Nsight
 * Compute; the ceiling is Amdahl's law.
 */
#ifndef FINDINGS_FINDING_H
#define FINDINGS_FINDING_H

#include "base/array.h"
#include "base/say.h"
#include "base/text.h"
#include "findings/capacity.h"

enum finding_rule {
#define RULE(name, id, gain, help) FINDING_RULE_##name,
#include "findings/rules.def"
#undef RULE
    FINDING_RULES
};

/* How much a rule knows of its repair, the strongest first: see rules.def.  Findings are listed
 * in this order, those with a repair first. */
enum finding_gain {
    FINDING_PREDICTS,
    FINDING_BOUNDS,
    FINDING_RISKS,
    FINDING_POINTS,
    FINDING_DOUBTS
};

enum finding_severity { FINDING_INFO, FINDING_LOW, FINDING_MEDIUM, FINDING_HIGH };

enum finding_outcome { FINDING_FOUND, FINDING_PASSED, FINDING_NOT_EVALUATED };

/* A figure for programs, under a name of its own: "calls", "saved_ns". */
struct finding_number {
    const char *name; /* kept, not copied */
    double value;     /* NAN when unknown */
};

/* The claim of a rule.  Units: nanoseconds of wall time. */
struct finding_claim {
    double target_ns;  /* wall time of the cause */
    double saved_ns;   /* the part that the repair saves: about or at most, by the rule's gain;
                          without a repair it decides whether the finding matters */
    double confidence; /* 0 to 1, in saved_ns; weighs the order */
};

struct finding {
    enum finding_rule rule;
    enum finding_gain gain;
    enum finding_severity severity;
    double fraction;   /* share of the wall time; NAN when the cause takes no time */
    double ceiling;    /* how many times faster the program would be; NAN without a repair that
                          saves time */
    double saved_ns;   /* determines the ceiling; NAN when the cause takes no time */
    double confidence; /* 0 to 1 */
#define FINDING_PART(field, key, heading, help) struct text field;
#include "findings/parts.def"
#undef FINDING_PART
    struct array numbers; /* of struct finding_number */
};

/* The sentence of a rule that found nothing, or could not look. */
struct finding_note {
    enum finding_rule rule;
    enum finding_outcome outcome; /* PASSED or NOT_EVALUATED */
    struct text text;
};

struct findings {
    struct array found;     /* of struct finding *, the most promising first */
    struct array notes;     /* of struct finding_note * */
    enum finding_rule rule; /* the rule that is being evaluated */
    double wall_ns;         /* the whole of all ceilings, without tprof's own cost */
    bool is_in_kernels;     /* most of the wall time is in kernels */
    struct text where;      /* sentences that say where the time is; empty after a single rule */
    struct capacity capacity; /* capacity of processors: it bounds all ceilings */
    enum status status;
};

/* Words of a finding, of any severity or confidence. */
const char *finding_id(enum finding_rule rule);
const char *finding_help(enum finding_rule rule);
enum finding_gain finding_gain_of(enum finding_rule rule);
const char *finding_severity_name(enum finding_severity severity);
const char *finding_confidence_name(double confidence);

/* Name the kind of a ceiling: "prediction" or "bound"; NULL without one. */
const char *finding_ceiling_kind(const struct finding *finding);

/* Grade a finding.  A repair is as grave as its ceiling, but low where the ceiling is unlikely.
 * A finding that only locates time, or doubts figures, is for information, unless figures are
 * wrong (`is_grave`). */
enum finding_severity finding_find_severity(const struct finding *finding, bool is_grave);

/* Ask whether the ceiling is only a limit: nothing shows that it can be reached.  A ceiling of
 * badly known time is not a limit. */
bool finding_is_limit(const struct finding *finding);

/* Ask whether the user should follow a finding: it has a repair, more than a limit supports it, and
 * the saved time exceeds the noise. */
bool finding_is_advice(const struct finding *finding);

/* Ask whether its confidence is low. */
bool finding_is_unlikely(const struct finding *finding);

/* Say "about 1.90x as fast", or "at most"; nothing without a ceiling. */
void finding_append_gain(struct text *text, const struct finding *finding);

/* Compute the promise, the key for sorting findings: (ceiling - 1) times confidence.  The wall
 * time's shares are known to 1 % at best, so a ceiling above 100 counts as 100.  Nothing shows that
 * a limit (FINDING_CONFIDENCE_LIMIT and less) can be reached, so it promises at most 0.05: less
 * than a worthwhile repair, more than one that saves next to nothing. */
double finding_promise(const struct finding *finding);

/* Start an empty finding. */
void finding_init(struct finding *finding);
/* Confidences: the repair and its saving are known; one of them is estimated;
 * only a limit is known; the limit may be out of reach. */
#define FINDING_CONFIDENCE_HIGH 0.9
#define FINDING_CONFIDENCE_MEDIUM 0.6
#define FINDING_CONFIDENCE_LOW 0.3
#define FINDING_CONFIDENCE_LIMIT 0.05

/* The highest confidence of a finding about kernels whose time is known badly: group_is_rough. */
#define FINDING_CONFIDENCE_ROUGH 0.01

/* Add a finding that costs time, and whose repair saves time on as many processors as kernels use.
 * Without a repair, the finding has no ceiling.  Findings that save less than 1 % of the wall time
 * become notes in the end.
 * Returns: the finding, to append its texts to; never NULL. */
struct finding *findings_add(struct findings *findings, const struct finding_claim *claim);

/* The same for a repair that frees this processor time, of any threads. */
struct finding *findings_add_freeing(struct findings *findings, const struct finding_claim *claim,
                                     double cpu_ns);

/* The same for a repair that only uses processors better or overlaps waiting: it saves no more time
 * than idle processors can provide.  `spun_ns`: processor time that the repair also saves, of
 * threads that spin while they wait for others. */
struct finding *findings_add_waiting(struct findings *findings, const struct finding_claim *claim,
                                     double spun_ns);

/* Lower the rule's usual claim about the repair: it is only a bound, or unknown. */
void finding_weaken(struct finding *finding, enum finding_gain gain);

/* Add a finding that costs no time, such as a risk, or a doubt about the figures.  `is_grave`:
 * memory will run out, or figures are wrong. */
struct finding *findings_add_doubt(struct findings *findings, bool is_grave, double confidence);

/* Say the ADVICE of texts.def with this name: a kind of the rule's findings.  ADVICE with the
 * name of the rule is said already. */
void finding_advise(struct finding *finding, const char *name);

/* Add a figure for programs. */
void finding_add_number(struct finding *finding, const char *name, double value);

/* Note that the rule found nothing, with the checked number; or why it could not check, and what to
 * do.
 * Returns: the note's text, for further sentences. */
#define findings_pass(findings, ...)                                                               \
    findings_say_note(findings, FINDING_PASSED, SAID_LIST(__VA_ARGS__))
#define findings_skip(findings, ...)                                                               \
    findings_say_note(findings, FINDING_NOT_EVALUATED, SAID_LIST(__VA_ARGS__))
struct text *findings_say_note(struct findings *findings, enum finding_outcome outcome,
                               const struct said *said);

/* The same for words that others write.  Returns: the note's text, still empty. */
struct text *findings_add_note(struct findings *findings, enum finding_outcome outcome);

/* Compute how many times as fast a program is without this part of its wall time. */
double finding_ceiling(double wall_ns, double saved_ns);

#endif
