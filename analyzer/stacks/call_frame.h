/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The frames of a call tree's nodes: functions and their lines, threads, regions, ops and kernels,
 * each stored once and identified by its number.
 */
#ifndef STACKS_CALL_FRAME_H
#define STACKS_CALL_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "base/text_index.h"

struct place;
struct storage;

/* The page's script knows their numbers. */
enum call_frame_kind {
    CALL_FRAME_NATIVE,
    CALL_FRAME_PYTHON, /* a function of Python code; the library is its file */
    CALL_FRAME_THREAD,
    CALL_FRAME_REGION,
    CALL_FRAME_OP,
    CALL_FRAME_KERNEL,
    CALL_FRAME_LABELS /* has the labels of the stack */
};

enum call_label {
#define LABEL(id, name) CALL_LABEL_##id,
#include "stacks/labels.def"
#undef LABEL
    CALL_LABELS
};

const char *call_label_name(enum call_label label);

struct call_frame {
    const char *name;
    const char *library; /* base name; NULL: none, or several */
    const char *file;    /* source; NULL: unknown */
    uint32_t line;       /* 0: unknown */
    enum call_frame_kind kind;
    bool is_inlined;                 /* into the frame around it */
    const char *labels[CALL_LABELS]; /* labels of CALL_FRAME_LABELS; NULL: it has none */
};

/* The members that distinguish frames. */
enum call_frames_by {
    CALL_FRAMES_BY_LINE,    /* the whole frame */
    CALL_FRAMES_BY_PLACE,   /* name, library or else file, line */
    CALL_FRAMES_BY_FUNCTION /* name and library: the first frame's lines represent all */
};

struct call_frames {
    struct array items; /* of struct call_frame, by number */
    struct text_index keys;
    struct storage *texts;
    enum call_frames_by by;
};

void call_frames_init(struct call_frames *frames);
/* Returns: the number of a frame; the texts of a new frame are copied. */
size_t call_frames_find(struct call_frames *frames, const struct call_frame *frame);

/* Returns: the frame of a place in the source, without its name. */
struct call_frame call_frame_of_place(const struct place *place);

/* Find the number of the same frame, with its name. */
size_t call_frames_find_place(struct call_frames *frames, const struct place *place);

const struct call_frame *call_frames_at(const struct call_frames *frames, size_t number);

#endif
