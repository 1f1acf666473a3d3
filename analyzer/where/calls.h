/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * System calls: their names, and the reasons why a thread waits in them.
 */
#ifndef WHERE_CALLS_H
#define WHERE_CALLS_H

/* The visible effect for a program when a thread is stopped in a call and goes on. */
enum calls_effect {
    CALLS_UNSEEN, /* nothing */
    CALLS_SEEN,   /* EINTR, or a shorter count */
    CALLS_SOCKET, /* the same, but only for sockets */
};

enum calls_argument { CALLS_OTHER, CALLS_DESCRIPTOR };

struct calls_wait {
    const char *name;
    enum calls_effect effect;
    enum calls_argument first; /* argument */
    const char *waits_for;     /* NULL: the name says it */
};

/* Returns: the name of a system call on this machine; NULL when it has none. */
const char *calls_name(long number);

/* Find the meaning of a wait in a call.  The effect of an unknown call is CALLS_SEEN. */
struct calls_wait calls_find_wait(const char *name);

#endif
