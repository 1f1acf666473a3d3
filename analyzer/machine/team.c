/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A team waits by looking, not by sleeping: a thread that is woken starts
 * microseconds later than one that looked.
 *
 * The caller writes job and of, then `round` with release; members read `round` with acquire.  They
 * meet at `ready`, so that all start together, and set `done` when their times are written.
 */
#include "machine/team.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/memory.h"
#include "machine/trials.h"

struct member {
    _Alignas(64) struct team *team;
    pthread_t thread;
    unsigned index;
    unsigned processor;
    double start;
    double end;
};

struct team {
    struct member *members;
    unsigned count;
    cpu_set_t before; /* affinity of the caller's thread */
    team_job job;     /* NULL: leave */
    void *of;
    atomic_uint round;
    atomic_uint ready;
    atomic_uint done;
};

/* Yield now and then, in case two members share a processor. */
static void wait_until(atomic_uint *number, unsigned value)
{
    for (unsigned i = 1; atomic_load_explicit(number, memory_order_acquire) != value; i++)
        if (i % 4096 == 0)
            sched_yield();
}

static void move_to(unsigned processor)
{
    cpu_set_t set;

    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    sched_setaffinity(0, sizeof set, &set); /* if refused, it runs where it may */
}

static void take_part(struct member *member, unsigned round)
{
    struct team *team = member->team;

    atomic_fetch_add(&team->ready, 1);
    wait_until(&team->ready, round * team->count);
    member->start = trials_now();
    team->job(team->of, member->index);
    member->end = trials_now();
    atomic_fetch_add(&team->done, 1);
}

static void *run_member(void *of)
{
    struct member *member = of;
    struct team *team = member->team;

    move_to(member->processor);
    for (unsigned round = 1;; round++) {
        wait_until(&team->round, round);
        if (!team->job)
            return NULL;
        take_part(member, round);
    }
}

static void free_team(struct team *team)
{
    free(team->members);
    free(team);
}

static struct team *new_team(const unsigned *processors, unsigned count)
{
    struct team *team = memory_get_zeros(1, sizeof *team);

    team->members = aligned_alloc(_Alignof(struct member), count * sizeof *team->members);
    if (!team->members) {
        free(team);
        return NULL;
    }
    for (unsigned i = 0; i < count; i++)
        team->members[i] = (struct member){.team = team, .index = i, .processor = processors[i]};
    return team;
}

enum status team_start(struct team **result, const unsigned *processors, unsigned count)
{
    struct team *team = new_team(processors, count);

    sched_getaffinity(0, sizeof team->before, &team->before);
    for (team->count = 1; team->count < count; team->count++)
        if (pthread_create(&team->members[team->count].thread, NULL, run_member,
                           &team->members[team->count]) != 0) {
            team_stop(team);
            return STATUS_IO;
        }
    move_to(processors[0]);
    *result = team;
    return STATUS_OK;
}

double team_run(struct team *team, team_job job, void *of)
{
    double start, end;
    unsigned round;

    team->job = job;
    team->of = of;
    round = atomic_fetch_add_explicit(&team->round, 1, memory_order_release) + 1;
    take_part(&team->members[0], round);
    wait_until(&team->done, round * team->count);
    start = team->members[0].start;
    end = team->members[0].end;
    for (unsigned i = 1; i < team->count; i++) {
        start = team->members[i].start < start ? team->members[i].start : start;
        end = team->members[i].end > end ? team->members[i].end : end;
    }
    return end - start;
}

unsigned team_size(const struct team *team)
{
    return team->count;
}

void team_stop(struct team *team)
{
    team->job = NULL;
    atomic_fetch_add_explicit(&team->round, 1, memory_order_release);
    for (unsigned i = 1; i < team->count; i++)
        pthread_join(team->members[i].thread, NULL);
    sched_setaffinity(0, sizeof team->before, &team->before);
    free_team(team);
}
