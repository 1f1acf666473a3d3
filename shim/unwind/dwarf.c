/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading numbers of unwind tables.
 */
#include "unwind/dwarf.h"

int64_t dwarf_read_signed(struct dwarf_bytes *bytes)
{
    uint64_t value = 0;
    unsigned char byte = 0x80;
    unsigned shift = 0;

    for (; byte >= 0x80 && dwarf_has(bytes, 1); shift += 7) {
        byte = *bytes->at++;
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
    }
    if (shift < 64 && (byte & 0x40))
        value |= UINT64_MAX << shift;
    return (int64_t)value;
}

/* A form of pointers. */
struct form {
    bool is_known;
    bool is_signed;
    unsigned char size; /* 0: a LEB128 */
};

static const struct form forms[DWARF_FORM_BITS + 1] = {
#define ENCODING(name, code, size, is_signed) [code] = {true, is_signed, size},
#include "unwind/dwarf.def"
#undef ENCODING
};

static uint64_t read_form(struct dwarf_bytes *bytes, struct form form)
{
    unsigned unused_bits = 64 - 8u * form.size;
    uint64_t value;

    if (!form.is_known)
        return 0;
    if (form.size == 0)
        return form.is_signed ? (uint64_t)dwarf_read_signed(bytes) : dwarf_read_unsigned(bytes);
    value = dwarf_read_fixed(bytes, form.size) << unused_bits;
    return form.is_signed ? (uint64_t)((int64_t)value >> unused_bits) : value >> unused_bits;
}

uintptr_t dwarf_read_pointer(struct dwarf_bytes *bytes, unsigned encoding)
{
    uintptr_t place = (uintptr_t)bytes->at;
    uintptr_t value = read_form(bytes, forms[encoding & DWARF_FORM_BITS]);

    return (encoding & DWARF_RELATION_BITS) == DWARF_PCREL ? value + place : value;
}
