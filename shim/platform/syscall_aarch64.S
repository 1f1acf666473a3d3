/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * syscall(2), exported, for AArch64: see syscall_x86_64.S.  x16 is free at a call.
 */
#include <asm/unistd.h>

#include "platform/syscall_futex.h"

#if defined(__aarch64__)
	.text
	.globl	syscall
	.type	syscall, %function
	.balign	16
syscall:
	.cfi_startproc
	hint	#34 /* bti c */
	cmp	x0, #__NR_seccomp
	b.eq	1f
	cmp	x0, #__NR_prctl
	b.eq	2f
	cmp	x0, #__NR_futex
	b.eq	3f
4:	adrp	x16, next
	ldr	x16, [x16, :lo12:next]
	br	x16
1:	b	sandbox_take_seccomp
2:	b	sandbox_take_prctl

3:	mov	w16, #FUTEX_TAKEN
	and	w17, w2, #FUTEX_OPERATION
	lsr	w16, w16, w17
	tbz	w16, #0, 4b
	stp	x29, x30, [sp, #-16]!
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
	bl	wait_take_futex
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
