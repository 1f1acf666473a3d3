/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * syscall(2), exported, for AArch64: see syscall_x86_64.S.  x16 is free at a call.
 */
#include <asm/unistd.h>

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
	adrp	x16, next
	ldr	x16, [x16, :lo12:next]
	br	x16
1:	b	sandbox_take_seccomp
2:	b	sandbox_take_prctl
	.cfi_endproc
	.size	syscall, . - syscall
#endif
	.section .note.GNU-stack, "", %progbits
