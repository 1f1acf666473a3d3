/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Code that is written at run time, like a JIT's: it calls back for a block and has no unwind
 * information.  One function keeps no frame pointer, one keeps one, one uses the register for
 * something else.
 */
#include <string.h>
#include <sys/mman.h>

#include "survive.h"

enum { SIZE = 4096, ROUNDS = 200, BLOCK = 100 };

typedef void *(*generated)(void *(*obtain)(size_t size), size_t size);

#if defined __x86_64__
/* sub rsp,0x28; mov rax,rdi; mov rdi,rsi; call rax; add rsp,0x28; ret */
static const unsigned char without_pointer[] = {0x48, 0x83, 0xec, 0x28, 0x48, 0x89,
                                                0xf8, 0x48, 0x89, 0xf7, 0xff, 0xd0,
                                                0x48, 0x83, 0xc4, 0x28, 0xc3};
/* push rbp; mov rbp,rsp; sub rsp,0x30; mov rax,rdi; mov rdi,rsi; call rax; leave; ret */
static const unsigned char with_pointer[] = {0x55, 0x48, 0x89, 0xe5, 0x48, 0x83, 0xec, 0x30, 0x48,
                                             0x89, 0xf8, 0x48, 0x89, 0xf7, 0xff, 0xd0, 0xc9, 0xc3};
/* push rbp; mov rbp,0x12345678; mov rax,rdi; mov rdi,rsi; call rax; pop rbp; ret */
static const unsigned char with_other[] = {0x55, 0x48, 0xc7, 0xc5, 0x78, 0x56, 0x34, 0x12, 0x48,
                                           0x89, 0xf8, 0x48, 0x89, 0xf7, 0xff, 0xd0, 0x5d, 0xc3};
#elif defined __aarch64__
/* stp x29,x30,[sp,#-32]!; mov x9,x0; mov x0,x1; blr x9; ldp x29,x30,[sp],#32; ret */
static const unsigned char without_pointer[] = {0xfd, 0x7b, 0xbe, 0xa9, 0xe9, 0x03, 0x00, 0xaa,
                                                0xe0, 0x03, 0x01, 0xaa, 0x20, 0x01, 0x3f, 0xd6,
                                                0xfd, 0x7b, 0xc2, 0xa8, 0xc0, 0x03, 0x5f, 0xd6};
/* the same with mov x29,sp after the first */
static const unsigned char with_pointer[] = {
    0xfd, 0x7b, 0xbe, 0xa9, 0xfd, 0x03, 0x00, 0x91, 0xe9, 0x03, 0x00, 0xaa, 0xe0, 0x03,
    0x01, 0xaa, 0x20, 0x01, 0x3f, 0xd6, 0xfd, 0x7b, 0xc2, 0xa8, 0xc0, 0x03, 0x5f, 0xd6};
/* the same with movz x29,#0x1234 */
static const unsigned char with_other[] = {
    0xfd, 0x7b, 0xbe, 0xa9, 0x9d, 0x46, 0x82, 0xd2, 0xe9, 0x03, 0x00, 0xaa, 0xe0, 0x03,
    0x01, 0xaa, 0x20, 0x01, 0x3f, 0xd6, 0xfd, 0x7b, 0xc2, 0xa8, 0xc0, 0x03, 0x5f, 0xd6};
#endif

static void run(const unsigned char *code, size_t size)
{
    void *place = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    generated function;

    if (place == MAP_FAILED)
        survive_give_up("generated: mmap");
    memcpy(place, code, size);
    if (mprotect(place, SIZE, PROT_READ | PROT_EXEC) != 0)
        survive_give_up("generated: mprotect");
    __builtin___clear_cache((char *)place, (char *)place + size);
    memcpy(&function, &place, sizeof function);
    survive_release(function(survive_obtain, BLOCK));
    munmap(place, SIZE);
}

int main(void)
{
    tprof_region_begin("work");
    for (int i = 0; i < ROUNDS; i++) {
        run(without_pointer, sizeof without_pointer);
        run(with_pointer, sizeof with_pointer);
        run(with_other, sizeof with_other);
    }
    tprof_region_end("work");
    survive_print();
    return 0;
}
