/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A folder of synthetic files, as those of /sys and /proc, for a suite that reads them.
 */
#ifndef TREE_FIXTURE_H
#define TREE_FIXTURE_H

/* Make the folder: `root` ends in XXXXXX, or in what an earlier call put there. */
void tree_make(char *root);

void tree_remove(const char *root);

/* Write a file below the folder, with the folders on its way. */
void tree_put(const char *root, const char *name, const char *content);

#endif
