/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ways a program leaves without running its exit handlers: _exit, quick_exit and the exec
 * family, exported, so that the trace says how it ended.  A vfork child runs in its parent's
 * memory, and is not recorded.  A clone child may not even have thread-local storage, so errno
 * is not touched before the process is known to be ours.
 */
#include <alloca.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "platform/next.h"
#include "record/process.h"
#include "sampler/cpu_timers.h"

static void note_ending(enum trace_ending ending, int status)
{
    int saved_errno;

    if (!process_is_own())
        return;
    saved_errno = errno;
    if (ending == TRACE_EXECUTED)
        cpu_timers_hide_pending(); /* the new program keeps this thread's signal mask */
    process_end(ending, status);
    errno = saved_errno;
}

/* exec came back: it failed, and the program goes on. */
static int note_return(int result)
{
    int saved_errno;

    if (!process_is_own())
        return result;
    saved_errno = errno;
    process_resume();
    errno = saved_errno;
    return result;
}

/* The next _exit ends it, not a system call: a sanitizer's may return another status. */
EXPORT _Noreturn void _exit(int status)
{
    note_ending(TRACE_QUIT, status);
    next._exit(status);
    __builtin_unreachable();
}

EXPORT _Noreturn void _Exit(int status)
{
    note_ending(TRACE_QUIT, status);
    next._Exit(status);
    __builtin_unreachable();
}

/* The status is stored for shim.c, whose handler runs after the program's. */
EXPORT _Noreturn void quick_exit(int status)
{
    if (process_is_own())
        process_store_status(status);
    next.quick_exit(status);
    __builtin_unreachable();
}

EXPORT int execve(const char *path, char *const *argv, char *const *envp)
{
    note_ending(TRACE_EXECUTED, 0);
    return note_return(next.execve(path, argv, envp));
}

EXPORT int execv(const char *path, char *const *argv)
{
    note_ending(TRACE_EXECUTED, 0);
    return note_return(next.execv(path, argv));
}

EXPORT int execvp(const char *file, char *const *argv)
{
    note_ending(TRACE_EXECUTED, 0);
    return note_return(next.execvp(file, argv));
}

EXPORT int execvpe(const char *file, char *const *argv, char *const *envp)
{
    note_ending(TRACE_EXECUTED, 0);
    return note_return(next.execvpe(file, argv, envp));
}

EXPORT int fexecve(int descriptor, char *const *argv, char *const *envp)
{
    note_ending(TRACE_EXECUTED, 0);
    return note_return(next.fexecve(descriptor, argv, envp));
}

/* Call exec with the arguments of execl and its like as an array.  The array is on the stack: this
 * may be a child of a program with many threads, which must not allocate.  The environment comes
 * after the NULL, or is the program's own. */
static int execute_list(int (*execute)(const char *, char *const *, char *const *),
                        const char *file, const char *first, va_list rest, bool has_environment)
{
    size_t count = 1;
    va_list again;
    char **argv;

    va_copy(again, rest);
    for (const char *argument = first; argument; argument = va_arg(again, const char *))
        count++;
    va_end(again);
    argv = alloca(count * sizeof *argv);
    argv[0] = (char *)first;
    for (size_t i = 1; i < count; i++)
        argv[i] = va_arg(rest, char *);
    return execute(file, argv, has_environment ? va_arg(rest, char *const *) : environ);
}

#define EXECUTE_LIST(name, execute, has_environment)                                               \
    EXPORT int name(const char *file, const char *first, ...)                                      \
    {                                                                                              \
        va_list rest;                                                                              \
        int result;                                                                                \
                                                                                                   \
        va_start(rest, first);                                                                     \
        result = execute_list(execute, file, first, rest, has_environment);                        \
        va_end(rest);                                                                              \
        return result;                                                                             \
    }

EXECUTE_LIST(execl, execve, false)
EXECUTE_LIST(execlp, execvpe, false)
EXECUTE_LIST(execle, execve, true)
