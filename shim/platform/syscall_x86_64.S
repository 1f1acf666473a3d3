/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * syscall(2), exported, for x86-64.  It is libc's own, except that some numbers go to the functions
 * of platform/syscall_taken.h, and a futex(2) that waits or wakes goes to wake.c.  It is a jump
 * that leaves registers and stack unchanged, because only the number determines the arguments, and
 * a call may return twice, on another stack, or never.  C code would read and write the seventh
 * argument, a word of the stack that usually belongs to the caller.  The calls that the shim
 * handles have a frame, with a copy of that word.
 *
 * `next` begins with the pointer to libc's (platform/next.def).
 */
#include <asm/unistd.h>

#include "platform/syscall_futex.h"
#include "platform/syscall_taken.h"

#if defined(__x86_64__)
	.text
	.globl	syscall
	.type	syscall, @function
	.balign	16
syscall:
	.cfi_startproc
	endbr64
	cmpq	$SYSCALL_TAKERS, %rdi
	jae	1f
	leaq	syscall_takers(%rip), %r10
	cmpq	$0, (%r10,%rdi,8)
	jne	2f
1:	jmp	*next(%rip)

2:	cmpq	$__NR_futex, %rdi
	jne	3f
	movl	$FUTEX_TAKEN, %r11d
	movl	%edx, %eax
	andl	$FUTEX_OPERATION, %eax
	btl	%eax, %r11d
	jnc	1b
	leaq	wait_take_futex(%rip), %r10
	jmp	4f
3:	movq	(%r10,%rdi,8), %r10
4:	pushq	%rbp
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
	andq	$-16, %rsp /* calls are made with an aligned stack */
	call	*%r10
	leave
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_endproc
	.size	syscall, . - syscall
#endif
	.section .note.GNU-stack, "", @progbits
