/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The waits of a job's processes for one another.
 *
 * If several threads of a process waited for the same processes, the longest wait counts: a sum
 * over threads would exceed the elapsed time.
 */
#include "runs/job_links.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_index.h"
#include "cpu/cpu_split.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/session_waits.h"
#include "runs/job_links_parts.h"
#include "runs/process_words.h"
#include "runs/texts.h"
#include "waits/wait_rows.h"
#include "waits/wait_split.h"

static const double least_wait = 0.01; /* share of its process's wall time */

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
static void keep(struct job_links *links, const char *text, const char **kept)
{
    if (text)
        text_list_add(&links->texts, text);

    *kept = text ? text_list_at(&links->texts, text_list_count(&links->texts) - 1) : NULL;
}

/* The same for a text; it also frees the text. */
static void keep_words(struct job_links *links, struct text *words, const char **kept)
{
    keep(links, words->bytes, kept);
    text_fini(words);
}

static void keep_process(struct job_links *links, const struct session_process *of,
                         const char **kept)
{
    struct text words;

    text_init(&words);
    process_words_append(&words, of);
    keep_words(links, &words, kept);
}

static bool is_for_children(const struct session_wait *wait)
{
    return wait->call >= TRACE_WAIT_WAIT && wait->call <= TRACE_WAIT_WAITID;
}

static bool writes(const struct session_wait *wait)
{
    return wait->has_bytes && !wait->is_input;
}

static void keep_call(struct job_links *links, const struct session_wait *wait, const char **kept)
{
    struct text words;

    text_init(&words);
    wait_append_call(&words, wait);
    keep_words(links, &words, kept);
}

static void add_end(struct job_links *links, const struct session_wait *wait)
{
    struct link_end *end = array_add(&links->ends);

    *end = (struct link_end){.process = (uint32_t)links->processes.count - 1,
                             .thread = wait->thread,
                             .inode = wait->inode,
                             .writes = writes(wait),
                             .waiting_ns = (double)wait->waiting_ns};
    keep_call(links, wait, &end->name);
}

/* On a busy machine a worker is late with its work, and idle no less. */
static void take_waiting(struct link_process *process, const struct session *session)
{
    struct wait_split split = {.waiting_ns = (double)NAN};

    if (session->threads.count > 0)
        split = wait_split_of(session, wait_main_thread(session));
    process->waiting_ns = split.waiting_ns;
    process->waiting_share = split.waiting_ns / (split.waiting_ns + split.cpu_ns);
}

void job_links_take(struct job_links *links, const struct session *session)
{
    const struct session_process *of = &session->process;
    struct link_process *process = array_add(&links->processes);

    *process = (struct link_process){.pid = of->pid,
                                     .parent_pid = of->parent_pid,
                                     .wall_ns = (double)of->wall_ns};
    take_waiting(process, session);
    cpu_split_find_process(session, &process->cpu_ns);
    keep_process(links, of, &process->name);
    keep(links, of->host, &process->host);
    for (size_t i = 0; i < session->waits.count; i++) {
        const struct session_wait *wait = session_wait_at(session, i);

        if (wait->inode != 0 || is_for_children(wait))
            add_end(links, wait);
    }
}

/* ---- the other end ------------------------------------------------------ */

const struct link_process *links_process(const struct job_links *links, uint32_t index)
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
    const struct link_process *own = links_process(links, end->process);
    const struct link_process *other = links_process(links, process);

    if (process == end->process || !is_one_host(own, other))
        return false;
    return end->inode == 0 ? other->parent_pid == own->pid : has_other_end(links, end, process);
}

static void find_peers(struct link *link, const struct job_links *links,
                       const struct link_end *end)
{
    link->process = end->process;
    link->end = end;
    for (uint32_t i = 0; i < links->processes.count; i++) {
        if (!is_peer(links, end, i))
            continue;
        text_appendf(&link->peers, "%s%u", link->peer_count > 0 ? " " : "",
                     links_process(links, i)->pid);
        if (link->peer_count++ == 0)
            link->peer = i;
    }
}

/* ---- sums --------------------------------------------------------------- */

struct sums {
    const struct job_links *links;
    struct array *rows; /* of struct link, by the number of a key */
    struct text_index keys;
    struct text_index thread_keys;
    struct array thread_ns; /* double, by the number of a key of a thread */
};

void links_fini(struct array *sums)
{
    for (size_t i = 0; i < sums->count; i++)
        text_fini(&((struct link *)array_at(sums, i))->peers);
    array_fini(sums);
}

static void sums_fini(struct sums *sums)
{
    array_fini(&sums->thread_ns);
    text_index_fini(&sums->keys);
    text_index_fini(&sums->thread_keys);
}

/* Returns: the time that the thread waited so. */
static double *find_thread(struct sums *sums, const struct text *key, uint32_t thread)
{
    struct text of_thread;
    long number;

    text_init(&of_thread);
    text_appendf(&of_thread, "%u ", thread);
    text_index_append_part(&of_thread, key->bytes);
    number = text_index_add(&sums->thread_keys, &of_thread);
    text_fini(&of_thread);
    return (size_t)number == sums->thread_ns.count ? array_add(&sums->thread_ns)
                                                   : array_at(&sums->thread_ns, (size_t)number);
}

/* Takes over the memory of `of`. */
static struct link *find_link(struct sums *sums, const struct text *key, struct link *of)
{
    long number = text_index_add(&sums->keys, key);
    struct link *link = NULL;

    if ((size_t)number < sums->rows->count) {
        text_fini(&of->peers);
        return array_at(sums->rows, (size_t)number);
    }
    link = array_add(sums->rows);
    if (!link) {
        text_fini(&of->peers);
        return NULL;
    }
    *link = *of;
    return link;
}

static void sum_end(struct sums *sums, const struct link_end *end)
{
    struct link of = {0}, *link;
    struct text key;
    double *thread_ns;

    text_init(&of.peers);
    find_peers(&of, sums->links, end);
    if (of.peer_count == 0) {
        text_fini(&of.peers);
        return;
    }
    text_init(&key);
    text_appendf(&key, "%u %s %s", end->process, end->name, of.peers.bytes);
    thread_ns = find_thread(sums, &key, end->thread);
    link = find_link(sums, &key, &of);
    text_fini(&key);
    *thread_ns += end->waiting_ns;
    link->waiting_ns = fmax(link->waiting_ns, *thread_ns);
}

static int compare_links(const void *a, const void *b)
{
    const struct link *left = a, *right = b;

    return (left->waiting_ns < right->waiting_ns) - (left->waiting_ns > right->waiting_ns);
}

void links_sum_up(struct array *rows, const struct job_links *links)
{
    struct sums sums = {.links = links, .rows = rows};

    array_init(rows, sizeof(struct link));
    array_init(&sums.thread_ns, sizeof(double));
    for (size_t i = 0; i < links->ends.count; i++) {
        const struct link_end *end = array_at(&links->ends, i);

        if (end->waiting_ns > 0)
            sum_end(&sums, end);
    }
    if (rows->count > 0)
        qsort(rows->items, rows->count, sizeof(struct link), compare_links);
    sums_fini(&sums);
}

bool links_reads_from(const struct job_links *links, uint32_t reader, uint32_t writer)
{
    for (size_t i = 0; i < links->ends.count; i++) {
        const struct link_end *end = array_at(&links->ends, i);

        if (end->process == reader && end->inode != 0 && !end->writes &&
            is_peer(links, end, writer))
            return true;
    }
    return false;
}

bool link_has_peer(const struct link *link, uint32_t pid)
{
    char *end;

    for (const char *at = link->peers.bytes; *at; at = *end ? end + 1 : end)
        if (strtoul(at, &end, 10) == pid)
            return true;
    return false;
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
    [IN] = {"in", "in", "the call that waited, as tprof waits names it", UNIT_TEXT, 1},
};

static const struct table_schema schema = {"links", "Who waited for whom", columns,
                                           sizeof columns / sizeof *columns, NULL};

static void append_peers(struct text *peers, const struct job_links *links,
                         const struct link *link)
{
    const struct link_process *peer = links_process(links, link->peer);

    if (link->peer_count == 1)
        text_appendf(peers, "%s %u", peer->name, peer->pid);
    else
        say(peers, link->end->inode == 0 ? job_children_text : job_peers_text,
            said_count(link->peer_count), said_words(peer->name));
}

static void tell_link(const struct job_links *links, const struct link *link, job_link_taker take,
                      void *of)
{
    struct text peers;

    text_init(&peers);
    append_peers(&peers, links, link);
    take(of, link->process, link->end->name, peers.bytes);
    text_fini(&peers);
}

void job_links_tell(const struct job_links *links, job_link_taker take, void *of)
{
    struct array rows;

    links_sum_up(&rows, links);
    for (size_t i = 0; i < rows.count; i++)
        tell_link(links, array_at(&rows, i), take, of);
    links_fini(&rows);
}

static void set_words(struct value *values, const struct job_links *links, const struct link *link)
{
    struct text peers;

    text_init(&peers);
    append_peers(&peers, links, link);
    value_take_text(&values[FOR], &peers);
    value_set_text(&values[IN], link->end->name);
}

static void add_link(struct table *table, const struct job_links *links, const struct link *link)
{
    const struct link_process *process = links_process(links, link->process);
    struct value *values = table_add_row(table);

    value_set_text(&values[PROCESS], process->name);
    value_set_integer(&values[PID], process->pid);
    value_set_rounded(&values[WAITING], link->waiting_ns);
    value_set_ratio(&values[SHARE], link->waiting_ns, process->wall_ns);
    value_set_text(&values[FOR_PIDS], link->peers.bytes);
    set_words(values, links, link);
}

static void add_table(const struct array *rows, const struct job_links *links,
                      struct document *document, enum section_place place, size_t most)
{
    struct table *table = NULL;

    for (size_t i = 0; i < rows->count && i < most; i++) {
        const struct link *link = array_at(rows, i);

        if (link->waiting_ns <= least_wait * links_process(links, link->process)->wall_ns)
            continue;
        if (!table)
            table = document_start_table(document, "links", place, &schema);
        add_link(table, links, link);
    }
    if (table)
        table_say(table, job_links_text);
}

void job_links_add(const struct job_links *links, struct document *document,
                   enum section_place place, size_t most)
{
    struct array rows;

    links_sum_up(&rows, links);
    add_table(&rows, links, document, place, most);
    links_fini(&rows);
}
