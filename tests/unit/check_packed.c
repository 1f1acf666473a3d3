/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of packing and unpacking, in memory and of files.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "reader/copy.h"
#include "reader/merge.h"
#include "reader/packer.h"
#include "suite.h"
#include "trace_builder.h"

enum { WORDS = 4000, SIZE = WORDS * TRACE_WORD_SIZE, CHUNK_SIZE = 65536 };

/* The generator of Steele, Lea and Flood (SplitMix64): the same numbers
 * everywhere. */
static uint64_t random_next(uint64_t *state)
{
    uint64_t mixed = *state += UINT64_C(0x9e3779b97f4a7c15);

    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
    return mixed ^ mixed >> 31;
}

static uint64_t random_below(uint64_t *state, uint64_t limit)
{
    return random_next(state) % limit;
}

/* ---- words ------------------------------------------------------------- */

/* Each fills `count` words.  Returns: the number of events in them, if known. */

/* Every bit is as likely as any other. */
static size_t fill_with_noise(uint64_t *words, size_t count, uint64_t *state)
{
    for (size_t i = 0; i < count; i++)
        words[i] = random_next(state);
    return 0;
}

/* Few addresses, sizes, chains and cells in any order: blocks obtained twice, returned twice, never
 * obtained, and every other kind in between. */
static size_t fill_with_nonsense(uint64_t *words, size_t count, uint64_t *state)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t kind = random_below(state, 1 << TRACE_KIND_BITS);
        uint64_t address = random_below(state, 50);

        words[i] = kind | random_below(state, 300) << TRACE_KIND_BITS |
                   address << (TRACE_KIND_BITS + TRACE_ALLOC_DELTA_BITS);
        if (random_below(state, 2) == 0 || ++i == count)
            continue;
        words[i] = 16 * random_below(state, 4) | random_below(state, 3) << TRACE_SIZE_BITS;
        if (random_below(state, 50) == 0)
            words[i] |= TRACE_SIZE_LARGE;
    }
    return 0;
}

/* A program that holds up to a hundred blocks, each call chain with its size.
 * A record that would not be whole is left out. */
static size_t fill_with_sense(uint64_t *words, size_t count, uint64_t *state)
{
    uint64_t live[100];
    size_t held = 0;
    size_t events = 0;
    size_t at = 0;

    memset(words, 0, count * sizeof *words);
    for (; at + 2 <= count; events++) {
        uint64_t delta = 3 + random_below(state, 20);
        bool is_free = held == 100 || (held > 0 && random_below(state, 2) == 0);
        uint64_t chain = 1 + random_below(state, 500);
        uint64_t address;

        if (is_free)
            address = live[--held];
        else
            address = live[held] = 0x5555000 + 100 * held, held++;
        words[at++] = (uint64_t)(is_free ? TRACE_EVENT_FREE : TRACE_EVENT_MALLOC) |
                      delta << TRACE_KIND_BITS |
                      address << (TRACE_KIND_BITS + TRACE_ALLOC_DELTA_BITS);
        if (!is_free)
            words[at++] = chain * 7 % 800 | chain << TRACE_SIZE_BITS;
    }
    return events;
}

typedef size_t (*filler)(uint64_t *, size_t, uint64_t *);

static const filler fillers[] = {fill_with_noise, fill_with_nonsense, fill_with_sense};

enum { FILLERS = sizeof fillers / sizeof *fillers };

/* ---- in memory --------------------------------------------------------- */

struct both {
    struct packer *packer;
    struct unpacker *unpacker;
    uint64_t words[WORDS];
    char bytes[SIZE];
};

static struct both *both_new(void)
{
    struct both *both = malloc(sizeof *both);

    ck_assert_ptr_nonnull(both);
    both->packer = packer_new();
    both->unpacker = unpacker_new();
    ck_assert_ptr_nonnull(both->packer);
    ck_assert_ptr_nonnull(both->unpacker);
    return both;
}

static void both_free(struct both *both)
{
    packer_free(both->packer);
    unpacker_free(both->unpacker);
    free(both);
}

static size_t check_round_trip(struct both *both, enum trace_chunk_kind kind, size_t size)
{
    struct trace_packed head = {.kind = kind, .kept = size};
    const void *bytes = both->words;
    const struct packed packed = packer_pack(both->packer, &head, bytes);

    ck_assert(packed_head_is_sound(&head));
    ck_assert_uint_le(packed.size, size);
    ck_assert(packed_decode(both->unpacker, &packed, both->bytes));
    ck_assert(memcmp(both->bytes, bytes, size) == 0);
    return packed.size;
}

START_TEST(packed_bytes_of_any_sort_come_back_as_they_were)
{
    struct both *both = both_new();
    uint64_t state = (uint64_t)_i;

    for (unsigned round = 0; round < 50; round++) {
        fillers[round % FILLERS](both->words, WORDS, &state);
        check_round_trip(both, TRACE_EVENTS, random_below(&state, SIZE + 1));
        check_round_trip(both, TRACE_FACTS, random_below(&state, SIZE + 1));
    }
    both_free(both);
}
END_TEST

START_TEST(packed_chunks_may_be_empty_or_as_large_as_they_may_be)
{
    struct both *both = both_new();
    uint64_t *words = malloc(TRACE_PACKED_MAX);
    char *bytes = malloc(TRACE_PACKED_MAX);
    uint64_t state = 1;

    ck_assert(words && bytes);
    check_round_trip(both, TRACE_EVENTS, 0);
    check_round_trip(both, TRACE_TALLIES, 0);
    for (size_t i = 0; i < FILLERS; i++) {
        struct trace_packed head = {.kind = TRACE_EVENTS, .kept = TRACE_PACKED_MAX};

        fillers[i](words, TRACE_PACKED_MAX / sizeof *words, &state);
        const void *from = words;
        const struct packed packed = packer_pack(both->packer, &head, from);
        ck_assert(packed_decode(both->unpacker, &packed, bytes));
        ck_assert(memcmp(bytes, words, TRACE_PACKED_MAX) == 0);
    }
    free(words);
    free(bytes);
    both_free(both);
}
END_TEST

START_TEST(packed_events_of_a_program_take_less_than_five_bytes)
{
    struct both *both = both_new();
    uint64_t state = 7;

    size_t events = fill_with_sense(both->words, WORDS, &state);
    ck_assert_uint_lt(check_round_trip(both, TRACE_EVENTS, SIZE), 5 * events);
    ck_assert_uint_eq(packer_count_events(both->packer), events);
    both_free(both);
}
END_TEST

/* ---- damage ------------------------------------------------------------ */

/* The result of a payload after `damage`: nothing, or the original. */
static void check_damage(struct both *both, const struct trace_packed *head, const char *payload,
                         size_t size)
{
    const struct packed packed = {head, payload, size};

    if (packed_decode(both->unpacker, &packed, both->bytes))
        ck_assert(memcmp(both->bytes, both->words, head->kept) == 0);
}

START_TEST(packed_bits_that_flip_change_nothing_unseen)
{
    struct both *both = both_new();
    uint64_t state = 3;
    struct trace_packed head = {.kind = (uint32_t)_i, .kept = 400 * TRACE_WORD_SIZE};

    fill_with_sense(both->words, WORDS, &state);
    const void *bytes = both->words;
    const struct packed packed = packer_pack(both->packer, &head, bytes);
    char *payload = malloc(packed.size);
    ck_assert_ptr_nonnull(payload);
    ck_assert_int_ne(head.coding, TRACE_CODING_STORED);
    for (size_t bit = 0; bit < 8 * packed.size; bit++) {
        memcpy(payload, packed.payload, packed.size);
        payload[bit / 8] ^= (char)(1 << bit % 8);
        check_damage(both, &head, payload, packed.size);
    }
    free(payload);
    both_free(both);
}
END_TEST

START_TEST(packed_payloads_that_are_cut_off_are_refused)
{
    struct both *both = both_new();
    uint64_t state = 3;
    struct trace_packed head = {.kind = (uint32_t)_i, .kept = 400 * TRACE_WORD_SIZE};

    fill_with_sense(both->words, WORDS, &state);
    const void *bytes = both->words;
    const struct packed packed = packer_pack(both->packer, &head, bytes);
    for (size_t size = 0; size < packed.size; size++) {
        char *payload = malloc(size + 1); /* a separate block, so that sanitizers see its end */

        ck_assert_ptr_nonnull(payload);
        memcpy(payload, packed.payload, size);
        const struct packed cut = {&head, payload, size};
        ck_assert(!packed_decode(both->unpacker, &cut, both->bytes));
        free(payload);
    }
    both_free(both);
}
END_TEST

START_TEST(packed_sizes_that_are_wrong_are_refused)
{
    struct both *both = both_new();
    uint64_t state = 3;
    struct trace_packed head = {.kind = (uint32_t)_i, .kept = 400 * TRACE_WORD_SIZE};

    fill_with_sense(both->words, WORDS, &state);
    const void *bytes = both->words;
    const struct packed packed = packer_pack(both->packer, &head, bytes);
    for (head.kept = 0; head.kept < SIZE; head.kept++)
        if (head.kept != 400 * TRACE_WORD_SIZE)
            ck_assert(!packed_decode(both->unpacker, &packed, both->bytes));
    both_free(both);
}
END_TEST

/* Possible bytes of a packed chunk, by its kind. */
static const struct {
    enum trace_chunk_kind kind;
    uint64_t most;
} most_cases[] = {{TRACE_EVENTS, TRACE_PACKED_MAX},
                  {TRACE_TALLIES, TRACE_TALLY_CHUNK_SIZE - sizeof(struct trace_chunk)},
                  {TRACE_FACTS, TRACE_PACKED_MAX},
                  {TRACE_STACKS, TRACE_STACK_CHUNK_SIZE - sizeof(struct trace_chunk)}};

START_TEST(packed_heads_promise_no_more_than_a_chunk_of_their_kind_has)
{
    struct trace_packed head = {
        .kind = most_cases[_i].kind, .coding = TRACE_CODING_ZSTD, .kept = most_cases[_i].most};

    ck_assert(packed_head_is_sound(&head));
    head.kept++;
    ck_assert(!packed_head_is_sound(&head));
}
END_TEST

/* Streams of any bytes in sound frames: what no packer writes. */
static size_t make_streams(char *payload, size_t room, uint64_t *state)
{
    struct trace_streams table;
    size_t used = sizeof table;
    unsigned char stream[3 * WORDS];

    for (size_t i = 0; i < TRACE_STREAMS; i++) {
        size_t size = random_below(state, sizeof stream);
        uint64_t limit = 1 + random_below(state, 256);

        for (size_t at = 0; at < size; at++)
            stream[at] = (unsigned char)random_below(state, limit);
        table.sizes[i] = (uint32_t)ZSTD_compress(payload + used, room - used, stream, size, 1);
        used += table.sizes[i];
    }
    memcpy(payload, &table, sizeof table);
    return used;
}

START_TEST(packed_streams_of_nonsense_do_no_harm)
{
    static char payload[TRACE_STREAMS * 4 * WORDS];
    struct both *both = both_new();
    uint64_t state = 11;

    for (unsigned round = 0; round < 3000; round++) {
        size_t size = make_streams(payload, sizeof payload, &state);
        struct trace_packed head = {.kind = TRACE_EVENTS,
                                    .coding = TRACE_CODING_EVENTS,
                                    .kept = random_below(&state, SIZE + 1)};
        const struct packed packed = {&head, payload, size};

        (void)!packed_decode(both->unpacker, &packed, both->bytes);
    }
    both_free(both);
}
END_TEST

/* ---- files ------------------------------------------------------------- */

enum { LANES = 3, CHUNKS = 3, FILE_CHUNKS = LANES * CHUNKS + 1 };

/* Returns: the events in each of its chunks. */
static size_t build_trace(struct trace_builder *builder)
{
    uint64_t state = 5;
    size_t events;
    uint64_t words[1500];

    trace_builder_init(builder);
    trace_builder_chunk(builder, TRACE_FACTS, 0, 0, CHUNK_SIZE, 1000);
    trace_builder_string(builder, 1, "a label");
    events = fill_with_sense(words, sizeof words / sizeof *words, &state);
    for (uint32_t i = 0; i < LANES * CHUNKS; i++) {
        trace_builder_chunk(builder, TRACE_EVENTS, 1 + i % LANES, i / LANES, CHUNK_SIZE,
                            1000 + 1000 * i);
        trace_builder_add(builder, words, sizeof words);
    }
    return events;
}

static void copy_to(struct copy *copy, char path[BUILDER_PATH_SIZE])
{
    strcpy(path, "/tmp/tprof-check-XXXXXX");
    *copy = (struct copy){.descriptor = mkstemp(path), .path = path};
    ck_assert_int_ge(copy->descriptor, 0);
}

static void pack_written(const struct trace_builder *builder, size_t size,
                         char path[BUILDER_PATH_SIZE])
{
    char from[BUILDER_PATH_SIZE];
    struct diagnostic diagnostic = {.text = ""};
    struct reader reader;
    struct copy copy;

    trace_builder_write(builder, size, from);
    ck_assert_msg(!reader_open(&reader, from, &diagnostic), "%s", diagnostic.text);
    copy_to(&copy, path);
    ck_assert_msg(!copy_pack(&copy, &reader, &diagnostic), "%s", diagnostic.text);
    ck_assert_int_eq(close(copy.descriptor), 0);
    reader_close(&reader);
    unlink(from);
}

/* The contents of a trace, as a reader finds them. */
struct found {
    uint64_t events;
    uint64_t hash;
    uint64_t torn_chunks;
    uint64_t size;
    bool is_truncated;
};

static void hash_event(struct found *found, const struct reader_event *event)
{
    const uint64_t words[] = {event->kind, event->source,  event->cell,
                              event->size, event->address, event->ticks};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        found->hash = (found->hash ^ words[i]) * UINT64_C(0x100000001b3);
    found->events++;
}

static struct found read_file(const char *path)
{
    struct diagnostic diagnostic = {.text = ""};
    const struct reader_event *event;
    struct found found = {0};
    struct reader reader;
    struct merge merge;

    ck_assert_msg(!reader_open(&reader, path, &diagnostic), "%s", diagnostic.text);
    merge_open(&merge, &reader);
    while ((event = merge_next(&merge)))
        hash_event(&found, event);
    found.torn_chunks = reader.torn_chunks + merge.torn_chunks;
    found.size = reader.size;
    found.is_truncated = reader.is_truncated;
    merge_close(&merge);
    reader_close(&reader);
    return found;
}

static void check_same(const struct found *a, const struct found *b)
{
    ck_assert_uint_eq(a->events, b->events);
    ck_assert_uint_eq(a->hash, b->hash);
    ck_assert_uint_eq(a->torn_chunks, b->torn_chunks);
    ck_assert_uint_eq(a->size, b->size);
    ck_assert_int_eq(a->is_truncated, b->is_truncated);
}

static void check_copies(const struct trace_builder *builder, size_t size)
{
    char original[BUILDER_PATH_SIZE];
    char packed[BUILDER_PATH_SIZE];

    trace_builder_write(builder, size, original);
    pack_written(builder, size, packed);
    const struct found before = read_file(original);
    const struct found after = read_file(packed);
    check_same(&after, &before);
    unlink(original);
    unlink(packed);
}

START_TEST(packed_copy_is_read_like_its_original)
{
    struct trace_builder builder;

    build_trace(&builder);
    check_copies(&builder, builder.size);
    trace_builder_fini(&builder);
}
END_TEST

START_TEST(packed_copy_of_a_trace_that_was_cut_off_lacks_the_same)
{
    struct trace_builder builder;

    build_trace(&builder);
    for (size_t size = TRACE_HEADER_SIZE; size < builder.size; size += 40009)
        check_copies(&builder, size);
    trace_builder_fini(&builder);
}
END_TEST

START_TEST(packed_copy_of_a_trace_with_damaged_heads_lacks_the_same)
{
    struct trace_builder builder;
    uint64_t state = (uint64_t)_i;

    build_trace(&builder);
    for (unsigned i = 0; i < 4; i++) {
        size_t chunk = random_below(&state, FILE_CHUNKS);
        size_t byte = random_below(&state, offsetof(struct trace_chunk, clock));

        builder.bytes[TRACE_HEADER_SIZE + chunk * CHUNK_SIZE + byte] ^=
            (char)(1 << random_below(&state, 8));
    }
    check_copies(&builder, builder.size);
    trace_builder_fini(&builder);
}
END_TEST

static char *read_bytes(const char *path, size_t *size)
{
    struct stat status;
    int descriptor = open(path, O_RDONLY);

    ck_assert_int_eq(fstat(descriptor, &status), 0);
    *size = (size_t)status.st_size;
    char *bytes = malloc(*size);
    ck_assert_ptr_nonnull(bytes);
    ck_assert_int_eq(read(descriptor, bytes, *size), status.st_size);
    close(descriptor);
    return bytes;
}

/* The builder leaves zeros where nothing was published, as unpacking does. */
START_TEST(packed_copy_unpacks_to_the_bytes_of_its_original)
{
    char packed[BUILDER_PATH_SIZE];
    char unpacked[BUILDER_PATH_SIZE];
    struct diagnostic diagnostic = {.text = ""};
    struct trace_builder builder;
    struct reader reader;
    struct copy copy;
    size_t size;

    build_trace(&builder);
    pack_written(&builder, builder.size, packed);
    ck_assert(!reader_open(&reader, packed, &diagnostic));
    copy_to(&copy, unpacked);
    ck_assert_msg(!copy_unpack(&copy, &reader, &diagnostic), "%s", diagnostic.text);
    reader_close(&reader);
    close(copy.descriptor);
    char *bytes = read_bytes(unpacked, &size);
    ck_assert_uint_eq(size, builder.size);
    ck_assert(memcmp(bytes, builder.bytes, size) == 0);
    free(bytes);
    unlink(packed);
    unlink(unpacked);
    trace_builder_fini(&builder);
}
END_TEST

/* Wherever it is hit, one chunk is lost and the rest is read. */
START_TEST(packed_copy_loses_no_more_than_the_chunk_that_is_damaged)
{
    char path[BUILDER_PATH_SIZE];
    struct trace_builder builder;
    size_t size;

    size_t each = build_trace(&builder);
    pack_written(&builder, builder.size, path);
    char *bytes = read_bytes(path, &size);
    for (size_t at = TRACE_HEADER_SIZE + 72; at < size; at += 977) {
        int descriptor = open(path, O_WRONLY);
        const char flipped = (char)~bytes[at];

        ck_assert_int_eq(pwrite(descriptor, &flipped, 1, (off_t)at), 1);
        const struct found found = read_file(path);
        ck_assert_uint_le(found.torn_chunks, 1);
        ck_assert_uint_ge(found.events, (LANES * CHUNKS - 1) * each);
        ck_assert(found.torn_chunks == 1 || found.events == LANES * CHUNKS * each);
        ck_assert_int_eq(pwrite(descriptor, &bytes[at], 1, (off_t)at), 1);
        close(descriptor);
    }
    free(bytes);
    unlink(path);
    trace_builder_fini(&builder);
}
END_TEST

START_TEST(packed_copy_that_is_cut_off_says_so)
{
    char path[BUILDER_PATH_SIZE];
    struct trace_builder builder;
    size_t size;

    size_t each = build_trace(&builder);
    pack_written(&builder, builder.size, path);
    free(read_bytes(path, &size));
    while (size > TRACE_HEADER_SIZE + 1000) {
        size -= 1000;
        ck_assert_int_eq(truncate(path, (off_t)size), 0);
        const struct found found = read_file(path);
        ck_assert(found.is_truncated);
        ck_assert_uint_ge(found.torn_chunks, 1);
        ck_assert_uint_eq(found.events % each, 0);
    }
    unlink(path);
    trace_builder_fini(&builder);
}
END_TEST

static Suite *make_suite(void)
{
    Suite *suite = suite_create("packed");
    TCase *tests = tcase_create("packed");

    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, packed_bytes_of_any_sort_come_back_as_they_were, 0, 8);
    tcase_add_test(tests, packed_chunks_may_be_empty_or_as_large_as_they_may_be);
    tcase_add_test(tests, packed_events_of_a_program_take_less_than_five_bytes);
    tcase_add_loop_test(tests, packed_bits_that_flip_change_nothing_unseen, TRACE_EVENTS,
                        TRACE_FACTS);
    tcase_add_loop_test(tests, packed_payloads_that_are_cut_off_are_refused, TRACE_EVENTS,
                        TRACE_FACTS);
    tcase_add_loop_test(tests, packed_sizes_that_are_wrong_are_refused, TRACE_EVENTS, TRACE_FACTS);
    tcase_add_loop_test(tests, packed_heads_promise_no_more_than_a_chunk_of_their_kind_has, 0,
                        sizeof most_cases / sizeof *most_cases);
    tcase_add_test(tests, packed_streams_of_nonsense_do_no_harm);
    tcase_add_test(tests, packed_copy_is_read_like_its_original);
    tcase_add_test(tests, packed_copy_of_a_trace_that_was_cut_off_lacks_the_same);
    tcase_add_loop_test(tests, packed_copy_of_a_trace_with_damaged_heads_lacks_the_same, 0, 40);
    tcase_add_test(tests, packed_copy_unpacks_to_the_bytes_of_its_original);
    tcase_add_test(tests, packed_copy_loses_no_more_than_the_chunk_that_is_damaged);
    tcase_add_test(tests, packed_copy_that_is_cut_off_says_so);
    suite_add_tcase(suite, tests);
    return suite;
}

int check_packed(void)
{
    return suite_run(make_suite());
}
