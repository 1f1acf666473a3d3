/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions that a user's catalog names requests: each outermost call is one
 * (request/functions.h).  It is no kernel, so its waits and inner calls are reported as elsewhere.
 *
 * Safety: as of adapter_call.h.
 */
#ifndef CALL_REQUESTED_H
#define CALL_REQUESTED_H

#include <stdbool.h>
#include <stdint.h>

#include "call/adapter_call.h"
#include "spec/catalog.h"

struct requested {
    struct adapter_call call; /* the first member: a symbol has its address */
    const char *name;         /* of the requests; NULL: that of the function */
    uint8_t place;            /* of the argument that tells the calls apart, among the integers */
    uint8_t access;           /* enum catalog_access: a number; CATALOG_LETTER: a text;
                                 CATALOG_NONE: there is no argument */
};

/* The data of a kernel's symbol, to be copied to memory that stays, without a name. */
struct requested requested_make(const struct catalog_kernel *kernel, bool is_wide);

#endif
