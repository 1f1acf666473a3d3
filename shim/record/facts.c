/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Gathering and writing facts.  What finds no room is tried again at the next
 * flush, and nothing after it before: the pieces of the catalog have an order.
 */
#include "record/facts.h"

#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "call/object.h"
#include "hook/bindings.h"
#include "hook/catalog.h"
#include "hook/deep.h"
#include "hook/hook.h"
#include "hook/load_map.h"
#include "platform/calls.h"
#include "platform/cpu.h"
#include "platform/environment.h"
#include "platform/memory.h"
#include "platform/next.h"
#include "record/process.h"
#include "record/settings.h"
#include "record/strings.h"
#include "sampler/snapshot.h"
#include "spec/decimal.h"

enum { CHUNK_SIZE = FILE_UNIT, CATALOG_PIECE = 8192, COMMAND_MAX = 65536 };

/* ---- writing ----------------------------------------------------------- */

static struct trace_chunk *chunk_for(size_t needed)
{
    struct facts *facts = &process->facts;
    struct trace_chunk *chunk = facts->chunk;
    uint64_t size = CHUNK_SIZE;

    if (chunk && chunk->size - chunk->used >= needed)
        return chunk;
    while (size < needed + sizeof *chunk)
        size += CHUNK_SIZE;
    chunk = file_claim(&process->file, TRACE_FACTS, 0, facts->sequence, size);
    if (!chunk)
        return NULL;
    facts->sequence++;
    facts->chunk = chunk; /* the one before stays mapped: it is small, and there are few */
    return chunk;
}

void *facts_write(enum trace_fact_kind kind, const void *head, size_t head_size, const void *bytes,
                  size_t size)
{
    struct trace_fact fact = {kind, (uint32_t)(head_size + size)};
    size_t needed = (sizeof fact + fact.size + 7) & ~(size_t)7;
    struct trace_chunk *chunk = chunk_for(needed);
    char *to;

    if (!chunk)
        return NULL;
    to = (char *)chunk + chunk->used;
    memcpy(to, &fact, sizeof fact);
    if (head_size > 0)
        memcpy(to + sizeof fact, head, head_size);
    if (size > 0)
        memcpy(to + sizeof fact + head_size, bytes, size);
    atomic_store_explicit((_Atomic uint64_t *)&chunk->used, chunk->used + needed,
                          memory_order_release);
    return to + sizeof fact;
}

/* This and what follows return false when there is no room. */
static bool write_property(const char *key, const char *value, size_t size)
{
    return facts_write(TRACE_FACT_PROPERTY, key, strlen(key) + 1, value, size);
}

static bool write_text(const char *key, const char *value)
{
    return value[0] == '\0' || write_property(key, value, strlen(value));
}

static bool write_number(const char *key, uint64_t value)
{
    char text[24];

    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    return write_text(key, text);
}

/* ---- the process ------------------------------------------------------- */

/* Read a small file of /proc or /sys whole.  Returns: its size, or -1. */
static ssize_t read_file(const char *path, char *text, size_t size)
{
    int descriptor = calls_open(path, O_RDONLY | O_CLOEXEC, 0);
    ssize_t used;

    if (descriptor < 0)
        return -1;
    used = calls_read(descriptor, text, size);
    calls_close(descriptor);
    return used;
}

static void write_command(void)
{
    char *command = memory_map(COMMAND_MAX);
    ssize_t size = command ? read_file("/proc/self/cmdline", command, COMMAND_MAX) : -1;

    if (size > 0)
        write_property("command", command, (size_t)size);
    if (command)
        memory_unmap(command, COMMAND_MAX);
}

static bool is_of_interest(const char *variable)
{
    static const char *const patterns[] = {
#define VARIABLE(name) name,
#include "spec/environment.def"
#undef VARIABLE
    };
    size_t length = strcspn(variable, "=");

    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        size_t known = strlen(patterns[i]);

        if (patterns[i][known - 1] == '*'
                ? strncmp(variable, patterns[i], known - 1) == 0
                : known == length && memcmp(variable, patterns[i], known) == 0)
            return true;
    }
    return false;
}

static void write_environment(void)
{
    for (char **variable = environ; variable && *variable; variable++)
        if (is_of_interest(*variable))
            write_text("environment", *variable);
}

static void write_options(void)
{
    static char text[512]; /* under the lock */

    for (unsigned i = 0; i < SETTINGS_COUNT; i++) {
        snprintf(text, sizeof text, "%s=%s", settings_variable((enum settings_id)i),
                 settings.text[i]);
        write_text("option", text);
    }
}

/* A file that begins with a number, which is below 2^63.  Returns: 0 when it has none,
 * as of "max" and -1. */
static uint64_t read_number(const char *path)
{
    char text[64] = "";

    if (read_file(path, text, sizeof text - 1) <= 0 || text[0] < '0' || text[0] > '9')
        return 0;
    return decimal_at(text, 0);
}

/* The quota of the control group that stands at the mount, as a container sees it: of
 * version 2, or else of version 1.  Returns: processors, rounded up; 0 when there is none. */
static uint64_t quota_cpus(void)
{
    uint64_t quota = 0, period = 0;
    char text[64] = "";
    const char *rest;

    if (read_file("/sys/fs/cgroup/cpu.max", text, sizeof text - 1) > 0) {
        rest = decimal_read(text, &quota);
        if (!rest || !decimal_read(rest, &period))
            return 0;
    } else {
        quota = read_number("/sys/fs/cgroup/cpu/cpu.cfs_quota_us");
        period = read_number("/sys/fs/cgroup/cpu/cpu.cfs_period_us");
    }
    return period > 0 ? (quota + period - 1) / period : 0;
}

/* Processors this process may run on: its affinity, and no more than the quota. */
static uint64_t allowed_cpus(void)
{
    cpu_set_t set;
    uint64_t count = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t quota = quota_cpus();

    if (sched_getaffinity(0, sizeof set, &set) == 0)
        count = (uint64_t)CPU_COUNT(&set);
    return quota > 0 && quota < count ? quota : count;
}

/* Of the same control group, in bytes; 0 when there is none.  In version 1 none is the most
 * pages that there can be. */
static uint64_t memory_limit(void)
{
    static const uint64_t none = UINT64_C(1) << 62;
    uint64_t limit = read_number("/sys/fs/cgroup/memory.max");

    if (limit == 0)
        limit = read_number("/sys/fs/cgroup/memory/memory.limit_in_bytes");
    return limit < none ? limit : 0;
}

static void write_machine(void)
{
    static struct utsname names; /* under the lock, as is the text */
    static char text[256];
    uint64_t limit = memory_limit();

    if (uname(&names) == 0) {
        write_text("host", names.nodename);
        write_text("kernel", names.release);
    }
    cpu_name(text, sizeof text);
    write_text("cpu", text);
    write_number("cpu_count", allowed_cpus());
    if (limit > 0)
        write_number("memory_limit", limit);
}

/* Once, when there is a chunk for it.  Under the lock, so the buffer may be
 * static: stacks may be small. */
static bool write_process(void)
{
    static char path[PATH_MAX];

    if (process->facts.has_process)
        return true;
    if (!chunk_for(sizeof(struct trace_fact)))
        return false;
    process->facts.has_process = true;
    write_command();
    environment_program_path(path, sizeof path);
    write_text("program", path);
    write_machine();
    write_environment();
    write_options();
    return true;
}

/* ---- the catalog and the load map -------------------------------------- */

static bool write_catalog(const struct catalog_part *part)
{
    size_t *done = &process->facts.catalog_done;
    enum trace_fact_kind kind = part->is_packed ? TRACE_FACT_PACKED_CATALOG : TRACE_FACT_CATALOG;

    while (*done < part->size) {
        size_t left = part->size - *done;
        size_t piece = left < CATALOG_PIECE ? left : CATALOG_PIECE;

        if (!facts_write(kind, NULL, 0, part->text + *done, piece))
            return false;
        *done += piece;
    }
    *done = 0;
    return true;
}

/* Whose malloc stands behind ours, and whether another stands before it: once
 * the objects are known. */
static bool write_allocator(void)
{
    const struct loaded *behind;
    const struct load_map_module *before;

    if (process->facts.has_allocator || load_map_module_count == 0)
        return true;
    behind = load_map_find((uintptr_t)next.malloc);
    before = load_map_find_definer("malloc");
    process->facts.has_allocator =
        (!behind || write_text("allocator", load_map_module(behind)->path)) &&
        (!before || write_text("malloc_owner", before->path));
    return process->facts.has_allocator;
}

static bool write_module(const struct load_map_module *module)
{
    static char bytes[LOAD_MAP_BUILD_ID_MAX + LOAD_MAP_PATH_MAX]; /* under the lock */
    size_t path_size = strlen(module->path);

    memcpy(bytes, module->build_id, module->fact.build_id_size);
    memcpy(bytes + module->fact.build_id_size, module->path, path_size);
    return facts_write(TRACE_FACT_MODULE, &module->fact, sizeof module->fact, bytes,
                       module->fact.build_id_size + path_size);
}

static bool write_gone(const struct trace_gone *gone)
{
    return facts_write(TRACE_FACT_GONE, gone, sizeof *gone, NULL, 0);
}

static bool write_binding(const struct binding *binding)
{
    struct trace_binding fact = {binding->id, binding->symbol->kernel, (uintptr_t)binding->target,
                                 (uintptr_t)bindings_mark(binding)};

    return facts_write(TRACE_FACT_BINDING, &fact, sizeof fact, binding->symbol->name,
                       strlen(binding->symbol->name));
}

static bool write_hook(struct hook_row *row)
{
    row->written = facts_write(TRACE_FACT_HOOK, &row->fact, sizeof row->fact, row->symbol->name,
                               strlen(row->symbol->name));
    return row->written;
}

/* Slots that were found since.  A forked child has written its rows anew. */
static void update_hook(const struct hook_row *row)
{
    if (row->written)
        atomic_store_explicit((_Atomic uint32_t *)&row->written->slots, row->fact.slots,
                              memory_order_relaxed);
}

/* What the coverage record lacks; 0 is not worth a row. */
static bool write_left_out(void)
{
    static const char *const keys[] = {"objects_left_out", "hooks_left_out", "namespace_objects",
                                       "deep_unseen", "labels_refused"};
    const unsigned counts[] = {load_map_left_out(), hook_rows_left_out(), load_map_in_spaces(),
                               deep_unseen(), process->strings.refused};
    struct facts *facts = &process->facts;

    for (unsigned i = 0; i < FACTS_COUNTS; i++) {
        if (facts->counts[i] != counts[i] && !write_number(keys[i], counts[i]))
            return false;
        facts->counts[i] = counts[i];
    }
    return true;
}

static bool write_obstacle(void)
{
    if (!process->facts.has_obstacle && snapshot_obstacle[0] != '\0')
        process->facts.has_obstacle = write_text("snapshot_obstacle", snapshot_obstacle);
    return process->facts.has_obstacle == (snapshot_obstacle[0] != '\0');
}

static bool write_shape(const struct object_shape *shape)
{
    struct trace_shape fact = {shape->id, shape->kernel, shape->count, 0};
    char bytes[sizeof shape->values + sizeof shape->text];
    size_t values_size = shape->count * sizeof *shape->values;
    size_t text_size = strlen(shape->text);

    memcpy(bytes, shape->values, values_size);
    memcpy(bytes + values_size, shape->text, text_size);
    return facts_write(TRACE_FACT_SHAPE, &fact, sizeof fact, bytes, values_size + text_size);
}

/* ---- what is new ------------------------------------------------------- */

static bool flush_catalog(struct facts *facts)
{
    for (; facts->catalog_parts < catalog_part_count; facts->catalog_parts++)
        if (!write_catalog(&catalog_parts[facts->catalog_parts]))
            return false;
    return true;
}

static bool flush_modules(struct facts *facts)
{
    for (; facts->modules < load_map_module_count; facts->modules++)
        if (!write_module(&load_map_modules[facts->modules]))
            return false;
    for (; facts->gone < load_map_gone_count; facts->gone++)
        if (!write_gone(&load_map_gone[facts->gone]))
            return false;
    return true;
}

static bool flush_bindings(struct facts *facts)
{
    for (; facts->bindings < bindings_count; facts->bindings++)
        if (!write_binding(bindings[facts->bindings]))
            return false;
    return true;
}

static bool flush_shapes(struct facts *facts)
{
    unsigned count = atomic_load_explicit(&object_shape_count, memory_order_acquire);

    for (; facts->shapes < count; facts->shapes++)
        if (!write_shape(&object_shapes[facts->shapes]))
            return false;
    return true;
}

static void update_hooks(const struct facts *facts)
{
    for (unsigned i = 0; i < facts->hooks; i++)
        update_hook(&hook_rows[i]);
}

static bool flush_hooks(struct facts *facts)
{
    for (; facts->hooks < hook_row_count; facts->hooks++)
        if (!write_hook(&hook_rows[facts->hooks]))
            return false;
    return true;
}

bool facts_flush(void)
{
    struct facts *facts = &process->facts;

    update_hooks(facts);
    return strings_flush() && write_process() && flush_catalog(facts) && flush_modules(facts) &&
           flush_bindings(facts) && flush_shapes(facts) && flush_hooks(facts) &&
           write_allocator() && write_left_out() && write_obstacle();
}

void facts_begin(void)
{
    if (settings.snapshot_signal != 0)
        strings_put_signal(settings.snapshot_label);
    facts_flush();
}

void facts_flush_now(void)
{
    if (!process_is_recording())
        return;
    lock_take(&process->lock);
    if (process->file.is_kept)
        facts_flush();
    lock_release(&process->lock);
}
