/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The observed stacks, with names.  Stacks are equal if their calls have the same functions and
 * lines, and their threads do the same.
 */
#ifndef WHERE_STACKS_H
#define WHERE_STACKS_H

#include <stdint.h>
#include <sys/types.h>

#include "base/array.h"
#include "base/attributes.h"
#include "base/hash.h"
#include "symbols/symbols.h"
#include "where/task.h"
#include "where/unwind.h"

struct frames;
struct image;

/* A thread of a stack. */
struct stack_thread {
    pid_t tid;
    char name[TASK_NAME_SIZE];
};

struct stack {
    UT_hash_handle hh;
    char *key;
    uint32_t index;      /* among all, from 0 on */
    struct array places; /* of struct place, innermost first */
    enum unwind_end end;
    struct task task;     /* the first such task; its target is common to all, or "" */
    struct array threads; /* of struct stack_thread, each once */
    uint64_t seen;        /* times a thread */
};

struct stacks;

/* `map`: names of code that the process made; its path must stay. */
struct stacks *stacks_new(const char *root, const struct symbols_map *map) MUST_CHECK;

void stacks_free(struct stacks *stacks);

/* One thread at one moment. */
struct stacks_sight {
    const struct task *task;
    const struct unwind_stack *calls; /* NULL: unknown */
    const struct image *image;        /* the image that contains them */
    const struct frames *frames;      /* frames of Python code, copied with them; NULL: none */
};

/* A new look starts. */
void stacks_begin_look(struct stacks *stacks);

/* Add a thread.  Returns: its stack. */
const struct stack *stacks_add(struct stacks *stacks, const struct stacks_sight *sight) MUST_CHECK;

size_t stacks_count(const struct stacks *stacks);

const struct stack *stacks_at(const struct stacks *stacks, size_t index);

/* Returns: the symbols, which say why names are missing. */
const struct symbols *stacks_symbols(const struct stacks *stacks);

#endif
