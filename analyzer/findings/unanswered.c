/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * UNANSWERED: the main thread asks others over sockets, some do not answer, and it waits until its
 * timeout.
 */
#include <math.h>

#include "findings/context.h"
#include "findings/own_place.h"
#include "findings/texts.h"
#include "model/session.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"
#include "waits/answers.h"
#include "waits/wait_split.h"

static const double least_share = 0.1;    /* of the wall time */
static const double least_call_ns = 300e6; /* shorter timeouts pace a loop */

struct unanswered {
    double ns;
    uint64_t calls;
    uint64_t sends; /* on sockets that the process connected, or did not bind */
    uint64_t receives;
    const struct session_wait *most;
    double most_ns;
};

static bool is_meant(const struct session_wait_call *call, const struct session_wait *wait,
                     uint32_t thread)
{
    return call->is_in_vain && wait->thread == thread && wait_is_poll(wait) &&
           (double)(call->end_ns - call->start_ns) >= least_call_ns;
}

static void gather(struct unanswered *of, const struct session *session)
{
    uint32_t thread = wait_main_thread(session);

    *of = (struct unanswered){.most = NULL};
    for (size_t i = 0; i < session->wait_calls.count; i++) {
        const struct session_wait_call *call = session_wait_call_at(session, i);
        const struct session_wait *wait = session_wait_at(session, call->wait);
        double ns = (double)(call->end_ns - call->start_ns);

        if (!is_meant(call, wait, thread))
            continue;
        of->ns += ns;
        of->calls++;
        if (wait->chain != SESSION_NONE && ns > of->most_ns) {
            of->most = wait;
            of->most_ns = ns;
        }
    }
    for (size_t i = 0; i < session->waits.count; i++) {
        const struct session_wait *wait = session_wait_at(session, i);

        if (wait->thread == thread && wait_is_client(wait) && session_wait_is_network(wait) &&
            wait->has_bytes)
            *(wait->is_input ? &of->receives : &of->sends) += wait->calls;
    }
}

/* A thread that only sends wants no answers. */
static bool lacks_answers(const struct unanswered *of)
{
    return of->receives > 0 && of->receives < of->sends;
}

void rule_unanswered(const struct findings_context *context, struct findings *findings)
{
    struct unanswered of;
    struct finding *finding;

    if (context->session->waits.count == 0) {
        findings_skip(findings, waits_none_text);
        return;
    }
    gather(&of, context->session);
    if (findings_is_server(context) || !of.most || !lacks_answers(&of) ||
        of.ns < least_share * context->wall.ns) {
        findings_pass(findings, unanswered_passed_text, said_count(of.calls), said_time(of.ns));
        return;
    }
    finding = findings_add_waiting(
        findings, &(struct finding_claim){of.ns, of.ns, FINDING_CONFIDENCE_MEDIUM}, 0);
    own_place_append(&finding->place, places_new(context->session, context->options.find_frames),
                     context->session, of.most->chain);
    say(&finding->title, unanswered_title_text, said_share(fmin(1, of.ns / context->wall.ns)));
    say(&finding->evidence, unanswered_calls_text, said_words(of.most->function),
        said_count(of.calls), said_time(of.ns / (double)of.calls));
    say(&finding->evidence, unanswered_answers_text, said_count(of.sends),
        said_count(of.receives));
    finding_add_number(finding, "waiting_ns", of.ns);
}
