/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The handler of SIGBUS.  For a fault in the shim's memory it makes only system calls, and stores
 * into no file; everything else goes to the program's handler, with its mask and on its stack.
 *
 * Decision: doc/decisions/traces-that-are-cut.
 */
#include "record/guard.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#include "platform/calls.h"
#include "platform/keys.h"
#include "platform/lock.h"
#include "platform/memory.h"
#include "platform/next.h"
#include "record/process.h"

enum { SENT_CODES_END = 0 }; /* codes up to this are of signals that someone sent */

typedef void (*bus_handler)(int number, siginfo_t *info, void *context);

static atomic_bool is_on;

/* The program's handler, replaced by ours; the kernel has its mask and flags.  NULL: none. */
static _Atomic(bus_handler) handler_behind;
static atomic_bool is_plain;            /* it takes only the number, as it declared */
static struct sigaction default_behind; /* the program's action if it has no handler */

/* A sanitizer has its own sigaction, which must not be called while the sanitizer starts; glibc's
 * has another name. */
static int set_action(const struct sigaction *action, struct sigaction *old)
{
    return next.__sigaction ? next.__sigaction(SIGBUS, action, old)
                            : next.sigaction(SIGBUS, action, old);
}

static const struct sigaction standard = {.sa_handler = SIG_DFL};

/* With the standard action, the fault repeats and ends the program; a sent signal is sent again. */
static void let_end(const siginfo_t *info)
{
    set_action(&standard, NULL);
    if (info->si_code <= SENT_CODES_END)
        calls_system(SYS_tgkill, calls_getpid(), calls_system(SYS_gettid), SIGBUS);
}

static bool is_own_process(void)
{
    return process && process->pid == calls_getpid();
}

/* Two threads may come at once: the second gets other memory, too. */
static bool mend(const siginfo_t *info)
{
    if (info->si_code != BUS_ADRERR || !is_own_process() || !memory_replace(info->si_addr))
        return false;
    process_cut();
    return true;
}

/* The program's handler may wait for the lock that its thread holds.  So a sent signal is delivered
 * again when the lock is released.
 * Returns: whether it waits. */
static bool defer(siginfo_t *info, ucontext_t *context)
{
    if (info->si_code > SENT_CODES_END || !lock_is_held_under(&context->uc_sigmask))
        return false;
    sigaddset(&context->uc_sigmask, SIGBUS);
    calls_block_signals(~UINT64_C(0));
    calls_system(SYS_rt_tgsigqueueinfo, calls_getpid(), calls_system(SYS_gettid), SIGBUS, info);
    return true;
}

/* Returns: whether the program's handler must be called. */
static __attribute__((noinline)) bool is_for(bus_handler behind, siginfo_t *info, void *context)
{
    int saved_errno = errno;
    bool is_done = mend(info) || (behind && defer(info, context));

    if (!is_done && !behind)
        let_end(info);
    errno = saved_errno;
    return !is_done && behind;
}

/* A handler that takes only the number ignores the other arguments. */
static void on_bus_error(int number, siginfo_t *info, void *context)
{
    bus_handler behind = atomic_load(&handler_behind);
    uint32_t closed = keys_open();
    bool is_behind = is_for(behind, info, context);

    keys_write(closed);
    if (is_behind)
        behind(number, info, context);
}

static bool is_ours(const struct sigaction *action)
{
    return (action->sa_flags & SA_SIGINFO) != 0 && action->sa_sigaction == on_bus_error;
}

static bool is_simple(const struct sigaction *action, sighandler_t handler)
{
    return (action->sa_flags & SA_SIGINFO) == 0 && action->sa_handler == handler;
}

/* A handler that serves once would be gone after a fault of ours. */
static bool may_stand_before(const struct sigaction *action)
{
    return !is_ours(action) && !is_simple(action, SIG_IGN) &&
           (action->sa_flags & (int)SA_RESETHAND) == 0;
}

static void note_behind(const struct sigaction *action)
{
    bool has_handler = !is_simple(action, SIG_DFL);

    if (!has_handler)
        default_behind = *action;
    atomic_store(&is_plain, (action->sa_flags & SA_SIGINFO) == 0);
    atomic_store(&handler_behind, has_handler ? action->sa_sigaction : NULL);
}

/* The action for the kernel: ours in place of this one. */
static struct sigaction make_action(const struct sigaction *behind)
{
    struct sigaction action = *behind;

    if (is_simple(behind, SIG_DFL)) {
        action.sa_flags = SA_RESTART | SA_ONSTACK;
        sigfillset(&action.sa_mask);
    }
    action.sa_sigaction = on_bus_error;
    action.sa_flags |= SA_SIGINFO;
    return action;
}

/* Another thread may set a handler meanwhile: the action that the shim's replaced shows this. */
static void stand_before(struct sigaction behind)
{
    struct sigaction action, replaced;

    do {
        note_behind(&behind);
        action = make_action(&behind);
        if (set_action(&action, &replaced) != 0 || replaced.sa_sigaction == behind.sa_sigaction)
            return;
        behind = replaced;
    } while (may_stand_before(&behind));
    if (!is_ours(&behind))
        set_action(&behind, NULL);
}

/* A child of vfork has its parent's memory, and actions of its own.  A lock's holder blocks all
 * signals, and a blocked fault ends the program. */
void guard_note_set(void)
{
    struct sigaction now;

    if (!atomic_load(&is_on) || !is_own_process() || set_action(NULL, &now) != 0)
        return;
    if (may_stand_before(&now))
        stand_before(now);
    lock_let_through(set_action(NULL, &now) == 0 && is_ours(&now) ? SIGBUS : 0);
}

void guard_start(void)
{
    atomic_store(&is_on, true);
    guard_note_set();
}

void guard_stop(void)
{
    struct sigaction now;

    atomic_store(&is_on, false);
    lock_let_through(0);
    if (set_action(NULL, &now) != 0 || !is_ours(&now))
        return;
    guard_hide(&now);
    set_action(&now, NULL);
}

void guard_hide(struct sigaction *action)
{
    bus_handler behind = atomic_load(&handler_behind);

    if (!is_ours(action))
        return;
    if (!behind)
        *action = default_behind;
    else
        action->sa_sigaction = behind;
    if (behind && atomic_load(&is_plain))
        action->sa_flags &= ~SA_SIGINFO;
}
