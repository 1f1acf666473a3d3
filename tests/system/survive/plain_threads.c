/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The first thread allocates while the second, from thrd_create, makes its first records.  Prints
 * the number of blocks of both.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>

enum { BLOCKS = 20000, AFTER = 500 };

static atomic_long blocks;
static atomic_bool is_done;

static void use_block(size_t size)
{
    free(malloc(size));
    blocks++;
}

static int work(void *unused)
{
    (void)unused;
    for (int i = 0; i < AFTER; i++)
        use_block(100);
    is_done = true;
    return 7;
}

int main(void)
{
    thrd_t thread;
    int result = 0;

    if (thrd_create(&thread, work, NULL) != thrd_success)
        return 1;
    for (int i = 0; i < BLOCKS && !is_done; i++)
        use_block(64);
    for (int i = 0; i < AFTER; i++)
        use_block(64);
    thrd_join(thread, &result);
    printf("%ld %d\n", blocks, result);
    return 0;
}
