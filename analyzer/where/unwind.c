/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Unwinding a copied stack through libunwind's interface for other processes: the accessors here
 * read the copy and constant memory, so nothing is stopped.
 *
 * The rules are looked up like in libunwind's own accessors for ptrace, by its search in a table in
 * other memory.  Those accessors would use PTRACE_PEEKDATA, which needs a stopped thread.
 */
#include "where/unwind.h"

#include <libunwind.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "where/code.h"
#include "where/image.h"
#include "where/registers.h"
#include "where/stack_copy.h"

/* libunwind exports this function, but none of its headers declares it; perf(1) uses it, too. */
#define dwarf_search_unwind_table UNW_OBJ(dwarf_search_unwind_table)
int dwarf_search_unwind_table(unw_addr_space_t space, unw_word_t ip, unw_dyn_info_t *table,
                              unw_proc_info_t *found, int needs_rules, void *of);

enum { READS_MOST = 1000000 }; /* reads for one stack: broken rules may form a circle */

struct unwind {
    unw_addr_space_t space;
    struct image *image;
    const struct capture *capture;
    uint64_t registers[CAPTURE_REGISTERS]; /* registers of the frame that libunwind starts the next
                                              step at */
    uint64_t known;                        /* a bit of each */
    unsigned reads;
    /* Why a step failed. */
    bool lacks_rules;
    bool lacks_register;
    bool lacks_stack;
};

/* .eh_frame_hdr as all linkers write it.  Source: LSB Core, "The .eh_frame_hdr section". */
struct rules_header {
    uint8_t version;
    uint8_t pointer_encoding;
    uint8_t count_encoding;
    uint8_t table_encoding;
    int32_t rules;
    uint32_t count;
};

struct rules_entry {
    int32_t start;
    int32_t rule;
};

static bool read_header(struct image *image, const struct image_module *module,
                        struct rules_header *header)
{
    enum { VERSION = 1, WORD_FROM_HERE = 0x1b, WORD = 0x03, WORD_FROM_HEADER = 0x3b };

    return module->rules != 0 && image_read(image, module->rules, header, sizeof *header) &&
           header->version == VERSION && header->pointer_encoding == WORD_FROM_HERE &&
           header->count_encoding == WORD && header->table_encoding == WORD_FROM_HEADER &&
           header->count > 0 &&
           header->count <= (module->rules_size - sizeof *header) / sizeof(struct rules_entry);
}

static int find_rules(unw_addr_space_t space, unw_word_t ip, unw_proc_info_t *found,
                      int needs_rules, void *of)
{
    struct unwind *unwind = of;
    const struct image_mapping *mapping = image_find(unwind->image, ip);
    struct rules_header header;
    int error = -UNW_ENOINFO;

    if (mapping && mapping->module && read_header(unwind->image, mapping->module, &header)) {
        uint64_t rules = mapping->module->rules;
        unw_dyn_info_t table = {
            .start_ip = mapping->start,
            .end_ip = mapping->end,
            .format = UNW_INFO_FORMAT_REMOTE_TABLE,
            .u.rti = {.segbase = rules,
                      .table_data = rules + sizeof header,
                      .table_len = header.count * sizeof(struct rules_entry) / sizeof(unw_word_t)},
        };

        error = dwarf_search_unwind_table(space, ip, &table, found, needs_rules, of);
    }
    unwind->lacks_rules |= error != 0;
    return error;
}

/* libunwind keeps rules for the next frame. */
static void put_rules(unw_addr_space_t space, unw_proc_info_t *found, void *of)
{
    (void)space;
    (void)found;
    (void)of;
}

static int find_made_rules(unw_addr_space_t space, unw_word_t *list, void *of)
{
    (void)space;
    (void)list;
    (void)of;
    return -UNW_ENOINFO;
}

static bool is_in_copy(const struct capture *capture, uint64_t address, size_t size)
{
    return address >= capture->stack && address - capture->stack <= capture->size &&
           capture->size - (address - capture->stack) >= size;
}

static int read_memory(unw_addr_space_t space, unw_word_t address, unw_word_t *value, int is_write,
                       void *of)
{
    struct unwind *unwind = of;
    const struct capture *capture = unwind->capture;

    (void)space;
    if (is_write || unwind->reads++ >= READS_MOST)
        return -UNW_EINVAL;
    if (capture && is_in_copy(capture, address, sizeof *value)) {
        memcpy(value, capture->bytes + (address - capture->stack), sizeof *value);
        return 0;
    }
    if (image_read(unwind->image, address, value, sizeof *value))
        return 0;
    const struct image_mapping *mapping = image_find(unwind->image, address);
    unwind->lacks_stack |= mapping && mapping->is_written;
    return -UNW_EINVAL;
}

static int read_register(unw_addr_space_t space, unw_regnum_t number, unw_word_t *value,
                         int is_write, void *of)
{
    struct unwind *unwind = of;

    (void)space;
    if (is_write || number < 0 || number >= CAPTURE_REGISTERS)
        return -UNW_EBADREG;
    if (!(unwind->known >> number & 1)) {
        unwind->lacks_register = true;
        return -UNW_EBADREG;
    }
    *value = unwind->registers[number];
    return 0;
}

static int refuse_float(unw_addr_space_t space, unw_regnum_t number, unw_fpreg_t *value,
                        int is_write, void *of)
{
    (void)space;
    (void)number;
    (void)value;
    (void)is_write;
    (void)of;
    return -UNW_EBADREG;
}

static int refuse_resume(unw_addr_space_t space, unw_cursor_t *cursor, void *of)
{
    (void)space;
    (void)cursor;
    (void)of;
    return -UNW_EINVAL;
}

struct unwind *unwind_new(struct image *image)
{
    static unw_accessors_t accessors = {.find_proc_info = find_rules,
                                        .put_unwind_info = put_rules,
                                        .get_dyn_info_list_addr = find_made_rules,
                                        .access_mem = read_memory,
                                        .access_reg = read_register,
                                        .access_fpreg = refuse_float,
                                        .resume = refuse_resume};
    struct unwind *unwind = memory_get_zeros(1, sizeof *unwind);

    unwind->image = image;
    unwind->space = unw_create_addr_space(&accessors, 0);
    if (unwind->space) {
        unw_set_caching_policy(unwind->space, UNW_CACHE_GLOBAL);
        return unwind;
    }
    free(unwind);
    return NULL;
}

void unwind_free(struct unwind *unwind)
{
    if (!unwind)
        return;
    unw_destroy_addr_space(unwind->space);
    free(unwind);
}

static enum unwind_end find_end(const struct unwind *unwind)
{
    if (unwind->lacks_register)
        return UNWIND_REGISTER;
    return unwind->lacks_stack ? UNWIND_BEYOND : UNWIND_RULES;
}

static bool is_code(const struct unwind *unwind, uint64_t address)
{
    const struct image_mapping *mapping = image_find(unwind->image, address - 1);

    return mapping && mapping->is_code;
}

/* The memory at a frame pointer, on both processors: the caller's frame pointer and return
 * address. */
struct frame_record {
    uint64_t frame;
    uint64_t address;
};

/* Read the record of a frame whose code has no rules.  Only code that has called is believed,
 * as the register may have another use. */
static bool read_record(struct unwind *unwind, unw_cursor_t *cursor, uint64_t *frame,
                        struct frame_record *record)
{
    const struct capture *capture = unwind->capture;
    unw_word_t stack;

    if (unw_get_reg(cursor, REGISTERS_FRAME, frame) != 0 ||
        unw_get_reg(cursor, UNW_REG_SP, &stack) != 0 || *frame < stack ||
        !is_in_copy(capture, *frame, sizeof *record))
        return false;
    memcpy(record, capture->bytes + (*frame - capture->stack), sizeof *record);
    return is_code(unwind, record->address) && (code_follows_call(unwind->image, record->address) ||
                                                code_ends_signal(unwind->image, record->address));
}

static void set_register(struct unwind *unwind, unsigned number, uint64_t value)
{
    unwind->registers[number] = value;
    unwind->known |= 1ull << number;
}

/* Go to the caller by the frame pointer, and let libunwind restart there: its own step would keep
 * the previous frame's stack pointer (1.6.2).
 * Returns: as step. */
static uint64_t step_by_frame(struct unwind *unwind, unw_cursor_t *cursor, enum unwind_end *end)
{
    struct frame_record record;
    uint64_t frame;

    if (!read_record(unwind, cursor, &frame, &record)) {
        *end = unwind->lacks_register ? UNWIND_REGISTER : UNWIND_RULES;
        return 0;
    }
    unwind->known = 0;
    set_register(unwind, REGISTERS_INSTRUCTION, record.address);
    set_register(unwind, REGISTERS_STACK, frame + sizeof record);
    set_register(unwind, REGISTERS_FRAME, record.frame);
    return unw_init_remote(cursor, unwind->space, unwind) == 0 ? record.address : 0;
}

/* Go on to the caller.
 * Returns: the caller's address; 0 when there is none, and `end` says why. */
static uint64_t step(struct unwind *unwind, unw_cursor_t *cursor, enum unwind_end *end)
{
    unw_cursor_t before = *cursor;
    unw_word_t address = 0;

    unwind->lacks_rules = unwind->lacks_register = unwind->lacks_stack = false;
    int stepped = unw_step(cursor);
    if (unwind->lacks_rules) {
        *cursor = before;
        return step_by_frame(unwind, cursor, end);
    }
    if (stepped > 0 && unw_get_reg(cursor, UNW_REG_IP, &address) != 0)
        stepped = -1;
    if (stepped > 0 && address != 0 && is_code(unwind, address))
        return address;
    *end = stepped == 0 || (stepped > 0 && address == 0) ? UNWIND_WHOLE : find_end(unwind);
    return 0;
}

bool unwind_find_function(struct unwind *unwind, uint64_t address, uint64_t *start, uint64_t *end)
{
    unw_proc_info_t found;

    unwind->reads = 0;
    if (find_rules(unwind->space, address, &found, 0, unwind) != 0)
        return false;
    *start = found.start_ip;
    *end = found.end_ip;
    return true;
}

static void start(struct unwind *unwind, const struct capture *capture)
{
    unwind->capture = capture;
    unwind->reads = 0;
    unwind->known = capture->known;
    memcpy(unwind->registers, capture->registers, sizeof unwind->registers);
}

void unwind_copy(struct unwind *unwind, const struct capture *capture, struct unwind_stack *stack)
{
    unw_cursor_t cursor;
    bool is_exact = true; /* not a return address: the thread was interrupted there, as in the
                             innermost function */
    uint64_t address = capture->registers[REGISTERS_INSTRUCTION];

    start(unwind, capture);
    stack->count = 0;
    stack->end = UNWIND_RULES;
    if (unw_init_remote(&cursor, unwind->space, unwind) != 0)
        return;
    while (address != 0 && stack->count < UNWIND_DEPTH_MAX) {
        bool ends_signal = stack->count > 0 && code_ends_signal(unwind->image, address);

        stack->addresses[stack->count++] = is_exact || ends_signal ? address : address - 1;
        is_exact = ends_signal;
        stack->end = UNWIND_DEEP;
        address = step(unwind, &cursor, &stack->end);
    }
}
