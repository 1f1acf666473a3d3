/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From .eh_frame_hdr to the frame description of an address, through its
 * instructions to the row that holds there, and from the row to a rule.
 *
 * The tables were written by a compiler and are mapped read-only; they are
 * trusted to be well-formed, as the C++ runtime trusts them, but bounded.
 *
 * Decision: doc/decisions/own-unwinder.
 */
#include "unwind/cfi.h"

#include <link.h>
#include <stddef.h>
#include <string.h>

#include "platform/next.h"
#include "unwind/machine.h"

enum { REMEMBERED_MAX = 8, ENCODED_RELATIVE_4 = 0x1b, ENCODED_UNSIGNED_4 = 0x03 };

/* The table of .eh_frame_hdr can be searched when it has this encoding: pairs
 * of signed words of four bytes, relative to the header. */
enum { ENCODED_TABLE = 0x3b };

/* What is left of a row of bytes. */
struct bytes {
    const unsigned char *at;
    const unsigned char *end;
};

/* ---- reading ----------------------------------------------------------- */

/* A block that is longer than its row has led beyond the end. */
static bool has(const struct bytes *bytes, ptrdiff_t size)
{
    return bytes->end - bytes->at >= size;
}

static uint64_t read_fixed(struct bytes *bytes, size_t size)
{
    uint64_t value = 0;

    if (!has(bytes, (ptrdiff_t)size)) {
        bytes->at = bytes->end;
        return 0;
    }
    memcpy(&value, bytes->at, size); /* both machines are little-endian */
    bytes->at += size;
    return value;
}

static uint64_t read_unsigned(struct bytes *bytes)
{
    uint64_t value = 0;

    for (unsigned shift = 0; has(bytes, 1); shift += 7) {
        unsigned char byte = *bytes->at++;

        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            break;
    }
    return value;
}

static int64_t read_signed(struct bytes *bytes)
{
    uint64_t value = 0;
    unsigned char byte = 0x80;
    unsigned shift = 0;

    for (; byte >= 0x80 && has(bytes, 1); shift += 7) {
        byte = *bytes->at++;
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
    }
    if (shift < 64 && (byte & 0x40))
        value |= UINT64_MAX << shift;
    return (int64_t)value;
}

/* A pointer of .eh_frame: its form in the low four bits of the encoding, what
 * it is relative to in the next three (LSB 10.5.1). */
static uintptr_t read_pointer(struct bytes *bytes, unsigned encoding)
{
    uintptr_t place = (uintptr_t)bytes->at;
    uintptr_t value = 0;

    switch (encoding & 0x0f) {
    case 0x00: /* as wide as an address */
    case 0x04:
    case 0x0c: value = read_fixed(bytes, 8); break;
    case 0x01: value = read_unsigned(bytes); break;
    case 0x02: value = read_fixed(bytes, 2); break;
    case 0x03: value = read_fixed(bytes, 4); break;
    case 0x09: value = (uintptr_t)read_signed(bytes); break;
    case 0x0a: value = (uintptr_t)(int16_t)read_fixed(bytes, 2); break;
    case 0x0b: value = (uintptr_t)(int32_t)read_fixed(bytes, 4); break;
    default: break;
    }
    return (encoding & 0x70) == 0x10 ? value + place : value;
}

/* ---- finding the description ------------------------------------------- */

/* A frame description entry with what its common entry says. */
struct description {
    struct bytes common;       /* instructions of the common entry */
    struct bytes instructions; /* its own */
    uintptr_t start;
    uintptr_t size;
    uint64_t code_unit;
    int64_t data_unit;
    uint64_t pc_register;
    unsigned encoding;
    bool is_signal;
    bool has_augmentation;
};

struct header {
    unsigned char version;
    unsigned char frame_encoding;
    unsigned char count_encoding;
    unsigned char table_encoding;
    int32_t frame;
    uint32_t count;
    struct {
        int32_t start;
        int32_t description;
    } rows[];
};

/* Returns: the entry whose code starts last before `pc`, or NULL. */
static const unsigned char *search(const struct header *header, uintptr_t pc)
{
    intptr_t sought = (intptr_t)(pc - (uintptr_t)header);
    uint32_t low = 0;
    uint32_t high;

    if (header->version != 1 || header->frame_encoding != ENCODED_RELATIVE_4 ||
        header->count_encoding != ENCODED_UNSIGNED_4 || header->table_encoding != ENCODED_TABLE)
        return NULL;
    high = header->count;
    if (high == 0 || sought < header->rows[0].start)
        return NULL;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;

        if (header->rows[middle].start <= sought)
            low = middle;
        else
            high = middle;
    }
    return (const unsigned char *)header + header->rows[low].description;
}

/* The bytes of an entry behind its length.  Lengths of 64 bits do not occur in
 * what linkers write. */
static bool open_entry(const unsigned char *entry, struct bytes *bytes)
{
    uint32_t length;

    memcpy(&length, entry, sizeof length);
    bytes->at = entry + sizeof length;
    bytes->end = bytes->at + length;
    return length != 0 && length != UINT32_MAX;
}

static void read_augmentation(struct description *description, const char *letters,
                              struct bytes *bytes)
{
    for (; *letters; letters++) {
        switch (*letters) {
        case 'R': description->encoding = (unsigned)read_fixed(bytes, 1); break;
        case 'P': read_pointer(bytes, (unsigned)read_fixed(bytes, 1)); break;
        case 'L': read_fixed(bytes, 1); break;
        case 'S': description->is_signal = true; break;
        default: break;
        }
    }
}

static bool read_common(struct description *description, const unsigned char *entry)
{
    struct bytes *bytes = &description->common;
    const char *letters;
    uint64_t version;

    if (!open_entry(entry, bytes) || read_fixed(bytes, 4) != 0)
        return false;
    version = read_fixed(bytes, 1);
    letters = (const char *)bytes->at;
    while (has(bytes, 1) && *bytes->at++ != '\0')
        ;
    description->code_unit = read_unsigned(bytes);
    description->data_unit = read_signed(bytes);
    description->pc_register = version == 1 ? read_fixed(bytes, 1) : read_unsigned(bytes);
    description->has_augmentation = letters[0] == 'z';
    if (description->has_augmentation) {
        struct bytes data = *bytes;
        uint64_t size = read_unsigned(&data);

        bytes->at = data.at + size;
        data.end = bytes->at;
        read_augmentation(description, letters + 1, &data);
    }
    return version == 1 || version == 3;
}

static bool read_description(struct description *description, const unsigned char *entry)
{
    struct bytes *bytes = &description->instructions;
    uint32_t back;

    memset(description, 0, sizeof *description);
    if (!open_entry(entry, bytes))
        return false;
    memcpy(&back, bytes->at, sizeof back);
    if (back == 0 || !read_common(description, bytes->at - back))
        return false;
    bytes->at += sizeof back;
    description->start = read_pointer(bytes, description->encoding);
    description->size = read_pointer(bytes, description->encoding & 0x0f);
    if (description->has_augmentation) {
        uint64_t size = read_unsigned(bytes);

        bytes->at += size;
    }
    return true;
}

/* ---- running the instructions ------------------------------------------ */

enum how { HOW_SAME, HOW_UNDEFINED, HOW_AT_CFA, HOW_EXPRESSION, HOW_STRANGE };

/* Where one register of the caller is. */
struct saved {
    enum how how;
    int64_t offset;          /* AT_CFA */
    struct bytes expression; /* EXPRESSION: computes the place */
};

struct row {
    uint64_t cfa_register;
    int64_t cfa_offset;
    struct bytes cfa_expression; /* instead of the two above, unless empty */
    struct saved pc;
    struct saved fp;
};

struct machine {
    const struct description *description;
    struct row row;
    struct row initial; /* after the common instructions */
    struct row remembered[REMEMBERED_MAX];
    struct saved nowhere; /* of registers that no rule needs */
    unsigned depth;
    uintptr_t location;
    uintptr_t sought;
};

static struct saved *saved_of(struct machine *machine, struct row *row, uint64_t number)
{
    if (number == machine->description->pc_register)
        return &row->pc;
    return number == UNWIND_DWARF_FP ? &row->fp : &machine->nowhere;
}

static void set_saved(struct machine *machine, uint64_t number, enum how how, int64_t offset)
{
    struct saved *saved = saved_of(machine, &machine->row, number);

    saved->how = how;
    saved->offset = offset;
}

static void set_expression(struct machine *machine, struct bytes *bytes, enum how how)
{
    struct saved *saved = saved_of(machine, &machine->row, read_unsigned(bytes));
    uint64_t size = read_unsigned(bytes);

    saved->how = how;
    saved->expression = (struct bytes){bytes->at, bytes->at + size};
    bytes->at += size;
}

static void restore(struct machine *machine, uint64_t number)
{
    *saved_of(machine, &machine->row, number) = *saved_of(machine, &machine->initial, number);
}

static void set_cfa(struct machine *machine, uint64_t number, int64_t offset)
{
    machine->row.cfa_register = number;
    machine->row.cfa_offset = offset;
    machine->row.cfa_expression = (struct bytes){0};
}

static void set_cfa_expression(struct machine *machine, struct bytes *bytes)
{
    uint64_t size = read_unsigned(bytes);

    machine->row.cfa_expression = (struct bytes){bytes->at, bytes->at + size};
    bytes->at += size;
}

static void remember(struct machine *machine)
{
    if (machine->depth < REMEMBERED_MAX)
        machine->remembered[machine->depth] = machine->row;
    machine->depth++;
}

static bool recall(struct machine *machine)
{
    if (machine->depth == 0 || --machine->depth >= REMEMBERED_MAX)
        return false;
    machine->row = machine->remembered[machine->depth];
    return true;
}

/* The opcodes with operands of their own (DWARF 5, table 7.29).
 * Returns: false for one that is not known: its operands cannot be skipped. */
static bool run_extended(struct machine *machine, unsigned opcode, struct bytes *bytes)
{
    const struct description *description = machine->description;
    uint64_t unit = description->code_unit;
    int64_t factor = description->data_unit;
    uint64_t number;

    switch (opcode) {
    case 0x00: break;                                                                 /* nop */
    case 0x01: machine->location = read_pointer(bytes, description->encoding); break; /* set_loc */
    case 0x02: machine->location += read_fixed(bytes, 1) * unit; break; /* advance_loc1 */
    case 0x03: machine->location += read_fixed(bytes, 2) * unit; break; /* advance_loc2 */
    case 0x04: machine->location += read_fixed(bytes, 4) * unit; break; /* advance_loc4 */
    case 0x05:                                                          /* offset_extended */
        number = read_unsigned(bytes);
        set_saved(machine, number, HOW_AT_CFA, (int64_t)read_unsigned(bytes) * factor);
        break;
    case 0x06: restore(machine, read_unsigned(bytes)); break; /* restore_extended */
    case 0x07: set_saved(machine, read_unsigned(bytes), HOW_UNDEFINED, 0); break;
    case 0x08: set_saved(machine, read_unsigned(bytes), HOW_SAME, 0); break;
    case 0x09: /* register */
        set_saved(machine, read_unsigned(bytes), HOW_STRANGE, 0);
        read_unsigned(bytes);
        break;
    case 0x0a: remember(machine); break;
    case 0x0b: return recall(machine);
    case 0x0c: /* def_cfa */
        number = read_unsigned(bytes);
        set_cfa(machine, number, (int64_t)read_unsigned(bytes));
        break;
    case 0x0d: set_cfa(machine, read_unsigned(bytes), machine->row.cfa_offset); break;
    case 0x0e: machine->row.cfa_offset = (int64_t)read_unsigned(bytes); break;
    case 0x0f: set_cfa_expression(machine, bytes); break;
    case 0x10: set_expression(machine, bytes, HOW_EXPRESSION); break;
    case 0x11: /* offset_extended_sf */
        number = read_unsigned(bytes);
        set_saved(machine, number, HOW_AT_CFA, read_signed(bytes) * factor);
        break;
    case 0x12: /* def_cfa_sf */
        number = read_unsigned(bytes);
        set_cfa(machine, number, read_signed(bytes) * factor);
        break;
    case 0x13: machine->row.cfa_offset = read_signed(bytes) * factor; break; /* def_cfa_offset_sf */
    case 0x14: /* val_offset, val_offset_sf: of one size */
    case 0x15:
        set_saved(machine, read_unsigned(bytes), HOW_STRANGE, 0);
        read_unsigned(bytes);
        break;
    case 0x16: set_expression(machine, bytes, HOW_STRANGE); break; /* val_expression */
    case 0x2d: break;                       /* AARCH64_negate_ra_state: signatures are masked */
    case 0x2e: read_unsigned(bytes); break; /* GNU_args_size */
    case 0x2f:                              /* GNU_negative_offset_extended */
        number = read_unsigned(bytes);
        set_saved(machine, number, HOW_AT_CFA, -(int64_t)read_unsigned(bytes) * factor);
        break;
    default: return false;
    }
    return true;
}

/* Run until the row that holds at the address sought: what moves on leaves the row. */
static bool run(struct machine *machine, struct bytes bytes)
{
    while (has(&bytes, 1) && machine->location <= machine->sought) {
        unsigned opcode = *bytes.at++;
        unsigned operand = opcode & 0x3f;
        bool is_known = true;

        switch (opcode >> 6) {
        case 1: machine->location += operand * machine->description->code_unit; break;
        case 2:
            set_saved(machine, operand, HOW_AT_CFA,
                      (int64_t)read_unsigned(&bytes) * machine->description->data_unit);
            break;
        case 3: restore(machine, operand); break;
        default: is_known = run_extended(machine, operand, &bytes); break;
        }
        if (!is_known)
            return false;
    }
    return true;
}

static bool find_row(const struct description *description, uintptr_t pc, struct row *row)
{
    struct machine machine = {.description = description, .sought = pc};

    if (!run(&machine, description->common))
        return false;
    machine.initial = machine.row;
    machine.location = description->start;
    if (!run(&machine, description->instructions))
        return false;
    *row = machine.row;
    return true;
}

/* ---- from a row to a rule ---------------------------------------------- */

static bool set_place(struct unwind_place *place, uint64_t number, int64_t offset)
{
    if (number != UNWIND_DWARF_SP && number != UNWIND_DWARF_FP)
        return false;
    if (offset != (int32_t)offset)
        return false;
    place->base = number == UNWIND_DWARF_SP ? UNWIND_SP : UNWIND_FP;
    place->offset = (int32_t)offset;
    return true;
}

/* The expressions that compilers and libc write: a register and an offset
 * (DW_OP_breg), and what stands there (DW_OP_deref). */
static bool read_expression(struct bytes bytes, struct unwind_place *place, uint32_t *is_indirect)
{
    unsigned opcode = (unsigned)read_fixed(&bytes, 1);
    int64_t offset;

    if (opcode < 0x70 || opcode > 0x8f)
        return false;
    offset = read_signed(&bytes);
    *is_indirect = has(&bytes, 1) && *bytes.at == 0x06;
    bytes.at += *is_indirect;
    return bytes.at == bytes.end && set_place(place, opcode - 0x70, offset);
}

static bool set_saved_place(struct unwind_place *place, const struct saved *saved)
{
    uint32_t is_indirect = 0;

    switch (saved->how) {
    case HOW_SAME:
    case HOW_UNDEFINED: *place = (struct unwind_place){0, UNWIND_NONE}; return true;
    case HOW_AT_CFA:
        *place = (struct unwind_place){(int32_t)saved->offset, UNWIND_CFA};
        return saved->offset == (int32_t)saved->offset;
    case HOW_EXPRESSION:
        return read_expression(saved->expression, place, &is_indirect) && !is_indirect;
    case HOW_STRANGE: break;
    }
    return false;
}

static bool make_rule(const struct row *row, bool is_signal, struct unwind_rule *rule)
{
    bool has_cfa = row->cfa_expression.at
                       ? read_expression(row->cfa_expression, &rule->cfa, &rule->is_indirect)
                       : set_place(&rule->cfa, row->cfa_register, row->cfa_offset);

    if (row->pc.how == HOW_UNDEFINED) {
        *rule = (struct unwind_rule){.kind = UNWIND_END};
        return true;
    }
    rule->kind = is_signal ? UNWIND_SIGNAL : UNWIND_FRAME;
    return has_cfa && set_saved_place(&rule->pc, &row->pc) && rule->pc.base != UNWIND_NONE &&
           set_saved_place(&rule->fp, &row->fp);
}

/* ---- finding the object ------------------------------------------------ */

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

/* Before glibc 2.35 there is only the list, under its lock. */
static bool find_header(uintptr_t pc, const struct header **header)
{
    struct sought sought = {pc, NULL};
    struct found_object object;
    bool is_found;

    if (next._dl_find_object) {
        is_found = next._dl_find_object((void *)pc, &object) == 0;
        *header = object.eh_frame;
    } else {
        is_found = dl_iterate_phdr(look_in_object, &sought) != 0;
        *header = sought.header;
    }
    return is_found;
}

/* The function that has this code. */
static enum cfi_result find_function(uintptr_t pc, struct description *description)
{
    const struct header *header;
    const unsigned char *entry;

    if (!find_header(pc, &header))
        return CFI_NO_CODE;
    entry = header ? search(header, pc) : NULL;
    if (!entry)
        return CFI_NO_TABLE;
    if (!read_description(description, entry))
        return CFI_STRANGE;
    return pc - description->start < description->size ? CFI_FOUND : CFI_NO_TABLE;
}

bool cfi_begins_function(uintptr_t pc)
{
    struct description description;

    return find_function(pc, &description) == CFI_FOUND && description.start == pc;
}

enum cfi_result cfi_find_rule(uintptr_t pc, struct unwind_rule *rule)
{
    struct description description;
    enum cfi_result result = find_function(pc, &description);
    struct row row;

    memset(rule, 0, sizeof *rule);
    if (result != CFI_FOUND)
        return result;
    if (!find_row(&description, pc, &row) || !make_rule(&row, description.is_signal, rule))
        return CFI_STRANGE;
    return CFI_FOUND;
}
