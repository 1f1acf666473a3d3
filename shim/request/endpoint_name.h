/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The name of an endpoint: the method and the first two segments of the path, from the first bytes
 * of a request.  A segment that looks like a number becomes *.  Or a function and an argument of
 * it.  Pure; no vector registers.
 */
#ifndef REQUEST_ENDPOINT_NAME_H
#define REQUEST_ENDPOINT_NAME_H

#include <stddef.h>

#include "request/first_bytes.h"

enum { ENDPOINT_NAME_SIZE = 96 };

/* Compose the name.  Returns: its length; 0: the bytes are no line of a request. */
size_t endpoint_name_compose(struct first_bytes bytes, char text[ENDPOINT_NAME_SIZE]);

/* Compose the name of a function's calls, with an argument that tells them apart: a path counts
 * like that of a request.  Words and numbers stay, and a word that looks like an id becomes *.  An
 * empty text adds nothing.  Returns: its length. */
size_t endpoint_name_of_call(const char *function, struct first_bytes argument,
                             char text[ENDPOINT_NAME_SIZE]);

#endif
