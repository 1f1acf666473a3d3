/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Run a program under a filter: a system call that makes a trace ends the program or fails:
 * filtered WAY COMMAND [ARGUMENT...].
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NAMELESS (O_TMPFILE & ~O_DIRECTORY)

static const struct way {
    const char *name;
    uint32_t call;
    uint32_t flags; /* in its third argument; 0: any */
    uint32_t action;
} ways[] = {
    {"killed-writing", SYS_pwrite64, 0, SECCOMP_RET_KILL_PROCESS},
    {"killed-naming", SYS_linkat, 0, SECCOMP_RET_KILL_PROCESS},
    {"no-links", SYS_linkat, 0, SECCOMP_RET_ERRNO | EPERM},
    {"no-proc", SYS_linkat, 0, SECCOMP_RET_ERRNO | ENOENT},
    {"no-nameless", SYS_openat, NAMELESS, SECCOMP_RET_ERRNO | EOPNOTSUPP},
};

static int set_filter(const struct way *way)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, way->call, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, way->flags ? way->flags : UINT32_MAX, 0,
                 way->flags ? 1 : 0),
        BPF_STMT(BPF_RET | BPF_K, way->action),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {sizeof code / sizeof *code, code};

    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 2 && i < sizeof ways / sizeof *ways; i++)
        if (strcmp(argv[1], ways[i].name) == 0 && set_filter(&ways[i]))
            execvp(argv[2], argv + 2);
    perror("filtered");
    return 77;
}
