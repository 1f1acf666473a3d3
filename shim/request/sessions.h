/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which connection a session of TLS belongs to, where the program moves the encrypted bytes itself
 * and the library knows no descriptor: Python's asyncio, and uvloop.
 *
 * The session that a thread lets work after it has read encrypted bytes works on these.  A
 * thread that reads from two connections before it lets a session work says nothing of either.
 *
 * Safety: any thread; a session is used by one at a time.
 */
#ifndef REQUEST_SESSIONS_H
#define REQUEST_SESSIONS_H

#include <stdint.h>

/* This thread has read encrypted bytes from a connection. */
void sessions_note_read(uint64_t descriptor, uint32_t connection);

struct sessions_found {
    uint64_t descriptor;
    uint32_t connection; /* its number then; 0: unknown */
};

/* Find the connection of a server's session that is about to work. */
struct sessions_found sessions_find(const void *session);

/* The session ends; its address may be another one's next. */
void sessions_forget(const void *session);

/* A member of a row of room.h. */
void sessions_leave(void);

#endif
