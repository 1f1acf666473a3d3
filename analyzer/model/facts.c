/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The facts of a trace, which exist besides its events.
 *
 * Facts may come in any order, except the pieces of the catalog.  Numbers in
 * facts are looked up, never used as an index.
 */
#include "model/facts_parts.h"

#include <stdlib.h>
#include <string.h>

#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_layers.h"
#include "model/session_process.h"
#include "model/session_requests.h"
#include "model/session_unknown.h"
#include "model/texts.h"
#include "symbols/stored_symbols.h"

enum {
    FACTS_ALIGN = 8,
    /* Looking up a module is a pass over all of them; more modules than this are damage, and would
     * make it slow. */
    FACTS_MODULES_MAX = 16384,
    FACTS_BINDINGS_MAX = 16384,
    FACTS_SHAPES_MAX = 1 << 20
};

struct facts_binding {
    struct trace_binding fact;
    size_t modules; /* number of modules before it */
};

void facts_init(struct facts *facts, struct session *session, struct storage *storage)
{
    *facts = (struct facts){.session = session, .storage = storage};
    array_init(&facts->strings, sizeof(const char *));
    array_init(&facts->raw_bindings, sizeof(struct facts_binding));
    array_init(&facts->raw_hooks, sizeof(struct trace_hook));
    array_init(&facts->raw_gone, sizeof(struct trace_gone));
    array_init(&facts->looks, sizeof(struct trace_range));
    array_init(&facts->waited, sizeof(struct facts_waited));
    array_init(&facts->shapes, sizeof(struct facts_shape));
    text_init(&facts->catalog);
    text_init(&facts->packed);
}

void facts_fini(struct facts *facts)
{
    array_fini(&facts->strings);
    array_fini(&facts->raw_bindings);
    array_fini(&facts->raw_hooks);
    array_fini(&facts->raw_gone);
    array_fini(&facts->looks);
    id_map_fini(&facts->look_ids);
    array_fini(&facts->waited);
    array_fini(&facts->shapes);
    text_fini(&facts->catalog);
    text_fini(&facts->packed);
    id_map_fini(&facts->string_ids);
    id_map_fini(&facts->module_ids);
    id_map_fini(&facts->binding_ids);
    id_map_fini(&facts->waited_ids);
    id_map_fini(&facts->shape_ids);
}

void facts_skip(struct facts *facts)
{
    facts->bad_facts++;
}

bool facts_take(struct facts_payload *payload, void *head, size_t size)
{
    if (payload->size < size)
        return false;
    memcpy(head, payload->bytes, size);
    payload->bytes += size;
    payload->size -= size;
    return true;
}

const char *facts_keep(struct facts *facts, struct facts_payload payload)
{
    return storage_keep(facts->storage, payload.bytes, payload.size);
}

static enum status read_string(struct facts *facts, struct facts_payload payload)
{
    struct trace_string head;

    if (!facts_take(&payload, &head, sizeof head)) {
        facts_skip(facts);
        return STATUS_OK;
    }
    const char *text = facts_keep(facts, payload);
    const char **place = text ? array_add(&facts->strings) : NULL;
    *place = text;
    id_map_add(&facts->string_ids, head.id, facts->strings.count - 1);
    return STATUS_OK;
}

/* A build ID longer than its field is truncated; the rest still identifies the file. */
static void write_build_id(struct session_module *module, const char *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    size_t most = (sizeof module->build_id - 1) / 2;

    for (size_t i = 0; i < size && i < most; i++) {
        unsigned char byte = (unsigned char)bytes[i];

        module->build_id[2 * i] = digits[byte / 16];
        module->build_id[2 * i + 1] = digits[byte % 16];
    }
}

static enum status read_module(struct facts *facts, struct facts_payload payload)
{
    struct array *modules = &facts->session->modules;
    struct trace_module head;

    if (!facts_take(&payload, &head, sizeof head) || head.build_id_size > payload.size ||
        head.end < head.start || modules->count == FACTS_MODULES_MAX) {
        facts_skip(facts);
        return STATUS_OK;
    }
    struct session_module *module = array_add(modules);
    module->fact = head;
    module->gone_epoch = UINT32_MAX;
    write_build_id(module, payload.bytes, head.build_id_size);
    module->path = storage_keep(facts->storage, payload.bytes + head.build_id_size,
                                payload.size - head.build_id_size);
    id_map_add(&facts->module_ids, head.id, modules->count - 1);
    return STATUS_OK;
}

static void add_binding(struct facts *facts, const struct trace_binding *head, const char *symbol)
{
    struct array *bindings = &facts->session->bindings;
    struct facts_binding *raw = array_add(&facts->raw_bindings);
    struct session_binding *binding = array_add(bindings);

    *raw = (struct facts_binding){*head, facts->session->modules.count};
    *binding = (struct session_binding){
        .symbol = symbol, .target = head->target, .wrapper = head->wrapper};
    id_map_add(&facts->binding_ids, head->id, bindings->count - 1);
}

static enum status read_binding(struct facts *facts, struct facts_payload payload)
{
    struct trace_binding head;

    if (!facts_take(&payload, &head, sizeof head) ||
        facts->raw_bindings.count == FACTS_BINDINGS_MAX) {
        facts_skip(facts);
        return STATUS_OK;
    }
    add_binding(facts, &head, facts_keep(facts, payload));
    return STATUS_OK;
}

static enum status read_hook(struct facts *facts, struct facts_payload payload)
{
    struct trace_hook head;

    if (!facts_take(&payload, &head, sizeof head) || head.outcome >= TRACE_HOOK_OUTCOMES) {
        facts_skip(facts);
        return STATUS_OK;
    }
    struct trace_hook *raw = array_add(&facts->raw_hooks);
    struct session_hook *hook = array_add(&facts->session->hooks);
    *raw = head;
    hook->symbol = facts_keep(facts, payload);
    hook->slots = head.slots;
    hook->outcome = (enum trace_hook_outcome)head.outcome;
    return STATUS_OK;
}

static enum status read_gone(struct facts *facts, struct facts_payload payload)
{
    struct trace_gone head;

    if (!facts_take(&payload, &head, sizeof head) || facts->raw_gone.count == FACTS_MODULES_MAX) {
        facts_skip(facts);
        return STATUS_OK;
    }
    struct trace_gone *raw = array_add(&facts->raw_gone);
    *raw = head;
    return STATUS_OK;
}

/* An event that never had a counter of the processor was not counted. */
static enum status read_counter(struct facts *facts, struct facts_payload payload)
{
    struct trace_counter head;

    if (!facts_take(&payload, &head, sizeof head) || head.counter >= TRACE_COUNTERS ||
        head.running_ns > head.enabled_ns) {
        facts_skip(facts);
        return STATUS_OK;
    }
    struct session_counter *counter = &facts->session->counters[head.counter];
    *counter = (struct session_counter){.is_known = head.running_ns > 0};
    if (counter->is_known) {
        counter->running_fraction = (double)head.running_ns / (double)head.enabled_ns;
        counter->value = (double)head.value / counter->running_fraction;
        return STATUS_OK;
    }
    if (payload.size == 0) {
        counter->reason = counter_never_ran_text.words;
        return STATUS_OK;
    }
    counter->reason = facts_keep(facts, payload);
    return STATUS_OK;
}

static enum status read_shape(struct facts *facts, struct facts_payload payload)
{
    struct trace_shape head;
    int64_t values[CATALOG_SHAPE_MAX] = {0};

    if (!facts_take(&payload, &head, sizeof head) || head.count > CATALOG_SHAPE_MAX ||
        !facts_take(&payload, values, head.count * sizeof *values) ||
        facts->shapes.count == FACTS_SHAPES_MAX) {
        facts_skip(facts);
        return STATUS_OK;
    }
    const char *text = payload.size > 0 ? facts_keep(facts, payload) : NULL;
    struct facts_shape *shape = text || payload.size == 0 ? array_add(&facts->shapes) : NULL;
    shape->kernel = head.kernel;
    shape->count = head.count;
    shape->implementation = text;
    memcpy(shape->values, values, sizeof values);
    id_map_add(&facts->shape_ids, head.id, facts->shapes.count - 1);
    return STATUS_OK;
}

/* Pipes differ by their inodes, and have one name for people. */
static struct facts_waited waited_of(const char *name, enum trace_waited_kind kind)
{
    static const char mark[] = TRACE_PIPE_NAME;

    if (kind != TRACE_WAITED_PIPE || strncmp(name, mark, sizeof mark - 1) != 0)
        return (struct facts_waited){name, kind, 0};
    return (struct facts_waited){"pipe", kind, strtoull(name + sizeof mark - 1, NULL, 10)};
}

static enum status read_waited(struct facts *facts, struct facts_payload payload)
{
    struct trace_waited head;

    if (!facts_take(&payload, &head, sizeof head) || head.kind >= TRACE_WAITED_KINDS ||
        facts->waited.count == FACTS_SHAPES_MAX) {
        facts_skip(facts);
        return STATUS_OK;
    }
    struct facts_waited *waited = array_add(&facts->waited);
    const char *name = facts_keep(facts, payload);
    *waited = waited_of(name, head.kind);
    id_map_add(&facts->waited_ids, head.id, facts->waited.count - 1);
    return STATUS_OK;
}

static enum status read_codes(struct facts *facts, struct facts_payload payload,
                              enum status (*add)(struct python_codes *codes, const char *bytes,
                                                 size_t size))
{
    struct session_python *python = &facts->session->python;
    enum status status;

    if (!python->codes)
        python->codes = python_codes_new();
    status = add(python->codes, payload.bytes, payload.size);
    if (status == STATUS_CORRUPT) {
        facts_skip(facts);
        return STATUS_OK;
    }
    return status;
}

static enum status read_code(struct facts *facts, struct facts_payload payload)
{
    return read_codes(facts, payload, python_codes_add);
}

static enum status read_site(struct facts *facts, struct facts_payload payload)
{
    return read_codes(facts, payload, python_codes_add_site);
}

static enum status read_python(struct facts *facts, struct facts_payload payload)
{
    struct trace_python head;

    if (!facts_take(&payload, &head, sizeof head) || head.off >= TRACE_PYTHON_OFFS) {
        facts_skip(facts);
        return STATUS_OK;
    }
    facts->session->python.is_there = true;
    facts->session->python.fact = head;
    return STATUS_OK;
}

static enum status read_ops(struct facts *facts, struct facts_payload payload)
{
    struct trace_ops head;

    if (!facts_take(&payload, &head, sizeof head)) {
        facts_skip(facts);
        return STATUS_OK;
    }
    facts->session->framework.is_there = true;
    facts->session->framework.fact = head;
    return STATUS_OK;
}

/* A layer that would be around itself is damaged. */
static enum status read_layer(struct facts *facts, struct facts_payload payload)
{
    struct trace_layer head;

    if (!facts_take(&payload, &head, sizeof head) || head.outer >= head.id) {
        facts_skip(facts);
        return STATUS_OK;
    }
    session_add_layer(facts->session, &head, facts_string(facts, head.name),
                      head.path != 0 ? facts_string(facts, head.path) : NULL);
    return STATUS_OK;
}

static enum status read_range(struct facts *facts, struct facts_payload payload)
{
    struct trace_range head, *look;

    if (!facts_take(&payload, &head, sizeof head)) {
        facts_skip(facts);
        return STATUS_OK;
    }
    look = array_add(&facts->looks);
    *look = head;
    id_map_add(&facts->look_ids, head.label, facts->looks.count - 1);
    return STATUS_OK;
}

static const char *name_category(const struct facts *facts, const struct trace_range *range)
{
    struct text text;
    const char *name;

    if (range->category == 0)
        return NULL;
    if (range->category_name != 0)
        return facts_string(facts, range->category_name);
    text_init(&text);
    text_appendf(&text, "%lu", (unsigned long)range->category);
    name = storage_keep(facts->storage, text.bytes, text.size);
    text_fini(&text);
    return name;
}

void facts_find_look(const struct facts *facts, uint32_t label, struct session_look *look)
{
    int64_t index = id_map_find(&facts->look_ids, label);
    const struct trace_range *range;

    if (index == ID_MAP_NONE)
        return;
    range = array_at(&facts->looks, (size_t)index);
    look->has_colour = (range->flags & TRACE_RANGE_HAS_COLOUR) != 0;
    look->colour = range->colour;
    look->category = name_category(facts, range);
}

static enum status read_requests(struct facts *facts, struct facts_payload payload)
{
    struct trace_request_sums raw;

    if (!facts_take(&payload, &raw, sizeof raw)) {
        facts_skip(facts);
        return STATUS_OK;
    }
    *(struct session_request_sums *)array_add(&facts->session->request_sums) =
        (struct session_request_sums){.raw = raw};
    return STATUS_OK;
}

/* Their texts may come after them. */
static void name_requests(struct facts *facts)
{
    struct session_request_sums *sums = facts->session->request_sums.items;

    for (size_t i = 0; i < facts->session->request_sums.count; i++)
        if (sums[i].raw.endpoint != 0)
            sums[i].endpoint = facts_string(facts, sums[i].raw.endpoint);
}

/* Pass a fact to the store of symbols from the files of modules.  Shared ones have it. */
static enum status store(struct facts *facts, struct facts_payload payload,
                         stored_symbols_reader read)
{
    struct symbols *symbols = facts->session->symbols;
    enum status status = STATUS_OK;

    if (!symbols_are_shared(symbols))
        status = read(symbols_stored(symbols), payload.bytes, payload.size);

    if (status == STATUS_CORRUPT) {
        facts_skip(facts);
        return STATUS_OK;
    }
    return status;
}

static enum status read_file(struct facts *facts, struct facts_payload payload)
{
    return store(facts, payload, stored_symbols_read_file);
}

static enum status read_place(struct facts *facts, struct facts_payload payload)
{
    return store(facts, payload, stored_symbols_read_place);
}

static enum status read_function(struct facts *facts, struct facts_payload payload)
{
    return store(facts, payload, stored_symbols_read_function);
}

typedef enum status (*facts_reader)(struct facts *, struct facts_payload);

static const facts_reader facts_readers[TRACE_FACT_KINDS] = {
    [TRACE_FACT_PROPERTY] = facts_read_property,
    [TRACE_FACT_STRING] = read_string,
    [TRACE_FACT_CATALOG] = facts_read_catalog,
    [TRACE_FACT_MODULE] = read_module,
    [TRACE_FACT_BINDING] = read_binding,
    [TRACE_FACT_HOOK] = read_hook,
    [TRACE_FACT_GONE] = read_gone,
    [TRACE_FACT_COUNTER] = read_counter,
    [TRACE_FACT_SHAPE] = read_shape,
    [TRACE_FACT_PACKED_CATALOG] = facts_read_packed_catalog,
    [TRACE_FACT_FILE] = read_file,
    [TRACE_FACT_PLACE] = read_place,
    [TRACE_FACT_FUNCTION] = read_function,
    [TRACE_FACT_WAITED] = read_waited,
    [TRACE_FACT_CODE] = read_code,
    [TRACE_FACT_SITE] = read_site,
    [TRACE_FACT_PYTHON] = read_python,
    [TRACE_FACT_OPS] = read_ops,
    [TRACE_FACT_LAYER] = read_layer,
    [TRACE_FACT_DEVICE] = facts_read_device,
    [TRACE_FACT_QUEUE] = facts_read_queue,
    [TRACE_FACT_DEVICE_MEMORY] = facts_read_device_memory,
    [TRACE_FACT_RANGE] = read_range,
    [TRACE_FACT_REQUESTS] = read_requests,
    [TRACE_FACT_KEEP] = facts_read_keep,
    [TRACE_FACT_INCIDENT] = facts_read_incident,
};

/* Takes one fact off the rest of a chunk; a fact without a valid size ends the chunk. */
static enum status read_next(struct facts *facts, struct facts_payload *rest)
{
    struct trace_fact head;
    bool is_whole = facts_take(rest, &head, sizeof head);

    if (!is_whole || head.kind == TRACE_FACT_NONE || head.size > rest->size ||
        head.kind >= TRACE_FACT_KINDS) {
        rest->size = 0;
        if (is_whole && head.kind == TRACE_FACT_NONE)
            return STATUS_OK;
        facts_skip(facts);
        return STATUS_OK;
    }
    struct facts_payload payload = {rest->bytes, head.size};
    size_t padded = ((size_t)head.size + FACTS_ALIGN - 1) / FACTS_ALIGN * FACTS_ALIGN;
    if (padded > rest->size)
        padded = rest->size;
    rest->bytes += padded;
    rest->size -= padded;
    return facts_readers[head.kind](facts, payload);
}

static enum status read_chunk(struct facts *facts, const struct reader *reader,
                              const struct reader_chunk *chunk)
{
    size_t size;
    char *bytes = reader_load(reader, chunk, &size);
    struct facts_payload rest = {bytes, size};
    enum status status = STATUS_OK;

    while (!status && rest.size > 0)
        status = read_next(facts, &rest);
    free(bytes);
    return status;
}

/* If several libraries used an address, take the last one whose fact comes before the binding. */
static const struct session_module *find_module(const struct session *session, size_t count,
                                                uint64_t address)
{
    while (count-- > 0) {
        const struct session_module *module = session_module_at(session, count);

        if (address >= module->fact.start && address < module->fact.end)
            return module;
    }
    return session_find_module(session, address);
}

static void link_bindings(struct facts *facts)
{
    const struct session *session = facts->session;
    struct session_binding *binding = session->bindings.items;
    const struct facts_binding *raw = facts->raw_bindings.items;

    for (size_t i = 0; i < session->bindings.count; i++) {
        binding[i].kernel = facts_find_kernel(facts, raw[i].fact.kernel);
        binding[i].module = find_module(session, raw[i].modules, binding[i].target);
    }
}

static void link_gone(struct facts *facts)
{
    const struct trace_gone *raw = facts->raw_gone.items;

    for (size_t i = 0; i < facts->raw_gone.count; i++) {
        int64_t index = id_map_find(&facts->module_ids, raw[i].module);

        if (index == ID_MAP_NONE) {
            facts->bad_facts++;
            continue;
        }
        struct session_module *module = array_at(&facts->session->modules, (size_t)index);
        if (raw[i].epoch < module->gone_epoch)
            module->gone_epoch = raw[i].epoch;
    }
}

static enum status read_chunks(struct facts *facts, const struct reader *reader,
                               enum trace_chunk_kind kind)
{
    struct reader_span chunks = reader_chunks(reader, kind);
    enum status status = STATUS_OK;

    for (; !status && chunks.first < chunks.end; chunks.first++)
        status = read_chunk(facts, reader, chunks.first);
    return status;
}

enum status facts_read(struct facts *facts, const struct reader *reader)
{
    enum status status = read_chunks(facts, reader, TRACE_FACTS);

    if (!status)
        status = read_chunks(facts, reader, TRACE_SYMBOLS);
    if (!status)
        facts_parse_catalog(facts, reader);
    if (status)
        return status;
    link_bindings(facts);
    link_gone(facts);
    name_requests(facts);
    return STATUS_OK;
}

const char *facts_string(const struct facts *facts, uint64_t id)
{
    const char *const *strings = facts->strings.items;
    int64_t index = id <= UINT32_MAX ? id_map_find(&facts->string_ids, (uint32_t)id) : ID_MAP_NONE;

    if (index != ID_MAP_NONE)
        return strings[index];
    return facts->session->has_holes ? SESSION_NAME_LOST : "?";
}

struct facts_waited facts_find_waited(const struct facts *facts, uint32_t id)
{
    int64_t found = id_map_find(&facts->waited_ids, id);

    if (found == ID_MAP_NONE)
        return (struct facts_waited){NULL, TRACE_WAITED_OTHER, 0};
    return *(const struct facts_waited *)array_at(&facts->waited, (size_t)found);
}

const struct facts_shape *facts_find_shape(struct facts *facts, uint64_t id)
{
    int64_t found = id <= UINT32_MAX ? id_map_find(&facts->shape_ids, (uint32_t)id) : ID_MAP_NONE;

    if (found != ID_MAP_NONE)
        return array_at(&facts->shapes, (size_t)found);
    facts->unknown_shapes += id != 0;
    return NULL;
}

void facts_find_binding(struct facts *facts, uint32_t id, uint32_t *index)
{
    const struct trace_binding unknown = {.id = id, .kernel = UINT32_MAX};
    int64_t found = id_map_find(&facts->binding_ids, id);

    if (found == ID_MAP_NONE) {
        facts->unknown_bindings++;
        add_binding(facts, &unknown, SESSION_NAME_LOST);
        found = (int64_t)facts->session->bindings.count - 1;
    }
    *index = (uint32_t)found;
}

void facts_link_hooks(struct facts *facts)
{
    struct session *session = facts->session;
    struct session_hook *hook = session->hooks.items;
    const struct trace_hook *raw = facts->raw_hooks.items;

    for (size_t i = 0; i < session->hooks.count; i++) {
        int64_t module = id_map_find(&facts->module_ids, raw[i].module);
        int64_t binding = id_map_find(&facts->binding_ids, raw[i].binding);

        if (module != ID_MAP_NONE)
            hook[i].module = session_module_at(session, (size_t)module);
        if (raw[i].binding != 0 && binding != ID_MAP_NONE)
            hook[i].binding = session_binding_at(session, (size_t)binding);
    }
}
