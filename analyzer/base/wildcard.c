/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Patterns with stars and anchors.
 */
#include "base/wildcard.h"

#include <stddef.h>
#include <string.h>

/* Where the match resumes after a failed comparison: behind the last star, which then takes one
 * more character of the text.  One such place is enough: the last star can take everything that an
 * earlier star could. */
struct retry {
    const char *pattern;
    const char *text;
};

static bool is_end(const char *pattern)
{
    return pattern[0] == '$' && pattern[1] == '\0';
}

bool wildcard_matches(const char *pattern, const char *text)
{
    bool is_anchored = *pattern == '^';
    struct retry retry = {is_anchored ? NULL : pattern, text};

    pattern += is_anchored;
    for (;;) {
        if (*pattern == '*') {
            retry = (struct retry){++pattern, text};
            continue;
        }
        if (*pattern == '\0' || (is_end(pattern) && *text == '\0'))
            return true;
        if (*pattern == *text && !is_end(pattern)) {
            pattern++;
            text++;
            continue;
        }
        if (!retry.pattern || *retry.text == '\0')
            return false;
        pattern = retry.pattern;
        text = ++retry.text;
    }
}
