/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which processes of a job waited for which.
 *
 * Of the threads of a process that waited for the same others the one counts that waited longest:
 * a sum over threads would be more than the time that passed.
 */
#include "runs/job_links.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_index.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/session_waits.h"
#include "runs/texts.h"

static const double least_wait = 0.01; /* of the wall time of its process */

struct link_process {
    const char *name;
    const char *host; /* inodes and numbers of processes are of one host; or NULL */
    uint32_t pid;
    uint32_t parent_pid;
    double wall_ns;
};

/* The calls of one function in a thread, on a pipe or for children. */
struct link_end {
    uint32_t process; /* index in processes */
    uint32_t thread;
    const char *function; /* of a constant table */
    uint64_t inode;       /* 0: it is of children */
    bool writes;
    double waiting_ns;
};

/* Whom a process waited for. */
struct link {
    const struct link_process *process;
    const struct link_end *end; /* the first of those that it sums up */
    double waiting_ns;
    struct text peers; /* "1234 1235": their numbers */
    const struct link_process *peer; /* the first */
    size_t peer_count;
};

void job_links_init(struct job_links *links)
{
    array_init(&links->processes, sizeof(struct link_process));
    array_init(&links->ends, sizeof(struct link_end));
    text_list_init(&links->texts);
}

void job_links_fini(struct job_links *links)
{
    text_list_fini(&links->texts);
    array_fini(&links->ends);
    array_fini(&links->processes);
}

/* ---- gathering ---------------------------------------------------------- */

/* A session is closed before the report is made. */
static enum status keep(struct job_links *links, const char *text, const char **kept)
{
    enum status status = text ? text_list_add(&links->texts, text) : STATUS_OK;

    *kept = text && !status ? text_list_at(&links->texts, text_list_count(&links->texts) - 1) : NULL;
    return status;
}

static bool is_for_children(const struct session_wait *wait)
{
    return wait->call >= TRACE_WAIT_WAIT && wait->call <= TRACE_WAIT_WAITID;
}

static bool writes(const struct session_wait *wait)
{
    return wait->has_bytes && !wait->is_input;
}

static enum status add_end(struct job_links *links, const struct session_wait *wait)
{
    struct link_end *end = array_add(&links->ends);

    if (!end)
        return STATUS_OUT_OF_MEMORY;
    *end = (struct link_end){.process = (uint32_t)links->processes.count - 1,
                             .thread = wait->thread,
                             .function = wait->function,
                             .inode = wait->inode,
                             .writes = writes(wait),
                             .waiting_ns = (double)wait->waiting_ns};
    return STATUS_OK;
}

enum status job_links_take(struct job_links *links, const struct session *session)
{
    const struct session_process *of = &session->process;
    struct link_process *process = array_add(&links->processes);
    enum status status;

    if (!process)
        return STATUS_OUT_OF_MEMORY;
    *process = (struct link_process){
        .pid = of->pid, .parent_pid = of->parent_pid, .wall_ns = (double)of->wall_ns};
    status = keep(links, of->name ? of->name : "(unnamed)", &process->name);
    if (!status)
        status = keep(links, of->host, &process->host);
    for (size_t i = 0; i < session->waits.count && !status; i++) {
        const struct session_wait *wait = session_wait_at(session, i);

        if (wait->inode != 0 || is_for_children(wait))
            status = add_end(links, wait);
    }
    return status;
}

/* ---- who is at the other end -------------------------------------------- */

static const struct link_process *process_of(const struct job_links *links, uint32_t index)
{
    return array_at(&links->processes, index);
}

static bool is_one_host(const struct link_process *one, const struct link_process *other)
{
    return one->host == other->host ||
           (one->host && other->host && strcmp(one->host, other->host) == 0);
}

static bool has_other_end(const struct job_links *links, const struct link_end *end,
                          uint32_t process)
{
    for (size_t i = 0; i < links->ends.count; i++) {
        const struct link_end *other = array_at(&links->ends, i);

        if (other->process == process && other->inode == end->inode &&
            other->writes != end->writes)
            return true;
    }
    return false;
}

static bool is_peer(const struct job_links *links, const struct link_end *end, uint32_t process)
{
    const struct link_process *own = process_of(links, end->process);
    const struct link_process *other = process_of(links, process);

    if (process == end->process || !is_one_host(own, other))
        return false;
    return end->inode == 0 ? other->parent_pid == own->pid : has_other_end(links, end, process);
}

static void find_peers(struct link *link, const struct job_links *links,
                       const struct link_end *end)
{
    link->process = process_of(links, end->process);
    link->end = end;
    for (uint32_t i = 0; i < links->processes.count; i++) {
        const struct link_process *process = process_of(links, i);

        if (!is_peer(links, end, i))
            continue;
        text_appendf(&link->peers, "%s%u", link->peer_count > 0 ? " " : "", process->pid);
        link->peer = link->peer ? link->peer : process;
        link->peer_count++;
    }
}

/* ---- sums --------------------------------------------------------------- */

struct sums {
    const struct job_links *links;
    struct array rows; /* of struct link, by the number of a key */
    struct text_index keys;
    struct text_index thread_keys;
    struct array thread_ns; /* double, by the number of a key of a thread */
};

static void sums_fini(struct sums *sums)
{
    for (size_t i = 0; i < sums->rows.count; i++)
        text_fini(&((struct link *)array_at(&sums->rows, i))->peers);
    array_fini(&sums->rows);
    array_fini(&sums->thread_ns);
    text_index_fini(&sums->keys);
    text_index_fini(&sums->thread_keys);
}

/* Returns: the time that the thread waited so; NULL when memory ran out. */
static double *find_thread(struct sums *sums, const struct text *key, uint32_t thread)
{
    struct text of_thread;
    long number;

    text_init(&of_thread);
    text_appendf(&of_thread, "%u ", thread);
    text_index_append_part(&of_thread, key->bytes);
    number = text_index_add(&sums->thread_keys, &of_thread);
    text_fini(&of_thread);
    if (number < 0)
        return NULL;
    return (size_t)number == sums->thread_ns.count ? array_add(&sums->thread_ns)
                                                   : array_at(&sums->thread_ns, (size_t)number);
}

/* Takes over what the link owns. */
static struct link *find_link(struct sums *sums, const struct text *key, struct link *of)
{
    long number = text_index_add(&sums->keys, key);
    struct link *link = NULL;

    if (number >= 0 && (size_t)number < sums->rows.count) {
        text_fini(&of->peers);
        return array_at(&sums->rows, (size_t)number);
    }
    if (number >= 0)
        link = array_add(&sums->rows);
    if (!link) {
        text_fini(&of->peers);
        return NULL;
    }
    *link = *of;
    return link;
}

static enum status sum_end(struct sums *sums, const struct link_end *end)
{
    struct link of = {0}, *link;
    struct text key;
    double *thread_ns;

    text_init(&of.peers);
    find_peers(&of, sums->links, end);
    if (of.peer_count == 0) {
        text_fini(&of.peers);
        return STATUS_OK;
    }
    text_init(&key);
    text_appendf(&key, "%u %s %s", end->process, end->function, of.peers.bytes);
    thread_ns = find_thread(sums, &key, end->thread);
    link = find_link(sums, &key, &of);
    text_fini(&key);
    if (!thread_ns || !link)
        return STATUS_OUT_OF_MEMORY;
    *thread_ns += end->waiting_ns;
    link->waiting_ns = fmax(link->waiting_ns, *thread_ns);
    return STATUS_OK;
}

static bool matters(const struct link *link)
{
    return link->waiting_ns > least_wait * link->process->wall_ns;
}

static int compare_links(const void *a, const void *b)
{
    const struct link *left = a, *right = b;

    return (left->waiting_ns < right->waiting_ns) - (left->waiting_ns > right->waiting_ns);
}

static enum status sum_up(struct sums *sums, const struct job_links *links)
{
    enum status status = STATUS_OK;

    *sums = (struct sums){.links = links};
    array_init(&sums->rows, sizeof(struct link));
    array_init(&sums->thread_ns, sizeof(double));
    for (size_t i = 0; i < links->ends.count && !status; i++) {
        const struct link_end *end = array_at(&links->ends, i);

        if (end->waiting_ns > 0)
            status = sum_end(sums, end);
    }
    if (!status && sums->rows.count > 0)
        qsort(sums->rows.items, sums->rows.count, sizeof(struct link), compare_links);
    return status;
}

/* ---- the table ---------------------------------------------------------- */

enum { PROCESS, PID, WAITING, SHARE, FOR, FOR_PIDS, IN };

static const struct column columns[] = {
    [PROCESS] = {"process", "process", "the program that waited", UNIT_TEXT, 0},
    [PID] = {"pid", "pid", "its number", UNIT_NUMBER, 0},
    [WAITING] = {"waiting_ns", "waiting", "of its thread that waited longest so", UNIT_NS, 0},
    [SHARE] = {"share", "share", "of the wall time of the process", UNIT_FRACTION, 0},
    [FOR] = {"for", "for", "whom it waited for", UNIT_TEXT, 0},
    [FOR_PIDS] = {"for_pids", NULL, "their numbers", UNIT_TEXT, 9},
    [IN] = {"in", "in", "the function, and by what they are tied", UNIT_TEXT, 1},
};

static const struct table_schema schema = {"links", "Who waited for whom", columns,
                                           sizeof columns / sizeof *columns, NULL};

static enum status set_words(struct value *values, const struct link *link)
{
    struct text peers, in;
    enum status status, other;

    text_init(&peers);
    text_init(&in);
    if (link->peer_count == 1)
        text_appendf(&peers, "%s %u", link->peer->name, link->peer->pid);
    else
        say(&peers, link->end->inode == 0 ? job_children_text : job_peers_text,
            said_count(link->peer_count), said_words(link->peer->name));
    text_appendf(&in, link->end->inode == 0 ? "%s" : "%s pipe", link->end->function);
    status = value_take_text(&values[FOR], &peers);
    other = value_take_text(&values[IN], &in);
    return status ? status : other;
}

static enum status add_link(struct table *table, const struct link *link)
{
    struct value *values = table_add_row(table);
    enum status status =
        values ? value_set_text(&values[PROCESS], link->process->name) : STATUS_OUT_OF_MEMORY;

    if (status)
        return status;
    value_set_integer(&values[PID], link->process->pid);
    value_set_rounded(&values[WAITING], link->waiting_ns);
    value_set_ratio(&values[SHARE], link->waiting_ns, link->process->wall_ns);
    status = value_set_text(&values[FOR_PIDS], link->peers.bytes);
    return status ? status : set_words(values, link);
}

static enum status add_table(const struct sums *sums, struct document *document,
                             enum section_place place, size_t most)
{
    struct table *table = NULL;
    enum status status = STATUS_OK;

    for (size_t i = 0; i < sums->rows.count && i < most && !status; i++) {
        const struct link *link = array_at(&sums->rows, i);

        if (!matters(link))
            continue;
        if (!table && !(table = document_start_table(document, "links", place, &schema)))
            return STATUS_OUT_OF_MEMORY;
        status = add_link(table, link);
    }
    return status;
}

enum status job_links_add(const struct job_links *links, struct document *document,
                          enum section_place place, size_t most)
{
    struct sums sums;
    enum status status = sum_up(&sums, links);

    if (!status)
        status = add_table(&sums, document, place, most);
    sums_fini(&sums);
    return status;
}
