/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The program's own line that waits in Python's library: Condition.wait of threading.py serves all
 * waits, and explains nothing.
 */
#include "waits/wait_place.h"

#include <string.h>

#include "model/python.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"
#include "places/places.h"
#include "symbols/symbols.h"
#include "waits/texts.h"
#include "waits/wait_split.h"

/* Returns: the innermost frame of own code on a chain; NULL: there is none. */
static void find_own(const struct session *session, uint32_t call, const struct symbols_frame **own)
{
    *own = NULL;
    for (; call != 0 && call != SESSION_NONE && !*own;
         call = session_call_at(session, call)->parent) {
        const struct symbols_frame *frames = NULL;
        size_t count = 0;

        if (!python_is_call(session_call_at(session, call)->address))
            continue;
        session_find_frames(session, call, &frames, &count);
        if (count > 0 && frames[0].function && place_file_is_own(frames[0].file))
            *own = &frames[0];
    }
}

/* "concurrent.futures" of "/usr/lib/python3.11/concurrent/futures/thread.py", "threading" of
 * "/usr/lib/python3.11/threading.py". */
static void append_library(struct text *library, const char *file)
{
    static const char folder[] = "/lib/python";
    const char *path = strstr(file, folder), *end;

    path = path ? strchr(path + sizeof folder - 1, '/') : NULL;
    if (!path++)
        return;
    end = strrchr(path, '/');
    end = end ? end : strrchr(path, '.');
    for (; end && path < end; path++)
        text_append_bytes(library, *path == '/' ? "." : path, 1);
}

static void append_worker(struct text *text, const char *file)
{
    struct text library;

    text_init(&library);
    append_library(&library, file);
    if (library.size > 0)
        say(text, wait_worker_text, said_words(library.bytes));
}

void wait_place_append_own(struct text *text, const struct session *session,
                           const struct session_wait *wait)
{
    const struct symbols_frame *frame, *own;

    session_find_site_python(session, wait->site, &frame);
    if (!frame || !frame->file || place_file_is_own(frame->file))
        return;
    find_own(session, wait->chain, &own);
    if (!own) {
        if (!(wait->chain == SESSION_NONE || wait->thread == wait_main_thread(session)))
            append_worker(text, frame->file);
        return;
    }
    places_append_spelled(text, own->file, own->line, own->function);
}
