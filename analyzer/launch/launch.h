/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Starting a program under the shim, for the commands that do.
 */
#ifndef LAUNCH_LAUNCH_H
#define LAUNCH_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Find libtprof.so, beside this program, in a build folder or installed.
 * Returns: NULL, or why it cannot be preloaded and what to do. */
const char *launch_find_shim(char *path, size_t size);

/* Put it before what is to be preloaded already. */
void launch_preload(const char *shim);

/* Find the file that execvp would run.  Returns: false when there is none. */
bool launch_find_program(const char *name, char *path, size_t size);

/* What is to be done between fork and exec; each may be NULL. */
struct launch_hooks {
    void (*prepare)(void *of);              /* in the child */
    void (*release)(pid_t child, void *of); /* in the parent, while the child waits */
    void *of;
};

/* Start a program.  Returns: 0, or why it cannot be executed. */
int launch_start(char **argv, pid_t *child, const struct launch_hooks *hooks);

/* What became of a program. */
struct launched {
    pid_t child;
    int status; /* as waitpid has it */
};

/* Start a program and wait for its end.  What is sent to us meanwhile is passed on to
 * it; afterwards it is blocked, so that we end as the program ended.
 * Returns: 0, or why it cannot be executed. */
int launch_and_wait(char **argv, const struct launch_hooks *hooks, struct launched *launched);

/* Ignore SIGPIPE: a closed pipe is then a write error.  What is started has what
 * there was before. */
void launch_ignore_pipes(void);
void launch_restore_pipes(void);

#endif
