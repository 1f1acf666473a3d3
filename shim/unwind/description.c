/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding frame descriptions.
 *
 * A compiler wrote the tables, and they are mapped read-only.  They are trusted to be well-formed,
 * as in the C++ runtime, but every read is bounded.  The program itself may never touch their
 * pages, so each page is checked before it is read.
 */
#include "unwind/description.h"

#include <link.h>
#include <string.h>

#include "platform/next.h"
#include "platform/readable.h"
#include "unwind/objects.h"

/* The table of .eh_frame_hdr can be searched if it consists of pairs of signed four-byte words,
 * relative to the header. */
enum { TABLE_ENCODING = DWARF_DATAREL | DWARF_SDATA4 };

/* A longer entry is none. */
enum { ENTRY_SIZE_MOST = 1 << 20 };

struct header {
    unsigned char version;
    unsigned char frame_encoding;
    unsigned char count_encoding;
    unsigned char table_encoding;
    int32_t frame;
    uint32_t count;
    struct header_row {
        int32_t start;
        int32_t description;
    } rows[];
};

static bool may_read(struct readable_search *search, const void *at, size_t size)
{
    return readable_lately(search, (uintptr_t)at, size);
}

static bool is_known(const struct header *header)
{
    return header->version == 1 && header->frame_encoding == (DWARF_PCREL | DWARF_SDATA4) &&
           header->count_encoding == DWARF_UDATA4 && header->table_encoding == TABLE_ENCODING;
}

/* Returns: the entry whose code starts last before `pc`, or NULL. */
static const unsigned char *find_entry(struct readable_search *search, const struct header *header,
                                       uintptr_t pc)
{
    intptr_t sought = (intptr_t)(pc - (uintptr_t)header);
    const struct header_row *found = NULL;
    uint32_t low = 0;
    uint32_t high;

    if (!may_read(search, header, sizeof *header) || !is_known(header))
        return NULL;
    high = header->count;
    while (high > low) {
        uint32_t middle = low + (high - low) / 2;
        const struct header_row *row = &header->rows[middle];

        if (!may_read(search, row, sizeof *row))
            return NULL;
        if (row->start > sought) {
            high = middle;
        } else {
            found = row;
            low = middle + 1;
        }
    }
    return found ? (const unsigned char *)header + found->description : NULL;
}

/* The bytes of an entry behind its length.  No linker writes lengths of 64 bits. */
static bool open_entry(struct readable_search *search, const unsigned char *entry,
                       struct dwarf_bytes *bytes)
{
    uint32_t length;

    if (!may_read(search, entry, sizeof length))
        return false;
    memcpy(&length, entry, sizeof length);
    bytes->at = entry + sizeof length;
    bytes->end = bytes->at + length;
    return length != 0 && length <= ENTRY_SIZE_MOST && may_read(search, bytes->at, length);
}

static void read_augmentation(struct description *description, const char *letters,
                              struct dwarf_bytes *bytes)
{
    for (; *letters; letters++) {
        switch (*letters) {
        case 'R': description->encoding = (unsigned)dwarf_read_fixed(bytes, 1); break;
        case 'P': dwarf_read_pointer(bytes, (unsigned)dwarf_read_fixed(bytes, 1)); break;
        case 'L': dwarf_read_fixed(bytes, 1); break;
        case 'S': description->is_signal = true; break;
        default: break;
        }
    }
}

static bool read_common(struct readable_search *search, struct description *description,
                        const unsigned char *entry)
{
    struct dwarf_bytes *bytes = &description->common;
    const char *letters;
    uint64_t version;

    if (!open_entry(search, entry, bytes) || dwarf_read_fixed(bytes, 4) != 0)
        return false;
    version = dwarf_read_fixed(bytes, 1);
    letters = (const char *)bytes->at;
    while (dwarf_has(bytes, 1) && *bytes->at++ != '\0')
        ;
    if (!dwarf_has(bytes, 1)) /* the letters have no end */
        return false;
    description->code_unit = dwarf_read_unsigned(bytes);
    description->data_unit = dwarf_read_signed(bytes);
    description->pc_register =
        version == 1 ? dwarf_read_fixed(bytes, 1) : dwarf_read_unsigned(bytes);
    description->has_augmentation = letters[0] == 'z';
    if (description->has_augmentation) {
        struct dwarf_bytes data = dwarf_take_block(bytes);

        read_augmentation(description, letters + 1, &data);
    }
    return version == 1 || version == 3;
}

static bool read_description(struct readable_search *search, struct description *description,
                             const unsigned char *entry)
{
    struct dwarf_bytes *bytes = &description->instructions;
    const unsigned char *place;
    uint64_t back;

    memset(description, 0, sizeof *description);
    if (!open_entry(search, entry, bytes))
        return false;
    place = bytes->at;
    back = dwarf_read_fixed(bytes, sizeof(uint32_t));
    if (back == 0 || !read_common(search, description, place - back))
        return false;
    description->start = dwarf_read_pointer(bytes, description->encoding);
    description->size = dwarf_read_pointer(bytes, description->encoding & DWARF_FORM_BITS);
    if (description->has_augmentation)
        dwarf_take_block(bytes);
    return true;
}

struct sought {
    uintptr_t pc;
    const struct header *header;
};

static int look_in_object(struct dl_phdr_info *info, size_t size, void *of)
{
    struct sought *sought = of;
    const struct header *header = NULL;
    bool holds = false;

    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;

        if (info->dlpi_phdr[i].p_type == PT_LOAD && sought->pc - start < info->dlpi_phdr[i].p_memsz)
            holds = true;
        if (info->dlpi_phdr[i].p_type == PT_GNU_EH_FRAME)
            header = (const struct header *)start;
    }
    if (holds)
        sought->header = header;
    return holds;
}

/* Other objects may have been loaded that the table has not yet; they are in the linker's list. */
static bool find_without_index(uintptr_t pc, const void **header)
{
    struct sought sought = {pc, NULL};
    bool is_found = objects_find(pc, header);

    if (is_found)
        return true;
    objects_missed = objects_alone;
    if (objects_alone)
        return false;
    is_found = dl_iterate_phdr(look_in_object, &sought) != 0;
    *header = sought.header;
    return is_found;
}

static bool find_header(uintptr_t pc, const void **header)
{
    struct found_object object;
    bool is_found;

    if (!next._dl_find_object)
        return find_without_index(pc, header);
    is_found = next._dl_find_object((void *)pc, &object) == 0;
    *header = object.eh_frame;
    return is_found;
}

enum cfi_result description_find(uintptr_t pc, struct description *description)
{
    struct readable_search search = readable_begin();
    const unsigned char *entry;
    const void *header;

    if (!find_header(pc, &header))
        return CFI_NO_CODE;
    entry = header ? find_entry(&search, header, pc) : NULL;
    if (!entry)
        return CFI_NO_TABLE;
    if (!read_description(&search, description, entry))
        return CFI_STRANGE;
    return pc - description->start < description->size ? CFI_FOUND : CFI_NO_TABLE;
}
