/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The declarations of NVTX in the shim against NVIDIA's headers, and a program that uses these.
 */
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>

#include "ranges/nvtx.h"

#define SAME(ours, theirs)                                                                         \
    _Static_assert(offsetof(struct nvtx_attributes, ours) ==                                       \
                       offsetof(nvtxEventAttributes_t, theirs),                                    \
                   #theirs)
SAME(version, version);
SAME(size, size);
SAME(category, category);
SAME(colour_type, colorType);
SAME(colour, color);
SAME(payload_type, payloadType);
SAME(payload, payload);
SAME(message_type, messageType);
SAME(message, message);
_Static_assert(sizeof(struct nvtx_attributes) == sizeof(nvtxEventAttributes_t), "attributes");
_Static_assert(sizeof(struct nvtx_callbacks) == sizeof(NvtxExportTableCallbacks), "callbacks");
_Static_assert(NVTX_TABLE_CALLBACKS == NVTX_ETID_CALLBACKS, "the table's number");
_Static_assert(NVTX_COLOUR_ARGB == NVTX_COLOR_ARGB, "colours");
_Static_assert(NVTX_MESSAGE_ASCII == NVTX_MESSAGE_TYPE_ASCII, "messages");
_Static_assert(NVTX_MESSAGE_WIDE == NVTX_MESSAGE_TYPE_UNICODE, "wide messages");
_Static_assert(NVTX_MESSAGE_REGISTERED == NVTX_MESSAGE_TYPE_REGISTERED, "registered messages");
_Static_assert(NVTX_NOT_FOLLOWED == NVTX_NO_PUSH_POP_TRACKING, "results");

#define NVTX(module, number, function)                                                             \
    _Static_assert((int)NVTX_CBID_##module##_##function == (number), #function);                   \
    _Static_assert((int)NVTX_MODULE_##module == (int)NVTX_CB_MODULE_##module, #module);
#include "ranges/nvtx.def"
#undef NVTX

enum payload {
#define PAYLOAD(type, key) PAYLOAD_##type,
#include "spec/payloads.def"
#undef PAYLOAD
};
_Static_assert(PAYLOAD_UINT64 == NVTX_PAYLOAD_TYPE_UNSIGNED_INT64, "payloads");
_Static_assert(PAYLOAD_INT64 == NVTX_PAYLOAD_TYPE_INT64, "payloads");
_Static_assert(PAYLOAD_DOUBLE == NVTX_PAYLOAD_TYPE_DOUBLE, "payloads");
_Static_assert(PAYLOAD_UINT32 == NVTX_PAYLOAD_TYPE_UNSIGNED_INT32, "payloads");
_Static_assert(PAYLOAD_INT32 == NVTX_PAYLOAD_TYPE_INT32, "payloads");
_Static_assert(PAYLOAD_FLOAT == NVTX_PAYLOAD_TYPE_FLOAT, "payloads");

int main(void)
{
    nvtxDomainHandle_t domain = nvtxDomainCreateA("layout");
    nvtxEventAttributes_t look = {0};

    look.version = NVTX_VERSION;
    look.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    look.colorType = NVTX_COLOR_ARGB;
    look.color = 0xff00ff00;
    look.messageType = NVTX_MESSAGE_TYPE_ASCII;
    look.message.ascii = "step";
    for (int i = 0; i < 3; i++) {
        nvtxRangePushEx(&look);
        nvtxRangePop();
    }
    nvtxDomainNameCategoryA(domain, 5, "kind");
    look.category = 5;
    look.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    look.message.registered = nvtxDomainRegisterStringA(domain, "inside");
    for (int i = 0; i < 2; i++) {
        nvtxDomainRangePushEx(domain, &look);
        nvtxDomainRangePop(domain);
        nvtxRangeEnd(nvtxRangeStartA("span"));
    }
    nvtxDomainDestroy(domain);
    puts("done");
    return 0;
}
