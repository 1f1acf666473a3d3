/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of lines of a Python code object, in CPython's format from 3.11 on (co_linetable).
 *
 * Source: Objects/locations.md of CPython; PEP 626, PEP 657.
 */
#ifndef MODEL_PYTHON_LINES_H
#define MODEL_PYTHON_LINES_H

#include <stddef.h>
#include <stdint.h>

/* Find the line of the instruction at an offset in bytes.
 * Returns: 0 when the instruction has none, the table is cut or makes no sense. */
uint32_t python_lines_find(const unsigned char *table, size_t size, int32_t first_line,
                           uint32_t offset);

#endif
