/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The calls that obtain memory, ask for commands, or wait; and the tables of all functions.
 *
 * All of them take words and return a status, so one function serves them all: the tables say which
 * word is what.  A dim3 by value is two words, and x and y are one of them.
 *
 * Budget of a command: that of command.h, one question for the thread's device, and whether a
 * reading of the devices is due.
 */
#include "cuda/cuda.h"

#include <stddef.h>

#include "call/wait.h"
#include "cuda/cuda_parts.h"
#include "cuda/cuda_readings.h"
#include "device/blocks.h"
#include "device/device.h"
#include "device/words.h"
#include "spec/trace.h"
#include "unwind/machine.h"

enum { NOWHERE = 255, PITCH = 254, ARGUMENTS = 11 };

enum action { ACTION_OBTAIN, ACTION_GIVE_BACK, ACTION_KERNEL, ACTION_MOVE, ACTION_AWAIT };

/* Where a launch has what it runs. */
enum form {
    KERNEL_RUNTIME,            /* function, dim3 grid, dim3 block, arguments, shared, stream */
    KERNEL_RUNTIME_CONFIGURED, /* struct cuda_launch, function, arguments */
    KERNEL_DRIVER,             /* function, three of the grid, three of the block, shared, stream */
    KERNEL_DRIVER_CONFIGURED,  /* struct cuda_launch, function, parameters, extra */
    KERNEL_GRAPH               /* graph, stream */
};

/* What the tables say of the other actions. */
enum {
    OBTAIN_DEVICE = TRACE_DEVICE_PLACE_DEVICE,
    OBTAIN_HOST = TRACE_DEVICE_PLACE_HOST,
    OBTAIN_SHARED = TRACE_DEVICE_PLACE_SHARED,
    GIVE_BACK_NOTHING = 0,
    MOVE_TO_DEVICE = TRACE_COMMAND_TO_DEVICE,
    MOVE_FROM_DEVICE = TRACE_COMMAND_FROM_DEVICE,
    MOVE_WITHIN = TRACE_COMMAND_WITHIN,
    MOVE_BETWEEN = TRACE_COMMAND_BETWEEN,
    MOVE_FILL = TRACE_COMMAND_FILL,
    BY_ARGUMENT = 0x100, /* an argument tells the kind of copy */
    AWAIT_NOTHING = 0
};
#define MOVE_BY_NUMBER(place) (BY_ARGUMENT | (place))

enum { NO_WAIT = 0xffff, TRACE_WAIT_NONE = NO_WAIT };

struct row {
    void *const *real;
    uint8_t action; /* enum action */
    uint8_t arguments;
    uint8_t size;
    uint8_t rows;
    uint8_t stream;
    uint16_t what; /* a place of memory, enum form, a kind of command, or BY_ARGUMENT */
    uint16_t wait; /* enum trace_wait_call, or NO_WAIT */
};

enum {
#define CALL(name, arguments, action, what, size, rows, stream, wait) ROW_##name,
#define OTHER(name, wrapper)
#include "cuda/cuda_driver.def"
#include "cuda/cuda_runtime.def"
#undef CALL
#undef OTHER
    ROWS
};

static const struct row rows_of_calls[ROWS] = {
#define CALL(name, arguments, action, what, size, rows, stream, wait)                              \
    {&cuda_real.name, ACTION_##action, arguments,        size, rows,                               \
     stream,          action##_##what, TRACE_WAIT_##wait},
#define OTHER(name, wrapper)
#include "cuda/cuda_driver.def"
#include "cuda/cuda_runtime.def"
#undef CALL
#undef OTHER
};

struct cuda_real cuda_real;
_Thread_local unsigned cuda_depth INITIAL_EXEC;

/* A call in the frame of its wrapper. */
struct call {
    const struct row *row;
    const word *words;
    void *real;
};

typedef int32_t (*function_4)(word, word, word, word);
typedef int32_t (*function_8)(word, word, word, word, word, word, word, word);
typedef int32_t (*function_11)(word, word, word, word, word, word, word, word, word, word, word);

/* A function ignores further words; so a few numbers of them suffice. */
static int32_t perform(const struct call *call)
{
    const word *w = call->words;

    if (call->row->arguments <= 4)
        return ((function_4)call->real)(w[0], w[1], w[2], w[3]);
    if (call->row->arguments <= 8)
        return ((function_8)call->real)(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7]);
    return ((function_11)call->real)(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9],
                                     w[10]);
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

/* ---- memory --------------------------------------------------------------- */

/* The address is the target of argument 0; so is the pitch of argument 1. */
static uint64_t count_bytes(const struct call *call)
{
    const struct row *row = call->row;
    uint64_t size = row->size == PITCH ? *(const size_t *)call->words[1] : call->words[row->size];

    return row->rows == NOWHERE ? size : size * call->words[row->rows];
}

static int32_t obtain(const struct call *call, const struct unwind_state *caller)
{
    int32_t status = perform(call);
    struct device_block block;

    if (status != CUDA_SUCCEEDED || !*(void *const *)call->words[0])
        return status;
    block = (struct device_block){.handle = *(void *const *)call->words[0],
                                  .device = cuda_device_id(),
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

static uint64_t count_threads(const struct cuda_dimensions *grid,
                              const struct cuda_dimensions *block)
{
    return (uint64_t)grid->x * grid->y * grid->z * block->x * block->y * block->z;
}

static struct cuda_dimensions unpack(word xy, word z)
{
    return (struct cuda_dimensions){(uint32_t)xy, (uint32_t)(xy >> 32), (uint32_t)z};
}

/* What a launch runs. */
struct launched {
    const void *function;
    const void *stream;
    void *get_name;
    uint64_t threads;
};

static struct launched read_runtime(const word *words)
{
    struct cuda_dimensions grid = unpack(words[1], words[2]);
    struct cuda_dimensions block = unpack(words[3], words[4]);

    return (struct launched){(const void *)words[0], (const void *)words[7],
                             cuda_real.cudaFuncGetName, count_threads(&grid, &block)};
}

static struct launched read_driver(const word *words)
{
    struct cuda_dimensions grid = {(uint32_t)words[1], (uint32_t)words[2], (uint32_t)words[3]};
    struct cuda_dimensions block = {(uint32_t)words[4], (uint32_t)words[5], (uint32_t)words[6]};

    return (struct launched){(const void *)words[0], (const void *)words[8],
                             cuda_real.cuFuncGetName, count_threads(&grid, &block)};
}

static struct launched read_configured(const word *words, void *get_name)
{
    const struct cuda_launch *launch = (const struct cuda_launch *)words[0];

    if (!launch)
        return (struct launched){0};
    return (struct launched){(const void *)words[1], launch->stream, get_name,
                             count_threads(&launch->grid, &launch->block)};
}

static struct launched read_launch(const struct call *call)
{
    switch ((enum form)call->row->what) {
    case KERNEL_RUNTIME: return read_runtime(call->words);
    case KERNEL_RUNTIME_CONFIGURED: return read_configured(call->words, cuda_real.cudaFuncGetName);
    case KERNEL_DRIVER: return read_driver(call->words);
    case KERNEL_DRIVER_CONFIGURED: return read_configured(call->words, cuda_real.cuFuncGetName);
    case KERNEL_GRAPH: break;
    }
    return (struct launched){.stream = (const void *)call->words[1]};
}

static struct device_command describe_launch(const struct call *call)
{
    const struct launched launched = read_launch(call);

    return (struct device_command){
        .queue = cuda_queue_id(launched.stream),
        .name = launched.function ? cuda_kernel_name(launched.function, launched.get_name) : 0,
        .what = call->row->what == KERNEL_GRAPH ? TRACE_COMMAND_GRAPH : TRACE_COMMAND_KERNEL,
        .work = launched.threads,
    };
}

static uint16_t kind_of(const struct call *call)
{
    static const uint16_t kinds[] = {[CUDA_HOST_TO_DEVICE] = TRACE_COMMAND_TO_DEVICE,
                                     [CUDA_DEVICE_TO_HOST] = TRACE_COMMAND_FROM_DEVICE,
                                     [CUDA_DEVICE_TO_DEVICE] = TRACE_COMMAND_WITHIN};
    uint32_t number;

    if (!(call->row->what & BY_ARGUMENT))
        return call->row->what;
    number = (uint32_t)call->words[call->row->what & (BY_ARGUMENT - 1)];
    return number >= CUDA_HOST_TO_DEVICE && number <= CUDA_DEVICE_TO_DEVICE ? kinds[number]
                                                                            : TRACE_COMMAND_BETWEEN;
}

static struct device_command describe_move(const struct call *call)
{
    const struct row *row = call->row;

    return (struct device_command){
        .queue =
            cuda_queue_id(row->stream == NOWHERE ? NULL : (const void *)call->words[row->stream]),
        .what = kind_of(call),
        .flags = row->wait == NO_WAIT ? 0 : TRACE_COMMAND_BLOCKS,
        .bytes = count_bytes(call),
    };
}

static int32_t ask(const struct call *call, const struct unwind_state *caller)
{
    struct device_command command =
        call->row->action == ACTION_KERNEL ? describe_launch(call) : describe_move(call);
    struct device_asked asked;
    int32_t status;

    if (!cuda_times_are_had())
        command.flags |= TRACE_COMMAND_UNTIMED;
    command_begin(&command);
    status = call->row->wait == NO_WAIT ? perform(call) : perform_waiting(call, caller);
    asked = command_end(&command, caller, status == CUDA_SUCCEEDED);
    if (status == CUDA_SUCCEEDED)
        cuda_times_expect(&asked);
    if (call->row->wait != NO_WAIT)
        cuda_times_settle();
    return status;
}

static int32_t await(const struct call *call, const struct unwind_state *caller)
{
    int32_t status = perform_waiting(call, caller);

    cuda_times_settle();
    return status;
}

/* ---- the wrappers --------------------------------------------------------- */

static int32_t act(const struct call *call, const struct unwind_state *caller)
{
    switch ((enum action)call->row->action) {
    case ACTION_OBTAIN: return obtain(call, caller);
    case ACTION_GIVE_BACK: return give_back(call);
    case ACTION_KERNEL:
    case ACTION_MOVE: return ask(call, caller);
    case ACTION_AWAIT: break;
    }
    return await(call, caller);
}

static int32_t pass(const struct row *row, const word *words, const struct unwind_state *caller)
{
    const struct call call = {row, words, *row->real};
    int32_t status;

    if (cuda_depth > 0)
        return perform(&call);
    cuda_depth++;
    cuda_times_look();
    status = act(&call, caller);
    cuda_readings_look();
    cuda_depth--;
    return status;
}

#define CALL(name, arguments, action, what, size, rows, stream, wait)                              \
    static int32_t call_##name(WORDS_TAKEN(arguments))                                             \
    {                                                                                              \
        const struct unwind_state caller = unwind_caller();                                        \
        const word words[ARGUMENTS] = {WORDS_GIVEN(arguments)};                                    \
                                                                                                   \
        return pass(&rows_of_calls[ROW_##name], words, &caller);                                   \
    }
#define OTHER(name, wrapper)
#include "cuda/cuda_driver.def"
#include "cuda/cuda_runtime.def"
#undef CALL
#undef OTHER

#define CALL(name, arguments, action, what, size, rows, stream, wait)                              \
    {#name, (void *)call_##name, &cuda_real.name},
#define OTHER(name, wrapper) {#name, (void *)(wrapper), &cuda_real.name},
static const struct library_entry runtime_entries[] = {
#include "cuda/cuda_runtime.def"
};
static const struct library_entry driver_entries[] = {
#include "cuda/cuda_driver.def"
};
#undef CALL
#undef OTHER

const struct library cuda_runtime_library = {.title = "CUDA's runtime",
                                             .init = device_init,
                                             .entries = runtime_entries,
                                             .count =
                                                 sizeof runtime_entries / sizeof *runtime_entries};
const struct library cuda_driver_library = {.title = "CUDA's driver",
                                            .sign = "cuDeviceGetName",
                                            .init = device_init,
                                            .entries = driver_entries,
                                            .count =
                                                sizeof driver_entries / sizeof *driver_entries};
