/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Works, removes what a growing file needs, and works again.  Standard error gets the processor
 * time of the second half, in percent of the first.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { BLOCKS = 1000000, USER = 65534 };

static double cpu_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static double work(void)
{
    double start = cpu_ns();

    for (int i = 0; i < BLOCKS; i++)
        free(malloc((size_t)i % 900));
    return cpu_ns() - start;
}

static int limit(int resource, rlim_t value)
{
    const struct rlimit limit = {value, value};

    return setrlimit(resource, &limit);
}

static int limit_files(void)
{
    return limit(RLIMIT_FSIZE, 1000000);
}

/* The rest of the address space is used up. */
static int limit_memory(void)
{
    int result = limit(RLIMIT_AS, 200 << 20);

    for (size_t size = 64 << 20; size >= 4096; size /= 2)
        while (mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
            ;
    return result;
}

static int take_descriptors(void)
{
    int result = limit(RLIMIT_NOFILE, 20);

    while (open("/dev/null", O_RDONLY) >= 0)
        ;
    return result;
}

static int change_root(void)
{
    return chroot("/proc");
}

static int change_user(void)
{
    return setuid(USER);
}

static const struct {
    const char *name;
    int (*take)(void);
} ways[] = {{"file-size", limit_files},
            {"memory", limit_memory},
            {"descriptors", take_descriptors},
            {"root", change_root},
            {"user", change_user}};

int main(int count, char **arguments)
{
    double before = work();

    for (size_t i = 0; count > 1 && i < sizeof ways / sizeof *ways; i++)
        if (strcmp(ways[i].name, arguments[1]) == 0)
            printf("%s: %s\n", arguments[1], ways[i].take() == 0 ? "done" : strerrorname_np(errno));
    fflush(stdout);
    fprintf(stderr, "%.0f\n", 100 * work() / before);
    puts("end");
    return 5;
}
