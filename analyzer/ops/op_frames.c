/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The names of ops in the names of functions.
 */
#include "ops/op_frames.h"

#include <stdio.h>
#include <string.h>

#include "model/session.h"
#include "model/session_ops.h"

static const char ops[] = "at::_ops::", gradients[] = "torch::autograd::generated::";
static const char apply[] = "::apply";
static const char aten[] = "aten::";
static const char engine[] = "torch::autograd::Engine::evaluate_function(";

/* The rest of a name after a prefix; NULL: the name has another prefix. */
static const char *behind(const char *name, const char *begin)
{
    size_t size = strlen(begin);

    return strncmp(name, begin, size) == 0 ? name + size : NULL;
}

static bool is_gradient(const char *name)
{
    const char *class = behind(name, gradients);
    const char *end = class ? strchr(class, ':') : NULL;

    return end && strncmp(end, apply, sizeof apply - 1) == 0;
}

bool place_is_op(const struct place *place)
{
    const char *name = place->function->name;

    return place->function->has_name &&
           (behind(name, ops) || is_gradient(name) || behind(name, engine));
}

bool place_is_engine(const struct place *place)
{
    return behind(place->function->name, engine) != NULL;
}

/* The longest op of the session that is a prefix of a name; the name ends there, or continues with
 * an overload.
 * Returns: the size of the op; `size` when there is none. */
static size_t find_known(const struct session *session, const char *name, size_t size)
{
    size_t longest = 0;

    for (uint32_t i = 1; i < session->ops.count; i++) {
        const char *known = behind(session_op_at(session, i)->name, aten);
        size_t length = known ? strlen(known) : 0;

        if (length > longest && length <= size && strncmp(name, known, length) == 0 &&
            (length == size || name[length] == '_'))
            longest = length;
    }
    return longest > 0 ? longest : size;
}

void op_frames_name(char name[OP_FRAMES_NAME], const struct session *session,
                    const struct place *place)
{
    const char *function = place->function->name;
    const char *op = behind(function, ops);
    const char *start = op ? op : behind(function, gradients);
    size_t size = start ? strcspn(start, ":(") : 0;

    if (!start) {
        snprintf(name, OP_FRAMES_NAME, "autograd::engine::evaluate_function");
        return;
    }
    if (op)
        size = find_known(session, op, size);
    snprintf(name, OP_FRAMES_NAME, "%s%.*s", op ? aten : "", (int)size, start);
}
