/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Closes the descriptors 2 to 255, opens its own files until the numbers up to 39 are used again,
 * and works between two writes to each, long enough that the trace grows.  Each file must contain
 * its two lines and no more.
 *
 * usage: descriptors FOLDER
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gemm.h"

enum { FIRST = 2, LAST = 39, CLOSED = 255, BLOCKS = 100000, CALLS = 7 };

static void open_own(const char *folder, int expected)
{
    char path[4096];

    snprintf(path, sizeof path, "%s/%d", folder, expected);
    if (open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666) != expected)
        _exit(EXIT_FAILURE);
}

static void write_line(int descriptor, const char *word)
{
    char line[64];
    int size = snprintf(line, sizeof line, "%d %s\n", descriptor, word);

    if (write(descriptor, line, (size_t)size) != size)
        _exit(EXIT_FAILURE);
}

static void work(void)
{
    for (int i = 0; i < BLOCKS; i++) {
        void *volatile block = malloc(100);

        free(block);
    }
    gemm_call(CALLS);
}

int main(int count, char **arguments)
{
    if (count != 2)
        return 2;
    gemm_call(CALLS);
    for (int i = FIRST; i <= CLOSED; i++)
        close(i);
    for (int i = FIRST; i <= LAST; i++)
        open_own(arguments[1], i);
    for (int i = FIRST; i <= LAST; i++)
        write_line(i, "before");
    work();
    for (int i = FIRST; i <= LAST; i++)
        write_line(i, "after");
    printf("truth: gemm_calls %d\n", 2 * CALLS);
    return 0;
}
