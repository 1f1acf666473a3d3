/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The processor time of a Python program, by owner: the interpreter, code that it called, its
 * collection of garbage, and imports.  Each nanosecond is in one of them.
 */
#ifndef CPU_PYTHON_SPLIT_H
#define CPU_PYTHON_SPLIT_H

#include <stdbool.h>

#include "base/text_list.h"

struct cpu_time;
struct place;

struct python_split {
    double garbage_ns;     /* collecting garbage */
    double import_ns;      /* else, below an import */
    double interpreter_ns; /* else, in the interpreter and its built-ins */
    double native_ns;      /* else, in code that Python code called, kernels too */
    double other_ns;       /* no Python code around, or no sample */
};

/* Returns: false when the process has no Python whose frames are read, or no samples. */
bool python_split_init(struct python_split *split, const struct cpu_time *time);

/* Was the interpreter or a built-in running, by a chain with looked-up names? */
bool python_split_is_interpreter(const struct cpu_time *time, uint32_t call);

/* Does it load modules? */
bool python_split_is_importlib(const struct place *place);

/* Is a chain, whose names were looked up, below an import of a module? */
bool python_split_is_import(const struct cpu_time *time, uint32_t call);

/* Say it under a table of this time. */
void python_split_say(struct text_list *notes, const struct cpu_time *time);

#endif
