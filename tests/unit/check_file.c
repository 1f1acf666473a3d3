/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The shim's trace file: which chunks are reused under a capacity, and which ones a budget refuses.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "platform/clock.h"
#include "suite.h"
#include "trace/family.h"
#include "trace/file.h"

enum { CHUNK = TRACE_CHUNK_ALIGN, CHUNKS = 5000 };

static unsigned long page_size = 4096;

/* In place of the C library's: the machine of the test has pages of any size. */
unsigned long getauxval(unsigned long type)
{
    return type == AT_PAGESZ ? page_size : 0;
}

bool family_is_over(const struct trace_header *old, const struct trace_header *self)
{
    (void)old;
    (void)self;
    return false;
}

/* A file with room for this many chunks in addition to the image's. */
static void open_file(struct file *file, uint64_t chunks)
{
    char path[] = "/tmp/tprof-file.XXXXXX";

    clock_init();
    ck_assert_ptr_nonnull(mkdtemp(path));
    snprintf(file->path, sizeof file->path, "%s/trace", path);
    ck_assert(file_open_image(file));
    ck_assert(file_keep(file));
    if (chunks > 0)
        file->header->capacity = file->event_bytes + chunks * CHUNK;
}

static void remove_file(struct file *file)
{
    unlink(file->path);
    *strrchr(file->path, '/') = '\0';
    rmdir(file->path);
}

/* Claim a chunk and fill it.  Returns: where it is. */
static uint64_t fill_chunk(struct file *file, uint32_t sequence)
{
    struct trace_chunk *chunk = file_claim_events(file, 1, sequence, CHUNK);
    uint64_t offset;

    ck_assert_ptr_nonnull(chunk);
    offset = chunk->offset;
    file_release_events(file, chunk);
    return offset;
}

START_TEST(file_uses_the_oldest_chunk_again_however_many_there_are)
{
    static struct file file;
    static uint64_t offsets[CHUNKS];
    uint64_t size;

    open_file(&file, CHUNKS);
    for (uint32_t i = 0; i < CHUNKS; i++)
        offsets[i] = fill_chunk(&file, i);
    size = file.header->size;
    for (uint32_t i = 0; i < CHUNKS; i++)
        ck_assert_uint_eq(fill_chunk(&file, CHUNKS + i), offsets[i]);
    ck_assert_uint_eq(file.header->reused_chunks, CHUNKS);
    ck_assert_uint_eq(file.header->size, size);
    remove_file(&file);
}
END_TEST

/* The chunks with records of an incident; others take their place in the ring. */
START_TEST(file_keeps_the_chunks_of_an_incident)
{
    enum { FEW = 8 };
    static struct file file;
    static struct trace_incident incident;
    uint64_t offsets[FEW];

    open_file(&file, FEW);
    file.incidents[0] = &incident;
    for (uint32_t i = 0; i < FEW; i++) {
        if (i == 3)
            incident.from_ticks = clock_read();
        offsets[i] = fill_chunk(&file, i);
        if (i == 4)
            incident.to_ticks = incident.quiet_ticks = clock_read();
    }
    incident.cause = 1;
    for (uint32_t i = 0; i < 4 * FEW; i++) {
        uint64_t offset = fill_chunk(&file, FEW + i);

        ck_assert_uint_ne(offset, offsets[3]);
        ck_assert_uint_ne(offset, offsets[4]);
    }
    ck_assert_uint_eq(incident.kept_chunks, 2);
    ck_assert_uint_eq(incident.kept_bytes, 2 * CHUNK);
    ck_assert_uint_eq(incident.refused_bytes, 0);
    remove_file(&file);
}
END_TEST

START_TEST(file_keeps_four_times_the_capacity_at_most)
{
    static struct file file;
    static struct trace_incident incident = {
        .cause = 1, .to_ticks = UINT64_MAX, .quiet_ticks = UINT64_MAX};
    uint64_t capacity;

    open_file(&file, 2);
    capacity = file.header->capacity;
    file.incidents[0] = &incident;
    for (uint32_t i = 0; i < 8 * capacity / CHUNK; i++)
        fill_chunk(&file, i);
    ck_assert_uint_eq(incident.kept_bytes, file.kept_bytes);
    ck_assert_uint_le(file.kept_bytes, TRACE_INCIDENT_CAPACITIES * capacity);
    ck_assert_uint_gt(file.kept_bytes, TRACE_INCIDENT_CAPACITIES * capacity - CHUNK);
    ck_assert_uint_gt(incident.refused_bytes, 0);
    ck_assert(!file_has_room_to_keep(&file, CHUNK));
    remove_file(&file);
}
END_TEST

/* A mapping begins at a page of the machine. */
START_TEST(file_can_be_mapped_where_pages_are_larger)
{
    static struct file file;
    struct trace_chunk *chunk;

    page_size = 65536;
    open_file(&file, 0);
    chunk = file_claim(&file, TRACE_TALLIES, 2, 0, TRACE_TALLY_CHUNK_SIZE);
    ck_assert_ptr_nonnull(chunk);
    ck_assert_uint_eq(chunk->offset % page_size, 0);
    ck_assert_uint_eq(chunk->size % page_size, 0);
    remove_file(&file);
}
END_TEST

START_TEST(file_without_a_capacity_uses_no_chunk_again)
{
    static struct file file;
    uint64_t first;

    open_file(&file, 0);
    first = fill_chunk(&file, 0);
    ck_assert_uint_eq(fill_chunk(&file, 1), first + CHUNK);
    ck_assert_uint_eq(file.header->reused_chunks, 0);
    remove_file(&file);
}
END_TEST

START_TEST(file_refuses_events_before_totals)
{
    static struct file file;

    open_file(&file, 0);
    file.limit_bytes = file.header->size + 2 * TRACE_TALLY_CHUNK_SIZE;
    file.event_limit_bytes = file.header->size + CHUNK;
    fill_chunk(&file, 0);
    ck_assert_uint_eq(file.header->failed_chunks, 0);
    ck_assert_ptr_null(file_claim_events(&file, 1, 1, CHUNK));
    ck_assert_uint_eq(file.header->failed_chunks, 1);
    ck_assert(file.is_at_limit);
    ck_assert_ptr_nonnull(file_claim(&file, TRACE_TALLIES, 1, 1, TRACE_TALLY_CHUNK_SIZE));
    ck_assert_ptr_null(file_claim(&file, TRACE_TALLIES, 1, 2, TRACE_TALLY_CHUNK_SIZE));
    ck_assert_uint_le(file.header->size, file.limit_bytes);
    remove_file(&file);
}
END_TEST

/* Reused chunks take no more room. */
START_TEST(file_bounds_beside_a_capacity_what_is_not_used_again)
{
    static struct file file;

    open_file(&file, 4);
    file.limit_bytes = file.event_limit_bytes =
        file_bounded_bytes(&file) + TRACE_TALLY_CHUNK_SIZE;
    for (uint32_t i = 0; i < 8; i++)
        fill_chunk(&file, i);
    ck_assert_uint_eq(file.header->failed_chunks, 0);
    ck_assert_ptr_nonnull(file_claim(&file, TRACE_TALLIES, 1, 1, TRACE_TALLY_CHUNK_SIZE));
    ck_assert_ptr_null(file_claim(&file, TRACE_TALLIES, 1, 2, TRACE_TALLY_CHUNK_SIZE));
    remove_file(&file);
}
END_TEST

START_TEST(file_learns_what_is_free_when_it_is_kept_and_when_it_has_grown)
{
    static struct file file;

    open_file(&file, 0);
    ck_assert_uint_ne(file.free_bytes, UINT64_MAX);
    ck_assert_uint_gt(file.free_due_bytes, file.header->size);
    file.free_bytes = UINT64_MAX;
    fill_chunk(&file, 0);
    ck_assert_uint_eq(file.free_bytes, UINT64_MAX);
    file.free_due_bytes = file.header->size;
    fill_chunk(&file, 1);
    ck_assert_uint_ne(file.free_bytes, UINT64_MAX);
    remove_file(&file);
}
END_TEST

/* A program that writes after the end of a truncated file makes it as long again. */
START_TEST(file_that_was_cut_and_grew_again_is_cut)
{
    static struct file file;
    uint64_t size;
    bool keeps_image = _i;

    open_file(&file, 0);
    fill_chunk(&file, 0);
    ck_assert(!file.is_cut);
    size = file.header->size;
    ck_assert_int_eq(truncate(file.path, keeps_image ? (off_t)file.image_size : 0), 0);
    ck_assert_int_eq(truncate(file.path, (off_t)size), 0);
    ck_assert_ptr_null(file_claim_events(&file, 1, 1, CHUNK));
    ck_assert(file.is_cut);
    remove_file(&file);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("file");
    TCase *tests = tcase_create("chunks");

    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, file_uses_the_oldest_chunk_again_however_many_there_are);
    tcase_add_test(tests, file_keeps_the_chunks_of_an_incident);
    tcase_add_test(tests, file_keeps_four_times_the_capacity_at_most);
    tcase_add_test(tests, file_can_be_mapped_where_pages_are_larger);
    tcase_add_loop_test(tests, file_that_was_cut_and_grew_again_is_cut, 0, 2);
    tcase_add_test(tests, file_without_a_capacity_uses_no_chunk_again);
    tcase_add_test(tests, file_refuses_events_before_totals);
    tcase_add_test(tests, file_bounds_beside_a_capacity_what_is_not_used_again);
    tcase_add_test(tests, file_learns_what_is_free_when_it_is_kept_and_when_it_has_grown);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
