/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The calls that obtain memory, ask for commands, or wait; and the tables of all functions.
 *
 * All of them take words and return a status, so one function serves them all: the tables say which
 * word is what.  A dim3 by value is two words, and x and y are one of them.
 *
 * Budget of a command: that of command.h, and one question for the thread's device.
 */
#include "cuda/cuda.h"

#include <stddef.h>

#include "call/binding.h"
#include "call/wait.h"
#include "cuda/cuda_parts.h"
#include "device/blocks.h"
#include "device/device.h"
#include "spec/trace.h"
#include "unwind/machine.h"

enum { NOWHERE = 255, PITCH = 254, ARGUMENTS = 11 };

/* Kinds of copies that an argument tells. */
enum { BY_ARGUMENT = 0x100 };
#define BY_NUMBER(place) (BY_ARGUMENT | (place))

enum action { ACTION_OBTAIN, ACTION_GIVE_BACK, ACTION_KERNEL, ACTION_MOVE, ACTION_WAIT };

/* Where a launch has what it runs. */
enum form {
    FORM_RUNTIME,            /* function, dim3 grid, dim3 block, arguments, shared, stream */
    FORM_RUNTIME_CONFIGURED, /* struct cuda_launch, function, arguments */
    FORM_DRIVER,             /* function, three of the grid, three of the block, shared, stream */
    FORM_DRIVER_CONFIGURED,  /* struct cuda_launch, function, parameters, extra */
    FORM_GRAPH               /* graph, stream */
};

enum { NO_WAIT = 0xffff };

struct row {
    void *const *real;
    uint8_t action; /* enum action */
    uint8_t arguments;
    uint8_t size;
    uint8_t rows;
    uint8_t stream;
    uint8_t form;  /* enum form */
    uint16_t what; /* a place of memory, a kind of command, or BY_NUMBER */
    uint16_t wait; /* enum trace_wait_call, or NO_WAIT */
};

enum {
#define OBTAIN(name, arguments, place, size, rows) ROW_##name,
#define GIVE_BACK(name, arguments) ROW_##name,
#define KERNEL(name, arguments, form) ROW_##name,
#define MOVE(name, arguments, kind, size, rows, stream, wait) ROW_##name,
#define WAITS(name, arguments, wait) ROW_##name,
#define OTHER(name, wrapper)
#include "cuda/cuda_driver.def"
#include "cuda/cuda_runtime.def"
#undef OBTAIN
#undef GIVE_BACK
#undef KERNEL
#undef MOVE
#undef WAITS
#undef OTHER
    ROWS
};

/* The kinds and waits as the tables write them. */
enum {
    KIND_TO_DEVICE = TRACE_COMMAND_TO_DEVICE,
    KIND_FROM_DEVICE = TRACE_COMMAND_FROM_DEVICE,
    KIND_WITHIN = TRACE_COMMAND_WITHIN,
    KIND_BETWEEN = TRACE_COMMAND_BETWEEN,
    KIND_FILL = TRACE_COMMAND_FILL
};
#define KIND_BY_NUMBER(place) BY_NUMBER(place)

/* The word of the tables for a call that does not wait. */
enum { TRACE_WAIT_NONE = NO_WAIT };

static const struct row rows[ROWS] = {
#define OBTAIN(name, arguments_, place, size_, rows_)                                              \
    {.real = &cuda_real.name,                                                                      \
     .action = ACTION_OBTAIN,                                                                      \
     .arguments = arguments_,                                                                      \
     .size = size_,                                                                                \
     .rows = rows_,                                                                                \
     .what = TRACE_DEVICE_PLACE_##place,                                                           \
     .wait = NO_WAIT},
#define GIVE_BACK(name, arguments_)                                                                \
    {.real = &cuda_real.name, .action = ACTION_GIVE_BACK, .arguments = arguments_, .wait = NO_WAIT},
#define KERNEL(name, arguments_, form_)                                                            \
    {.real = &cuda_real.name,                                                                      \
     .action = ACTION_KERNEL,                                                                      \
     .arguments = arguments_,                                                                      \
     .form = FORM_##form_,                                                                         \
     .wait = NO_WAIT},
#define MOVE(name, arguments_, kind, size_, rows_, stream_, wait_)                                 \
    {.real = &cuda_real.name,                                                                      \
     .action = ACTION_MOVE,                                                                        \
     .arguments = arguments_,                                                                      \
     .size = size_,                                                                                \
     .rows = rows_,                                                                                \
     .stream = stream_,                                                                            \
     .what = KIND_##kind,                                                                          \
     .wait = TRACE_WAIT_##wait_},
#define WAITS(name, arguments_, wait_)                                                             \
    {.real = &cuda_real.name,                                                                      \
     .action = ACTION_WAIT,                                                                        \
     .arguments = arguments_,                                                                      \
     .wait = TRACE_WAIT_##wait_},
#define OTHER(name, wrapper)
#include "cuda/cuda_driver.def"
#include "cuda/cuda_runtime.def"
#undef OBTAIN
#undef GIVE_BACK
#undef KERNEL
#undef MOVE
#undef WAITS
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
    switch ((enum form)call->row->form) {
    case FORM_RUNTIME: return read_runtime(call->words);
    case FORM_RUNTIME_CONFIGURED: return read_configured(call->words, cuda_real.cudaFuncGetName);
    case FORM_DRIVER: return read_driver(call->words);
    case FORM_DRIVER_CONFIGURED: return read_configured(call->words, cuda_real.cuFuncGetName);
    case FORM_GRAPH: break;
    }
    return (struct launched){.stream = (const void *)call->words[1]};
}

static struct device_command describe_launch(const struct call *call)
{
    const struct launched launched = read_launch(call);

    return (struct device_command){
        .queue = cuda_queue_id(launched.stream),
        .name = launched.function ? cuda_kernel_name(launched.function, launched.get_name) : 0,
        .what = call->row->form == FORM_GRAPH ? TRACE_COMMAND_GRAPH : TRACE_COMMAND_KERNEL,
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
    case ACTION_WAIT: break;
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
    cuda_depth--;
    return status;
}

#define PARAMETERS_0 void
#define PARAMETERS_1 word a
#define PARAMETERS_2 PARAMETERS_1, word b
#define PARAMETERS_3 PARAMETERS_2, word c
#define PARAMETERS_4 PARAMETERS_3, word d
#define PARAMETERS_5 PARAMETERS_4, word e
#define PARAMETERS_6 PARAMETERS_5, word f
#define PARAMETERS_7 PARAMETERS_6, word g
#define PARAMETERS_8 PARAMETERS_7, word h
#define PARAMETERS_10 PARAMETERS_8, word i, word j
#define PARAMETERS_11 PARAMETERS_10, word k
#define WORDS_0 0
#define WORDS_1 a
#define WORDS_2 WORDS_1, b
#define WORDS_3 WORDS_2, c
#define WORDS_4 WORDS_3, d
#define WORDS_5 WORDS_4, e
#define WORDS_6 WORDS_5, f
#define WORDS_7 WORDS_6, g
#define WORDS_8 WORDS_7, h
#define WORDS_10 WORDS_8, i, j
#define WORDS_11 WORDS_10, k

#define WRAPPER(name, arguments)                                                                   \
    static int32_t call_##name(PARAMETERS_##arguments)                                             \
    {                                                                                              \
        const struct unwind_state caller = unwind_caller();                                        \
        const word words[ARGUMENTS] = {WORDS_##arguments};                                         \
                                                                                                   \
        return pass(&rows[ROW_##name], words, &caller);                                            \
    }
#define OBTAIN(name, arguments, place, size, rows) WRAPPER(name, arguments)
#define GIVE_BACK(name, arguments) WRAPPER(name, arguments)
#define KERNEL(name, arguments, form) WRAPPER(name, arguments)
#define MOVE(name, arguments, kind, size, rows, stream, wait) WRAPPER(name, arguments)
#define WAITS(name, arguments, wait) WRAPPER(name, arguments)
#define OTHER(name, wrapper)
#include "cuda/cuda_driver.def"
#include "cuda/cuda_runtime.def"
#undef OTHER
#undef OBTAIN
#undef GIVE_BACK
#undef KERNEL
#undef MOVE
#undef WAITS

#define OBTAIN(name, arguments, place, size, rows) {#name, (void *)call_##name, &cuda_real.name},
#define GIVE_BACK(name, arguments) {#name, (void *)call_##name, &cuda_real.name},
#define KERNEL(name, arguments, form) {#name, (void *)call_##name, &cuda_real.name},
#define MOVE(name, arguments, kind, size, rows, stream, wait)                                      \
    {#name, (void *)call_##name, &cuda_real.name},
#define WAITS(name, arguments, wait) {#name, (void *)call_##name, &cuda_real.name},
#define OTHER(name, wrapper) {#name, (void *)(wrapper), &cuda_real.name},
static const struct device_entry runtime_entries[] = {
#include "cuda/cuda_runtime.def"
};
static const struct device_entry driver_entries[] = {
#include "cuda/cuda_driver.def"
};
#undef OBTAIN
#undef GIVE_BACK
#undef KERNEL
#undef MOVE
#undef WAITS
#undef OTHER

const struct device_library cuda_runtime_library = {.title = "CUDA's runtime",
                                                    .entries = runtime_entries,
                                                    .count = sizeof runtime_entries /
                                                             sizeof *runtime_entries};
const struct device_library cuda_driver_library = {.title = "CUDA's driver",
                                                   .sign = "cuDeviceGetName",
                                                   .entries = driver_entries,
                                                   .count = sizeof driver_entries /
                                                            sizeof *driver_entries};
