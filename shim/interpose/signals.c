/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sigaction and signal, exported: the program does not see our handler of SIGBUS
 * (record/guard.h), as it has none itself there.  All other signals pass.
 */
#include <signal.h>
#include <stddef.h>

#include "platform/attributes.h"
#include "platform/next.h"
#include "record/guard.h"

static void hide(struct sigaction *old)
{
    if (guard_is_handler(old))
        *old = (struct sigaction){.sa_handler = SIG_DFL};
}

EXPORT int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    int result = next.sigaction(number, action, old);

    if (number != SIGBUS || result != 0)
        return result;
    if (action && !guard_is_handler(action))
        guard_note_replaced();
    if (old)
        hide(old);
    return result;
}

EXPORT sighandler_t signal(int number, sighandler_t handler)
{
    struct sigaction before;
    sighandler_t old;

    if (number != SIGBUS || next.sigaction(number, NULL, &before) != 0)
        return next.signal(number, handler);
    old = next.signal(number, handler);
    if (old == SIG_ERR)
        return old;
    guard_note_replaced();
    return guard_is_handler(&before) ? SIG_DFL : old;
}
