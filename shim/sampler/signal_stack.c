/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The shim's signal stacks, which replace missing and small ones.
 *
 * Since Linux 5.14, the kernel ends a program whose signal stack has no room for the frame; the
 * frame's size depends on the machine.
 */
#include "sampler/signal_stack.h"

#include <stddef.h>
#include <sys/auxv.h>

#include "platform/calls.h"
#include "platform/next.h"

#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51 /* <linux/auxvec.h>; older C libraries lack it */
#endif

enum { HANDLER_SIZE = 1024, FRAME_MIN = 5120 /* if the kernel does not say it */ };

static size_t least_size(void)
{
    size_t frame = getauxval(AT_MINSIGSTKSZ);

    return (frame != 0 ? frame : FRAME_MIN) + HANDLER_SIZE;
}

static bool is_none(const stack_t *stack)
{
    return (stack->ss_flags & SS_DISABLE) != 0;
}

static stack_t ours(const struct sampled_thread *self)
{
    return (stack_t){.ss_sp = self->stack, .ss_size = SAMPLED_STACK_SIZE};
}

static bool is_ours(const struct sampled_thread *self, const stack_t *stack)
{
    return !is_none(stack) && stack->ss_sp == self->stack;
}

/* A new thread has no signal stack, so one call is enough. */
bool signal_stack_begin(struct sampled_thread *self)
{
    const stack_t stack = ours(self);
    stack_t old;

    if (calls_system(SYS_sigaltstack, NULL, &old) != 0)
        return false;
    self->has_our_stack = is_ours(self, &old);
    if (is_none(&old))
        self->has_our_stack = calls_system(SYS_sigaltstack, &stack, NULL) == 0;
    return self->has_our_stack || (!is_none(&old) && old.ss_size >= least_size());
}

void signal_stack_end(struct sampled_thread *self)
{
    stack_t now, then = {.ss_flags = SS_DISABLE};

    if (self->small_stack)
        then = (stack_t){.ss_sp = self->small_stack, .ss_size = self->small_size};
    if (calls_system(SYS_sigaltstack, NULL, &now) == 0 && is_ours(self, &now))
        calls_system(SYS_sigaltstack, &then, NULL);
    self->has_our_stack = false;
    self->small_stack = NULL;
}

/* The thread has disabled its stack: we set ours again. */
static int return_to_ours(struct sampled_thread *self, stack_t *old)
{
    const stack_t stack = ours(self);
    int result = next.sigaltstack(&stack, old);

    self->has_our_stack = self->has_our_stack || result == 0;
    return result;
}

/* Our stack can replace a plain one: a handler there has more room than requested. */
static bool can_be_replaced(const stack_t *stack)
{
    return (stack->ss_flags & ~SS_ONSTACK) == 0 && stack->ss_size < least_size();
}

/* The kernel gets the program's stack first, and may refuse it.  No signal may use that stack. */
static int put_ours_instead(struct sampled_thread *self, const stack_t *stack, stack_t *old)
{
    const stack_t own = ours(self);
    uint64_t signals = calls_block_signals(UINT64_MAX);
    int result = next.sigaltstack(stack, old);

    if (result == 0)
        self->has_our_stack = calls_system(SYS_sigaltstack, &own, NULL) == 0;
    calls_block_signals(signals);
    return result;
}

/* The program must see its own stack if the shim's replaces it, and otherwise none. */
static void hide_ours(const struct sampled_thread *self, stack_t *stack)
{
    if (!is_ours(self, stack))
        return;
    if (self->small_stack)
        *stack = (stack_t){.ss_sp = self->small_stack,
                           .ss_flags = stack->ss_flags & SS_ONSTACK,
                           .ss_size = self->small_size};
    else
        *stack = (stack_t){.ss_flags = SS_DISABLE};
}

/* The program has set a stack.  Returns: whether it has no room for a signal of ours. */
static bool note_set(struct sampled_thread *self, const stack_t *stack)
{
    self->small_stack = NULL;
    if (is_none(stack))
        return false;
    if (can_be_replaced(stack) && self->has_our_stack) {
        self->small_stack = stack->ss_sp;
        self->small_size = (uint32_t)stack->ss_size;
        return false;
    }
    self->has_our_stack = false;
    return stack->ss_size < least_size();
}

int signal_stack_exchange(const stack_t *stack, stack_t *old, bool *is_small)
{
    struct sampled_thread *self = sampled_self;
    stack_t before;
    int result;

    *is_small = false;
    if (!self)
        return next.sigaltstack(stack, old);
    if (stack && is_none(stack))
        result = return_to_ours(self, &before);
    else if (stack && can_be_replaced(stack))
        result = put_ours_instead(self, stack, &before);
    else
        result = next.sigaltstack(stack, &before);
    if (result != 0)
        return result;
    hide_ours(self, &before);
    if (stack)
        *is_small = note_set(self, stack);
    if (old)
        *old = before;
    return 0;
}
