/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The style and the scripts of the page, which `make` embeds from web/.
 */
#ifndef PAGE_ASSETS_H
#define PAGE_ASSETS_H

extern const char page_style[];
extern const char page_script[];

/* The SHA-256 of the bytes of the script's element, in base64. */
extern const char page_script_hash[];

#endif
