/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions that are compiled while the program runs, and written down for perf as CPython
 * does under -X perf: each is a copy of the code around a call.  Prints where.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
/* sub $8, %rsp; call *%rcx; add $8, %rsp; ret */
static const unsigned char around[] = {0x48, 0x83, 0xec, 8, 0xff, 0xd1, 0x48, 0x83, 0xc4, 8, 0xc3};
#else
/* stp x29, x30, [sp, -16]!; mov x29, sp; blr x3; ldp x29, x30, [sp], 16; ret */
static const unsigned int around[] = {0xa9bf7bfd, 0x910003fd, 0xd63f0060, 0xa8c17bfd, 0xd65f03c0};
#endif

enum { PAGE = 65536, PLACE = 64, FUNCTIONS = 2, BYTES = 123456 };

typedef void inner(void);
typedef void compiled(long, long, long, inner *);

static char *code;
static void *volatile block;

static compiled *function(int number)
{
    return (compiled *)(void *)(code + number * PLACE);
}

static __attribute__((noinline)) void allocate(void)
{
    block = malloc(BYTES);
    free(block);
}

static __attribute__((noinline)) void call_second(void)
{
    function(1)(1, 2, 3, allocate);
    __asm__ volatile("" : : : "memory");
}

static void write_map(const char *path)
{
    FILE *map = fopen(path, "w");

    if (!map)
        exit(1);
    fprintf(map, "%lx %x stale\n", (unsigned long)code, PAGE);
    fprintf(map, "%lx %zx py::train:/nowhere/train.py\n", (unsigned long)code, sizeof around);
    fprintf(map, "%lx %zx LazyCompile:~step\n", (unsigned long)code + PLACE, sizeof around);
    fclose(map);
}

int main(void)
{
    char path[64];

    snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
    code = mmap(NULL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (code == MAP_FAILED)
        return 1;
    for (int i = 0; i < FUNCTIONS; i++)
        memcpy(code + i * PLACE, around, sizeof around);
    __builtin___clear_cache(code, code + PAGE);
    write_map(path);
    for (int i = 0; i < 3; i++)
        function(0)(1, 2, 3, call_second);
    puts(path);
    return 0;
}
