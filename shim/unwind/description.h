/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The frame description of an address: the entry of .eh_frame for its function, found by
 * .eh_frame_hdr.
 *
 * Safety: takes no lock where glibc has _dl_find_object (2.35), or under objects_alone.
 */
#ifndef UNWIND_DESCRIPTION_H
#define UNWIND_DESCRIPTION_H

#include "unwind/cfi_result.h"
#include "unwind/dwarf.h"

/* A frame description entry with the fields of its common entry. */
struct description {
    struct dwarf_bytes common;       /* instructions of the common entry */
    struct dwarf_bytes instructions; /* its own */
    uintptr_t start;
    uintptr_t size;
    uint64_t code_unit;
    int64_t data_unit;
    uint64_t pc_register;
    unsigned encoding;
    bool is_signal;
    bool has_augmentation;
};

/* Find the description of the function that has this code. */
enum cfi_result description_find(uintptr_t pc, struct description *description);

#endif
