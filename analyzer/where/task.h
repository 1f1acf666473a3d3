/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A thread of another process, from /proc: its state, and the place where a waiting thread entered
 * Linux.  Nothing here stops the thread.
 */
#ifndef WHERE_TASK_H
#define WHERE_TASK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/array.h"
#include "base/attributes.h"
#include "base/status.h"

enum {
    TASK_NAME_SIZE = 64,     /* Linux has 16; its own threads have more */
    TASK_TARGET_SIZE = 256,  /* size of a descriptor's target */
    TASK_FUNCTION_SIZE = 64, /* size of the name of a Linux function */
};

enum task_state {
    TASK_RUNNING, /* on a processor, or ready for one */
    TASK_WAITING, /* waits for an event; can be interrupted */
    TASK_BLOCKED, /* in Linux, and cannot be interrupted: for a disk, for memory */
    TASK_STOPPED, /* stopped by a signal, such as that of Ctrl-Z */
    TASK_TRACED,  /* stopped by a debugger */
    TASK_ENDED,
    TASK_STATES
};

struct task {
    pid_t pid;
    pid_t tid;
    char name[TASK_NAME_SIZE];
    enum task_state state;
    int processor;        /* the last one; -1 when unknown */
    uint64_t cpu_ns;      /* used processor time; UINT64_MAX when unknown */
    uint64_t switches;    /* how often it left a processor; constant while it waits */
    bool is_in_linux;     /* it waits in Linux, and these are known: */
    const char *call;     /* the system call; NULL: none, or one without a name */
    uint64_t stack;       /* its stack pointer */
    uint64_t instruction; /* the next one */
    char target[TASK_TARGET_SIZE];     /* the target of the call's descriptor, or "" */
    char function[TASK_FUNCTION_SIZE]; /* the function of Linux that it waits in, or "" */
};

/* Look at a thread.
 *
 * Errors: STATUS_NOT_FOUND: the thread is gone; STATUS_IO: Linux refuses to say where it waits.
 * The task still has all known fields. */
enum status task_look(struct task *task, pid_t pid, pid_t tid) MUST_CHECK;

/* Ask whether a thread has waited without a break since task_look. */
bool task_is_unmoved(const struct task *task);

/* Ask whether the program could notice that a waiting thread is interrupted. */
bool task_would_notice(const struct task *task);

/* Add the thread numbers of a process, as pid_t, in the order of their start.
 *
 * Errors: STATUS_NOT_FOUND: it is gone. */
enum status task_list(struct array *tids, pid_t pid) MUST_CHECK;

/* Give the word for a state: "waiting". */
const char *task_state_word(enum task_state state);

#endif
