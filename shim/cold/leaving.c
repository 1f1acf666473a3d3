/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ways a program leaves without running its exit handlers: _exit and the
 * exec family, exported, so that the trace says how it ended.  A child of
 * vfork runs in its parent's memory and is none of the trace's business.
 * The variadic members of the exec family cannot be passed on and are not
 * seen; such a trace ends without an exit.
 */
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cold/process.h"
#include "hot/next.h"

static void note_ending(enum trace_ending ending, int status)
{
    int saved_errno = errno;

    if (process_is_own())
        process_end(ending, status);
    errno = saved_errno;
}

/* exec came back: it failed, and the program goes on. */
static int note_return(int result)
{
    int saved_errno = errno;

    if (process_is_own())
        process_resume();
    errno = saved_errno;
    return result;
}

EXPORT _Noreturn void _exit(int status)
{
    note_ending(TRACE_QUIT, status);
    for (;;)
        syscall(SYS_exit_group, status);
}

EXPORT _Noreturn void _Exit(int status);
EXPORT _Noreturn void _Exit(int status)
{
    _exit(status);
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
