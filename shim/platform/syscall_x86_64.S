/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * syscall(2), exported, for x86-64: libc's own, except that seccomp(2) and prctl(2) go to
 * sandbox.c.  It is a jump that leaves registers and stack as they are: only the number tells
 * how many arguments there are, and a call may return twice, on another stack, or never.  C
 * code would read and write the seventh argument, a word of the stack that mostly belongs to
 * the caller.
 *
 * `next` begins with the pointer to libc's (platform/next.def).
 */
#include <asm/unistd.h>

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
	jmp	*next(%rip)
	.cfi_endproc
	.size	syscall, . - syscall
#endif
	.section .note.GNU-stack, "", @progbits
