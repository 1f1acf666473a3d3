/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions, files and lines from the DWARF of one file.
 *
 * The ranges of all units are read once.  The first address in a unit reads the unit's functions
 * and their ranges; inlined functions are searched below the function that holds the address.
 * .debug_aranges is not used: clang does not write it, so it has gaps in a file of several
 * compilers.
 *
 * If unpacking is most of the work, .debug_aranges is used after all; if it lacks an address, all
 * units are unpacked.
 *
 * A walk through a unit in file order visits each entry once, at increasing positions.  A corrupt
 * entry could make the walk endless, so it ends when a position does not increase.
 *
 * To read: the DWARF standard, version 5, sections 2.17, 3.1 and 3.3.
 *
 * Decision: doc/decisions/own-symbol-tables.
 */
#include "symbols/debug_info.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "symbols/packed_debug.h"

struct debug_unit {
    uint64_t packed; /* where it starts, while it is packed */
    bool is_packed;
    Dwarf_Die die;
    Dwarf_Die root; /* root of its functions; differs from `die` if these are in a separate file */
    bool is_read;
    struct array functions;  /* Dwarf_Die */
    struct intervals ranges; /* the value is an index in functions */
};

/* The position of a walk. */
struct debug_walk {
    const void *last;
    Dwarf_Die outer[DEBUG_INFO_DEPTH_MAX];
    size_t depth;
};

/* Add each range of the addresses of an entry. */
static void debug_add_ranges(struct intervals *ranges, Dwarf_Die *die, uint32_t value)
{
    Dwarf_Addr base;
    Dwarf_Addr start;
    Dwarf_Addr end;
    ptrdiff_t next = 0;

    while ((next = dwarf_ranges(die, next, &base, &start, &end)) > 0) {
        intervals_add(ranges, start, end, value);
    }
}

static void add_unit(struct debug_info *info, const Dwarf_Die *die)
{
    struct debug_unit *unit = array_add(&info->units);

    unit->die = *die;
    array_init(&unit->functions, sizeof(Dwarf_Die));
    intervals_init(&unit->ranges);
    debug_add_ranges(&info->ranges, &unit->die, (uint32_t)(info->units.count - 1));
}

/* Units of types, and units that dwz shares, have no code. */
static bool debug_unit_has_code(uint8_t type)
{
    return type == DW_UT_compile || type == DW_UT_skeleton;
}

static enum status add_units(struct debug_info *info)
{
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    uint8_t type;
    int more;

    while ((more = dwarf_get_units(info->dwarf, unit, &unit, NULL, &type, &die, NULL)) == 0)

        if (debug_unit_has_code(type))
            add_unit(info, &die);
    return more < 0 ? STATUS_CORRUPT : STATUS_OK;
}

static enum status init_whole(struct debug_info *info, Dwarf *dwarf, uint64_t bias)
{
    *info = (struct debug_info){.dwarf = dwarf, .bias = bias};
    array_init(&info->units, sizeof(struct debug_unit));
    intervals_init(&info->ranges);
    enum status status = dwarf ? add_units(info) : STATUS_OK;
    intervals_sort(&info->ranges);
    return status;
}

/* The ranges of a unit follow one another. */
static void add_packed(void *of, uint64_t offset, uint64_t start, uint64_t end)
{
    struct debug_info *info = of;
    size_t count = info->units.count;
    struct debug_unit *unit = count > 0 ? array_at(&info->units, count - 1) : NULL;

    if (!unit || unit->packed != offset) {
        unit = array_add(&info->units);
        *unit = (struct debug_unit){.packed = offset, .is_packed = true};
        array_init(&unit->functions, sizeof(Dwarf_Die));
        intervals_init(&unit->ranges);
    }
    intervals_add(&info->ranges, start, end, (uint32_t)(info->units.count - 1));
}

/* Returns: whether there are units. */
static bool init_packed(struct debug_info *info, Dwfl_Module *module)
{
    uint64_t bias = 0;
    struct packed_debug *packed = packed_debug_open(module, &bias);

    (void)!init_whole(info, NULL, bias);
    info->packed = packed;
    if (packed)
        packed_debug_visit(packed, add_packed, info);
    intervals_sort(&info->ranges);
    return info->units.count > 0;
}

enum status debug_info_init(struct debug_info *info, Dwfl_Module *module)
{
    Dwarf_Addr bias = 0;

    if (init_packed(info, module))
        return STATUS_OK;
    debug_info_fini(info);
    Dwarf *dwarf = dwfl_module_getdwarf(module, &bias);
    return init_whole(info, dwarf, bias);
}

void debug_info_fini(struct debug_info *info)
{
    struct debug_unit *units = info->units.items;

    for (size_t i = 0; i < info->units.count; i++) {
        array_fini(&units[i].functions);
        intervals_fini(&units[i].ranges);
    }
    array_fini(&info->units);
    intervals_fini(&info->ranges);
    if (info->rest)
        debug_info_fini(info->rest);
    free(info->rest);
    packed_debug_close(info->packed);
    info->rest = NULL;
    info->packed = NULL;
}

static bool debug_walk_advances(struct debug_walk *walk, const Dwarf_Die *die)
{
    bool advances = !walk->last || (const char *)die->addr > (const char *)walk->last;

    walk->last = die->addr;
    return advances;
}

/* Go on to the entry that follows in the file.
 * Returns: false at the end, or where it is corrupt. */
static bool debug_walk_next(struct debug_walk *walk, Dwarf_Die *die)
{
    Dwarf_Die next;

    if (walk->depth < DEBUG_INFO_DEPTH_MAX && dwarf_child(die, &next) == 0) {
        walk->outer[walk->depth++] = *die;
        *die = next;
        return debug_walk_advances(walk, die);
    }
    while (walk->depth > 0) {
        if (dwarf_siblingof(die, &next) == 0) {
            *die = next;
            return debug_walk_advances(walk, die);
        }
        *die = walk->outer[--walk->depth];
    }
    return false;
}

static void debug_unit_add_function(struct debug_unit *unit, Dwarf_Die *die)
{
    size_t count = unit->ranges.items.count;

    debug_add_ranges(&unit->ranges, die, (uint32_t)unit->functions.count);
    if (unit->ranges.items.count == count)
        return;
    Dwarf_Die *function = array_add(&unit->functions);
    *function = *die;
}

/* The functions of a skeleton are in a separate file (.dwo). */
static Dwarf_Die debug_unit_find_root(const struct debug_unit *unit)
{
    Dwarf_Die root;
    uint8_t type;

    if (dwarf_cu_info(unit->die.cu, NULL, &type, NULL, &root, NULL, NULL, NULL) == 0 &&
        type == DW_UT_skeleton && dwarf_tag(&root) == DW_TAG_compile_unit)
        return root;
    return unit->die;
}

/* Functions may be inside others, and inside namespaces and classes. */
static void debug_unit_read(struct debug_unit *unit)
{
    struct debug_walk walk = {0};

    unit->is_read = true;
    unit->root = debug_unit_find_root(unit);
    Dwarf_Die die = unit->root;
    while (debug_walk_next(&walk, &die))

        if (dwarf_tag(&die) == DW_TAG_subprogram)
            debug_unit_add_function(unit, &die);
    intervals_sort(&unit->ranges);
}

static bool debug_tag_is_scope(int tag)
{
    return tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block ||
           tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
}

/* Go to the scope directly inside this one that holds an address. */
static bool debug_walk_enter(struct debug_walk *walk, Dwarf_Die *scope, uint64_t address)
{
    Dwarf_Die die;
    int more = dwarf_child(scope, &die);

    while (more == 0 && debug_walk_advances(walk, &die)) {
        if (debug_tag_is_scope(dwarf_tag(&die)) && dwarf_haspc(&die, address) > 0) {
            *scope = die;
            return true;
        }
        more = dwarf_siblingof(&die, &die);
    }
    return false;
}

/* Collect a function and the functions inlined into it: walk->outer, outermost first. */
static void debug_walk_collect(struct debug_walk *walk, const Dwarf_Die *function, uint64_t address)
{
    Dwarf_Die scope = *function;

    walk->outer[walk->depth++] = scope;
    while (walk->depth < DEBUG_INFO_DEPTH_MAX && debug_walk_enter(walk, &scope, address)) {
        if (dwarf_tag(&scope) == DW_TAG_inlined_subroutine)
            walk->outer[walk->depth++] = scope;
    }
}

static const char *debug_linkage_name(Dwarf_Die *die)
{
    Dwarf_Attribute attribute;

    if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute) ||
        dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute))
        return dwarf_formstring(&attribute);
    return NULL;
}

/* Returns: the number in an attribute; 0 when the attribute is missing. */
static uint32_t debug_number(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    Dwarf_Word value;

    if (!dwarf_attr(die, name, &attribute) || dwarf_formudata(&attribute, &value) != 0 ||
        value > UINT32_MAX)
        return 0;
    return (uint32_t)value;
}

/* Sets where an inlined function was called, which is the position of its caller. */
static void debug_frame_set_call(struct debug_frame *caller, struct debug_unit *unit,
                                 Dwarf_Die *inlined)
{
    Dwarf_Files *files;
    size_t count;
    uint32_t file = debug_number(inlined, DW_AT_call_file);

    caller->line = debug_number(inlined, DW_AT_call_line);
    if (dwarf_hasattr(inlined, DW_AT_call_file) &&
        dwarf_getsrcfiles(&unit->root, &files, &count) == 0 && file < count)
        caller->file = dwarf_filesrc(files, file, NULL, NULL);
}

static void debug_frame_set_line(struct debug_frame *frame, struct debug_unit *unit,
                                 uint64_t address)
{
    int number = 0;
    Dwarf_Line *line = dwarf_getsrc_die(&unit->die, address);

    if (!line)
        return;
    frame->file = dwarf_linesrc(line, NULL, NULL);
    if (dwarf_lineno(line, &number) == 0 && number > 0)
        frame->line = (uint32_t)number;
}

static const char *debug_unit_folder(struct debug_unit *unit)
{
    Dwarf_Attribute attribute;

    return dwarf_attr(&unit->die, DW_AT_comp_dir, &attribute) ? dwarf_formstring(&attribute) : NULL;
}

/* Constructors, destructors and operator= by their linkage names: C1, C2, C4, D0 to D4 and aS of
 * the Itanium C++ ABI. */
static bool debug_is_special(const char *linkage)
{
    static const char *const marks[] = {"C1E", "C2E", "C4E", "D0E", "D1E", "D2E", "D4E", "aSE"};

    for (size_t i = 0; linkage && i < sizeof marks / sizeof *marks; i++)
        if (strstr(linkage, marks[i]))
            return true;
    return false;
}

/* GCC marks the bodies of parallel regions as artificial, too, and these have lines. */
static bool debug_is_unwritten(Dwarf_Die *die, const char *linkage)
{
    Dwarf_Attribute attribute;
    bool is = false;

    return debug_is_special(linkage) && dwarf_attr_integrate(die, DW_AT_artificial, &attribute) &&
           dwarf_formflag(&attribute, &is) == 0 && is;
}

static struct debug_frame debug_frame_of(Dwarf_Die *die)
{
    const char *linkage = debug_linkage_name(die);

    return (struct debug_frame){.linkage_name = linkage,
                                .name = dwarf_diename(die),
                                .is_unwritten = debug_is_unwritten(die, linkage)};
}

/* Compilers put the first entered part of a function before the parts that they moved away. */
static uint64_t debug_entry(Dwarf_Die *function)
{
    Dwarf_Addr base;
    Dwarf_Addr start;
    Dwarf_Addr end;

    return dwarf_ranges(function, 0, &base, &start, &end) > 0 ? start : 0;
}

static void debug_unit_fill(struct debug_unit *unit, struct debug_walk *walk,
                            struct debug_frames *frames)
{
    size_t count = walk->depth;

    for (size_t i = 0; i < count; i++) {
        Dwarf_Die *die = &walk->outer[count - 1 - i];

        frames->items[i] = debug_frame_of(die);
        if (i > 0)
            debug_frame_set_call(&frames->items[i], unit, &walk->outer[count - i]);
    }
    if (count > 0)
        frames->items[count - 1].entry = debug_entry(&walk->outer[0]);
    frames->count = count;
}

static void debug_unit_find(struct debug_unit *unit, uint64_t address, struct debug_frames *frames)
{
    struct debug_walk walk = {0};

    if (!unit->is_read)
        debug_unit_read(unit);
    const struct interval *range = intervals_find(&unit->ranges, address);
    if (range)
        debug_walk_collect(&walk, array_at(&unit->functions, range->value), address);
    debug_unit_fill(unit, &walk, frames);
}

static struct debug_unit *find_unit(struct debug_info *info, uint64_t address)
{
    const struct interval *range = intervals_find(&info->ranges, address);
    struct debug_unit *unit = range ? array_at(&info->units, range->value) : NULL;

    if (unit && unit->is_packed)
        unit->is_packed = !packed_debug_reach(info->packed, unit->packed, &unit->die);
    return unit && !unit->is_packed ? unit : NULL;
}

static struct debug_unit *find_rest(struct debug_info *info, uint64_t address)
{
    if (!info->rest) {
        info->rest = memory_get_zeros(1, sizeof *info->rest);
        (void)!init_whole(info->rest, packed_debug_finish(info->packed), info->bias);
    }
    return find_unit(info->rest, address);
}

/* What nobody wrote has the line of its class, where there is nothing to change. */
static void forget_lines(struct debug_frames *frames)
{
    for (size_t i = 0; i < frames->count; i++)
        if (frames->items[i].is_unwritten) {
            frames->items[i].file = NULL;
            frames->items[i].line = 0;
        }
}

void debug_info_find(struct debug_info *info, uint64_t address, struct debug_frames *frames)
{
    struct debug_unit *unit = find_unit(info, address - info->bias);

    frames->count = 0;
    frames->folder = NULL;
    if (!unit && info->packed)
        unit = find_rest(info, address - info->bias);
    if (!unit)
        return;
    debug_unit_find(unit, address - info->bias, frames);
    frames->folder = debug_unit_folder(unit);
    if (frames->count == 0)
        frames->items[frames->count++] = (struct debug_frame){0};
    debug_frame_set_line(&frames->items[0], unit, address - info->bias);
    forget_lines(frames);
    if (frames->items[frames->count - 1].entry != 0)
        frames->items[frames->count - 1].entry += info->bias;
}
