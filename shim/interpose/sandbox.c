/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ways into a sandbox, exported: prctl, and syscall (syscalls.c), which libseccomp uses.  A
 * filter of seccomp(2) may end the program at a system call that its author did not expect, such as
 * one of the shim's.  So the trace is completed before the program enters the sandbox, and nothing
 * is recorded from there on.
 *
 * By prctl a program can also forbid itself the processor's counter.  In this case recording first
 * switches to another clock and goes on.
 *
 * Decisions: doc/decisions/sandboxes, forbidden-counter.
 */
#include "interpose/sandbox.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "platform/next.h"
#include "record/lanes.h"
#include "record/process.h"
#include "record/process_end.h"
#include "sampler/cpu_timers.h"
#include "sampler/stack_handlers.h"

enum { WORDS = 4 };

_Static_assert(offsetof(struct next, syscall) == 0, "syscall_*.S");

/* Returns: whether there were books to close. */
static bool close_books(bool is_for_all)
{
    int saved_errno = errno;
    bool is_closed = process_enter_sandbox(is_for_all);

    if (is_closed) {
        cpu_timers_stop();
        stack_handlers_give_back();
    }
    errno = saved_errno;
    return is_closed;
}

static void open_books(void)
{
    int saved_errno = errno;

    process_leave_sandbox();
    stack_handlers_take_again(sigaction);
    cpu_timers_go_on();
    errno = saved_errno;
}

static void settle(bool is_closed, bool is_refused)
{
    if (is_closed && is_refused)
        open_books();
    else if (is_closed)
        process_stay_in_sandbox();
}

/* Steps taken before a call of prctl, and undone if the kernel refuses the call. */
struct preparation {
    bool is_closed;       /* the books are closed */
    bool forbids_counter; /* another clock was chosen */
};

/* <linux/prctl.h> of Linux 5.11.  The call passes system calls of most code to a handler of the
 * program, which emulators of other systems need. */
enum { SET_SYSCALL_USER_DISPATCH = 59, DISPATCH_OFF = 0 };

/* A call without a filter only asks whether the kernel knows filters. */
static bool prctl_enters(int option, unsigned long mode, unsigned long filter)
{
    return (option == PR_SET_SECCOMP && (mode != SECCOMP_MODE_FILTER || filter != 0)) ||
           (option == SET_SYSCALL_USER_DISPATCH && mode != DISPATCH_OFF);
}

static bool prctl_forbids_counter(int option, unsigned long mode)
{
    return option == PR_SET_TSC && (int)mode == PR_TSC_SIGSEGV;
}

static struct preparation prepare_prctl(int option, unsigned long mode, unsigned long filter)
{
    return (struct preparation){
        .is_closed = prctl_enters(option, mode, filter) && close_books(false),
        .forbids_counter = prctl_forbids_counter(option, mode) && lanes_forbid_counter(),
    };
}

static void settle_prctl(struct preparation preparation, bool is_refused)
{
    settle(preparation.is_closed, is_refused);
    if (preparation.forbids_counter && is_refused)
        lanes_allow_counter();
}

EXPORT int prctl(int option, ...)
{
    unsigned long words[WORDS];
    struct preparation preparation;
    va_list rest;
    int result;

    va_start(rest, option);
    for (int i = 0; i < WORDS; i++)
        words[i] = va_arg(rest, unsigned long);
    va_end(rest);
    preparation = prepare_prctl(option, words[0], words[1]);
    result = next.prctl(option, words[0], words[1], words[2], words[3]);
    settle_prctl(preparation, result != 0);
    return result;
}

long sandbox_take_prctl(long number, int option, unsigned long first, unsigned long second,
                        unsigned long third, unsigned long fourth)
{
    struct preparation preparation = prepare_prctl(option, first, second);
    long result =
        next.syscall(number, option, (long)first, (long)second, (long)third, (long)fourth, 0);

    settle_prctl(preparation, result != 0);
    return result;
}

/* libseccomp first asks for the kernel's features, with operations that enter nothing and with
 * filters without an address. */
static bool seccomp_enters(unsigned operation, unsigned flags, const void *filter)
{
    if (operation == SECCOMP_SET_MODE_STRICT)
        return flags == 0 && !filter;
    return operation == SECCOMP_SET_MODE_FILTER && filter;
}

/* The result is a descriptor or 0 if the sandbox was entered.  If it was refused, the result is the
 * number of a thread that could not enter (SECCOMP_FILTER_FLAG_TSYNC); that flag excludes a
 * descriptor.  Source: seccomp(2). */
static bool seccomp_is_refused(long result, unsigned flags)
{
    return result < 0 || (result > 0 && !(flags & SECCOMP_FILTER_FLAG_NEW_LISTENER));
}

long sandbox_take_seccomp(long number, unsigned operation, unsigned flags, void *filter)
{
    bool is_closed;
    long result;

    if (!seccomp_enters(operation, flags, filter))
        return next.syscall(number, operation, flags, (long)filter, 0, 0, 0);
    is_closed = close_books((flags & SECCOMP_FILTER_FLAG_TSYNC) != 0);
    result = next.syscall(number, operation, flags, (long)filter, 0, 0, 0);
    settle(is_closed, seccomp_is_refused(result, flags));
    return result;
}
