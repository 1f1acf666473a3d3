/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernels of logs of oneDNN (DNNL_VERBOSE=1 or ONEDNN_VERBOSE=profile_exec).
 */
#ifndef IMPORT_ONEDNN_H
#define IMPORT_ONEDNN_H

/* The paragraphs of the kernel catalog on oneDNN. */
extern const char onednn_catalog[];

#endif
