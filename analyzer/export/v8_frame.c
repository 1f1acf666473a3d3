/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The call frames of V8's profiles.
 *
 * A viewer opens the file of a URL, so absolute paths become URLs.  Names of libraries and relative
 * paths remain paths, without detours such as build/../nn.c.
 */
#include "export/v8_frame.h"

#include <inttypes.h>

#include "base/file_url.h"
#include "base/plain_path.h"
#include "base/text.h"
#include "export/json_string.h"

/* Lines and columns count from 0 on; -1 is unknown, as V8 writes it. */
static void write_frame(FILE *out, const char *name, long script, const char *url, uint32_t line)
{
    fputs("{\"functionName\":", out);
    json_write_string(out, name);
    fprintf(out, ",\"scriptId\":\"%ld\",\"url\":", script);
    json_write_string(out, url);
    fprintf(out, ",\"lineNumber\":%" PRId64 ",\"columnNumber\":%d}", (int64_t)line - 1,
            line > 0 ? 0 : -1);
}

void v8_frame_write(FILE *out, struct text_index *scripts, const struct v8_frame *frame)
{
    struct text path, url;
    long script = 0;

    text_init(&path);
    text_init(&url);
    if (frame->file) {
        plain_path_append(&path, frame->file);
        *path.bytes == '/' ? file_url_append(&url, path.bytes) : text_append(&url, path.bytes);
        script = 1 + text_index_add(scripts, &url);
    }
    write_frame(out, frame->name, script, url.bytes, frame->line);
    text_fini(&path);
    text_fini(&url);
}

void v8_frame_write_root(FILE *out)
{
    write_frame(out, "(root)", 0, "", 0);
}
