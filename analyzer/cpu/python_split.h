/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The processor time of a Python program, by owner: the interpreter, native code that it called,
 * garbage collection, and imports.  Each nanosecond has one owner.
 */
#ifndef CPU_PYTHON_SPLIT_H
#define CPU_PYTHON_SPLIT_H

#include <stdbool.h>

#include "base/text_list.h"

struct cpu_time;
struct place;

struct python_split {
    double garbage_ns;     /* collecting garbage */
    double import_ns;      /* other time below an import */
    double interpreter_ns; /* other time in the interpreter and its built-ins */
    double native_ns;      /* other time in native code that Python called, kernels included */
    double other_ns;       /* no Python code around it, or no sample */
};

/* Returns: false when the process has no Python whose frames are read, or no samples. */
bool python_split_init(struct python_split *split, const struct cpu_time *time);

/* Was the interpreter or a built-in running, by a chain with looked-up names? */
bool python_split_is_interpreter(const struct cpu_time *time, uint32_t call);

/* Ask whether a chain with known names is below an import of a module. */
bool python_split_is_import(const struct cpu_time *time, uint32_t call);

/* Say below a table how its time is split. */
void python_split_say(struct text_list *notes, const struct cpu_time *time);

#endif
