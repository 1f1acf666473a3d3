/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading UTF-8 that may be broken, and making it whole.
 *
 * Pure functions.  They ignore the locale, as a trace may come from any machine.
 */
#include "base/utf8.h"

#include <stdbool.h>

/* One row for each length of sequence: a lead byte matches when its bits under `lead_mask` are
 * `lead_bits`.  A code point below `lowest` would have fitted a shorter sequence. */
struct utf8_form {
    unsigned char lead_mask;
    unsigned char lead_bits;
    uint32_t lowest;
};

static const struct utf8_form utf8_forms[] = {
    {0x80, 0x00, 0x0},
    {0xe0, 0xc0, 0x80},
    {0xf0, 0xe0, 0x800},
    {0xf8, 0xf0, 0x10000},
};

enum { UTF8_FORM_COUNT = sizeof utf8_forms / sizeof *utf8_forms };

static bool is_scalar(uint32_t code_point)
{
    bool is_surrogate = code_point >= 0xd800 && code_point <= 0xdfff;

    return code_point <= 0x10ffff && !is_surrogate;
}

/* Returns: how many bytes follow the lead byte; UTF8_FORM_COUNT when it is no lead byte. */
static size_t find_form(unsigned char lead)
{
    size_t form = 0;

    while (form < UTF8_FORM_COUNT &&
           (lead & utf8_forms[form].lead_mask) != utf8_forms[form].lead_bits)
        form++;
    return form;
}

size_t utf8_decode(const char *string, uint32_t *code_point)
{
    const unsigned char *bytes = (const unsigned char *)string;
    size_t form = find_form(bytes[0]);

    if (form == UTF8_FORM_COUNT)
        return 0;

    uint32_t number = bytes[0] & (unsigned char)~utf8_forms[form].lead_mask;
    for (size_t i = 1; i <= form; i++) {
        if ((bytes[i] & 0xc0) != 0x80) /* also stops at the end of the string */
            return 0;
        number = number << 6 | (bytes[i] & 0x3f);
    }
    if (number < utf8_forms[form].lowest || !is_scalar(number))
        return 0;
    *code_point = number;
    return form + 1;
}

size_t utf8_decode_or_escape(struct text *out, const char *string, uint32_t *code_point)
{
    size_t size = utf8_decode(string, code_point);

    if (size == 0)
        text_appendf(out, "\\x%02x", (unsigned int)(unsigned char)*string);
    return size;
}

size_t utf8_cut(const char *string, size_t most)
{
    size_t size = 0;

    while (string[size]) {
        uint32_t code_point;
        size_t next = utf8_decode(string + size, &code_point);

        next = next ? next : 1;
        if (size + next > most)
            break;
        size += next;
    }
    return size;
}

void utf8_append_valid(struct text *out, const char *string)
{
    while (*string) {
        uint32_t code_point;
        size_t size = utf8_decode_or_escape(out, string, &code_point);

        text_append_bytes(out, string, size);
        string += size ? size : 1;
    }
}
