/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the entry stubs, which are assembly, must know of structs.  entry.c
 * asserts it.
 */
#ifndef HOT_ENTRY_LAYOUT_H
#define HOT_ENTRY_LAYOUT_H

#define ENTRY_STUBS 8192

/* struct binding */
#define ENTRY_BINDING_SIZE 32
#define ENTRY_BINDING_TARGET 0
#define ENTRY_BINDING_REALS 13 /* 0, ENTRY_KEEPS_REALS or above it */
#define ENTRY_KEEPS_REALS 1

/* struct entry_frame; results come where arguments were. */
#if defined(__x86_64__)
#define ENTRY_STUB_SIZE 16
#define ENTRY_INTEGERS 0
#define ENTRY_EXTRA 48
#define ENTRY_REALS 64
#define ENTRY_BINDING 192
#define ENTRY_FRAME_SIZE 296 /* 8 more than a multiple of 16: see entry_body */
#else
#define ENTRY_STUB_SIZE 32
#define ENTRY_INTEGERS 0
#define ENTRY_EXTRA 64
#define ENTRY_REALS 80
#define ENTRY_BINDING 208
#define ENTRY_FRAME_SIZE 304
#endif

#endif
