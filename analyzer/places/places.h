/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The places in the source of a chain's calls, for the reports.  Each name is looked up once, each
 * function has a number, chains include inlined functions, and the place for a reader is chosen
 * among them.
 */
#ifndef PLACES_PLACES_H
#define PLACES_PLACES_H

#include "base/array.h"
#include "base/text.h"
#include "symbols/symbols.h"

struct session;

/* Finds the names of a call: session_find_frames, except in tests. */
typedef void (*places_finder)(const struct session *session, uint32_t call,
                              const struct symbols_frame **frames, size_t *count);

/* A function of one module.  If its name is unknown, its start or an address in the module
 * identifies it. */
struct places_function {
    const char *name;   /* "libm.so.6+0x1a2b" when unknown */
    const char *module; /* base name of its file; NULL when unknown */
    const char *build_id; /* build id of the module; "" when unknown */
    uint32_t id;        /* counts from 0 */
    uint32_t row;       /* its id; without a place, the id shared by all such addresses of its
                           module and cause */
    bool has_name;      /* a name that says more than an address */
    bool has_place;     /* its name or its start is known */
    enum symbols_cause cause; /* why not */
    bool is_python;     /* Python code; the module is its file */
    bool is_installed;  /* its file came with the system or was installed for all programs; of
                           Python code: a library made it */
    bool is_plumbing;   /* it only passes allocations on */
    bool is_starter;    /* it only starts a program or a thread */
    bool is_relay;      /* it only runs the code that it gets */
};

struct place {
    const struct places_function *function;
    const char *file; /* NULL when unknown */
    uint32_t line;    /* 0 when unknown */
    bool is_inlined;
    bool is_pausing; /* the code there waits in a loop */
    uint64_t offset; /* offset of the call in its function, if the name or the line is unknown */
    uint64_t start;  /* start of the function in its file; 0 when unknown */
};

struct places;

/* Returns: places of the pool in use; the session keeps the names. */
struct places *places_new(const struct session *session, places_finder find) MUST_CHECK;

/* Give a known function by its number. */
const struct places_function *places_function(const struct places *places, uint32_t id);

/* The places of one call, innermost first; the shim's own calls have none. */
struct call_places {
    const struct place *places;
    size_t count;
    uint32_t number; /* number of the group of places, from 0 on: calls from one address share it */
};

/* Look up the places of a call. */
void places_look_up(struct places *places, uint32_t call);

/* Returns: the places of a call that was looked up; NULL for other calls. */
const struct call_places *places_known(const struct places *places, uint32_t call);

/* Returns: the innermost place of a call outside of chains, by its return address, as in a slot;
 * NULL: the address is unknown. */
const struct place *places_of_site(struct places *places, uint64_t site);

/* Returns: the first later call that was looked up; 0: there is none. */
uint32_t places_next_known(const struct places *places, uint32_t call);

/* Returns: the call around a call; 0: there is none. */
uint32_t places_parent(const struct places *places, uint32_t call);

/* Ask whether a function on a chain has this part in its name. */
bool places_have_name(struct places *places, uint32_t call, const char *part);

/* Write a chain into an array of struct place, the innermost first; the shim's own frames are left
 * out.  An empty chain gives no places. */
void places_fill_chain(struct places *places, uint32_t call, struct array *chain);

/* How well a place owns an allocation below it. */
enum places_owning {
    PLACES_PASSES_ON, /* a function of plumbing.def */
    PLACES_INSTALLED, /* a function of an installed library or program */
    PLACES_PYTHON,    /* Python code that was installed */
    PLACES_OWN        /* the program's own code: nothing owns better */
};
enum places_owning place_owning(const struct place *place);

/* Find the innermost place that owns best.  Returns: its index; 0 when all only pass on. */
size_t places_find_owner(const struct array *chain);

/* Count the places of a chain inside those that only start a program or a thread; all places if
 * there are no others. */
size_t places_count_inner(const struct array *chain);

/* Find the owner of a chain by its call, looking up no more names than needed.
 * Returns: false: the chain has no places. */
bool places_find_owner_of(struct places *places, uint32_t call, struct place *owner) MUST_CHECK;

/* Give the innermost wanted place of a chain whose calls were looked up.
 * Returns: NULL when there is none. */
const struct place *places_find_known(const struct places *places, uint32_t call,
                                      bool (*is_wanted)(const struct place *place));

/* Find the same, looking up no more names than needed.  Returns: whether there is one. */
bool places_find(struct places *places, uint32_t call, bool (*is_wanted)(const struct place *place),
                 struct place *found) MUST_CHECK;

bool place_is_python(const struct place *place);

/* Ask whether a file is one of the C library's: libc.so.6, the dynamic linker. */
bool places_is_c_library(const char *module);

/* Ask whether a place belongs to importlib. */
bool place_is_importlib(const struct place *place);

/* Ask whether the code is that of asyncio. */
bool place_is_asyncio(const struct place *place);

/* Ask whether two places are the same line of the same function. */
bool place_is_same_line(const struct place *left, const struct place *right);

/* Ask whether a place is at a line of a file, whatever its function: a lambda or a comprehension
 * has one of its own. */
bool place_is_at(const struct place *place, const char *file, uint32_t line);

/* Find the row of a line in an array whose items begin with its struct place, or append one that is
 * else zero. */
void *places_find_row(struct array *rows, const struct place *line);

/* Returns: the base name of the program's own file; NULL: it runs in Python, which has files of its
 * own. */
const char *places_own_module(const struct session *session);

/* The file of Python code without its folder, or words where it is unknown. */
const char *places_python_file(const struct symbols_frame *frame);

/* Ask whether a file of Python code is the program's own: it neither came with Python nor was
 * installed for it. */
bool place_file_is_own(const char *file);

/* Ask whether a place is Python code that neither came with Python nor was installed for it. */
bool place_is_own_python(const struct place *place);

/* Ask whether the place can name the origin of the nameless functions that it calls: it has a name,
 * and starts no program or thread. */
bool place_is_telling(const struct place *place);

/* Ask whether a place names the origin better than a place inside it, which can name it, too; NULL:
 * there is none yet.  Among relays, the innermost stays. */
bool place_tells_more(const struct place *place, const struct place *inner);

/* Append the unique part of a file's base name: "libR" of "libR.so". */
void places_append_module(struct text *text, const char *module);

/* Append a function as rows name it: its name, shortened unless `is_verbose`; without a name its
 * start: "prog+0x5a30 (no name)"; without a start the reason: "prog (file changed since the
 * run)". */
void places_append_function(struct text *text, const struct places_function *function,
                            bool is_verbose);

/* The same with the caller that names its origin (NULL: none): "libR+0x5a30,
 * called by Rf_eval". */
void places_append_called(struct text *text, const struct places_function *function,
                          const struct places_function *caller, bool is_verbose);

/* Returns: whether a name is an address in a module (NULL: unknown): "libm.so.6+0x1a2b". */
bool places_is_address(const char *name, const char *module);

/* Ask whether a place has no more than an address in its module, "libm.so.6+0x1a2b". */
bool place_is_address(const struct place *place);

/* Append the name of a place; without a known line, with the offset of the call: "parse+0x1f". */
void place_append_name(struct text *text, const struct place *place);

/* The same for a sentence: the arguments of a long C++ name are left out, "load(...)". */
void place_append_short_name(struct text *text, const struct place *place);

/* Returns: whether a file or a module is known that the name does not have already. */
bool place_has_location(const struct place *place);

/* Append "file.c:12", or the module, or nothing without a location. */
void place_append_location(struct text *text, const struct place *place);

/* Returns: the part of a path that an import names, as "torch/nn/__init__.py" or "csv.py"; NULL:
 * the file is not installed. */
const char *places_find_below_root(const char *file);

/* Append the module of such a path: "torch.nn", "csv"; also "os" for "<frozen os>". */
void places_append_python_module(struct text *text, const char *path);

/* Append the name of a Python function without its outer ones: "dumps" for
 * "Encoder.make.<locals>.dumps".  A nameless function is a part of its outer one: "Encoder.make"
 * for "Encoder.make.<locals>.<listcomp>". */
void places_append_python_name(struct text *text, const char *name);

/* Append the name as in rows of functions: "handle <genexpr>", so that a generator inside a
 * function makes no second row with its name. */
void places_append_python_row(struct text *text, const char *name);

/* Append a place: "leak.c:65 make_block"; "train.py:88" in the body of a Python file; without a
 * file "make_block libleak.so", or only the name. */
void place_append(struct text *text, const struct place *place);

/* The same for a sentence, with a short name. */
void place_append_short(struct text *text, const struct place *place);

/* Append a place with a file, from its parts; line 0: unknown. */
void places_append_spelled(struct text *text, const char *file, unsigned line, const char *name);

typedef void (*place_appender)(struct text *text, const struct place *place);

#endif
