/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The part of ONNX Runtime's interface that the test knows: the places of its functions.
 */
#ifndef TABLE_H
#define TABLE_H

#include <stdint.h>

enum {
    CREATE_SESSION = 7,
    CREATE_SESSION_FROM_ARRAY = 8,
    RUN = 9,
    RELEASE_SESSION = 95,
    RUN_WITH_BINDING = 133,
    TABLE_SIZE = 170
};

struct api_base {
    const void *(*get_api)(uint32_t version);
    const char *(*get_version)(void);
};

const struct api_base *OrtGetApiBase(void);

/* The table that another library requested in its constructor. */
const struct api_base *early_base(void);

#endif
