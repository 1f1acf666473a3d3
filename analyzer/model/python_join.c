/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Joining frames of the machine with those of Python code.
 */
#include "model/python_join.h"

/* How Python's frames are spread. */
struct spreading {
    struct python_join *join;
    enum python_join_kind where; /* they belong where a frame is of this kind or a later one */
    uint32_t next;               /* index of the next Python frame */
    bool goes_by_loops;          /* there are as many loops as entries */
};

static void add(struct python_join *join, bool is_python, uint32_t index)
{
    if (join->count < join->room)
        join->joined[join->count++] = (struct python_joined){is_python, index};
}

static uint32_t count_loops(const struct python_join *join)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < join->native_count; i++)
        count += join->kind_of(join->of, i) == PYTHON_JOIN_LOOP;
    return count;
}

static uint32_t count_entries(const struct python_join *join)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < join->python_count; i++)
        count += join->is_entry(join->of, i);
    return count;
}

/* Add the frames of one call of the loop, or all frames. */
static void add_loop(struct spreading *spreading)
{
    struct python_join *join = spreading->join;
    bool is_end = false;

    while (spreading->next < join->python_count && !is_end) {
        uint32_t index = spreading->next++;

        add(join, true, index);
        is_end = spreading->goes_by_loops && join->is_entry(join->of, index);
    }
}

/* In builds whose loop consists of many functions, no loop is on the chain. */
static struct spreading begin(struct python_join *join)
{
    uint32_t loops = count_loops(join);
    bool is_cut = !join->is_native_whole || !join->is_python_whole;

    return (struct spreading){
        .join = join,
        .where = loops > 0 ? PYTHON_JOIN_LOOP : PYTHON_JOIN_INTERPRETER,
        .goes_by_loops = loops > 0 && (is_cut || loops == count_entries(join)),
    };
}

/* If one chain is cut, the end of the other counts. */
void python_join(struct python_join *join)
{
    struct spreading spreading = begin(join);

    join->count = 0;
    for (uint32_t i = 0; i < join->native_count; i++) {
        enum python_join_kind kind = join->kind_of(join->of, i);

        if (!join->is_python_whole && spreading.next == join->python_count)
            break;
        if (kind >= spreading.where)
            add_loop(&spreading);
        else if (kind == PYTHON_JOIN_OTHER)
            add(join, false, i);
    }
    spreading.goes_by_loops = false;
    add_loop(&spreading);
}
