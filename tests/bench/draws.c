/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * draws: how often the intervals of estimates by drawn blocks have the truth.
 *
 *     draws TRACE DISTANCE [DRAWS [CHAINS [BLOCKS [COARSER]]]]
 *
 * TRACE must be recorded exactly: with TPROF_OVERHEAD=none TPROF_DISK=none.  The trace is thinned
 * DRAWS times with random points DISTANCE bytes apart, with stages that start at shares CHAINS and
 * BLOCKS of its records (2: never), and read each time.  For each site with at least 30 drawn
 * blocks, the 95 % interval contains the truth or not.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <uthash.h>

#include "heap/heap_sums.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_heap.h"
#include "model/session_open.h"
#include "model/session_unknown.h"
#include "thinner.h"

enum { LEAST_DRAWN = 30, PATH = 64 };

static const double normal_95 = 1.959964;

/* True counts of a site; its call identifies it, and is the same in every trace. */
/* The truth of a site.  A session numbers calls in the order of their first use, so a site is known
 * by the addresses of its chain. */
struct truth {
    uint64_t key;
    double allocations;
    double allocated;
    double live[2]; /* by enum session_heap_unit */
    double peak[2];
    UT_hash_handle hh;
};

static struct truth *truths;

enum figure { ALLOCATIONS, ALLOCATED, LIVE, PEAK, GROUPED, FIGURES };

/* Sites by their calls, as functions and libraries gather them. */
enum { GROUPS = 8 };

static const char *const names[] = {"obtained calls", "obtained bytes", "live at the end",
                                    "live at the peak", "bytes of groups"};

struct tally {
    double rows;
    double covered;
    double too_low; /* the whole interval */
    double off;     /* sums of errors over standard errors */
    double squares;
    double width; /* half the width of an interval, divided by the truth */
    double sums;  /* number of runs whose rows sum up to the total */
    double runs;
};

static void fail(const char *why)
{
    fprintf(stderr, "draws: %s\n", why);
    exit(1);
}

static void open_session(struct session *session, int descriptor)
{
    const struct session_options options = session_defaults();
    struct diagnostic diagnostic = {.text = ""};
    char path[PATH];

    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    if (session_open(session, path, &options, &diagnostic))
        fail(diagnostic.text);
}

/* ---- the truth --------------------------------------------------------- */

static uint64_t key_of(const struct session *session, const struct session_site *site)
{
    uint64_t key = site->binding;

    for (uint32_t call = site->call; call != 0; call = session_call_at(session, call)->parent)
        key = (key ^ session_call_at(session, call)->address) * UINT64_C(0x9e3779b97f4a7c15);
    return key;
}

static struct truth *find_or_add(const struct session *session, const struct session_site *site)
{
    uint64_t key = key_of(session, site);
    struct truth *truth;

    HASH_FIND(hh, truths, &key, sizeof key, truth);
    if (truth)
        return truth;
    truth = calloc(1, sizeof *truth);
    if (!truth)
        fail("no memory");
    truth->key = key;
    HASH_ADD(hh, truths, key, sizeof truth->key, truth);
    return truth;
}

static void add_truth(const struct session *session, enum session_heap_unit unit)
{
    const struct session_site *site = session->sites.items;

    for (size_t i = 0; i < session->sites.count; i++) {
        struct truth *to = find_or_add(session, &site[i]);

        to->live[unit] += (double)site[i].live_bytes;
        to->peak[unit] += (double)site[i].peak_bytes;
        if (unit == SESSION_HEAP_USABLE)
            continue;
        to->allocations += (double)site[i].allocations;
        to->allocated += (double)site[i].allocated_bytes;
    }
}

static void find_truth(struct thinner *thinner, const char *path, int descriptor)
{
    const struct session_options options = session_defaults();
    struct diagnostic diagnostic = {.text = ""};
    struct session session;

    if (session_open(&session, path, &options, &diagnostic))
        fail(diagnostic.text);
    if (!session.heap.is_exact)
        fail("the trace is not exact");
    add_truth(&session, SESSION_HEAP_REQUESTED);
    session_close(&session);
    if (!thinner_write_usable(thinner, descriptor))
        fail("no memory");
    open_session(&session, descriptor);
    add_truth(&session, SESSION_HEAP_USABLE);
    printf("# usable: peak %.0f, live %.0f\n", (double)session.heap.peak_bytes,
           (double)session.heap.live_bytes);
    session_close(&session);
}

/* ---- draws ------------------------------------------------------------- */

static void count(struct tally *tally, double estimate, double error, double truth)
{
    double off = estimate - truth;

    if (isnan(truth))
        return;
    tally->rows++;
    tally->covered += fabs(off) <= normal_95 * error + 0.5;
    tally->too_low += off < -(normal_95 * error + 0.5);
    if (error > 0) {
        tally->off += off / error;
        tally->squares += off / error * (off / error);
    }
    if (truth > 0)
        tally->width += normal_95 * error / truth;
}

static void count_site(struct tally tallies[FIGURES], const struct session_site *site,
                       const struct truth *truth, const struct session_heap *heap)
{
    if (site->drawn >= LEAST_DRAWN) {
        count(&tallies[ALLOCATIONS], (double)site->allocations, site->allocations_error,
              truth->allocations);
        count(&tallies[ALLOCATED], (double)site->allocated_bytes, site->allocated_error,
              truth->allocated);
    }
    if (site->estimate && site->estimate->live_drawn >= LEAST_DRAWN)
        count(&tallies[LIVE], (double)site->live_bytes, site->live_error,
              truth->live[heap->live_unit]);
    if (site->estimate && site->estimate->peak_drawn >= LEAST_DRAWN)
        count(&tallies[PEAK], (double)site->peak_bytes, site->peak_error,
              truth->peak[heap->peak_unit]);
}

/* Sites without a drawn block are a part of the group, too. */
static void count_groups(struct tally *tally, const struct session *session)
{
    struct heap_sums groups[GROUPS] = {{0}};
    double allocated[GROUPS] = {0};

    for (const struct truth *truth = truths; truth; truth = truth->hh.next)
        allocated[truth->key % GROUPS] += truth->allocated;
    for (uint32_t i = 0; i < session->sites.count; i++) {
        const struct session_site *site = session_site_at(session, i);

        if (i != session->heap.undrawn_site)
            heap_sums_add(&groups[key_of(session, site) % GROUPS], site);
    }
    for (int i = 0; i < GROUPS; i++)
        count(tally, (double)groups[i].allocated_bytes,
              heap_sums_share_error(&groups[i], &session->heap, SESSION_SHARE_OBTAINED),
              allocated[i]);
}

static void check_sum(struct tally *tally, double sum, uint64_t whole)
{
    tally->runs++;
    tally->sums += fabs(sum - (double)whole) <= 1e-6 * (double)whole + 4096;
}

static void count_session(struct tally tallies[FIGURES], const struct session *session)
{
    const struct session_site *site = session->sites.items;
    double sums[FIGURES] = {0};

    for (size_t i = 0; i < session->sites.count; i++) {
        sums[ALLOCATIONS] += (double)site[i].allocations;
        sums[ALLOCATED] += (double)site[i].allocated_bytes;
        sums[LIVE] += (double)site[i].live_bytes;
        sums[PEAK] += (double)site[i].peak_bytes;
        if (i != session->heap.undrawn_site)
            count_site(tallies, &site[i], find_or_add(session, &site[i]), &session->heap);
    }
    count_groups(&tallies[GROUPED], session);
    check_sum(&tallies[ALLOCATIONS], sums[ALLOCATIONS], session->heap.allocations);
    check_sum(&tallies[ALLOCATED], sums[ALLOCATED], session->heap.allocated_bytes);
    check_sum(&tallies[LIVE], sums[LIVE], session->heap.live_bytes);
    check_sum(&tallies[PEAK], sums[PEAK], session->heap.peak_bytes);
}

static void draw(struct thinner *thinner, const struct thinner_plan *plan, int descriptor,
                 struct tally tallies[FIGURES])
{
    struct session session;

    if (!thinner_write(thinner, plan, descriptor))
        fail("no memory");
    open_session(&session, descriptor);
    if (plan->seed == 1) {
        double drawn = 0, blocks = 0;
        for (size_t i = 0; i < session.sites.count; i++) {
            const struct session_site *site = session_site_at(&session, i);
            drawn += (double)site->drawn;
            blocks += site->estimate ? (double)site->estimate->live_drawn : 0;
        }
        printf("# first: drawn %.0f, live drawn %.0f, sites %zu, reason %s, live %.0f peak %.0f at "
               "%.0f ns; bad %.0f\n",
               drawn, blocks, session.sites.count,
               session.heap.reason ? session.heap.reason : "none", (double)session.heap.live_bytes,
               (double)session.heap.peak_bytes, (double)session.heap.peak_time_ns,
               (double)session.losses.bad_records);
    }
    count_session(tallies, &session);
    session_close(&session);
}

static void print(const struct tally *tally, const char *name)
{
    double rows = tally->rows > 0 ? tally->rows : 1;

    printf("%-17s %9.0f rows  covered %5.1f %%  low %4.1f %%  bias %+5.2f  spread %4.2f  "
           "half width %5.1f %%  sums %.0f of %.0f\n",
           name, tally->rows, 100 * tally->covered / rows, 100 * tally->too_low / rows,
           tally->off / rows, sqrt(tally->squares / rows), 100 * tally->width / rows, tally->sums,
           tally->runs);
}

static double argument(char **argv, int argc, int at, double otherwise)
{
    return at < argc ? strtod(argv[at], NULL) : otherwise;
}

int main(int argc, char **argv)
{
    int descriptor = memfd_create("draws", MFD_CLOEXEC);
    struct tally tallies[FIGURES] = {{0}};
    struct thinner *thinner;

    if (argc < 3 || descriptor < 0)
        fail("usage: draws TRACE DISTANCE [DRAWS [CHAINS [BLOCKS [COARSER]]]]");
    thinner = thinner_open(argv[1]);
    if (!thinner)
        return 1;
    struct thinner_plan plan = {.distance = (uint64_t)strtod(argv[2], NULL),
                                .chains = argument(argv, argc, 4, 2),
                                .blocks = argument(argv, argc, 5, 0.2),
                                .coarser = argument(argv, argc, 6, 2)};
    find_truth(thinner, argv[1], descriptor);
    printf("# %s: %zu records of blocks, %g draws, points %.0f bytes apart\n", argv[1],
           thinner_count(thinner), argument(argv, argc, 3, 200), (double)plan.distance);
    for (plan.seed = 1; plan.seed <= argument(argv, argc, 3, 200); plan.seed++)
        draw(thinner, &plan, descriptor, tallies);
    for (int i = 0; i < FIGURES; i++)
        print(&tallies[i], names[i]);
    thinner_close(thinner);
    return 0;
}
