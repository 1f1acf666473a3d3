/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Usage: sandbox prctl|number|syscall alone|forks|refused|child|threads|together|meanwhile.
 * Allocates, enters a sandbox that kills the caller of any system call other than these (by prctl,
 * by its number or by that of seccomp), and goes on allocating.  If SIGUSR1 has a handler, which is
 * tprof's, it sends itself one.  Refused: the kernel accepts no such filter, and the program goes
 * on outside.  Child: a forked child enters it before it allocates.  Threads: three allocate while
 * the kernel refuses the filter again and again, and afterwards; they enter it together with the
 * first.  Meanwhile: the same, and children are forked.
 */
#include <dlfcn.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tprof.h"

#define ALLOW(name)                                                                                \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1),                                         \
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static struct sock_filter filter[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    ALLOW(write),
    ALLOW(exit_group),
    ALLOW(exit),
    ALLOW(brk),
    ALLOW(mmap),
    ALLOW(munmap),
    ALLOW(clone),
    ALLOW(wait4),
    ALLOW(set_robust_list),
    ALLOW(mprotect),
    ALLOW(madvise),
    ALLOW(futex),
    ALLOW(kill),
    ALLOW(rt_sigprocmask), /* fork of glibc 2.41 */
    ALLOW(rt_sigreturn),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)};

enum { BLOCKS = 20000, THREADS = 3, ROUNDS = 200, CHILDREN = 40 };

static struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
static const char *way;
static pid_t signalled; /* this process, or 0: a signal would end it */
static atomic_bool is_settled;
static atomic_int running; /* threads */

static void allocate(void)
{
    for (int i = 0; i < BLOCKS; i++)
        free(malloc(i % 999));
}

static void find_handler(void)
{
    struct sigaction action;

    if (sigaction(SIGUSR1, NULL, &action) == 0 && action.sa_handler != SIG_DFL)
        signalled = getpid();
}

/* A request to the kernel. */
static void ask(void)
{
    tprof_snapshot("asked for");
    if (signalled != 0)
        kill(signalled, SIGUSR1);
}

/* libseccomp first asks for the kernel's features. */
static bool enter_by_syscall(unsigned flags)
{
    unsigned action = SECCOMP_RET_KILL_PROCESS;

    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 1, NULL) == 0 ||
        syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_LOG, NULL) == 0 ||
        syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) != 0)
        return false;
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program) == 0;
}

static bool enter_by_number(void)
{
    return syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           syscall(SYS_prctl, PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 &&
           syscall(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) != 0 &&
           syscall(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static bool enter(void)
{
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (strcmp(way, "syscall") == 0)
        return enter_by_syscall(0);
    if (strcmp(way, "number") == 0)
        return enter_by_number();
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) != 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static int run_child(bool enters)
{
    int status;

    if (fork() == 0) {
        if (enters && !enter())
            _exit(1);
        allocate();
        _exit(3);
    }
    wait(&status);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 100;
}

static void *allocate_twice(void *unused)
{
    allocate();
    for (running++; !is_settled;)
        free(malloc(100));
    allocate();
    return unused;
}

static void start_threads(pthread_t *threads)
{
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, allocate_twice, NULL);
    while (running < THREADS)
        usleep(1000);
}

/* Under the filter, a thread cannot end without other system calls. */
static bool enter_among_threads(bool is_together)
{
    pthread_t threads[THREADS];
    bool is_inside = false;

    start_threads(threads);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); /* others than root must */
    for (int i = 0; i < ROUNDS && !is_together; i++)
        is_inside |= enter();
    if (is_together)
        is_inside = enter_by_syscall(SECCOMP_FILTER_FLAG_TSYNC);
    allocate();
    is_settled = !is_together;
    for (int i = 0; i < THREADS && !is_together; i++)
        pthread_join(threads[i], NULL);
    return is_inside;
}

static void *ask_until_settled(void *unused)
{
    while (!is_settled)
        enter();
    return unused;
}

static int fork_meanwhile(void)
{
    pthread_t thread;
    int status = 0;

    pthread_create(&thread, NULL, ask_until_settled, NULL);
    for (int i = 0; i < CHILDREN; i++)
        status = run_child(false);
    is_settled = true;
    pthread_join(thread, NULL);
    return status;
}

int main(int count, char **arguments)
{
    const char *mode = arguments[count - 1];
    bool is_inside = false;
    int status = 0;

    way = arguments[1];
    find_handler();
    if (strcmp(mode, "refused") == 0 || strcmp(mode, "threads") == 0 ||
        strcmp(mode, "meanwhile") == 0)
        program.len = 0;
    allocate();
    dlsym(RTLD_DEFAULT, "sgemm_");
    if (strcmp(mode, "threads") == 0 || strcmp(mode, "together") == 0)
        is_inside = enter_among_threads(strcmp(mode, "together") == 0);
    else if (strcmp(mode, "meanwhile") == 0)
        status = fork_meanwhile();
    else if (strcmp(mode, "child") == 0)
        status = run_child(true);
    else
        is_inside = enter();
    allocate();
    if (is_inside)
        ask();
    dlsym(RTLD_DEFAULT, "dgemm_"); /* a name that tprof knows */
    if (strcmp(mode, "forks") == 0)
        status = run_child(false);
    write(STDOUT_FILENO, is_inside ? "inside\n" : "outside\n", is_inside ? 7 : 8);
    return 4 + status;
}
