/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Places of the calls of a chain in the source, for the reports.  Each name is
 * looked up once, each function has a number, chains include inlined functions,
 * and the place for a reader is chosen among them.
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

/* A function of one module; if its name is unknown, its start or an address in the module. */
struct places_function {
    const char *name;   /* "libm.so.6+0x1a2b" when unknown */
    const char *module; /* base name of its file; NULL when unknown */
    const char *build_id; /* of that; "" when unknown */
    uint32_t id;        /* counts from 0 */
    uint32_t row;       /* its id; without a place, the id that stands for all
                           of its module and cause */
    bool has_name;      /* and it says more than an address */
    bool has_place;     /* its name or its start is known */
    enum symbols_cause cause; /* why not */
    bool is_python;     /* of Python code; the module is its file */
    bool is_plumbing;   /* it only passes allocations on */
    bool is_starter;    /* it only starts a program or a thread */
    bool is_relay;      /* it only runs the code that it gets */
};

struct place {
    const struct places_function *function;
    const char *file; /* NULL when unknown */
    uint32_t line;    /* 0 when unknown */
    bool is_inlined;
    uint64_t offset; /* of the call in its function, where the name or the line is unknown */
    uint64_t start;  /* where the function starts in its file; 0 when unknown */
};

struct places;

/* Returns: places of the pool in use; the session keeps the names. */
struct places *places_new(const struct session *session, places_finder find) MUST_CHECK;

/* Give a function that was seen. */
const struct places_function *places_function(const struct places *places, uint32_t id);

/* The places of one call, innermost first; none for the calls that are the shim's. */
struct call_places {
    const struct place *places;
    size_t count;
    uint32_t number; /* of places that are there, from 0 on: calls from one address share them */
};

/* Look up the places of a call. */
void places_look_up(struct places *places, uint32_t call);

/* Returns: the places of a call that was looked up; NULL of another. */
const struct call_places *places_known(const struct places *places, uint32_t call);

/* Returns: the innermost place of a call that is on no chain, by its return address, as of a slot;
 * NULL: nothing is known of that address. */
const struct place *places_of_site(struct places *places, uint64_t site);

/* Returns: the first call behind this one that was looked up; 0: there is none. */
uint32_t places_next_known(const struct places *places, uint32_t call);

/* Returns: the call around a call; 0: there is none. */
uint32_t places_parent(const struct places *places, uint32_t call);

/* Put a chain into an array of struct place, the innermost first; the shim's
 * own frames are left out.  A chain of no calls gives no places. */
void places_fill_chain(struct places *places, uint32_t call, struct array *chain);

/* Find the innermost place outside of the functions of plumbing.def.
 * Returns: its index; 0 when there is none outside. */
size_t places_find_owner(const struct array *chain);

/* Count the places of a chain inside of those that only start a program or a
 * thread; all of them when there are no others. */
size_t places_count_inner(const struct array *chain);

/* Find the owner of a chain by its call, looking up no more names than needed.
 * Returns: false: the chain has no places. */
bool places_find_owner_of(struct places *places, uint32_t call, struct place *owner) MUST_CHECK;

/* Give the innermost place of a chain that is wanted; its calls were looked up.
 * Returns: NULL when there is none. */
const struct place *places_find_known(const struct places *places, uint32_t call,
                                      bool (*is_wanted)(const struct place *place));

/* Find the same, looking up no more names than needed.  Returns: whether there is one. */
bool places_find(struct places *places, uint32_t call, bool (*is_wanted)(const struct place *place),
                 struct place *found) MUST_CHECK;

bool place_is_python(const struct place *place);

/* The file of Python code without its folder, or words where it is unknown. */
const char *places_python_file(const struct symbols_frame *frame);

/* Ask of a file of Python code whether it is the program's own, and did not come with Python nor
 * was installed for it. */
bool place_file_is_own(const char *file);

/* Ask whether it is Python code that neither came with Python nor was installed for it. */
bool place_is_own_python(const struct place *place);

/* Returns: whether the place can name the origin of nameless functions that it calls: it has a
 * name, and is no starter of programs or threads. */
bool place_is_telling(const struct place *place);

/* Ask whether a place names the origin better than a place inside of it, which also can; NULL:
 * there is no such yet.  Among relays the innermost stays. */
bool place_tells_more(const struct place *place, const struct place *inner);

/* Append the unique part of a file's base name: "libR" of "libR.so". */
void places_append_module(struct text *text, const char *module);

/* Append a function as a row names it: by its name, shortened unless `is_verbose`; without a name
 * by its start: "prog+0x5a30 (no name)"; without a start by the cause: "prog (file changed since
 * the run)". */
void places_append_function(struct text *text, const struct places_function *function,
                            bool is_verbose);

/* The same with the caller that names its origin (NULL: none): "libR+0x5a30,
 * called by Rf_eval". */
void places_append_called(struct text *text, const struct places_function *function,
                          const struct places_function *caller, bool is_verbose);

/* Returns: whether a name is an address in a module (NULL: unknown): "libm.so.6+0x1a2b". */
bool places_is_address(const char *name, const char *module);

/* Returns: whether its name is an address in its module, "libm.so.6+0x1a2b": all that is
 * known of where it stands. */
bool place_is_address(const struct place *place);

/* Append its name; where no line is known, with the offset of the call: "parse+0x1f". */
void place_append_name(struct text *text, const struct place *place);

/* The same for a sentence: the arguments of a long C++ name are left out, "load(...)". */
void place_append_short_name(struct text *text, const struct place *place);

/* Returns: whether a file or a module is known that the name does not have already. */
bool place_has_location(const struct place *place);

/* Append "file.c:12", or the module, or nothing without a location. */
void place_append_location(struct text *text, const struct place *place);

/* Append the name of a function of Python without those around it: "dumps" of
 * "Encoder.make.<locals>.dumps"; one without a name of its own is a part of its outer one:
 * "Encoder.make" of "Encoder.make.<locals>.<listcomp>". */
void places_append_python_name(struct text *text, const char *name);

/* Append the name as a row of functions has it: "handle <genexpr>", as a generator inside of a
 * function is no second row of its name. */
void places_append_python_row(struct text *text, const char *name);

/* Append a place: "leak.c:65 make_block", "train.py:88" in the body of a file of Python; without a
 * file "make_block libleak.so", or the name alone. */
void place_append(struct text *text, const struct place *place);

/* The same for a sentence, with a short name. */
void place_append_short(struct text *text, const struct place *place);

/* Append a place with a file, from its parts; line 0: unknown. */
void places_append_spelled(struct text *text, const char *file, unsigned line, const char *name);

typedef void (*place_appender)(struct text *text, const struct place *place);

#endif
