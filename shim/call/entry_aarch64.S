/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Entry stubs for AArch64: see entry.h.
 *
 * A stub loads its binding and the address of its mark into x16 and x17 (which are free at a call)
 * and goes to the common body.  The body makes a frame that seems to belong to the mark, and below
 * it its own frame, so that the mark on a call chain shows the running kernel.  Nothing ever runs
 * at a mark: one rule holds for all stubs, another for all marks, and both at every instruction.
 * The mark's frame is needed for a throw: libgcc identifies frames by their start, and confuses a
 * frame without a size with the caller's.  If the caller catches, libgcc then ends the program.
 * Frame pointers lead through both frames.
 *
 * The stack, from high to low, as entry_body sees it:
 *     the caller's arguments       x29 + 32
 *     return address of the caller x29 + 24
 *     the caller's x29             x29 + 16
 *     address in the mark          x29 + 8
 *     x29 + 16                     x29
 *     struct entry_frame           x29 - ENTRY_FRAME_SIZE
 *     copies of the arguments      where a call has them
 */
#include "call/entry_layout.h"

#if defined(__aarch64__)
	.text
	.globl	entry_stubs
	.hidden	entry_stubs
	.type	entry_stubs, %function
	.balign	ENTRY_STUB_SIZE
entry_stubs:
	.cfi_startproc
	.set	stub, 0
	.rept	ENTRY_STUBS
	adrp	x16, entry_bindings + ENTRY_BINDING_SIZE * stub
	add	x16, x16, :lo12:entry_bindings + ENTRY_BINDING_SIZE * stub
	adr	x17, entry_marks + ENTRY_MARK_SIZE * stub + ENTRY_MARK_SIZE / 2
	b	entry_body
	.set	stub, stub + 1
	.endr
	.cfi_endproc
	.size	entry_stubs, . - entry_stubs

	.globl	entry_marks
	.hidden	entry_marks
	.type	entry_marks, %function
entry_marks:
	.cfi_startproc
	.cfi_def_cfa sp, 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	.rept	ENTRY_STUBS * (ENTRY_MARK_SIZE / 4)
	.inst	0
	.endr
	.cfi_endproc
	.size	entry_marks, . - entry_marks

/* Restore the floating-point registers of the call from the frame, if they were saved; x16 is the
 * binding and stays. */
	.macro	restore_reals
	sub	x15, x29, #ENTRY_FRAME_SIZE
	ldrb	w9, [x16, #ENTRY_BINDING_REALS]
	cbz	w9, 4f
	ldp	q0, q1, [x15, #ENTRY_REALS + 0]
	ldp	q2, q3, [x15, #ENTRY_REALS + 32]
	ldp	q4, q5, [x15, #ENTRY_REALS + 64]
	ldp	q6, q7, [x15, #ENTRY_REALS + 96]
4:
	.endm

/* Restore all others; x16 stays, too. */
	.macro	restore_integers
	sub	x15, x29, #ENTRY_FRAME_SIZE
	ldp	x0, x1, [x15, #ENTRY_INTEGERS + 0]
	ldp	x2, x3, [x15, #ENTRY_INTEGERS + 16]
	ldp	x4, x5, [x15, #ENTRY_INTEGERS + 32]
	ldp	x6, x7, [x15, #ENTRY_INTEGERS + 48]
	ldp	x8, x18, [x15, #ENTRY_EXTRA]
	.endm

/* Copy the number of words in w0 from the caller's arguments, or one more: the stack stays
 * aligned. */
	.macro	pass_stack
	cbz	w0, 3f
	add	w9, w0, #1
	and	x9, x9, #0xfffffffe
	sub	sp, sp, x9, uxtx #3
	add	x10, x29, #32
	mov	x11, sp
2:	ldp	x12, x13, [x10], #16
	stp	x12, x13, [x11], #16
	subs	w9, w9, #2
	b.ne	2b
3:
	.endm

/* Leave both frames, through that of the mark. */
	.macro	drop_frames
	add	sp, x29, #16
	.cfi_def_cfa sp, 16
	ldp	x29, x30, [sp], #16
	.cfi_def_cfa_offset 0
	.cfi_restore x29
	.cfi_restore x30
	.endm

	.type	entry_body, %function
	.balign	16
entry_body:
	.cfi_startproc
	.cfi_personality 0x1b, entry_personality
	stp	x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	mov	x29, sp
	stp	x29, x17, [sp, #-16]! /* the frame below has the same size and its words at the same offsets */
	mov	x29, sp
	.cfi_def_cfa_register x29
	sub	sp, sp, #ENTRY_FRAME_SIZE
	stp	x0, x1, [sp, #ENTRY_INTEGERS + 0]
	stp	x2, x3, [sp, #ENTRY_INTEGERS + 16]
	stp	x4, x5, [sp, #ENTRY_INTEGERS + 32]
	stp	x6, x7, [sp, #ENTRY_INTEGERS + 48]
	stp	x8, x18, [sp, #ENTRY_EXTRA]
	str	x16, [sp, #ENTRY_BINDING]
	ldrb	w9, [x16, #ENTRY_BINDING_REALS]
	cmp	w9, #ENTRY_KEEPS_REALS
	b.lo	1f
	b.hi	6f
7:	stp	q0, q1, [sp, #ENTRY_REALS + 0]
	stp	q2, q3, [sp, #ENTRY_REALS + 32]
	stp	q4, q5, [sp, #ENTRY_REALS + 64]
	stp	q6, q7, [sp, #ENTRY_REALS + 96]
1:	mov	x0, sp
	add	x1, x29, #32
	ldr	x2, [x29, #24]
	bl	entry_enter
	tbnz	w0, #31, 5f
	ldr	x16, [sp, #ENTRY_BINDING]
	pass_stack
	restore_reals
8:	restore_integers
	ldr	x16, [x16, #ENTRY_BINDING_TARGET]
	blr	x16
	.globl	entry_called
	.hidden	entry_called
entry_called:

 /* All kinds of results are in these registers. */
	sub	x15, x29, #ENTRY_FRAME_SIZE
	stp	x0, x1, [x15, #ENTRY_EXTRA]
	stp	q0, q1, [x15, #ENTRY_REALS + 0]
	stp	q2, q3, [x15, #ENTRY_REALS + 32]
	mov	x0, x15
	bl	entry_leave
	sub	x15, x29, #ENTRY_FRAME_SIZE
	ldp	x0, x1, [x15, #ENTRY_EXTRA]
	ldp	q0, q1, [x15, #ENTRY_REALS + 0]
	ldp	q2, q3, [x15, #ENTRY_REALS + 32]
	.cfi_remember_state
	drop_frames
	ret
	.cfi_restore_state
	.cfi_remember_state

 /* Not recorded: the function replaces both frames, so that recursion costs no stack. */
5:	ldr	x16, [sp, #ENTRY_BINDING]
	restore_reals
	restore_integers
	ldr	x16, [x16, #ENTRY_BINDING_TARGET]
	drop_frames
	br	x16

	/* A plain shape: the floating registers are unchanged, whether the call is
	 * entered or goes on above. */
	.cfi_restore_state
6:	mov	x0, sp
	add	x1, x29, #32
	ldr	x2, [x29, #24]
	bl	entry_enter_plainly
	tbnz	w0, #31, 7b
	ldr	x16, [sp, #ENTRY_BINDING]
	pass_stack
	b	8b
	.cfi_endproc
	.size	entry_body, . - entry_body
#endif
	.section .note.GNU-stack, "", %progbits
