/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads /proc/self/smaps piece by piece, and sums its mappings by kind.
 *
 * The mappings of an object follow one another; whether the file is code is known only at the
 * first of them that may be executed.  So a file counts at its last mapping.
 *
 * Of the mapping with most memory in huge pages, some pages are read, too: whether the program has
 * used them.
 *
 * The sums are in static memory, because stacks may be small: one thread at a time has them.
 */
#include "record/resident.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "platform/aside.h"
#include "platform/calls.h"
#include "platform/clock.h"
#include "platform/memory.h"
#include "record/budget.h"
#include "record/extended.h"
#include "record/facts.h"
#include "record/process.h"
#include "record/region_clock.h"
#include "record/strings.h"
#include "spec/decimal.h"
#include "spec/trace.h"

/* Of the processor time, after a credit.  Half of the credit is kept for the end.  A reading takes
 * at most a quarter of the rest, unless memory is half as much again as in the last one: memory
 * that grows all the time is read up to its peak. */
enum { TIME_SHARE = 100, CREDIT_NS = 14000000, CHILD_CREDIT_NS = 1000000, SAVED_SHARE = 4 };
enum { RUN_SHARE = 200 };
enum { BYTES_PER_NS = 80 /* 13 ms a GiB of small pages */ };
enum { ASKED_SHARE = 20, ASKED_CREDIT_NS = 200000000 };

enum { COPIED_LEAST = 4096, COPIED_SHARE = 4 }; /* page faults: 16 MiB; a quarter of the others */
enum { KIB = 1024, LEAST_CHANGE = 256 * KIB, PEAK_SHARE = 32, LAST_SHARE = 4 };
enum { PIECE_SIZE = 8192, NAME_SIZE = 256, AREAS = 64, AREA_LEAST = 64 * KIB };
enum { HUGE_LEAST = 16 << 20, PAGES_READ = 128, PAGE = 4096 };
enum { SHM_LEAST = 1 << 20 }; /* less is not worth a word */
enum { LIBRARY_BSS_MOST = 4 << 20, STACK_HEAD_MOST = 256 * KIB };

/* glibc's HEAP_MAX_SIZE: an arena of a thread starts at a multiple of it.
 * Source: malloc/arena.c. */
static const uintptr_t arena_alignment = 64u << 20;

/* One mapping. */
struct mapping {
    uintptr_t start;
    uintptr_t end;
    char access[5]; /* "rw-p" */
    bool is_unreserved;
    bool is_never_huge;
    uint64_t bytes;
    uint64_t shared_clean;
    uint64_t shared_dirty;
    uint64_t anonymous;
    uint64_t huge;
    char name[NAME_SIZE]; /* the end of a long one */
};

/* The mappings of one file. */
struct file_sums {
    uintptr_t start; /* 0: none */
    uintptr_t end;
    bool is_code;
    bool is_own;
    uint64_t bytes;
    uint64_t anonymous;
    uint64_t huge;
    uint64_t shared;
    char name[NAME_SIZE];
};

struct part {
    uint64_t bytes;
    uint64_t huge_bytes;
    uint64_t shared_bytes;
    uint64_t most_bytes; /* of the largest file */
    char most[NAME_SIZE];
};

struct area {
    uint64_t start;
    uint64_t length;
    uint64_t bytes;
    uint64_t huge;
};

static struct {
    char piece[PIECE_SIZE];
    size_t used; /* bytes of an incomplete line */
    struct mapping mapping;
    struct file_sums file;
    uintptr_t guard_end; /* the mapping before has no access, and ends there */
    struct part parts[TRACE_RESIDENT_KINDS];
    struct area areas[AREAS];
    unsigned area_count;
    struct area huge; /* the mapping with most memory in huge pages */
    unsigned pages;   /* pages of it that were read */
    unsigned zero_pages;
} sums;

/* The last cost here, or in the parent before the fork: a child has the same mappings. */
static struct {
    uint64_t cost_ns;
    uint64_t bytes; /* resident then; 0: there was none */
} last_price;

/* The file in /dev/shm with most memory so far, and whether it is there at the end. */
static struct {
    uint64_t bytes;
    bool is_left;
    char name[NAME_SIZE];
} shm;

/* ---- mappings that are no arenas ----------------------------------------------------------- */

enum { UNRESERVED = 64, UNRESERVED_LEAST = 1 << 20 /* bytes */ };

/* A free row begins at 0. */
static _Atomic uintptr_t unreserved[UNRESERVED];
static atomic_uint unreserved_rows; /* rows that were ever taken */

void resident_note_unreserved(uintptr_t start, size_t size)
{
    if (size < UNRESERVED_LEAST || start % arena_alignment != 0)
        return;
    for (unsigned i = 0; i < UNRESERVED; i++) {
        uintptr_t none = 0;

        if (!atomic_compare_exchange_strong(&unreserved[i], &none, start))
            continue;
        if (i >= atomic_load(&unreserved_rows))
            atomic_store(&unreserved_rows, i + 1);
        return;
    }
}

void resident_forget_unreserved(uintptr_t start, size_t size)
{
    unsigned rows = atomic_load_explicit(&unreserved_rows, memory_order_relaxed);

    for (unsigned i = 0; i < rows; i++) {
        uintptr_t row = atomic_load(&unreserved[i]);

        if (row != 0 && row - start < size)
            atomic_compare_exchange_strong(&unreserved[i], &row, 0);
    }
}

/* An arena of a thread starts at a multiple of its largest size. */
static bool is_arena(const struct mapping *mapping)
{
    unsigned rows = atomic_load(&unreserved_rows);

    if (!mapping->is_unreserved || mapping->start % arena_alignment != 0)
        return false;
    for (unsigned i = 0; i < rows; i++)
        if (atomic_load(&unreserved[i]) == mapping->start)
            return false;
    return true;
}

/* ---- summing ------------------------------------------------------------------------------- */

static void add_bytes(enum trace_resident kind, uint64_t bytes, uint64_t huge, uint64_t shared)
{
    sums.parts[kind].bytes += bytes;
    sums.parts[kind].huge_bytes += huge;
    sums.parts[kind].shared_bytes += shared;
}

static void add_mapping(enum trace_resident kind, const struct mapping *mapping)
{
    add_bytes(kind, mapping->bytes, mapping->huge, mapping->shared_clean + mapping->shared_dirty);
}

static void note_name(enum trace_resident kind, uint64_t bytes, const char *name)
{
    struct part *part = &sums.parts[kind];

    if (bytes <= part->most_bytes)
        return;
    part->most_bytes = bytes;
    memcpy(part->most, name, sizeof part->most);
}

/* The kernel marks the name of a file that was removed. */
static void note_shm(const struct file_sums *file)
{
    if (file->bytes < SHM_LEAST || file->bytes <= shm.bytes || strstr(file->name, " (deleted)"))
        return;
    shm.bytes = file->bytes;
    memcpy(shm.name, file->name, sizeof shm.name);
}

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static bool is_shared_memory(const char *name)
{
    return starts_with(name, "/memfd:") || starts_with(name, "/SYSV") ||
           starts_with(name, "/dev/zero") || starts_with(name, "[anon_shmem");
}

/* The pages of code that were written belong to the data. */
static void end_file(void)
{
    struct file_sums *file = &sums.file;

    if (file->start == 0)
        return;
    if (file->is_own)
        add_bytes(TRACE_RESIDENT_OWN, file->bytes, file->huge, file->shared);
    else if (file->is_code) {
        uint64_t huge_data = file->huge < file->anonymous ? file->huge : file->anonymous;

        add_bytes(TRACE_RESIDENT_CODE, file->bytes - file->anonymous, file->huge - huge_data,
                  file->shared);
        add_bytes(TRACE_RESIDENT_DATA, file->anonymous, huge_data, 0);
    } else if (starts_with(file->name, "/dev/shm/")) {
        add_bytes(TRACE_RESIDENT_SHM, file->bytes, file->huge, file->shared);
        note_name(TRACE_RESIDENT_SHM, file->bytes, file->name);
        note_shm(file);
    } else if (is_shared_memory(file->name)) {
        add_bytes(TRACE_RESIDENT_SHARED, file->bytes, file->huge, file->shared);
        note_name(TRACE_RESIDENT_SHARED, file->bytes, file->name);
    } else {
        add_bytes(TRACE_RESIDENT_FILES, file->bytes, file->huge, file->shared);
        note_name(TRACE_RESIDENT_FILES, file->bytes, file->name);
    }
    file->start = 0;
}

static bool holds(const struct mapping *mapping, const void *address)
{
    return (uintptr_t)address - mapping->start < mapping->end - mapping->start;
}

static void add_file(const struct mapping *mapping)
{
    struct file_sums *file = &sums.file;

    if (file->start == 0 || strcmp(file->name, mapping->name) != 0) {
        end_file();
        *file = (struct file_sums){.start = mapping->start};
        memcpy(file->name, mapping->name, sizeof file->name);
    }
    file->end = mapping->end;
    file->is_code |= mapping->access[2] == 'x';
    file->is_own |= holds(mapping, &sums);
    file->bytes += mapping->bytes;
    file->anonymous += mapping->anonymous;
    file->huge += mapping->huge;
    file->shared += mapping->shared_clean + mapping->shared_dirty;
}

/* The zeroed data of an object follows its file.  Behind a library the kernel may have joined it
 * with other memory. */
static bool is_zeroed_data(const struct mapping *mapping)
{
    const struct file_sums *file = &sums.file;
    uintptr_t program = getauxval(AT_PHDR);

    if (file->start == 0 || !file->is_code || mapping->start != file->end)
        return false;
    return mapping->end - mapping->start <= LIBRARY_BSS_MOST ||
           (file->start <= program && program < file->end);
}

/* The thread-local data of a thread is at the high end of its stack. */
static bool holds_thread(const struct mapping *mapping)
{
    for (const struct lane *lane = process->lanes; lane; lane = lane->next)
        if (holds(mapping, lane->holder))
            return mapping->end - (uintptr_t)lane->holder <= STACK_HEAD_MOST;
    return false;
}

/* Below a stack is its guard.  Linux 6.7 and later gives no stack huge pages, so it joins none with
 * other memory. */
static bool is_stack(const struct mapping *mapping)
{
    return strcmp(mapping->name, "[stack]") == 0 ||
           (sums.guard_end == mapping->start && (mapping->is_never_huge || holds_thread(mapping)));
}

/* Keeps the largest areas. */
static void keep_area(const struct mapping *mapping)
{
    struct area area = {mapping->start, mapping->end - mapping->start, mapping->bytes,
                        mapping->huge};
    unsigned least = 0;

    if (area.bytes < AREA_LEAST)
        return;
    if (sums.area_count < AREAS) {
        sums.areas[sums.area_count++] = area;
        return;
    }
    for (unsigned i = 1; i < AREAS; i++)
        if (sums.areas[i].bytes < sums.areas[least].bytes)
            least = i;
    if (sums.areas[least].bytes < area.bytes)
        sums.areas[least] = area;
}

static void add_area(const struct mapping *mapping)
{
    add_mapping(TRACE_RESIDENT_AREAS, mapping);
    keep_area(mapping);
}

static void note_huge(const struct mapping *mapping)
{
    if (mapping->huge >= HUGE_LEAST && mapping->huge > sums.huge.huge)
        sums.huge = (struct area){mapping->start, mapping->end - mapping->start, mapping->bytes,
                                  mapping->huge};
}

/* Memory without a file, or with a name from the kernel. */
static void add_anonymous(const struct mapping *mapping)
{
    note_huge(mapping);
    if (strcmp(mapping->name, "[heap]") == 0)
        add_mapping(TRACE_RESIDENT_BREAK, mapping);
    else if (is_stack(mapping))
        add_mapping(TRACE_RESIDENT_STACKS, mapping);
    else if (mapping->name[0] == '[' && !starts_with(mapping->name, "[anon:"))
        add_mapping(TRACE_RESIDENT_KERNEL, mapping);
    else if (mapping->access[2] == 'x')
        add_mapping(TRACE_RESIDENT_GENERATED, mapping);
    else if (is_arena(mapping))
        add_mapping(TRACE_RESIDENT_ARENAS, mapping);
    else
        add_area(mapping);
}

static bool is_of_shim(const struct mapping *mapping)
{
    return memory_find(mapping->start, mapping->end - mapping->start).size > 0;
}

static void end_mapping(void)
{
    struct mapping *mapping = &sums.mapping;

    if (mapping->end == 0)
        return;
    if (is_of_shim(mapping))
        add_mapping(TRACE_RESIDENT_OWN, mapping);
    else if (mapping->name[0] == '/')
        add_file(mapping);
    else if (is_zeroed_data(mapping))
        add_mapping(sums.file.is_own ? TRACE_RESIDENT_OWN : TRACE_RESIDENT_DATA, mapping);
    else {
        end_file();
        add_anonymous(mapping);
    }
    sums.guard_end = starts_with(mapping->access, "---") ? mapping->end : 0;
    mapping->end = 0;
}

/* ---- reading ------------------------------------------------------------------------------- */

static const char *read_hexadecimal(const char *text, uintptr_t *number)
{
    for (*number = 0;; text++) {
        unsigned digit = (unsigned)(*text - '0');

        if (digit > 9)
            digit = *text >= 'a' && *text <= 'f' ? (unsigned)(*text - 'a' + 10) : 16;
        if (digit > 15)
            return text;
        *number = *number << 4 | digit;
    }
}

/* "START-END rw-p OFFSET DEVICE INODE      NAME" */
static void begin_mapping(const char *line)
{
    enum { FIELDS_BEFORE_NAME = 4 };
    struct mapping *mapping = &sums.mapping;
    size_t length;

    end_mapping();
    memset(mapping, 0, sizeof *mapping);
    line = read_hexadecimal(line, &mapping->start);
    line = read_hexadecimal(line + (*line == '-'), &mapping->end);
    for (unsigned i = 0; i < FIELDS_BEFORE_NAME && *line == ' '; i++) {
        line++;
        if (i == 0)
            memcpy(mapping->access, line, strnlen(line, sizeof mapping->access - 1));
        line += strcspn(line, " ");
    }
    line += strspn(line, " ");
    length = strlen(line);
    if (length >= NAME_SIZE && *line == '/') /* a long one keeps its end */
        snprintf(mapping->name, sizeof mapping->name, "/...%s", line + length - NAME_SIZE + 5);
    else
        memcpy(mapping->name, line, length < NAME_SIZE ? length : NAME_SIZE - 1);
}

static bool has_flag(const char *flags, const char *flag)
{
    return strstr(flags, flag) != NULL;
}

/* "Rss:        12 kB" */
static void take_field(const char *line)
{
    struct mapping *mapping = &sums.mapping;
    const struct {
        const char *name;
        uint64_t *to;
    } fields[] = {{"Rss:", &mapping->bytes},
                  {"Shared_Clean:", &mapping->shared_clean},
                  {"Shared_Dirty:", &mapping->shared_dirty},
                  {"Anonymous:", &mapping->anonymous},
                  {"AnonHugePages:", &mapping->huge}};

    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (starts_with(line, fields[i].name)) {
            *fields[i].to = decimal_at(line + strlen(fields[i].name), 0) * KIB;
            return;
        }
    if (!starts_with(line, "VmFlags:"))
        return;
    mapping->is_unreserved = has_flag(line, " nr");
    mapping->is_never_huge = has_flag(line, " nh");
}

static void take_line(const char *line)
{
    if ((*line >= '0' && *line <= '9') || (*line >= 'a' && *line <= 'f'))
        begin_mapping(line);
    else
        take_field(line);
}

/* A line that fills the room is cut: only names are so long. */
static void take_lines(size_t size)
{
    char *line = sums.piece, *end = sums.piece + size, *newline;

    while ((newline = memchr(line, '\n', (size_t)(end - line))) != NULL) {
        *newline = '\0';
        take_line(line);
        line = newline + 1;
    }
    sums.used = (size_t)(end - line);
    if (sums.used == sizeof sums.piece)
        sums.used = 0;
    memmove(sums.piece, line, sums.used);
}

/* ---- pages of zeros ------------------------------------------------------------------------ */

/* A page that is not there must not be read: that would give it to the program.
 * Source: Documentation/admin-guide/mm/pagemap.rst of Linux, bit 63. */
static bool is_present(int pagemap, uint64_t address)
{
    uint64_t entry = 0;

    return calls_system(SYS_pread64, pagemap, &entry, sizeof entry,
                        address / PAGE * sizeof entry) == sizeof entry &&
           entry >> 63 != 0;
}

static bool is_zero(const char *page)
{
    return page[0] == 0 && memcmp(page, page + 1, PAGE - 1) == 0;
}

/* The program may unmap the page meanwhile, so it is read through a file. */
static void read_page(int memory, uint64_t address)
{
    if (calls_system(SYS_pread64, memory, sums.piece, PAGE, address) != PAGE)
        return;
    sums.pages++;
    sums.zero_pages += is_zero(sums.piece);
}

/* Steps of the golden section reach all parts of the mapping. */
static void read_pages(int memory, int pagemap)
{
    const uint32_t golden = 2654435769; /* of 2^32 */
    uint32_t place = 0;

    for (unsigned i = 0; i < PAGES_READ; i++) {
        uint64_t address;

        place += golden;
        address = sums.huge.start + (place * (sums.huge.length / PAGE) >> 32) * PAGE;
        if (is_present(pagemap, address))
            read_page(memory, address);
    }
}

/* Huge pages make 2 MiB resident where one byte is written: the rest holds zeros. */
static void read_huge(void)
{
    int memory, pagemap;

    if (sums.huge.huge == 0 || sysconf(_SC_PAGESIZE) != PAGE)
        return;
    memory = calls_open("/proc/self/mem", O_RDONLY | O_CLOEXEC, 0);
    pagemap = calls_open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC, 0);
    if (memory >= 0 && pagemap >= 0)
        read_pages(memory, pagemap);
    if (memory >= 0)
        calls_close(memory);
    if (pagemap >= 0)
        calls_close(pagemap);
}

/* Without the file, no part has a byte. */
static void read_all(void *unused)
{
    int descriptor = calls_open("/proc/self/smaps", O_RDONLY | O_CLOEXEC, 0);
    ssize_t got;

    (void)unused;
    if (descriptor < 0)
        return;
    while ((got = calls_read(descriptor, sums.piece + sums.used, sizeof sums.piece - sums.used)) >
           0)
        take_lines(sums.used + (size_t)got);
    calls_close(descriptor);
    end_mapping();
    end_file();
    read_huge();
}

/* ---- writing ------------------------------------------------------------------------------- */

static void write_part(struct lane *lane, uint64_t now, enum trace_resident kind)
{
    const struct part *part = &sums.parts[kind];
    const uint64_t words[] = {kind, part->bytes, part->huge_bytes, part->shared_bytes,
                              part->most_bytes > 0 ? strings_intern(part->most) : 0};

    if (part->bytes > 0)
        extended_write(lane, now, TRACE_EXTENDED_PART, words, sizeof words / sizeof *words);
}

static void write_area(struct lane *lane, uint64_t now, const struct area *area)
{
    const uint64_t words[] = {area->start, area->length, area->bytes, area->huge};

    extended_write(lane, now, TRACE_EXTENDED_AREA, words, sizeof words / sizeof *words);
}

static void write_zeros(struct lane *lane, uint64_t now)
{
    const uint64_t words[] = {sums.huge.start, sums.huge.bytes, sums.huge.huge, sums.pages,
                              sums.zero_pages};

    if (sums.pages > 0)
        extended_write(lane, now, TRACE_EXTENDED_ZEROS, words, sizeof words / sizeof *words);
}

static void read_and_write(struct lane *lane)
{
    uint64_t now;

    memset(&sums, 0, sizeof sums);
    if (process->resident.last_bytes == 0) /* of the parent */
        shm.bytes = 0;
    aside_run(read_all, NULL);
    now = clock_read();
    for (unsigned kind = 0; kind < TRACE_RESIDENT_KINDS; kind++)
        write_part(lane, now, kind);
    for (unsigned i = 0; i < sums.area_count; i++)
        write_area(lane, now, &sums.areas[i]);
    write_zeros(lane, now);
}

static bool has_copied(const struct trace_reading *reading)
{
    uint64_t last = process->resident.last_faults;

    return process->file.header->is_forked == 1 &&
           reading->minor_faults > last + last / COPIED_SHARE + COPIED_LEAST;
}

static bool has_changed(const struct trace_reading *reading)
{
    const struct process_resident *state = &process->resident;
    uint64_t rss_bytes = reading->rss_bytes;
    uint64_t last = state->last_bytes, peak = state->peak_bytes;
    uint64_t change = rss_bytes > last ? rss_bytes - last : last - rss_bytes;

    return rss_bytes > peak + peak / PEAK_SHARE + LEAST_CHANGE ||
           change > last / LAST_SHARE + LEAST_CHANGE || has_copied(reading);
}

/* Expects the last cost, and that of walking the memory that came since.  Small memory has nearly
 * all of its cost by its mappings, so the cost does not grow in proportion. */
static uint64_t expected_ns(uint64_t rss_bytes)
{
    uint64_t more = rss_bytes > last_price.bytes ? rss_bytes - last_price.bytes : 0;

    return last_price.cost_ns + more / BYTES_PER_NS;
}

/* A forked worker may live for 50 ms, and a job has many.  One that lives for long, and mostly
 * waits, has more. */
static uint64_t credit_ns(enum resident_occasion occasion)
{
    uint64_t credit_ns = process->is_root ? CREDIT_NS : CHILD_CREDIT_NS;
    uint64_t lived_ns = budget_run_ns() / RUN_SHARE;

    if (!process->is_root)
        credit_ns += lived_ns < CREDIT_NS / 2 ? lived_ns : CREDIT_NS / 2;
    return occasion == RESIDENT_AT_END ? credit_ns : credit_ns / 2;
}

static bool is_affordable(uint64_t rss_bytes, enum resident_occasion occasion)
{
    const struct process_resident *state = &process->resident;
    uint64_t cost_ns = expected_ns(rss_bytes), whole_ns, left_ns;

    if (occasion == RESIDENT_ASKED)
        return state->spent_ns + cost_ns <= budget_run_ns() / ASKED_SHARE + ASKED_CREDIT_NS;
    whole_ns = budget_cpu_ns() / TIME_SHARE + credit_ns(occasion);
    left_ns = whole_ns > state->spent_ns ? whole_ns - state->spent_ns : 0;
    if (occasion != RESIDENT_AT_END && rss_bytes < 2 * state->last_bytes)
        left_ns /= SAVED_SHARE;
    return cost_ns <= left_ns;
}

bool resident_is_due(const struct trace_reading *reading, enum resident_occasion occasion)
{
    return reading->rss_bytes != UINT64_MAX &&
           (occasion == RESIDENT_ASKED || has_changed(reading)) &&
           is_affordable(reading->rss_bytes, occasion);
}

static uint64_t processor_ns(void)
{
    return calls_clock(CLOCK_THREAD_CPUTIME_ID) + aside_cpu_ns;
}

static void note_cost(const struct trace_reading *reading, uint64_t cost_ns)
{
    struct process_resident *state = &process->resident;
    uint64_t rss_bytes = reading->rss_bytes;

    state->last_bytes = rss_bytes;
    state->last_faults = reading->minor_faults;
    state->peak_bytes = rss_bytes > state->peak_bytes ? rss_bytes : state->peak_bytes;
    state->spent_ns += cost_ns;
    last_price.cost_ns = cost_ns;
    last_price.bytes = rss_bytes;
}

void resident_write(struct lane *lane, const struct trace_reading *reading,
                    enum resident_occasion occasion)
{
    struct process_resident *state = &process->resident;
    uint64_t start_ns, region_start_ns;

    if (atomic_exchange(&state->is_read, true))
        return;
    if (resident_is_due(reading, occasion)) {
        start_ns = processor_ns();
        region_start_ns = region_clock_now();
        read_and_write(lane);
        region_clock_owe_since(lane, region_start_ns); /* it may be at the border of a region */
        note_cost(reading, processor_ns() - start_ns);
    }
    atomic_store(&state->is_read, false);
}

void resident_end(void)
{
    bool was_read = process->resident.last_bytes > 0;

    shm.is_left =
        was_read && shm.bytes > 0 && calls_system(SYS_faccessat, AT_FDCWD, shm.name, F_OK) == 0;
}

bool resident_write_facts(unsigned *written)
{
    if (*written == 0 && shm.is_left)
        *written = facts_write_text("shm_left", shm.name);
    return *written == shm.is_left;
}
