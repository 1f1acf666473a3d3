/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * syscall(2), exported, for AArch64: see syscall_x86_64.S.  x8, x16 and x17 are free at a call.
 */
#include <asm/unistd.h>

#include "platform/syscall_futex.h"
#include "platform/syscall_taken.h"

#if defined(__aarch64__)
	.text
	.globl	syscall
	.type	syscall, %function
	.balign	16
syscall:
	.cfi_startproc
	hint	#34 /* bti c */
	cmp	x0, #SYSCALL_TAKERS
	b.hs	1f
	adrp	x16, syscall_takers
	add	x16, x16, :lo12:syscall_takers
	ldr	x16, [x16, x0, lsl #3]
	cbnz	x16, 2f
1:	adrp	x16, next
	ldr	x16, [x16, :lo12:next]
	br	x16

2:	cmp	x0, #__NR_futex
	b.ne	3f
	mov	w17, #FUTEX_TAKEN
	and	w8, w2, #FUTEX_OPERATION
	lsr	w17, w17, w8
	tbz	w17, #0, 1b
	adrp	x16, wait_take_futex
	add	x16, x16, :lo12:wait_take_futex
3:	stp	x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	mov	x29, sp
	.cfi_def_cfa_register x29
	sub	sp, sp, #64
	stp	x0, x1, [sp]
	stp	x2, x3, [sp, #16]
	stp	x4, x5, [sp, #32]
	str	x6, [sp, #48]
	mov	x0, sp
	mov	x1, x29
	blr	x16
	mov	sp, x29
	.cfi_def_cfa sp, 16
	ldp	x29, x30, [sp], #16
	.cfi_def_cfa_offset 0
	.cfi_restore x29
	.cfi_restore x30
	ret
	.cfi_endproc
	.size	syscall, . - syscall
#endif
	.section .note.GNU-stack, "", %progbits
