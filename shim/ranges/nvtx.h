/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of NVTX 3 that a tool sees: the program's inline code calls the tool with the table of
 * its functions.
 */
#ifndef RANGES_NVTX_H
#define RANGES_NVTX_H

#include <stddef.h>
#include <stdint.h>

enum { NVTX_MODULE_CORE = 1, NVTX_MODULE_CORE2 = 5 };
enum { NVTX_TABLE_CALLBACKS = 1 };
enum { NVTX_COLOUR_ARGB = 1 };
enum { NVTX_MESSAGE_ASCII = 1, NVTX_MESSAGE_WIDE = 2, NVTX_MESSAGE_REGISTERED = 3 };

/* The result of a push or pop where no tool follows them, as without a tool. */
enum { NVTX_NOT_FOLLOWED = -2 };

/* What a range tells of itself.  An older program has a shorter one: `size` bytes. */
struct nvtx_attributes {
    uint16_t version;
    uint16_t size;
    uint32_t category;
    int32_t colour_type;
    uint32_t colour;
    int32_t payload_type;
    int32_t reserved;
    uint64_t payload;
    int32_t message_type;
    const void *message;
};

/* The table that leads to the functions of each module. */
struct nvtx_callbacks {
    size_t size;
    int (*get_module)(int module, void ****table, unsigned *size);
};

typedef const void *(*nvtx_get_table)(uint32_t table);

#endif
