/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A frame of a chain, and a step of unwinding.
 */
#ifndef CHAIN_STEP_H
#define CHAIN_STEP_H

#include <stdint.h>

/* A word of the stack that unwinding read. */
struct lane_word {
    const uintptr_t *place;
    uintptr_t value;
};

/* A frame of a chain. */
struct lane_chain_frame {
    uintptr_t pc;
    uintptr_t sp;
    uintptr_t fp;   /* when it is needed */
    uint32_t call;  /* its number in the tree; 0: not known yet */
    uint32_t flags; /* enum lane_frame_flag */
};

enum lane_frame_flag {
    LANE_NEEDS_FP = 1,     /* unwinding from here reads the frame pointer */
    LANE_FP_IS_NEEDED = 2, /* a frame further out needs the frame pointer that was saved here */
    LANE_HAS_CFA = 4,      /* the CFA was read */
    LANE_IS_EXACT = 8      /* the address is where a signal came, and no return address */
};

/* One step of unwinding, from a frame to its caller, with the words that it read. */
struct lane_step {
    struct lane_chain_frame frame;
    struct lane_word pc; /* the return address */
    struct lane_word fp; /* when it is needed */
    struct lane_word cfa;
    unsigned saved_fp; /* how far below the CFA the frame pointer is saved, as in a packed rule */
};

#endif
