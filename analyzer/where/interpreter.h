/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The CPython of an observed process, and the states of its threads.
 */
#ifndef WHERE_INTERPRETER_H
#define WHERE_INTERPRETER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/array.h"
#include "spec/python_layout.h"
#include "spec/python_loop.h"
#include "spec/trace.h"

struct image;
struct image_module;
struct unwind;

struct interpreter {
    struct image *image;
    pid_t pid;
    const struct image_module *module; /* NULL: the process has no CPython */
    enum trace_python_off off;         /* why its frames are not read */
    struct python_layout layout;
    struct python_range loop; /* range of _PyEval_EvalFrameDefault; zeros: unknown */
    struct python_range rest; /* see spec/python_loop.h */
    uint64_t code_type;       /* address of PyCode_Type */
    bool has_own_numbers;     /* the process numbers its threads otherwise than we do */
    struct array threads;     /* of struct interpreter_thread */
};

/* Look for CPython and its threads.  `unwind` finds starts and ends of functions. */
void interpreter_open(struct interpreter *interpreter, struct image *image, pid_t pid,
                      struct unwind *unwind);

void interpreter_close(struct interpreter *interpreter);

/* Returns: the address of a thread's state; 0: it has none, or frames are not read. */
uint64_t interpreter_find_thread(const struct interpreter *interpreter, pid_t tid);

/* Ask whether an address holds a code object. */
bool interpreter_is_code(const struct interpreter *interpreter, uint64_t address);

#endif
