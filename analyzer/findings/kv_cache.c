/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KV-CACHE: tensors that grow with each call of a model, and are freed at the end of a sequence.
 */
#include "findings/context.h"
#include "findings/finding.h"
#include "findings/ops_meant.h"
#include "findings/texts.h"
#include "heap/memory_facts.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_growth.h"
#include "model/session_layers.h"

static const double least_bytes = 1 << 16; /* grown in a sequence: less is not worth a change */

enum { TOKENS = 1000 }; /* an example of a long sequence, next to the trace's own */

/* All that grows in a sequence. */
struct cache {
    double step_bytes;
    uint64_t steps;     /* steps of the longest sequence */
    uint64_t sequences; /* sequences of the place that has the most */
    size_t places;
    const struct session_growth *most; /* the growth with the most bytes a step; NULL: nothing
                                          grows */
};

static double bytes_of(const struct session_growth *growth)
{
    return (double)growth->step_bytes * (double)growth->steps;
}

/* Growth that is freed only once, at the program's end, may as well be a leak. */
static bool is_cache(const struct session_growth *growth, const struct memory_teardown *fall)
{
    return growth->sequences > 1 || !fall || growth->freed_ns < fall->from_ns;
}

static struct cache sum_growths(const struct session *session, places_finder find)
{
    const struct session_growth *growth = session->growths.items;
    struct cache cache = {.step_bytes = 0};
    struct memory_teardown fall;
    bool has_fall = memory_find_fall(&fall, session, find);

    for (size_t i = 0; i < session->growths.count; i++) {
        if (!is_cache(&growth[i], has_fall ? &fall : NULL))
            continue;
        cache.step_bytes += (double)growth[i].step_bytes;
        cache.places++;
        if (!cache.most || bytes_of(&growth[i]) > bytes_of(cache.most))
            cache.most = &growth[i];
    }
    if (cache.most) {
        cache.steps = cache.most->steps;
        cache.sequences = cache.most->sequences;
    }
    return cache;
}

static void say_place(struct finding *finding, const struct session *session, uint32_t index)
{
    const struct session_op *op = session_op_at(session, index);
    struct text module;

    ops_append_line(&finding->place, session, index);
    text_init(&module);
    if (op->layer != 0)
        session_append_layer(&module, session, op->layer);
    if (module.size > 0)
        say(&finding->evidence, kv_cache_module_text, said_words(op->name),
            said_words(module.bytes));
    else
        say(&finding->evidence, act_kept_most_text, said_words(op->name));
    if (finding->place.size > 0)
        say(&finding->evidence, act_kept_at_text, said_words(finding->place.bytes));
}

static void claim(const struct session *session, struct findings *findings,
                  const struct cache *cache)
{
    struct finding *finding = findings_add_doubt(findings, false, FINDING_CONFIDENCE_HIGH);
    double grown = cache->step_bytes * (double)cache->steps;

    say(&finding->title, kv_cache_title_text, said_bytes(cache->step_bytes));
    say(&finding->evidence, kv_cache_grown_text, said_bytes(grown), said_count(cache->steps),
        said_count(cache->sequences));
    say_place(finding, session, cache->most->op);
    say(&finding->evidence, kv_cache_tokens_text, said_count(TOKENS),
        said_bytes(cache->step_bytes * TOKENS));
    finding_add_number(finding, "token_bytes", cache->step_bytes);
    finding_add_number(finding, "tokens", (double)cache->steps);
    finding_add_number(finding, "cache_bytes", grown);
    finding_add_number(finding, "sequences", (double)cache->sequences);
}

void rule_kv_cache(const struct findings_context *context, struct findings *findings)
{
    const struct session_heap *heap = &context->session->heap;
    struct cache cache;

    if (!ops_are_known(context, findings))
        return;
    if (!memory_is_known(heap)) {
        findings_skip(findings, memory_unknown_sentence(), said_words(memory_why_unknown(heap)));
        return;
    }
    cache = sum_growths(context->session, context->options.find_frames);
    if (cache.most && cache.step_bytes * (double)cache.steps >= least_bytes)
        claim(context->session, findings, &cache);
    else
        findings_pass(findings, kv_cache_passed_text);
}
