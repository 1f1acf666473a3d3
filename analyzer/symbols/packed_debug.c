/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The debug information of a separate file, unpacked on demand.
 *
 * The image has the sections that libdw reads for names and lines, in the order of `names`.
 * Its pages cost no memory until data is unpacked to them.  Nothing in the file is trusted.
 *
 * To read: the DWARF standard, version 5, sections 6.1.2, 7.5.1 and 7.5.3, and RFC 1950.
 */
#include "symbols/packed_debug.h"

#include <dwarf.h>
#include <gelf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <zlib.h>

#include "base/memory.h"

/* The sections of the image; the first two are unpacked on demand. */
enum section { INFO, LINE, ABBREV, ARANGES, STR, LINE_STR, RANGES, RNGLISTS, ADDR, STR_OFFSETS };

static const char *const names[] = {
    [INFO] = ".debug_info",         [LINE] = ".debug_line",
    [ABBREV] = ".debug_abbrev",     [ARANGES] = ".debug_aranges",
    [STR] = ".debug_str",           [LINE_STR] = ".debug_line_str",
    [RANGES] = ".debug_ranges",     [RNGLISTS] = ".debug_rnglists",
    [ADDR] = ".debug_addr",         [STR_OFFSETS] = ".debug_str_offsets",
};

/* With one of these, units of a file may be outside of .debug_info. */
static const char *const foreign[] = {".debug_types", ".debug_sup", ".gnu_debugaltlink"};

enum {
    SECTIONS = sizeof names / sizeof *names,
    FOREIGN = sizeof foreign / sizeof *foreign,
    HEADERS = SECTIONS + 2,  /* the empty section, those of `names`, and the section of names */
    RATIO_MOST = 1032,       /* bytes that a byte of RFC 1951 unpacks to */
    STEP = 1 << 16,          /* bytes: zlib copies 32 KiB each time it pauses */
    NAMES_SIZE = 256,
};

struct packed_section {
    z_stream stream;
    unsigned char *bytes; /* in the image */
    size_t size, done;
    bool is_there, is_packed;
};

struct packed_debug {
    struct packed_section sections[SECTIONS];
    char *image;
    size_t image_size;
    Elf *elf;
    Dwarf *dwarf;
};

struct image_head {
    Elf64_Ehdr file;
    Elf64_Shdr sections[HEADERS];
    char names[NAMES_SIZE];
};

/* ---- bytes of the file ---- */

struct bytes {
    const unsigned char *at, *end;
};

static size_t left(const struct bytes *bytes)
{
    return (size_t)(bytes->end - bytes->at);
}

static uint64_t take_fixed(struct bytes *bytes, size_t size)
{
    uint64_t number = 0;

    if (left(bytes) >= size)
        memcpy(&number, bytes->at, size);
    bytes->at += left(bytes) >= size ? size : left(bytes);
    return number;
}

/* A number of 7 bits a byte.  Codes and forms are small: bits above 64 are lost. */
static uint64_t take_number(struct bytes *bytes)
{
    uint64_t number = 0;

    for (unsigned shift = 0; bytes->at < bytes->end; shift += 7) {
        unsigned char byte = *bytes->at++;

        number |= shift < 64 ? (uint64_t)(byte & 0x7f) << shift : 0;
        if (!(byte & 0x80))
            break;
    }
    return number;
}

/* ---- sections ---- */

/* Unpack up to an end.  Returns: whether that could be done. */
static bool unpack(struct packed_section *section, uint64_t end)
{
    if (end > section->size)
        return false;
    end = section->size - end > STEP ? end + STEP : section->size;
    while (section->done < end) {
        size_t room = end - section->done;

        section->stream.next_out = section->bytes + section->done;
        section->stream.avail_out = room < UINT_MAX ? (uInt)room : UINT_MAX;
        int result = inflate(&section->stream, Z_SYNC_FLUSH);
        size_t done = (size_t)(section->stream.next_out - section->bytes);
        if (done == section->done || (result != Z_OK && result != Z_STREAM_END))
            return false;
        section->done = done;
    }
    return true;
}

static bool unpack_all(struct packed_section *section)
{
    return unpack(section, section->size);
}

/* An uncompressed section is copied once the image exists. */
static bool note_plain(struct packed_section *section, const Elf_Data *data)
{
    section->stream.next_in = data->d_buf;
    section->size = data->d_size;
    return true;
}

static bool note_packed(struct packed_section *section, Elf_Scn *from, const Elf_Data *data)
{
    GElf_Chdr header;

    if (!gelf_getchdr(from, &header) || header.ch_type != ELFCOMPRESS_ZLIB ||
        data->d_size < sizeof(Elf64_Chdr) || data->d_size > UINT_MAX)
        return false;
    size_t size = data->d_size - sizeof(Elf64_Chdr);
    section->stream.next_in = (unsigned char *)data->d_buf + sizeof(Elf64_Chdr);
    section->stream.avail_in = (uInt)size;
    section->size = header.ch_size;
    section->is_packed = true;
    return header.ch_size / RATIO_MOST <= size && inflateInit(&section->stream) == Z_OK;
}

static bool note_section(struct packed_section *section, Elf_Scn *from, const GElf_Shdr *header)
{
    const Elf_Data *data = elf_rawdata(from, NULL);

    if (section->is_there || !data || !data->d_buf || header->sh_type != SHT_PROGBITS)
        return false;
    section->is_there = true;
    if (header->sh_flags & SHF_COMPRESSED)
        return note_packed(section, from, data);
    return note_plain(section, data);
}

static size_t index_of(const char *name, const char *const *list, size_t count)
{
    size_t i = 0;

    while (i < count && strcmp(name, list[i]) != 0)
        i++;
    return i;
}

/* Returns: false: there is a section that is not understood. */
static bool note_sections(struct packed_debug *packed, Elf *elf)
{
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    size_t strings;

    if (elf_getshdrstrndx(elf, &strings) != 0)
        return false;
    while ((section = elf_nextscn(elf, section))) {
        const char *name =
            gelf_getshdr(section, &header) ? elf_strptr(elf, strings, header.sh_name) : NULL;
        size_t index = name ? index_of(name, names, SECTIONS) : SECTIONS;

        if (!name || index_of(name, foreign, FOREIGN) < FOREIGN ||
            (index < SECTIONS && !note_section(&packed->sections[index], section, &header)))
            return false;
    }
    return packed->sections[INFO].is_packed && packed->sections[ABBREV].is_there &&
           packed->sections[ARANGES].is_there;
}

/* ---- the image ---- */

/* Returns: 0: more than there are addresses. */
static size_t find_size(const struct packed_debug *packed)
{
    size_t size = sizeof(struct image_head);

    for (size_t i = 0; i < SECTIONS; i++)
        if (__builtin_add_overflow(size, packed->sections[i].size, &size))
            return 0;
    return size;
}

static bool map_image(struct packed_debug *packed)
{
    size_t size = find_size(packed);
    void *image = size ? mmap(NULL, size, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                       : MAP_FAILED;

    if (image == MAP_FAILED)
        return false;
    packed->image = image;
    packed->image_size = size;
    return true;
}

static void write_header(struct packed_debug *packed, size_t index, size_t *name, size_t *offset)
{
    struct image_head *head = (struct image_head *)(void *)packed->image;
    struct packed_section *section = &packed->sections[index];

    section->bytes = (unsigned char *)packed->image + *offset;
    if (!section->is_there)
        return;
    head->sections[index + 1] = (Elf64_Shdr){.sh_name = (Elf64_Word)*name,
                                             .sh_type = SHT_PROGBITS,
                                             .sh_offset = *offset,
                                             .sh_size = section->size,
                                             .sh_addralign = 1};
    memcpy(head->names + *name, names[index], strlen(names[index]) + 1);
    *name += strlen(names[index]) + 1;
    *offset += section->size;
}

static void write_head(struct packed_debug *packed, const GElf_Ehdr *file)
{
    struct image_head *head = (struct image_head *)(void *)packed->image;
    size_t offset = sizeof *head;
    size_t name = 1;

    head->file = *file;
    head->file.e_phoff = head->file.e_phnum = 0;
    head->file.e_shoff = offsetof(struct image_head, sections);
    head->file.e_shnum = HEADERS;
    head->file.e_shstrndx = HEADERS - 1;
    for (size_t i = 0; i < SECTIONS; i++)
        write_header(packed, i, &name, &offset);
    head->sections[HEADERS - 1] = (Elf64_Shdr){.sh_type = SHT_STRTAB,
                                               .sh_offset = offsetof(struct image_head, names),
                                               .sh_size = NAMES_SIZE,
                                               .sh_addralign = 1};
}

/* All but the first two are small. */
static bool fill_sections(struct packed_debug *packed)
{
    for (size_t i = 0; i < SECTIONS; i++) {
        struct packed_section *section = &packed->sections[i];

        if (section->is_there && !section->is_packed) {
            memcpy(section->bytes, section->stream.next_in, section->size);
            section->done = section->size;
        }
        if (i > LINE && !unpack_all(section))
            return false;
    }
    return true;
}

/* ---- references of units ---- */

static bool leads_outside(uint64_t attribute, uint64_t form)
{
    switch (form) {
    case DW_FORM_indirect:
    case DW_FORM_ref_addr:
    case DW_FORM_ref_sig8:
    case DW_FORM_ref_sup4:
    case DW_FORM_ref_sup8:
    case DW_FORM_strp_sup:
    case DW_FORM_GNU_ref_alt:
    case DW_FORM_GNU_strp_alt: return true;
    default: return attribute == DW_AT_dwo_name || attribute == DW_AT_GNU_dwo_name;
    }
}

/* Returns: whether the entries of a kind stay inside their unit. */
static bool take_kind(struct bytes *bytes)
{
    take_number(bytes);
    take_fixed(bytes, 1);
    while (left(bytes) > 0) {
        uint64_t attribute = take_number(bytes);
        uint64_t form = take_number(bytes);

        if (form == DW_FORM_implicit_const)
            take_number(bytes);
        if (leads_outside(attribute, form))
            return false;
        if (attribute == 0 && form == 0)
            break;
    }
    return true;
}

static struct bytes bytes_of(const struct packed_section *section)
{
    return (struct bytes){section->bytes, section->bytes + section->size};
}

static bool stays_inside(const struct packed_debug *packed)
{
    struct bytes bytes = bytes_of(&packed->sections[ABBREV]);

    while (left(&bytes) > 0)
        if (take_number(&bytes) != 0 && !take_kind(&bytes))
            return false;
    return true;
}

/* ---- opening ---- */

/* Returns: the separate debug file, if it has the symbols; else NULL. */
static Elf *find_elf(Dwfl_Module *module, uint64_t *bias)
{
    GElf_Addr main_bias, address;
    GElf_Word section;
    GElf_Sym symbol;
    Elf *elf = NULL;
    Elf *main = dwfl_module_getelf(module, &main_bias);

    if (dwfl_module_getsymtab(module) < 2 ||
        !dwfl_module_getsym_info(module, 1, &symbol, &address, &section, &elf, bias))
        return NULL;
    return elf == main ? NULL : elf;
}

static bool is_understood(Elf *elf, GElf_Ehdr *file)
{
    return gelf_getehdr(elf, file) && file->e_type != ET_REL &&
           file->e_ident[EI_CLASS] == ELFCLASS64 && file->e_ident[EI_DATA] == ELFDATA2LSB;
}

/* A libelf that copied the sections would not see data that is unpacked later. */
static bool is_image(struct packed_debug *packed, enum section index)
{
    Elf_Scn *section = elf_getscn(packed->elf, (size_t)index + 1);
    const Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;

    return !packed->sections[index].is_there ||
           (data && data->d_buf == packed->sections[index].bytes);
}

static bool open_image(struct packed_debug *packed)
{
    packed->elf = elf_memory(packed->image, packed->image_size);
    if (!packed->elf || !is_image(packed, INFO) || !is_image(packed, LINE))
        return false;
    packed->dwarf = dwarf_begin_elf(packed->elf, DWARF_C_READ, NULL);
    return packed->dwarf != NULL;
}

static bool fill(struct packed_debug *packed, Elf *elf, const GElf_Ehdr *file)
{
    if (!note_sections(packed, elf) || !map_image(packed))
        return false;
    write_head(packed, file);
    return fill_sections(packed) && stays_inside(packed) && open_image(packed);
}

struct packed_debug *packed_debug_open(Dwfl_Module *module, uint64_t *bias)
{
    Elf *elf = find_elf(module, bias);
    GElf_Ehdr file;

    if (!elf || !is_understood(elf, &file))
        return NULL;
    struct packed_debug *packed = memory_get_zeros(1, sizeof *packed);
    if (fill(packed, elf, &file))
        return packed;
    packed_debug_close(packed);
    return NULL;
}

void packed_debug_close(struct packed_debug *packed)
{
    if (!packed)
        return;
    if (packed->dwarf)
        dwarf_end(packed->dwarf);
    if (packed->elf)
        elf_end(packed->elf);
    for (size_t i = 0; i < SECTIONS; i++)
        if (packed->sections[i].is_packed)
            inflateEnd(&packed->sections[i].stream);
    if (packed->image)
        munmap(packed->image, packed->image_size);
    free(packed);
}

/* ---- units ---- */

/* The ranges of one unit start at a multiple of their own size, counted from its header. */
static void visit_set(struct bytes set, packed_debug_visitor visitor, void *of)
{
    enum { VERSION = 2, HEADER = 16, ADDRESS_SIZE = 8 };

    if (left(&set) < HEADER)
        return;
    struct bytes at = {set.at + 4, set.end};
    uint64_t version = take_fixed(&at, 2);
    uint64_t unit = take_fixed(&at, 4);
    uint64_t sizes = take_fixed(&at, 2); /* size of an address and of a segment's number */

    at.at = set.at + HEADER;
    while (version == VERSION && sizes == ADDRESS_SIZE && left(&at) >= 2 * ADDRESS_SIZE) {
        uint64_t start = take_fixed(&at, ADDRESS_SIZE);
        uint64_t size = take_fixed(&at, ADDRESS_SIZE);

        if (start + size > start)
            visitor(of, unit, start, start + size);
    }
}

void packed_debug_visit(const struct packed_debug *packed, packed_debug_visitor visitor, void *of)
{
    struct bytes bytes = bytes_of(&packed->sections[ARANGES]);

    while (left(&bytes) > 4) {
        struct bytes set = {bytes.at, NULL};
        uint64_t length = take_fixed(&bytes, 4);

        if (length > left(&bytes))
            return;
        set.end = bytes.at += length;
        visit_set(set, visitor, of);
    }
}

/* Unpack data that starts with its length.  Returns: whether the section has it. */
static bool reach(struct packed_section *section, uint64_t start)
{
    uint32_t length;

    if (start > section->size || !unpack(section, start + sizeof length))
        return false;
    memcpy(&length, section->bytes + start, sizeof length);
    return unpack(section, start + sizeof length + length);
}

static bool reach_lines(struct packed_debug *packed, Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    Dwarf_Word start;

    return !dwarf_attr(die, DW_AT_stmt_list, &attribute) ||
           (dwarf_formudata(&attribute, &start) == 0 && reach(&packed->sections[LINE], start));
}

/* Returns: bytes of the header of an unpacked unit; 0: it is no unit with code. */
static size_t header_size(const struct packed_section *info, uint64_t unit)
{
    enum { OLD_SIZE = 11, SIZE = 12, VERSION_WITH_TYPE = 5 };

    if (info->size - unit < SIZE)
        return 0;
    struct bytes at = {info->bytes + unit + 4, info->bytes + info->size};
    uint64_t version = take_fixed(&at, 2);
    uint64_t type = take_fixed(&at, 1);

    if (version < VERSION_WITH_TYPE)
        return OLD_SIZE;
    return type == DW_UT_compile ? SIZE : 0;
}

bool packed_debug_reach(struct packed_debug *packed, uint64_t unit, Dwarf_Die *die)
{
    struct packed_section *info = &packed->sections[INFO];
    size_t header = reach(info, unit) ? header_size(info, unit) : 0;

    return header > 0 && dwarf_offdie(packed->dwarf, unit + header, die) &&
           reach_lines(packed, die);
}

Dwarf *packed_debug_finish(struct packed_debug *packed)
{
    (void)(unpack_all(&packed->sections[INFO]) && unpack_all(&packed->sections[LINE]));
    return packed->dwarf;
}
