/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The attributes and builtins that the shim uses, each named once.
 */
#ifndef PLATFORM_ATTRIBUTES_H
#define PLATFORM_ATTRIBUTES_H

#define EXPORT __attribute__((visibility("default")))
/* For a variable that other object files of the shim read: its address needs no load. */
#define HIDDEN __attribute__((visibility("hidden")))
#define ALWAYS_INLINE inline __attribute__((always_inline))
#define COLD __attribute__((cold, noinline))
/* COLD, and on any stack.  The program may call the shim on a misaligned stack.  libc's malloc
 * works there, and so does the shim's, but snprintf does not.  Such a function does not know where
 * its caller's frame ends, so it cannot use unwind_caller.  AArch64 keeps every stack aligned.
 * Decision: doc/decisions/misaligned-stacks. */
#if defined(__x86_64__)
#define REALIGNED COLD __attribute__((force_align_arg_pointer))
#else
#define REALIGNED COLD
#endif
/* The code of every allocation is contiguous: a large program leaves the shim little of the
 * instruction cache and its TLB. */
#define HOT __attribute__((hot))
#define INITIAL_EXEC __attribute__((tls_model("initial-exec")))
#define CLEANUP(function) __attribute__((cleanup(function)))
#define CACHE_ALIGNED __attribute__((aligned(64)))
#define MAY_ALIAS __attribute__((may_alias))

#define LIKELY(condition) __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define CALLER() __builtin_return_address(0)
#define STACK_POINTER() ((uintptr_t)__builtin_frame_address(0))

#endif
