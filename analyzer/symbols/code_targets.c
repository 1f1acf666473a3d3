/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Starts of functions that no table lists, from the code that calls them.
 *
 * Nothing is disassembled: each byte is tried as a call, or as an instruction with a relative
 * address.  A wrong guess hardly ever leads to a 16-byte border in unlisted code, and then it only
 * splits a function in two.
 *
 * Decision: doc/decisions/functions-without-symbols.
 */
#include "symbols/code_targets.h"

#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "symbols/function_ranges.h"

enum {
    CODE_MOST = 128 << 20,
    BORDER = 16, /* assemblers align functions to this */
    CALL = 0xe8,
    CALL_SIZE = 5,
    LEA = 0x8d,
    LEA_SIZE = 7,
    WIDE = 0x48, /* REX.W, and with the bit below for the other eight registers */
    WIDE_MASK = 0xfb,
    RELATIVE = 0x05, /* modes of an address that is relative to the instruction */
    RELATIVE_MASK = 0xc7,
    OFFSET_SIZE = 4,
};

struct code {
    const unsigned char *bytes;
    uint64_t size;
    uint64_t address;
};

struct search {
    struct array codes;  /* of struct code */
    struct array starts; /* uint64_t */
    const struct function_ranges *functions;
};

static void add_code(struct search *search, Elf_Scn *scn, const GElf_Shdr *header, uint64_t bias)
{
    const Elf_Data *data = elf_rawdata(scn, NULL);
    struct code *code = data && data->d_buf ? array_add(&search->codes) : NULL;

    if (!code)
        return;
    *code = (struct code){data->d_buf, data->d_size, header->sh_addr + bias};
}

/* Returns: the bytes of code in the file. */
static uint64_t find_codes(struct search *search, Elf *elf, uint64_t bias)
{
    uint64_t size = 0;
    Elf_Scn *scn = NULL;
    GElf_Shdr header;

    while ((scn = elf_nextscn(elf, scn))) {
        if (!gelf_getshdr(scn, &header) || header.sh_type != SHT_PROGBITS ||
            !(header.sh_flags & SHF_EXECINSTR))
            continue;
        size += header.sh_size;
        add_code(search, scn, &header, bias);
    }
    return size;
}

/* Returns: the section that holds an address, or NULL. */
static const struct code *find_code(const struct search *search, uint64_t address)
{
    for (size_t i = 0; i < search->codes.count; i++) {
        const struct code *code = array_at(&search->codes, i);

        if (address >= code->address && address - code->address < code->size)
            return code;
    }
    return NULL;
}

/* Returns: the size of the instruction here, if it leads elsewhere; else 0. */
static unsigned measure(const unsigned char *at, uint64_t left)
{
    if (left >= CALL_SIZE && at[0] == CALL)
        return CALL_SIZE;
    if (left >= LEA_SIZE && (at[0] & WIDE_MASK) == WIDE && at[1] == LEA &&
        (at[2] & RELATIVE_MASK) == RELATIVE)
        return LEA_SIZE;
    return 0;
}

static void add_target(struct search *search, uint64_t target)
{
    uint64_t *start;

    if (target % BORDER != 0 || !find_code(search, target) ||
        function_ranges_find(search->functions, target))
        return;
    start = array_add(&search->starts);
    *start = target;
}

static void search_code(struct search *search, const struct code *code)
{
    for (uint64_t i = 0; i < code->size; i++) {
        unsigned size = measure(code->bytes + i, code->size - i);
        int32_t offset;

        if (size == 0)
            continue;
        memcpy(&offset, code->bytes + i + size - OFFSET_SIZE, sizeof offset);
        add_target(search, code->address + i + size + (uint64_t)(int64_t)offset);
    }
}

static int compare_starts(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;

    return (*a > *b) - (*a < *b);
}

/* Returns: the start of the next function in the tables after an address; UINT64_MAX: none. */
static uint64_t find_next(const struct function_ranges *functions, uint64_t address)
{
    const struct interval *items = functions->intervals.items.items;
    size_t low = 0, high = functions->intervals.items.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (items[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < functions->intervals.items.count ? items[low].start : UINT64_MAX;
}

/* Each function extends to the next one, to one in the tables, or to the end of its section. */
static void add_intervals(struct intervals *targets, const struct search *search)
{
    const uint64_t *start = search->starts.items;

    for (size_t i = 0; i < search->starts.count; i++) {
        const struct code *code = find_code(search, start[i]);
        uint64_t end = code->address + code->size;
        uint64_t next = find_next(search->functions, start[i]);

        end = next < end ? next : end;
        if (i + 1 < search->starts.count && start[i + 1] < end)
            end = start[i + 1];
        intervals_add(targets, start[i], end, 0);
    }
    intervals_sort(targets);
}

static bool is_searched(Elf *elf)
{
    GElf_Ehdr header;

    return gelf_getehdr(elf, &header) && header.e_machine == EM_X86_64;
}

void code_targets_read(struct intervals *targets, Elf *elf, uint64_t bias,
                       const struct function_ranges *functions)
{
    struct search search = {.functions = functions};

    array_init(&search.codes, sizeof(struct code));
    array_init(&search.starts, sizeof(uint64_t));
    if (is_searched(elf) && find_codes(&search, elf, bias) <= CODE_MOST)
        for (size_t i = 0; i < search.codes.count; i++)

            search_code(&search, array_at(&search.codes, i));
    if (search.starts.count > 0) {
        qsort(search.starts.items, search.starts.count, sizeof(uint64_t), compare_starts);
        add_intervals(targets, &search);
    }
    array_fini(&search.codes);
    array_fini(&search.starts);
}
