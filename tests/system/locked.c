/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Locks all of its memory in each way, below limits of some MiB, and goes on mapping.  It prints
 * the results of the calls, and whether more memory counts as locked than it has.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MIB = 1 << 20, BLOCKS = 200000 };

static const int ways[] = {MCL_CURRENT, MCL_FUTURE, MCL_CURRENT | MCL_FUTURE,
                           MCL_CURRENT | MCL_ONFAULT, MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT};
static const unsigned long limits[] = {1, 4, 6, 8};

static void work(void)
{
    for (int i = 0; i < BLOCKS; i++)
        free(malloc((size_t)i % 500));
}

static void tell(const char *what, int is_done)
{
    printf("  %s: %s\n", what, is_done ? "done" : strerrorname_np(errno));
}

static void map(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    tell("mmap", memory != MAP_FAILED);
    if (memory != MAP_FAILED)
        munmap(memory, size);
}

static void lock(unsigned long mib, int flags)
{
    const struct rlimit limit = {mib * MIB, mib * MIB};

    printf("limit %lu MiB, flags %d\n", mib, flags);
    tell("setrlimit", setrlimit(RLIMIT_MEMLOCK, &limit) == 0);
    tell("mlockall", mlockall(flags) == 0);
    work();
    map(MIB / 4);
    map(mib * MIB);
    tell("munlockall", munlockall() == 0);
    map(mib * MIB);
}

int main(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    work();
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        for (size_t way = 0; way < sizeof ways / sizeof *ways; way++)
            if (fork() == 0) {
                lock(limits[i], ways[way]);
                _exit(0);
            } else {
                wait(NULL);
            }
    return 0;
}
