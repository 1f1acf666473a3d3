/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Marks of a lane.  One pass finds the length below which gaps and marks are short: a power of two,
 * by counts of each.
 */
#include "page/lane_marks.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

/* Five megabytes of marks are held at a time. */
enum { MARKS_BITS = 64, MARKS_HELD = 1 << 17 };

void lane_marks_init(struct lane_marks *marks)
{
    *marks = (struct lane_marks){.added = 0};
    array_init(&marks->list, sizeof(struct lane_mark));
}

void lane_marks_fini(struct lane_marks *marks)
{
    array_fini(&marks->list);
}

static int compare_starts(const void *left, const void *right)
{
    const struct lane_mark *a = left, *b = right;

    if (a->start_ns != b->start_ns)
        return a->start_ns < b->start_ns ? -1 : 1;
    return (a->end_ns < b->end_ns) - (a->end_ns > b->end_ns);
}

/* Sort the marks.  Most lists are already sorted. */
static void order(struct lane_marks *marks)
{
    struct lane_mark *mark = marks->list.items;

    for (size_t i = 1; i < marks->list.count; i++)
        if (mark[i].start_ns < mark[i - 1].start_ns) {
            qsort(mark, marks->list.count, sizeof *mark, compare_starts);
            return;
        }
}

static unsigned bits_of(uint64_t ns)
{
    unsigned bits = 0;

    while (ns > 0 && bits < MARKS_BITS - 1) {
        ns >>= 1;
        bits++;
    }
    return bits;
}

static uint64_t gap_before(const struct lane_mark *mark)
{
    return mark[0].start_ns > mark[-1].end_ns ? mark[0].start_ns - mark[-1].end_ns : 0;
}

/* A long gap separates two marks; a long mark is separate from both neighbours. */
static unsigned find_short(const struct lane_marks *marks, size_t most)
{
    const struct lane_mark *mark = marks->list.items;
    size_t parts[MARKS_BITS] = {0}, count = 1;
    unsigned bits = MARKS_BITS;

    for (size_t i = 0; i < marks->list.count; i++) {
        parts[bits_of(mark[i].end_ns - mark[i].start_ns)] += 2;
        if (i > 0)
            parts[bits_of(gap_before(&mark[i]))]++;
    }
    while (bits > 0 && count + parts[bits - 1] <= most)
        count += parts[--bits];
    return bits;
}

static void merge(struct lane_mark *into, const struct lane_mark *mark)
{
    if (mark->end_ns > into->end_ns)
        into->end_ns = mark->end_ns;
    if (mark->longest_ns > into->longest_ns) {
        into->longest_ns = mark->longest_ns;
        into->name = mark->name;
    }
    into->busy_ns += mark->busy_ns;
    into->count += mark->count;
}

static bool is_short(const struct lane_mark *mark, unsigned bits)
{
    return bits_of(mark->longest_ns) < bits;
}

void lane_marks_thin(struct lane_marks *marks, size_t most)
{
    struct lane_mark *mark = marks->list.items;
    size_t kept = 0;
    unsigned bits;

    order(marks);
    if (marks->list.count <= most)
        return;
    bits = find_short(marks, most);
    for (size_t i = 1; i < marks->list.count; i++) {
        bool goes_on = mark[i].start_ns < mark[kept].end_ns ||
                       bits_of(mark[i].start_ns - mark[kept].end_ns) < bits;

        if (goes_on && is_short(&mark[i], bits) && is_short(&mark[kept], bits))
            merge(&mark[kept], &mark[i]);
        else
            mark[++kept] = mark[i];
    }
    array_truncate(&marks->list, kept + 1);
}

void lane_marks_add(struct lane_marks *marks, uint64_t start_ns, uint64_t end_ns, uint32_t name)
{
    uint64_t length_ns = end_ns > start_ns ? end_ns - start_ns : 0;
    struct lane_mark *mark;

    if (marks->list.count == MARKS_HELD)
        lane_marks_thin(marks, MARKS_HELD / 2);
    mark = array_add_raw(&marks->list);
    marks->added++;
    *mark = (struct lane_mark){start_ns, start_ns + length_ns, length_ns, length_ns, name, 1};
}

typedef uint64_t (*mark_member)(const struct lane_mark *mark, const struct lane_mark *before);

/* From the start of the one before. */
static uint64_t start_of(const struct lane_mark *mark, const struct lane_mark *before)
{
    return mark->start_ns - (before ? before->start_ns : 0);
}

static uint64_t length_of(const struct lane_mark *mark, const struct lane_mark *before)
{
    (void)before;
    return mark->end_ns - mark->start_ns;
}

static uint64_t name_of(const struct lane_mark *mark, const struct lane_mark *before)
{
    (void)before;
    return mark->name;
}

static uint64_t count_of(const struct lane_mark *mark, const struct lane_mark *before)
{
    (void)before;
    return mark->count;
}

/* The busy time of one mark is its length. */
static uint64_t busy_of(const struct lane_mark *mark, const struct lane_mark *before)
{
    (void)before;
    return mark->count > 1 ? mark->busy_ns : 0;
}

static void put_member(struct html *html, const struct lane_marks *marks, const char *name,
                       mark_member member)
{
    const struct lane_mark *mark = marks->list.items;

    html_putf(html, ",\n\"%s\":[", name);
    for (size_t i = 0; i < marks->list.count; i++)
        html_putf(html, "%s%" PRIu64, i == 0 ? "" : i % 32 ? "," : ",\n",
                  member(&mark[i], i > 0 ? &mark[i - 1] : NULL));
    html_put(html, "]");
}

void lane_marks_put(struct html *html, const struct lane_marks *marks)
{
    put_member(html, marks, "step", start_of);
    put_member(html, marks, "length", length_of);
    put_member(html, marks, "name", name_of);
    put_member(html, marks, "count", count_of);
    put_member(html, marks, "busy", busy_of);
}
