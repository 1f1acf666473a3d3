/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding the shim, preloading it, starting a program and waiting for it.
 */
#include "launch/launch.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "config.h"

static const char no_shim[] =
    "not found beside tprof, in the lib folder beside its folder, nor in " LIBDIR
    "; put it beside tprof, or record with LD_PRELOAD=PATH/libtprof.so COMMAND";

/* Characters that end a name in LD_PRELOAD for the linker. */
static const char separators[] = " :";
static const char no_name[] = "a space or a colon in the name of its folder ends a name in "
                              "LD_PRELOAD; put it and tprof into another folder";

/* Returns: whether the shim is in a folder; a relative folder starts at that of this program. */
static bool is_shim_in(const char *own, const char *folder, char *path, size_t size)
{
    char candidate[2 * PATH_MAX];
    char resolved[PATH_MAX];

    snprintf(candidate, sizeof candidate, "%s/%s/libtprof.so", own, folder);
    return realpath(candidate, resolved) && access(resolved, R_OK) == 0 &&
           snprintf(path, size, "%s", resolved) < (int)size;
}

/* Finds the shim after make install with a DESTDIR or under a moved prefix: the configured path
 * from one folder to the other still holds, for any libdir (lib/x86_64-linux-gnu). */
static bool is_shim_moved(const char *own, char *path, size_t size)
{
    struct text way;
    bool is;

    text_init(&way);
    text_append_way(&way, BINDIR, LIBDIR);
    is = is_shim_in(own, way.bytes, path, size);
    text_fini(&way);
    return is;
}

/* The folder of this program.  Without /proc, as in a bare chroot, the kernel still tells the path
 * that was executed. */
static bool find_own_folder(char *own, size_t size)
{
    const char *executed = (const char *)(uintptr_t)getauxval(AT_EXECFN);
    char resolved[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", own, size - 1);

    own[length > 0 ? length : 0] = '\0';
    if (length <= 0 && executed && realpath(executed, resolved))
        snprintf(own, size, "%s", resolved);
    if (!strrchr(own, '/'))
        return false;
    *strrchr(own, '/') = '\0';
    return true;
}

/* Next to this program: copied, in a build folder, moved, or installed. */
static bool is_shim_somewhere(char *path, size_t size)
{
    static const char *const folders[] = {".", "../shim/.libs", "../../shim/.libs"};
    static const char *const others[] = {"../lib", "../lib64"};
    char own[PATH_MAX];
    bool is = false;

    if (find_own_folder(own, sizeof own)) {
        for (size_t i = 0; i < sizeof folders / sizeof *folders && !is; i++)
            is = is_shim_in(own, folders[i], path, size);
        is = is || is_shim_moved(own, path, size);
        for (size_t i = 0; i < sizeof others / sizeof *others && !is; i++)
            is = is_shim_in(own, others[i], path, size);
    }
    return is ||
           (snprintf(path, size, "%s/libtprof.so", LIBDIR) < (int)size && access(path, R_OK) == 0);
}

const char *launch_find_shim(char *path, size_t size)
{
    if (!is_shim_somewhere(path, size))
        return no_shim;
    return strpbrk(path, separators) ? no_name : NULL;
}

void launch_preload(const char *shim)
{
    const char *others = getenv("LD_PRELOAD");
    char value[3 * PATH_MAX];

    snprintf(value, sizeof value, "%s%s%s", shim, others && others[0] ? ":" : "",
             others ? others : "");
    setenv("LD_PRELOAD", value, 1);
}

/* In the folders of PATH, the first that may be used in this mode of access(). */
static bool find_in_path(const char *name, int mode, char *path, size_t size)
{
    const char *search = getenv("PATH");

    while (search && *search) {
        size_t length = strcspn(search, ":");

        if (snprintf(path, size, "%.*s/%s", (int)length, search, name) < (int)size &&
            access(path, mode) == 0)
            return true;
        search += length + (search[length] == ':');
    }
    return false;
}

/* The file that execvp would run.  Returns: false when there is none. */
bool launch_find_program(const char *name, char *path, size_t size)
{
    if (strchr(name, '/'))
        return snprintf(path, size, "%s", name) < (int)size && access(path, F_OK) == 0;
    return find_in_path(name, X_OK, path, size);
}

/* EACCES may also mean a folder in PATH without search permission: then shells report, as we do,
 * that the program was not found. */
static int explain_exec(const char *name, int error)
{
    char path[PATH_MAX];
    bool is_somewhere = strchr(name, '/') || find_in_path(name, F_OK, path, sizeof path);

    return error == EACCES && !is_somewhere ? ENOENT : error;
}

static struct sigaction pipes_before; /* the handler of SIGPIPE before */

void launch_ignore_pipes(void)
{
    const struct sigaction ignored = {.sa_handler = SIG_IGN};

    sigaction(SIGPIPE, &ignored, &pipes_before);
}

void launch_restore_pipes(void)
{
    sigaction(SIGPIPE, &pipes_before, NULL);
}

/* Messages between parent and child before the exec. */
struct start_pipes {
    int ready[2];  /* to the child: it may continue */
    int failed[2]; /* to the parent: why exec failed; exec closes the pipe */
};

static int open_pipes(struct start_pipes *pipes)
{
    int error;

    if (pipe2(pipes->ready, O_CLOEXEC) != 0)
        return errno;
    if (pipe2(pipes->failed, O_CLOEXEC) == 0)
        return 0;
    error = errno;
    close(pipes->ready[0]);
    close(pipes->ready[1]);
    return error;
}

static bool is_elf(const char *path)
{
    char magic[SELFMAG] = "";
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    bool is = descriptor >= 0 && read(descriptor, magic, SELFMAG) == SELFMAG &&
              memcmp(magic, ELFMAG, SELFMAG) == 0;

    if (descriptor >= 0)
        close(descriptor);
    return is;
}

/* execvp hands a file that the system cannot run to the shell: it would read the program of another
 * processor as a script. */
static void execute(char **argv)
{
    char path[PATH_MAX];

    if (launch_find_program(argv[0], path, sizeof path) && is_elf(path))
        execv(path, argv);
    else
        execvp(argv[0], argv);
}

static void run_child(char **argv, const struct start_pipes *pipes,
                      const struct launch_hooks *hooks)
{
    char go;
    int error;

    close(pipes->ready[1]);
    if (read(pipes->ready[0], &go, sizeof go) != (ssize_t)sizeof go)
        _exit(EXIT_FAILURE); /* the parent is gone */
    launch_restore_pipes();
    if (hooks->prepare)
        hooks->prepare(hooks->of);
    execute(argv);
    error = explain_exec(argv[0], errno);
    if (write(pipes->failed[1], &error, sizeof error) < 0)
        _exit(EXIT_FAILURE);
    _exit(EXIT_FAILURE);
}

/* Returns: why the exec failed, or 0. */
static int release_child(pid_t child, const struct start_pipes *pipes,
                         const struct launch_hooks *hooks)
{
    int error = 0;

    if (hooks->release)
        hooks->release(child, hooks->of);
    if (write(pipes->ready[1], "", 1) != 1)
        error = errno;
    close(pipes->failed[1]);
    if (error == 0 && read(pipes->failed[0], &error, sizeof error) == (ssize_t)sizeof error)
        waitpid(child, NULL, 0);
    return error;
}

static pid_t latest_child;

/* tprof never ends before the child: the child's messages would follow our last word.  A child that
 * was waited for no longer counts. */
static void wait_for_latest(void *of)
{
    (void)of;
    while (waitpid(latest_child, NULL, 0) < 0 && errno == EINTR)
        continue;
}

static void note_child(pid_t child)
{
    static struct memory_last_work wait = {wait_for_latest, NULL, NULL};

    if (latest_child == 0)
        memory_note_last_work(&wait);
    latest_child = child;
}

int launch_start(char **argv, pid_t *child, const struct launch_hooks *hooks)
{
    struct start_pipes pipes;
    int error = open_pipes(&pipes);

    if (error != 0)
        return error;
    *child = fork();
    if (*child == 0)
        run_child(argv, &pipes, hooks);
    if (*child > 0) {
        note_child(*child);
        error = release_child(*child, &pipes, hooks);
    } else {
        error = errno;
        close(pipes.failed[1]);
    }
    close(pipes.ready[0]);
    close(pipes.ready[1]);
    close(pipes.failed[0]);
    return error;
}

/* Signals for the program that reach tprof.  They stay blocked until sigwaitinfo, so none is lost
 * before the program starts or after it ends.  No disposition changes, because the program inherits
 * dispositions. */
static sigset_t signals_held(void)
{
    static const int held[] = {SIGTERM, SIGHUP,  SIGINT,  SIGQUIT, SIGUSR1,
                               SIGUSR2, SIGTSTP, SIGCONT, SIGCHLD};
    sigset_t set;

    sigemptyset(&set);
    for (size_t i = 0; i < sizeof held / sizeof *held; i++)
        sigaddset(&set, held[i]);
    return set;
}

/* Returns: whether the program already has the signal.  The terminal signals the whole foreground
 * group; a hang-up reaches only the session leader, which may be tprof.  The program's own signals
 * are for its group or its parent. */
static bool has_reached(pid_t child, const siginfo_t *signal)
{
    if (signal->si_code == SI_KERNEL)
        return signal->si_signo != SIGHUP || getsid(0) != getpid();
    return signal->si_pid == child;
}

/* tprof stops when the program stops, so that its own shell notices.  SIGSTOP is different: its
 * sender used the program's own number, and will continue that number. */
static void follow_stop(int signal)
{
    if (signal != SIGSTOP)
        raise(SIGSTOP);
}

/* Returns: its status in the form of waitpid. */
static int wait_for_end(pid_t child)
{
    const sigset_t held = signals_held();
    siginfo_t signal;
    int status = 0;

    for (;;) {
        pid_t changed = waitpid(child, &status, WNOHANG | WUNTRACED);

        if (changed < 0 || (changed == child && !WIFSTOPPED(status)))
            return status;
        if (changed == child)
            follow_stop(WSTOPSIG(status));
        else if (sigwaitinfo(&held, &signal) > 0 && signal.si_signo != SIGCHLD &&
                 !has_reached(child, &signal))
            kill(child, signal.si_signo);
    }
}

/* Settings that the program inherits, and settings that it must not inherit. */
struct inheritance {
    const struct launch_hooks *hooks;
    sigset_t mask;
    struct sigaction of_children; /* SIGCHLD */
};

static void inherit(void *of)
{
    const struct inheritance *inheritance = of;

    prctl(PR_SET_PDEATHSIG, SIGKILL); /* SIGKILL is the one that cannot be passed on */
    sigaction(SIGCHLD, &inheritance->of_children, NULL);
    if (inheritance->hooks->prepare)
        inheritance->hooks->prepare(inheritance->hooks->of);
    sigprocmask(SIG_SETMASK, &inheritance->mask, NULL);
}

static void let_go(pid_t child, void *of)
{
    const struct inheritance *inheritance = of;

    if (inheritance->hooks->release)
        inheritance->hooks->release(child, inheritance->hooks->of);
}

int launch_and_wait(char **argv, const struct launch_hooks *hooks, struct launched *launched)
{
    const struct sigaction standard = {.sa_handler = SIG_DFL};
    const sigset_t held = signals_held();
    struct inheritance inheritance = {.hooks = hooks};
    const struct launch_hooks own = {inherit, let_go, &inheritance};
    int error;

    sigprocmask(SIG_BLOCK, &held, &inheritance.mask);
    /* With SIGCHLD ignored, there would be nothing to wait for. */
    sigaction(SIGCHLD, &standard, &inheritance.of_children);
    error = launch_start(argv, &launched->child, &own);
    if (error == 0)
        launched->status = wait_for_end(launched->child);
    return error;
}
