/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * uthash, but the program ends when memory runs out, as everywhere in the
 * analyzer.
 *
 * Include this header, never <uthash.h>.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#ifdef UTHASH_H
#error "uthash.h was included before base/hash.h, without its rule"
#endif

#define uthash_fatal(message) memory_ran_out()

#include <uthash.h>

#include "base/memory.h"

#endif
