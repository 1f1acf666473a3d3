/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers and pointers as unwind tables hold them.
 *
 * A read beyond the end of its bytes gives 0 and stays at the end.
 */
#ifndef UNWIND_DWARF_H
#define UNWIND_DWARF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum dwarf_instruction {
#define INSTRUCTION(name, code, operands) DWARF_##name = (code),
#include "unwind/dwarf.def"
#undef INSTRUCTION
};

enum dwarf_encoding {
#define ENCODING(name, code, size, is_signed) DWARF_##name = (code),
#include "unwind/dwarf.def"
#undef ENCODING
    DWARF_FORM_BITS = 0x0f
};

enum dwarf_relation {
#define RELATION(name, code) DWARF_##name = (code),
#include "unwind/dwarf.def"
#undef RELATION
    DWARF_RELATION_BITS = 0x70
};

enum dwarf_operation {
#define OPERATION(name, code) DWARF_##name = (code),
#include "unwind/dwarf.def"
#undef OPERATION
};

/* The bytes that are left to read. */
struct dwarf_bytes {
    const unsigned char *at;
    const unsigned char *end;
};

/* Are `size` bytes left? */
static inline bool dwarf_has(const struct dwarf_bytes *bytes, ptrdiff_t size)
{
    return bytes->end - bytes->at >= size;
}

/* Read an unsigned number of `size` bytes, at most 8.  Inline, as is the next: unwind tables are
 * read byte by byte. */
static inline uint64_t dwarf_read_fixed(struct dwarf_bytes *bytes, size_t size)
{
    uint64_t value = 0;

    if (!dwarf_has(bytes, (ptrdiff_t)size)) {
        bytes->at = bytes->end;
        return 0;
    }
    memcpy(&value, bytes->at, size); /* both machines are little-endian */
    bytes->at += size;
    return value;
}

/* Read a LEB128. */
static inline uint64_t dwarf_read_unsigned(struct dwarf_bytes *bytes)
{
    uint64_t value = 0;

    for (unsigned shift = 0; dwarf_has(bytes, 1); shift += 7) {
        unsigned char byte = *bytes->at++;

        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            break;
    }
    return value;
}

int64_t dwarf_read_signed(struct dwarf_bytes *bytes);

/* Read a pointer: its form is in the low four bits of the encoding, its relation in the next
 * three. */
uintptr_t dwarf_read_pointer(struct dwarf_bytes *bytes, unsigned encoding);

/* Take bytes whose size precedes them as a LEB128.  A wrong size takes all remaining bytes. */
static inline struct dwarf_bytes dwarf_take_block(struct dwarf_bytes *bytes)
{
    uint64_t size = dwarf_read_unsigned(bytes);
    uint64_t left = (uint64_t)(bytes->end - bytes->at);
    struct dwarf_bytes block = {bytes->at, bytes->at + (size < left ? size : left)};

    bytes->at = block.end;
    return block;
}

#endif
