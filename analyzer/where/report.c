/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Looks as a document.
 */
#include "where/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "document/fields.h"
#include "model/python.h"
#include "places/place_rows.h"
#include "places/short_name.h"
#include "where/calls.h"
#include "where/look.h"
#include "where/stacks.h"
#include "where/subject.h"
#include "where/texts.h"

enum { CALLS_SHOWN = 24, NAMES_SHOWN = 4, COMMAND_SHOWN = 100 };

/* ---- the head -------------------------------------------------------------------- */

static const struct column people_columns[] = {
    {"process", "Process", "what was looked at", UNIT_TEXT, 0},
    {"looked", "Looked at", "how many threads, how often", UNIT_TEXT, 0},
    {"stops", "Stopped", "for how long", UNIT_TEXT, 0},
};

struct stops {
    uint64_t *ns; /* length of each stop, sorted */
    size_t count;
};

static int compare_ns(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

    return (a > b) - (a < b);
}

static void find_stops(struct stops *stops, const struct looks *looks)
{
    const struct look_row *rows = looks->rows.items;

    *stops = (struct stops){.ns = memory_get_zeros(looks->rows.count + 1, sizeof *stops->ns)};
    for (size_t i = 0; i < looks->rows.count; i++)
        if (rows[i].is_stopped)
            stops->ns[stops->count++] = rows[i].stopped_ns;
    qsort(stops->ns, stops->count, sizeof *stops->ns, compare_ns);
}

static void put_stop(struct record *record, const char *key, const struct stops *stops,
                     size_t index)
{
    if (stops->count > 0)
        fields_put_count(record, key, UNIT_NS, stops->ns[index]);
    else
        fields_put_null(record, key);
}

static int compare_tids(const void *left, const void *right)
{
    pid_t a = *(const pid_t *)left, b = *(const pid_t *)right;

    return (a > b) - (a < b);
}

/* Count the threads that were seen in any look. */
static uint64_t count_threads(const struct looks *looks)
{
    const struct look_row *rows = looks->rows.items;
    size_t count = looks->rows.count;
    pid_t *tids = memory_get_zeros(count + 1, sizeof *tids);
    uint64_t different = 0;

    for (size_t i = 0; i < count; i++)
        tids[i] = rows[i].task.tid;
    qsort(tids, count, sizeof *tids, compare_tids);
    for (size_t i = 0; i < count; i++)
        different += i == 0 || tids[i] != tids[i - 1];
    free(tids);
    return different;
}

static void add_head(struct document *document, const struct looks *looks,
                     const struct subject *subject, const struct look_options *options,
                     const struct stops *stops)
{
    struct record *fields = document_add_record(document, "process", NULL, SECTION_IN_JSON);

    fields_put_count(fields, "pid", UNIT_NUMBER, (uint64_t)subject->pid);
    fields_put_text(fields, "name", subject->name);
    fields_put_text(fields, "command", subject->command[0] ? subject->command : NULL);
    fields_put_count(fields, "threads", UNIT_COUNT, count_threads(looks));
    fields_put_count(fields, "looks", UNIT_COUNT, looks->taken);
    if (options->count > 1)
        fields_put_count(fields, "interval_ns", UNIT_NS, options->interval_ns);
    else
        fields_put_null(fields, "interval_ns");
    fields_put_count(fields, "sights", UNIT_COUNT, looks->rows.count);
    fields_put_count(fields, "stopped", UNIT_COUNT, stops->count);
    put_stop(fields, "median_stopped_ns", stops, stops->count / 2);
    put_stop(fields, "longest_stopped_ns", stops, stops->count - 1);
    fields_put_count(fields, "threads_gone", UNIT_COUNT, looks->gone);
    fields_put_count(fields, "threads_busy", UNIT_COUNT, looks->busy);
    fields_put_bool(fields, "ended", looks->has_ended);
}

/* A command may be a whole program of Python. */
static void say_process(struct text *line, const struct subject *subject)
{
    char number[16], command[COMMAND_SHOWN + 4];
    const char *whole = subject->command[0] ? subject->command : subject->name;
    size_t size = utf8_cut(whole, COMMAND_SHOWN);

    snprintf(number, sizeof number, "%d", (int)subject->pid);
    snprintf(command, sizeof command, "%.*s%s", (int)size, whole, whole[size] ? "..." : "");
    for (char *at = command; *at; at++)
        if (*at == '\n' || *at == '\t')
            *at = ' ';
    say(line, where_program_text, said_words(command), said_words(number));
}

static void say_looks(struct text *line, const struct looks *looks)
{
    say(line, where_looks_text, said_count(count_threads(looks)), said_count(looks->taken));
    if (looks->taken > 1)
        say_part(line, where_looks_time_text, said_time((double)looks->taken_ns));
}

static void say_stops(struct text *line, const struct looks *looks, const struct stops *stops)
{
    if (stops->count == 0)
        say(line, where_stopped_none_text);
    else
        say(line, where_stopped_text, said_count(stops->count), said_count(looks->rows.count),
            said_time((double)stops->ns[stops->count / 2]),
            said_time((double)stops->ns[stops->count - 1]));
}

static void add_people(struct document *document, const struct looks *looks,
                       const struct subject *subject, const struct stops *stops)
{
    struct record *record = document_add_record(document, "people", NULL, SECTION_IN_TEXT);
    struct text line;

    text_init(&line);
    say_process(&line, subject);
    record_add_line(record, &people_columns[0], &line);
    say_looks(&line, looks);
    record_add_line(record, &people_columns[1], &line);
    say_stops(&line, looks, stops);
    record_add_line(record, &people_columns[2], &line);
    text_fini(&line);
}

/* ---- stacks ---------------------------------------------------------------------- */

enum stack_column {
    STACK_NUMBER,
    STACK_SHARE,
    STACK_SEEN,
    STACK_THREADS,
    STACK_STATE,
    STACK_CALL,
    STACK_TARGET,
    STACK_DOING,
    STACK_NAMES,
    STACK_WHOLE,
    STACK_ROWS,
    STACK_COLUMNS
};

/* Shares of a single look are not shown. */
#define STACK_COLUMNS_WITH(share_title)                                                            \
    {                                                                                              \
        [STACK_SHARE] = {"share", share_title, "of all samples", UNIT_FRACTION, 0},                \
        [STACK_THREADS] = {"threads", "threads", "different threads", UNIT_COUNT, 0},              \
        [STACK_STATE] = {"state", "state", "running, waiting, blocked, stopped or traced",         \
                         UNIT_TEXT, 0},                                                            \
        [STACK_DOING] = {"doing", "in", "the call and what it waits for", UNIT_TEXT, 0},           \
        [STACK_NAMES] = {"names", "names", "of the threads", UNIT_TEXT, 1},                        \
        [STACK_NUMBER] = {"stack", NULL, "number, which threads name", UNIT_NUMBER, 0},            \
        [STACK_SEEN] = {"seen", NULL, "samples: threads times looks", UNIT_COUNT, 0},              \
        [STACK_CALL] = {"system_call", NULL, "in which they wait", UNIT_TEXT, 0},                  \
        [STACK_TARGET] = {"target", NULL, "file or socket of that call, of all", UNIT_TEXT, 0},    \
        [STACK_WHOLE] = {"is_whole", NULL, "up to where the thread began", UNIT_BOOL, 0},          \
        [STACK_ROWS] = {"calls", NULL, "the calls, innermost first", UNIT_ROWS, 0},                \
    }

static const struct column one_look_columns[STACK_COLUMNS] = STACK_COLUMNS_WITH(NULL);
static const struct column stack_columns[STACK_COLUMNS] = STACK_COLUMNS_WITH("share");

static const struct table_schema one_look_schema = {"stacks", "What the threads do",
                                                    one_look_columns, STACK_COLUMNS, NULL};
static const struct table_schema stack_schema = {"stacks", "What the threads do", stack_columns,
                                                 STACK_COLUMNS, NULL};

enum call_column { CALL_INLINED = PLACE_COLUMNS, CALL_COLUMNS };

static const struct column call_columns[CALL_COLUMNS] = {
    PLACE_ROWS(0, "function and location"),
    [CALL_INLINED] = {"inlined", NULL, "into its caller", UNIT_BOOL, 0},
};

static const struct table_schema call_schema = {"calls", NULL, call_columns, CALL_COLUMNS, NULL};

static const struct said *end_words(enum unwind_end end)
{
    switch (end) {
    case UNWIND_WHOLE: return NULL;
    case UNWIND_BEYOND: return &where_beyond_text;
    case UNWIND_REGISTER: return &where_register_text;
    case UNWIND_RULES: return &where_rules_text;
    case UNWIND_DEEP: return &where_deep_text;
    case UNWIND_ENDS: return &where_unseen_text;
    }
    return NULL;
}

static void add_call(struct table *table, const struct place *place)
{
    struct value *row = table_add_row(table);

    value_set_bool(&row[CALL_INLINED], place->is_inlined);
    place_rows_set(row, place);
    value_fini(&row[PLACE_TEXT]);
    place_rows_set_words(&row[PLACE_TEXT], place, place_append_short);
}

/* Adds the words for unknown calls. */
static void add_end(struct table *table, enum unwind_end end)
{
    const struct said *words = end_words(end);
    struct value *row = words ? table_add_row(table) : NULL;

    if (!words)
        return;
    value_set_text(&row[PLACE_TEXT], words->words);
}

static void set_calls(struct value *value, const struct stack *stack)
{
    struct table *table = value_set_table(value, &call_schema);

    for (size_t i = 0; i < stack->places.count; i++)
        add_call(table, array_at(&stack->places, i));
    add_end(table, stack->end);
    table->shown_count = CALLS_SHOWN;
}

/* How many threads have a name. */
struct name_count {
    const char *name;
    size_t count;
};

/* Returns: how many different names there are; `counts`, with room for each thread, gets them. */
static size_t count_names(const struct stack *stack, struct name_count *counts)
{
    const struct stack_thread *threads = stack->threads.items;
    size_t used = 0;

    for (size_t i = 0; i < stack->threads.count; i++) {
        size_t j = 0;

        while (j < used && strcmp(counts[j].name, threads[i].name) != 0)
            j++;
        if (j == used)
            counts[used++] = (struct name_count){threads[i].name, 0};
        counts[j].count++;
    }
    return used;
}

/* "main, worker ×8, io and 3 more". */
static void set_names(struct value *value, const struct stack *stack)
{
    struct name_count *counts = memory_get_zeros(stack->threads.count + 1, sizeof *counts);
    struct text names;

    text_init(&names);
    size_t used = count_names(stack, counts);
    for (size_t i = 0; i < used && i < NAMES_SHOWN; i++) {
        text_appendf(&names, "%s%s", i ? ", " : "", counts[i].name);
        if (counts[i].count > 1)
            text_appendf(&names, " (%zu)", counts[i].count);
    }
    if (used > NAMES_SHOWN)
        text_appendf(&names, " and %zu more", used - NAMES_SHOWN);
    free(counts);
    value_take_text(value, &names);
}

static void say_waiting(struct text *line, const struct task *task)
{
    const char *waits_for = calls_find_wait(task->call).waits_for;

    if (!task->call && task->function[0])
        say(line, where_in_linux_text, said_words(task->function));
    else if (task->call && task->target[0])
        say(line, where_on_file_text, said_words(task->call), said_words(task->target));
    else if (task->call && waits_for)
        say(line, where_waits_for_text, said_words(task->call), said_words(waits_for));
    else if (task->call)
        say(line, said_words(task->call));
}

static void set_doing(struct value *value, const struct stack *stack)
{
    const struct task *task = &stack->task;
    struct text line;

    text_init(&line);
    if (task->state != TASK_RUNNING)
        say_waiting(&line, task);
    else if (stack->seen == 1 && task->processor >= 0)
        say(&line, where_processor_text, said_count((uint64_t)task->processor));
    value_take_text(value, &line);
}

static void fill_stack(struct value *row, const struct stack *stack, uint64_t sights)
{
    const struct task *task = &stack->task;

    value_set_text(&row[STACK_STATE], task_state_word(task->state));
    value_set_integer(&row[STACK_NUMBER], stack->index);
    value_set_ratio(&row[STACK_SHARE], (long double)stack->seen, (long double)sights);
    value_set_unsigned(&row[STACK_SEEN], stack->seen);
    value_set_unsigned(&row[STACK_THREADS], stack->threads.count);
    value_set_bool(&row[STACK_WHOLE], stack->end == UNWIND_WHOLE);
    value_set_text(&row[STACK_CALL], task->call);
    value_set_text(&row[STACK_TARGET], task->target[0] ? task->target : NULL);
    set_doing(&row[STACK_DOING], stack);
    set_names(&row[STACK_NAMES], stack);
    set_calls(&row[STACK_ROWS], stack);
}

static void say_count(struct table *table, const struct said *sentence, uint64_t count)
{
    if (count)
        table_say(table, *sentence, said_count(count));
}

/* Count threads whose calls a stop would have shown. */
static uint64_t count_careful(const struct stacks *stacks)
{
    uint64_t count = 0;

    for (size_t i = 0; i < stacks_count(stacks); i++)
        if (stacks_at(stacks, i)->end == UNWIND_REGISTER)
            count += stacks_at(stacks, i)->threads.count;
    return count;
}

static size_t find_deepest(const struct stacks *stacks)
{
    size_t deepest = 0;

    for (size_t i = 0; i < stacks_count(stacks); i++)
        if (stacks_at(stacks, i)->places.count > deepest)
            deepest = stacks_at(stacks, i)->places.count;
    return deepest;
}

static void add_problems(struct table *table, const struct symbols *symbols)
{
    const char *problem;

    for (size_t i = 0; (problem = symbols_problem(symbols, i)) != NULL; i++)
        table_say(table, where_note_names_text, said_words(problem));
}

static void add_notes(struct table *table, const struct looks *looks,
                      const struct look_options *options)
{
    const struct {
        const struct said *sentence;
        uint64_t count;
    } notes[] = {
        {&where_whole_text, looks->taken > 1 ? looks->rows.count : 0},
        {&where_note_depth_text, find_deepest(looks->stacks) > CALLS_SHOWN ? CALLS_SHOWN : 0},
        {&where_note_ended_text, looks->has_ended ? looks->taken : 0},
        {&where_note_gone_text, looks->gone},
        {&where_note_busy_text, looks->busy},
        {&where_note_running_text, looks->running},
        {&where_note_careful_text,
         options->stop == LOOK_STOP_NEVER ? 0 : count_careful(looks->stacks)},
    };

    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
        say_count(table, notes[i].sentence, notes[i].count);
    if (looks->python_off != TRACE_PYTHON_OFF_NONE)
        table_say(table, where_note_python_text, said_words(python_off_words(looks->python_off)));
    add_problems(table, stacks_symbols(looks->stacks));
}

static void add_stacks(struct document *document, const struct looks *looks,
                       const struct look_options *options)
{
    struct table *table = document_start_table(document, "stacks", SECTION_IN_BOTH,
                                               looks->taken > 1 ? &stack_schema : &one_look_schema);

    for (size_t i = 0; i < stacks_count(looks->stacks); i++) {
        struct value *row = table_add_row(table);

        fill_stack(row, stacks_at(looks->stacks, i), looks->rows.count);
    }
    table_sort(table, STACK_SHARE, true);
    table_sort(table, STACK_STATE, false);
    add_notes(table, looks, options);
}

/* ---- threads --------------------------------------------------------------------- */

enum thread_column {
    THREAD_LOOK,
    THREAD_TID,
    THREAD_NAME,
    THREAD_STATE,
    THREAD_CALL,
    THREAD_TARGET,
    THREAD_FUNCTION,
    THREAD_PROCESSOR,
    THREAD_CPU,
    THREAD_IS_STOPPED,
    THREAD_STOPPED,
    THREAD_COPIED,
    THREAD_STACK,
    THREAD_COLUMNS
};

static const struct column thread_columns[THREAD_COLUMNS] = {
    [THREAD_LOOK] = FIELD("look", UNIT_NUMBER),
    [THREAD_TID] = FIELD("tid", UNIT_NUMBER),
    [THREAD_NAME] = FIELD("name", UNIT_TEXT),
    [THREAD_STATE] = FIELD("state", UNIT_TEXT),
    [THREAD_CALL] = FIELD("system_call", UNIT_TEXT),
    [THREAD_TARGET] = FIELD("target", UNIT_TEXT),
    [THREAD_FUNCTION] = FIELD("linux_function", UNIT_TEXT),
    [THREAD_PROCESSOR] = FIELD("processor", UNIT_NUMBER),
    [THREAD_CPU] = FIELD("cpu_ns", UNIT_NS),
    [THREAD_IS_STOPPED] = FIELD("is_stopped", UNIT_BOOL),
    [THREAD_STOPPED] = FIELD("stopped_ns", UNIT_NS),
    [THREAD_COPIED] = FIELD("copied_bytes", UNIT_BYTES),
    [THREAD_STACK] = FIELD("stack", UNIT_NUMBER),
};

static const struct table_schema thread_schema = {"threads", NULL, thread_columns, THREAD_COLUMNS,
                                                  NULL};

static void fill_texts(struct value *row, const struct task *task)
{
    value_set_text(&row[THREAD_NAME], task->name);

    value_set_text(&row[THREAD_STATE], task_state_word(task->state));
    value_set_text(&row[THREAD_CALL], task->call);
    value_set_text(&row[THREAD_TARGET], task->target[0] ? task->target : NULL);
    value_set_text(&row[THREAD_FUNCTION], task->function[0] ? task->function : NULL);
}

static void fill_thread(struct value *row, const struct look_row *seen)
{
    const struct task *task = &seen->task;

    value_set_integer(&row[THREAD_LOOK], seen->look);
    value_set_integer(&row[THREAD_TID], task->tid);
    if (task->processor >= 0)
        value_set_integer(&row[THREAD_PROCESSOR], task->processor);
    value_set_known(&row[THREAD_CPU], task->cpu_ns);
    value_set_bool(&row[THREAD_IS_STOPPED], seen->is_stopped);
    value_set_unsigned(&row[THREAD_STOPPED], seen->stopped_ns);
    value_set_unsigned(&row[THREAD_COPIED], seen->copied);
    value_set_integer(&row[THREAD_STACK], seen->stack->index);
    fill_texts(row, task);
}

static void add_threads(struct document *document, const struct looks *looks)
{
    struct table *table =
        document_start_table(document, "threads", SECTION_IN_JSON, &thread_schema);

    for (size_t i = 0; i < looks->rows.count; i++) {
        struct value *row = table_add_row(table);

        fill_thread(row, array_at(&looks->rows, i));
    }
}

void where_report_build(const struct looks *looks, const struct subject *subject,
                        const struct look_options *options, struct document *document)
{
    struct stops stops;

    find_stops(&stops, looks);
    document_init(document);
    document->name = "where";
    document->main = "stacks";
    add_head(document, looks, subject, options, &stops);
    add_people(document, looks, subject, &stops);
    add_stacks(document, looks, options);
    add_threads(document, looks);
    free(stops.ns);
}
