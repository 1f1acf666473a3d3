/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * System calls through syscall() whose libc function the shim exports, too: both must hide the same
 * from the program.  Bad addresses and sizes are left to the kernel.
 */
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>

#include "interpose/dropping.h"
#include "interpose/sandbox.h"
#include "interpose/signal_waits.h"
#include "platform/next.h"
#include "platform/own_stack.h"
#include "platform/readable.h"
#include "platform/signal_action.h"
#include "platform/syscall_taken.h"
#include "sampler/cpu_timers.h"
#include "sampler/own_signal.h"
#include "sampler/stack_handlers.h"

enum { MASK_SIZE = sizeof(uint64_t) };

static long pass(const uint64_t words[SYSCALL_WORDS])
{
    return next.syscall((long)words[0], (long)words[1], (long)words[2], (long)words[3],
                        (long)words[4], (long)words[5], (long)words[6]);
}

/* Returns: `copy`; NULL when there is no mask, or the kernel will refuse it. */
static const sigset_t *read_mask(sigset_t *copy, uint64_t address, uint64_t size)
{
    if (address == 0 || size != MASK_SIZE || !readable(address, MASK_SIZE))
        return NULL;
    sigemptyset(copy);
    memcpy(copy, (const void *)(uintptr_t)address, MASK_SIZE);
    return copy;
}

/* ---- waits ------------------------------------------------------------------ */

static long take_sigtimedwait(const uint64_t words[SYSCALL_WORDS])
{
    sigset_t copy;
    const sigset_t *awaited = read_mask(&copy, words[1], words[4]);
    bool is_paused = awaited && cpu_timers_pause_awaiting(awaited);
    long result = pass(words);

    if (is_paused)
        cpu_timers_resume();
    return result;
}

static long take_sigpending(const uint64_t words[SYSCALL_WORDS])
{
    cpu_timers_hide_pending();
    return pass(words);
}

static long take_signalfd(const uint64_t words[SYSCALL_WORDS])
{
    sigset_t copy;
    const sigset_t *signals = read_mask(&copy, words[2], words[3]);

    if (signals)
        signal_waits_note_descriptor(signals);
    return pass(words);
}

static long wait_unblocking(const uint64_t words[SYSCALL_WORDS], uint64_t mask, uint64_t size)
{
    sigset_t copy;
    const sigset_t *blocked = read_mask(&copy, mask, size);
    bool is_paused = signal_waits_begin_unblocking(blocked, STACK_POINTER());
    long result = pass(words);

    signal_waits_end_unblocking(is_paused);
    return result;
}

static long take_sigsuspend(const uint64_t words[SYSCALL_WORDS])
{
    return wait_unblocking(words, words[1], words[2]);
}

static long take_ppoll(const uint64_t words[SYSCALL_WORDS])
{
    return wait_unblocking(words, words[4], words[5]);
}

static long take_epoll_pwait(const uint64_t words[SYSCALL_WORDS])
{
    return wait_unblocking(words, words[5], words[6]);
}

/* The last argument is the address of a mask's address and size. */
static long take_with_pair(const uint64_t words[SYSCALL_WORDS])
{
    uint64_t pair[2] = {0, 0};

    if (words[6] != 0 && readable(words[6], sizeof pair))
        memcpy(pair, (const void *)(uintptr_t)words[6], sizeof pair);
    return wait_unblocking(words, pair[0], pair[1]);
}

/* ---- actions ------------------------------------------------------------------ */

static bool may_use(uint64_t address, size_t size)
{
    return address == 0 || readable(address, size);
}

/* Two signals have handlers of ours.  libc's function adds the function of its own return. */
static long exchange_ours(int number, const struct signal_action *wanted,
                          struct signal_action *old)
{
    struct sigaction action, before;

    if (wanted)
        action = signal_action_for_libc(wanted);
    if (sigaction(number, wanted ? &action : NULL, &before) != 0)
        return -1;
    if (old)
        *old = signal_action_of(&before);
    return 0;
}

static void cover(int number, struct signal_action *action)
{
    struct sigaction changed = signal_action_for_libc(action);

    stack_handlers_cover(number, &changed);
    *action = signal_action_of(&changed);
}

static void uncover(int number, struct signal_action *action)
{
    struct sigaction changed = signal_action_for_libc(action);

    stack_handlers_uncover(number, &changed);
    *action = signal_action_of(&changed);
}

static long exchange_other(int number, const struct signal_action *wanted,
                           struct signal_action *old)
{
    struct signal_action action;
    long result;

    if (wanted) {
        action = *wanted;
        cover(number, &action);
    }
    result = next.syscall(SYS_rt_sigaction, number, (long)(wanted ? &action : NULL), (long)old,
                          MASK_SIZE, 0, 0);
    if (result == 0 && old)
        uncover(number, old);
    return result;
}

static long take_sigaction(const uint64_t words[SYSCALL_WORDS])
{
    const struct signal_action *wanted = (const void *)(uintptr_t)words[2];
    struct signal_action *old = (void *)(uintptr_t)words[3];
    int number = (int)words[1];

    if (words[4] != MASK_SIZE || !may_use(words[2], sizeof *wanted) ||
        !may_use(words[3], sizeof *old))
        return pass(words);
    return number == OWN_SIGNAL || number == SIGBUS ? exchange_ours(number, wanted, old)
                                                    : exchange_other(number, wanted, old);
}

static long take_sigaltstack(const uint64_t words[SYSCALL_WORDS])
{
    if (!may_use(words[1], sizeof(stack_t)) || !may_use(words[2], sizeof(stack_t)))
        return pass(words);
    return sigaltstack((const stack_t *)(uintptr_t)words[1], (stack_t *)(uintptr_t)words[2]);
}

/* ---- sandboxes ------------------------------------------------------------------ */

static long take_prctl(const uint64_t words[SYSCALL_WORDS])
{
    return sandbox_take_prctl((long)words[0], (int)words[1], words[2], words[3], words[4],
                              words[5]);
}

static long take_seccomp(const uint64_t words[SYSCALL_WORDS])
{
    return sandbox_take_seccomp((long)words[0], (unsigned)words[1], (unsigned)words[2],
                                (void *)(uintptr_t)words[3]);
}

/* ---- users and roots ---------------------------------------------------------- */

static long take_dropping(const uint64_t words[SYSCALL_WORDS])
{
    dropping_note((long)words[0], words[1], words[2]);
    return pass(words);
}

/* Older headers lack a number; it is the same on all machines. */
#ifndef SYS_epoll_pwait2
#define SYS_epoll_pwait2 441
#endif

/* Only futexes that neither wait nor wake come here: syscall_*.S. */
const syscall_taker syscall_takers[SYSCALL_TAKERS] = {
    [SYS_futex] = pass,
    [SYS_rt_sigaction] = take_sigaction,
    [SYS_rt_sigpending] = take_sigpending,
    [SYS_rt_sigtimedwait] = take_sigtimedwait,
    [SYS_rt_sigsuspend] = take_sigsuspend,
    [SYS_sigaltstack] = take_sigaltstack,
    [SYS_ppoll] = take_ppoll,
    [SYS_pselect6] = take_with_pair,
#ifdef SYS_io_pgetevents
    [SYS_io_pgetevents] = take_with_pair,
#endif
    [SYS_epoll_pwait] = take_epoll_pwait,
    [SYS_epoll_pwait2] = take_epoll_pwait,
    [SYS_signalfd4] = take_signalfd,
#ifdef SYS_signalfd /* AArch64 has only the newer call */
    [SYS_signalfd] = take_signalfd,
#endif
    [SYS_setuid] = take_dropping,
    [SYS_setreuid] = take_dropping,
    [SYS_setresuid] = take_dropping,
    [SYS_chroot] = take_dropping,
    [SYS_pivot_root] = take_dropping,
    [SYS_unshare] = take_dropping,
    [SYS_setns] = take_dropping,
    [SYS_landlock_restrict_self] = take_dropping,
    [SYS_prctl] = take_prctl,
    [SYS_seccomp] = take_seccomp,
};
