/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls a kernel from a handler that comes at each instruction of the shim in turn, while another
 * shape of the kernel is being entered.
 */
#include <link.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

#include "library.h"

enum { TRAP_FLAG = 0x100 };

static uintptr_t ours, ours_end;
static volatile unsigned steps, handled;

int descend_again(int depth)
{
    return depth;
}

/* From one place, so only the shape distinguishes calls. */
static __attribute__((noinline)) void call(int depth)
{
    descend(depth);
    __asm__ volatile("");
}

static int find_ours(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    if (!strstr(info->dlpi_name, "libtprof.so"))
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];

        if (header->p_type == PT_LOAD && header->p_flags & PF_X) {
            ours = info->dlpi_addr + header->p_vaddr;
            ours_end = ours + header->p_memsz;
        }
    }
    return 1;
}

/* Steps until it has called. */
static void on_step(int number, siginfo_t *info, void *of)
{
    greg_t *registers = ((ucontext_t *)of)->uc_mcontext.gregs;
    uintptr_t pc = (uintptr_t)registers[REG_RIP];

    (void)number;
    (void)info;
    if (pc < ours || pc >= ours_end || steps++ != handled)
        return;
    registers[REG_EFL] &= ~TRAP_FLAG;
    handled++;
    call(2);
}

static void step_through_call(int depth)
{
    steps = 0;
    __asm__ volatile("pushfq; orq $0x100, (%%rsp); popfq" ::: "memory", "cc");
    call(depth);
    __asm__ volatile("pushfq; andq $~0x100, (%%rsp); popfq" ::: "memory", "cc");
}

int main(void)
{
    struct sigaction action = {.sa_sigaction = on_step, .sa_flags = SA_SIGINFO};
    unsigned calls = 0;

    dl_iterate_phdr(find_ours, NULL);
    sigaction(SIGTRAP, &action, NULL);
    call(1);
    call(2);
    do {
        step_through_call(1);
        call(2);
        calls++;
    } while (handled == calls);
    printf("truth: %u\n", calls + 1);
    return 0;
}
