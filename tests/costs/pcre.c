/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plants of well-known costs of PCRE2.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "plants.h"

static const char pattern[] = "(\\w+)=(\\d+)";

static pcre2_code *compile(void)
{
    int error;
    PCRE2_SIZE at;

    return pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, PCRE2_UTF, &error, &at, NULL);
}

static char *make_text(long pairs)
{
    char *text = malloc((size_t)pairs * 20 + 1), *end = text;

    for (long i = 0; i < pairs; i++)
        end += sprintf(end, "key\xc3\xa4%ld=%ld; ", i, i);
    return text;
}

/* Returns: the matches in a text, one after the other. */
static long count_all(const pcre2_code *code, const char *text, uint32_t further)
{
    pcre2_match_data *data = pcre2_match_data_create_from_pattern(code, NULL);
    const PCRE2_SIZE size = strlen(text);
    PCRE2_SIZE at = 0;
    long count = 0;

    while (pcre2_match(code, (PCRE2_SPTR)text, size, at, count > 0 ? further : 0, data, NULL) > 0) {
        at = pcre2_get_ovector_pointer(data)[1];
        count++;
    }
    pcre2_match_data_free(data);
    return count;
}

static long utf_planted(long rounds)
{
    pcre2_code *code = compile();
    char *text = make_text(rounds);
    long count = count_all(code, text, 0);

    free(text);
    pcre2_code_free(code);
    return count;
}

static long utf_repaired(long rounds)
{
    pcre2_code *code = compile();
    char *text = make_text(rounds);
    long count;

    pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
    count = count_all(code, text, PCRE2_NO_UTF_CHECK);
    free(text);
    pcre2_code_free(code);
    return count;
}

static long compile_planted(long rounds)
{
    long count = 0;

    for (long i = 0; i < rounds; i++) {
        pcre2_code *code = compile();

        count += count_all(code, "width=640", 0);
        pcre2_code_free(code);
    }
    return count;
}

static long compile_repaired(long rounds)
{
    pcre2_code *code = compile();
    long count = 0;

    for (long i = 0; i < rounds; i++)
        count += count_all(code, "width=640", 0);
    pcre2_code_free(code);
    return count;
}

static const struct plant plants[] = {PLANT(utf), PLANT(compile)};

int main(int argc, char **argv)
{
    return RUN_PLANTS(plants, argc, argv);
}
