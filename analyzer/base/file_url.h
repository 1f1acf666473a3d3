/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * URLs of files.
 */
#ifndef BASE_FILE_URL_H
#define BASE_FILE_URL_H

struct text;

/* Append the URL of an absolute path: "file:///home/me/my%20work.py" (RFC 8089). */
void file_url_append(struct text *text, const char *path);

#endif
