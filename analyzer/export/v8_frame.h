/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions as V8's profiles name them: the "callFrame" of a node.
 *
 * Source: Runtime.CallFrame of js_protocol.json, in the npm package devtools-protocol.
 */
#ifndef EXPORT_V8_FRAME_H
#define EXPORT_V8_FRAME_H

#include <stdint.h>
#include <stdio.h>

#include "base/text_index.h"

struct v8_frame {
    const char *name;
    const char *file; /* or the library; NULL: unknown */
    uint32_t line;    /* from 1 on; 0: unknown */
};

/* The scripts so far, by URL: the first has the id 1, and 0 is none.  A zeroed index is empty. */
void v8_frame_write(FILE *out, struct text_index *scripts, const struct v8_frame *frame);

/* The root, which every profile has. */
void v8_frame_write_root(FILE *out);

#endif
