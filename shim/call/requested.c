/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The argument that names a request, and the edges of the call.
 */
#include "call/requested.h"

#include <stddef.h>

#include "call/entry.h"
#include "platform/readable.h"
#include "request/functions.h"
#include "spec/plan.h"

enum { TEXT_MAX = 128, NUMBER_MAX = 24 };

static const struct requested *requested_of(const struct entry_frame *frame)
{
    return (const struct requested *)frame->binding->symbol->adapter;
}

/* The program may pass any address.  Each page of the text is asked about. */
static struct first_bytes read_text(uintptr_t at)
{
    struct first_bytes bytes = {(const char *)at, 0};

    for (; at != 0 && bytes.size < TEXT_MAX; bytes.size++) {
        uintptr_t next = at + bytes.size;

        if ((bytes.size == 0 || next % READABLE_PAGE == 0) && !readable(next, 1))
            break;
        if (bytes.text[bytes.size] == '\0')
            break;
    }
    return bytes.size > 0 ? bytes : (struct first_bytes){NULL, 0};
}

/* The low part of a word comes first: both machines are little-endian. */
static int64_t read_number(const word *place, unsigned access)
{
    switch (access) {
    case CATALOG_INT8: return *(const int8_t *)place;
    case CATALOG_UINT8: return *(const uint8_t *)place;
    case CATALOG_INT16: return *(const int16_t *)place;
    case CATALOG_UINT16: return *(const uint16_t *)place;
    case CATALOG_INT32: return *(const int32_t *)place;
    case CATALOG_UINT32: return *(const uint32_t *)place;
    default: return (int64_t)*place;
    }
}

static struct first_bytes write_number(char text[NUMBER_MAX], int64_t number, bool is_unsigned)
{
    bool is_negative = number < 0 && !is_unsigned;
    uint64_t rest = is_negative ? 0 - (uint64_t)number : (uint64_t)number;
    size_t at = NUMBER_MAX;

    do {
        text[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (is_negative)
        text[--at] = '-';
    return (struct first_bytes){text + at, NUMBER_MAX - at};
}

static struct first_bytes read_argument(const struct entry_frame *frame, char text[NUMBER_MAX])
{
    const struct requested *requested = requested_of(frame);
    const word *place = entry_integer_place(frame, requested->place);

    if (requested->access == CATALOG_NONE)
        return (struct first_bytes){NULL, 0};
    if (requested->access == CATALOG_LETTER)
        return read_text((uintptr_t)*place);
    return write_number(text, read_number(place, requested->access),
                        requested->access == CATALOG_UINT64);
}

static void begin(const struct entry_frame *frame)
{
    const char *name = requested_of(frame)->name;
    char text[NUMBER_MAX];

    if (functions_begins((uintptr_t)frame))
        functions_begin((uintptr_t)frame, name ? name : frame->binding->symbol->name,
                        read_argument(frame, text));
}

static void end(const struct entry_frame *frame, word result)
{
    (void)result;
    functions_end((uintptr_t)frame);
}

static void leave(const struct entry_frame *frame)
{
    functions_end((uintptr_t)frame);
}

static void bind(struct binding *binding)
{
    (void)binding;
    functions_are_bound = true;
}

struct requested requested_make(const struct catalog_kernel *kernel, bool is_wide)
{
    struct requested made = {
        .call = {.object = -1,
                 .is_no_kernel = true,
                 .before = begin,
                 .after = end,
                 .unwound = leave,
                 .bind = bind},
    };
    const struct catalog_argument *argument;

    if (kernel->request_argument < 0)
        return made;
    argument = &kernel->arguments[kernel->request_argument];
    made.place = (uint8_t)plan_place(kernel, (unsigned)kernel->request_argument);
    made.access =
        (uint8_t)(argument->access == CATALOG_UINT64 ? CATALOG_UINT64
                                                     : plan_width(argument->access, is_wide));
    return made;
}
