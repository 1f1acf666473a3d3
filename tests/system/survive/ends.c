/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blocks whose call chains end early, each for a separate reason; prints their numbers, with a line
 * "REASON COUNT" for each.  The caller is given wrongly or not at all: the frames below are above
 * assembly that nobody could unwind.
 */
#include <stdio.h>
#include <stdlib.h>

enum {
    DEEP = 1000,
    CUT = 3,
    NO_CODE = 5,
    NO_TABLE = 7,
    STRANGE = 11,
    UNREADABLE = 13,
    WHOLE = 500
};

#define NOINLINE __attribute__((noinline))

static void *volatile last;

void obtain(void); /* in assembly */

NOINLINE void obtain(void)
{
    last = malloc(100);
    free(last);
    __asm__ volatile("" : : : "memory");
}

static NOINLINE int descend(int depth)
{
    if (depth == 0)
        obtain();
    else
        descend(depth - 1);
    __asm__ volatile("" : : : "memory");
    return depth;
}

/* Assembly of a function that calls obtain() on an aligned stack. */
#define FUNCTION(name, begin, end)                                                                 \
    void name(void);                                                                               \
    __asm__(".text\n.globl " #name "\n.type " #name ", @function\n" #name ":\n" begin              \
            "call obtain\n" end ".size " #name ", .-" #name "\n")

/* Its frame pointer leads nowhere, and no table knows it. */
FUNCTION(without_table, "push %rbp\nxor %ebp, %ebp\n", "pop %rbp\nret\n");

/* DW_CFA_val_expression of the return address: a value that no place of the stack holds. */
FUNCTION(with_strange_rule, ".cfi_startproc\n.cfi_escape 0x16, 0x10, 1, 0x30\nsub $8, %rsp\n",
         "add $8, %rsp\nret\n.cfi_endproc\n");

/* The table leads a gigabyte beyond the end of the stack. */
FUNCTION(off_the_stack, ".cfi_startproc\nsub $8, %rsp\n.cfi_def_cfa_offset 0x40000000\n",
         "add $8, %rsp\nret\n.cfi_endproc\n");

/* The table gives a number that is no address of code for the return address. */
FUNCTION(without_code,
         ".cfi_startproc\npush $0x12345\n.cfi_def_cfa_offset 16\n.cfi_offset 16, -16\n",
         "add $8, %rsp\nret\n.cfi_endproc\n");

static const struct {
    const char *reason;
    int count;
    void (*call)(void);
} cases[] = {
    {"no_code", NO_CODE, without_code},
    {"no_table", NO_TABLE, without_table},
    {"strange_rule", STRANGE, with_strange_rule},
    {"unreadable", UNREADABLE, off_the_stack},
};

int main(void)
{
    static char buffer[BUFSIZ];

    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    for (int i = 0; i < WHOLE; i++)
        obtain();
    for (int i = 0; i < CUT; i++)
        descend(DEEP);
    printf("cut %d\n", CUT);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int j = 0; j < cases[i].count; j++)
            cases[i].call();
        printf("%s %d\n", cases[i].reason, cases[i].count);
    }
    return 0;
}
