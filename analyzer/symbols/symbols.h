/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From an address in a module to function, file and line.
 *
 * The modules' own files and their separate debug files are read through
 * elfutils, each once and only when an address in it is asked for.  Results are kept, so asking
 * again is a look-up.
 *
 * If the program wrote a map of the functions that it compiled while it ran, the map gives their
 * names.  For functions without a name the unwind table gives the start.
 *
 * A file that is not there, or is not the one that ran (its build-id says so), gives no names;
 * symbols_problem says which and why.  If tprof pack stored the file's symbols, these are used
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

/* Returns: whether a file is a header of the system, whose functions are inlined into others;
 * NULL: no. */
bool symbols_is_system_header(const char *file);

/* Ask whether a file of sources has the compiler's intrinsics: its functions are single
 * instructions, such as _mm_add_pd. */
bool symbols_is_of_intrinsics(const char *file);

/* Returns: whether it is a file; Linux's own code in the process is not. */
bool symbols_module_has_file(const struct symbols_module *module);

/* Returns: the cause in words that stand in a row: "file changed since the run"; NULL of
 * SYMBOLS_CAUSE_NONE. */
const char *symbols_cause_words(enum symbols_cause cause);

struct symbols;
struct stored_symbols;
struct text;

struct symbols *symbols_new(void) MUST_CHECK;

void symbols_free(struct symbols *symbols);

/* Look for separate debug files in these folders, with colons between, instead
 * of /usr/lib/debug and beside the files.  Holds for files asked for later.
 */
void symbols_set_debug_path(struct symbols *symbols, const char *path);

/* Look for files below a folder first, such as the copied root of a container, and for debug
 * files there too; NULL: none.  Holds for files asked for later; the text must stay.
 */
void symbols_set_root(struct symbols *symbols, const char *root);

/* Returns: that folder, or NULL, as of symbols that are NULL. */
const char *symbols_root(const struct symbols *symbols);

/* Find the functions at an address of the process.
 *
 * Shape: innermost first; the last one is not inlined.  There is at least one
 * frame, whose function may be unknown.
 * Frames and their texts stay until
 * symbols_free.
 */
void symbols_find(struct symbols *symbols, const struct symbols_module *module, uint64_t address,
                  const struct symbols_frame **frames, size_t *count);

/* The same of code that is in no module.  Where there is no map the function is unknown. */
void symbols_find_compiled(struct symbols *symbols, const struct symbols_map *map, uint64_t address,
                           const struct symbols_frame **frames, size_t *count);

/* Say, module by module, why names are missing: "libm.so.6: the file is not the one that ran".
 * Returns: NULL past the last. */
const char *symbols_problem(const struct symbols *symbols, size_t index);

/* Returns: whether a file that was asked for is not here or is another, and the trace does not have
 * its symbols. */
bool symbols_lacks_files(const struct symbols *symbols);

/* The symbols in a trace; empty at first, filled by the reader of the trace. */
struct stored_symbols *symbols_stored(struct symbols *symbols);

/* Append the files, of those asked for so far, whose names tprof pack stored: "libm.so.6, prog and
 * 3 more".  Nothing when there is none. */
void symbols_append_stored(struct text *text, const struct symbols *symbols);

/* Visit every address that was asked for, with the file it is in.  Texts stay until
 * symbols_free. */
typedef void (*symbols_visitor)(void *of, const struct symbols_known *known);
void symbols_visit(const struct symbols *symbols, symbols_visitor visitor, void *of);

#endif
