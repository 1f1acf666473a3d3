/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ranges of the functions of one file, from its unwind table.
 *
 * libdw gives the table row for an address, not the entry around it, so this code walks the
 * entries: each once, in file order.  Nothing in the file is trusted.  An entry in a form that no
 * linker writes is skipped; a length that leads out of the section ends the walk.
 *
 * Decision: doc/decisions/functions-without-symbols.
 */
#include "symbols/function_ranges.h"

#include <dwarf.h>
#include <string.h>

enum {
    FORM_MASK = 0x0f, /* bits of an encoding that give the number of bytes */
    BASE_MASK = 0x70, /* its base */
    FORM_SIGNED = 0x08,
    NO_ENCODING = DW_EH_PE_omit
};

/* The rest of an entry; nothing is left after a missing value. */
struct range_reader {
    const unsigned char *at;
    const unsigned char *end;
    bool failed;
};

static bool range_take(struct range_reader *reader, void *value, size_t size)
{
    if (reader->failed || (size_t)(reader->end - reader->at) < size) {
        reader->failed = true;
        return false;
    }
    memcpy(value, reader->at, size);
    reader->at += size;
    return true;
}

static unsigned range_take_byte(struct range_reader *reader)
{
    unsigned char byte = 0;

    range_take(reader, &byte, sizeof byte);
    return byte;
}

/* A number of seven bits a byte.  Its value is of no use here. */
static void range_skip_leb(struct range_reader *reader)
{
    while (range_take_byte(reader) & 0x80)
        continue;
}

static uint64_t range_take_number(struct range_reader *reader, size_t size, bool is_signed)
{
    uint64_t value = 0;
    unsigned unused = (unsigned)(sizeof value - size) * 8;

    range_take(reader, &value, size);
    return is_signed ? (uint64_t)((int64_t)(value << unused) >> unused) : value;
}

/* Returns: the bytes of a value with this encoding; 0 for one that linkers do not write. */
static size_t range_form_size(unsigned encoding)
{
    switch (encoding & FORM_MASK & ~(unsigned)FORM_SIGNED) {
    case DW_EH_PE_absptr:
    case DW_EH_PE_udata8: return sizeof(uint64_t);
    case DW_EH_PE_udata4: return sizeof(uint32_t);
    case DW_EH_PE_udata2: return sizeof(uint16_t);
    default: return 0;
    }
}

static void range_skip_personality(struct range_reader *reader)
{
    size_t size = range_form_size(range_take_byte(reader));

    range_take_number(reader, size, false);
    reader->failed = reader->failed || size == 0;
}

/* The letters of the augmentation say which data follow.
 * Returns: the encoding of addresses; NO_ENCODING when it is unknown. */
static unsigned range_read_augmentation(struct range_reader *reader, const char *letters)
{
    unsigned encoding = DW_EH_PE_absptr;

    if (letters[0] != 'z')
        return letters[0] == '\0' ? encoding : NO_ENCODING;
    range_skip_leb(reader);
    for (letters++; *letters; letters++) {
        if (*letters == 'R')
            return range_take_byte(reader);
        if (*letters == 'L')
            range_take_byte(reader);
        else if (*letters == 'P')
            range_skip_personality(reader);
        else if (*letters != 'S' && *letters != 'B' && *letters != 'G')
            return NO_ENCODING;
    }
    return encoding;
}

/* Reads a common entry, from the byte after its number on.
 * Returns: the encoding of addresses in them. */
static unsigned range_read_common(struct range_reader reader)
{
    enum { VERSION_1 = 1, VERSION_4 = 4 };
    unsigned version = range_take_byte(&reader);
    const char *letters = (const char *)reader.at;
    size_t length = strnlen(letters, (size_t)(reader.end - reader.at));

    if (reader.at + length == reader.end)
        return NO_ENCODING;
    reader.at += length + 1;
    if (version == VERSION_4)
        range_take_number(&reader, 2, false); /* sizes of an address and of a segment */
    range_skip_leb(&reader);
    range_skip_leb(&reader);
    if (version == VERSION_1)
        range_take_byte(&reader);
    else
        range_skip_leb(&reader);
    unsigned encoding = range_read_augmentation(&reader, letters);
    return reader.failed ? NO_ENCODING : encoding;
}

/* A walk through the entries of a section. */
struct range_walk {
    const struct function_ranges_section *section;
    struct range_reader entry; /* from its number on: the common entry, or 0 */
    const unsigned char *next;
    const unsigned char *common; /* the one that was read last, and its encoding */
    unsigned encoding;
};

/* Go on to the next entry.
 * Returns: false at the end, and at a torn entry, which sets `is_torn`. */
static bool range_walk_next(struct range_walk *walk, bool *is_torn)
{
    enum { LONG_LENGTH = UINT32_MAX };
    const unsigned char *end = walk->section->bytes + walk->section->size;
    struct range_reader reader = {walk->next, end, false};
    uint64_t length = 0;

    if (walk->next == end)
        return false;
    length = range_take_number(&reader, sizeof(uint32_t), false);
    if (length == LONG_LENGTH)
        length = range_take_number(&reader, sizeof(uint64_t), false);
    *is_torn = reader.failed || length > (size_t)(end - reader.at);
    if (*is_torn || length == 0)
        return false;
    walk->next = reader.at + length;
    walk->entry = (struct range_reader){reader.at, walk->next, false};
    return true;
}

/* An entry gives its distance from the preceding common entry.
 * Returns: its encoding of addresses. */
static unsigned range_find_encoding(struct range_walk *walk, const unsigned char *number,
                                    uint64_t back)
{
    const unsigned char *begin = walk->section->bytes;
    const unsigned char *end = begin + walk->section->size;

    if (back > (size_t)(number - begin))
        return NO_ENCODING;
    if (walk->common == number - back)
        return walk->encoding;
    walk->common = number - back;
    struct range_reader common = {walk->common, end, false};
    uint64_t length = range_take_number(&common, sizeof(uint32_t), false);
    if (length == UINT32_MAX)
        length = range_take_number(&common, sizeof(uint64_t), false);
    bool is_inside = !common.failed && length <= (size_t)(end - common.at);
    if (is_inside)
        common.end = common.at + length;
    bool is_common = is_inside && range_take_number(&common, sizeof(uint32_t), false) == 0;
    walk->encoding = is_common && !common.failed ? range_read_common(common) : NO_ENCODING;
    return walk->encoding;
}

static void range_add(struct function_ranges *ranges, struct range_walk *walk)
{
    struct range_reader *entry = &walk->entry;
    const unsigned char *number = entry->at;
    uint64_t back = range_take_number(entry, sizeof(uint32_t), false);

    if (back == 0 || entry->failed)
        return; /* a common entry */
    unsigned encoding = range_find_encoding(walk, number, back);
    size_t size = range_form_size(encoding);
    unsigned base = encoding & (BASE_MASK | DW_EH_PE_indirect);
    if (encoding == NO_ENCODING || size == 0 || (base != 0 && base != DW_EH_PE_pcrel))
        return;
    uint64_t here = walk->section->address + (uint64_t)(entry->at - walk->section->bytes);
    uint64_t start = range_take_number(entry, size, (encoding & FORM_SIGNED) != 0);
    uint64_t length = range_take_number(entry, size, false);
    start += base == DW_EH_PE_pcrel ? here : 0;
    if (entry->failed || start + length < start)
        return;
    intervals_add(&ranges->intervals, start, start + length, 0);
}

void function_ranges_init(struct function_ranges *ranges)
{
    *ranges = (struct function_ranges){.is_torn = false};
    intervals_init(&ranges->intervals);
}

void function_ranges_fini(struct function_ranges *ranges)
{
    intervals_fini(&ranges->intervals);
}

void function_ranges_read(struct function_ranges *ranges,
                          const struct function_ranges_section *section)
{
    struct range_walk walk = {.section = section, .next = section->bytes};

    while (range_walk_next(&walk, &ranges->is_torn))
        range_add(ranges, &walk);
    intervals_sort(&ranges->intervals);
}

const struct interval *function_ranges_find(const struct function_ranges *ranges, uint64_t address)
{
    return intervals_find(&ranges->intervals, address);
}
