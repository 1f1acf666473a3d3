/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * PEAK-LINE: one line of the program holds most of the memory at its peak, and its text or its
 * chain tells a way with less.
 *
 * The whole is the heap at its peak, or what the program mapped at most, whichever is larger:
 * CPython maps the memory of its small objects.  The two peaks are at different times, so they are
 * not added.
 */
#include <string.h>

#include "cpu/own_lines.h"
#include "findings/context.h"
#include "findings/keepers.h"
#include "findings/line_phrases.h"
#include "findings/rows.h"
#include "findings/texts.h"
#include "heap/heap_leak.h"
#include "heap/leak_verdict.h"
#include "heap/memory_facts.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "places/places.h"
#include "places/source_text.h"

static const double least_bytes = 64.0 * 1024 * 1024; /* of the whole */
static const double least_of_resident = 0.3; /* the whole, of resident memory at its peak */
static const double least_share = 0.5;       /* the line, of the whole */

/* A line of the program, with its bytes at the peaks. */
struct holder {
    struct place line;
    double heap_bytes, mapped_bytes;
    uint64_t max_block;  /* its largest block */
    uint64_t most_bytes; /* of one of its sites, whose chain is most_call */
    uint32_t most_call;
};

/* The larger whole, and the line with most of it. */
struct peak_line {
    const struct holder *holder;
    double bytes;
    double whole_bytes;
    bool is_mapped;
};

/* A constructor that the compiler wrote has no line: the one that calls it counts. */
static struct holder *find_holder(struct array *holders, const struct session *session,
                                  struct places *places, uint32_t call)
{
    const struct place *line;
    struct place owner;

    if (places_find_owner_of(places, call, &owner) && owner.file)
        return places_find_row(holders, &owner);
    line = own_lines_find(session, places, call);
    return line ? places_find_row(holders, line) : NULL;
}

/* A mapping larger than resident memory ever was is addresses: an allocator uses a part. */
static bool is_memory(const struct session_mapping *mapping, const struct session *session)
{
    return mapping->peak_bytes > 0 && mapping->file_bytes + mapping->reserved_bytes == 0 &&
           mapping->peak_bytes <= session->process.last.peak_rss_bytes;
}

/* Returns: what the program mapped at most, without files. */
static double add_mappings(struct array *holders, struct places *places,
                           const struct session *session)
{
    double whole = 0;

    for (size_t i = 0; i < session->mappings.count; i++) {
        const struct session_mapping *mapping = array_at(&session->mappings, i);
        struct holder *holder;

        if (!is_memory(mapping, session))
            continue;
        whole += (double)mapping->peak_bytes;
        holder = find_holder(holders, session, places, mapping->call);
        if (holder)
            holder->mapped_bytes += (double)mapping->peak_bytes;
    }
    return whole;
}

static void add_sites(struct array *holders, struct places *places, const struct session *session)
{
    for (size_t i = 0; i < session->sites.count; i++) {
        const struct session_site *site = session_site_at(session, i);
        struct holder *holder =
            site->peak_bytes > 0 ? find_holder(holders, session, places, site->call) : NULL;

        if (!holder)
            continue;
        holder->heap_bytes += (double)site->peak_bytes;
        if (site->max_size > holder->max_block)
            holder->max_block = site->max_size;
        if (site->peak_bytes > holder->most_bytes) {
            holder->most_bytes = site->peak_bytes;
            holder->most_call = site->call;
        }
    }
}

static struct peak_line find_most(const struct array *holders, double whole, bool is_mapped)
{
    struct peak_line most = {.whole_bytes = whole, .is_mapped = is_mapped};

    for (size_t i = 0; i < holders->count; i++) {
        const struct holder *holder = array_at(holders, i);
        double bytes = is_mapped ? holder->mapped_bytes : holder->heap_bytes;

        if (bytes <= most.bytes)
            continue;
        most.bytes = bytes;
        most.holder = holder;
    }
    return most;
}

/* A vector has one large block; what its elements hold is not its own. */
static const uint64_t least_block = 1 << 20;

/* Parts of names of functions on the way to malloc. */
static const struct {
    const char *part, *advice;
} makers[] = {
    {"::_M_initialize_map(", "memory_deques"},
    {"deflateInit", "memory_deflate"},
    {"ZSTD_", "memory_zstd"},
    {"google::protobuf::MessageLite::", "memory_messages"},
    {"xmlReadFile", "memory_tree"},
    {"xmlReadMemory", "memory_tree"},
    {"xmlReadDoc", "memory_tree"},
    {"xmlReadFd", "memory_tree"},
    {"xmlReadIO", "memory_tree"},
    {"xmlParseFile", "memory_tree"},
    {"xmlParseMemory", "memory_tree"},
    {"htmlReadFile", "memory_tree"},
    {"htmlReadMemory", "memory_tree"},
    {"pugi::xml_document::load", "memory_tree"},
    {"tinyxml2::XMLDocument::", "memory_tree"},
    {"property_tree::xml_parser::", "memory_tree"},
    {"property_tree::json_parser::", "memory_json_tree"},
    {"json_load", "memory_json_tree"},
    {"cJSON_Parse", "memory_json_tree"},
    {"json_tokener_parse", "memory_json_tree"},
    {"json_object_from_file", "memory_json_tree"},
    {"json_parser_load_from_", "memory_json_tree"},
    {"rapidjson::GenericDocument", "memory_json_tree"},
    {"nlohmann::", "memory_json_tree"},
    {"YAML::Load", "memory_json_tree"},
    /* Libraries have these inside. */
    {"std::_Rb_tree<", "memory_nodes"},
    {"std::_Hashtable<", "memory_nodes"},
    {"std::__cxx11::list<", "memory_nodes"},
};

static const char *find_advice_on_chain(struct places *places, uint32_t call)
{
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
        if (places_have_name(places, call, makers[i].part))
            return makers[i].advice;
    return NULL;
}

static const char *find_advice(const struct session *session, struct places *places,
                               const struct holder *holder)
{
    bool is_python = holder->line.function->is_python;
    struct source_text source;
    struct text line;
    const char *advice = NULL;

    source_text_init(&source, session);
    text_init(&line);
    source_text_append(&source, &line, holder->line.file, holder->line.line);
    if (line.size > 0 && (is_python || holder->max_block >= least_block))
        advice = line_phrases_find_memory_advice(line.bytes, is_python);
    text_fini(&line);
    return advice || is_python ? advice : find_advice_on_chain(places, holder->most_call);
}

/* A way with less memory: a row of advice, or words. */
struct way {
    const char *advice; /* NULL: there is none */
    struct text words;  /* what to do, if the advice does not say */
};

static void add(const struct findings_context *context, struct findings *findings,
                const struct peak_line *most, const struct way *way)
{
    const struct session *session = context->session;
    struct finding *finding = findings_add_doubt(findings, false, FINDING_CONFIDENCE_MEDIUM);

    place_append_short(&finding->place, &most->holder->line);
    say(&finding->title, most->is_mapped ? peak_line_mapped_title_text : peak_line_title_text,
        said_words(finding->place.bytes), said_bytes(most->bytes),
        said_share(most->bytes / most->whole_bytes));
    text_append(&finding->action, way->words.bytes);
    if (way->words.size > 0)
        text_clear(&finding->why);
    finding_advise(finding, way->advice);
    say(&finding->evidence, peak_line_resident_text,
        said_bytes((double)session->process.last.peak_rss_bytes));
    finding_add_number(finding, "bytes", most->bytes);
    finding_add_number(finding, "whole_bytes", most->whole_bytes);
}

/* Documents that became more and more, and were freed before the end.  `action` gets the line that
 * may keep them.  Returns: whether there is one. */
static bool keeps_documents(struct text *action, const struct findings_context *context,
                            struct places *places, const struct peak_line *most)
{
    const struct keepers_site site = {&most->holder->line, most->holder->most_call};
    struct leak_judgement judgement;

    if (most->is_mapped || !most->holder->line.function->is_python ||
        !keepers_append_documents(action, context->session, places, &site))
        return false;
    heap_leak_judge(&judgement, context->session, &context->options);
    return judgement.growth_bytes >= least_share * most->whole_bytes;
}

/* What a line leaks is its peak, too, and no way to make it with less helps. */
static bool is_leak(const struct findings *findings, const struct place *line)
{
    struct text place;
    bool is = false;

    text_init(&place);
    place_append_short(&place, line);
    for (size_t i = 0; i < findings->found.count; i++) {
        const struct finding *finding = findings_at(findings, i);

        is |= finding->rule == FINDING_RULE_mem_leak &&
              strcmp(finding->place.bytes, place.bytes) == 0;
    }
    text_fini(&place);
    return is;
}

static bool is_much(const struct session *session, const struct peak_line *most)
{
    double resident = (double)session->process.last.peak_rss_bytes;

    return most->holder && most->whole_bytes >= least_bytes &&
           most->whole_bytes >= least_of_resident * resident &&
           most->bytes >= least_share * most->whole_bytes;
}

/* Returns: whether there is one. */
static bool find_way(struct way *way, const struct findings_context *context, struct places *places,
                     const struct peak_line *most)
{
    if (!is_much(context->session, most))
        return false;
    way->advice = find_advice(context->session, places, most->holder);
    if (!way->advice && keeps_documents(&way->words, context, places, most))
        way->advice = "memory_documents";
    return way->advice != NULL;
}

static void judge(const struct findings_context *context, struct findings *findings,
                  struct places *places, const struct peak_line *most)
{
    struct way way = {.advice = NULL};

    text_init(&way.words);
    if (!find_way(&way, context, places, most))
        findings_pass(findings, peak_line_passed_text, said_bytes(most->whole_bytes));
    else if (is_leak(findings, &most->holder->line))
        findings_pass(findings, peak_line_leaks_text);
    else
        add(context, findings, most, &way);
    text_fini(&way.words);
}

void rule_peak_line(const struct findings_context *context, struct findings *findings)
{
    const struct session *session = context->session;
    struct places *places = places_new(session, context->options.find_frames);
    struct peak_line heap, mapped;
    struct array holders;
    double mapped_bytes;

    if (!memory_is_known(&session->heap)) {
        findings_skip(findings, memory_unknown_sentence(),
                      said_words(memory_why_unknown(&session->heap)));
        return;
    }
    array_init(&holders, sizeof(struct holder));
    add_sites(&holders, places, session);
    mapped_bytes = add_mappings(&holders, places, session);
    heap = find_most(&holders, (double)session->heap.peak_bytes, false);
    mapped = find_most(&holders, mapped_bytes, true);
    judge(context, findings, places, mapped.whole_bytes > heap.whole_bytes ? &mapped : &heap);
}
