/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Holding a cancellation of the thread back.  To open, read and write are
 * points at which a thread may be cancelled; in our code it would keep its
 * locks and its lane for ever.
 */
#ifndef COLD_CANCEL_H
#define COLD_CANCEL_H

#include <pthread.h>

/* Returns: what cancel_allow needs. */
static inline int cancel_hold_back(void)
{
    int before;

    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    return before;
}

/* It takes place at the program's next such point. */
static inline void cancel_allow(int before)
{
    pthread_setcancelstate(before, NULL);
}

#endif
