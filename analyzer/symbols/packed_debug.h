/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The debug information of a separate file with compressed sections, unpacked on demand.
 *
 * libdw unpacks all sections of a file that it opens.  So it gets an image of the file instead.
 * .debug_info and .debug_line are filled from their starts, up to the last needed unit;
 * .debug_aranges has the positions of units.
 *
 * Only files whose units refer to nothing outside themselves are opened.
 *
 * Decision: doc/decisions/unpacked-as-far-as-asked.
 */
#ifndef SYMBOLS_PACKED_DEBUG_H
#define SYMBOLS_PACKED_DEBUG_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stdint.h>

struct packed_debug;

/* Open the separate debug file of a module.
 *
 * Units: `bias` is added to an address in the debug information to get one in the file.
 * Returns: NULL: there is none, or libdw must read it as a whole.
 */
struct packed_debug *packed_debug_open(Dwfl_Module *module, uint64_t *bias);

void packed_debug_close(struct packed_debug *packed);

/* Visit the ranges of addresses of .debug_aranges, unit by unit. */
typedef void (*packed_debug_visitor)(void *of, uint64_t unit, uint64_t start, uint64_t end);
void packed_debug_visit(const struct packed_debug *packed, packed_debug_visitor visitor, void *of);

/* Unpack a unit that .debug_aranges names.  Returns: false when the unit is invalid. */
bool packed_debug_reach(struct packed_debug *packed, uint64_t unit, Dwarf_Die *die);

/* Unpack all units.  Returns: the Dwarf of the file, valid until the file is closed. */
Dwarf *packed_debug_finish(struct packed_debug *packed);

#endif
