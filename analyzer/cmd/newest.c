/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The newest trace of a folder.  A trace has .tprof in its name and the right first bytes, because
 * a report next to its trace is newer.  A launcher such as bash, mpirun or timeout ends last, but
 * its trace is nearly empty.  Process ids relate its trace to those of its children; the trace with
 * the most processor time is chosen.
 */
#include "cmd/newest.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "cmd/cmd.h"
#include "cpu/cpu_split.h"
#include "model/session.h"
#include "model/session_open.h"
#include "reader/reader.h"

enum { NAMED = 3 }; /* relatives; beyond, only the number is shown */

#define LOADING_NS UINT64_C(10000000000) /* ten seconds, as from a slow network */

struct candidate {
    const char *path; /* in the list */
    struct timespec changed;
    uint32_t pid;
    uint32_t parent_pid;
    uint64_t start_ns;
    uint64_t end_ns;     /* UINT64_MAX: unknown */
    uint64_t cpu_ns;     /* processor time; without one at the end, 0 until ask_cpu */
    uint64_t heap_bytes; /* at its peak */
    bool is_replaced;    /* the process ended by becoming another program */
    bool is_related;
    bool is_passed; /* newer than the one that is taken, and not to be read */
};

/* Returns: when the process ended, on the clock of its start; in a sandbox it may have run
 * longer. */
static uint64_t find_end(const struct trace_header *header)
{
    if (header->ending == TRACE_RUNNING || header->ending == TRACE_SANDBOXED ||
        header->ending == TRACE_YIELDED)
        return UINT64_MAX;
    return header->realtime_start_ns + (header->end.monotonic_ns - header->start.monotonic_ns);
}

/* Returns: last reading minus first; 0 without a last one. */
static uint64_t find_cpu(const struct trace_header *header)
{
    uint64_t first_ns = header->first.user_ns + header->first.system_ns;
    uint64_t last_ns = header->last.user_ns + header->last.system_ns;

    return last_ns > first_ns ? last_ns - first_ns : 0;
}

/* Returns: whether a file is a trace. */
static bool read_candidate(struct candidate *candidate, const char *path)
{
    struct trace_header header;
    struct stat status;

    if (!reader_peek(path, &header) || stat(path, &status) != 0)
        return false;
    *candidate = (struct candidate){.path = path,
                                    .changed = status.st_mtim,
                                    .pid = header.pid,
                                    .parent_pid = header.parent_pid,
                                    .start_ns = header.realtime_start_ns,
                                    .end_ns = find_end(&header),
                                    .cpu_ns = find_cpu(&header),
                                    .heap_bytes = header.heap_peak_bytes,
                                    .is_replaced = header.ending == TRACE_EXECUTED};
    return true;
}

static int is_named_so(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && strstr(entry->d_name, ".tprof") != NULL;
}

static void add_candidate(struct array *candidates, struct text_list *paths, const char *folder,
                          const char *name)
{
    struct candidate candidate, *added;

    if (folder)
        text_list_addf(paths, "%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/", name);
    else
        text_list_add(paths, name);
    if (!read_candidate(&candidate, text_list_at(paths, text_list_count(paths) - 1)))
        return;
    added = array_add(candidates);
    *added = candidate;
}

static void gather(struct array *candidates, struct text_list *paths, const char *folder)
{
    struct dirent **names = NULL;
    int count = scandir(folder ? folder : ".", &names, is_named_so, alphasort);

    for (int i = 0; i < count; i++) {
        add_candidate(candidates, paths, folder, names[i]->d_name);
        free(names[i]);
    }
    free(names);
}

static bool is_newer(const struct candidate *a, const struct candidate *b)
{
    return a->changed.tv_sec != b->changed.tv_sec ? a->changed.tv_sec > b->changed.tv_sec
                                                  : a->changed.tv_nsec > b->changed.tv_nsec;
}

static struct candidate *choose_left(const struct array *candidates)
{
    struct candidate *newest = NULL;

    for (size_t i = 0; i < candidates->count; i++) {
        struct candidate *candidate = array_at(candidates, i);

        if (!candidate->is_passed && (!newest || !is_newer(newest, candidate)))
            newest = candidate;
    }
    return newest;
}

/* The newest readable trace; if none is readable, the newest, whose reader then reports the
 * reason. */
static struct candidate *choose(const struct array *candidates)
{
    struct candidate *first = choose_left(candidates), *newest = first;
    struct diagnostic unused;

    while (newest && reader_check(newest->path, &unused)) {
        newest->is_passed = true;
        newest = choose_left(candidates);
    }
    return newest ? newest : first;
}

/* Process ids are reused, and in containers all runs have the same: a child must have started while
 * its parent ran. */
static bool is_child(const struct candidate *child, const struct candidate *parent)
{
    return child->parent_pid == parent->pid && child->start_ns >= parent->start_ns &&
           child->start_ns <= parent->end_ns;
}

/* After an exec, the later trace starts as soon as its program is loaded. */
static bool is_sequel(const struct candidate *later, const struct candidate *earlier)
{
    return earlier->is_replaced && later->pid == earlier->pid &&
           later->parent_pid == earlier->parent_pid && later->start_ns >= earlier->end_ns &&
           later->start_ns - earlier->end_ns <= LOADING_NS;
}

static bool is_relative(const struct candidate *a, const struct candidate *b)
{
    return is_child(a, b) || is_child(b, a) || is_sequel(a, b) || is_sequel(b, a);
}

static void add_related(struct array *related, struct candidate *candidate)
{
    struct candidate **place = array_add(related);

    *place = candidate;
    candidate->is_related = true;
}

static bool follows(const struct candidate *a, const struct candidate *b)
{
    return is_child(a, b) || is_sequel(a, b);
}

typedef bool (*relation)(const struct candidate *candidate, const struct candidate *known);

/* Add those that are related to each known one until there are no more. */
static void relate(const struct array *candidates, struct candidate *first, relation is_related)
{
    struct array related; /* of struct candidate * */

    array_init(&related, sizeof first);
    add_related(&related, first);
    for (size_t i = 0; i < related.count; i++) {
        const struct candidate *known = *(struct candidate **)array_at(&related, i);

        for (size_t j = 0; j < candidates->count; j++) {
            struct candidate *candidate = array_at(candidates, j);

            if (!candidate->is_related && is_related(candidate, known))
                add_related(&related, candidate);
        }
    }
    array_fini(&related);
}

/* A killed process has no processor time at its end; use the latest reading in its trace and its
 * samples. */
static void ask_cpu(struct candidate *candidate)
{
    const struct session_options how = session_defaults();
    struct diagnostic unused;
    struct session session;
    double ns;

    if (candidate->is_passed || session_open(&session, candidate->path, &how, &unused))
        return;
    cpu_split_find_process(&session, &ns);
    if (ns > 0)
        candidate->cpu_ns = (uint64_t)ns;
    session_close(&session);
}

static size_t count_related(const struct array *candidates)
{
    size_t count = 0;

    for (size_t i = 0; i < candidates->count; i++)
        count += ((const struct candidate *)array_at(candidates, i))->is_related;
    return count;
}

/* Returns: the process of the run that used the most processor time. */
static const struct candidate *choose_worker(const struct array *candidates,
                                             const struct candidate *newest)
{
    const struct candidate *worker = newest;

    if (count_related(candidates) == 1) /* it is the newest trace itself, so nothing else is read */
        return newest;
    for (size_t i = 0; i < candidates->count; i++) {
        struct candidate *candidate = array_at(candidates, i);

        if (!candidate->is_related || candidate->is_passed)
            continue;
        if (candidate->end_ns == UINT64_MAX)
            ask_cpu(candidate);
        if (candidate->cpu_ns > worker->cpu_ns)
            worker = candidate;
    }
    return worker;
}

static void append_relatives(struct text *names, const struct array *candidates,
                             const struct candidate *chosen)
{
    size_t count = 0;

    for (size_t i = 0; i < candidates->count; i++) {
        const struct candidate *candidate = array_at(candidates, i);

        if (!candidate->is_related || candidate == chosen)
            continue;
        if (count++ < NAMED)
            text_appendf(names, "%s%s", count > 1 ? ", " : "", candidate->path);
    }
    if (count > NAMED)
        text_appendf(names, " and %zu more", count - NAMED);
}

static enum status refuse(const char *folder, struct diagnostic *diagnostic)
{
    static const char advice[] = "that is a trace; make one with: tprof run -- COMMAND";

    if (access(folder ? folder : ".", R_OK | X_OK) != 0)
        return diagnostic_set(diagnostic, STATUS_IO, "cannot read the directory %.300s: %s",
                              folder ? folder : ".", strerror(errno));
    if (folder)
        return diagnostic_set(diagnostic, STATUS_IO, "the directory %.300s has no *.tprof file %s",
                              folder, advice);
    return diagnostic_set(diagnostic, STATUS_IO, "there is no *.tprof file here %s", advice);
}

static enum status refuse_or_fail(enum status status, const char *folder,
                                  struct diagnostic *diagnostic)
{
    if (!status)
        return STATUS_OK;
    return refuse(folder, diagnostic);
}

/* The traces of a folder, the newest and its relatives known. */
struct traces {
    struct array candidates; /* of struct candidate */
    struct text_list paths;
    const struct candidate *newest;
};

static enum status traces_init(struct traces *traces, const char *folder)
{
    struct candidate *newest;

    array_init(&traces->candidates, sizeof(struct candidate));
    text_list_init(&traces->paths);
    gather(&traces->candidates, &traces->paths, folder);
    newest = choose(&traces->candidates);
    traces->newest = newest;
    if (!newest)
        return STATUS_NOT_FOUND;
    relate(&traces->candidates, newest, is_relative);
    return STATUS_OK;
}

static void traces_fini(struct traces *traces)
{
    array_fini(&traces->candidates);
    text_list_fini(&traces->paths);
}

bool newest_is_folder(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool newest_can_read(const char *path)
{
    struct candidate candidate;

    return newest_is_folder(path) || read_candidate(&candidate, path);
}

/* If all are passed over, the newest is chosen after all, and none is left out. */
static void tell_passed(const struct traces *traces)
{
    struct diagnostic diagnostic;

    for (size_t i = 0; i < traces->candidates.count && !traces->newest->is_passed; i++) {
        const struct candidate *candidate = array_at(&traces->candidates, i);
        enum status status =
            candidate->is_passed ? reader_check(candidate->path, &diagnostic) : STATUS_OK;

        if (status)
            cmd_leave_out(&diagnostic);
    }
}

enum status newest_find(const char *folder, char path[PATH_MAX], struct text *relatives,
                        struct diagnostic *diagnostic)
{
    struct traces traces;
    enum status status = traces_init(&traces, folder);
    const struct candidate *worker =
        status ? NULL : choose_worker(&traces.candidates, traces.newest);

    if (!status && snprintf(path, PATH_MAX, "%s", worker->path) >= PATH_MAX)
        status = STATUS_NOT_FOUND;
    if (!status) {
        tell_passed(&traces);
        append_relatives(relatives, &traces.candidates, worker);
        status = STATUS_OK;
    }
    traces_fini(&traces);
    return refuse_or_fail(status, folder, diagnostic);
}

static struct candidate *find_named_so(const struct array *candidates, const char *path)
{
    for (size_t i = 0; i < candidates->count; i++) {
        struct candidate *candidate = array_at(candidates, i);

        if (strcmp(candidate->path, path) == 0)
            return candidate;
    }
    return NULL;
}

/* "a" of "a/b.tprof".  Returns: NULL where a path has no folder, or one that is too long. */
static const char *find_folder(const char *path, char room[PATH_MAX])
{
    const char *end = strrchr(path, '/');

    if (!end || snprintf(room, PATH_MAX, "%.*s", (int)(end - path), path) >= PATH_MAX)
        return NULL;
    return end == path ? "/" : room;
}

/* The traces beside a named one, with its relatives known.
 * Returns: the named one; NULL when it is none. */
static struct candidate *traces_init_named(struct traces *traces, const char *path)
{
    struct candidate *named;
    char folder[PATH_MAX];

    array_init(&traces->candidates, sizeof(struct candidate));
    text_list_init(&traces->paths);
    gather(&traces->candidates, &traces->paths, find_folder(path, folder));
    named = find_named_so(&traces->candidates, path);
    if (named)
        relate(&traces->candidates, named, is_relative);
    traces->newest = named;
    return named;
}

/* choose_worker has asked for the processor time of each. */
static void sum_kin(struct newest_kin *kin, const struct array *candidates,
                    const struct candidate *named)
{
    const struct candidate *busiest = named, *largest = named;

    for (size_t i = 0; i < candidates->count; i++) {
        const struct candidate *candidate = array_at(candidates, i);

        if (!candidate->is_related || candidate->is_passed || candidate == named)
            continue;
        kin->count++;
        kin->cpu_ns += candidate->cpu_ns;
        if (busiest == named || candidate->cpu_ns > busiest->cpu_ns)
            busiest = candidate;
        if (largest == named || candidate->heap_bytes > largest->heap_bytes)
            largest = candidate;
    }
    kin->heap_bytes = largest->heap_bytes;
    snprintf(kin->busiest, sizeof kin->busiest, "%s", busiest->path);
    kin->busiest_ns = busiest == named ? 0 : busiest->cpu_ns;
    snprintf(kin->largest, sizeof kin->largest, "%s", largest->path);
}

static void forget_relations(const struct array *candidates)
{
    for (size_t i = 0; i < candidates->count; i++)
        ((struct candidate *)array_at(candidates, i))->is_related = false;
}

static void fill_kin(struct newest_kin *kin, const struct array *candidates,
                     struct candidate *named)
{
    const struct candidate *worker = choose_worker(candidates, named);

    if (worker != named)
        snprintf(kin->busier, sizeof kin->busier, "%s", worker->path);
    forget_relations(candidates);
    relate(candidates, named, follows);
    kin->own_ns = named->cpu_ns;
    kin->own_heap_bytes = named->heap_bytes;
    sum_kin(kin, candidates, named);
}

void newest_find_kin(const char *path, struct newest_kin *kin)
{
    struct traces traces;
    struct candidate *named = traces_init_named(&traces, path);

    *kin = (struct newest_kin){.count = 0};
    if (named)
        fill_kin(kin, &traces.candidates, named);
    traces_fini(&traces);
}

void newest_list_run_of(const char *path, struct text_list *traces)
{
    struct traces found;

    if (!traces_init_named(&found, path))
        text_list_add(traces, path);
    for (size_t i = 0; i < found.candidates.count; i++) {
        const struct candidate *candidate = array_at(&found.candidates, i);

        if (candidate->is_related)
            text_list_add(traces, candidate->path);
    }
    traces_fini(&found);
}

static enum status list(const char *folder, bool wants_all, struct text_list *paths,
                        struct diagnostic *diagnostic)
{
    struct traces traces;
    enum status status = traces_init(&traces, folder);

    if (!status && !wants_all)
        tell_passed(&traces);
    for (size_t i = 0; i < traces.candidates.count && !status; i++) {
        const struct candidate *candidate = array_at(&traces.candidates, i);

        if (wants_all || candidate == traces.newest ||
            (candidate->is_related && !candidate->is_passed)) {
            text_list_add(paths, candidate->path);
            status = STATUS_OK;
        }
    }
    traces_fini(&traces);
    return refuse_or_fail(status, folder, diagnostic);
}

enum status newest_list_run(struct text_list *traces, struct diagnostic *diagnostic)
{
    return list(NULL, false, traces, diagnostic);
}

void newest_list_present(const char *folder, struct text_list *traces)
{
    struct array candidates; /* of struct candidate */
    struct text_list paths;

    array_init(&candidates, sizeof(struct candidate));
    text_list_init(&paths);
    gather(&candidates, &paths, folder);
    for (size_t i = 0; i < candidates.count; i++)
        text_list_add(traces, ((const struct candidate *)array_at(&candidates, i))->path);
    array_fini(&candidates);
    text_list_fini(&paths);
}

enum status newest_list_all(const char *folder, struct text_list *traces,
                            struct diagnostic *diagnostic)
{
    return list(folder, true, traces, diagnostic);
}
