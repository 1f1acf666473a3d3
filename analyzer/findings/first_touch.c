/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory that is touched for the first time: FAULT.
 */
#include <math.h>
#include <string.h>

#include "findings/page_faults.h"
#include "findings/texts.h"
#include "heap/memory_facts.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_process.h"

static const double least_share = 0.03; /* share of the wall time */
static const double least_advice = 0.15; /* each program touches its memory once */
static const double heap_share = 0.5;   /* share of the resident memory: below this, malloc owns
                                           little */

/* Settings of malloc change nothing for a runtime that maps its heap itself. */
static bool is_of_malloc(const struct session *session)
{
    const struct session_heap *heap = &session->heap;
    double resident =
        page_faults_needed_pages(&session->process) * page_faults_page_bytes(&session->process);

    return !memory_is_known(heap) || (double)heap->peak_bytes >= heap_share * resident;
}

enum { MAPPED_BIN = 17, HUGE_BIN = 21 }; /* the bins of sizes from 128 KiB and from 2 MiB on */

/* malloc maps each block from 128 KiB on by itself, where one below 2 MiB has no larger page. */
static bool are_mapped_apart(const struct session_heap *heap)
{
    double apart = 0, all = 0;

    for (size_t i = 0; i < SESSION_BINS; i++) {
        double bytes = (double)heap->sizes.bytes[i];

        all += bytes;
        apart += i >= MAPPED_BIN && i < HUGE_BIN ? bytes : 0;
    }
    return apart > all / 2;
}

static const struct said *find_setting(const struct session *session)
{
    if (!is_of_malloc(session))
        return &fault_mapped_text;
    return are_mapped_apart(&session->heap) ? &fault_apart_text : &fault_malloc_text;
}

/* The trace notes whether the kernel gives larger pages to all programs, some or none. */
static void say_action(struct text *action, const struct findings_context *context)
{
    const char *given = context->session->process.conditions[TRACE_CONDITION_THP];

    say(action, fault_larger_pages_text);
    if (!given || strcmp(given, "never") == 0)
        say(action, fault_enable_text);
    say(action, *find_setting(context->session));
    say(action, fault_once_text);
}

/* Larger pages are filled with zeros, too, so at most the rest of a fault is saved. */
static double without_faults_ns(const struct page_faults *of)
{
    return fmax(0, of->needed_ns * (1 - of->filling_ns / (of->needed * of->each_ns)));
}

/* If the host must provide the memory, larger pages may take it longer than small faults did: in a
 * virtual machine, 512 MiB took 1.0 s in pages of 2 MiB and 0.3 s in pages of 4 KiB. */
static bool is_virtual(const struct findings_context *context)
{
    const char *said = context->session->process.conditions[TRACE_CONDITION_HYPERVISOR];

    return said && strcmp(said, "yes") == 0;
}

static void add_fault(const struct findings_context *context, struct findings *findings,
                      const struct page_faults *of)
{
    double confidence = is_virtual(context) ? FINDING_CONFIDENCE_LIMIT : FINDING_CONFIDENCE_LOW;
    struct finding *finding = findings_add(
        findings, &(struct finding_claim){of->needed_ns, without_faults_ns(of), confidence});

    if (of->needed_ns < least_advice * context->wall.ns)
        finding_weaken(finding, FINDING_POINTS);
    say(&finding->title, of->is_bounded ? fault_title_at_most_text : fault_title_text,
        said_share(finding->fraction));
    say(&finding->evidence, of->is_bounded ? fault_faults_at_most_text : fault_faults_text,
        said_count((uint64_t)of->needed), said_time(of->each_ns));
    say(&finding->evidence, fault_major_text, said_count((uint64_t)of->major));
    page_faults_say_place(&finding->evidence, context);
    page_faults_say_other(&finding->evidence, context, of);
    say_action(&finding->action, context);
    if (is_virtual(context))
        say(&finding->refute, fault_virtual_text);
    say(&finding->limit, fault_limit_text);
    finding_add_number(finding, "needed_faults", of->needed);
    finding_add_number(finding, "major_faults", of->major);
}

static void pass_fault(const struct findings_context *context, struct findings *findings,
                       const struct page_faults *of)
{
    struct text *note = findings_pass(
        findings, of->is_bounded ? fault_passed_at_most_text : fault_passed_text,
        said_count((uint64_t)of->needed), said_share(of->needed_ns / context->wall.ns));

    say(note, fault_major_text, said_count((uint64_t)of->major));
    page_faults_say_other(note, context, of);
}

void rule_fault(const struct findings_context *context, struct findings *findings)
{
    struct page_faults of = page_faults_find(context);

    if (of.unknown)
        findings_skip(findings, *of.unknown);
    else if (of.needed_ns >= least_share * context->wall.ns)
        add_fault(context, findings, &of);
    else
        pass_fault(context, findings, &of);
}
