/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What every site had live at marks, equal distances of time apart.
 *
 * A mark stands at the begin of every MARKS_MOMENTS-th stretch of moments.h, so there are
 * at most SESSION_MARKS; when pairs of stretches become one, every other mark goes.
 * What a site had at the marks since its last change it still has: so it is noted before it
 * changes, and a mark that passes costs nothing.
 *
 * Units: those of the heap.  Memory: 257 bytes a site.
 */
#ifndef MODEL_MARKS_H
#define MODEL_MARKS_H

#include <stdint.h>

#include "base/array.h"
#include "base/attributes.h"
#include "base/status.h"
#include "model/session_heap.h"

enum { MARKS_MOMENTS = SESSION_MOMENTS / SESSION_MARKS };

_Static_assert(SESSION_MARKS <= UINT8_MAX, "a byte counts the marks of a site");

struct marks_site {
    uint64_t bytes[SESSION_MARKS];
};

/* How many marks of a site are noted is apart from what is noted: it is read each time, and
 * fits the cache, where to read beside the bytes waited for memory. */
struct marks {
    struct array sites; /* of struct marks_site */
    struct array noted; /* of uint8_t, a site each */
    uint32_t count;     /* marks that have passed; the first is the start */
};

void marks_init(struct marks *marks);
void marks_fini(struct marks *marks);

/* Errors: STATUS_OUT_OF_MEMORY. */
enum status marks_add_site(struct marks *marks) MUST_CHECK;

/* A site had this much live since it was noted last. */
void marks_note(struct marks *marks, uint32_t site, uint64_t bytes);

/* Pairs of stretches became one.  Every site was noted before. */
void marks_merge(struct marks *marks);

/* So many stretches have ended.  Returns: whether marks have passed. */
bool marks_pass(struct marks *marks, size_t moments);

#endif
