/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof incidents: the moments that met a condition of TPROF_KEEP, what ran then, and the
 * differences from a quiet stretch of the same length.
 *
 * The rows are the incidents; the second table has the conditions, and how often each was met.
 */
#include "alerts/alert_then.h"
#include "analysis/analysis.h"
#include "base/pool.h"
#include "document/document.h"
#include "incidents/differs.h"
#include "incidents/texts.h"
#include "model/session.h"
#include "model/session_incidents.h"
#include "model/session_process.h"
#include "model/session_unknown.h"

enum column_index {
    NUMBER,
    CAUSE,
    AT,
    FROM,
    TO,
    SUBJECT,
    VALUE_WORDS,
    LIMIT_WORDS,
    VALUE_NS,
    LIMIT_NS,
    VALUE_BYTES,
    LIMIT_BYTES,
    REGION,
    OP,
    PLACE,
    WAITING,
    DIFFERENT,
    QUIET_FROM,
    THREAD,
    KEPT,
    LOST,
    IS_WHOLE,
    COLUMNS
};

static const struct column columns[COLUMNS] = {
    [NUMBER] = {"incident", "incident", "its number, for --incident", UNIT_NUMBER, 0},
    [CAUSE] = {"cause", "cause", "the condition that it met", UNIT_TEXT, 0},
    [AT] = {"start_ns", "at",
            "when the request or step started, since the start; else when it "
            "was noticed",
            UNIT_NS, 0},
    [FROM] = {"from_ns", NULL, "start of its window", UNIT_NS, 0},
    [TO] = {"to_ns", NULL, "end of its window", UNIT_NS, 0},
    [SUBJECT] = {"subject", "what", "the endpoint, the region or the snapshot", UNIT_TEXT, 0},
    [VALUE_WORDS] = {"value_text", "value", "the value that met the condition", UNIT_TEXT, 0},
    [LIMIT_WORDS] = {"limit_text", "limit", "the limit of the condition", UNIT_TEXT, 3},
    [VALUE_NS] = {"value_ns", NULL, "the value of a request or a step", UNIT_NS, 0},
    [LIMIT_NS] = {"limit_ns", NULL, "the limit of that", UNIT_NS, 0},
    [VALUE_BYTES] = {"value_bytes", NULL, "the live heap", UNIT_BYTES, 0},
    [LIMIT_BYTES] = {"limit_bytes", NULL, "the limit of that", UNIT_BYTES, 0},
    [REGION] = {"region", "region", "that had most samples, or was open", UNIT_TEXT, 4},
    [OP] = {"op", "op", "of a framework, that had most samples", UNIT_TEXT, 4},
    [PLACE] = {"place", "where", "the line that had most samples", UNIT_PLACE, 2},
    [WAITING] = {"waiting", "waited for", "that threads waited for longest", UNIT_TEXT, 1},
    [DIFFERENT] = {"different", "different",
                   "from a quiet stretch of the same length: the waits "
                   "and the processor time that grew most",
                   UNIT_TEXT, 1},
    [QUIET_FROM] = {"quiet_from_ns", NULL, "start of that stretch", UNIT_NS, 0},
    [THREAD] = {"thread", NULL, "that noticed it", UNIT_NUMBER, 0},
    [KEPT] = {"kept_bytes", NULL, "of events that were not overwritten for it", UNIT_BYTES, 0},
    [LOST] = {"lost_bytes", NULL, "of its events that found no room", UNIT_BYTES, 0},
    [IS_WHOLE] = {"whole", NULL, "whether no events of its window were overwritten", UNIT_TEXT, 0},
};

static const struct table_schema schema = {"incidents", "Incidents", columns, COLUMNS, NULL};

enum condition_index {
    CONDITION,
    CONDITION_LIMIT_NS,
    CONDITION_LIMIT_BYTES,
    CONDITION_RATIO,
    MET,
    MADE,
    SOON,
    MANY,
    FULL,
    WORST_NS,
    WORST_BYTES,
    REASON,
    CONDITION_COLUMNS
};

static const struct column condition_columns[CONDITION_COLUMNS] = {
    [CONDITION] = {"condition", "condition", "its word", UNIT_TEXT, 0},
    [CONDITION_LIMIT_NS] = {"limit_ns", "limit", "of requests", UNIT_NS, 0},
    [CONDITION_LIMIT_BYTES] = {"limit_bytes", "heap limit", "of the live heap", UNIT_BYTES, 0},
    [CONDITION_RATIO] = {"limit_ratio", "of the mean", "of steps", UNIT_RATIO, 0},
    [MET] = {"met", "met", "times that it was met", UNIT_COUNT, 0},
    [MADE] = {"incidents", "incidents", "of these", UNIT_COUNT, 0},
    [SOON] = {"soon", "soon", "within 60 s of the last incident of the cause", UNIT_COUNT, 0},
    [MANY] = {"many", "many", "met when there were 16 incidents", UNIT_COUNT, 0},
    [FULL] = {"full", "full", "met when the events of incidents had no more room", UNIT_COUNT, 0},
    [WORST_NS] = {"worst_ns", "worst", "the longest that met it", UNIT_NS, 0},
    [WORST_BYTES] = {"worst_bytes", "worst heap", "the largest heap that met it", UNIT_BYTES, 0},
    [REASON] = {"reason", "reason", "why it cannot be met", UNIT_TEXT, 0},
};

static const struct table_schema condition_schema = {"conditions", "Conditions", condition_columns,
                                                     CONDITION_COLUMNS, NULL};

static const char *const cause_words[] = {
#define INCIDENT_CAUSE(cause, word, example, help) word,
#include "spec/incident_causes.def"
#undef INCIDENT_CAUSE
};

static const char *const obstacle_words[] = {
#define KEEP_OBSTACLE(obstacle, words) words,
#include "spec/keep_obstacles.def"
#undef KEEP_OBSTACLE
};

/* ---- incidents ------------------------------------------------------------------------- */

static bool is_whole(const struct session_incident *incident)
{
    return incident->raw.refused_bytes == 0 && incident->missing_ns <= incident->from_ns;
}

static void say_value(struct value *row, const struct session_incident *incident)
{
    struct text value, limit;

    text_init(&value);
    text_init(&limit);
    switch (incident->cause) {
    case TRACE_INCIDENT_REQUEST:
    case TRACE_INCIDENT_STEP:
        say(&value, incidents_value_text, said_time((double)incident->value_ns));
        say(&limit, incidents_limit_above_text, said_time((double)incident->limit_ns));
        break;
    case TRACE_INCIDENT_HEAP:
        say(&value, incidents_value_text, said_bytes((double)incident->raw.value));
        say(&limit, incidents_limit_above_text, said_bytes((double)incident->raw.limit));
        break;
    case TRACE_INCIDENT_SIGNAL:
    case TRACE_INCIDENT_SNAPSHOT:
    case TRACE_INCIDENT_CAUSES: break;
    }
    value_take_text(&row[VALUE_WORDS], &value);
    value_take_text(&row[LIMIT_WORDS], &limit);
}

static void set_numbers(struct value *row, const struct session_incident *incident)
{
    const struct trace_incident *raw = &incident->raw;

    value_set_known(&row[VALUE_NS], incident->value_ns);
    value_set_known(&row[LIMIT_NS], incident->limit_ns);
    if (incident->cause == TRACE_INCIDENT_HEAP) {
        value_set_unsigned(&row[VALUE_BYTES], raw->value);
        value_set_unsigned(&row[LIMIT_BYTES], raw->limit);
    }
    if (raw->thread != 0)
        value_set_unsigned(&row[THREAD], raw->thread);
    value_set_unsigned(&row[KEPT], raw->kept_bytes);
    value_set_unsigned(&row[LOST], raw->refused_bytes);
    value_set_bool(&row[IS_WHOLE], is_whole(incident));
}

static void set_then(struct value *row, const struct session *session, struct places *places,
                     const struct session_incident *incident)
{
    struct alert_then then;
    uint64_t end_ns = incident->end_ns > incident->start_ns ? incident->end_ns : incident->to_ns;
    uint64_t start_ns =
        incident->end_ns > incident->start_ns ? incident->start_ns : incident->from_ns;

    alert_then_find(&then, session, places, start_ns, end_ns);
    value_set_text(&row[REGION], then.region);
    value_set_text(&row[OP], then.op);
    value_take_text(&row[PLACE], &then.place);
    value_take_text(&row[WAITING], &then.waiting);
}

static void add_row(struct table *table, const struct session *session, struct places *places,
                    const struct session_incident *incident)
{
    struct value *row = table_add_row(table);
    uint64_t quiet_from_ns = SESSION_UNKNOWN;
    struct text different;

    value_set_unsigned(&row[NUMBER], incident->number);
    value_set_text(&row[CAUSE], cause_words[incident->cause]);
    value_set_unsigned(&row[AT], incident->start_ns);
    value_set_unsigned(&row[FROM], incident->from_ns);
    value_set_unsigned(&row[TO], incident->to_ns);
    value_set_text(&row[SUBJECT], incident->subject);
    say_value(row, incident);
    set_numbers(row, incident);
    set_then(row, session, places, incident);
    text_init(&different);
    differs_append(&different, &quiet_from_ns, session, incident);
    value_take_text(&row[DIFFERENT], &different);
    value_set_known(&row[QUIET_FROM], quiet_from_ns);
}

/* ---- conditions ------------------------------------------------------------------------ */

static uint64_t count_made(const struct trace_keep *raw)
{
    uint64_t refused = raw->soon + raw->many + raw->full;

    return raw->met > refused ? raw->met - refused : 0;
}

static void add_condition(struct table *table, const struct session_keep *keep)
{
    const struct trace_keep *raw = &keep->raw;
    struct value *row = table_add_row(table);

    value_set_text(&row[CONDITION], cause_words[raw->cause]);
    value_set_known(&row[CONDITION_LIMIT_NS], keep->limit_ns);
    if (raw->cause == TRACE_INCIDENT_HEAP && raw->limit > 0)
        value_set_unsigned(&row[CONDITION_LIMIT_BYTES], raw->limit);
    if (raw->cause == TRACE_INCIDENT_STEP)
        value_set_ratio(&row[CONDITION_RATIO], (long double)raw->limit, 100);
    value_set_unsigned(&row[MET], raw->met);
    value_set_unsigned(&row[MADE], count_made(raw));
    value_set_unsigned(&row[SOON], raw->soon);
    value_set_unsigned(&row[MANY], raw->many);
    value_set_unsigned(&row[FULL], raw->full);
    value_set_known(&row[WORST_NS], keep->worst_ns);
    if (raw->cause == TRACE_INCIDENT_HEAP && raw->worst > 0)
        value_set_unsigned(&row[WORST_BYTES], raw->worst);
    if (raw->obstacle != TRACE_KEEP_NONE)
        value_set_text(&row[REASON], obstacle_words[raw->obstacle]);
}

/* ---- notes ----------------------------------------------------------------------------- */

static void say_conditions(struct table *table, const struct session *session)
{
    const struct session_keep *keep = session->keeps.items;

    for (size_t i = 0; i < session->keeps.count; i++) {
        const struct trace_keep *raw = &keep[i].raw;
        uint64_t made = count_made(raw);

        if (raw->obstacle != TRACE_KEEP_NONE)
            table_say(table, incidents_unwatched_text, said_words(cause_words[raw->cause]),
                      said_words(obstacle_words[raw->obstacle]));
        if (raw->met > made)
            table_say(table, incidents_refused_text, said_count(raw->met),
                      said_words(cause_words[raw->cause]), said_count(made), said_count(raw->soon),
                      said_count(raw->many), said_count(raw->full));
    }
}

static void say_losses(struct table *table, const struct session_incident *incident)
{
    if (incident->missing_ns > incident->from_ns)
        table_say(table, incidents_missing_text, said_time((double)incident->missing_ns),
                  said_count(incident->number));
    if (incident->raw.refused_bytes > 0)
        table_say(table, incidents_lost_text, said_count(incident->number),
                  said_bytes((double)incident->raw.refused_bytes));
}

static void say_notes(struct table *table, const struct session *session)
{
    const struct session_incident *incident = session->incidents.items;

    if (session->keeps.count == 0)
        table_say(table, incidents_no_conditions_text);
    else if (session->incidents.count == 0)
        table_say(table, incidents_none_text, said_time((double)session->process.wall_ns));
    say_conditions(table, session);
    for (size_t i = 0; i < session->incidents.count; i++)
        say_losses(table, &incident[i]);
    if (session->incidents.count > 0)
        table_say(table, incidents_next_text, said_count(incident->number),
                  said_count(incident->number));
}

static void fill(struct table *table, const struct session *session,
                 const struct analysis_options *options)
{
    struct places *places = places_new(session, options->find_frames);

    table_init(table, &schema);
    for (size_t i = 0; i < session->incidents.count; i++)
        add_row(table, session, places, array_at(&session->incidents, i));
    say_notes(table, session);
}

static void build(const struct session *session, const struct analysis_options *options,
                  struct table *table)
{
    struct pool pool;

    pool_enter(&pool);
    fill(table, session, options);
    pool_leave(&pool);
}

static void compose(const struct session *session, const struct analysis_options *options,
                    struct document *document)
{
    struct table *conditions;
    struct pool pool;

    pool_enter(&pool);
    document_init(document);
    document->name = "incidents";
    document->main = "rows";
    fill(document_add_table(document, "rows", SECTION_IN_BOTH), session, options);
    conditions = document_start_table(document, "conditions", SECTION_IN_JSON, &condition_schema);
    for (size_t i = 0; i < session->keeps.count; i++)
        add_condition(conditions, array_at(&session->keeps, i));
    pool_leave(&pool);
}

static bool is_there(const struct session *session)
{
    return session->keeps.count > 0;
}

const struct analysis analysis_incidents = {
    .name = "incidents",
    .help = "Moments that met a condition of TPROF_KEEP: when, the value, what ran, what differed.",
    .is_there = is_there,
    .build = build,
    .compose = compose,
    .composed = 1 << ANALYSIS_BY_DEFAULT,
    .is_arranged = true,
};
