/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs that load a model for most of their time and then work in steps of a kernel, with a
 * millisecond a round and five a step.
 *
 * usage: loader load ROUNDS STEPS   the steps free what they obtain
 *        loader leak ROUNDS STEPS   each step keeps a block
 *        loader serve ROUNDS STEPS  as load, and where it loads and works, nothing tells
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gemm.h"

enum { ROUND_US = 1000, STEP_US = 5000, ROW = 100, ROWS = 200, LEAKED = 100000, USAGE = 2 };

/* The compiler must not see that nobody reads the blocks. */
static void *volatile kept;

/* The compiler must not know that a call is the last action of a function. */
static volatile int returned;

/* Rows of a model, each a block, as of a reader of text. */
static void load_rows(void)
{
    for (int i = 0; i < ROWS; i++)
        kept = malloc(ROW);
    usleep(ROUND_US);
    returned = 0;
}

static void keep_result(void)
{
    kept = malloc(LEAKED);
    returned = 0;
}

static void use_block(void)
{
    void *volatile block = malloc(LEAKED);

    free(block);
}

static void run_step(bool has_kernel, bool leaks)
{
    if (has_kernel)
        gemm_call(1);
    if (leaks)
        keep_result();
    use_block();
    usleep(STEP_US);
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return USAGE;
    for (int i = 0; i < atoi(argv[2]); i++)
        load_rows();
    for (int i = 0; i < atoi(argv[3]); i++)
        run_step(strcmp(argv[1], "serve") != 0, strcmp(argv[1], "leak") == 0);
    return EXIT_SUCCESS;
}
