/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The CPython of a process, and its code objects on chains.
 *
 * A call of Python code has no address in the machine's memory.  Instead of an address it has a
 * number that equals no address: a bit, the code object, and the offset of the instruction.
 */
#ifndef MODEL_PYTHON_H
#define MODEL_PYTHON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attributes.h"
#include "base/status.h"
#include "spec/trace.h"
#include "symbols/symbols.h"

struct text;

#define PYTHON_CALL (UINT64_C(1) << 62) /* beyond all addresses */

struct python_codes;

struct session_python {
    struct trace_python fact; /* zeros: the process had none */
    bool is_there;
    struct python_codes *codes; /* NULL: none on any chain */
};

static inline bool python_is_call(uint64_t address)
{
    return (address & PYTHON_CALL) != 0;
}

struct python_codes *python_codes_new(void) MUST_CHECK;

void python_codes_free(struct python_codes *codes);

/* Add the payload of a CODE fact.
 * Errors: STATUS_CORRUPT. */
enum status python_codes_add(struct python_codes *codes, const char *bytes,
                             size_t size) MUST_CHECK;

/* Add the payload of a SITE fact.  Errors: as above. */
enum status python_codes_add_site(struct python_codes *codes, const char *bytes,
                                  size_t size) MUST_CHECK;

/* Find the Python place of a kernel's call.  Returns: NULL for an unknown number; `codes` may be
 * NULL. */
const struct trace_site *python_codes_find_site(const struct python_codes *codes, uint64_t site);

static inline bool python_is_site(uint64_t site)
{
    return (site & TRACE_SITE_PYTHON) != 0;
}

/* Give the number of a call in a code object. */
static inline uint64_t python_call(uint32_t code, uint32_t offset)
{
    return PYTHON_CALL | (uint64_t)code << TRACE_CODE_SHIFT | offset;
}

/* Find the function, file and line of a call.  An unknown code object has none of them.  The frame
 * is valid until python_codes_free. */
void python_codes_find(struct python_codes *codes, uint64_t address,
                       const struct symbols_frame **frame);

/* Is this the base name of a file that contains only Python's own code? */
bool python_is_own_file(const char *name);

/* Returns: words for why Python frames are not read. */
const char *python_off_words(enum trace_python_off off);

/* Returns: words for why Python objects are no blocks of their own. */
const char *python_objects_words(uint64_t state);

/* Append a version: "3.11.7". */
void python_append_version(struct text *text, uint32_t version);

#endif
