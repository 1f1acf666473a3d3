/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * chains_check TRACE TRUTH: is each chain that chains.c printed the chain of
 * the site that its block has in the trace?
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/session.h"

enum { FIRST_SIZE = 1000000, FRAMES_MAX = 512 };

/* Returns: the number of addresses of a line "chain SIZE: ADDRESS ...". */
static size_t read_chain(char *line, uint64_t *size, uint64_t *addresses)
{
    char *at = line + strlen("chain ");
    size_t count = 0;

    *size = strtoull(at, &at, 10);
    at++;
    while (*at == ' ' && count < FRAMES_MAX)
        addresses[count++] = strtoull(at + 1, &at, 16);
    return count;
}

/* A call's address is inside the instruction, a byte before where it returns;
 * where a signal came it is the address itself.  The innermost call of the
 * site is the one that allocates, which the line leaves out. */
static bool is_chain(const struct session *session, const struct session_site *site,
                     const uint64_t *addresses, size_t count)
{
    const struct session_call *calls = session->calls.items;
    uint32_t call = calls[site->call].parent;

    for (size_t i = 0; i < count; i++) {
        if (call == 0 ||
            (calls[call].address + 1 != addresses[i] && calls[call].address != addresses[i]))
            return false;
        call = calls[call].parent;
    }
    return call == 0;
}

static bool has_chain(const struct session *session, uint64_t size, const uint64_t *addresses,
                      size_t count)
{
    const struct session_site *site = session->sites.items;

    for (size_t i = 0; i < session->sites.count; i++)
        if (site[i].min_size <= size && size <= site[i].max_size &&
            site[i].min_size >= FIRST_SIZE && is_chain(session, &site[i], addresses, count))
            return true;
    return false;
}

static int check(const struct session *session, FILE *truth)
{
    uint64_t addresses[FRAMES_MAX];
    uint64_t size;
    char *line = NULL;
    size_t room = 0;
    unsigned checked = 0, wrong = 0;

    while (getline(&line, &room, truth) > 0) {
        size_t count = strncmp(line, "chain ", 6) == 0 ? read_chain(line, &size, addresses) : 0;

        if (count == 0)
            continue;
        checked++;
        if (has_chain(session, size, addresses, count))
            continue;
        wrong++;
        printf("the chain of the block of %llu bytes is another\n", (unsigned long long)size);
    }
    free(line);
    printf("%u chains checked, %u wrong\n", checked, wrong);
    return checked > 0 && wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    const struct session_options options = session_defaults();
    struct diagnostic diagnostic;
    struct session session;
    FILE *truth = argc == 3 ? fopen(argv[2], "r") : NULL;
    int result;

    if (!truth || session_open(&session, argv[1], &options, &diagnostic)) {
        fprintf(stderr, "chains_check: %s\n",
                truth ? diagnostic.text : "cannot read its arguments");
        return EXIT_FAILURE;
    }
    result = check(&session, truth);
    fclose(truth);
    session_close(&session);
    return result;
}
