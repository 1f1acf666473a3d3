/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The page of a job.  The timelines of its processes are kept as the final bytes until the first
 * start is known.
 *
 * Clocks are aligned by the wall clock at each start, as in all exports.  On one host, the
 * monotonic clock shows the error if the wall clock was set meanwhile.
 */
#include "page/job_page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/pool.h"
#include "base/text.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/session_unknown.h"
#include "page/html.h"
#include "page/outline.h"
#include "page/stacks.h"
#include "page/tables.h"
#include "page/texts.h"
#include "page/timeline.h"

struct job_process {
    char *name;
    char *rank; /* NULL: none */
    char *host; /* NULL: not known */
    char *timeline; /* JSON */
    size_t timeline_size;
    struct text_list links; /* a function, and whom it waited for, and so on */
    uint32_t pid;
    size_t index;      /* among all processes of the job */
    uint64_t start_ns; /* since 1970 */
    double weight;     /* processor time, or wall time if no process has any */
};

/* The difference of a host's two clocks at one moment. */
struct job_clock {
    char *host;
    int64_t difference_ns;
};

void job_page_init(struct job_page *page, size_t processes)
{
    size_t shared = processes < JOB_PAGE_PROCESSES ? processes : JOB_PAGE_PROCESSES;

    *page = (struct job_page){.marks = TIMELINE_MARKS / (shared + 1), .first_ns = UINT64_MAX};
    array_init(&page->shown, sizeof(struct job_process));
    array_init(&page->clocks, sizeof(struct job_clock));
    stacks_init_job(&page->stacks);
}

static void process_free(struct job_process *process)
{
    free(process->name);
    free(process->rank);
    free(process->host);
    free(process->timeline);
    text_list_fini(&process->links);
}

void job_page_fini(struct job_page *page)
{
    for (size_t i = 0; i < page->shown.count; i++)
        process_free(array_at(&page->shown, i));
    for (size_t i = 0; i < page->clocks.count; i++)
        free(((struct job_clock *)array_at(&page->clocks, i))->host);
    array_fini(&page->shown);
    array_fini(&page->clocks);
}

/* ---- processes -------------------------------------------------------------------------- */

static void copy(char **to, const char *text)
{
    *to = text ? memory_copy(text) : NULL;
}

static void put_timeline(struct job_process *process, const struct session *session, size_t marks)
{
    FILE *out = memory_have(open_memstream(&process->timeline, &process->timeline_size));
    struct html html;
    struct pool pool;

    html_init(&html, out);
    pool_enter(&pool);
    timeline_put_some(&html, session, marks);
    pool_leave(&pool);
    if (fclose(out) != 0)
        memory_ran_out();
}

static double weigh(const struct session_process *process)
{
    const struct trace_reading *last = &process->last;

    return last->user_ns == SESSION_UNKNOWN || last->system_ns == SESSION_UNKNOWN
               ? (double)process->wall_ns
               : (double)(last->user_ns + last->system_ns);
}

static void fill(struct job_process *process, const struct session *session, const char *name,
                 size_t marks)
{
    const struct session_process *of = &session->process;

    copy(&process->name, name);
    process->pid = of->pid;
    process->start_ns = of->realtime_start_ns;
    process->weight = weigh(of);
    copy(&process->rank, session_process_rank(of));
    copy(&process->host, of->host);
    put_timeline(process, session, marks);
}

static struct job_process *find_lightest(struct job_page *page)
{
    struct job_process *process = page->shown.items, *lightest = process;

    for (size_t i = 1; i < page->shown.count; i++)
        if (process[i].weight < lightest->weight)
            lightest = &process[i];
    return lightest;
}

/* Returns: the place for a process with this weight; NULL: it gets none. */
static struct job_process *find_place(struct job_page *page, double weight)
{
    struct job_process *place;

    if (page->shown.count < JOB_PAGE_PROCESSES) {
        place = array_add(&page->shown);
    } else {
        page->left_out++;
        place = find_lightest(page);
        if (weight <= place->weight)
            return NULL;
        process_free(place);
    }
    if (place) {
        *place = (struct job_process){.pid = 0};
        text_list_init(&place->links);
    }
    return place;
}

static void add_clock(struct job_page *page, const struct session_process *process)
{
    struct job_clock *clock = array_add(&page->clocks);

    clock->difference_ns = (int64_t)(process->realtime_start_ns - process->monotonic_start_ns);
    copy(&clock->host, process->host ? process->host : "");
}

static void note_span(struct job_page *page, const struct session_process *process)
{
    uint64_t end_ns = process->realtime_start_ns + process->wall_ns;

    if (process->realtime_start_ns < page->first_ns)
        page->first_ns = process->realtime_start_ns;
    if (end_ns > page->last_ns)
        page->last_ns = end_ns;
}

static void add_stacks(struct job_page *page, const struct session *session, const char *name)
{
    const char *rank = session_process_rank(&session->process);
    struct pool pool;
    struct text words;

    text_init(&words);
    text_appendf(&words, "%s %" PRIu32, name, session->process.pid);
    if (rank)
        text_appendf(&words, ", rank %s", rank);
    pool_enter(&pool);
    stacks_add_process(&page->stacks, session, words.bytes);
    pool_leave(&pool);
    text_fini(&words);
}

void job_page_add(struct job_page *page, const struct session *session, const char *name)
{
    struct job_process *place;

    note_span(page, &session->process);
    add_clock(page, &session->process);
    add_stacks(page, session, name);
    place = find_place(page, weigh(&session->process));
    if (!place)
        return;
    fill(place, session, name, page->marks);
    place->index = page->clocks.count - 1;
}

/* Returns: NULL where it has no timeline. */
static struct job_process *find_process(const struct job_page *page, size_t index)
{
    for (size_t i = 0; i < page->shown.count; i++) {
        struct job_process *process = array_at(&page->shown, i);

        if (process->index == index)
            return process;
    }
    return NULL;
}

static bool has_link(const struct job_process *process, const char *function)
{
    for (size_t i = 0; i < text_list_count(&process->links); i += 2)
        if (strcmp(text_list_at(&process->links, i), function) == 0)
            return true;
    return false;
}

/* Functions are listed once for each group of peers: the longest waits first. */
void job_page_link(struct job_page *page, uint32_t index, const char *function, const char *peers)
{
    struct job_process *process = find_process(page, index);

    if (!process || has_link(process, function))
        return;
    text_list_add(&process->links, function);
    text_list_add(&process->links, peers);
}

/* ---- clocks ----------------------------------------------------------------------------- */

/* Returns: how far the clocks of one host differ between two processes, at most. */
static uint64_t find_error(const struct job_page *page, size_t *hosts)
{
    const struct job_clock *clock = page->clocks.items;
    uint64_t most = 0;

    *hosts = 0;
    for (size_t i = 0; i < page->clocks.count; i++) {
        bool is_known = false;

        for (size_t j = 0; j < i; j++) {
            int64_t apart_ns = clock[i].difference_ns - clock[j].difference_ns;
            uint64_t error_ns = (uint64_t)(apart_ns < 0 ? -apart_ns : apart_ns);

            if (strcmp(clock[i].host, clock[j].host) != 0)
                continue;
            is_known = true;
            most = error_ns > most ? error_ns : most;
        }
        *hosts += !is_known;
    }
    return most;
}

static void put_notes(struct html *html, const struct job_page *page)
{
    struct text text;
    size_t hosts;
    uint64_t error_ns = find_error(page, &hosts);

    text_init(&text);
    if (page->clocks.count > hosts)
        say(&text, page_clocks_text, said_time((double)error_ns));
    if (hosts > 1)
        say(&text, page_hosts_text, said_count(hosts));
    if (page->left_out > 0)
        say(&text, page_left_out_text, said_count(page->shown.count), said_count(page->left_out));
    if (text.size > 0) {
        html_put(html, "<p class=\"note\">");
        html_prose(html, text.bytes);
        html_put(html, "</p>\n");
    }
    text_fini(&text);
}

/* ---- the page --------------------------------------------------------------------------- */

/* Processes without a rank, such as a launcher, come first; then ranks by their number. */
static long order_of(const struct job_process *process)
{
    return process->rank ? strtol(process->rank, NULL, 10) : -1;
}

static int compare_processes(const void *left, const void *right)
{
    const struct job_process *a = left, *b = right;
    long first = order_of(a), second = order_of(b);

    if (first != second)
        return first < second ? -1 : 1;
    if (a->start_ns != b->start_ns)
        return a->start_ns < b->start_ns ? -1 : 1;
    return (a->pid > b->pid) - (a->pid < b->pid);
}

static void put_string(struct html *html, const char *key, const char *value)
{
    html_putf(html, "\"%s\":", key);
    if (value)
        html_string(html, value);
    else
        html_put(html, "null");
    html_put(html, ",");
}

static void put_process(struct html *html, const struct job_page *page,
                        const struct job_process *process)
{
    html_put(html, "{");
    put_string(html, "name", process->name);
    put_string(html, "rank", process->rank);
    put_string(html, "host", process->host);
    html_putf(html, "\"pid\":%" PRIu32 ",\"at\":%" PRIu64 ",\"links\":{", process->pid,
              process->start_ns - page->first_ns);
    for (size_t i = 0; i < text_list_count(&process->links); i++) {
        html_put(html, i == 0 ? "" : i % 2 ? ":" : ",");
        html_string(html, text_list_at(&process->links, i));
    }
    html_put(html, "},\n\"data\":");
    fwrite(process->timeline, 1, process->timeline_size, html->out);
    html_put(html, "}");
}

static void put_processes(struct html *html, const struct job_page *page)
{
    html_put(html, "<script type=\"application/json\" id=\"job-data\">\n");
    html_putf(html, "{\"wall\":%" PRIu64 ",\"processes\":[", page->last_ns - page->first_ns);
    for (size_t i = 0; i < page->shown.count; i++) {
        html_put(html, i > 0 ? ",\n" : "");
        put_process(html, page, array_at(&page->shown, i));
    }
    html_put(html, "]}</script>\n");
}

static void put_tree(struct html *html, struct job_page *page)
{
    html_put(html, "<script type=\"application/json\" id=\"flame-data\">\n[");
    stacks_put_job(html, &page->stacks);
    html_put(html, "]</script>\n");
}

static void put_page(struct html *html, struct job_page *page, const struct document *document)
{
    const struct job_process *first = array_at(&page->shown, 0);

    outline_begin(html, first->name);
    html_put(html, "<nav aria-label=\"Parts\"><a href=\"#overview\">Overview</a>\n");
    html_put(html, "<a href=\"#course\">Timeline</a>\n<a href=\"#cpu\">Time</a></nav>\n");
    html_put(html, "<main>\n<section id=\"overview\">\n");
    html->is_overview = true;
    tables_put_document(html, document);
    html->is_overview = false;
    html_put(html, "</section>\n<section id=\"course\"><h2>Timeline</h2>\n");
    put_notes(html, page);
    html_put(html, "<div id=\"job\" class=\"chart\" hidden></div>\n");
    html_put(html, "</section>\n<section id=\"cpu\"><h2>Time</h2>\n");
    html_put(html, "<div id=\"flame\" class=\"chart\" hidden></div>\n</section>\n</main>\n");
    put_processes(html, page);
    put_tree(html, page);
    outline_end(html);
}

void job_page_write(struct job_page *page, const struct document *document, FILE *out)
{
    struct html html;

    qsort(page->shown.items, page->shown.count, sizeof(struct job_process), compare_processes);
    html_init(&html, out);
    put_page(&html, page, document);
}
