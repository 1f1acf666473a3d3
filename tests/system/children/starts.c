/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Starts a program in one of many ways, with its own environment.
 *
 * usage: starts WAY FILE [UNLINKED]
 *   UNLINKED   a file that is removed before
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOBODY = 65534, FAILED = 9 };

int execveat(int folder, const char *path, char *const *argv, char *const *envp, int flags);

static char **arguments; /* arguments of the program */

static int open_file(const char *file)
{
    return open(file, O_PATH | O_CLOEXEC);
}

static void say_error(void)
{
    printf("failed: %s\n", strerror(errno));
    fflush(stdout);
    _exit(FAILED);
}

/* ---- ways that replace this program ------------------------------------------ */

static void run_execve(const char *file)
{
    execve(file, arguments, environ);
}

static void run_execv(const char *file)
{
    execv(file, arguments);
}

static void run_execvp(const char *file)
{
    execvp(file, arguments);
}

static void run_execvpe(const char *file)
{
    execvpe(file, arguments, environ);
}

static void run_execl(const char *file)
{
    execl(file, file, (char *)NULL);
}

static void run_execlp(const char *file)
{
    execlp(file, file, (char *)NULL);
}

static void run_execle(const char *file)
{
    execle(file, file, (char *)NULL, environ);
}

static void run_fexecve(const char *file)
{
    fexecve(open_file(file), arguments, environ);
}

static void run_execveat(const char *file)
{
    execveat(open_file("."), file, arguments, environ, 0);
}

static void run_execveat_open(const char *file)
{
    execveat(open_file(file), "", arguments, environ, AT_EMPTY_PATH);
}

/* Plain programs fail so, too. */
static void run_bad(const char *file)
{
    execve(file, arguments, (char **)8);
    printf("bad environment: %s\n", strerror(errno));
    execve((const char *)8, arguments, environ);
    printf("bad path: %s\n", strerror(errno));
    execve(file, arguments, NULL);
}

static void run_nobody(const char *file)
{
    if (setgroups(0, NULL) != 0 || setgid(NOBODY) != 0 || setuid(NOBODY) != 0)
        say_error();
    execv(file, arguments);
}

/* ---- ways that start another --------------------------------------------------- */

static void wait_for(pid_t child)
{
    int status = 0;

    waitpid(child, &status, 0);
    exit(WEXITSTATUS(status));
}

static void run_vfork(const char *file)
{
    pid_t child = vfork();

    if (child == 0) {
        execve(file, arguments, environ);
        _exit(FAILED);
    }
    wait_for(child);
}

static void run_fork(const char *file)
{
    pid_t child = fork();

    if (child == 0) {
        execvp(file, arguments);
        _exit(FAILED);
    }
    wait_for(child);
}

static void run_spawn(const char *file)
{
    pid_t child;

    errno = posix_spawn(&child, file, NULL, NULL, arguments, environ);
    if (errno == 0)
        wait_for(child);
}

static void run_spawnp(const char *file)
{
    pid_t child;

    errno = posix_spawnp(&child, file, NULL, NULL, arguments, environ);
    if (errno == 0)
        wait_for(child);
}

static void run_system(const char *file)
{
    exit(WEXITSTATUS(system(file)));
}

static void run_popen(const char *file)
{
    FILE *stream = popen(file, "w");

    exit(WEXITSTATUS(pclose(stream)));
}

static const struct way {
    const char *name;
    void (*run)(const char *file);
} ways[] = {{"execve", run_execve},     {"execv", run_execv},
            {"execvp", run_execvp},     {"execvpe", run_execvpe},
            {"execl", run_execl},       {"execlp", run_execlp},
            {"execle", run_execle},     {"fexecve", run_fexecve},
            {"execveat", run_execveat}, {"execveat-open", run_execveat_open},
            {"bad", run_bad},           {"nobody", run_nobody},
            {"vfork", run_vfork},       {"fork", run_fork},
            {"spawn", run_spawn},       {"spawnp", run_spawnp},
            {"system", run_system},     {"popen", run_popen}};

int main(int count, char **words)
{
    if (count < 3)
        return 2;
    if (count > 3)
        unlink(words[3]);
    arguments = (char *[]){words[2], NULL};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(ways[i].name, words[1]) == 0)
            ways[i].run(words[2]);
    say_error();
}
