/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * System calls by syscall(): results, errno, six arguments, and calls that return twice or never.
 * Prints the outcome of each, without numbers that vary between runs.
 */
#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void show(const char *what, long result)
{
    printf("%s: %ld, errno %d\n", what, result, errno);
    errno = 0;
}

static char *map_second_page(FILE *file)
{
    long page = sysconf(_SC_PAGESIZE);

    fprintf(file, "%*s", (int)page, "");
    fputs("the second page", file);
    fflush(file);
    return (char *)syscall(SYS_mmap, NULL, page, PROT_READ, MAP_PRIVATE, fileno(file), page);
}

static int status_of(long child)
{
    int status = 0;

    syscall(SYS_wait4, child, &status, 0, NULL);
    return status;
}

/* The shim inspects those of prctl. */
static void name_thread(void)
{
    char name[16] = "";

    show("name set", syscall(SYS_prctl, PR_SET_NAME, "by number", 0, 0, 0));
    show("name", syscall(SYS_prctl, PR_GET_NAME, name, 0, 0, 0));
    printf("%s\n", name);
    show("no such prctl", syscall(SYS_prctl, 1 << 30, 0, 0, 0, 0));
}

/* Waiting calls are clocked; the seventh word of syscall() is a bit mask. */
static void wait_for_words(void)
{
    const struct timespec at_once = {0, 1000};
    unsigned word = 5;

    show("a word that differs", syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 6, NULL));
    show("a word that stays", syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 5, &at_once));
    show("no bits", syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, 5, &at_once, NULL, 0));
    show("bits", syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, 6, &at_once, NULL, 1));
    show("nobody woken", syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1));
}

int main(void)
{
    long child;

    show("own number", syscall(SYS_getpid) == getpid());
    show("closed descriptor", syscall(SYS_close, 1000));
    show("no such call", syscall(100000));
    show("no such call, negative", syscall(-5));
    printf("six arguments: %s\n", map_second_page(tmpfile()));
    name_thread();
    wait_for_words();
    errno = 7;
    show("errno stays", syscall(SYS_gettid) > 0);
    fflush(stdout);
    child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0) {
        free(malloc(100));
        syscall(SYS_exit_group, 3);
    }
    show("forked", WEXITSTATUS(status_of(child)));
    child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0)
        syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGKILL);
    show("killed", WTERMSIG(status_of(child)));
    fflush(stdout);
    free(malloc(100));
    syscall(SYS_exit, 5);
    return 1;
}
