/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cost of a range of NVTX or ITT, beside that of a region of tprof.h.
 *
 *     LD_PRELOAD=libtprof.so ./bench_ranges     costs with the shim
 *     ./bench_ranges                            costs without a tool
 *
 * Short rounds of each alternate; the least and the median round are printed.
 */
#include <time.h>

#include "../system/itt_client.h"
#include "../system/nvtx_client.h"
#include "tprof.h"

enum { ROUNDS = 201, RANGES = 2000 };

static void *domain, *registered;
static struct itt_domain *tasks;
static struct itt_string *task;

static void regions(void)
{
    for (int i = 0; i < RANGES; i++) {
        tprof_region_begin("bench");
        tprof_region_end("bench");
    }
}

static void plain(void)
{
    for (int i = 0; i < RANGES; i++) {
        nvtx_push("a range of the bench");
        nvtx_pop();
    }
}

static void in_domain(void)
{
    struct nvtx_attributes look = nvtx_look(NULL);

    look.message_type = NVTX_MESSAGE_REGISTERED;
    look.message = registered;
    for (int i = 0; i < RANGES; i++) {
        nvtx_domain_push(domain, &look);
        nvtx_domain_pop(domain);
    }
}

static void spans(void)
{
    for (int i = 0; i < RANGES; i++)
        nvtx_range_end(nvtx_range_start("a span of the bench"));
}

static void all_tasks(void)
{
    for (int i = 0; i < RANGES; i++) {
        ITT_IN(tasks, task_begin, itt_null, itt_null, task);
        ITT_IN(tasks, task_end);
    }
}

static struct subject {
    const char *name;
    void (*run)(void);
    double rounds_ns[ROUNDS]; /* of a range */
} subjects[] = {
    {.name = "region of tprof.h", .run = regions},   {.name = "range of NVTX", .run = plain},
    {.name = "range of a domain", .run = in_domain}, {.name = "task of ITT", .run = all_tasks},
    {.name = "span of NVTX", .run = spans},
};

static double now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int compare(const void *left, const void *right)
{
    double l = *(const double *)left, r = *(const double *)right;

    return (l > r) - (l < r);
}

int main(void)
{
    domain = nvtx_domain("bench");
    registered = nvtx_register(domain, "registered");
    tasks = ITT_CALL(domain_create, NULL, "bench");
    task = ITT_CALL(string_handle_create, NULL, "task");
    for (int round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
            double start = now_ns();

            subjects[i].run();
            subjects[i].rounds_ns[round] = (now_ns() - start) / RANGES;
        }
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
        qsort(subjects[i].rounds_ns, ROUNDS, sizeof(double), compare);
        printf("%-20s least %6.1f ns, median %6.1f ns\n", subjects[i].name,
               subjects[i].rounds_ns[0], subjects[i].rounds_ns[ROUNDS / 2]);
    }
    return 0;
}
