/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From an address in a module to function, file and line.
 *
 * The modules' own files and their separate debug files are read through elfutils, each once, and
 * only when an address in it is requested.  Results are stored, so a repeated request is a look-up.
 *
 * If the program wrote a map of the functions that it compiled at run time, the map gives their
 * names.  For functions without a name, the unwind table gives the start.
 *
 * A missing file, or one that is not the one that ran (by its build-id), gives no names;
 * symbols_problem says which file and why.  If tprof pack stored the file's symbols, these are used
 * instead, and symbols_append_stored says so.
 */
#ifndef SYMBOLS_SYMBOLS_H
#define SYMBOLS_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attributes.h"
#include "base/status.h"
#include "symbols/symbols_frame.h"

/* Ask whether a generator wrote a source file for its library: Protocol Buffers and its kin. */
bool symbols_is_generated(const char *file);

/* Ask whether a source file is of a library, though its functions are compiled into a program: a
 * system header, or code that a generator wrote for its library; NULL: no. */
bool symbols_is_of_library(const char *file);

/* Ask whether a source file contains the compiler's intrinsics: its functions are single
 * instructions, such as _mm_add_pd. */
bool symbols_is_of_intrinsics(const char *file);

/* Ask whether a module is a file; Linux's own code in the process is not. */
bool symbols_module_has_file(const struct symbols_module *module);

/* Returns: the cause in words for a row: "file changed since the run"; NULL for
 * SYMBOLS_CAUSE_NONE. */
const char *symbols_cause_words(enum symbols_cause cause);

struct symbols;
struct stored_symbols;
struct text;

struct symbols *symbols_new(void) MUST_CHECK;

/* Give them to another session of the same trace, too: it frees them like its own. */
struct symbols *symbols_share(struct symbols *symbols) MUST_CHECK;
bool symbols_are_shared(const struct symbols *symbols);

void symbols_free(struct symbols *symbols);

/* Search for separate debug files in these folders, separated by colons, instead of /usr/lib/debug
 * and the files' own folders.  It applies to files requested later.
 */
void symbols_set_debug_path(struct symbols *symbols, const char *path);

/* Search for files below a folder first, such as the copied root of a container, and for debug
 * files there, too; NULL: none.  It applies to files requested later; the text must stay valid.
 */
void symbols_set_root(struct symbols *symbols, const char *root);

/* Returns: that folder, or NULL, as of symbols that are NULL. */
const char *symbols_root(const struct symbols *symbols);

/* Find the functions at an address of the process.
 *
 * Shape: innermost first; the last frame is not inlined.  There is at least one frame, whose
 * function may be unknown.  Frames and their texts are valid until symbols_free.
 */
void symbols_find(struct symbols *symbols, const struct symbols_module *module, uint64_t address,
                  const struct symbols_frame **frames, size_t *count);

/* The same for code outside of any module.  Without a map, the function is unknown. */
void symbols_find_compiled(struct symbols *symbols, const struct symbols_map *map, uint64_t address,
                           const struct symbols_frame **frames, size_t *count);

/* Say, module by module, why names are missing: "libm.so.6: the file is not the one that ran".
 * Returns: NULL past the last. */
const char *symbols_problem(const struct symbols *symbols, size_t index);

/* Returns: whether a requested file is missing or different, and the trace does not have its
 * symbols. */
bool symbols_lacks_files(const struct symbols *symbols);

/* The symbols in a trace; empty at first, filled by the reader of the trace. */
struct stored_symbols *symbols_stored(struct symbols *symbols);

/* Append the files, among those requested so far, whose names tprof pack stored: "libm.so.6, prog
 * and 3 more".  Append nothing when there is none. */
void symbols_append_stored(struct text *text, const struct symbols *symbols);

/* Visit every requested address, with the file that contains it.  Texts are valid until
 * symbols_free. */
typedef void (*symbols_visitor)(void *of, const struct symbols_known *known);
void symbols_visit(const struct symbols *symbols, symbols_visitor visitor, void *of);

#endif
