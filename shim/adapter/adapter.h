/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The common parts of adapters.  An adapter is a file with a struct adapter_call
 * (call/adapter_call.h) for each kind of function that it knows, a NAME_find, and the paragraphs of
 * the catalog with its name in `adapter`.  Shapes of objects are kept in call/object.h.
 */
#ifndef ADAPTER_ADAPTER_H
#define ADAPTER_ADAPTER_H

#include "call/adapter_call.h"
#include "call/object.h"

/* The struct for the calls of a symbol, or NULL; one function for each adapter. */
const struct adapter_call *onednn_find(const char *symbol);
const struct adapter_call *fftw_find(const char *symbol);
const struct adapter_call *onnxruntime_find(const char *symbol);
const struct adapter_call *lightweight_find(const char *symbol);
const struct adapter_call *nccl_find(const char *symbol);
const struct adapter_call *gpu_fft_find(const char *symbol);

/* The kernels of the catalog that adapters name, and the positions of their terms:
 * ADAPTED_dnnl_matmul, TERM_dnnl_matmul_m. */
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

/* Begin a shape of this kernel: values of 0 and an empty text. */
struct object_shape adapter_begin_shape(enum adapted kernel);

/* Find a function of the library that has this one.  Returns: NULL when it has none of that name.
 * Safety: under the lock of hook.c. */
void *adapter_find_function(const void *function, const char *name);

/* Put a text of up to 8 characters in a value. */
int64_t adapter_pack_text(const char *text);

#endif
