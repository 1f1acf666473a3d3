/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Phases of known work with naps between them, for windows of a run:
 *
 *     phases NAP_MS ROUNDS
 *
 * Each phase has its own numbers of blocks, kernel calls and items, in the region "phase".  The
 * region "all" is open from the first phase to the last.  A JSON object prints the truth, with
 * borders in the middle of the naps, in nanoseconds since the region "all" began.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <tprof.h>

#include "gemm.h"

enum { PHASES = 4, KEPT_MOST = 4096 };

/* In a round: blocks that come and go, blocks that stay, blocks of the previous phase that are
 * freed. */
static const struct phase {
    size_t size;
    int passing;
    int kept;
    int dropped;
    int calls;
    int items;
} phases[PHASES] = {
    {100, 10, 5, 0, 3, 1},
    {1000, 4, 0, 0, 7, 2},
    {250, 0, 2, 1, 0, 0},
    {3000, 6, 1, 1, 2, 5},
};

static struct {
    void *block;
    size_t size;
} kept[KEPT_MOST];

static size_t first_kept, kept_count, live_bytes, peak_bytes;
static struct timespec start;

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)((now.tv_sec - start.tv_sec) * 1000000000 + now.tv_nsec - start.tv_nsec);
}

static void nap(long half_ms)
{
    const struct timespec time = {half_ms / 1000, half_ms % 1000 * 1000000};

    nanosleep(&time, NULL);
}

static void *obtain(size_t size)
{
    char *block = malloc(size);

    if (!block)
        exit(EXIT_FAILURE);
    *(volatile char *)block = 1;
    live_bytes += size;
    peak_bytes = live_bytes > peak_bytes ? live_bytes : peak_bytes;
    return block;
}

static void keep(size_t size)
{
    kept[kept_count].block = obtain(size);
    kept[kept_count++].size = size;
}

static void drop(void)
{
    live_bytes -= kept[first_kept].size;
    free(kept[first_kept++].block);
}

static void run_round(const struct phase *phase)
{
    for (int i = 0; i < phase->passing; i++) {
        free(obtain(phase->size));
        live_bytes -= phase->size;
    }
    for (int i = 0; i < phase->kept; i++)
        keep(phase->size);
    for (int i = 0; i < phase->dropped; i++)
        drop();
    gemm_call(phase->calls);
    if (phase->items > 0)
        tprof_items((uint64_t)phase->items);
}

static void run_phase(const struct phase *phase, int rounds)
{
    tprof_region_begin("phase");
    for (int i = 0; i < rounds; i++)
        run_round(phase);
    tprof_region_end("phase");
}

static void tell(const struct phase *phase, int rounds, uint64_t from_ns)
{
    int obtained = rounds * (phase->passing + phase->kept);

    printf(
        "%s{\"from_ns\": %llu, \"to_ns\": %llu, \"allocations\": %d, \"allocated_bytes\": %zu,"
        " \"frees\": %d, \"live_bytes\": %zu, \"peak_bytes\": %zu, \"calls\": %d, \"items\": %d}",
        phase == phases ? "" : ",\n", (unsigned long long)from_ns, (unsigned long long)now_ns(),
        obtained, (size_t)obtained * phase->size, rounds * (phase->passing + phase->dropped),
        live_bytes, peak_bytes, rounds * phase->calls, rounds * phase->items);
}

int main(int argc, char **argv)
{
    long half_ms = argc == 3 ? strtol(argv[1], NULL, 10) / 2 : 0;
    int rounds = argc == 3 ? (int)strtol(argv[2], NULL, 10) : 0;
    static char buffer[BUFSIZ];

    if (half_ms <= 0 || rounds <= 0 || rounds > 500) {
        fprintf(stderr, "usage: phases NAP_MS ROUNDS, of which there are 500 at most\n");
        return EXIT_FAILURE;
    }
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    gemm_call(1); /* a library starts */
    clock_gettime(CLOCK_MONOTONIC, &start);
    tprof_region_begin("all");
    printf("{\"phases\": [");
    for (const struct phase *phase = phases; phase < phases + PHASES; phase++) {
        nap(half_ms);
        uint64_t from_ns = now_ns();
        nap(half_ms);
        peak_bytes = live_bytes;
        run_phase(phase, rounds);
        nap(half_ms);
        tell(phase, rounds, from_ns);
        nap(half_ms);
    }
    printf("]}\n");
    tprof_region_end("all");
    return EXIT_SUCCESS;
}
