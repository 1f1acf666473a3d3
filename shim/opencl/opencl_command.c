/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The calls that put a command in a queue, and the calls that wait for commands.
 *
 * All functions that put a command in a queue take words and return one, so one function serves
 * them all: opencl.def says which word is what.  The table of all functions is here, too.
 *
 * Budget of a command: that of command.h, an event, and six calls of the library for one that has
 * ended.
 *
 * Decision: doc/decisions/times-of-opencl.
 */
#include "opencl/opencl.h"

#include "call/wait.h"
#include "device/command.h"
#include "device/device.h"
#include "device/pending.h"
#include "device/words.h"
#include "opencl/opencl_parts.h"
#include "spec/trace.h"
#include "unwind/machine.h"

enum { NOWHERE = 255, ARGUMENTS = 14, DIMENSIONS = 3 };

enum bytes { BYTES_NONE, BYTES_NUMBER, BYTES_REGION, BYTES_OBJECTS };

struct row {
    void *const *real;
    uint16_t wait; /* enum trace_wait_call */
    uint8_t arguments;
    uint8_t what; /* enum trace_command_kind */
    uint8_t blocking;
    uint8_t bytes; /* enum bytes */
    uint8_t at;
    uint8_t image;
    uint8_t event;
};

enum {
#define COMMAND(name, arguments, kind, blocking, bytes, at, image, event, wait) ROW_##name,
#define OTHER(name, wrapper)
#include "opencl/opencl.def"
#undef COMMAND
#undef OTHER
    ROWS
};

static const struct row rows[ROWS] = {
#define COMMAND(name, arguments, kind, blocking, bytes, at, image, event, wait)                    \
    {&opencl_real.name,                                                                            \
     TRACE_WAIT_CL_##wait,                                                                         \
     arguments,                                                                                    \
     TRACE_COMMAND_##kind,                                                                         \
     blocking,                                                                                     \
     BYTES_##bytes,                                                                                \
     at,                                                                                           \
     image,                                                                                        \
     event},
#define OTHER(name, wrapper)
#include "opencl/opencl.def"
#undef COMMAND
#undef OTHER
};

/* A call in the frame of its wrapper. */
struct call {
    const struct row *row;
    word *words;
    void *real;
};

typedef word (*function_5)(word, word, word, word, word);
typedef word (*function_9)(word, word, word, word, word, word, word, word, word);
typedef word (*function_14)(word, word, word, word, word, word, word, word, word, word, word, word,
                            word, word);

/* A function ignores further words; so a few numbers of them suffice. */
static word perform(const struct call *call)
{
    const word *w = call->words;

    if (call->row->arguments <= 5)
        return ((function_5)call->real)(w[0], w[1], w[2], w[3], w[4]);
    if (call->row->arguments <= 9)
        return ((function_9)call->real)(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8]);
    return ((function_14)call->real)(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9],
                                     w[10], w[11], w[12], w[13]);
}

/* The target of a clocked wait. */
static word perform_word(word call)
{
    return perform((const struct call *)call);
}

/* ---- what a command is ---------------------------------------------------- */

static uint64_t multiply(const size_t *numbers, unsigned count)
{
    uint64_t product = 1;

    for (unsigned i = 0; i < count; i++)
        product *= numbers[i];
    return product;
}

static uint64_t region_bytes(const struct call *call)
{
    const size_t *region = (const size_t *)call->words[call->row->at];
    size_t element = 1;

    if (!region)
        return 0;
    if (call->row->image != NOWHERE &&
        !opencl_ask(opencl_real.clGetImageInfo, (cl_object)call->words[call->row->image],
                    CL_IMAGE_ELEMENT_SIZE, sizeof element, &element))
        return 0;
    return multiply(region, DIMENSIONS) * element;
}

static uint64_t object_bytes(uint32_t count, const cl_object *objects)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; objects && i < count; i++) {
        size_t size = 0;

        if (opencl_ask(opencl_real.clGetMemObjectInfo, objects[i], CL_MEM_SIZE, sizeof size, &size))
            sum += size;
    }
    return sum;
}

static uint64_t count_bytes(const struct call *call)
{
    const word *words = call->words;

    switch ((enum bytes)call->row->bytes) {
    case BYTES_NUMBER: return words[call->row->at];
    case BYTES_REGION: return region_bytes(call);
    case BYTES_OBJECTS: return object_bytes((uint32_t)words[1], (const cl_object *)words[2]);
    case BYTES_NONE: break;
    }
    return 0;
}

/* clEnqueueTask runs one work-item. */
static uint64_t count_items(const struct call *call)
{
    uint32_t dimensions = (uint32_t)call->words[2];
    const size_t *sizes = (const size_t *)call->words[4];

    if (call->row != &rows[ROW_clEnqueueNDRangeKernel])
        return 1;
    return sizes && dimensions <= DIMENSIONS ? multiply(sizes, dimensions) : 0;
}

static bool blocks(const struct call *call)
{
    return call->row->blocking != NOWHERE && (uint32_t)call->words[call->row->blocking] != 0;
}

static void describe(const struct call *call, struct device_command *command)
{
    command->what = call->row->what;
    command->bytes = count_bytes(call);
    command->flags = blocks(call) ? TRACE_COMMAND_BLOCKS : 0;
    if (call->row->what == TRACE_COMMAND_KERNEL) {
        command->name = opencl_kernel_name((cl_object)call->words[1]);
        command->work = count_items(call);
    }
}

/* ---- its times ------------------------------------------------------------ */

static bool read_times(cl_object event, struct device_times *times)
{
    void *info = opencl_real.clGetEventProfilingInfo;
    const size_t size = sizeof times->queued_ns;

    return opencl_ask(info, event, CL_PROFILING_COMMAND_QUEUED, size, &times->queued_ns) &&
           opencl_ask(info, event, CL_PROFILING_COMMAND_SUBMIT, size, &times->submitted_ns) &&
           opencl_ask(info, event, CL_PROFILING_COMMAND_START, size, &times->started_ns) &&
           opencl_ask(info, event, CL_PROFILING_COMMAND_END, size, &times->ended_ns);
}

static void release_event(cl_object event)
{
    ((int32_t(*)(cl_object))opencl_real.clReleaseEvent)(event);
}

static enum pending_answer read_event(void *event, struct device_times *times)
{
    int32_t status = CL_COMPLETE;
    bool is_known = opencl_ask(opencl_real.clGetEventInfo, event, CL_EVENT_COMMAND_EXECUTION_STATUS,
                               sizeof status, &status);
    bool is_timed;

    if (is_known && status > CL_COMPLETE)
        return PENDING_RUNS;
    times->has_failed = status < CL_COMPLETE;
    is_timed = is_known && (times->has_failed || read_times(event, times));
    release_event(event);
    return is_timed ? PENDING_TIMED : PENDING_UNTIMED;
}

static bool has_times(uint32_t queue)
{
    return queue != 0 && !(device_queue_at(queue)->flags & TRACE_QUEUE_UNTIMED);
}

/* Put our own pointer where the program wants no event.  A refused command sets none. */
static void borrow(struct call *call, cl_object *own)
{
    word *event = &call->words[call->row->event];

    if (*event == 0)
        *event = (word)own;
}

static void retain_event(cl_object event)
{
    ((int32_t(*)(cl_object))opencl_real.clRetainEvent)(event);
}

/* The event is ours to release, or the program's, which gets one reference more. */
static void await(const struct call *call, const cl_object *own,
                  const struct device_command *command, const struct device_asked *asked)
{
    const cl_object *event = (const cl_object *)call->words[call->row->event];
    struct pending pending = {
        .event = *event,
        .read = read_event,
        .asked = *asked,
        .device = device_queue_at(command->queue)->device,
        .start_ticks = command->start,
        .end_ticks = command->end,
    };

    if (!pending.event)
        return;
    if (event != own && asked->cell)
        retain_event(pending.event);
    if (event == own && !asked->cell)
        release_event(pending.event);
    if (asked->cell && !pending_add(&pending))
        release_event(pending.event);
}

/* ---- the call ------------------------------------------------------------- */

/* Mapping gives an address, the others a status. */
static bool has_succeeded(const struct row *row, word result)
{
    if (row->what == TRACE_COMMAND_MAP && row->arguments > 8)
        return result != 0;
    return (int32_t)result == CL_SUCCESS;
}

static word run(struct call *call, const struct unwind_state *caller)
{
    const word words[WAIT_WORDS] = {(word)call};

    if (blocks(call))
        return wait_call(call->row->wait, (void *)perform_word, words, caller);
    return perform(call);
}

static word pass(const struct row *row, word *words, const struct unwind_state *caller)
{
    struct call call = {row, words, *row->real};
    struct device_command command = {.queue = opencl_queue_id((cl_object)words[0])};
    bool is_timed = has_times(command.queue) && pending_has_room();
    struct device_asked asked;
    cl_object own = NULL;
    word result;

    describe(&call, &command);
    if (is_timed)
        borrow(&call, &own);
    else
        command.flags |= TRACE_COMMAND_UNTIMED;
    command_begin(&command);
    result = run(&call, caller);
    asked = command_end(&command, caller, has_succeeded(row, result));
    if (is_timed && has_succeeded(row, result))
        await(&call, &own, &command, &asked);
    if (blocks(&call))
        opencl_settle();
    else
        pending_look();
    return result;
}

#define COMMAND(name, arguments, kind, blocking, bytes, at, image, event, wait)                    \
    static word call_##name(WORDS_TAKEN(arguments))                                                \
    {                                                                                              \
        const struct unwind_state caller = unwind_caller();                                        \
        word words[ARGUMENTS] = {WORDS_GIVEN(arguments)};                                          \
                                                                                                   \
        return pass(&rows[ROW_##name], words, &caller);                                            \
    }
#define OTHER(name, wrapper)
#include "opencl/opencl.def"
#undef COMMAND
#undef OTHER

/* ---- waits ---------------------------------------------------------------- */

/* Commands have ended by now, of this thread and of others. */
void opencl_settle(void)
{
    pending_look_all();
}

int32_t opencl_finish(cl_object queue)
{
    const struct unwind_state caller = unwind_caller();
    const word words[WAIT_WORDS] = {(word)queue};
    word result = wait_call(TRACE_WAIT_CL_FINISH, opencl_real.clFinish, words, &caller);

    opencl_settle();
    return (int32_t)result;
}

int32_t opencl_wait_for_events(uint32_t count, const cl_object *list)
{
    const struct unwind_state caller = unwind_caller();
    const word words[WAIT_WORDS] = {count, (word)list};
    word result =
        wait_call(TRACE_WAIT_CL_WAIT_FOR_EVENTS, opencl_real.clWaitForEvents, words, &caller);

    opencl_settle();
    return (int32_t)result;
}

int32_t opencl_get_event_info(cl_object event, uint32_t name, size_t size, void *value,
                              size_t *value_size)
{
    int32_t result = ((cl_info)opencl_real.clGetEventInfo)(event, name, size, value, value_size);

    if (result == CL_SUCCESS && name == CL_EVENT_REFERENCE_COUNT && value && pending_holds(event))
        --*(uint32_t *)value;
    return result;
}

static const struct library_entry entries[] = {
#define COMMAND(name, arguments, kind, blocking, bytes, at, image, event, wait)                    \
    {#name, (void *)call_##name, &opencl_real.name},
#define OTHER(name, wrapper) {#name, (void *)(wrapper), &opencl_real.name},
#include "opencl/opencl.def"
#undef COMMAND
#undef OTHER
};

const struct library opencl_library = {.title = "OpenCL",
                                       .init = device_init,
                                       .entries = entries,
                                       .count = sizeof entries / sizeof *entries};
