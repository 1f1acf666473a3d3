/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The body of an entry stub: it reads the shape by the kernel's plan, starts the probe, and ends
 * it.
 *
 * Runs on any thread that calls a kernel.  Errors in the program's arguments (a null pointer, an
 * index below 0) give CATALOG_NO_VALUE.  Only memory that the function itself reads is read.  The
 * exceptions are arrays of a plan: those of a user's plan, and the memory that their elements point
 * to, are read only if the kernel says that they are mapped.
 *
 * Budget: that of probe.h, and one switch for each step of the plan.
 *
 * Decisions: doc/decisions/two-ways-to-wrap, where-the-clock-is-read.
 */
#include "call/entry.h"

#include <unwind.h>

#include "call/adapter_call.h"
#include "call/shape.h"
#include "platform/next.h"
#include "platform/own_stack.h"
#include "platform/readable.h"
#include "platform/unwinder.h"
#include "python/sites.h"
#include "record/process.h"

enum { PAGE = 4096 };

/* A call whose shape is being read. */
struct reading {
    const struct entry_frame *frame;
    uintptr_t page; /* a readable page: the frame's own, then the last checked one */
};

struct binding entry_bindings[ENTRY_STUBS];

_Static_assert(sizeof(struct binding) == ENTRY_BINDING_SIZE, "entry_layout.h");
_Static_assert(offsetof(struct binding, target) == ENTRY_BINDING_TARGET, "entry_layout.h");
_Static_assert(offsetof(struct binding, reals) == ENTRY_BINDING_REALS, "entry_layout.h");
_Static_assert(BINDING_KEEPS_REALS == ENTRY_KEEPS_REALS, "entry_layout.h");
_Static_assert(offsetof(struct entry_frame, integers) == ENTRY_INTEGERS, "entry_layout.h");
_Static_assert(offsetof(struct entry_frame, extra) == ENTRY_EXTRA, "entry_layout.h");
_Static_assert(offsetof(struct entry_frame, reals) == ENTRY_REALS, "entry_layout.h");
_Static_assert(offsetof(struct entry_frame, binding) == ENTRY_BINDING, "entry_layout.h");
_Static_assert(sizeof(struct entry_frame) <= ENTRY_FRAME_SIZE, "entry_layout.h");
#if defined(__x86_64__)
_Static_assert((ENTRY_FRAME_SIZE + ENTRY_ARGUMENTS) % PLAN_STACK_ALIGN == 0, "entry_layout.h");
#endif

/* Widths that few prototypes have. */
static COLD int64_t read_other(unsigned access, const void *at)
{
    switch (access) {
    case CATALOG_UINT32: return *(const uint32_t *)at;
    case CATALOG_INT16: return *(const int16_t *)at;
    case CATALOG_UINT16: return *(const uint16_t *)at;
    case CATALOG_INT8: return *(const int8_t *)at;
    case CATALOG_UINT8: return *(const uint8_t *)at;
    default: return CATALOG_NO_VALUE;
    }
}

static ALWAYS_INLINE int64_t read_integer(unsigned access, const void *at)
{
    if (LIKELY(access == CATALOG_INT32))
        return *(const int32_t *)at;
    if (access == CATALOG_INT64)
        return *(const int64_t *)at;
    if (access == CATALOG_LETTER)
        return shape_letter(*(const char *)at);
    if (access != CATALOG_CBLAS)
        return read_other(access, at);
    return shape_cblas_letter(*(const int32_t *)at);
}

/* The low half of a word comes first: both machines are little-endian. */
static ALWAYS_INLINE int64_t read_argument(const struct entry_frame *frame,
                                           const struct plan_step *step)
{
    word value = entry_integer(frame, step->place);

    if (!step->is_pointer)
        return read_integer(step->access, &value);
    return value ? read_integer(step->access, (const void *)value) : CATALOG_NO_VALUE;
}

static int64_t size_of(unsigned access)
{
    if (access == CATALOG_INT64)
        return 8;
    if (access >= CATALOG_INT32)
        return 4;
    return access >= CATALOG_INT16 ? 2 : 1;
}

/* Ask whether an address is on the thread's own stack, in the frames around this call. */
static bool is_on_stack(const struct reading *reading, uintptr_t at, size_t size)
{
    uintptr_t frame = (uintptr_t)reading->frame;

    return own_stack_holds(frame) && at >= frame && at < own_stack.high &&
           size <= own_stack.high - at;
}

/* A user's file may describe another version of a structure, or an array that some calls lack, so
 * its addresses may lead anywhere.  Asking the kernel takes 60 ns, once for the elements of a page,
 * and is not done in a sandbox.  If another thread unmaps the page between the question and the
 * read, the program ends.  A copy by the kernel (process_vm_readv) would avoid that, but takes 15
 * times as long. */
static __attribute__((noinline)) bool ask(struct reading *reading, uintptr_t at, size_t size)
{
    if (!is_on_stack(reading, at, size) && (process_is_sandboxed() || !readable(at, size)))
        return false;
    reading->page = (at + size - 1) & ~(uintptr_t)(PAGE - 1);
    return true;
}

static ALWAYS_INLINE bool may_read(struct reading *reading, uintptr_t at, size_t size)
{
    return (at >= reading->page && at - reading->page <= PAGE - size) || ask(reading, at, size);
}

/* `is_checked`: the address may be a wrong one. */
static ALWAYS_INLINE int64_t read_element(struct reading *reading, const struct plan_step *step,
                                          word array, int64_t index, bool is_checked)
{
    int64_t size = size_of(step->access);
    uintptr_t at = (uintptr_t)array + (uintptr_t)index * (uintptr_t)size;

    if (!array || array == (word)CATALOG_NO_VALUE || index < 0)
        return CATALOG_NO_VALUE;
    if (is_checked && !may_read(reading, at, (size_t)size))
        return CATALOG_NO_VALUE;
    return read_integer(step->access, (const void *)at);
}

static bool read_flag(const struct entry_frame *frame, const struct plan_step *step)
{
    enum catalog_access access = (enum catalog_access)step->access;
    word value[2] = {0};

    if (!step->is_pointer && access >= CATALOG_FLOAT)
        return shape_is_nonzero(access, &frame->reals[step->place]);
    value[0] = entry_integer(frame, step->place);
    if (!step->is_pointer)
        return shape_is_nonzero(access, value);
    return value[0] && shape_is_nonzero(access, (const void *)value[0]);
}

/* Sums wrap on overflow, as the machine's do.  The least number by -1 would trap, but that number
 * is CATALOG_NO_VALUE. */
static int64_t apply(enum plan_operation operation, int64_t a, int64_t b)
{
    if (UNLIKELY(a == CATALOG_NO_VALUE || b == CATALOG_NO_VALUE))
        return CATALOG_NO_VALUE;
    switch (operation) {
    case PLAN_ADD: return (int64_t)((uint64_t)a + (uint64_t)b);
    case PLAN_SUBTRACT: return (int64_t)((uint64_t)a - (uint64_t)b);
    case PLAN_MULTIPLY: return (int64_t)((uint64_t)a * (uint64_t)b);
    case PLAN_DIVIDE: return b != 0 ? a / b : CATALOG_NO_VALUE;
    case PLAN_EQUAL: return a == b;
    case PLAN_UNEQUAL: return a != b;
    case PLAN_LESS: return a < b;
    case PLAN_GREATER: return a > b;
    case PLAN_AT_MOST: return a <= b;
    case PLAN_AT_LEAST: return a >= b;
    case PLAN_MINIMUM: return a < b ? a : b;
    case PLAN_MAXIMUM: return a > b ? a : b;
    case PLAN_TAKE:
    case PLAN_ARGUMENT:
    case PLAN_FLAG:
    case PLAN_ELEMENT:
    case PLAN_BEHIND:
    case PLAN_NUMBER:
    case PLAN_NEGATE:
    case PLAN_SELECT:
    case PLAN_PUT:
    case PLAN_PUT_FLAG: break;
    }
    return CATALOG_NO_VALUE;
}

static int64_t choose(int64_t condition, int64_t yes, int64_t no)
{
    if (condition == CATALOG_NO_VALUE)
        return condition;
    return condition != 0 ? yes : no;
}

static int64_t flag_word(int64_t flag, int32_t bit)
{
    return flag == CATALOG_NO_VALUE ? (int64_t)1 << (CATALOG_FLAGS_WITHOUT_VALUE + bit)
                                    : flag << bit;
}

static void read_shape(const struct entry_frame *frame, const struct plan *plan, int64_t *shape)
{
    struct reading reading = {frame, (uintptr_t)frame & ~(uintptr_t)(PAGE - 1)};
    int64_t stack[PLAN_DEPTH_MAX + 1];
    int64_t *top = stack; /* the last value pushed; plan_make has bounded their number */
    int64_t *words = shape;

    for (const struct plan_step *step = plan->steps; step < plan->steps + plan->step_count;
         step++) {
        if (LIKELY(step->operation == PLAN_TAKE)) {
            *words++ = read_argument(frame, step);
            continue;
        }
        switch ((enum plan_operation)step->operation) {
        case PLAN_TAKE: break;
        case PLAN_ARGUMENT: *++top = read_argument(frame, step); break;
        case PLAN_FLAG: *++top = read_flag(frame, step); break;
        case PLAN_NUMBER: *++top = step->number; break;
        case PLAN_ELEMENT:
            *top = read_element(&reading, step, entry_integer(frame, step->place), *top,
                                plan->is_users);
            break;
        case PLAN_BEHIND:
            top--;
            *top = read_element(&reading, step, (word)top[0], top[1], true);
            break;
        case PLAN_NEGATE: *top = (int64_t)(0 - (uint64_t)*top); break;
        case PLAN_PUT: *words++ = *top--; break;
        case PLAN_PUT_FLAG: shape[plan->words - 1] |= flag_word(*top--, step->number); break;
        case PLAN_SELECT:
            top -= 2;
            *top = choose(top[0], top[1], top[2]);
            break;
        case PLAN_ADD:
        case PLAN_SUBTRACT:
        case PLAN_MULTIPLY:
        case PLAN_DIVIDE:
        case PLAN_EQUAL:
        case PLAN_UNEQUAL:
        case PLAN_LESS:
        case PLAN_GREATER:
        case PLAN_AT_MOST:
        case PLAN_AT_LEAST:
        case PLAN_MINIMUM:
        case PLAN_MAXIMUM:
            top--;
            *top = apply((enum plan_operation)step->operation, top[0], top[1]);
            break;
        }
    }
}

__attribute__((visibility("hidden"))) void entry_leave(struct entry_frame *frame);
extern const char entry_called[] HIDDEN; /* return address of the function */
__attribute__((visibility("hidden"))) _Unwind_Reason_Code entry_personality(
    int version, _Unwind_Action actions, _Unwind_Exception_Class class,
    struct _Unwind_Exception *exception, struct _Unwind_Context *context);

static ALWAYS_INLINE void begin(struct probe *probe, const struct probe_call *call)
{
    if (UNLIKELY(call->binding->is_sampled))
        probe_enter_sampled(probe, call);
    else if (UNLIKELY(!probe_enter_usually(probe, call)) && !probe_count_short(probe, call))
        probe_enter_otherwise(probe, call);
}

/* A call that executes an object has the object's shape, which also says whether the call owns its
 * FLOPs. */
static void begin_adapted(struct entry_frame *frame, struct probe_call *call, int64_t *shape)
{
    const struct adapter_call *adapter = call->binding->symbol->adapter;
    const struct object_shape *of = &object_unknown;

    if (adapter->before)
        adapter->before(frame);
    if (adapter->is_no_kernel) {
        probe_hold_nothing(&frame->probe);
        return;
    }
    if (adapter->object >= 0) {
        of = adapter_find_shape(adapter, call->binding, frame->integers);
        call->dims = TRACE_DIMS_WIDE;
        shape[0] = of->id;
    }
    begin(&frame->probe, call);
    if (of->owns && frame->probe.lane)
        frame->probe.lane->frames[frame->probe.depth].owns = true;
}

static bool has_sequel(const struct binding *binding)
{
    return UNLIKELY(binding->symbol->adapter != NULL) && binding->symbol->adapter->after;
}

/* The end of the arguments is unknown, but a stack has an end: for the thread's own stack the known
 * end, for another stack the end of the page, unless the next page can be read.  Behind the end of
 * the own stack are words of the kernel or libc, so the count may be rounded up to keep the
 * alignment. */
static unsigned count_readable(const word *stack, unsigned most)
{
    uintptr_t at = (uintptr_t)stack;
    uintptr_t end = (at | (PAGE - 1)) + 1;

    if (LIKELY(own_stack_holds(at)) || own_stack_reaches(at))
        end = at +
              ((own_stack.high - at + PLAN_STACK_ALIGN - 1) & ~(uintptr_t)(PLAN_STACK_ALIGN - 1));
    else if (end - at < most * sizeof *stack && readable_at_once(end, 1))
        return most;
    return end - at < most * sizeof *stack ? (unsigned)((end - at) / sizeof *stack) : most;
}

static ALWAYS_INLINE int count_passed(const struct binding *binding, const word *stack)
{
    if (LIKELY(!binding->guesses_stack))
        return binding->stack_words;
    return (int)count_readable(stack, binding->stack_words);
}

/* Clears the padding words of a short shape, and the word that flags are added to.  The plan writes
 * all others: clearing all would use a string instruction, which is slow to start. */
static ALWAYS_INLINE void clear_shape(int64_t *shape, unsigned words)
{
    for (unsigned i = 0; i < TALLY_FEW; i++)
        shape[i] = 0;
    if (words > TALLY_FEW)
        shape[words - 1] = 0;
}

int entry_enter(struct entry_frame *frame, const word *stack, uintptr_t site)
{
    const struct binding *binding = frame->binding;
    const struct plan *plan = binding->symbol->plan;
    int64_t shape[TALLY_WORDS(TRACE_SHAPE_MAX)];
    struct probe_call call = {binding, binding->id, sites_of(site), plan->words, shape};

    clear_shape(shape, plan->words);
    frame->stack = stack;
    read_shape(frame, plan, shape);
    if (UNLIKELY(binding->symbol->adapter != NULL))
        begin_adapted(frame, &call, shape);
    else
        begin(&frame->probe, &call);
    if (UNLIKELY(!frame->probe.lane && !has_sequel(binding)))
        return ENTRY_NOT_RECORDED;
    return count_passed(binding, stack);
}

/* The adapter runs after the end, so that the call's time does not contain it. */
void entry_leave(struct entry_frame *frame)
{
    probe_leave(&frame->probe);
    if (has_sequel(frame->binding))
        frame->binding->symbol->adapter->after(frame, frame->extra[0]);
}

static void leave_unwound(struct entry_frame *frame)
{
    const struct adapter_call *adapter = frame->binding->symbol->adapter;

    probe_leave(&frame->probe);
    if (adapter && adapter->unwound)
        adapter->unwound(frame);
}

/* An exception or a thread's end passes through entry_body, which catches nothing; the call ends
 * when its frame is cleaned up.  An asynchronously cancelled thread may be at an instruction where
 * the call has not started yet, or has ended. */
_Unwind_Reason_Code entry_personality(int version, _Unwind_Action actions,
                                      _Unwind_Exception_Class class,
                                      struct _Unwind_Exception *exception,
                                      struct _Unwind_Context *context)
{
#if defined(__x86_64__)
    const int frame_register = 6;
#else
    const int frame_register = 29;
#endif
    word frame;

    (void)version;
    (void)class;
    (void)exception;
    if (!(actions & _UA_CLEANUP_PHASE) || !unwinder_find() ||
        next._Unwind_GetIP(context) != (uintptr_t)entry_called)
        return _URC_CONTINUE_UNWIND;
    frame = next._Unwind_GetGR(context, frame_register);
    leave_unwound((struct entry_frame *)(frame - ENTRY_FRAME_SIZE));
    return _URC_CONTINUE_UNWIND;
}
