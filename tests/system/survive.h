/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blocks that are counted by hand, for programs that break preloaded profilers.  All counted calls
 * are in the region "work"; survive_print prints the truth by write(2), because stdio would
 * allocate.
 *
 * Safety: from any thread and any signal handler that may call malloc.
 */
#ifndef TESTS_SYSTEM_SURVIVE_H
#define TESTS_SYSTEM_SURVIVE_H

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tprof.h>

struct survive_truth {
    _Atomic uint64_t allocations, frees, bytes;
};

static struct survive_truth survive_truth;

static inline _Noreturn void survive_give_up(const char *what)
{
    perror(what);
    _exit(EXIT_FAILURE);
}

static inline void *survive_count(void *block, size_t size)
{
    if (!block)
        survive_give_up("no block");
    survive_truth.allocations++;
    survive_truth.bytes += size;
    return block;
}

static inline void *survive_obtain(size_t size)
{
    return survive_count(malloc(size), size);
}

static inline void *survive_resize(void *block, size_t size)
{
    if (block)
        survive_truth.frees++;
    return survive_count(realloc(block, size), size);
}

static inline void survive_release(void *block)
{
    survive_truth.frees++;
    free(block);
}

/* A block is obtained, moved and freed. */
static inline void survive_churn(size_t size)
{
    char *block = survive_obtain(size);

    block[0] = 1;
    block = survive_resize(block, 4 * size);
    if (block[0] != 1)
        survive_give_up("contents were lost");
    survive_release(block);
}

static inline void survive_write(const char *line, int size)
{
    if (write(STDOUT_FILENO, line, (size_t)size) != size)
        _exit(EXIT_FAILURE);
}

static inline void survive_say(const char *name, uint64_t value)
{
    char line[100];

    survive_write(line,
                  snprintf(line, sizeof line, "truth: %s %llu\n", name, (unsigned long long)value));
}

static inline void survive_print(void)
{
    survive_say("allocations", survive_truth.allocations);
    survive_say("frees", survive_truth.frees);
    survive_say("allocated_bytes", survive_truth.bytes);
}

/* An action that a program can be told to do. */
struct survive_verb {
    const char *name;
    void (*run)(void);
};

/* Do it and print the truth.  Returns: the exit status; 2 when the verb is unknown. */
static inline int survive_run(const struct survive_verb *verbs, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(verbs[i].name, name) == 0) {
            verbs[i].run();
            survive_print();
            return 0;
        }
    return 2;
}

#endif
