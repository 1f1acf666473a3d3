/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A server's worker that gives up its rights:
 *
 *     dropped WAY FOLDER COUNT [kill]
 *
 * A child does it by WAY, then passes through COUNT regions in each of two threads, and prints its
 * process id and the regions.  FOLDER is the new root of the way chroot.  `kill`: the child ends by
 * SIGKILL.  By the way orphan the child of that child does the work.
 */
#include <fcntl.h>
#include <linux/landlock.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tprof.h"

enum { NOBODY = 65534, MISSING = 77, DESCRIPTORS = 1024, TEXT = 64 };

static long count;

static void must(int is_done, const char *what)
{
    if (is_done)
        return;
    perror(what);
    _exit(MISSING);
}

static void *work(void *unused)
{
    (void)unused;
    for (long i = 0; i < count; i++) {
        tprof_region_begin("request");
        tprof_region_end("request");
    }
    return NULL;
}

/* Nothing may be opened for writing from now on. */
static void forbid_files(void)
{
    struct landlock_ruleset_attr attributes = {.handled_access_fs = LANDLOCK_ACCESS_FS_WRITE_FILE |
                                                                    LANDLOCK_ACCESS_FS_MAKE_REG};
    long rules = syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);

    must(rules >= 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "landlock");
    must(syscall(SYS_landlock_restrict_self, rules, 0) == 0, "landlock");
}

static void drop(const char *way, const char *folder)
{
    if (strcmp(way, "setuid") == 0 || strcmp(way, "orphan") == 0)
        must(setuid(NOBODY) == 0, way);
    else if (strcmp(way, "seteuid") == 0)
        must(seteuid(NOBODY) == 0, way);
    else if (strcmp(way, "number") == 0)
        must(syscall(SYS_setresuid, NOBODY, NOBODY, NOBODY) == 0, way);
    else if (strcmp(way, "chroot") == 0)
        must(chroot(folder) == 0 && chdir("/") == 0 && setuid(NOBODY) == 0, way);
    else if (strcmp(way, "landlock") == 0)
        forbid_files();
    if (strcmp(way, "closed") == 0)
        for (int i = 0; i < DESCRIPTORS; i++)
            if (i != STDOUT_FILENO)
                close(i);
}

static void serve(int is_killed)
{
    pthread_t thread;
    char text[TEXT];
    int length;

    must(pthread_create(&thread, NULL, work, NULL) == 0, "pthread_create");
    work(NULL);
    pthread_join(thread, NULL);
    length = snprintf(text, sizeof text, "%d %ld\n", (int)getpid(), 2 * count);
    must(write(STDOUT_FILENO, text, (size_t)length) == length, "write");
    if (is_killed)
        raise(SIGKILL);
}

static void await(pid_t child)
{
    int status = 0;

    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == MISSING)
        _exit(MISSING);
}

int main(int argc, char **argv)
{
    pid_t child;

    if (argc < 4)
        return 2;
    count = atol(argv[3]);
    child = fork();
    if (child == 0) {
        drop(argv[1], argv[2]);
        if (strcmp(argv[1], "orphan") == 0) {
            pid_t second = fork();

            if (second > 0) {
                await(second);
                exit(0);
            }
        }
        serve(argc > 4);
        exit(0);
    }
    await(child);
    return 0;
}
