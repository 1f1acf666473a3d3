/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The handler of SIGBUS.  It makes only system calls, and stores into no file.
 *
 * Decision: doc/decisions/traces-that-are-cut.
 */
#include "record/guard.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/calls.h"
#include "platform/lock.h"
#include "platform/memory.h"
#include "platform/next.h"
#include "record/process.h"

enum { SENT_CODES_END = 0 }; /* codes up to this are of signals that someone sent */

/* A sanitizer has a sigaction of its own, which must not be called while it starts; glibc's has
 * another name. */
static int set_action(const struct sigaction *action, struct sigaction *old)
{
    return next.__sigaction ? next.__sigaction(SIGBUS, action, old)
                            : next.sigaction(SIGBUS, action, old);
}

static const struct sigaction standard = {.sa_handler = SIG_DFL};

/* With the standard action the fault comes again and ends the program; a signal that was sent is
 * sent again. */
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
static void on_bus_error(int number, siginfo_t *info, void *context)
{
    int saved_errno = errno;

    (void)number;
    (void)context;
    if (info->si_code == BUS_ADRERR && is_own_process() && memory_replace(info->si_addr))
        process_cut();
    else
        let_end(info);
    errno = saved_errno;
}

bool guard_is_handler(const struct sigaction *action)
{
    return (action->sa_flags & SA_SIGINFO) != 0 && action->sa_sigaction == on_bus_error;
}

/* A lock's holder blocks all signals, and a blocked fault ends the program. */
void guard_start(void)
{
    struct sigaction action = {.sa_sigaction = on_bus_error,
                               .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
    struct sigaction old;

    if (set_action(NULL, &old) != 0 || (old.sa_flags & SA_SIGINFO) != 0 ||
        old.sa_handler != SIG_DFL)
        return;
    sigfillset(&action.sa_mask);
    if (set_action(&action, NULL) == 0)
        lock_let_through(SIGBUS);
}

void guard_stop(void)
{
    struct sigaction old;

    if (set_action(NULL, &old) == 0 && guard_is_handler(&old))
        set_action(&standard, NULL);
    guard_note_replaced();
}

void guard_note_replaced(void)
{
    lock_let_through(0);
}
