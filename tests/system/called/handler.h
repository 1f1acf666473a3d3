/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A library of handlers, which a catalog names requests.
 */
#ifndef CALLED_HANDLER_H
#define CALLED_HANDLER_H

/* Serve a path: /fast; /nap sleeps 20 ms; /spin computes for 2 ms; /leak keeps 1000 bytes. */
int serve(int connection, const char *path);

/* What `act` does is the request. */
void with_kind(short kind, void (*act)(int), int argument);
void plainly(double factor, unsigned long id, void (*act)(int), int argument);
void any_one(void (*act)(int), int argument);
void any_two(void (*act)(int), int argument);

#endif
