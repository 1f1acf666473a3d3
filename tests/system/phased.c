/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program that starts up, warms up, works in steps and ends, and prints how much it did of each:
 *
 *     phased steps|marked
 *
 * Each phase naps, burns processor time, obtains blocks and reads bytes, in amounts of its own.
 * With `steps` a region "step" marks each step, and the first steps take longer.  With `marked`
 * regions mark the phases, and nothing marks steps.  A JSON object tells the truth,
 * with the times that passed by the program's own clocks.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <tprof.h>

enum { NS_PER_MS = 1000000, PIECE = 1 << 16, REST_MS = 3 };

/* The work of one round of a phase. */
static const struct plan {
    const char *name;
    const char *region; /* when the phases are marked */
    bool is_of_steps;
    int rounds;
    int nap_ms;
    int burn_ms;
    int blocks;
    size_t size;
    int pieces;
} plans[] = {
    {"start-up", "startup", false, 1, 120, 200, 400, 5000, 64},
    {"warm-up", "warmup", true, 4, 10, 50, 50, 3000, 4},
    {"steady", "work", true, 25, 4, 12, 20, 1000, 2},
    {"end", "teardown", false, 1, 60, 100, 70, 700, 16},
};

enum { PLANS = sizeof plans / sizeof *plans };

static int zero;
static char piece[PIECE];
static volatile uint64_t sum;
static void *volatile kept;

static uint64_t read_clock(clockid_t clock)
{
    struct timespec time;

    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static uint64_t napped_ns; /* by the clock: a busy machine wakes late */

static void nap(int ms)
{
    const struct timespec time = {0, (long)ms * NS_PER_MS};
    uint64_t start_ns = read_clock(CLOCK_MONOTONIC);

    nanosleep(&time, NULL);
    napped_ns += read_clock(CLOCK_MONOTONIC) - start_ns;
}

static void burn(int ms)
{
    uint64_t end = read_clock(CLOCK_PROCESS_CPUTIME_ID) + (uint64_t)ms * NS_PER_MS;

    while (read_clock(CLOCK_PROCESS_CPUTIME_ID) < end)
        for (int i = 0; i < 1000; i++)
            sum += (uint64_t)i;
}

static void run_round(const struct plan *plan)
{
    nap(plan->nap_ms);
    for (int i = 0; i < plan->blocks; i++) {
        kept = malloc(plan->size);
        free(kept);
    }
    for (int i = 0; i < plan->pieces; i++)
        if (read(zero, piece, sizeof piece) != sizeof piece)
            exit(EXIT_FAILURE);
    burn(plan->burn_ms);
}

static void run_rounds(const struct plan *plan, bool is_marked)
{
    for (int i = 0; i < plan->rounds; i++) {
        bool is_step = plan->is_of_steps && !is_marked;

        if (is_step)
            tprof_region_begin("step");
        run_round(plan);
        if (is_step)
            tprof_region_end("step");
    }
}

/* A rest before and after it keeps its work away from the borders. */
static void run_phase(const struct plan *plan, bool is_marked)
{
    if (is_marked)
        tprof_region_begin(plan->region);
    nap(REST_MS);
    run_rounds(plan, is_marked);
    nap(REST_MS);
    if (is_marked)
        tprof_region_end(plan->region);
}

static void tell(const struct plan *plan, uint64_t wall_ns, uint64_t cpu_ns)
{
    uint64_t rounds = (uint64_t)plan->rounds, blocks = rounds * (uint64_t)plan->blocks;

    printf("%s{\"name\": \"%s\", \"wall_ns\": %llu, \"cpu_ns\": %llu, \"wait_ns\": %llu, "
           "\"most_wait_ns\": %llu,"
           " \"allocations\": %llu, \"allocated_bytes\": %llu, \"read_bytes\": %llu}",
           plan == plans ? "" : ",\n", plan->name, (unsigned long long)wall_ns,
           (unsigned long long)cpu_ns,
           (unsigned long long)(rounds * (uint64_t)plan->nap_ms + 2 * REST_MS) * NS_PER_MS,
           (unsigned long long)napped_ns, (unsigned long long)blocks,
           (unsigned long long)(blocks * plan->size),
           (unsigned long long)(rounds * (uint64_t)plan->pieces * PIECE));
}

int main(int argc, char **argv)
{
    bool is_marked = argc == 2 && strcmp(argv[1], "marked") == 0;
    static char buffer[BUFSIZ];

    if (argc != 2 || (!is_marked && strcmp(argv[1], "steps") != 0)) {
        fprintf(stderr, "usage: phased steps|marked\n");
        return EXIT_FAILURE;
    }
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
    printf("[");
    for (const struct plan *plan = plans; plan < plans + PLANS; plan++) {
        uint64_t wall_ns = read_clock(CLOCK_MONOTONIC);
        uint64_t cpu_ns = read_clock(CLOCK_PROCESS_CPUTIME_ID);

        napped_ns = 0;
        run_phase(plan, is_marked);
        tell(plan, read_clock(CLOCK_MONOTONIC) - wall_ns,
             read_clock(CLOCK_PROCESS_CPUTIME_ID) - cpu_ns);
    }
    printf("]\n");
    return EXIT_SUCCESS;
}
