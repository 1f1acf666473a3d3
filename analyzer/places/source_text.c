/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The text of source lines, if the file is here and unchanged since the run.
 *
 * Paths come from debug information, so they may name anything: only regular files up to a size are
 * read, and opening never blocks.
 */
#include "places/source_text.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/pool.h"

/* uthash takes and gives back its table where a file is added. */
#define uthash_malloc(size) pool_resize(source->pool, NULL, size)
#define uthash_free(table, size) pool_free(source->pool, table)
#include "base/hash.h"
#include "model/session.h"
#include "symbols/symbols.h"

enum {
    FILE_MOST = 16 << 20, /* bytes of a file: the amalgamation of SQLite has 9 MB */
    LINE_MOST = 160       /* bytes of a line that are shown */
};

struct source_file {
    UT_hash_handle hh;
    char *bytes; /* NULL: the file gives no text */
    enum source_state state;
    size_t size;
    const char *at; /* start of line `line`: rows often ask in order */
    uint32_t line;
    char path[];
};

void source_text_init(struct source_text *source, const struct session *session)
{
    *source = (struct source_text){.session = session, .pool = pool_in_use()};
}

const char *source_text_path(const struct source_text *source, const char *path)
{
    const char *prefix = source->session->sources.prefix;
    size_t size = prefix ? strlen(prefix) : 0;

    if (size == 0 || strncmp(path, prefix, size) != 0)
        return path;
    path += size;
    return path + strspn(path, "/");
}

static int open_below(const char *folder, const char *path)
{
    const int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
    struct text below;
    int descriptor = -1;

    text_init(&below);
    text_appendf(&below, "%s%s%s", folder, folder[0] && path[0] != '/' ? "/" : "", path);
    descriptor = open(below.bytes, flags);
    text_fini(&below);
    return descriptor;
}

/* A relative path starts at the compiler's folder, which is unknown unless the user names it. */
static int source_open(const struct source_text *source, const char *path)
{
    const struct session *session = source->session;
    const char *folder = session->sources.folder;
    const char *root = session->symbols ? symbols_root(session->symbols) : NULL;
    int descriptor = folder ? open_below(folder, source_text_path(source, path)) : -1;

    if (path[0] != '/')
        return descriptor;
    if (descriptor < 0 && root)
        descriptor = open_below(root, path);
    return descriptor < 0 ? open_below("", path) : descriptor;
}

static bool source_is_older(const struct stat *facts, uint64_t run_ns)
{
    const uint64_t second_ns = 1000000000;
    uint64_t written_ns =
        (uint64_t)facts->st_mtim.tv_sec * second_ns + (uint64_t)facts->st_mtim.tv_nsec;

    return written_ns <= run_ns;
}

static void source_read_bytes(struct source_file *file, int descriptor, size_t size)
{
    file->bytes = pool_get(size + 1);
    while (file->bytes && file->size < size) {
        ssize_t count = read(descriptor, file->bytes + file->size, size - file->size);

        if (count <= 0)
            break;
        file->size += (size_t)count;
    }
    file->at = file->bytes;
    file->line = 1;
}

static void source_read(struct source_text *source, struct source_file *file)
{
    bool is_hidden = source->session->sources.is_hidden;
    int descriptor = is_hidden ? -1 : source_open(source, file->path);
    struct stat facts;

    file->state = SOURCE_MISSING;
    if (descriptor < 0)
        return;
    if (fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size <= FILE_MOST) {
        bool is_older = source_is_older(&facts, source->session->process.realtime_start_ns);

        source->changed += !is_older;
        file->state = is_older ? SOURCE_HERE : SOURCE_CHANGED;
        if (is_older)
            source_read_bytes(file, descriptor, (size_t)facts.st_size);
    }
    close(descriptor);
}

static struct source_file *source_get(struct source_text *source, const char *path)
{
    struct source_file *file = NULL;
    size_t length = strlen(path);

    HASH_FIND(hh, source->files, path, length, file);
    if (file)
        return file;
    file = pool_get_zeros(1, sizeof *file + length + 1);
    memcpy(file->path, path, length);
    source_read(source, file);
    HASH_ADD(hh, source->files, path, length, file);
    return file;
}

/* Returns: the start of a line; NULL when the file has fewer lines. */
static const char *source_find(struct source_file *file, uint32_t line)
{
    const char *end = file->bytes + file->size;

    if (line < file->line) {
        file->at = file->bytes;
        file->line = 1;
    }
    while (file->line < line) {
        const char *next = memchr(file->at, '\n', (size_t)(end - file->at));

        if (!next)
            return NULL;
        file->at = next + 1;
        file->line++;
    }
    return file->at < end ? file->at : NULL;
}

static bool source_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

void source_text_find(struct source_text *source, const char *path, enum source_state *state)
{
    const struct source_file *file = source_get(source, path);

    *state = file->state;
}

/* Find a line, without spaces at its end.  Returns: whether the file has it. */
static bool find_line(struct source_text *source, const char *path, uint32_t line,
                      const char *ends[2])
{
    struct source_file *file = source_get(source, path);

    ends[0] = file->bytes && line > 0 ? source_find(file, line) : NULL;
    if (!ends[0])
        return false;
    size_t left = (size_t)(file->bytes + file->size - ends[0]);
    ends[1] = memchr(ends[0], '\n', left);
    ends[1] = ends[1] ? ends[1] : ends[0] + left;
    while (ends[0] < ends[1] && source_is_blank(ends[1][-1]))
        ends[1]--;
    return true;
}

static void append_bytes(struct text *text, const char *ends[2])
{
    size_t size = (size_t)(ends[1] - ends[0]);

    text_append_bytes(text, ends[0], size < LINE_MOST ? size : LINE_MOST);
}

bool source_text_append_whole(struct source_text *source, struct text *text, const char *path,
                              uint32_t line)
{
    const char *ends[2];
    bool is_there = find_line(source, path, line, ends);

    if (is_there)
        append_bytes(text, ends);
    return is_there;
}

void source_text_append(struct source_text *source, struct text *text, const char *path,
                        uint32_t line)
{
    const char *ends[2];

    if (!find_line(source, path, line, ends))
        return;
    while (ends[0] < ends[1] && source_is_blank(*ends[0]))
        ends[0]++;
    append_bytes(text, ends);
}
