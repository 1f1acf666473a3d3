/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a version of CPython stores its threads, frames and code objects.
 *
 * 3.11 and 3.12 are rows of python_layout.def.  From 3.13 on the runtime begins with a table of
 * its offsets, _Py_DebugOffsets.
 */
#ifndef SPEC_PYTHON_LAYOUT_H
#define SPEC_PYTHON_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "spec/trace.h"

/* Offsets in bytes. */
struct python_layout {
    uint32_t thread_frame; /* the offset of the current frame, or of the cframe that contains it */
    uint32_t cframe_frame;
    uint32_t frame_code;
    uint32_t frame_previous;
    uint32_t frame_instruction;
    uint32_t frame_locals; /* the first argument, followed by the others */
    uint32_t frame_owner;
    uint32_t frame_is_entry; /* 0: there are shim frames instead */
    uint32_t code_file;
    uint32_t code_name;
    uint32_t code_lines;
    uint32_t code_first_line;
    uint32_t code_start; /* start of its instructions */
    uint32_t text_size;  /* size of the header of an ASCII text */
    uint32_t wide_size;  /* size of the header of any other text */
    uint32_t runtime_interpreters; /* the first interpreter */
    uint32_t interpreter_next;
    uint32_t interpreter_threads; /* its first thread */
    uint32_t interpreter_collecting; /* an int: 1 while it collects garbage; 0: unknown */
    uint32_t thread_next;
    uint32_t thread_interpreter;
    uint32_t thread_number; /* Linux's */
    bool has_cframe;
};

enum {
    /* The same in all versions: PyObject, PyVarObject, PyBytesObject, PyASCIIObject and
     * PyTypeObject. */
    PYTHON_TYPE = 8,
    PYTHON_SIZE = 16,
    PYTHON_BYTES = 32,
    PYTHON_TEXT_STATE = 32,
    PYTHON_TYPE_NAME = 24,
    PYTHON_DEALLOC = 48,
    /* Low bits of a frame's code, and of its locals, that are a tag, from 3.14 on. */
    PYTHON_TAG = 7,
    /* Owners of a frame.  A frame with the last owner, or a later one, is not Python code: it marks
     * the start of the interpreter's loop.  A generator's frame has an outer frame while it
     * runs. */
    PYTHON_OWNER_GENERATOR = 1,
    PYTHON_OWNER_SHIM = 3,
    /* Words of _PyRuntime that are read. */
    PYTHON_OFFSETS_WORDS = 96
};

/* Find the layout of a version, as in PY_VERSION_HEX.  `runtime`: the first words of _PyRuntime;
 * NULL: unknown.
 * Returns: why there is no layout. */
enum trace_python_off python_layout_find(struct python_layout *layout, uint32_t version,
                                         const uint64_t *runtime);

#endif
