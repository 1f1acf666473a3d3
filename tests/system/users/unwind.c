/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stops at each instruction of wrappers that calls pass through, and unwinds from there with
 * libgcc: the path must include the caller, once.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include "library.h"

static volatile unsigned stops, astray;

int descend_again(int depth)
{
    return descend(depth);
}

/* Plain, with floating arguments, and deeper than calls are recorded. */
static __attribute__((noinline)) void call(void)
{
    descend(0);
    give_reals(1.5);
    descend(70);
}

static _Unwind_Reason_Code look(struct _Unwind_Context *context, void *found)
{
    uintptr_t address = _Unwind_GetIP(context) - 1;

    *(unsigned *)found += _Unwind_FindEnclosingFunction((void *)address) == (void *)call;
    return _URC_NO_REASON;
}

static void unwind(void)
{
    unsigned found = 0;

    _Unwind_Backtrace(look, &found);
    stops++;
    astray += found != 1;
}

static void on_trap(void (*handler)(int, siginfo_t *, void *))
{
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};

    sigaction(SIGTRAP, &action, NULL);
}

#if defined(__x86_64__)
/* The stubs are followed by their body.  The functions that it calls are compiled, and would take
 * long. */
enum { STUBS_AND_BODY = 8192 * 16 + 1024 };

static uintptr_t stub;

static void on_step(int number, siginfo_t *info, void *context)
{
    uintptr_t pc = (uintptr_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];

    (void)number;
    (void)info;
    if (pc - stub < STUBS_AND_BODY)
        unwind();
}

static void stop_everywhere(void)
{
    stub = (uintptr_t)descend;
    on_trap(on_step);
    __asm__ volatile("pushfq; orq $0x100, (%%rsp); popfq" ::: "memory", "cc");
    call();
    __asm__ volatile("pushfq; andq $~0x100, (%%rsp); popfq" ::: "memory", "cc");
}
#else
enum { BRK = 0xd4200000, STUB = 8, BODY = 128 };

static uint32_t *stopped, kept;

static void put(uint32_t instruction)
{
    *stopped = instruction;
    __builtin___clear_cache((char *)stopped, (char *)(stopped + 1));
}

static void on_break(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)info;
    (void)context;
    unwind();
    put(kept);
}

static void stop_in(uint32_t *code, unsigned count)
{
    uintptr_t page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t page = (uintptr_t)code & -page_size;

    mprotect((void *)page, (uintptr_t)(code + count) - page, PROT_READ | PROT_WRITE | PROT_EXEC);
    for (stopped = code; stopped < code + count; stopped++) {
        kept = *stopped;
        put(BRK);
        call();
        put(kept);
    }
}

/* Where the stub's branch leads, with or without link. */
static uint32_t *body_of(uint32_t *code)
{
    while ((*code & 0x7c000000) != 0x14000000)
        code++;
    return code + ((int32_t)(*code << 6) >> 6);
}

static void stop_everywhere(void)
{
    uint32_t *stub = (uint32_t *)(uintptr_t)descend;

    on_trap(on_break);
    stop_in(stub, STUB);
    stop_in(body_of(stub), BODY);
}
#endif

int main(void)
{
    call();
    unwind(); /* first results are not looked for in a handler */
    stops = astray = 0;
    stop_everywhere();
    printf("stops: %s, astray: %u\n", stops >= 50 ? "many" : "few", astray);
    return 0;
}
