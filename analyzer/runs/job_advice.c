/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Advice for the processes of a job that wait for one another.
 *
 * A team is a parent and its workers: its children with one name.  The parent starves when it waits
 * for computing workers; the workers idle when they wait for work while the parent computes.  A
 * parent without its own work, as with Pool.map, does neither.
 */
#include "runs/job_advice.h"

#include <math.h>
#include <string.h>

#include "document/table.h"
#include "runs/job_links.h"
#include "runs/job_links_parts.h"
#include "runs/texts.h"

/* XProf: input of 5 % of a step is moderate, 20 % high. */
static const double starved_share = 0.05, starved_high = 0.20;
static const double idle_share = 0.5;     /* share of the workers' waiting and processor time */
static const double worked_share = 0.05;  /* share of its life: a parent above it has its own
                                             work */

/* More workers than processors would only take turns. */
static const double busy_high = 0.80;

/* The children of one process with the same name. */
struct team {
    const struct link_process *parent;
    uint32_t parent_index;
    const char *name;
    size_t count;
    double waiting_share; /* mean */
    double for_them_ns;   /* time that the parent waited for them */
    bool has_orders;      /* one of them reads from a pipe that the parent writes to */
    double busy;          /* share of the processors' time that the job took; NAN: unknown */
};

enum { ID, PROCESS, PID, WORKERS, WAITED, SAVED, WHAT };

static const struct column columns[] = {
    [ID] = {"id", NULL, "STARVED or IDLE", UNIT_TEXT, 0},
    [PROCESS] = {"process", NULL, "the parent", UNIT_TEXT, 0},
    [PID] = {"pid", NULL, "its number", UNIT_NUMBER, 0},
    [WORKERS] = {"workers", NULL, "its children", UNIT_COUNT, 0},
    [WAITED] = {"share", NULL,
                "that they waited: IDLE: of the time in which they waited or had a processor",
                UNIT_FRACTION, 0},
    [SAVED] = {"saved_share", NULL, "of the parent's wall time, at most", UNIT_FRACTION, 0},
    [WHAT] = {"advice", NULL, "what was found, and what to do", UNIT_TEXT, 0},
};

static const struct table_schema schema = {"findings", "Findings", columns,
                                           sizeof columns / sizeof *columns, NULL};

static bool is_of_team(const struct team *team, const struct link_process *process)
{
    return process->parent_pid == team->parent->pid && process != team->parent &&
           strcmp(process->name, team->name) == 0;
}

static void sum_members(struct team *team, const struct job_links *links)
{
    double sum = 0;

    for (uint32_t i = 0; i < links->processes.count; i++) {
        const struct link_process *process = links_process(links, i);

        if (!is_of_team(team, process))
            continue;
        team->count++;
        sum += process->waiting_share;
        team->has_orders |= links_reads_from(links, i, team->parent_index);
    }
    team->waiting_share = sum / (double)team->count;
}

static bool has_member(const struct team *team, const struct job_links *links,
                       const struct link *link)
{
    for (uint32_t i = 0; i < links->processes.count; i++)
        if (is_of_team(team, links_process(links, i)) &&
            link_has_peer(link, links_process(links, i)->pid))
            return true;
    return false;
}

/* Only pipes count: a parent that waits for the end of its children has no work left. */
static void sum_links(struct team *team, const struct job_links *links, const struct array *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct link *link = array_at(rows, i);

        if (link->end->inode == 0 || link->end->writes)
            continue;
        if (link->process == team->parent_index && has_member(team, links, link))
            team->for_them_ns += link->waiting_ns;
    }
}

/* A team is counted at the first of its members. */
static bool is_first(const struct team *team, const struct job_links *links, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++)
        if (is_of_team(team, links_process(links, i)))
            return false;
    return true;
}

static bool find_team(struct team *team, const struct job_links *links, const struct array *rows,
                      uint32_t index)
{
    const struct link_process *process = links_process(links, index);

    for (uint32_t i = 0; i < links->processes.count; i++) {
        const struct link_process *parent = links_process(links, i);

        if (i == index || parent->pid != process->parent_pid)
            continue;
        *team = (struct team){.parent = parent, .parent_index = i, .name = process->name};
        if (!is_first(team, links, index))
            return false;
        sum_members(team, links);
        sum_links(team, links, rows);
        return true;
    }
    return false;
}

static bool has_own_work(const struct link_process *parent)
{
    return parent->cpu_ns > worked_share * parent->wall_ns;
}

/* The share of its wall time that the parent waited for them.  The cap is its own waiting, as one
 * of its threads may wait all the time. */
static double starved_part(const struct team *team)
{
    return fmin(team->for_them_ns, team->parent->waiting_ns) / team->parent->wall_ns;
}

static bool is_starved(const struct team *team)
{
    return has_own_work(team->parent) && starved_part(team) >= starved_share &&
           team->waiting_share < idle_share;
}

/* If the parent waits, too, there is no work: a server waits for requests. */
static bool is_idle(const struct team *team)
{
    return team->parent->waiting_share < idle_share && team->waiting_share >= idle_share &&
           team->has_orders && starved_part(team) < starved_high;
}

static void add_row(struct table *table, const struct team *team, const char *id, struct text *what)
{
    bool is_team_starved = is_starved(team);
    struct value *values = table_add_row(table);

    value_set_text(&values[ID], id);
    value_set_text(&values[PROCESS], team->parent->name);
    value_set_integer(&values[PID], team->parent->pid);
    value_set_unsigned(&values[WORKERS], team->count);
    value_set_real(&values[WAITED], is_team_starved ? starved_part(team) : team->waiting_share);
    if (is_team_starved)
        value_set_real(&values[SAVED], starved_part(team));
    value_set_text(&values[WHAT], what->bytes);
}

/* Returns: whether there was anything to say. */
static bool say_team(struct text *what, const struct team *team)
{
    const struct said parent = said_words(team->parent->name), count = said_count(team->count);

    if (is_starved(team) && team->busy >= busy_high)
        say(what, job_full_text, parent, said_share(starved_part(team)), count,
            said_share(team->busy));
    else if (is_starved(team))
        say(what, job_starved_text, parent, said_share(starved_part(team)), count);
    else if (is_idle(team))
        say(what, job_idle_text, count, parent, said_share(team->waiting_share));
    return what->size > 0;
}

static void add_team(struct table *table, struct text_list *lines, const struct team *team)
{
    struct text what, line;

    text_init(&what);
    if (!say_team(&what, team)) {
        text_fini(&what);
        return;
    }
    text_init(&line);
    text_appendf(&line, "  %s", what.bytes);
    add_row(table, team, is_starved(team) ? "STARVED" : "IDLE", &what);
    text_fini(&what);
    text_list_take(lines, &line);
    return;
    text_fini(&line);
}

static void add_teams(struct table *table, struct text_list *lines, const struct job_links *links,
                      double busy)
{
    struct array rows;

    links_sum_up(&rows, links);
    for (uint32_t i = 0; i < links->processes.count; i++) {
        struct team team;

        if (!find_team(&team, links, &rows, i))
            continue;
        team.busy = busy;
        add_team(table, lines, &team);
    }
    links_fini(&rows);
}

void job_advice_add(const struct job_links *links, double busy, const struct text *last,
                    struct document *document)
{
    struct table *table = document_start_table(document, "findings", SECTION_IN_JSON, &schema);
    struct text_list found;

    text_list_init(&found);
    add_teams(table, &found, links, busy);
    if (last->size > 0)
        text_list_addf(&found, "  %s", last->bytes);
    if (text_list_count(&found) > 0) {
        struct text_list *lines = document_add_lines(document, "Do first");

        for (size_t i = 0; i < text_list_count(&found); i++)
            text_list_add(lines, text_list_at(&found, i));
    }
    text_list_fini(&found);
}
