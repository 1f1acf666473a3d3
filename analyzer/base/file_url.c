/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bytes of a path that a URL may not have become escapes.
 */
#include "base/file_url.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/text.h"

/* Whether a byte of a path remains unchanged (RFC 3986, pchar, and the slash). */
static bool is_plain(unsigned char byte)
{
    return byte < 0x80 && (isalnum(byte) || strchr("/-._~+,=@:", byte));
}

void file_url_append(struct text *text, const char *path)
{
    text_append(text, "file://");
    for (; *path; path++)
        if (is_plain((unsigned char)*path))
            text_append_bytes(text, path, 1);
        else
            text_appendf(text, "%%%02X", (unsigned char)*path);
}
