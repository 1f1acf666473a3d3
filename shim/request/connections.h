/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The requests that a process answers: each is on a connection which the process accepted, from the
 * first bytes that it reads to its last write before the next ones.
 *
 * A descriptor that accept or accept4 returned has a state, until it is closed or replaced.  The
 * wrappers of call/ pass their calls on: those that read and write such a descriptor, and those
 * that wait for work.  The wait for work ends an answer: then the thread writes its record.  If the
 * answer goes on, it is written again, and the last record counts.
 *
 * A forked child knows the connections of its parent, and nothing of their requests.
 *
 * Of TLS, the calls of the library count (call/tls.h): after the first one that gives plain bytes,
 * the reads and writes of the descriptor itself begin and end nothing.
 *
 * Not seen: system calls of the program's own, io_uring, and what libc reads and writes itself, as
 * for streams.
 *
 *   operation                             states of other descriptors   signal handler
 *   connections_has                       no                            yes
 *   the others                            no                            yes; a state that it
 *                                                                       interrupts is left alone
 *
 * Budget of connections_has without a connection: one load and one comparison; with one: a load
 * more.  A request takes 1.5 us at most: two readings of the thread's clock, a question to its
 * socket, and one record.  Where requests come often, these are asked of a random part of them.
 *
 * Decision: doc/decisions/requests.
 */
#ifndef REQUEST_CONNECTIONS_H
#define REQUEST_CONNECTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/attributes.h"
#include "spec/trace.h"

enum { CONNECTIONS_MAX = 32768 };

/* Marks the descriptors of accepted connections, each with a byte.  NULL: none was accepted. */
extern uint8_t *connections_marks HIDDEN;

static ALWAYS_INLINE bool connections_has(uint64_t descriptor)
{
    const uint8_t *marks = connections_marks;

    return UNLIKELY(marks) && descriptor < CONNECTIONS_MAX && marks[descriptor] != 0;
}

/* What a call does to a connection. */
enum connections_role {
    CONNECTIONS_NONE,
    CONNECTIONS_READS,
    CONNECTIONS_READS_PIECES,  /* the second argument is an array of struct iovec */
    CONNECTIONS_READS_MESSAGE, /* the second argument is a struct msghdr */
    CONNECTIONS_READS_UNSEEN,  /* into no memory */
    CONNECTIONS_WRITES,
    CONNECTIONS_WRITES_PIECES,
    CONNECTIONS_WRITES_MESSAGE,
    CONNECTIONS_WRITES_UNSEEN,
    CONNECTIONS_SPLICES, /* reads the first descriptor, or writes the third argument's */
    CONNECTIONS_ACCEPTS,
    CONNECTIONS_CLOSES
};

struct connections_row {
    uint8_t role;  /* enum connections_role */
    uint8_t flags; /* the argument with the flags of recv(2); 0: none */
};

/* By enum trace_wait_call. */
extern const struct connections_row connections_rows[TRACE_WAIT_CALLS] HIDDEN;

/* A call that reads or writes. */
struct connections_call {
    enum connections_role role;
    uint64_t descriptor;
    const uint64_t *words;
    uint64_t asked; /* when the call began, in ticks; 0: it is not recorded */
    bool is_plain;  /* of a library of TLS: its bytes are not those of the descriptor */
};

/* Is this still the connection of that number? */
bool connections_is(uint64_t descriptor, uint32_t number);

/* A descriptor was accepted by the descriptor `listener`.  Keeps errno. */
void connections_open(uint64_t descriptor, uint64_t listener);

/* A descriptor will be closed or replaced.  Keeps errno. */
void connections_close(uint64_t descriptor);

/* A call of a connection begins, and has returned.  Both keep errno. */
void connections_begin(struct connections_call *call);
void connections_end(const struct connections_call *call, uint64_t result);

/* The thread is about to wait for work: its last answer is complete.  Keeps errno. */
void connections_turn(void);

/* Members of a row of room.h. */
void connections_finish(void);
void connections_leave(void);

#endif
