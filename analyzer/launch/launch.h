/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Starts a program under the shim, for several commands.
 */
#ifndef LAUNCH_LAUNCH_H
#define LAUNCH_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Find libtprof.so next to this program, in a build folder or installed.
 * Returns: NULL, or why it cannot be preloaded, with a remedy. */
const char *launch_find_shim(char *path, size_t size);

/* Preload the shim, before other libraries to preload. */
void launch_preload(const char *shim);

/* Find the file that execvp would run.  Returns: false when there is none. */
bool launch_find_program(const char *name, char *path, size_t size);

/* Actions between fork and exec; each may be NULL. */
struct launch_hooks {
    void (*prepare)(void *of);              /* in the child */
    void (*release)(pid_t child, void *of); /* in the parent, while the child waits */
    void *of;
};

/* Start a program.  Returns: 0, or why it cannot be executed. */
int launch_start(char **argv, pid_t *child, const struct launch_hooks *hooks);

/* A program that ran. */
struct launched {
    pid_t child;
    int status; /* status of waitpid */
};

/* Start a program and wait for its end.  Meanwhile our signals are passed on to the program;
 * afterwards they stay blocked, so that tprof ends as the program ended.
 * Returns: 0, or why it cannot be executed. */
int launch_and_wait(char **argv, const struct launch_hooks *hooks, struct launched *launched);

/* Ignore SIGPIPE: a closed pipe is then a write error.  Started programs get the former
 * handling. */
void launch_ignore_pipes(void);
void launch_restore_pipes(void);

#endif
