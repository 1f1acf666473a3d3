/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The first advice: at most three findings, each with its action and its gain.
 */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "findings/overlap.h"
#include "findings/rows.h"
#include "screen/first_parts.h"
#include "screen/texts.h"

enum { ADVICE_SHOWN = 3 };

/* "This saves about 1.4 s, 14 % of the wall time."  The heading has that wall time. */
static void say_saving(struct text *line, const struct finding *finding, double wall_ns)
{
    bool is_bound = finding->gain != FINDING_PREDICTS;

    if (isnan(finding->saved_ns) || isnan(finding->ceiling))
        return;
    say(line, is_bound ? first_saves_most_text : first_saves_about_text,
        said_time(finding->saved_ns), said_share(finding->saved_ns / wall_ns));
}

/* Names of functions and files keep their case. */
static bool begins_with_name(const char *title)
{
    size_t size = strspn(title, "abcdefghijklmnopqrstuvwxyz-");

    return size == 0 || title[size] != ' ';
}

void first_append_title(struct text *line, const struct finding *finding)
{
    const char *title = finding->title.bytes;

    if (begins_with_name(title))
        text_append(line, title);
    else
        text_appendf(line, "%c%s", title[0] - 'a' + 'A', title + 1);
    if (finding->place.size > 0 && !strstr(title, finding->place.bytes))
        say_part(line, first_place_text, said_words(finding->place.bytes));
    text_append(line, ".");
}

static void add_finding(struct text_list *lines, const struct finding *finding, unsigned number,
                        double wall_ns)
{
    struct text line;

    text_init(&line);
    text_appendf(&line, "  %u. ", number);
    first_append_title(&line, finding);
    say_saving(&line, finding, wall_ns);
    if (finding->action.size > 0)
        finding_append_action(&line, finding);
    text_list_take(lines, &line);
}

/* Nobody joins a thread: its blocks leak, too, and are no finding of their own. */
static bool is_of_leak(enum finding_rule rule)
{
    return rule == FINDING_RULE_mem_leak || rule == FINDING_RULE_unjoined;
}

/* A leak saves no time, so it follows all that do; but it may end the program. */
static const struct finding *find_leak(const struct findings *findings)
{
    for (size_t i = 0; i < findings->found.count; i++)
        if (is_of_leak(findings_at(findings, i)->rule) &&
            finding_is_advice(findings_at(findings, i)))
            return findings_at(findings, i);
    return NULL;
}

bool first_advises_leak(const struct findings *findings)
{
    return find_leak(findings) != NULL;
}

/* Memory is another question than time: its first answer is there, however many save time. */
static const struct finding *find_risk(const struct findings *findings)
{
    const struct finding *risk = find_leak(findings);

    for (size_t i = 0; i < findings->found.count && !risk; i++) {
        const struct finding *finding = findings_at(findings, i);

        if (finding->gain == FINDING_RISKS && finding_is_advice(finding))
            risk = finding;
    }
    return risk;
}

/* Fill in the first findings with advice; one on memory is among them.  Returns: their number. */
static unsigned choose(const struct finding *chosen[ADVICE_SHOWN], const struct findings *findings)
{
    const struct finding *risk = find_risk(findings);
    unsigned count = 0;

    for (size_t i = 0; i < findings->found.count && count < ADVICE_SHOWN; i++) {
        const struct finding *finding = findings_at(findings, i);

        if (!finding_is_advice(finding))
            continue;
        risk = finding == risk ? NULL : risk;
        chosen[count++] = finding;
    }
    if (risk)
        chosen[count - 1] = risk;
    return count;
}

static double sum_savings(const struct overlap_row *rows, unsigned count)
{
    double ns = 0;

    for (unsigned i = 0; i < count; i++)
        ns += isnan(rows[i].finding->saved_ns) ? 0 : rows[i].finding->saved_ns;
    return ns;
}

/* The first answer on memory stays, too. */
static unsigned char rank_of(const struct finding *finding, unsigned place)
{
    static const unsigned char ranks[ADVICE_SHOWN] = {FIRST_STAYS, FIRST_ANSWER, FIRST_NOTE};

    return finding->gain == FINDING_RISKS && place > 0 ? FIRST_ANSWER : ranks[place];
}

/* Savings of the same time cannot be added up. */
static void add_findings(struct text_list *lines, const struct findings *findings)
{
    static const char *const numbers[ADVICE_SHOWN] = {"1", "2", "3"};
    const struct finding *chosen[ADVICE_SHOWN];
    struct overlap_row rows[ADVICE_SHOWN];
    unsigned shown = choose(chosen, findings);
    size_t said;

    for (unsigned i = 0; i < shown; i++) {
        rows[i] = (struct overlap_row){chosen[i], numbers[i]};
        add_finding(lines, chosen[i], i + 1, findings->wall_ns);
        text_list_rank(lines, text_list_count(lines) - 1, rank_of(chosen[i], i));
    }
    said = text_list_count(lines);
    overlaps_say(lines, &(struct overlap_rows){rows, shown, "  "});
    if (text_list_count(lines) == said && sum_savings(rows, shown) > findings->wall_ns)
        text_list_say(lines, first_overlap_text);
    text_list_rank(lines, said, FIRST_NOTE);
}

static void add_all(struct text_list *lines, const struct findings *findings)
{
    size_t said;

    findings_add_verdict(lines, findings, "  ");
    add_findings(lines, findings);
    said = text_list_count(lines);
    if (findings_judge(findings) != FINDINGS_NOTHING)
        findings_add_begin(lines, findings, "  ");
    text_list_rank(lines, said, FIRST_MAIN);
}

/* The process itself only waits for the others, unless something can be repaired in it. */
static void add_kin(struct text_list *lines, const struct report_sums *sums,
                    const struct analysis_kin *told, const struct report_sums *kin)
{
    bool has_advice = told->advice[0] ||
                      (told->is_busiest && findings_judge(&sums->findings) != FINDINGS_NOTHING);
    struct text line;

    if (findings_judge(&sums->findings) != FINDINGS_NOTHING)
        add_findings(lines, &sums->findings);
    text_init(&line);
    text_append(&line, "  ");
    if (told->is_busiest)
        say_part(&line, first_kin_text, said_count(told->count), said_time(told->cpu_ns),
                 said_time(told->run_ns));
    else if (told->copied_bytes > 0)
        say_part(&line, first_kin_copies_text, said_count(told->count));
    else
        say_part(&line, first_kin_heap_text, said_count(told->count), said_bytes(told->heap_bytes));
    if (told->advice[0])
        text_appendf(&line, " %s", told->advice);
    if (has_advice && findings_judge(&kin->findings) == FINDINGS_NOTHING) {
        text_list_take(lines, &line);
        return;
    }
    say(&line, first_kin_advice_text, said_words(told->trace), said_time(kin->findings.wall_ns));
    text_list_take(lines, &line);
    add_all(lines, &kin->findings);
}

void first_add_advice(struct document *document, const struct report_sums *sums,
                      const struct analysis_kin *told, const struct report_sums *kin)
{
    struct text_list *lines = document_add_lines(document, NULL);

    document_say_head(document, "tprof bottlenecks", first_advice_text,
                      said_time(sums->findings.wall_ns));
    if (told)
        add_kin(lines, sums, told, kin);
    else
        add_all(lines, &sums->findings);
}
