/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ways to leave a program without its exit handlers: _exit, quick_exit and the exec family,
 * exported so that the trace records the ending.  A vfork child runs in its parent's memory, and is
 * not recorded.  A clone child may not even have thread-local storage, so errno is not touched
 * before the process is known to be the recorded one.
 *
 * posix_spawn is here, too: all functions that start a program pass on an environment that the
 * program can use.
 */
#include <alloca.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "interpose/preload.h"
#include "platform/next.h"
#include "record/process.h"
#include "record/process_end.h"
#include "record/deferral.h"
#include "sampler/cpu_timers.h"

static void note_ending(enum trace_ending ending, int status)
{
    bool is_own = process_is_own();
    int saved_errno;

    if (!is_own && !deferral_is_own())
        return; /* a child of clone may have no errno */
    saved_errno = errno;
    if (ending == TRACE_EXECUTED)
        cpu_timers_hide_pending(); /* the new program keeps this thread's signal mask */
    if (is_own)
        process_end(ending, status);
    errno = saved_errno;
}

/* exec returned: it failed, and the program goes on. */
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

/* A program to be executed, and the function of libc that does it. */
struct execution {
    struct program_file file;
    char *const *argv;
    char *const *environment;
    /* `environment`: that above, or one without this library. */
    int (*run)(const struct execution *execution, char *const *environment);
};

/* The other environment is on the stack: this may be a child of vfork, or of a program with many
 * threads, which must not allocate. */
static int execute(const struct execution *execution)
{
    struct preload_copy copy = preload_plan_copy(&execution->file, execution->environment);
    char *const *environment = execution->environment;

    if (copy.size > 0)
        environment = preload_leave_out(copy, environment, alloca(copy.size));
    note_ending(TRACE_EXECUTED, 0);
    return note_return(execution->run(execution, environment));
}

static int run_execve(const struct execution *execution, char *const *environment)
{
    return next.execve(execution->file.path, execution->argv, environment);
}

/* execv and execvp have no argument for an environment. */
static int run_execv(const struct execution *execution, char *const *environment)
{
    if (environment != execution->environment)
        return run_execve(execution, environment);
    return next.execv(execution->file.path, execution->argv);
}

static int run_execvpe(const struct execution *execution, char *const *environment)
{
    return next.execvpe(execution->file.path, execution->argv, environment);
}

static int run_execvp(const struct execution *execution, char *const *environment)
{
    if (environment != execution->environment)
        return run_execvpe(execution, environment);
    return next.execvp(execution->file.path, execution->argv);
}

static int run_fexecve(const struct execution *execution, char *const *environment)
{
    return next.fexecve(execution->file.folder, execution->argv, environment);
}

static int run_execveat(const struct execution *execution, char *const *environment)
{
    const struct program_file *file = &execution->file;

    return next.execveat(file->folder, file->path, execution->argv, environment, file->flags);
}

static int execute_path(const char *path, char *const *argv, char *const *environment)
{
    struct execution execution = {
        {.folder = AT_FDCWD, .path = path}, argv, environment, run_execve};

    return execute(&execution);
}

static struct program_file searched(const char *name)
{
    return (struct program_file){
        .folder = AT_FDCWD, .path = name, .is_searched = true, .takes_any_text = true};
}

static int execute_searched(const char *name, char *const *argv, char *const *environment)
{
    struct execution execution = {searched(name), argv, environment, run_execvpe};

    return execute(&execution);
}

EXPORT int execve(const char *path, char *const *argv, char *const *envp)
{
    return execute_path(path, argv, envp);
}

EXPORT int execv(const char *path, char *const *argv)
{
    struct execution execution = {{.folder = AT_FDCWD, .path = path}, argv, environ, run_execv};

    return execute(&execution);
}

EXPORT int execvp(const char *file, char *const *argv)
{
    struct execution execution = {searched(file), argv, environ, run_execvp};

    return execute(&execution);
}

EXPORT int execvpe(const char *file, char *const *argv, char *const *envp)
{
    return execute_searched(file, argv, envp);
}

EXPORT int fexecve(int descriptor, char *const *argv, char *const *envp)
{
    struct execution execution = {
        {.folder = descriptor, .path = "", .flags = AT_EMPTY_PATH}, argv, envp, run_fexecve};

    return execute(&execution);
}

/* Older C libraries do not declare it. */
int execveat(int folder, const char *path, char *const *argv, char *const *envp, int flags);

EXPORT int execveat(int folder, const char *path, char *const *argv, char *const *envp, int flags)
{
    struct execution execution = {
        {.folder = folder, .path = path, .flags = flags}, argv, envp, run_execveat};

    return execute(&execution);
}

/* A file action may change the folder of a relative path.  Then we look at another file, or at
 * none. */
EXPORT int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                       const posix_spawnattr_t *attributes, char *const *argv, char *const *envp)
{
    const struct program_file file = {.folder = AT_FDCWD, .path = path};
    struct preload_copy copy = preload_plan_copy(&file, envp);

    if (copy.size > 0)
        envp = preload_leave_out(copy, envp, alloca(copy.size));
    return next.posix_spawn(pid, path, actions, attributes, argv, envp);
}

EXPORT int posix_spawnp(pid_t *pid, const char *name, const posix_spawn_file_actions_t *actions,
                        const posix_spawnattr_t *attributes, char *const *argv, char *const *envp)
{
    const struct program_file file = searched(name);
    struct preload_copy copy = preload_plan_copy(&file, envp);

    if (copy.size > 0)
        envp = preload_leave_out(copy, envp, alloca(copy.size));
    return next.posix_spawnp(pid, name, actions, attributes, argv, envp);
}

/* Call exec with the arguments of execl and similar functions as an array, which is on the stack,
 * too.  The environment comes after the NULL, or is the program's own. */
static int execute_list(int (*run)(const char *, char *const *, char *const *), const char *file,
                        const char *first, va_list rest, bool has_environment)
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
    return run(file, argv, has_environment ? va_arg(rest, char *const *) : environ);
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

EXECUTE_LIST(execl, execute_path, false)
EXECUTE_LIST(execlp, execute_searched, false)
EXECUTE_LIST(execle, execute_path, true)
