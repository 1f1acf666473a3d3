/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Creating the trace and claiming chunks.  Space is allocated before it is
 * mapped: on a full disk a store into a hole would be SIGBUS.
 *
 * Decision: doc/decisions/trace-in-memory-first.
 */
#include "trace/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "platform/aside.h"
#include "platform/calls.h"
#include "platform/clock.h"
#include "platform/memory.h"
#include "trace/family.h"

enum {
    IMAGE_TALLIES = TRACE_HEADER_SIZE,
    IMAGE_STACKS = IMAGE_TALLIES + TRACE_TALLY_CHUNK_SIZE,
    IMAGE_EVENTS = IMAGE_STACKS + TRACE_STACK_CHUNK_SIZE,
    IMAGE_MOST = IMAGE_EVENTS + 262144, /* some 16,000 allocations before a child is worth a file */
    NAMES_TRIED = 100,
    ZEROS = 65536,
    ZERO_PIECES = 16,
    TOUCH_STEP = 4096,
    FULL_FIRST = 256, /* places in a page */
    FREE_STEP = 64 << 20,
    FREE_PARTS = 64,
    RESERVE_LEAST = 4 << 20,
    RESERVE_MOST = 1 << 30
};

_Static_assert(TRACE_TALLY_CHUNK_SIZE % FILE_UNIT == 0 && TRACE_STACK_CHUNK_SIZE % FILE_UNIT == 0,
               "chunks are whole units");

static void fill_head(struct trace_chunk *chunk, enum trace_chunk_kind kind, uint32_t lane,
                      uint32_t sequence, uint64_t offset, uint64_t size)
{
    chunk->kind = kind;
    chunk->lane = lane;
    chunk->sequence = sequence;
    chunk->offset = offset;
    chunk->size = size;
    chunk->clock = clock_read_pair();
    chunk->used = kind == TRACE_TALLIES ? sizeof(union trace_cell) : sizeof *chunk;
    atomic_thread_fence(memory_order_release);
    chunk->magic = TRACE_CHUNK_MAGIC;
}

/* Chunks are mapped one by one after the image, so its size is whole pages of the machine.  It is
 * not rounded further: at offsets of whole 64 KiB, some kernels with pages of 4 KiB map 64 KiB at
 * the first touch, which wastes 115 KiB a thread. */
bool file_open_image(struct file *file)
{
    uint64_t size = IMAGE_MOST & ~(getauxval(AT_PAGESZ) - 1);
    char *image = memory_map(size);

    if (!image)
        return false;
    file->header = (struct trace_header *)image;
    file->header->size = size;
    file->image_size = size;
    file->event_bytes = size - IMAGE_EVENTS;
    file->stack_bytes = TRACE_STACK_CHUNK_SIZE;
    file->free_bytes = UINT64_MAX;
    fill_head((struct trace_chunk *)(image + IMAGE_TALLIES), TRACE_TALLIES, 1, 0, IMAGE_TALLIES,
              TRACE_TALLY_CHUNK_SIZE);
    fill_head((struct trace_chunk *)(image + IMAGE_STACKS), TRACE_STACKS, 1, 0, IMAGE_STACKS,
              TRACE_STACK_CHUNK_SIZE);
    fill_head((struct trace_chunk *)(image + IMAGE_EVENTS), TRACE_EVENTS, 1, 0, IMAGE_EVENTS,
              file->event_bytes);
    return true;
}

struct trace_chunk *file_image_tallies(const struct file *file)
{
    return (struct trace_chunk *)((char *)file->header + IMAGE_TALLIES);
}

struct trace_chunk *file_image_stacks(const struct file *file)
{
    return (struct trace_chunk *)((char *)file->header + IMAGE_STACKS);
}

struct trace_chunk *file_image_events(const struct file *file)
{
    return (struct trace_chunk *)((char *)file->header + IMAGE_EVENTS);
}

/* The file is written before it has a name: a process killed meanwhile leaves nothing, instead of
 * an empty trace.  On a file system without nameless files, or without /proc, the name comes
 * first. */
enum { NAMELESS = O_TMPFILE | O_RDWR | O_CLOEXEC };

/* A trace contains the command, paths, functions and labels of the program, so only its user may
 * read it, as with perf.data. */
enum { MODE = S_IRUSR | S_IWUSR };

/* A device or a folder cannot become a trace, and no number is added to its name. */
static bool is_something_else(const char *path)
{
    struct stat status;

    if (calls_stat(path, &status) != 0 || S_ISREG(status.st_mode))
        return false;
    errno = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
    return true;
}

/* In the folder that the path is in.  Returns: a descriptor, or -1. */
static int create_nameless(const char *path)
{
    static char folder[PATH_MAX]; /* under the lock */
    const char *slash = strrchr(path, '/');

    if (!slash)
        return calls_open(".", NAMELESS, MODE);
    snprintf(folder, sizeof folder, "%.*s", slash > path ? (int)(slash - path) : 1, path);
    return calls_open(folder, NAMELESS, MODE);
}

static int create_exclusively(const char *path)
{
    return calls_open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, MODE);
}

/* Give a nameless file its name; if `nameless` is -1, create a file with that name.  An existing
 * file is not replaced.  Returns: the descriptor, or -1. */
static int take_name(const char *path, int nameless)
{
    char link[32];

    if (nameless < 0)
        return create_exclusively(path);
    snprintf(link, sizeof link, "/proc/thread-self/fd/%d", nameless);
    return calls_link_open(link, path) == 0 ? nameless : -1;
}

/* Only the trace of an earlier run may be replaced. */
static bool is_of_earlier_run(int descriptor, const struct trace_header *self)
{
    static struct trace_header old; /* stacks may be small; under the process lock */

    return calls_read(descriptor, &old, sizeof old) == (ssize_t)sizeof old &&
           memcmp(old.magic, TRACE_MAGIC, sizeof old.magic) == 0 && family_is_over(&old, self);
}

static bool stands_at(int descriptor, const char *path)
{
    struct stat opened, there;

    return calls_fstat(descriptor, &opened) == 0 && calls_lstat(path, &there) == 0 &&
           opened.st_dev == there.st_dev && opened.st_ino == there.st_ino;
}

/* Two processes of a run may want to replace the same trace, and the second would remove the first
 * one's.  Only the process that gets the old file's lock may remove it. */
static bool may_unlink(int descriptor, const char *path)
{
    return (calls_flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) &&
           stands_at(descriptor, path);
}

/* Returns: a descriptor, or -1 when the old file stays. */
static int take_name_instead(const char *path, int nameless, const struct trace_header *self)
{
    int old = calls_open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0);
    int descriptor = -1;

    if (old < 0)
        return -1;
    if (is_of_earlier_run(old, self) && may_unlink(old, path) && calls_unlink(path) == 0)
        descriptor = take_name(path, nameless);
    calls_close(old);
    return descriptor;
}

/* Errno is EEXIST when the name is taken. */
static int take_name_at(const char *path, int nameless, const struct trace_header *self)
{
    int descriptor = take_name(path, nameless);

    if (descriptor >= 0 || errno != EEXIST)
        return descriptor;
    descriptor = take_name_instead(path, nameless, self);
    errno = EEXIST;
    return descriptor;
}

/* Take file->path, or file->path.2, .3 ... when that name is taken.
 * Returns: the descriptor; or -1, with the path unchanged. */
static int take_free_name(struct file *file, int nameless)
{
    size_t length = strlen(file->path);
    int descriptor = take_name_at(file->path, nameless, file->header);

    for (int i = 2; descriptor < 0 && errno == EEXIST && i < NAMES_TRIED; i++) {
        snprintf(file->path + length, sizeof file->path - length, ".%d", i);
        descriptor = take_name_at(file->path, nameless, file->header);
    }
    if (descriptor < 0)
        file->path[length] = '\0';
    return descriptor;
}

/* A write beyond RLIMIT_FSIZE would send the program a signal. */
static bool is_within_limit(uint64_t size)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
        size <= limit.rlim_cur)
        return true;
    errno = EFBIG;
    return false;
}

static bool allocate(int descriptor, uint64_t offset, uint64_t size)
{
    int result;

    if (!is_within_limit(offset + size))
        return false;
    do
        result = calls_fallocate(descriptor, offset, size);
    while (result != 0 && errno == EINTR);
    /* If a file system cannot reserve room, writing zeros does. */
    return result == 0 || errno == EOPNOTSUPP || errno == ENOSYS;
}

static bool write_all(int descriptor, uint64_t offset, const char *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t written = calls_pwrite(descriptor, bytes + done, size - done, offset + done);

        if (written < 0 && errno != EINTR)
            return false;
        done += written > 0 ? (size_t)written : 0;
    }
    return true;
}

/* Written zeros are in the page cache and reserved on the disk.  Mapping them then costs 0.7 us a
 * page on ext4; pages that were only allocated cost 4 to 9, each with a fault in the journal.  One
 * call for many pages gets large folios. */
static bool fill_with_zeros(int descriptor, uint64_t offset, uint64_t size)
{
    static char zeros[ZEROS];
    struct iovec pieces[ZERO_PIECES];

    for (uint64_t done = 0; done < size;) {
        uint64_t left = size - done;
        unsigned count = 0;
        ssize_t written;

        for (; count < ZERO_PIECES && left > 0; count++) {
            pieces[count] = (struct iovec){zeros, left < ZEROS ? (size_t)left : ZEROS};
            left -= pieces[count].iov_len;
        }
        written = calls_pwritev(descriptor, pieces, (int)count, offset + done);
        if (written < 0 && errno != EINTR)
            return false;
        done += written > 0 ? (uint64_t)written : 0;
    }
    return true;
}

/* Map all pages of events now, because all will be written.  They are in the page cache, so a store
 * in each is cheaper than memory_fill, which looks up every page of a folio.  Tallies and
 * calls are not touched: most threads need only one page of them. */
static void touch(struct trace_chunk *chunk)
{
    volatile char *byte = (volatile char *)chunk;

    for (uint64_t at = TOUCH_STEP; at < chunk->size; at += TOUCH_STEP)
        byte[at] = 0;
}

/* Other programs write, too: ask again after FREE_STEP bytes, or after a part of the free space.  A
 * file system without blocks gives no answer. */
static void learn_free(struct file *file, int descriptor)
{
    struct statfs status;
    uint64_t step = FREE_STEP;

    if (file->header->size < file->free_due_bytes)
        return;
    if (calls_fstatfs(descriptor, &status) == 0 && status.f_blocks > 0) {
        file->free_bytes = (uint64_t)status.f_bavail * (uint64_t)status.f_bsize;
        if (step > file->free_bytes / FREE_PARTS)
            step = file->free_bytes / FREE_PARTS;
    }
    file->free_due_bytes = file->header->size + step;
}

static bool write_image(const struct file *file, int descriptor)
{
    return allocate(descriptor, 0, file->image_size) &&
           write_all(descriptor, 0, (const char *)file->header, file->image_size);
}

/* The kernel replaces the image by the file in one step, so the pointers of the first lane stay
 * right. */
static bool map_over_image(struct file *file, int descriptor)
{
    struct stat status;

    if (calls_fstat(descriptor, &status) != 0 ||
        !memory_map_file(file->header, file->image_size, descriptor, 0))
        return false;
    memory_fill(file->header, file->image_size);
    file->device = status.st_dev;
    file->inode = status.st_ino;
    learn_free(file, descriptor);
    return true;
}

/* Close a useless file, and remove its name; `path`: NULL when it has none.  Keeps errno. */
static void discard(int descriptor, const char *path)
{
    int error = errno;

    if (path)
        calls_unlink(path);
    calls_close(descriptor);
    errno = error;
}

/* Returns: a descriptor of a file that has the image and a name, or -1. */
static int create_written(struct file *file)
{
    int descriptor = create_nameless(file->path), named;

    if (descriptor < 0)
        return -1;
    named = write_image(file, descriptor) ? take_free_name(file, descriptor) : -1;
    if (named < 0)
        discard(descriptor, NULL);
    return named;
}

/* The same if the name comes first. */
static int create_and_write(struct file *file)
{
    int descriptor = take_free_name(file, -1);

    if (descriptor < 0 || write_image(file, descriptor))
        return descriptor;
    discard(descriptor, file->path);
    return -1;
}

static int create(struct file *file)
{
    int descriptor;

    if (is_something_else(file->path))
        return -1;
    descriptor = create_written(file);
    return descriptor >= 0 ? descriptor : create_and_write(file);
}

static void create_and_map(void *of)
{
    struct file *file = of;
    int descriptor = create(file);

    file->is_kept = descriptor >= 0 && map_over_image(file, descriptor);
    if (file->is_kept)
        calls_close(descriptor);
    else if (descriptor >= 0)
        discard(descriptor, file->path);
}

/* A program may have used up its descriptors. */
bool file_keep(struct file *file)
{
    if (file->is_kept || file->is_failed)
        return file->is_kept;
    aside_run(create_and_map, file);
    if (!file->is_kept && errno == EMFILE)
        aside_try(create_and_map, file);
    if (file->is_kept)
        return true;
    file->is_failed = true;
    file->header->failed_errno = errno;
    return false;
}

/* A file that was cut, and grew again by later writes, has zeros for a header. */
static bool has_header(const struct file *file)
{
    return file->header->size >= file->image_size;
}

/* The same for the last claimed chunk, next to one that is reused. */
static bool has_last(const struct file *file, int descriptor, uint64_t given)
{
    uint32_t magic = 0;

    return file->last_offset == 0 || file->last_offset == given ||
           (calls_pread(descriptor, &magic, sizeof magic, file->last_offset) == sizeof magic &&
            magic == TRACE_CHUNK_MAGIC);
}

/* Open the file again; it must be the created file, and not truncated. */
static int reopen(struct file *file)
{
    struct stat status;
    int descriptor = calls_open(file->path, O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0);
    bool is_same = descriptor >= 0 && calls_fstat(descriptor, &status) == 0 &&
                   status.st_dev == file->device && status.st_ino == file->inode;

    if (descriptor < 0)
        return -1;
    file->is_cut |=
        is_same && (!has_header(file) || (uint64_t)status.st_size < file->header->size);
    if (is_same && !file->is_cut)
        return descriptor;
    calls_close(descriptor);
    errno = ENOENT;
    return -1;
}

struct claim {
    struct file *file;
    uint64_t offset;
    uint64_t size;
    struct trace_chunk *chunk; /* NULL: it is refused */
};

static void map_claim(void *of)
{
    struct claim *claim = of;
    struct file *file = claim->file;
    int descriptor = reopen(file);
    int error;

    if (descriptor < 0)
        return;
    learn_free(file, descriptor);
    if (allocate(descriptor, claim->offset, claim->size) &&
        fill_with_zeros(descriptor, claim->offset, claim->size)) {
        /* The file may have been cut in between, and grown again. */
        file->is_cut |= !has_header(file) || !has_last(file, descriptor, claim->offset);
        if (!file->is_cut)
            claim->chunk = memory_map_file(NULL, claim->size, descriptor, claim->offset);
    }
    error = errno;
    calls_close(descriptor);
    errno = error;
}

/* ---- the reserve ------------------------------------------------------------- */

static bool grow(int descriptor, uint64_t size)
{
    return is_within_limit(size) && calls_system(SYS_ftruncate, descriptor, size) == 0;
}

/* Less address space may be allowed (RLIMIT_AS). */
static void map_reserve(void *of)
{
    struct file *file = of;
    struct file_reserve *reserve = &file->reserve;
    uint64_t offset = file->header->size, size = file->limit_bytes;
    int descriptor = reopen(file);

    if (descriptor < 0)
        return;
    size = size > offset ? size - offset : RESERVE_MOST;
    /* The kernel fills a mapping at once where the program locks all that is mapped. */
    size = memory_locks_new() ? RESERVE_LEAST : size < RESERVE_MOST ? size : RESERVE_MOST;
    for (; size >= RESERVE_LEAST && !reserve->start; size /= 2) {
        reserve->size = size & -(uint64_t)FILE_UNIT;
        if (grow(descriptor, offset + reserve->size))
            reserve->start = memory_map_file(NULL, reserve->size, descriptor, offset);
    }
    reserve->offset = offset;
    calls_close(descriptor);
}

bool file_reserve(struct file *file)
{
    if (file->is_kept && !file->reserve.start)
        aside_run(map_reserve, file);
    return file->reserve.start != NULL;
}

static bool is_in_reserve(const struct file *file, const void *at)
{
    const struct file_reserve *reserve = &file->reserve;

    return reserve->start && (const char *)at >= reserve->start &&
           (const char *)at < reserve->start + reserve->size;
}

/* The file has a hole there, or an old chunk, which begins with its magic.  The kernel gives the
 * pages room on the disk, or answers that there is none.  Before Linux 5.14 it does not know the
 * question; a full disk then ends the recording (record/guard.h). */
static struct trace_chunk *take_reserve(const struct file *file, uint64_t offset, uint64_t size)
{
    const struct file_reserve *reserve = &file->reserve;
    struct trace_chunk *chunk = (void *)(reserve->start + (offset - reserve->offset));

    if (!memory_fill(chunk, size) && errno != EINVAL) {
        errno = ENOSPC;
        return NULL;
    }
    chunk->magic = 0;
    atomic_thread_fence(memory_order_release);
    memset(chunk, 0, size);
    return chunk;
}

static bool has_reserve(const struct file *file, uint64_t offset, uint64_t size)
{
    const struct file_reserve *reserve = &file->reserve;

    return reserve->start && offset >= reserve->offset &&
           offset + size <= reserve->offset + reserve->size;
}

static struct trace_chunk *map_extent(struct file *file, uint64_t offset, uint64_t size)
{
    struct claim claim = {file, offset, size, NULL};

    if (has_reserve(file, offset, size))
        return take_reserve(file, offset, size);
    aside_run(map_claim, &claim);
    if (!claim.chunk && errno == EMFILE)
        aside_try(map_claim, &claim);
    return claim.chunk;
}

static void note_failure(struct file *file)
{
    if (file->is_cut)
        return;
    file->header->failed_chunks++;
    file->header->failed_errno = errno;
}

uint64_t file_bounded_bytes(const struct file *file)
{
    return file->header->size - (file->header->capacity != 0 ? file->event_bytes : 0);
}

bool file_is_in_budget(const struct file *file, enum trace_chunk_kind kind, uint64_t size)
{
    uint64_t limit = kind == TRACE_EVENTS ? file->event_limit_bytes : file->limit_bytes;

    return file->limit_bytes == 0 || (kind == TRACE_EVENTS && file->header->capacity != 0) ||
           file_bounded_bytes(file) + size <= limit;
}

static void refuse(struct file *file)
{
    file->is_at_limit = true;
    errno = EDQUOT;
}

struct trace_chunk *file_claim(struct file *file, enum trace_chunk_kind kind, uint32_t lane,
                               uint32_t sequence, uint64_t size)
{
    uint64_t offset = file->header->size;
    struct trace_chunk *chunk = NULL;

    if (!file_is_in_budget(file, kind, size))
        refuse(file);
    else if (file->is_kept)
        chunk = map_extent(file, offset, size);
    if (!chunk) {
        note_failure(file);
        return NULL;
    }
    fill_head(chunk, kind, lane, sequence, offset, size);
    file->header->size = offset + size;
    file->last_offset = offset;
    file->stack_bytes += kind == TRACE_STACKS ? size : 0;
    return chunk;
}

static void drop_oldest(struct file *file)
{
    file->full_first = (file->full_first + 1) % file->full_size;
    file->full_count--;
}

/* The zeros overwrite the magic first: if the process dies then, the chunk is ignored, and is no
 * mixture of two chunks. */
static struct trace_chunk *reuse_oldest(struct file *file, uint32_t lane, uint32_t sequence)
{
    struct file_extent oldest = file->full[file->full_first];
    struct trace_chunk *chunk = map_extent(file, oldest.offset, oldest.size);

    if (!chunk) {
        note_failure(file);
        return NULL;
    }
    drop_oldest(file);
    if (oldest.closed > file->overwritten_ticks)
        __atomic_store_n(&file->overwritten_ticks, oldest.closed, __ATOMIC_RELAXED);
    fill_head(chunk, TRACE_EVENTS, lane, sequence, oldest.offset, oldest.size);
    file->header->reused_chunks++;
    return chunk;
}

bool file_has_room_to_keep(const struct file *file, uint64_t size)
{
    return file->header->capacity == 0 ||
           (file->kept_bytes + size <= TRACE_INCIDENT_CAPACITIES * file->header->capacity &&
            (file->limit_bytes == 0 || file_bounded_bytes(file) + size <= file->event_limit_bytes));
}

/* Returns: the incident whose time a chunk has records of; NULL: there is none. */
static struct trace_incident *find_incident(const struct file *file,
                                            const struct file_extent *extent)
{
    for (unsigned i = 0; i < TRACE_INCIDENTS_MAX; i++) {
        struct trace_incident *incident = file->incidents[i];

        if (incident && __atomic_load_n(&incident->cause, __ATOMIC_ACQUIRE) != 0 &&
            extent->opened <= incident->quiet_ticks && extent->closed >= incident->from_ticks)
            return incident;
    }
    return NULL;
}

/* The oldest chunk stays in the file unchanged, if it is an incident's.
 * Returns: whether it left the ring. */
static bool keep_oldest(struct file *file)
{
    const struct file_extent *oldest = &file->full[file->full_first];
    struct trace_incident *incident = find_incident(file, oldest);

    if (!incident)
        return false;
    if (!file_has_room_to_keep(file, oldest->size)) {
        incident->refused_bytes += oldest->opened <= incident->to_ticks ? oldest->size : 0;
        return false;
    }
    incident->kept_bytes += oldest->size;
    incident->kept_chunks++;
    file->kept_bytes += oldest->size;
    file->event_bytes -= oldest->size;
    drop_oldest(file);
    return true;
}

static bool is_full(const struct file *file, uint64_t size)
{
    uint64_t capacity = file->header->capacity;

    return capacity != 0 && file->event_bytes + size > capacity && file->full_count > 0;
}

struct trace_chunk *file_claim_events(struct file *file, uint32_t lane, uint32_t sequence,
                                      uint64_t size)
{
    struct trace_chunk *chunk;

    while (is_full(file, size) && keep_oldest(file))
        ;
    if (is_full(file, size)) {
        chunk = reuse_oldest(file, lane, sequence);
    } else {
        chunk = file_claim(file, TRACE_EVENTS, lane, sequence, size);
        file->event_bytes += chunk ? size : 0;
    }
    if (chunk)
        touch(chunk);
    return chunk;
}

/* The image is one mapping with the header: its event chunk stays mapped. */
static bool is_in_image(const struct file *file, const struct trace_chunk *chunk)
{
    return (const char *)chunk >= (const char *)file->header &&
           (const char *)chunk < (const char *)file->header + file->image_size;
}

void file_unmap(const struct file *file, struct trace_chunk *chunk)
{
    if (is_in_reserve(file, chunk))
        calls_system(SYS_madvise, chunk, chunk->size, MADV_DONTNEED); /* it stays in the file */
    else if (!is_in_image(file, chunk))
        memory_unmap(chunk, chunk->size);
}

/* Double the ring, so that it holds the chunks of any capacity.  If memory is refused, the present
 * chunk is never reused. */
static bool grow_full(struct file *file)
{
    unsigned size = file->full_size > 0 ? 2 * file->full_size : FULL_FIRST;
    struct file_extent *bigger = memory_map(size * sizeof *bigger);

    if (!bigger)
        return false;
    for (unsigned i = 0; i < file->full_count; i++)
        bigger[i] = file->full[(file->full_first + i) % file->full_size];
    if (file->full)
        memory_unmap(file->full, file->full_size * sizeof *file->full);
    file->full = bigger;
    file->full_size = size;
    file->full_first = 0;
    return true;
}

void file_release_events(struct file *file, struct trace_chunk *chunk)
{
    struct file_extent extent = {chunk->offset, chunk->size, chunk->clock.ticks, clock_read()};

    file_unmap(file, chunk);
    if (file->header->capacity == 0 || (file->full_count == file->full_size && !grow_full(file)))
        return;
    file->full[(file->full_first + file->full_count++) % file->full_size] = extent;
}
