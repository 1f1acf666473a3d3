/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A short thread in the manner of vfork(2): it runs below the frame of its maker, which is
 * suspended until the thread ends, so it needs no stack of its own.  The thread is no child: no
 * process waits for it, and only /proc shows it.  A tracer does not see it, either
 * (CLONE_UNTRACED).
 *
 * The table of descriptors is shared at first.  Unsharing the table in the call that closes all
 * descriptors copies nothing.  So no file of the program is closed, which would flush it on some
 * file systems.
 */
#include "platform/aside.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "platform/calls.h"

#ifndef SYS_close_range
#define SYS_close_range 436 /* since Linux 5.9, on all machines */
#endif

enum { UNSHARE = 2 /* CLOSE_RANGE_UNSHARE of <linux/close_range.h> */ };

enum {
    LIKE_VFORK = CLONE_VM | CLONE_VFORK | CLONE_THREAD | CLONE_SIGHAND | CLONE_FILES | CLONE_FS |
                 CLONE_SYSVSEM | CLONE_UNTRACED
};

_Thread_local uint64_t aside_cpu_ns INITIAL_EXEC;

static atomic_bool has_threads;
static _Thread_local bool is_aside INITIAL_EXEC;

struct errand {
    aside_function run;
    void *argument;
    bool is_done;
};

/* The thread has the thread-local variables of its maker. */
static void carry_out(void *of)
{
    struct errand *errand = of;

    if (calls_system(SYS_close_range, 0, UINT_MAX, UNSHARE) != 0)
        return;
    is_aside = true;
    errand->run(errand->argument);
    is_aside = false;
    aside_cpu_ns += calls_clock(CLOCK_THREAD_CPUTIME_ID);
    errand->is_done = true;
}

/* Make the thread, and return when it has ended, or at once if it cannot be made. */
static void send(aside_function run, struct errand *errand)
{
#if defined(__x86_64__)
    enum { RED_ZONE = 128, ALIGNED = -16 };
    long result = SYS_clone;
    register long number __asm__("r10") = 0;
    register long storage __asm__("r8") = 0;

    __asm__ volatile("lea -%c[zone](%%rsp), %%rsi\n\t"
                     "and %[aligned], %%rsi\n\t"
                     "syscall\n\t"
                     "test %%rax, %%rax\n\t"
                     "jnz 1f\n\t"
                     "xor %%ebp, %%ebp\n\t"
                     "mov %[errand], %%rdi\n\t"
                     "call *%[run]\n\t"
                     "xor %%edi, %%edi\n\t"
                     "mov %[exit], %%eax\n\t"
                     "syscall\n"
                     "1:"
                     : "+a"(result)
                     : "D"((long)LIKE_VFORK), "d"(0L), "r"(number), "r"(storage),
                       [errand] "r"(errand), [run] "r"(run), [zone] "i"(2 * RED_ZONE),
                       [aligned] "i"(ALIGNED), [exit] "i"(SYS_exit)
                     : "rsi", "rcx", "r11", "memory");
#elif defined(__aarch64__)
    register long which __asm__("x8") = SYS_clone;
    register long flags __asm__("x0") = LIKE_VFORK;
    register long parent __asm__("x2") = 0;
    register long storage __asm__("x3") = 0;
    register long child __asm__("x4") = 0;

    __asm__ volatile("mov x1, sp\n\t"
                     "svc 0\n\t"
                     "cbnz x0, 1f\n\t"
                     "mov x29, xzr\n\t"
                     "mov x0, %[errand]\n\t"
                     "blr %[run]\n\t"
                     "mov x0, xzr\n\t"
                     "mov x8, %[exit]\n\t"
                     "svc 0\n"
                     "1:"
                     : "+r"(flags)
                     : "r"(which), "r"(parent), "r"(storage), "r"(child), [errand] "r"(errand),
                       [run] "r"(run), [exit] "i"(SYS_exit)
                     : "x1", "memory");
#endif
}

void aside_note_thread(void)
{
    atomic_store_explicit(&has_threads, true, memory_order_relaxed);
}

/* No signal may come: a handler of the program would run in a thread that the program does not
 * know.  SIGBUS is the exception: if others truncate the trace, it is a fault, which would end the
 * program while blocked (record/guard.h). */
#define BLOCKED (~(UINT64_C(1) << (SIGBUS - 1)))

bool aside_try(aside_function run, void *argument)
{
    struct errand errand = {run, argument, false};
    uint64_t signals;

    if (is_aside)
        return false;
    signals = calls_block_signals(BLOCKED);
    send(carry_out, &errand);
    calls_block_signals(signals);
    return errand.is_done;
}

void aside_run(aside_function run, void *argument)
{
    if (!atomic_load_explicit(&has_threads, memory_order_relaxed) || !aside_try(run, argument))
        run(argument);
}
