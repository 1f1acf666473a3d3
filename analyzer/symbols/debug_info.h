/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions, files and lines from the DWARF of one file.
 */
#ifndef SYMBOLS_DEBUG_INFO_H
#define SYMBOLS_DEBUG_INFO_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "base/attributes.h"
#include "base/status.h"
#include "symbols/intervals.h"

/* Inlining deeper than this is cut; corrupt files may nest without end. */
enum { DEBUG_INFO_DEPTH_MAX = 256 };

struct packed_debug;

struct debug_info {
    Dwarf *dwarf; /* NULL: there is none, or it is packed */
    uint64_t bias;
    struct array units;      /* of struct debug_unit */
    struct intervals ranges; /* their addresses; the value is an index in units */
    struct packed_debug *packed; /* units are unpacked on demand; or NULL */
    struct debug_info *rest;     /* all of its units, after an address was in no unit that it
                                    names */
};

/* One function; the texts remain in the file's memory. */
struct debug_frame {
    const char *linkage_name; /* the linker's name; NULL when unknown */
    const char *name;         /* the name in the source; NULL when unknown */
    const char *file;
    uint32_t line;
    bool is_unwritten; /* a copy, move or end of an object that the compiler made */
    uint64_t entry; /* address in the file where its code starts; 0 when inlined or unknown */
};

struct debug_frames {
    struct debug_frame items[DEBUG_INFO_DEPTH_MAX];
    size_t count;
    const char *folder; /* where the compiler ran: relative files are below it; NULL: unknown */
};

/* Note where in a module's file the code of each unit lies.
 *
 * A file without debug information has no units.
 * Errors: STATUS_CORRUPT: from some position on, the file cannot be read; the data before it is
 * used.
 */
enum status debug_info_init(struct debug_info *info, Dwfl_Module *module) MUST_CHECK;

void debug_info_fini(struct debug_info *info);

/* Find the functions at an address in the file, innermost first.
 *
 * Shape: no frame when no unit has the address.  If the unit has no function there, as in
 * assembler, there is one frame without names.
 */
void debug_info_find(struct debug_info *info, uint64_t address, struct debug_frames *frames);

#endif
