/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The last call chain of a lane: its frames, the words of the stack that prove them, and caches for
 * unwinding.  chain/callchain.h has an example.
 */
#ifndef CHAIN_LANE_CHAIN_H
#define CHAIN_LANE_CHAIN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "chain/step.h"
#include "chain/successors.h"
#include "spec/trace.h"

enum {
    /* Unwinding stops after TRACE_FRAMES_MAX frames.  A chain may grow to twice that before its
     * outer half is dropped, so deep recursion costs one frame for each call. */
    LANE_CHAIN_FRAMES = TRACE_CHAIN_MAX,
    LANE_CHAIN_WORDS = LANE_CHAIN_FRAMES + 2,
    LANE_CHAIN_EXTRAS = 2 * LANE_CHAIN_FRAMES + 1,
    LANE_RULES = 4096, /* a power of 2, as are the next two */
    LANE_JOINS = 16384,
    LANE_JOINS_FIRST = 256,
    MIXED_FRAMES_MAX = 128, /* innermost frames of Python code, including replacements for the
                               loop */
    MIXED_PAIRS = 8192      /* a power of 2 */
};

/* The innermost call of some frames below an outer call: the same few occur again and again. */
struct lane_join {
    uint64_t path; /* hash of the frames' addresses */
    uint32_t outer;
    uint32_t call; /* number of the innermost call */
};

/* A frame of Python code. */
struct mixed_frame {
    uintptr_t frame;
    uintptr_t instruction;
    uintptr_t code;
    uint32_t call; /* its number in the tree */
    bool is_shim;  /* it represents a call of the interpreter's loop, and has no call of its own */
    bool is_entry; /* the loop was called for it */
    uint8_t entry_byte; /* the frame's own, if the version has it; else any byte of the frame */
};

/* A chain, the innermost frame of Python code that it was paired with, and the number of the
 * pair. */
struct mixed_known {
    uint32_t native;
    uint32_t innermost;
    uint32_t pair;
};

/* The frames of Python code that were taken last, frame 1 outermost: see chain/mixed.h. */
struct mixed_chain {
    uint32_t count;
    unsigned gone;   /* codes_gone at that time; 0: there are no last frames */
    uint32_t native; /* the chain that they were paired with last */
    uint32_t pair;   /* number of that pair; 0: none */
    bool is_left_out; /* the lane is none of a thread */
    bool is_cut;
    struct mixed_frame frames[1 + MIXED_FRAMES_MAX]; /* 0: the frame outside of the outermost one */
    struct mixed_frame inner[MIXED_FRAMES_MAX];      /* room to read in, innermost first */
    struct mixed_known known[MIXED_PAIRS]; /* a cache, of this tree */
};

/* The chain that was taken last, frame 1 outermost.  Frame 0 is none: its stack pointer is above
 * all others and fits no frame.  A frame follows from its word, the words of the outer frames, and
 * their extras: the frame pointers and CFAs that were read. */
struct lane_chain {
    uint32_t frame_count;
    uint32_t extra_count;
    unsigned epoch;       /* epoch of the rules */
    uint32_t walks;        /* chains that took more than a comparison */
    uint32_t untimed_mask; /* a walk is timed when these bits of its number are 0 */
    uint32_t timed_walks;
    bool is_timed;         /* a walk is timed at present */
    uint64_t timed_ticks;  /* end of the last timed walk, 0 before */
    uint64_t clock_ticks;  /* of a reading of the clock */
    uint64_t typical_ticks; /* the median of timed walks, about */
    uint64_t walk_ticks;   /* of walks, not noted yet */
    uint32_t join_mask;    /* of the places of `joins` in use */
    uint32_t joined;       /* entries stored while these were not all */
    enum trace_chain_end end;
    struct lane_chain_frame frames[1 + LANE_CHAIN_FRAMES];
    struct lane_word words[LANE_CHAIN_WORDS]; /* the frames' return addresses */
    struct lane_word extras[LANE_CHAIN_EXTRAS];
    uint16_t owners[LANE_CHAIN_EXTRAS]; /* the frames of the extras */
    uint64_t rules[LANE_RULES];         /* a cache of entries of unwind/rules.h */
    struct lane_join joins[LANE_JOINS]; /* a cache */
    struct successors successors;
    struct mixed_chain mixed;
    struct lane_step steps[TRACE_FRAMES_MAX]; /* room to unwind in: stacks may be small */
};

/* The numbers of the tree mean nothing any more. */
static inline void mixed_forget(struct mixed_chain *chain)
{
    chain->gone = 0;
    memset(chain->known, 0, sizeof chain->known);
}

/* Put a word that never matches behind the last one, so that a comparison stops there. */
static ALWAYS_INLINE void lane_chain_end_words(struct lane_chain *chain)
{
    static const uintptr_t nothing;

    chain->words[chain->frame_count + 1] = (struct lane_word){&nothing, 1};
    chain->extras[chain->extra_count] = (struct lane_word){&nothing, 1};
}

/* Forget the chain: the lane serves another thread, or the load map has changed. */
static inline void lane_chain_forget(struct lane_chain *chain)
{
    chain->frames[0] = (struct lane_chain_frame){.sp = UINTPTR_MAX};
    chain->frame_count = 0;
    chain->extra_count = 0;
    lane_chain_end_words(chain);
    successors_begin(&chain->successors);
}

/* Drop the frames inside of frame `frame_count`. */
static ALWAYS_INLINE void lane_chain_cut(struct lane_chain *chain, uint32_t frame_count)
{
    chain->frame_count = frame_count;
    while (UNLIKELY(chain->extra_count > 0) && chain->owners[chain->extra_count - 1] > frame_count)
        chain->extra_count--;
}

/* Note a word other than a return address that frame `owner` depends on. */
static inline void lane_chain_add_extra(struct lane_chain *chain, uint32_t owner,
                                        struct lane_word added)
{
    chain->owners[chain->extra_count] = (uint16_t)owner;
    chain->extras[chain->extra_count++] = added;
}

#endif
