/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Frames of a growing trace.
 */
#include "live/live_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "reader/reader.h"
#include "spec/device_latest.h"

enum { TRIES = 8, CELL_SIZE = sizeof(union trace_cell) };

struct live_chunk {
    uint64_t offset;
    uint32_t lane;
    uint32_t sequence;
    uint64_t taken; /* of facts: bytes that were looked through */
};

/* ---- the file -------------------------------------------------------------------------- */

static bool read_at(struct live_file *file, uint64_t offset, void *bytes, size_t size)
{
    ssize_t got;

    do
        got = pread(file->descriptor, bytes, size, (off_t)offset);
    while (got < 0 && errno == EINTR);
    file->read_bytes += got > 0 ? (uint64_t)got : 0;
    return got == (ssize_t)size;
}

/* The totals of a packed copy would have to be unpacked, and it does not grow. */
static enum status refuse_packed(const char *path, struct diagnostic *diagnostic)
{
    struct trace_header header;

    if (!reader_peek(path, &header) || header.packed_size == 0)
        return STATUS_OK;
    return diagnostic_set(diagnostic, STATUS_UNSUPPORTED,
                          "%s: a packed copy of a trace does not go on: tprof report reads it",
                          path);
}

enum status live_file_open(struct live_file *file, const char *path, struct diagnostic *diagnostic)
{
    enum status status = reader_check(path, diagnostic);

    *file = (struct live_file){.descriptor = -1, .walked = TRACE_HEADER_SIZE};
    array_init_owned(&file->tables, sizeof(struct live_chunk));
    array_init_owned(&file->facts, sizeof(struct live_chunk));
    array_init_owned(&file->requests, sizeof(struct live_request_sums));
    array_init_owned(&file->devices, sizeof(struct live_device));
    if (!status)
        status = refuse_packed(path, diagnostic);
    if (status)
        return status;
    file->path = memory_copy(path);
    file->descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file->descriptor < 0)
        return diagnostic_set(diagnostic, STATUS_IO, "%s: cannot be opened: %s", path,
                              strerror(errno));
    return STATUS_OK;
}

void live_file_close(struct live_file *file)
{
    if (file->descriptor >= 0)
        close(file->descriptor);
    file->descriptor = -1;
    free(file->path);
    file->path = NULL;
    array_fini(&file->tables);
    array_fini(&file->facts);
    array_fini(&file->requests);
    array_fini(&file->devices);
}

void live_frame_init(struct live_frame *frame)
{
    *frame = (struct live_frame){0};
    array_init_owned(&frame->lanes, sizeof(struct live_lane));
    array_init_owned(&frame->cells, sizeof(union trace_cell));
}

void live_frame_fini(struct live_frame *frame)
{
    array_fini(&frame->lanes);
    array_fini(&frame->cells);
}

/* ---- chunks ---------------------------------------------------------------------------- */

static bool is_sound(const struct trace_chunk *head, uint64_t offset)
{
    return head->magic == TRACE_CHUNK_MAGIC && head->offset == offset &&
           head->size >= TRACE_CHUNK_ALIGN && head->size % TRACE_CHUNK_ALIGN == 0 &&
           head->kind >= TRACE_EVENTS && head->kind <= TRACE_SYMBOLS &&
           (head->kind != TRACE_TALLIES || head->size == TRACE_TALLY_CHUNK_SIZE);
}

static int compare_chunks(const void *left, const void *right)
{
    const struct live_chunk *a = left, *b = right;

    if (a->lane != b->lane)
        return a->lane < b->lane ? -1 : 1;
    return (a->sequence > b->sequence) - (a->sequence < b->sequence);
}

static void take_chunk(struct live_file *file, const struct trace_chunk *head)
{
    struct live_chunk *chunk;

    if (head->kind != TRACE_TALLIES && head->kind != TRACE_FACTS)
        return;
    chunk = array_add(head->kind == TRACE_TALLIES ? &file->tables : &file->facts);
    *chunk = (struct live_chunk){head->offset, head->lane, head->sequence, sizeof *head};
}

/* A chunk that is just being claimed, or reused, has no head for a moment: the next frame starts
 * there again. */
static void walk(struct live_file *file, uint64_t end)
{
    size_t known = file->tables.count;
    struct trace_chunk head;

    while (file->walked + sizeof head <= end && read_at(file, file->walked, &head, sizeof head) &&
           is_sound(&head, file->walked)) {
        take_chunk(file, &head);
        file->walked += head.size;
    }
    if (file->tables.count != known)
        qsort(file->tables.items, file->tables.count, sizeof(struct live_chunk), compare_chunks);
}

/* ---- frames ---------------------------------------------------------------------------- */

/* The latest readings are stored between two numbers: read them in the other order. */
static bool read_latest(struct live_file *file, struct trace_latest *latest)
{
    const uint64_t at = offsetof(struct trace_header, latest);
    uint64_t done, begun;

    for (int i = 0; i < TRIES; i++)
        if (!read_at(file, at + offsetof(struct trace_latest, done), &done, sizeof done) ||
            !read_at(file, at, latest, sizeof *latest) ||
            !read_at(file, at + offsetof(struct trace_latest, begun), &begun, sizeof begun))
            return false;
        else if (done == begun && latest->done == done && latest->begun == done)
            return true;
    *latest = (struct trace_latest){0};
    return true;
}

static bool read_header(struct live_file *file, struct trace_header *header)
{
    struct trace_latest latest;

    if (!read_at(file, 0, header, sizeof *header) ||
        memcmp(header->magic, TRACE_MAGIC, sizeof header->magic) != 0 ||
        !read_latest(file, &latest))
        return false;
    header->latest = latest;
    return true;
}

/* The open calls are read until two readings agree: its words belong together. */
static void read_open(struct live_file *file, uint64_t offset, struct trace_open *open)
{
    struct trace_open again;

    *open = (struct trace_open){0};
    for (int i = 0; i < TRIES; i++) {
        if (!read_at(file, offset, open, sizeof *open) ||
            !read_at(file, offset, &again, sizeof again))
            break;
        if (memcmp(open, &again, sizeof again) == 0)
            return;
    }
    /* A thread with calls as short as this is in none of them for long. */
    open->call = open->wait = 0;
}

/* Adds the cells of one table, and those that are missing before it. */
static void read_table(struct live_file *file, struct live_frame *frame, struct live_lane *lane,
                       const struct live_chunk *chunk)
{
    struct trace_chunk head;
    size_t cells, first;

    if (!read_at(file, chunk->offset, &head, sizeof head) || !is_sound(&head, chunk->offset) ||
        head.lane != chunk->lane || head.used > head.size)
        return;
    cells = head.used / CELL_SIZE;
    first = lane->first + (size_t)chunk->sequence * TRACE_TALLY_CELLS;
    while (frame->cells.count < first)
        *(union trace_cell *)array_add(&frame->cells) = (union trace_cell){0};
    array_reserve(&frame->cells, first + cells);
    for (size_t i = 0; i < cells; i++)
        array_add_raw(&frame->cells);
    if (cells > 0 &&
        !read_at(file, chunk->offset, array_at(&frame->cells, first), cells * CELL_SIZE))
        memset(array_at(&frame->cells, first), 0, cells * CELL_SIZE);
    if (cells > 0)
        memset(array_at(&frame->cells, first), 0, CELL_SIZE); /* the head */
    lane->count = frame->cells.count - lane->first;
}

static void read_lanes(struct live_file *file, struct live_frame *frame)
{
    const struct live_chunk *chunk = file->tables.items;
    struct live_lane *lane = NULL;

    for (size_t i = 0; i < file->tables.count; i++) {
        if (!lane || lane->lane != chunk[i].lane) {
            lane = array_add(&frame->lanes);
            *lane = (struct live_lane){.lane = chunk[i].lane, .first = frame->cells.count};
            read_open(file, chunk[i].offset + sizeof(struct trace_chunk), &lane->open);
        }
        if (chunk[i].sequence <= lane->count / TRACE_TALLY_CELLS + 1)
            read_table(file, frame, lane, &chunk[i]);
    }
}

/* A device's last readings are a property with a value of that size. */
static void note_device(struct live_file *file, uint64_t offset, const struct trace_fact *fact)
{
    static const char key[] = DEVICE_LATEST_KEY;
    char there[sizeof key];

    if (fact->kind == TRACE_FACT_PROPERTY && fact->size == sizeof key + DEVICE_LATEST_SIZE &&
        read_at(file, offset, there, sizeof there) && memcmp(there, key, sizeof key) == 0)
        *(struct live_device *)array_add(&file->devices) =
            (struct live_device){.offset = offset + sizeof key};
}

/* Returns: false when the readings are just being written, or are damaged. */
static bool take_fields(const char *text, uint64_t fields[DEVICE_LATEST_FIELDS])
{
    for (unsigned i = 0; i < DEVICE_LATEST_FIELDS; i++)
        fields[i] = strtoull(text + i * DEVICE_LATEST_WIDTH, NULL, 10);
    return fields[DEVICE_LATEST_BEGUN] == fields[DEVICE_LATEST_DONE];
}

static void read_devices(struct live_file *file)
{
    struct live_device *device = file->devices.items;

    for (size_t i = 0; i < file->devices.count; i++) {
        char text[DEVICE_LATEST_SIZE + 1] = "";
        uint64_t fields[DEVICE_LATEST_FIELDS];

        if (!read_at(file, device[i].offset, text, DEVICE_LATEST_SIZE) ||
            !take_fields(text, fields))
            continue;
        device[i].ticks = fields[DEVICE_LATEST_DONE];
        device[i].device = (uint32_t)fields[DEVICE_LATEST_DEVICE];
        memcpy(device[i].values, &fields[DEVICE_LATEST_VALUES], sizeof device[i].values);
        memcpy(device[i].most, &fields[DEVICE_LATEST_MOST], sizeof device[i].most);
    }
}

/* Looks through the facts that have come, for sums of requests and readings of devices. */
static void find_changing(struct live_file *file, struct live_chunk *chunk, uint64_t used)
{
    struct trace_fact fact;

    while (chunk->taken + sizeof fact <= used &&
           read_at(file, chunk->offset + chunk->taken, &fact, sizeof fact) &&
           fact.kind != TRACE_FACT_NONE && fact.size <= used - chunk->taken - sizeof fact) {
        if (fact.kind == TRACE_FACT_REQUESTS && fact.size == sizeof(struct trace_request_sums))
            *(struct live_request_sums *)array_add(&file->requests) = (struct live_request_sums){
                .offset = chunk->offset + chunk->taken + sizeof fact, .sums.hour = UINT64_MAX};
        note_device(file, chunk->offset + chunk->taken + sizeof fact, &fact);
        chunk->taken += sizeof fact + (fact.size + sizeof fact - 1) / sizeof fact * sizeof fact;
    }
}

static void take_facts(struct live_file *file, struct live_frame *frame)
{
    struct live_chunk *chunk = file->facts.items;
    struct trace_chunk head;

    for (size_t i = 0; i < file->facts.count; i++)
        if (read_at(file, chunk[i].offset, &head, sizeof head) &&
            is_sound(&head, chunk[i].offset)) {
            frame->fact_bytes += head.used;
            find_changing(file, &chunk[i], head.used);
        }
}

/* The sums of the hour before last no longer change: a request may end in the next hour. */
static void read_requests(struct live_file *file)
{
    struct live_request_sums *requests = file->requests.items;
    uint64_t hour = file->hour;

    for (size_t i = 0; i < file->requests.count; i++) {
        if (requests[i].sums.hour != UINT64_MAX && requests[i].sums.hour + 1 < hour)
            continue;
        if (!read_at(file, requests[i].offset, &requests[i].sums, sizeof requests[i].sums))
            requests[i].sums = (struct trace_request_sums){.hour = UINT64_MAX};
        else if (requests[i].sums.hour > file->hour)
            file->hour = requests[i].sums.hour;
    }
}

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

bool live_file_read(struct live_file *file, struct live_frame *frame)
{
    array_truncate(&frame->lanes, 0);
    array_truncate(&frame->cells, 0);
    frame->fact_bytes = 0;
    if (!read_header(file, &frame->header))
        return false;
    walk(file, frame->header.size);
    frame->taken_ns = now_ns();
    read_lanes(file, frame);
    take_facts(file, frame);
    read_requests(file);
    read_devices(file);
    return true;
}

/* ---- one after another ----------------------------------------------------------------- */

const struct live_lane *live_frame_lane(const struct live_frame *frame, uint32_t number)
{
    const struct live_lane *lane = frame->lanes.items;

    for (size_t i = 0; i < frame->lanes.count; i++)
        if (lane[i].lane == number)
            return &lane[i];
    return NULL;
}

static bool slot_follows(const struct trace_slot *before, const struct trace_slot *now)
{
    return now->binding == before->binding && now->node == before->node &&
           now->site == before->site && now->calls >= before->calls &&
           now->ticks >= before->ticks && now->untimed >= before->untimed &&
           memcmp(now->shape, before->shape, sizeof now->shape) == 0;
}

static bool node_follows(const struct trace_node *before, const struct trace_node *now)
{
    return now->parent == before->parent && now->label == before->label &&
           now->calls >= before->calls && now->allocations >= before->allocations &&
           now->allocated_bytes >= before->allocated_bytes && now->frees >= before->frees;
}

static bool wait_follows(const struct trace_wait *before, const struct trace_wait *now)
{
    return now->call == before->call && now->node == before->node && now->site == before->site &&
           now->calls >= before->calls && now->ticks >= before->ticks &&
           now->untimed >= before->untimed && now->bytes >= before->bytes;
}

static bool cell_follows(const union trace_cell *before, const union trace_cell *now)
{
    if (before->kind == TRACE_CELL_NONE)
        return true;
    if (now->kind != before->kind)
        return false;
    switch ((enum trace_cell_kind)now->kind) {
    case TRACE_CELL_NODE: return node_follows(&before->node, &now->node);
    case TRACE_CELL_SLOT: return slot_follows(&before->slot, &now->slot);
    case TRACE_CELL_WAIT: return wait_follows(&before->wait, &now->wait);
    case TRACE_CELL_COMMAND: return now->command.calls >= before->command.calls;
    case TRACE_CELL_NONE: break;
    }
    return true;
}

static bool lane_follows(const struct live_frame *before, const struct live_lane *was,
                         const struct live_frame *frame, const struct live_lane *is)
{
    if (is->count < was->count)
        return false;
    for (size_t i = 1; i < was->count; i++)
        if (!cell_follows(live_frame_cell(before, was, i), live_frame_cell(frame, is, i)))
            return false;
    return true;
}

static bool follows(const struct live_frame *before, const struct live_frame *frame)
{
    const struct live_lane *was = before->lanes.items;

    if (frame->header.pid != before->header.pid ||
        frame->header.start.monotonic_ns != before->header.start.monotonic_ns)
        return false;
    for (size_t i = 0; i < before->lanes.count; i++) {
        const struct live_lane *is = live_frame_lane(frame, was[i].lane);

        if (!is || !lane_follows(before, &was[i], frame, is))
            return false;
    }
    return true;
}

bool live_file_follows(struct live_file *file, const struct live_frame *before,
                       const struct live_frame *frame)
{
    bool can = follows(before, frame);

    file->dropped += !can;
    return can;
}
