/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * syscall(2), exported, for x86-64: libc's own, except that seccomp(2) and prctl(2) go to
 * sandbox.c, and a futex(2) that waits or wakes to wake.c.  It is a jump that leaves registers and
 * stack as they are: only the number tells how many arguments there are, and a call may return
 * twice, on another stack, or never.  C code would read and write the seventh argument, a word of
 * the stack that mostly belongs to the caller.  A futex(2) has a frame, with a copy of that word.
 *
 * `next` begins with the pointer to libc's (platform/next.def).
 */
#include <asm/unistd.h>

#include "platform/syscall_futex.h"

#if defined(__x86_64__)
	.text
	.globl	syscall
	.type	syscall, @function
	.balign	16
syscall:
	.cfi_startproc
	endbr64
	cmpq	$__NR_seccomp, %rdi
	je	sandbox_take_seccomp
	cmpq	$__NR_prctl, %rdi
	je	sandbox_take_prctl
	cmpq	$__NR_futex, %rdi
	je	2f
1:	jmp	*next(%rip)

2:	movl	$FUTEX_TAKEN, %r10d
	movl	%edx, %eax
	andl	$FUTEX_OPERATION, %eax
	btl	%eax, %r10d
	jnc	1b
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	pushq	16(%rbp)
	pushq	%r9
	pushq	%r8
	pushq	%rcx
	pushq	%rdx
	pushq	%rsi
	pushq	%rdi
	movq	%rsp, %rdi
	movq	%rbp, %rsi
	subq	$8, %rsp /* calls are made with an aligned stack */
	call	wait_take_futex
	leave
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_endproc
	.size	syscall, . - syscall
#endif
	.section .note.GNU-stack, "", @progbits
