/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Code that tells the processor that it waits in a loop.
 *
 * A pool of threads without symbols spins by a loop around PAUSE or TPAUSE on x86-64, and around
 * YIELD, ISB or WFE on AArch64.  Such an instruction takes up to 140 cycles, so most samples of the
 * loop come directly behind it.
 */
#ifndef SYMBOLS_CODE_PAUSES_H
#define SYMBOLS_CODE_PAUSES_H

#include <libelf.h>
#include <stdbool.h>
#include <stdint.h>

/* Ask whether such an instruction is at an address, or directly before it.  `descriptor`: of the
 * same file.  Addresses are `bias` above those in the file. */
bool code_pauses_at(Elf *elf, int descriptor, uint64_t bias, uint64_t address);

#endif
