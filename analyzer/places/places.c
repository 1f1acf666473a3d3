/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names of calls, looked up once an address.
 */
#include "places/places.h"

#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "base/wildcard.h"

/* uthash takes and gives back its tables where names change. */
#define uthash_malloc(size) pool_resize(names->pool, NULL, size)
#define uthash_free(table, size) pool_free(names->pool, table)
#include "base/hash.h"
#include "model/python.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_kernels.h"
#include "model/session_memo.h"
#include "model/session_unknown.h"
#include "places/plain_name.h"
#include "places/short_name.h"
#include "places/texts.h"

struct entry {
    struct places_function function;
    UT_hash_handle hh;
    char key[]; /* "module\nname"; the name points into it */
};

/* Calls with one address share their places. */
struct address {
    uint64_t address;
    uint32_t module;
    uint32_t kind; /* enum session_call_kind */
};

/* The places of an address, shared by the calls of many chains. */
struct shared_places {
    struct call_places of;
    struct address address;
    UT_hash_handle hh;
    struct place places[];
};

/* For the shim's own calls. */
static const struct call_places no_places;

/* The addresses and functions that analyses of a session have asked for. */
struct names {
    places_finder find;
    struct pool *pool; /* of all the names; NULL: the session keeps them */
    struct entry *by_key;
    struct array entries; /* of struct entry *, by id */
    struct shared_places *by_address;
    const struct call_places **calls; /* for each call of the session; NULL: not found yet */
};

enum { KNOWN_BITS = 8 };

struct places {
    const struct session *session;
    struct names *names;
    unsigned char *known; /* a bit for each call: the call was looked up here */
};

/* Those that a session keeps are of no pool. */
static void free_shared(struct names *names)
{
    struct shared_places *shared, *next;

    HASH_ITER(hh, names->by_address, shared, next)
    {
        HASH_DEL(names->by_address, shared);
        free(shared);
    }
}

static void names_free(void *of)
{
    struct names *names = of;
    struct entry **entries = names->entries.items;

    HASH_CLEAR(hh, names->by_key);
    for (size_t i = 0; i < names->entries.count; i++)
        free(entries[i]);
    free_shared(names);
    array_fini(&names->entries);
    free(names->calls);
    free(names);
}

static struct names *names_new(const struct session *session, places_finder find)
{
    struct names *names = pool_get_zeros(1, sizeof *names);

    names->find = find;
    names->pool = pool_in_use();
    array_init(&names->entries, sizeof(struct entry *));
    names->calls = pool_get_zeros(session->calls.count + 1, sizeof *names->calls);
    return names;
}

/* Returns: the names that the session stores; NULL: it stores none for this finder. */
static struct names *names_kept(const struct session *session, places_finder find)
{
    struct session_memo_item *item = session_memo_item(session, SESSION_MEMO_NAMES);
    struct names *names;

    if (item && !item->of) {
        struct pool *pool = pool_use(NULL);

        *item = (struct session_memo_item){names_new(session, find), names_free};
        pool_use(pool);
    }
    names = item ? item->of : NULL;
    return names && names->find == find ? names : NULL;
}

struct places *places_new(const struct session *session, places_finder find)
{
    struct places *places = pool_get_zeros(1, sizeof *places);

    places->session = session;
    places->names = names_kept(session, find);
    if (!places->names)
        places->names = names_new(session, find);
    places->known = pool_get_zeros(session->calls.count / KNOWN_BITS + 1, 1);
    return places;
}

const struct places_function *places_function(const struct places *places, uint32_t id)
{
    return &(*(struct entry **)array_at(&places->names->entries, id))->function;
}

enum plumbing { PASSES_ON, NAMELESS, STARTS, RELAYS };

static const struct {
    enum plumbing kind;
    const char *const *patterns; /* NULL after the last */
} plumbing[] = {
#define PLUMBING(kind, whose, ...) {kind, (const char *const[]){__VA_ARGS__, NULL}},
#include "places/plumbing.def"
#undef PLUMBING
};

/* Most patterns start with another letter: this test needs no call. */
static inline bool begins_otherwise(const char *pattern, const char *name)
{
    return pattern[0] == '^' && pattern[1] != '*' && pattern[1] != name[0];
}

static bool is_plumbing(enum plumbing kind, const char *name)
{
    for (size_t i = 0; i < sizeof plumbing / sizeof *plumbing; i++)
        for (const char *const *at = plumbing[i].patterns; plumbing[i].kind == kind && *at; at++)
            if (!begins_otherwise(*at, name) && wildcard_matches(*at, name))
                return true;
    return false;
}

/* "(outer calls unknown)" is no function that allocates. */
static bool is_stand_in(const char *name, const char *module)
{
    return !module && name[0] == '(';
}

/* Functions with an address instead of a name. */
static bool passes_on_nameless(const char *name, const char *module)
{
    return (places_is_address(name, module) && is_plumbing(NAMELESS, module)) ||
           is_stand_in(name, module);
}

/* The known data of a function besides its name. */
struct origin {
    const char *module; /* base name of its file; NULL when unknown */
    const char *build_id;
    bool has_name;
    bool has_place;
    bool is_python;
    bool is_installed;
    enum symbols_cause cause;
};

/* For 10^5 addresses, comparing them with names would take most of a report's time. */
static void judge(struct places_function *function)
{
    const char *own;

    if (!function->has_name) {
        function->is_plumbing = passes_on_nameless(function->name, function->module);
        return;
    }
    own = short_name_find_own(function->name);
    function->is_plumbing = is_plumbing(PASSES_ON, own);
    function->is_starter = is_plumbing(STARTS, function->name);
    function->is_relay = is_plumbing(RELAYS, own);
}

/* The name is the end of the key, after the module's name, which may contain any characters. */
static struct entry *add_entry(struct names *names, const struct text *key,
                               const struct origin *origin)
{
    struct entry *entry = pool_resize(names->pool, NULL, sizeof *entry + key->size + 1);
    struct entry **place = array_add(&names->entries);
    const char *module = origin->module;
    const char *name = entry->key + (module ? strlen(module) : 0) + 1;

    *place = entry;
    memcpy(entry->key, key->bytes, key->size + 1);
    entry->function = (struct places_function){
        .name = name,
        .module = module,
        .build_id = origin->build_id,
        .id = (uint32_t)(names->entries.count - 1),
        .row = (uint32_t)(names->entries.count - 1),
        .has_name = origin->has_name,
        .has_place = origin->has_place,
        .is_python = origin->is_python,
        .is_installed = origin->is_installed,
        .cause = origin->cause,
    };
    judge(&entry->function);
    HASH_ADD_KEYPTR(hh, names->by_key, entry->key, key->size, entry);
    return entry;
}

/* Returns: the one function of that name and module. */
static struct places_function *get_function(struct names *names, const char *name,
                                            const struct origin *origin)
{
    struct entry *entry = NULL;
    struct text key;

    text_init(&key);
    text_append(&key, origin->module ? origin->module : "");
    text_append(&key, "\n");
    text_append(&key, name);
    HASH_FIND_STR(names->by_key, key.bytes, entry);
    if (!entry)
        entry = add_entry(names, &key, origin);
    text_fini(&key);
    return &entry->function;
}

/* All addresses of a module without a place for the same reason are one row. */
static const struct places_function *share_row(struct names *names,
                                               struct places_function *function,
                                               const struct origin *origin)
{
    const struct places_function *shared;
    struct text name;

    if (!function || origin->cause == SYMBOLS_CAUSE_NONE)
        return function;
    text_init(&name);
    text_append(&name, "(");
    text_append(&name, symbols_cause_words(origin->cause));
    text_append(&name, ")");
    shared = get_function(names, name.bytes, origin);
    text_fini(&name);
    if (!shared)
        return NULL;
    function->row = shared->id;
    return function;
}

/* Appends the words for a function without a name. */
static void append_address(struct text *name, const struct session *session,
                           const struct session_call *call, const struct symbols_frame *frame)
{
    const struct session_module *module;

    if (call->kind == SESSION_CALL_CUT) {
        text_append(name, "(outer calls left out)");
        return;
    }
    if (call->kind == SESSION_CALL_LOST) {
        text_append(name, "(outer calls unknown)");
        return;
    }
    if (call->kind == SESSION_CALL_UNDRAWN) {
        text_append(name, "(owner not sampled)");
        return;
    }
    if (python_is_call(call->address)) {
        text_append(name, python_unknown_text.words);
        return;
    }
    if (call->module == SESSION_NONE) {
        text_append_address(name, call->address);
        return;
    }
    module = session_module_at(session, call->module);
    text_append(name, text_base_name(module->path));
    text_append(name, "+");
    text_append_address(name,
                        frame->start != 0 ? frame->start : call->address - module->fact.base);
}

const char *places_python_file(const struct symbols_frame *frame)
{
    return frame->file ? text_base_name(frame->file) : python_unknown_text.words;
}

static bool is_installed(const char *path)
{
    static const char *const parts[] = {"/site-packages/", "/dist-packages/"};
    static const char *const folders[] = {"/usr/", "/lib", "/opt/", "/snap/", "/nix/", "["};

    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (strncmp(path, folders[i], strlen(folders[i])) == 0)
            return true;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(path, parts[i]))
            return true;
    return false;
}

/* Libraries make code by exec(): named tuples, data classes, proxies.  Its file is "<string>", like
 * that of python -c. */
static bool is_made(const struct session *session, const char *file)
{
    const struct text_list *command = &session->process.command;
    const char *program = text_list_count(command) > 0 ? text_list_at(command, 0) : "";

    if (!file || strcmp(file, "<string>") != 0 ||
        strncmp(text_base_name(program), "python", strlen("python")) != 0)
        return false;
    for (size_t i = 1; i < text_list_count(command); i++)
        if (strcmp(text_list_at(command, i), "-c") == 0)
            return false;
    return true;
}

static struct origin find_origin(const struct session *session, const struct session_call *call,
                                 const struct symbols_frame *frame)
{
    struct origin origin = {
        .build_id = "",
        .has_name = frame->function != NULL,
        .has_place = frame->function || frame->start != 0,
        .cause = frame->cause,
    };

    if (call->module != SESSION_NONE && call->kind <= SESSION_CALL_PLAIN) {
        const struct session_module *module = session_module_at(session, call->module);

        origin.module = text_base_name(module->path);
        origin.build_id = module->build_id;
        origin.is_installed = is_installed(module->path);
    }
    origin.is_python = python_is_call(call->address);
    if (origin.is_python) {
        origin.module = places_python_file(frame);
        origin.is_installed = is_made(session, frame->file);
    }
    return origin;
}

static void set_place(struct places *places, struct place *place, const struct session_call *call,
                      const struct symbols_frame *frame)
{
    const struct origin origin = find_origin(places->session, call, frame);
    struct names *names = places->names;
    struct text name;

    text_init(&name);
    if (frame->function)
        text_append(&name, frame->function);
    else
        append_address(&name, places->session, call, frame);
    place->function = share_row(names, get_function(names, name.bytes, &origin), &origin);
    text_fini(&name);
    place->file = frame->file;
    place->line = frame->line;
    place->is_inlined = frame->is_inlined;
    place->is_pausing = frame->is_pausing;
    place->offset = frame->offset;
    place->start = frame->start;
}

/* Calls that are no frames have no symbols to look for. */
static void find_frames(struct places *places, uint32_t index, const struct symbols_frame **frames,
                        size_t *count)
{
    static const struct symbols_frame nameless = {0};
    const struct session_call *call = session_call_at(places->session, index);

    *frames = &nameless;
    *count = 1;
    if (call->kind != SESSION_CALL_PLAIN)
        return;
    places->names->find(places->session, index, frames, count);
}

/* An intrinsic function is a single instruction: the function around it is more informative. */
static bool is_instruction(const struct symbols_frame *frame)
{
    return frame->is_inlined && symbols_is_of_intrinsics(frame->file);
}

static struct shared_places *add_shared(struct places *places, const struct session_call *call,
                                        const struct symbols_frame *frames, size_t count)
{
    struct names *names = places->names;
    struct shared_places *shared =
        pool_resize(names->pool, NULL, sizeof *shared + count * sizeof *shared->places);

    shared->address = (struct address){call->address, call->module, call->kind};
    shared->of = (struct call_places){shared->places, 0, HASH_COUNT(names->by_address)};
    for (size_t i = 0; i < count; i++)
        if (!is_instruction(&frames[i]))
            set_place(places, &shared->places[shared->of.count++], call, &frames[i]);
    HASH_ADD(hh, names->by_address, address, sizeof shared->address, shared);
    return shared;
}

static struct shared_places *find_shared(const struct places *places,
                                         const struct session_call *call)
{
    const struct address address = {call->address, call->module, call->kind};
    struct shared_places *shared;

    HASH_FIND(hh, places->names->by_address, &address, sizeof address, shared);
    return shared;
}

static void name_call(struct places *places, uint32_t index);

/* How many calls are around a call; more than `most` are not counted. */
static unsigned count_outer(const struct places *places, uint32_t call, unsigned most)
{
    unsigned count = 0;

    while (count <= most && (call = places_parent(places, call)) != 0)
        count++;
    return count;
}

/* In a C library without symbols, the starters of programs and threads are recognized by their
 * position: __libc_start_call_main has two named starters around it, clone3 none, and start_thread
 * only clone3. */
static bool stands_outermost(const struct places *places, uint32_t outer)
{
    const struct call_places *of = places->names->calls[outer];

    return outer == 0 || (of->count > 0 && of->places[0].function->is_starter &&
                          (of->places[0].function->has_name || places_parent(places, outer) == 0));
}

static void judge_nameless(struct places *places, uint32_t index)
{
    enum { MOST_OUTER = 2 };
    const struct call_places *of = places->names->calls[index];
    const struct places_function *function = of->count > 0 ? of->places[0].function : NULL;
    uint32_t outer = places_parent(places, index);
    struct entry *entry;

    if (!function || function->has_name || !plain_name_is_libc(function->module) ||
        count_outer(places, index, MOST_OUTER) > MOST_OUTER)
        return;
    if (!places->names->calls[outer])
        name_call(places, outer);
    entry = *(struct entry **)array_at(&places->names->entries, function->id);
    entry->function.is_starter = stands_outermost(places, outer);
}

static void share_places(struct places *places, uint32_t index)
{
    const struct session_call *call = session_call_at(places->session, index);
    const struct shared_places *shared = find_shared(places, call);
    const struct symbols_frame *frames;
    size_t count;

    if (shared) {
        places->names->calls[index] = &shared->of;
        return;
    }
    find_frames(places, index, &frames, &count);
    places->names->calls[index] = &add_shared(places, call, frames, count)->of;
    judge_nameless(places, index);
}

/* Chains have no call of this kind except their root, which has no places.  Calls and sites mark
 * Python code with the same bit. */
_Static_assert(PYTHON_CALL == TRACE_SITE_PYTHON, "a site of Python code is known as a call of it");

static struct session_call make_call(const struct session *session, uint64_t site)
{
    const struct session_module *module = session_find_module(session, site);
    struct session_call call = {
        .address = site, .module = SESSION_NONE, .kind = SESSION_CALL_ROOT};

    if (module && !python_is_site(site))
        call.module = (uint32_t)(module - session_module_at(session, 0));
    return call;
}

const struct place *places_of_site(struct places *places, uint64_t site)
{
    const struct session_call call = make_call(places->session, site);
    const struct shared_places *shared = find_shared(places, &call);
    const struct symbols_frame *frames;
    size_t count;

    if (site == 0)
        return NULL;
    if (!shared) {
        session_find_site_frames(places->session, site, &frames, &count);
        shared = add_shared(places, &call, frames, frames ? count : 0);
    }
    return shared->of.count > 0 ? shared->of.places : NULL;
}

/* Finds the places of a call at the first request. */
static void name_call(struct places *places, uint32_t index)
{
    const struct session_call *call = session_call_at(places->session, index);

    /* A wrapper of a kernel has no place: the inner frame is the kernel. */
    if (!call->is_shim && call->kind != SESSION_CALL_ROOT) {
        share_places(places, index);
        return;
    }
    places->names->calls[index] = &no_places;
}

void places_look_up(struct places *places, uint32_t index)
{
    if (!places->names->calls[index])
        name_call(places, index);
    places->known[index / KNOWN_BITS] |= (unsigned char)(1 << index % KNOWN_BITS);
}

const struct call_places *places_known(const struct places *places, uint32_t call)
{
    bool is_known = places->known[call / KNOWN_BITS] >> call % KNOWN_BITS & 1;

    return is_known ? places->names->calls[call] : NULL;
}

/* Only a few of millions of calls are known, so most words are 0. */
uint32_t places_next_known(const struct places *places, uint32_t call)
{
    size_t count = places->session->calls.count;

    for (call++; call < count; call++) {
        if (call % KNOWN_BITS == 0 && places->known[call / KNOWN_BITS] == 0)
            call += KNOWN_BITS - 1;
        else if (places->known[call / KNOWN_BITS] >> call % KNOWN_BITS & 1)
            return call;
    }
    return 0;
}

uint32_t places_parent(const struct places *places, uint32_t call)
{
    return session_call_at(places->session, call)->parent;
}

bool places_have_name(struct places *places, uint32_t call, const char *part)
{
    for (; call != 0; call = places_parent(places, call)) {
        const struct call_places *of;

        places_look_up(places, call);
        of = places_known(places, call);
        for (size_t i = 0; of && i < of->count; i++)
            if (strstr(of->places[i].function->name, part))
                return true;
    }
    return false;
}

void places_fill_chain(struct places *places, uint32_t call, struct array *chain)
{
    for (; call != 0; call = places_parent(places, call)) {
        places_look_up(places, call);
        const struct call_places *of = places_known(places, call);
        for (size_t i = 0; i < of->count; i++) {
            struct place *place = array_add(chain);

            *place = of->places[i];
        }
    }
}

size_t places_count_inner(const struct array *chain)
{
    const struct place *place = chain->items;
    size_t count = chain->count;

    while (count > 0 && place[count - 1].function->is_starter)
        count--;
    return count > 0 ? count : chain->count;
}

bool place_is_telling(const struct place *place)
{
    return place->function->has_name && !place->function->is_starter;
}

bool place_tells_more(const struct place *place, const struct place *inner)
{
    return place_is_telling(place) && (!inner || !place->function->is_relay);
}

size_t places_find_owner(const struct array *chain)
{
    const struct place *place = chain->items;
    size_t owner = 0;

    for (size_t i = 1; i < chain->count; i++)
        if (place_owning(&place[i]) > place_owning(&place[owner]))
            owner = i;
    return owner;
}
