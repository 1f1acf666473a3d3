/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls of interfaces with streams: those that obtain memory, ask for commands, or wait.
 *
 * Called by the wrappers of an adapter, in the thread of the program.
 */
#include "device/streams.h"

#include <stddef.h>

#include "call/wait.h"
#include "device/blocks.h"

_Thread_local unsigned streams_depth INITIAL_EXEC;

/* A call in the frame of its wrapper. */
struct call {
    const struct streams *api;
    const struct streams_row *row;
    const word *words;
    void *real;
};

typedef int32_t (*function_4)(word, word, word, word);
typedef int32_t (*function_8)(word, word, word, word, word, word, word, word);
typedef int32_t (*function_14)(word, word, word, word, word, word, word, word, word, word, word,
                               word, word, word);

/* A function ignores further words; so a few numbers of them suffice. */
static int32_t perform(const struct call *call)
{
    const word *w = call->words;

    if (call->row->arguments <= 4)
        return ((function_4)call->real)(w[0], w[1], w[2], w[3]);
    if (call->row->arguments <= 8)
        return ((function_8)call->real)(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7]);
    return ((function_14)call->real)(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9],
                                     w[10], w[11], w[12], w[13]);
}

/* The target of a clocked wait. */
static word perform_word(word call)
{
    return (word)perform((const struct call *)call);
}

static int32_t perform_waiting(const struct call *call, const struct unwind_state *caller)
{
    const word words[WAIT_WORDS] = {(word)call};

    return (int32_t)wait_call(call->row->wait, (void *)perform_word, words, caller);
}

static void settle(const struct call *call)
{
    if (call->api->settle)
        call->api->settle();
}

/* ---- memory --------------------------------------------------------------- */

/* The address is the target of argument 0; so is the pitch of argument 1. */
static uint64_t count_bytes(const struct call *call)
{
    const struct streams_row *row = call->row;
    uint64_t size =
        row->size == STREAMS_PITCH ? *(const size_t *)call->words[1] : call->words[row->size];

    switch (row->rows) {
    case STREAMS_NOWHERE: return size;
    case STREAMS_PAIRS: return size * 2;
    case STREAMS_FOURS: return size * 4;
    default: return size * call->words[row->rows];
    }
}

static int32_t obtain(const struct call *call, const struct unwind_state *caller)
{
    int32_t status = perform(call);
    struct device_block block;

    if (status != 0 || !*(void *const *)call->words[0])
        return status;
    block = (struct device_block){.handle = *(void *const *)call->words[0],
                                  .device = streams_device(call->api),
                                  .place = call->row->what,
                                  .bytes = count_bytes(call)};
    blocks_obtain(&block, caller);
    return status;
}

/* Before the call: the address may belong to another block as soon as it returns. */
static int32_t give_back(const struct call *call)
{
    if (call->words[0] != 0)
        blocks_release((const void *)call->words[0]);
    return perform(call);
}

/* ---- commands ------------------------------------------------------------- */

static uint64_t count(const struct streams_dimensions *dimensions)
{
    return (uint64_t)dimensions->x * dimensions->y * dimensions->z;
}

static uint64_t count_threads(const struct streams_dimensions *grid,
                              const struct streams_dimensions *block)
{
    return count(grid) * count(block);
}

/* A dim3 by value is two words, and x and y are one of them. */
static struct streams_dimensions unpack(word xy, word z)
{
    return (struct streams_dimensions){(uint32_t)xy, (uint32_t)(xy >> 32), (uint32_t)z};
}

/* What a launch runs. */
struct launched {
    const void *function;
    const void *stream;
    uint64_t threads;
};

static struct launched read_runtime(const word *words)
{
    struct streams_dimensions grid = unpack(words[1], words[2]);
    struct streams_dimensions block = unpack(words[3], words[4]);

    return (struct launched){(const void *)words[0], (const void *)words[7],
                             count_threads(&grid, &block)};
}

static struct launched read_driver(const word *words, bool is_in_threads)
{
    struct streams_dimensions grid = {(uint32_t)words[1], (uint32_t)words[2], (uint32_t)words[3]};
    struct streams_dimensions block = {(uint32_t)words[4], (uint32_t)words[5], (uint32_t)words[6]};

    return (struct launched){(const void *)words[0], (const void *)words[8],
                             is_in_threads ? count(&grid) : count_threads(&grid, &block)};
}

static struct launched read_configured(const word *words)
{
    const struct streams_launch *launch = (const struct streams_launch *)words[0];

    if (!launch)
        return (struct launched){0};
    return (struct launched){(const void *)words[1], launch->stream,
                             count_threads(&launch->grid, &launch->block)};
}

static struct launched read_launch(const struct call *call)
{
    switch ((enum streams_form)call->row->what) {
    case STREAMS_KERNEL_RUNTIME: return read_runtime(call->words);
    case STREAMS_KERNEL_RUNTIME_CONFIGURED:
    case STREAMS_KERNEL_DRIVER_CONFIGURED: return read_configured(call->words);
    case STREAMS_KERNEL_DRIVER: return read_driver(call->words, false);
    case STREAMS_KERNEL_DRIVER_THREADS: return read_driver(call->words, true);
    case STREAMS_KERNEL_GRAPH: break;
    }
    return (struct launched){.stream = (const void *)call->words[1]};
}

static bool is_of_driver(const struct call *call)
{
    return call->row->what == STREAMS_KERNEL_DRIVER ||
           call->row->what == STREAMS_KERNEL_DRIVER_THREADS ||
           call->row->what == STREAMS_KERNEL_DRIVER_CONFIGURED;
}

static struct device_command describe_launch(const struct call *call)
{
    const struct launched launched = read_launch(call);

    return (struct device_command){
        .queue = streams_queue(call->api, launched.stream),
        .name = launched.function ? streams_kernel(call->api, launched.function, is_of_driver(call))
                                  : 0,
        .what =
            call->row->what == STREAMS_KERNEL_GRAPH ? TRACE_COMMAND_GRAPH : TRACE_COMMAND_KERNEL,
        .work = launched.threads,
    };
}

static uint16_t kind_of(const struct call *call)
{
    static const uint16_t kinds[] = {[STREAMS_HOST_TO_DEVICE] = TRACE_COMMAND_TO_DEVICE,
                                     [STREAMS_DEVICE_TO_HOST] = TRACE_COMMAND_FROM_DEVICE,
                                     [STREAMS_DEVICE_TO_DEVICE] = TRACE_COMMAND_WITHIN};
    uint32_t number;

    if (!(call->row->what & STREAMS_BY_ARGUMENT))
        return call->row->what;
    number = (uint32_t)call->words[call->row->what & (STREAMS_BY_ARGUMENT - 1)];
    return number >= STREAMS_HOST_TO_DEVICE && number <= STREAMS_DEVICE_TO_DEVICE
               ? kinds[number]
               : TRACE_COMMAND_BETWEEN;
}

static struct device_command describe_move(const struct call *call)
{
    const struct streams_row *row = call->row;

    return (struct device_command){
        .queue = streams_queue(call->api, row->stream == STREAMS_NOWHERE
                                              ? NULL
                                              : (const void *)call->words[row->stream]),
        .what = kind_of(call),
        .flags = row->wait == STREAMS_NO_WAIT ? 0 : TRACE_COMMAND_BLOCKS,
        .bytes = count_bytes(call),
    };
}

static int32_t ask(const struct call *call, const struct unwind_state *caller)
{
    const struct streams *api = call->api;
    struct device_command command =
        call->row->action == STREAMS_KERNEL ? describe_launch(call) : describe_move(call);
    struct device_asked asked;
    int32_t status;

    if (!api->are_timed || !api->are_timed())
        command.flags |= TRACE_COMMAND_UNTIMED;
    command_begin(&command);
    status = call->row->wait == STREAMS_NO_WAIT ? perform(call) : perform_waiting(call, caller);
    asked = command_end(&command, caller, status == 0);
    if (status == 0 && api->expect)
        api->expect(&asked);
    if (call->row->wait != STREAMS_NO_WAIT)
        settle(call);
    return status;
}

static int32_t await(const struct call *call, const struct unwind_state *caller)
{
    int32_t status = perform_waiting(call, caller);

    settle(call);
    return status;
}

static int32_t act(const struct call *call, const struct unwind_state *caller)
{
    switch ((enum streams_action)call->row->action) {
    case STREAMS_OBTAIN: return obtain(call, caller);
    case STREAMS_GIVE_BACK: return give_back(call);
    case STREAMS_KERNEL:
    case STREAMS_MOVE: return ask(call, caller);
    case STREAMS_AWAIT: break;
    }
    return await(call, caller);
}

int32_t streams_pass(const struct streams *api, const struct streams_row *row, const word *words,
                     const struct unwind_state *caller)
{
    const struct call call = {api, row, words, *row->real};
    int32_t status;

    if (streams_depth > 0)
        return perform(&call);
    streams_depth++;
    if (api->begin)
        api->begin();
    status = act(&call, caller);
    if (api->end)
        api->end();
    streams_depth--;
    return status;
}
