/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The result of a search in tables of call frames.
 */
#ifndef UNWIND_CFI_RESULT_H
#define UNWIND_CFI_RESULT_H

/* The result of a search. */
enum cfi_result {
    CFI_FOUND,    /* the rule is filled in */
    CFI_NO_CODE,  /* no object has code at this address */
    CFI_NO_TABLE, /* the object does not describe it */
    CFI_STRANGE   /* the description fits no rule */
};

#endif
