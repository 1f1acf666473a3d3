/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Our signal stacks in place of none.
 *
 * The kernel ends a program whose signal stack has no room for the frame (since Linux 5.14), and
 * that depends on the machine.
 */
#include "sampler/signal_stack.h"

#include <stddef.h>
#include <sys/auxv.h>

#include "platform/calls.h"
#include "platform/next.h"

#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51 /* <linux/auxvec.h>; older C libraries lack it */
#endif

enum { HANDLER_SIZE = 1024, FRAME_MIN = 5120 /* where the kernel does not tell it */ };

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

/* A new thread has none, so that one call is enough. */
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
    const stack_t none = {.ss_flags = SS_DISABLE};
    stack_t now;

    if (calls_system(SYS_sigaltstack, NULL, &now) == 0 && is_ours(self, &now))
        calls_system(SYS_sigaltstack, &none, NULL);
    self->has_our_stack = false;
}

/* The thread has disabled its stack: ours goes back in. */
static int return_to_ours(struct sampled_thread *self, stack_t *old)
{
    const stack_t stack = ours(self);
    int result = next.sigaltstack(&stack, old);

    self->has_our_stack = self->has_our_stack || result == 0;
    return result;
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
    else
        result = next.sigaltstack(stack, &before);
    if (result != 0)
        return result;
    if (stack && !is_none(stack)) {
        self->has_our_stack = false;
        *is_small = stack->ss_size < least_size();
    }
    if (is_ours(self, &before))
        before = (stack_t){.ss_flags = SS_DISABLE};
    if (old)
        *old = before;
    return 0;
}
