/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program that uses addresses where a profiler's memory lies: it searches mappings in the quarter
 * of the addresses where the kernel places none by itself, and applies the action of its argument
 * to all of them, while threads allocate.  Without any, it chooses its own address.  It prints the
 * results of the calls, and whether its data are intact.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, BLOCKS = 100, STEPS = 200, ROUNDS = 300, PIECE = 1 << 20 };

static const uintptr_t low = UINT64_C(1) << 45, high = low + (UINT64_C(1) << 43);

static atomic_bool is_over;

static void work(void)
{
    char *blocks[BLOCKS];

    for (int i = 0; i < BLOCKS; i++)
        memset(blocks[i] = malloc(16 + 40 * (size_t)i), i, 16);
    for (int i = 0; i < BLOCKS; i++)
        free(blocks[i]);
}

static void *allocate(void *unused)
{
    while (!atomic_load(&is_over))
        work();
    return unused;
}

struct place {
    uintptr_t start, end;
};

static struct place find_place(void)
{
    struct place place = {high, low};
    FILE *maps = fopen("/proc/self/maps", "r");
    uintptr_t start, end;
    char line[512];

    while (fgets(line, sizeof line, maps))
        if (sscanf(line, "%lx-%lx", &start, &end) == 2 && start >= low && end <= high) {
            place.start = start < place.start ? start : place.start;
            place.end = end > place.end ? end : place.end;
        }
    fclose(maps);
    return place.end > place.start ? place : (struct place){low + PIECE, low + 16 * PIECE};
}

/* Fill the memory, work, and check that the memory is unchanged. */
static void use(unsigned char *data, size_t size)
{
    size_t damaged = 0;

    memset(data, 0x5a, size);
    for (int i = 0; i < ROUNDS; i++)
        work();
    for (size_t i = 0; i < size; i++)
        damaged += data[i] != 0x5a;
    printf("%s\n", damaged ? "damaged" : "whole");
}

static void tell(const char *call, bool is_done)
{
    printf("%s: %s\n", call, is_done ? "done" : strerrorname_np(errno));
}

static void map_fixed(struct place at)
{
    void *data = mmap((void *)at.start, at.end - at.start, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

    tell("mmap", data == (void *)at.start);
    use(data, at.end - at.start);
}

static void unmap(struct place at)
{
    tell("munmap", munmap((void *)at.start, at.end - at.start) == 0);
}

static void protect(struct place at)
{
    tell("mprotect", mprotect((void *)at.start, at.end - at.start, PROT_NONE) == 0);
}

static void remap(struct place at)
{
    void *old = mmap(NULL, PIECE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void *data =
        mremap(old, PIECE, at.end - at.start, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)at.start);

    tell("mremap", data == (void *)at.start);
    use(data, at.end - at.start);
}

static void attach(struct place at)
{
    int segment = shmget(IPC_PRIVATE, at.end - at.start, IPC_CREAT | 0600);
    void *data = shmat(segment, (void *)at.start, SHM_REMAP);

    shmctl(segment, IPC_RMID, NULL);
    tell("shmat", data == (void *)at.start);
    use(data, at.end - at.start);
}

/* In a child, and not in the parent. */
static void unmap_in_child(struct place at)
{
    pid_t child = fork();
    int status;

    if (child == 0) {
        unmap(at);
        work();
        fflush(stdout);
        _exit(3);
    }
    tell("waitpid", waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 3);
}

static const struct {
    const char *name;
    void (*run)(struct place at);
} ways[] = {{"mmap", map_fixed}, {"munmap", unmap}, {"mprotect", protect},
            {"mremap", remap},   {"shmat", attach}, {"child", unmap_in_child}};

int main(int count, char **arguments)
{
    pthread_t threads[THREADS];

    setvbuf(stdout, NULL, _IONBF, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, allocate, NULL);
    for (int i = 0; i < STEPS; i++)
        work();
    for (size_t i = 0; count > 1 && i < sizeof ways / sizeof *ways; i++)
        if (strcmp(ways[i].name, arguments[1]) == 0)
            ways[i].run(find_place());
    for (int i = 0; i < STEPS; i++)
        work();
    atomic_store(&is_over, true);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    puts("end");
    return 5;
}
