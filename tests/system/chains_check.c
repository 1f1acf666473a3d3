/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * chains_check TRACE TRUTH: checks that each chain printed by chains.c is the chain of its block's
 * site in the trace.  No two blocks have the same size, so the bytes of a site identify its blocks.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_heap.h"
#include "model/session_open.h"

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

/* A call's address is inside the instruction, a byte before its return address; where a signal
 * came, it is the address itself.  The innermost call of the site is the allocating one, which the
 * line leaves out. */
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

/* Returns: the site with this chain; NULL when there is none. */
static const struct session_site *find_site(const struct session *session,
                                            const uint64_t *addresses, size_t count)
{
    const struct session_site *site = session->sites.items;

    for (size_t i = 0; i < session->sites.count; i++)
        if (site[i].min_size >= FIRST_SIZE && is_chain(session, &site[i], addresses, count))
            return &site[i];
    return NULL;
}

/* Counts the sites with a chain whose blocks are not the chain's. */
static unsigned count_wrong(const struct session *session, const uint64_t *bytes)
{
    const struct session_site *site = session->sites.items;
    unsigned wrong = 0;

    for (size_t i = 0; i < session->sites.count; i++) {
        if (bytes[i] == 0 || bytes[i] == site[i].allocated_bytes)
            continue;
        wrong++;
        printf("a chain with blocks of %llu bytes has %llu\n", (unsigned long long)bytes[i],
               (unsigned long long)site[i].allocated_bytes);
    }
    return wrong;
}

static int check(const struct session *session, FILE *truth)
{
    uint64_t *bytes = calloc(session->sites.count + 1, sizeof *bytes);
    uint64_t addresses[FRAMES_MAX];
    uint64_t size;
    char *line = NULL;
    size_t room = 0;
    unsigned checked = 0, wrong = 0;

    while (bytes && getline(&line, &room, truth) > 0) {
        size_t count = strncmp(line, "chain ", 6) == 0 ? read_chain(line, &size, addresses) : 0;
        const struct session_site *site;

        if (count == 0)
            continue;
        site = find_site(session, addresses, count);
        checked++;
        if (site) {
            bytes[site - (const struct session_site *)session->sites.items] += size;
        } else {
            wrong++;
            printf("the chain of the block of %llu bytes is another\n", (unsigned long long)size);
        }
    }
    wrong += bytes ? count_wrong(session, bytes) : 1;
    free(line);
    free(bytes);
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
