/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * NCCL, and RCCL, which has its names: a call has a count and a type, and a communicator that knows
 * how many take part.  The communicator is asked at each call: an answer from memory.
 *
 * Source: nccl.h of NCCL 2.4 to 2.28, rccl.h of ROCm 6.
 */
#include <stddef.h>
#include <string.h>

#include "adapter/adapter.h"
#include "call/entry.h"

enum { LIBRARIES_MAX = 16, NOWHERE = 255 };

typedef int (*counter)(const void *communicator, int *count);

/* Places among the arguments; `peer`: of the other one, or of the root. */
static const struct collective {
    const char *symbol;
    enum adapted kernel;
    uint8_t count, type, peer, communicator;
} collectives[] = {
    {"ncclAllReduce", ADAPTED_nccl_all_reduce, 2, 3, NOWHERE, 5},
    {"ncclReduce", ADAPTED_nccl_reduce, 2, 3, 5, 6},
    {"ncclBroadcast", ADAPTED_nccl_broadcast, 2, 3, 4, 5},
    {"ncclBcast", ADAPTED_nccl_broadcast, 1, 2, 3, 4},
    {"ncclReduceScatter", ADAPTED_nccl_reduce_scatter, 2, 3, NOWHERE, 5},
    {"ncclAllGather", ADAPTED_nccl_all_gather, 2, 3, NOWHERE, 4},
    {"ncclAlltoAll", ADAPTED_nccl_all_to_all, 2, 3, NOWHERE, 4},
    {"ncclAllToAll", ADAPTED_nccl_all_to_all, 2, 3, NOWHERE, 4},
    {"ncclGather", ADAPTED_nccl_gather, 2, 3, 4, 5},
    {"ncclScatter", ADAPTED_nccl_scatter, 2, 3, 4, 5},
    {"ncclSend", ADAPTED_nccl_send, 1, 2, 3, 4},
    {"ncclRecv", ADAPTED_nccl_receive, 1, 2, 3, 4},
};

/* ncclDataType_t. */
static const struct type {
    const char *name;
    uint8_t size;
} types[] = {{"i8", 1},  {"u8", 1},  {"i32", 4}, {"u32", 4},  {"i64", 8}, {"u64", 8},
             {"f16", 2}, {"f32", 4}, {"f64", 8}, {"bf16", 2}, {"f8", 1},  {"f8", 1}};

static const struct collective *find_collective(const char *symbol)
{
    for (unsigned i = 0; i < sizeof collectives / sizeof *collectives; i++)
        if (strcmp(collectives[i].symbol, symbol) == 0)
            return &collectives[i];
    return NULL;
}

/* Returns: 0 when unknown. */
static int count_ranks(const struct binding *binding, const void *communicator)
{
    counter ask = (counter)binding->library;
    int ranks = 0;

    return ask && communicator && ask(communicator, &ranks) == 0 ? ranks : 0;
}

static const struct object_shape *describe_call(const struct binding *binding, const word *integers)
{
    const struct entry_frame *frame = (const struct entry_frame *)integers;
    const struct collective *call = find_collective(binding->symbol->name);
    uint64_t type = (uint32_t)entry_integer(frame, call->type);
    struct object_shape shape = adapter_begin_shape(call->kernel);

    _Static_assert(offsetof(struct entry_frame, integers) == 0, "the frame of a call's integers");
    if (type >= sizeof types / sizeof *types)
        return NULL;
    shape.values[TERM_nccl_all_reduce_size] =
        (int64_t)(entry_integer(frame, call->count) * types[type].size);
    shape.values[TERM_nccl_all_reduce_type] = adapter_pack_text(types[type].name);
    shape.values[TERM_nccl_all_reduce_ranks] =
        count_ranks(binding, (const void *)entry_integer(frame, call->communicator));
    shape.values[TERM_nccl_all_reduce_peer] =
        call->peer == NOWHERE ? -1 : (int)entry_integer(frame, call->peer);
    return object_remember(NULL, &shape);
}

static void find_counter(struct binding *binding)
{
    binding->library = adapter_find_function(binding->target, "ncclCommCount");
}

/* Any argument can stand for the object: none is in the table. */
const struct adapter_call *nccl_find(const char *symbol)
{
    static const struct adapter_call call = {
        .object = 0, .describe = describe_call, .bind = find_counter};

    return find_collective(symbol) ? &call : NULL;
}
