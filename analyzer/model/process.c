/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The process that was recorded.
 */
#include "model/process.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_kernels.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "model/texts.h"
#include "model/wrap_list.h"

void process_init(struct session_process *process)
{
    *process = (struct session_process){.cpu_count = SESSION_UNKNOWN,
                                        .memory_limit_bytes = SESSION_UNKNOWN,
                                        .memory_total_bytes = SESSION_UNKNOWN,
                                        .warmup_calls = SESSION_UNKNOWN,
                                        .own_bytes = SESSION_UNKNOWN,
                                        .threads_at_end = SESSION_UNKNOWN,
                                        .children_ns = SESSION_UNKNOWN,
                                        .ending = SESSION_UNSEEN};
    text_list_init(&process->command);
    text_list_init(&process->environment);
    text_list_init(&process->options);
    text_list_init(&process->thread_names);
    text_list_init(&process->unread);
    text_list_init(&process->device_unread);
}

void process_fini(struct session_process *process)
{
    text_list_fini(&process->command);
    text_list_fini(&process->environment);
    text_list_fini(&process->options);
    text_list_fini(&process->thread_names);
    text_list_fini(&process->unread);
    text_list_fini(&process->device_unread);
}

/* Returns: the value of NAME=VALUE in a list of such, or NULL. */
static const char *find(const struct text_list *list, const char *name)
{
    size_t length = strlen(name);

    for (size_t i = 0; i < text_list_count(list); i++) {
        const char *variable = text_list_at(list, i);

        if (strncmp(variable, name, length) == 0 && variable[length] == '=')
            return variable + length + 1;
    }
    return NULL;
}

static const char *option(const struct session_process *process, const char *variable)
{
    return find(&process->options, variable);
}

/* Returns: a whole number; UNKNOWN when the option is missing or no number. */
static uint64_t option_count(const struct session_process *process, const char *variable)
{
    const char *text = option(process, variable);
    char *end;
    unsigned long long count;

    if (!text || !isdigit((unsigned char)text[0]))
        return SESSION_UNKNOWN;
    errno = 0;
    count = strtoull(text, &end, 10);
    return *end == '\0' && errno == 0 ? count : SESSION_UNKNOWN;
}

static const char *choose_name(struct session_process *process)
{
    const char *given = option(process, "TPROF_NAME");

    process->is_named = given && given[0] != '\0';
    if (process->is_named)
        return given;
    if (process->program)
        return text_base_name(process->program);
    if (text_list_count(&process->command) > 0)
        return text_base_name(text_list_at(&process->command, 0));
    return SESSION_NAME_LOST;
}

/* The parent's status is right, even if the process reported another before; but after an exec it
 * is that of the last program. */
static void note_wait(struct session_process *process, int wait_status)
{
    if (WIFSIGNALED(wait_status)) {
        process->ending = SESSION_SIGNALLED;
        process->signal = WTERMSIG(wait_status);
    } else if (WIFEXITED(wait_status)) {
        if (process->ending != SESSION_QUIT)
            process->ending = SESSION_EXITED;
        process->exit_status = WEXITSTATUS(wait_status);
    }
}

const char *session_process_rank(const struct session_process *process)
{
    static const char *const variables[] = {
#define RANK(variable) variable,
#include "spec/ranks.def"
#undef RANK
    };

    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = find(&process->environment, variables[i]);

        if (value && value[0] != '\0')
            return value;
    }
    return NULL;
}

static enum session_ending choose_ending(uint32_t ending)
{
    switch (ending) {
    case TRACE_EXITED: return SESSION_EXITED;
    case TRACE_QUIT: return SESSION_QUIT;
    case TRACE_EXECUTED: return SESSION_EXECUTED;
    case TRACE_SANDBOXED: return SESSION_SANDBOXED;
    case TRACE_YIELDED: return SESSION_YIELDED;
    default: /* a number from the file, not an enum */ return SESSION_UNSEEN;
    }
}

void process_fill(struct session_process *process, const struct trace_header *header)
{
    const char *alloc_mode = option(process, "TPROF_ALLOC");

    process->name = choose_name(process);
    process->alloc_mode = alloc_mode ? alloc_mode : "full";
    process->warmup_calls = option_count(process, "TPROF_WARMUP");
    process->pid = header->pid;
    if (header->own_bytes > 0)
        process->own_bytes = header->own_bytes;
    if (header->children_ns > 0)
        process->children_ns = header->children_ns;
    process->page_bytes = header->page_size;
    process->parent_pid = header->parent_pid;
    process->is_forked = header->is_forked == 1;
    process->realtime_start_ns = header->realtime_start_ns;
    process->monotonic_start_ns = header->start.monotonic_ns;
    process->exit_status = header->exit_status == TRACE_STATUS_UNKNOWN
                               ? SESSION_NO_STATUS
                               : header->exit_status & 0xff; /* as in waitpid */
    process->ending = choose_ending(header->ending);
    process->first = header->first;
    process->last = header->last;
    process->has_last = process->ending != SESSION_UNSEEN;
    process->goes_on =
        process->ending == SESSION_SANDBOXED || process->ending == SESSION_YIELDED;
    if (header->waited == 1 && process->ending != SESSION_EXECUTED)
        note_wait(process, header->wait_status);
}

static uint64_t last_record_ns(const struct events *events)
{
    const struct events_lane *lane = events->lanes.items;
    uint64_t last_ns = 0;

    for (size_t i = 0; i < events->lanes.count; i++) {
        uint64_t ns = clock_convert(events->from.clock, lane[i].last_ticks);

        last_ns = ns > last_ns ? ns : last_ns;
    }
    return last_ns;
}

/* A failed exec leaves an end in the header, but the process goes on. */
void process_measure(struct session_process *process, const struct trace_header *header,
                     const struct events *events)
{
    uint64_t start_ns = header->start.monotonic_ns;
    uint64_t end_ns = header->end.monotonic_ns;
    uint64_t last_ns = last_record_ns(events);

    if (process->has_last && end_ns > start_ns)
        process->wall_ns = end_ns - start_ns;
    else
        process->wall_ns =
            last_ns > events->from.clock->last_ns ? last_ns : events->from.clock->last_ns;
}

enum process_sort { PROCESS_STATE, PROCESS_SUM };

/* By the words of a reading. */
static const enum process_sort process_sorts[] = {
#define READING(field, key, unit, sort, help) PROCESS_##sort,
#include "spec/readings.def"
#undef READING
};

_Static_assert(sizeof process_sorts / sizeof *process_sorts ==
                   sizeof(struct trace_reading) / sizeof(uint64_t),
               "a word a row");

static void count_from(const struct trace_reading *first, struct trace_reading *reading)
{
    const uint64_t *begin = (const uint64_t *)first;
    uint64_t *word = (uint64_t *)reading;

    for (size_t i = 0; i < sizeof process_sorts / sizeof *process_sorts; i++)
        if (process_sorts[i] == PROCESS_SUM && word[i] != SESSION_UNKNOWN &&
            begin[i] != SESSION_UNKNOWN)
            word[i] = word[i] > begin[i] ? word[i] - begin[i] : 0;
}

/* The kernel counts pages for each processor and adds these up at intervals: for the highest value
 * at other moments than for the present value. */
static void raise_peak(struct trace_reading *reading, uint64_t *peak_bytes)
{
    if (reading->rss_bytes != SESSION_UNKNOWN && reading->rss_bytes > *peak_bytes)
        *peak_bytes = reading->rss_bytes;
    if (reading->peak_rss_bytes == SESSION_UNKNOWN)
        return;
    if (reading->peak_rss_bytes > *peak_bytes)
        *peak_bytes = reading->peak_rss_bytes;
    reading->peak_rss_bytes = *peak_bytes;
}

static void settle(const struct trace_reading *first, struct trace_reading *reading,
                   uint64_t *peak_bytes)
{
    count_from(first, reading);
    raise_peak(reading, peak_bytes);
}

/* Until another reading is taken, the header has the first reading as the last. */
static void forget_sums(struct trace_reading *reading)
{
    uint64_t *word = (uint64_t *)reading;

    for (size_t i = 0; i < sizeof process_sorts / sizeof *process_sorts; i++)
        if (process_sorts[i] == PROCESS_SUM)
            word[i] = SESSION_UNKNOWN;
}

static bool ends_early(const struct session_window *window)
{
    return window->is_cut && window->to_ns < window->whole_ns;
}

void process_settle_readings(struct session *session)
{
    struct session_process *process = &session->process;
    struct session_reading *reading = session->readings.items;
    const struct trace_reading first = process->first;
    uint64_t peak_bytes = 0;

    settle(&first, &process->first, &peak_bytes);
    for (size_t i = 0; i < session->readings.count; i++)
        settle(&first, &reading[i].values, &peak_bytes);
    settle(&first, &process->last, &peak_bytes);
    if (session->readings.count == 0 && (!process->has_last || ends_early(&session->window)))
        forget_sums(&process->last);
}

static void doubt_ending(const struct session_process *process, struct text_list *doubts)
{
    if (process->ending == SESSION_SANDBOXED) {
        text_list_say(doubts, process_sandboxed_text);
        return;
    }
    if (process->ending == SESSION_YIELDED) {
        text_list_say(doubts, process_yielded_text);
        return;
    }
    if (process->ending == SESSION_UNSEEN) {
        text_list_say(doubts, process_unseen_text);
        return;
    }
    if (process->ending == SESSION_EXITED && !process->has_last) {
        text_list_say(doubts, process_exited_text);
        return;
    }
    if (process->ending == SESSION_SIGNALLED) {
        text_list_say(doubts, process_signalled_text, said_count((uint64_t)process->signal));
        return;
    }
}

static bool is_python_itself(const struct session_process *process)
{
    static const char program[] = "python";

    return process->program &&
           strncmp(text_base_name(process->program), program, sizeof program - 1) == 0;
}

/* An interpreter cannot start without memory.  Without chains the owner of the memory is unknown,
 * so it may have started. */
static bool runs_module(const struct session *session, size_t module)
{
    const struct session_call *call = session->calls.items;

    for (size_t i = 1; i < session->calls.count; i++)
        if (call[i].module == module)
            return true;
    return !session->heap.has_chains;
}

/* CPython is the program, or a library that the program embeds and not only links. */
static bool has_python(const struct session *session)
{
    static const char library[] = "libpython";
    const struct session_module *module = session->modules.items;

    if (is_python_itself(&session->process))
        return true;
    for (size_t i = 0; i < session->modules.count; i++)
        if (strncmp(text_base_name(module[i].path), library, sizeof library - 1) == 0 &&
            runs_module(session, i))
            return true;
    return false;
}

/* "python3.12", "libpython3.12.so.1.0".  Returns: 0 if the name has no version. */
static unsigned python_minor(const char *path)
{
    static const char *const names[] = {"python3.", "libpython3."};
    const char *name = path ? text_base_name(path) : "";

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return (unsigned)strtoul(name + strlen(names[i]), NULL, 10);
    return 0;
}

static bool asks_for_python(const struct session_process *process)
{
    const struct text_list *command = &process->command;

    for (size_t i = 1; i < text_list_count(command); i++) {
        const char *argument = text_list_at(command, i);

        if (strncmp(argument, "-Xperf", 6) == 0 ||
            (strncmp(argument, "perf", 4) == 0 && strcmp(text_list_at(command, i - 1), "-X") == 0))
            return true;
    }
    return find(&process->environment, "PYTHONPERFSUPPORT") != NULL;
}

bool process_hides_python(const struct session *session)
{
    const unsigned first = 12; /* with -X perf */
    const struct session_module *module = session->modules.items;
    unsigned minor = python_minor(session->process.program);

    if (session->python.is_there && session->python.fact.off == TRACE_PYTHON_OFF_NONE)
        return false;
    for (size_t i = 0; i < session->modules.count && minor == 0; i++)
        if (runs_module(session, i))
            minor = python_minor(module[i].path);
    return minor >= first && !asks_for_python(&session->process);
}

/* The values of PYTHONMALLOC that take every object from malloc. `debug` and `default` mean the
 * allocator that CPython was built with, its own.
 * Source: https://docs.python.org/3/using/cmdline.html#envvar-PYTHONMALLOC */
static bool is_plain_malloc(const char *value)
{
    return value && (strcmp(value, "malloc") == 0 || strcmp(value, "malloc_debug") == 0);
}

/* For one argument: "-sE" is two options, and the rest after W or X is its
 * value.
 * Returns: whether the argument makes CPython ignore its variables. */
static bool is_isolating(const char *argument, const char **taker)
{
    *taker = strpbrk(argument, "cmWX");
    return strcspn(argument, "EI") < strcspn(argument, "cmWX");
}

/* Options of CPython end with the script, -c or -m; among the long ones, only
 * --check-hash-based-pycs has a separate value. */
static bool was_isolated(const struct text_list *command)
{
    for (size_t i = 1; i < text_list_count(command); i++) {
        const char *argument = text_list_at(command, i), *taker;

        if (argument[0] != '-' || argument[1] == '\0' || strcmp(argument, "--") == 0)
            return false;
        if (argument[1] == '-') {
            i += strcmp(argument, "--check-hash-based-pycs") == 0;
            continue;
        }
        if (is_isolating(argument + 1, &taker))
            return true;
        if (taker && (*taker == 'c' || *taker == 'm'))
            return false;
        i += taker && taker[1] == '\0';
    }
    return false;
}

/* CPython allocates its small objects from its own arenas: in one measured program, 0.5 % of its
 * allocations reached malloc. */
static void doubt_python(const struct session *session, struct text_list *doubts)
{
    const struct session_process *process = &session->process;
    const char *value = find(&process->environment, "PYTHONMALLOC");
    bool is_isolated = is_python_itself(process) && was_isolated(&process->command);

    if (session->python.is_there && session->python.fact.off == TRACE_PYTHON_OFF_FREE_THREADED) {
        text_list_say(doubts, python_own_allocator_text);
        return;
    }
    if (!has_python(session) || (is_plain_malloc(value) && !is_isolated))
        return;
    text_list_say(doubts, is_isolated ? python_isolated_text : python_objects_text);
}

static void doubt_malloc(const struct session_process *process, struct text_list *doubts)
{
    if (!process->malloc_owner)
        return;
    text_list_say(doubts, malloc_owner_text, said_words(text_base_name(process->malloc_owner)));
}

void process_doubt(const struct session *session, struct text_list *doubts)
{
    doubt_ending(&session->process, doubts);

    doubt_malloc(&session->process, doubts);
    doubt_python(session, doubts);
    wrap_list_doubt(session, option(&session->process, "TPROF_WRAP"), doubts);
}

const char *session_find_thread_name(const struct session *session, uint32_t id)
{
    const struct text_list *names = &session->process.thread_names;

    for (size_t i = 0; i < text_list_count(names); i++) {
        char *name;

        if (strtoul(text_list_at(names, i), &name, 10) == id && *name == ' ')
            return name + 1;
    }
    return NULL;
}
