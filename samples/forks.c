/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Children that compute: forks three, which make different numbers of products,
 * makes one product itself and waits.  A profiler must give each process its
 * own trace.  The ids go to stderr, beside the counts: stdout is the same on
 * each run.
 */
#include "truth.h"

#include <cblas.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILDREN = 3, SIDE = 64 };

void openblas_set_num_threads(int count) __attribute__((weak));

static struct truth truth;

static void multiply(int count)
{
    static float left[SIDE * SIDE], right[SIDE * SIDE], sum[SIDE * SIDE];

    for (int i = 0; i < count; i++) {
        truth_count(&truth, (struct truth_shape){TRUTH_SGEMM, SIDE, SIDE, SIDE});
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, SIDE, SIDE, SIDE, 1.0f, left, SIDE,
                    right, SIDE, 0.0f, sum, SIDE);
    }
}

/* Process 0 is the parent; child i makes ten products more than the one
 * before. */
static int process_calls(int index)
{
    return 1 + 10 * index;
}

static void compute(int index)
{
    multiply(process_calls(index));
    fprintf(stderr, "truth: pid %ld gemm_calls %" PRIu64 "\n", (long)getpid(),
            truth_calls(&truth, TRUTH_SGEMM));
}

static void start_child(int index)
{
    pid_t child = fork();

    if (child < 0) {
        perror("forks: fork");
        exit(EXIT_FAILURE);
    }
    if (child == 0) {
        compute(index);
        exit(EXIT_SUCCESS);
    }
}

/* Returns: how many children ended well. */
static int wait_for_children(void)
{
    int status, ended = 0;

    while (wait(&status) > 0)
        ended += WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
    return ended;
}

int main(void)
{
    int calls = 0;

    if (openblas_set_num_threads)
        openblas_set_num_threads(1);
    for (int i = 1; i <= CHILDREN; i++)
        start_child(i);
    compute(0);
    if (wait_for_children() != CHILDREN)
        return EXIT_FAILURE;
    for (int i = 0; i <= CHILDREN; i++) {
        printf("truth: process %d gemm_calls %d\n", i, process_calls(i));
        calls += process_calls(i);
    }
    printf("truth: processes %d\ntruth: gemm_calls %d\n", CHILDREN + 1, calls);
    printf("truth: gemm_flops %" PRIu64 "\n", 2 * (uint64_t)SIDE * SIDE * SIDE * (uint64_t)calls);
    return 0;
}
