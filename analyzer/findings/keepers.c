/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A call chain shows who made a block, and not who keeps it.
 *
 * Some things tell more.  A decorator in the source that caches without a limit holds arguments and
 * results of its function, also `self`.  A table that doubles while the blocks grow in number has
 * one large block, and had few before.  A std::vector in the chain keeps its memory in clear(), and
 * so does a message of Protocol Buffers.  A function of a library that the line calls has another
 * that frees what it made (freeing.def).
 * Objects of std::shared_ptr stay while they refer to one another.  In Python, an exception that is
 * kept has the frames of its calls, a slice of an array the whole array, and a string that xpath()
 * of lxml gives the whole document.  An object that has one of its own methods is a cycle, which
 * only the collector frees.  atexit has objects whose methods it is to call.  Whether they keep
 * these blocks stays open, so the advice is conditional.
 *
 * Source: Python documentation, functools.lru_cache; its programming FAQ, on caching methods;
 * cppreference.com, std::vector::clear.
 */
#include "findings/keepers.h"

#include <stdbool.h>
#include <string.h>

#include "base/wildcard.h"
#include "cpu/own_lines.h"
#include "findings/context.h"
#include "findings/library_keepers.h"
#include "findings/texts.h"
#include "heap/leak_growers.h"
#include "heap/leak_verdict.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "places/places.h"
#include "places/source_text.h"

static const char *const unlimited[] = {
    "^@lru_cache(None)",
    "^@lru_cache(maxsize=None)",
    "^@functools.lru_cache(None)",
    "^@functools.lru_cache(maxsize=None)",
    "^@cache$",
    "^@functools.cache$",
};

static bool is_unlimited(const char *line, void *of)
{
    (void)of;
    while (*line == ' ' || *line == '\t')
        line++;
    for (size_t i = 0; *line == '@' && i < sizeof unlimited / sizeof *unlimited; i++)
        if (wildcard_matches(unlimited[i], line))
            return true;
    return false;
}

/* Asks whether a line is wanted; `of` is the asker's own. */
typedef bool line_wanted(const char *line, void *of);

/* Returns: the first wanted line of a file; 0: none. */
static uint32_t find_line(struct source_text *source, const char *path, line_wanted *is_wanted,
                          void *of)
{
    for (uint32_t line = 1;; line++) {
        struct text text;
        bool is_there, is_found;

        text_init(&text);
        is_there = source_text_append_whole(source, &text, path, line);
        is_found = is_there && text.size > 0 && is_wanted(text.bytes, of);
        text_fini(&text);
        if (!is_there || is_found)
            return is_found ? line : 0;
    }
}

/* Open the file of an owner.  Returns: whether its text is here. */
static bool open_source(struct source_text *source, const struct session *session,
                        const struct place *owner)
{
    enum source_state state;

    if (!owner->file)
        return false;
    source_text_init(source, session);
    source_text_find(source, owner->file, &state);
    return state == SOURCE_HERE;
}

/* Say a sentence with the file and a line of it.  Returns: whether there is a line. */
static bool say_line(struct text *action, const struct said *sentence, const struct place *owner,
                     uint32_t line)
{
    if (line > 0)
        say(action, *sentence, said_words(text_base_name(owner->file)), said_count(line));
    return line > 0;
}

/* Returns: whether the file of a Python line has a wanted one. */
static bool append_line(struct text *action, const struct session *session,
                        const struct place *owner, const struct said *sentence,
                        line_wanted *is_wanted, void *of)
{
    struct source_text source;

    return owner->function->is_python && open_source(&source, session, owner) &&
           say_line(action, sentence, owner, find_line(&source, owner->file, is_wanted, of));
}

/* ---- tables that double ------------------------------------------------------------------ */

static const uint64_t least_blocks = 4, most_blocks = 64; /* a table doubles as often */
static const uint64_t most_together = 4;                  /* at the heap's peak */
static const uint64_t least_bytes = 64 * 1024;
static const uint64_t least_rise = 8; /* the largest, by the smallest block */

static bool is_table(const struct session_site *site)
{
    return site->allocations >= least_blocks && site->allocations <= most_blocks &&
           site->peak_blocks >= 1 && site->peak_blocks <= most_together &&
           site->max_size >= least_bytes && site->max_size >= least_rise * site->min_size &&
           site->peak_bytes >= site->max_size;
}

/* Returns: whether there is one that grew with the heap. */
static bool append_table(struct text *action, const struct session *session, struct places *places,
                         const struct leak_judgement *judgement)
{
    const struct session_site *most = NULL;
    const struct place *own;
    struct text line;

    for (size_t i = 0; i < session->sites.count; i++) {
        const struct session_site *site = session_site_at(session, i);

        if (is_table(site) && (!most || site->max_size > most->max_size) &&
            leak_site_growth(session, i, &judgement->window) > 0)
            most = site;
    }
    own = most ? own_lines_find(session, places, most->call) : NULL;
    if (!own)
        return false;
    text_init(&line);
    place_append_short(&line, own);
    say(action, leak_held_table_text, said_words(line.bytes));
    text_fini(&line);
    return true;
}

/* ---- vectors ----------------------------------------------------------------------------- */

static const uint64_t least_vector_bytes = 1 << 16; /* smaller ones are parts of many objects */

static void append_vector(struct text *action, const struct session *session, struct places *places,
                          const struct place *owner)
{
    for (size_t i = 0; i < session->sites.count; i++) {
        const struct session_site *site = session_site_at(session, i);
        struct place place;

        if (site->max_size >= least_vector_bytes &&
            places_find_owner_of(places, site->call, &place) && place_is_same_line(&place, owner) &&
            places_have_name(places, site->call, "std::vector<")) {
            say(action, leak_held_vector_text);
            return;
        }
    }
}

/* ---- what a library made ------------------------------------------------------------------ */

static const struct freeing {
    const char *pattern;
    const char *other;
} freeings[] = {
#define FREEING(pattern, other) {pattern, other},
#include "findings/freeing.def"
#undef FREEING
};

static const struct freeing *find_freeing(const char *function)
{
    for (size_t i = 0; i < sizeof freeings / sizeof *freeings; i++)
        if (wildcard_matches(freeings[i].pattern, function))
            return &freeings[i];
    return NULL;
}

/* The function that the owner's line calls, on the way to malloc. */
struct callee {
    const struct places_function *function; /* NULL: it calls malloc, or none has a name */
    bool is_shared;                         /* std::make_shared is in the chain */
    bool is_slab;                           /* of GLib's slices, which others use, too */
};

static struct callee find_callee(struct places *places, uint32_t call, const struct place *owner)
{
    struct callee callee = {NULL, false, false};
    bool is_inside = true;

    for (; call != 0; call = places_parent(places, call)) {
        const struct call_places *of;

        places_look_up(places, call);
        of = places_known(places, call);
        for (size_t i = 0; of && i < of->count; i++) {
            const struct places_function *function = of->places[i].function;

            is_inside = is_inside && !place_is_same_line(&of->places[i], owner);
            callee.function = is_inside ? function : callee.function;
            callee.is_shared = callee.is_shared || strstr(function->name, "_Sp_counted") ||
                               strstr(function->name, "make_shared");
            callee.is_slab = callee.is_slab || strstr(function->name, "g_slice_alloc");
        }
    }
    return is_inside ? (struct callee){NULL, false, false} : callee;
}

/* The site of the owner's line that grew most has the way to malloc. */
static bool find_site(size_t *most, const struct session *session, struct places *places,
                      const struct leak_judgement *judgement, const struct place *owner)
{
    double most_bytes = 0;

    for (size_t i = 0; i < session->sites.count; i++) {
        double bytes = leak_site_growth(session, i, &judgement->window);
        struct place place;

        if (bytes > most_bytes &&
            places_find_owner_of(places, session_site_at(session, i)->call, &place) &&
            place_is_same_line(&place, owner)) {
            most_bytes = bytes;
            *most = i;
        }
    }
    return most_bytes > 0;
}

/* The C library and that of C++ make blocks for everybody.  An installed program is no library that
 * it calls. */
static bool is_of_library(const struct places_function *function,
                          const struct places_function *owner)
{
    bool is_own = function && function->module && owner->module &&
                  strcmp(function->module, owner->module) == 0;

    return function && function->is_installed && function->module && !is_own &&
           !places_is_c_library(function->module) && !strstr(function->module, "libstdc++") &&
           !strstr(function->module, "libc++");
}

static const double least_shared = 0.05; /* of the growth, for what shared objects own */

/* Objects of std::make_shared that are never freed keep all that they own: texts and vectors, which
 * grow more. */
static bool grows_shared(const struct session *session, struct places *places,
                         const struct leak_judgement *judgement)
{
    double bytes = 0;

    for (size_t i = 0; i < session->sites.count; i++) {
        uint32_t call = session_site_at(session, i)->call;

        if (places_have_name(places, call, "_Sp_counted") ||
            places_have_name(places, call, "make_shared"))
            bytes += leak_site_growth(session, i, &judgement->window);
    }
    return bytes >= least_shared * judgement->growth_bytes;
}

static bool append_freeing(struct text *action, const struct session *session,
                           struct places *places, const struct leak_judgement *judgement,
                           const struct place *owner)
{
    const struct freeing *freeing;
    struct callee callee;
    size_t site;

    if (!find_site(&site, session, places, judgement, owner))
        return false;
    callee = find_callee(places, session_site_at(session, site)->call, owner);
    if (callee.is_shared || grows_shared(session, places, judgement)) {
        say(action, judgement->has_fall ? leak_held_weak_text : leak_held_shared_text);
        return true;
    }
    if (callee.is_slab)
        return false;
    freeing = callee.function ? find_freeing(callee.function->name) : NULL;
    if (freeing)
        say(action, leak_held_freeing_text,
            said_words(callee.function->name + strspn(callee.function->name, "_")),
            said_words(freeing->other));
    else if (is_of_library(callee.function, owner->function) && !owner->function->is_python)
        say(action, leak_held_library_text, said_words(callee.function->module));
    return freeing != NULL;
}

/* ---- messages ---------------------------------------------------------------------------- */

/* Reading into a message makes its parts, and Clear() keeps them for the next ones. */
static bool append_messages(struct text *action, const struct session *session,
                            struct places *places, const struct leak_judgement *judgement,
                            const struct place *owner)
{
    size_t site;
    bool is = find_site(&site, session, places, judgement, owner) &&
              places_have_name(places, session_site_at(session, site)->call,
                               "google::protobuf::MessageLite::");

    if (is)
        say(action, leak_held_messages_text);
    return is;
}

/* ---- containers -------------------------------------------------------------------------- */

/* Parts of names on the way to malloc, and who keeps such blocks. */
static const struct {
    const char *part, *keeper; /* NULL: a pool */
} containers[] = {
    {"MemoryPool", NULL},
    {"monotonic_buffer_resource", NULL},
    {"std::_Rb_tree<", "a std::map or std::set"},
    {"std::_Hashtable<", "a std::unordered_map or std::unordered_set"},
    {"std::_Deque_base<", "a std::deque"},
    {"std::__cxx11::list<", "a std::list"},
};

static void say_container(struct text *action, const char *keeper)
{
    if (keeper)
        say(action, leak_held_container_text, said_words(keeper));
    else
        say(action, leak_held_pool_text);
}

/* The container is on the chain of a site that grows, and need not be on that of the largest: a
 * text is often made before it is moved to its place. */
static bool append_container(struct text *action, const struct session *session,
                             struct places *places, const struct leak_judgement *judgement,
                             const struct place *owner)
{
    for (size_t i = 0; i < session->sites.count; i++) {
        uint32_t call = session_site_at(session, i)->call;
        struct place place;

        if (!(leak_site_growth(session, i, &judgement->window) > 0) ||
            !places_find_owner_of(places, call, &place) || !place_is_same_line(&place, owner))
            continue;
        for (size_t j = 0; j < sizeof containers / sizeof *containers; j++)
            if (places_have_name(places, call, containers[j].part)) {
                say_container(action, containers[j].keeper);
                return true;
            }
    }
    return false;
}

/* ---- Python's objects ---------------------------------------------------------------------- */

static const char *const keeps_exception[] = {"*.append(e)*",
                                              "*.append(exc)*",
                                              "*.append(err)*",
                                              "*.append(error)*",
                                              "* = e$",
                                              "* = exc$",
                                              "* = err$",
                                              "* = e if *",
                                              "* else e$",
                                              "*.append(sys.exc_info())*",
                                              "*= sys.exc_info()$",
                                              "*] = e$"};

/* A line behind the first that names an exception; `of`: was that one met? */
static bool keeps_exceptions(const char *line, void *of)
{
    bool *is_behind = of;

    for (size_t i = 0; *is_behind && i < sizeof keeps_exception / sizeof *keeps_exception; i++)
        if (wildcard_matches(keeps_exception[i], line))
            return true;
    *is_behind = *is_behind || wildcard_matches("except * as *", line);
    return false;
}

static bool turns_collector_off(const char *line, void *of)
{
    (void)of;
    return strstr(line, "gc.disable()") && *line != '#';
}

/* The only line of the file that adds to a list, a set or a queue; 0: none, or several. */
static uint32_t find_only_adder(struct source_text *source, const char *path)
{
    static const char *const adds[] = {".append(", ".appendleft(", ".add(", ".put("};
    uint32_t only = 0;

    for (uint32_t line = 1;; line++) {
        bool is_there, is_adder = false;
        struct text text;

        text_init(&text);
        is_there = source_text_append_whole(source, &text, path, line);
        for (size_t i = 0; is_there && text.size > 0 && i < sizeof adds / sizeof *adds; i++)
            is_adder = is_adder || strstr(text.bytes, adds[i]);
        text_fini(&text);
        if (!is_there || (is_adder && only != 0))
            return is_there ? 0 : only;
        only = is_adder ? line : only;
    }
}

/* "tokens.append(x[:, 0])" */
static bool keeps_views(const char *line, void *of)
{
    const char *added = strstr(line, ".append(");

    (void)of;
    return added && strstr(added, "[:") && !strstr(added, ".clone()") && !strstr(added, ".copy()");
}

static void append_adder(struct text *action, const struct session *session,
                         const struct place *owner)
{
    struct source_text source;

    if (open_source(&source, session, owner))
        say_line(action, &leak_held_adder_text, owner, find_only_adder(&source, owner->file));
}

/* Is a block made by native code of these modules, called by Python? */
static bool is_made_by(struct places *places, uint32_t call, const char *const modules[2])
{
    for (; call != 0; call = places_parent(places, call)) {
        const struct call_places *of;

        places_look_up(places, call);
        of = places_known(places, call);
        for (size_t i = 0; of && i < of->count; i++) {
            const struct places_function *function = of->places[i].function;

            if (function->is_python)
                return false;
            for (int j = 0; function->module && j < 2; j++)
                if (strstr(function->module, modules[j]))
                    return true;
        }
    }
    return false;
}

/* Returns: the length of a name that a text begins with. */
static size_t name_length(const char *text)
{
    return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
}

/* "self.handler = self.handle": takes the second name. */
static bool takes_attribute(const char *line, struct text *name)
{
    static const char self[] = "self.", is[] = " = self.";
    const char *second;

    line += strspn(line, " \t");
    if (strncmp(line, self, sizeof self - 1) != 0)
        return false;
    line += sizeof self - 1;
    second = line + name_length(line);
    if (second == line || strncmp(second, is, sizeof is - 1) != 0)
        return false;
    second += sizeof is - 1;
    text_clear(name);
    text_append_bytes(name, second, name_length(second));
    return name->size > 0 && second[name->size] == '\0';
}

static bool defines(const char *line, void *of)
{
    const struct text *head = of;

    return strstr(line, head->bytes) != NULL;
}

struct file {
    struct source_text *source;
    const char *path;
};

/* Does a line store a method of an object in the object itself? */
static bool stores_own_method(const char *line, void *of)
{
    const struct file *file = of;
    struct text name, head;
    bool is;

    text_init(&name);
    text_init(&head);
    is = takes_attribute(line, &name);
    text_appendf(&head, "def %s(", name.bytes);
    is = is && find_line(file->source, file->path, defines, &head) > 0;
    text_fini(&head);
    text_fini(&name);
    return is;
}

/* "doc.xpath('//a/text()')": strings and attributes that know where they are from. */
static bool takes_smart_strings(const char *line, void *of)
{
    const char *call = strstr(line, ".xpath(");

    (void)of;
    return call && (strstr(call, "text()") || strstr(call, "/@")) && !strstr(line, "smart_strings");
}

/* "self.pickler = pickle.Pickler(file)": its memo has all objects that it wrote. */
static bool keeps_pickler(const char *line, void *of)
{
    (void)of;
    return strstr(line, "Pickler(") && strchr(line, '=') && !strstr(line, ".dump(") &&
           !strstr(line, "Unpickler(");
}

/* "atexit.register(self.close)" */
static bool registers_method(const char *line, void *of)
{
    static const char call[] = "atexit.register(";

    (void)of;
    line += strspn(line, " \t");
    return strncmp(line, call, sizeof call - 1) == 0 && strstr(line, "self.");
}

/* Returns: the line of the class around a line; 0: none. */
static uint32_t find_class(struct source_text *source, const char *path, uint32_t line)
{
    static const char word[] = "class ";
    bool is = false;

    while (line > 0 && !is) {
        struct text text;

        text_init(&text);
        is = source_text_append_whole(source, &text, path, line) && text.size > 0 &&
             strncmp(text.bytes, word, sizeof word - 1) == 0;
        text_fini(&text);
        line -= !is;
    }
    return line;
}

/* Methods that objects of the owner's class ask atexit to call. */
static bool append_at_exit(struct text *action, const struct session *session,
                           const struct place *owner)
{
    struct source_text source;
    uint32_t line;

    if (!owner->function->is_python || !open_source(&source, session, owner))
        return false;
    line = find_line(&source, owner->file, registers_method, NULL);
    return line > 0 && find_class(&source, owner->file, line) > 0 &&
           find_class(&source, owner->file, line) ==
               find_class(&source, owner->file, owner->line) &&
           say_line(action, &leak_held_atexit_text, owner, line);
}

/* Pyplot keeps each figure until it is closed. */
static bool makes_figure(const char *line, void *of)
{
    (void)of;
    return strstr(line, "plt.figure(") || strstr(line, "plt.subplots(");
}

static bool closes_figure(const char *line, void *of)
{
    (void)of;
    return strstr(line, "plt.close(") || strstr(line, ".clf()");
}

static bool append_figures(struct text *action, const struct session *session,
                           const struct place *owner)
{
    struct source_text source;

    return owner->function->is_python && open_source(&source, session, owner) &&
           find_line(&source, owner->file, closes_figure, NULL) == 0 &&
           say_line(action, &leak_held_figures_text, owner,
                    find_line(&source, owner->file, makes_figure, NULL));
}

static bool append_cycle(struct text *action, const struct session *session,
                         const struct place *owner)
{
    struct source_text source;

    return owner->function->is_python && open_source(&source, session, owner) &&
           say_line(action, &leak_held_method_text, owner,
                    find_line(&source, owner->file, stores_own_method,
                              &(struct file){&source, owner->file}));
}

/* The elements of an array are one block, as those of a tensor are. */
static void append_arrays(struct text *action, const struct session *session, struct places *places,
                          const struct leak_judgement *judgement, const struct place *owner)
{
    static const char *const numpy[2] = {"_multiarray_umath", "_multiarray_umath"};
    static const char *const torch[2] = {"libtorch", "libc10"};
    size_t site;

    if (!find_site(&site, session, places, judgement, owner))
        return;
    if (is_made_by(places, session_site_at(session, site)->call, numpy))
        say(action, leak_held_slices_text);
    else if (is_made_by(places, session_site_at(session, site)->call, torch))
        say(action, leak_held_tensors_text);
}

/* A sentence and the lines that it is about, and the modules that make such blocks. */
struct maker_lines {
    const struct said *sentence;
    line_wanted *is_wanted;
    const char *modules[2];
};

/* An idle connection of OpenSSL keeps the buffers of its last record. */
static bool append_connections(struct text *action, const struct session *session,
                               struct places *places, const struct leak_judgement *judgement,
                               const struct place *owner)
{
    static const char *const modules[2] = {"libssl", "libssl"};
    size_t site;

    if (owner->function->is_python || !find_site(&site, session, places, judgement, owner) ||
        !is_made_by(places, session_site_at(session, site)->call, modules))
        return false;
    say(action, leak_held_connections_text);
    return true;
}

static bool append_made(struct text *action, const struct session *session, struct places *places,
                        const struct leak_judgement *judgement, const struct place *owner,
                        const struct maker_lines *lines)
{
    size_t site;

    return owner->function->is_python && find_site(&site, session, places, judgement, owner) &&
           is_made_by(places, session_site_at(session, site)->call, lines->modules) &&
           append_line(action, session, owner, lines->sentence, lines->is_wanted, NULL);
}

/* "shop::cart::cart(int)" */
static bool is_constructor(const char *name)
{
    const char *end = name + strcspn(name, "(<"), *member = end, *class;
    size_t size;

    while (member > name && member[-1] != ':')
        member--;
    size = (size_t)(end - member);
    if (size == 0 || (size_t)(member - name) < size + 2)
        return false;
    class = member - 2 - size;
    return strncmp(class, member, size) == 0 && (class == name || class[-1] == ':');
}

static bool append_members(struct text *action, const struct place *owner)
{
    bool is = is_constructor(owner->function->name);

    if (is)
        say(action, leak_held_members_text);
    return is;
}

bool keepers_append_documents(struct text *action, const struct session *session,
                              struct places *places, const struct keepers_site *site)
{
    static const char *const modules[2] = {"libxml2", "etree"};

    return is_made_by(places, site->call, modules) &&
           append_line(action, session, site->owner, &leak_held_strings_text, takes_smart_strings,
                       NULL);
}

/* ---- libraries ---------------------------------------------------------------------------- */

static bool has_text(const char *line, void *of)
{
    return strstr(line, *(const char **)of) != NULL;
}

static bool append_library(struct text *action, const struct session *session,
                           struct places *places, const struct leak_judgement *judgement,
                           const struct place *owner)
{
    struct source_text source;
    const char *repair = "", *sentence;

    sentence = library_keepers_find(&repair, session, places, judgement);
    if (!sentence || (*repair != '\0' && open_source(&source, session, owner) &&
                      find_line(&source, owner->file, has_text, &repair) > 0))
        return false;
    text_append(action, sentence);
    return true;
}

void keepers_append(struct text *action, const struct findings_context *context,
                    const struct leak_judgement *judgement, const struct place *owner)
{
    const struct session *session = context->session;
    struct places *places = places_new(session, context->options.find_frames);
    const struct maker_lines strings = {
        &leak_held_strings_text, takes_smart_strings, {"libxml2", "etree"}};
    const struct maker_lines views = {
        &leak_held_views_text, keeps_views, {"_multiarray_umath", "libtorch"}};

    if (append_library(action, session, places, judgement, owner) ||
        append_line(action, session, owner, &leak_held_cache_text, is_unlimited, NULL) ||
        append_at_exit(action, session, owner) ||
        append_line(action, session, owner, &leak_held_exceptions_text, keeps_exceptions,
                    &(bool){false}) ||
        append_line(action, session, owner, &leak_held_collector_text, turns_collector_off, NULL) ||
        append_line(action, session, owner, &leak_held_pickler_text, keeps_pickler, NULL) ||
        append_cycle(action, session, owner) || append_figures(action, session, owner) ||
        append_made(action, session, places, judgement, owner, &strings) ||
        append_messages(action, session, places, judgement, owner) ||
        append_connections(action, session, places, judgement, owner) ||
        append_freeing(action, session, places, judgement, owner) ||
        append_table(action, session, places, judgement) ||
        append_made(action, session, places, judgement, owner, &views))
        return;
    if (owner->function->is_python) {
        append_adder(action, session, owner);
        append_arrays(action, session, places, judgement, owner);
    } else if (!append_container(action, session, places, judgement, owner) &&
               !append_members(action, owner)) {
        append_vector(action, session, places, owner);
    }
}
