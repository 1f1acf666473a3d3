/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Entry stubs for x86-64: see entry.h.
 *
 * A stub loads its binding and calls the common body, so its own address is on the stack and shows
 * the running kernel on a call chain.  r11 is free at a call (the dynamic linker uses it, too); rax
 * counts the floating-point arguments of a variadic call, r10 is a static chain.
 *
 * The stack, from high to low, as entry_body sees it:
 *     the caller's arguments       rbp + 24
 *     return address of the caller rbp + 16
 *     return address in the stub   rbp + 8
 *     the caller's rbp             rbp
 *     struct entry_frame           rbp - ENTRY_FRAME_SIZE
 *     copies of the arguments      where a call has them
 */
#include "call/entry_layout.h"

#if defined(__x86_64__)
	.text
	.globl	entry_stubs
	.hidden	entry_stubs
	.type	entry_stubs, @function
	.globl	entry_marks
	.hidden	entry_marks
	.balign	ENTRY_STUB_SIZE
entry_stubs:
entry_marks:
	.cfi_startproc
	.set	stub, 0
	.rept	ENTRY_STUBS
	leaq	entry_bindings + ENTRY_BINDING_SIZE * stub(%rip), %r11
	call	entry_body
	ret
	.balign	ENTRY_STUB_SIZE
	.set	stub, stub + 1
	.endr
	.cfi_endproc
	.size	entry_stubs, . - entry_stubs

	.macro	keep_reals
	movups	%xmm0, ENTRY_REALS + 0(%rsp)
	movups	%xmm1, ENTRY_REALS + 16(%rsp)
	movups	%xmm2, ENTRY_REALS + 32(%rsp)
	movups	%xmm3, ENTRY_REALS + 48(%rsp)
	movups	%xmm4, ENTRY_REALS + 64(%rsp)
	movups	%xmm5, ENTRY_REALS + 80(%rsp)
	movups	%xmm6, ENTRY_REALS + 96(%rsp)
	movups	%xmm7, ENTRY_REALS + 112(%rsp)
	.endm

/* Restore the floating-point registers of the call from the frame, if they were saved. */
	.macro	restore_reals
	cmpb	$0, ENTRY_BINDING_REALS(%r11)
	je	4f
	movups	ENTRY_REALS + 0 - ENTRY_FRAME_SIZE(%rbp), %xmm0
	movups	ENTRY_REALS + 16 - ENTRY_FRAME_SIZE(%rbp), %xmm1
	movups	ENTRY_REALS + 32 - ENTRY_FRAME_SIZE(%rbp), %xmm2
	movups	ENTRY_REALS + 48 - ENTRY_FRAME_SIZE(%rbp), %xmm3
	movups	ENTRY_REALS + 64 - ENTRY_FRAME_SIZE(%rbp), %xmm4
	movups	ENTRY_REALS + 80 - ENTRY_FRAME_SIZE(%rbp), %xmm5
	movups	ENTRY_REALS + 96 - ENTRY_FRAME_SIZE(%rbp), %xmm6
	movups	ENTRY_REALS + 112 - ENTRY_FRAME_SIZE(%rbp), %xmm7
4:
	.endm

/* Restore all others; r11 is the binding and stays. */
	.macro	restore_integers
	movq	ENTRY_INTEGERS + 0 - ENTRY_FRAME_SIZE(%rbp), %rdi
	movq	ENTRY_INTEGERS + 8 - ENTRY_FRAME_SIZE(%rbp), %rsi
	movq	ENTRY_INTEGERS + 16 - ENTRY_FRAME_SIZE(%rbp), %rdx
	movq	ENTRY_INTEGERS + 24 - ENTRY_FRAME_SIZE(%rbp), %rcx
	movq	ENTRY_INTEGERS + 32 - ENTRY_FRAME_SIZE(%rbp), %r8
	movq	ENTRY_INTEGERS + 40 - ENTRY_FRAME_SIZE(%rbp), %r9
	movq	ENTRY_EXTRA + 0 - ENTRY_FRAME_SIZE(%rbp), %rax
	movq	ENTRY_EXTRA + 8 - ENTRY_FRAME_SIZE(%rbp), %r10
	.endm

/* Push the number of words in eax from the caller's arguments, or one more: the stack stays
 * aligned.  Words are pushed one by one: a load of 16 bytes that the caller has just stored as two
 * words would wait for them. */
	.macro	pass_stack
	leal	1(%rax), %ecx
	andl	$-2, %ecx
	je	3f
	testb	$2, %cl
	je	2f
	pushq	24 - 8(%rbp, %rcx, 8)
	pushq	24 - 16(%rbp, %rcx, 8)
	subl	$2, %ecx
	je	3f
2:	pushq	24 - 8(%rbp, %rcx, 8)
	pushq	24 - 16(%rbp, %rcx, 8)
	pushq	24 - 24(%rbp, %rcx, 8)
	pushq	24 - 32(%rbp, %rcx, 8)
	subl	$4, %ecx
	jne	2b
3:
	.endm

	.type	entry_body, @function
	.balign	16
entry_body:
	.cfi_startproc
	.cfi_personality 0x1b, entry_personality
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	subq	$ENTRY_FRAME_SIZE, %rsp
	movq	%rdi, ENTRY_INTEGERS + 0(%rsp)
	movq	%rsi, ENTRY_INTEGERS + 8(%rsp)
	movq	%rdx, ENTRY_INTEGERS + 16(%rsp)
	movq	%rcx, ENTRY_INTEGERS + 24(%rsp)
	movq	%r8, ENTRY_INTEGERS + 32(%rsp)
	movq	%r9, ENTRY_INTEGERS + 40(%rsp)
	movq	%rax, ENTRY_EXTRA + 0(%rsp)
	movq	%r10, ENTRY_EXTRA + 8(%rsp)
	movq	%r11, ENTRY_BINDING(%rsp)
	cmpb	$ENTRY_KEEPS_REALS, ENTRY_BINDING_REALS(%r11)
	jb	1f
	ja	6f
7:	keep_reals
1:	movq	%rsp, %rdi
	leaq	24(%rbp), %rsi
	movq	16(%rbp), %rdx
	call	entry_enter
	testl	%eax, %eax
	js	5f
	movq	ENTRY_BINDING(%rsp), %r11
	pass_stack
	restore_reals
8:	restore_integers
	call	*ENTRY_BINDING_TARGET(%r11)
	.globl	entry_called
	.hidden	entry_called
entry_called:

 /* All kinds of results are in these registers, or on the x87 stack, which nothing here uses. */
	movq	%rax, ENTRY_EXTRA + 0 - ENTRY_FRAME_SIZE(%rbp)
	movq	%rdx, ENTRY_EXTRA + 8 - ENTRY_FRAME_SIZE(%rbp)
	movups	%xmm0, ENTRY_REALS + 0 - ENTRY_FRAME_SIZE(%rbp)
	movups	%xmm1, ENTRY_REALS + 16 - ENTRY_FRAME_SIZE(%rbp)
	leaq	-ENTRY_FRAME_SIZE(%rbp), %rdi
	call	entry_leave
	movq	ENTRY_EXTRA + 0 - ENTRY_FRAME_SIZE(%rbp), %rax
	movq	ENTRY_EXTRA + 8 - ENTRY_FRAME_SIZE(%rbp), %rdx
	movups	ENTRY_REALS + 0 - ENTRY_FRAME_SIZE(%rbp), %xmm0
	movups	ENTRY_REALS + 16 - ENTRY_FRAME_SIZE(%rbp), %xmm1
	.cfi_remember_state
	leave
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_restore_state

 /* Not recorded: the function replaces this frame, so that recursion costs no stack. */
5:	movq	ENTRY_BINDING(%rsp), %r11
	restore_reals
	restore_integers
	movq	ENTRY_BINDING_TARGET(%r11), %r11
	leave
	.cfi_def_cfa %rsp, 8
	addq	$8, %rsp
	.cfi_def_cfa_offset 0
	jmp	*%r11

	/* A plain shape: the floating registers are unchanged, whether the call is
	 * entered or goes on above. */
	.cfi_def_cfa %rbp, 16
6:	movq	%rsp, %rdi
	leaq	24(%rbp), %rsi
	movq	16(%rbp), %rdx
	call	entry_enter_plainly
	movq	ENTRY_BINDING(%rsp), %r11
	testl	%eax, %eax
	js	7b
	pass_stack
	jmp	8b
	.cfi_endproc
	.size	entry_body, . - entry_body
#endif
	.section .note.GNU-stack, "", @progbits
