/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The layout of structs for the entry stubs, which are assembly.  entry.c asserts it.
 */
#ifndef CALL_ENTRY_LAYOUT_H
#define CALL_ENTRY_LAYOUT_H

#define ENTRY_STUBS 8192
#define ENTRY_STUB_SIZE 16

/* struct binding */
#define ENTRY_BINDING_SIZE 32
#define ENTRY_BINDING_TARGET 0
#define ENTRY_BINDING_REALS 13 /* 0, ENTRY_KEEPS_REALS or above it */
#define ENTRY_KEEPS_REALS 1

/* struct entry_frame; results replace the arguments. */
#if defined(__x86_64__)
#define ENTRY_MARK_SIZE ENTRY_STUB_SIZE
#define ENTRY_ARGUMENTS 24 /* from the frame's end to the arguments on the stack */
#define ENTRY_INTEGERS 0
#define ENTRY_EXTRA 48
#define ENTRY_REALS 64
#define ENTRY_BINDING 192
/* 40 more than a multiple of 64: copies of 8, 16, 24 ... words of the arguments keep their
 * alignment, since vectors on the stack are aligned to 32 or 64 bytes. */
#define ENTRY_FRAME_SIZE 296
#else
#define ENTRY_MARK_SIZE 8
#define ENTRY_INTEGERS 0
#define ENTRY_EXTRA 64
#define ENTRY_REALS 80
#define ENTRY_BINDING 208
#define ENTRY_FRAME_SIZE 304
#endif

#endif
