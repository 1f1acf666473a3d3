/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The calls of a thread in one order, with frames of Python code where the interpreter runs them.
 */
#ifndef WHERE_MIXED_H
#define WHERE_MIXED_H

#include <stddef.h>

#include "model/python_join.h"
#include "where/frames.h"
#include "where/unwind.h"

struct image;
struct interpreter;

enum { MIXED_MOST = UNWIND_DEPTH_MAX + FRAMES_MOST };

/* Join the frames; without Python frames the calls stay unchanged.
 * Returns: the number of joined frames. */
size_t mixed_join(const struct unwind_stack *calls, const struct frames *frames,
                  const struct image *image, struct python_joined joined[MIXED_MOST]);

#endif
