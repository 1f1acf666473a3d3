/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Usage: sandbox alone|forks|refused.  Allocates, enters a sandbox that kills whoever
 * makes another system call than these, and allocates on.  Refused: the kernel wants
 * no such filter, and the program goes on outside. */
#include <dlfcn.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

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
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)};

static void allocate(void)
{
    for (int i = 0; i < 100000; i++)
        free(malloc(i % 999));
}

int main(int count, char **arguments)
{
    int length = strcmp(arguments[count - 1], "refused") == 0 ? 0 : sizeof filter / sizeof *filter;
    struct sock_fprog program = {length, filter};
    int status = 0, entered;

    allocate();
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    dlsym(RTLD_DEFAULT, "sgemm_");
    entered = prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
    allocate();
    dlsym(RTLD_DEFAULT, "dgemm_"); /* a name that tprof knows */
    if (strcmp(arguments[count - 1], "forks") == 0) {
        if (fork() == 0) {
            allocate();
            _exit(3);
        }
        wait(&status);
        status = WEXITSTATUS(status);
    }
    write(STDOUT_FILENO, entered ? "inside\n" : "outside\n", entered ? 7 : 8);
    return 4 + status;
}
