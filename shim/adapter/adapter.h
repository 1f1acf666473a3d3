/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What adapters have in common.  An adapter is a file with a struct adapter_call
 * (call/adapter_call.h) for each sort of function that it knows, a NAME_find, and the
 * paragraphs of the catalog with its name in `adapter`.  It keeps what it knows of objects
 * in call/object.h.
 */
#ifndef ADAPTER_ADAPTER_H
#define ADAPTER_ADAPTER_H

#include "call/adapter_call.h"
#include "call/object.h"

/* What is to be done around the calls of a symbol, or NULL; of one adapter each. */
const struct adapter_call *onednn_find(const char *symbol);
const struct adapter_call *fftw_find(const char *symbol);
const struct adapter_call *onnxruntime_find(const char *symbol);

/* The kernels of the catalog that adapters name, and the places of their
 * terms: ADAPTED_dnnl_matmul, TERM_dnnl_matmul_m. */
enum adapted {
#define ADAPTED(name, kernel, terms, owns) ADAPTED_##name,
#include "kernels.def"
#undef ADAPTED
};

enum adapted_term {
#define TERM(kernel, term, place) TERM_##kernel##_##term = place,
#include "kernels.def"
#undef TERM
};

/* A shape of this kernel whose values are 0 and whose text is empty. */
struct object_shape adapter_begin_shape(enum adapted kernel);

/* Put a text of up to 8 characters in a value. */
int64_t adapter_pack_text(const char *text);

#endif
