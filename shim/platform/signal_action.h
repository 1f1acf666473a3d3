/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Actions of signals in the kernel's form, on all known machines.  libc leaves its own signals out
 * of any mask, and has no call for their actions.
 */
#ifndef PLATFORM_SIGNAL_ACTION_H
#define PLATFORM_SIGNAL_ACTION_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "platform/calls.h"

/* A handler as of SA_SIGINFO. */
typedef void (*signal_handler)(int number, siginfo_t *info, void *context);

struct signal_action {
    signal_handler handler;
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
};

/* As sigaction(2).  Returns: whether it was done. */
static inline bool signal_action_exchange(int number, const struct signal_action *action,
                                          struct signal_action *old)
{
    return calls_system(SYS_rt_sigaction, number, action, old, sizeof action->mask) == 0;
}

/* Between this and libc's struct. */
static inline struct signal_action signal_action_of(const struct sigaction *action)
{
    struct signal_action result = {action->sa_sigaction, (unsigned)action->sa_flags,
                                   action->sa_restorer, 0};

    memcpy(&result.mask, &action->sa_mask, sizeof result.mask);
    return result;
}

static inline struct sigaction signal_action_for_libc(const struct signal_action *action)
{
    struct sigaction result = {.sa_sigaction = action->handler,
                               .sa_flags = (int)action->flags,
                               .sa_restorer = action->restorer};

    memcpy(&result.sa_mask, &action->mask, sizeof action->mask);
    return result;
}

/* Ask whether an action is a handler of the program, and neither of the two standard actions. */
static inline bool signal_action_is_function(const struct sigaction *action)
{
    return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

#endif
