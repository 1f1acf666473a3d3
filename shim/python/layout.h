/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a version of CPython keeps its frames and code objects.
 *
 * 3.11 and 3.12 are rows of layout.def.  From 3.13 on the runtime begins with a table of its
 * offsets, _Py_DebugOffsets.
 */
#ifndef PYTHON_LAYOUT_H
#define PYTHON_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "spec/trace.h"

/* Offsets in bytes. */
struct python_layout {
    uint32_t thread_frame; /* of the current frame, or of the cframe that has it */
    uint32_t thread_id;
    uint32_t cframe_frame;
    uint32_t frame_code;
    uint32_t frame_previous;
    uint32_t frame_instruction;
    uint32_t frame_owner;
    uint32_t frame_is_entry; /* 0: there are shim frames instead */
    uint32_t code_file;
    uint32_t code_name;
    uint32_t code_lines;
    uint32_t code_first_line;
    uint32_t code_start; /* of its instructions */
    uint32_t text_size;  /* of the header of an ASCII text */
    uint32_t wide_size;  /* of the header of any other */
    bool has_cframe;
};

enum {
    /* The same in all versions: PyObject, PyVarObject, PyBytesObject, PyASCIIObject and
     * PyTypeObject. */
    PYTHON_TYPE = 8,
    PYTHON_SIZE = 16,
    PYTHON_BYTES = 32,
    PYTHON_TEXT_STATE = 32,
    PYTHON_DEALLOC = 48,
    /* The owner of a frame from which on it is none of Python code: it stands where a call of
     * the interpreter's loop begins. */
    PYTHON_OWNER_SHIM = 3
};

/* Find the layout of a version, as in PY_VERSION_HEX.  `runtime`: the address of _PyRuntime;
 * NULL: unknown.  Returns: why there is none. */
enum trace_python_off python_layout_find(struct python_layout *layout, uint32_t version,
                                         const void *runtime);

#endif
