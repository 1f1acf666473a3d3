/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plants of well-known costs of arithmetic that the compiler's library does, of small calls of C
 * and of OpenMP, and their repaired twins, which print the same.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <openssl/ssl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "plants.h"

/* ---- files ------------------------------------------------------------------------------ */

enum { FILE_PAGE = 4096, FILE_PAGES = 2048 };

static int open_pages(void)
{
    static char page[FILE_PAGE];
    int file = fileno(tmpfile());

    for (int i = 0; i < FILE_PAGES; i++) {
        page[0] = (char)i;
        if (write(file, page, FILE_PAGE) != FILE_PAGE)
            abort();
    }
    return file;
}

static long next_page(long page)
{
    return (page * 1103 + 12345) % FILE_PAGES;
}

static long pages_planted(long rounds)
{
    static char page[FILE_PAGE];
    int file = open_pages();
    long sum = 0, at = 1;

    for (long i = 0; i < rounds; i++) {
        at = next_page(at);
        if (pread(file, page, FILE_PAGE, at * FILE_PAGE) != FILE_PAGE)
            abort();
        sum += page[0];
    }
    return sum;
}

static long pages_repaired(long rounds)
{
    const char *pages =
        mmap(NULL, (size_t)FILE_PAGES * FILE_PAGE, PROT_READ, MAP_PRIVATE, open_pages(), 0);
    long sum = 0, at = 1;

    for (long i = 0; i < rounds; i++) {
        at = next_page(at);
        sum += pages[at * FILE_PAGE];
    }
    return sum;
}

/* ---- arithmetic ------------------------------------------------------------------------- */

static long bits_planted(long rounds)
{
    unsigned long number = 12345;
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        number = number * 6364136223846793005 + 1442695040888963407;
        sum += __builtin_popcountl(number);
    }
    return sum;
}

__attribute__((target("popcnt"))) static long bits_repaired(long rounds)
{
    unsigned long number = 12345;
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        number = number * 6364136223846793005 + 1442695040888963407;
        sum += __builtin_popcountl(number);
    }
    return sum;
}

static long modulus_planted(long rounds)
{
    unsigned __int128 product = 1;
    const unsigned long prime = 4294967291;

    for (long i = 1; i <= rounds; i++)
        product = (product * (unsigned long)(i + 7)) % prime;
    return (long)product;
}

static long modulus_repaired(long rounds)
{
    unsigned long product = 1;
    const unsigned long prime = 4294967291;

    for (long i = 1; i <= rounds; i++)
        product = (product * (unsigned long)(i + 7)) % prime;
    return (long)product;
}

static long quad_planted(long rounds)
{
    __float128 sum = 0;

    for (long i = 1; i <= rounds; i++)
        sum += (__float128)1 / i;
    return (long)(sum * 1000);
}

static long quad_repaired(long rounds)
{
    long double sum = 0;

    for (long i = 1; i <= rounds; i++)
        sum += (long double)1 / i;
    return (long)(sum * 1000);
}

static long half_planted(long rounds)
{
    static _Float16 numbers[1000];
    float sum = 0;

    for (int i = 0; i < 1000; i++)
        numbers[i] = (_Float16)(i % 8);
    for (long i = 0; i < rounds; i++) {
        sum = 0;
        for (int j = 0; j < 1000; j++)
            sum += (float)numbers[j];
    }
    return (long)sum;
}

static long half_repaired(long rounds)
{
    static volatile float numbers[1000];
    float sum = 0;

    for (int i = 0; i < 1000; i++)
        numbers[i] = (float)(i % 8);
    for (long i = 0; i < rounds; i++) {
        sum = 0;
        for (int j = 0; j < 1000; j++)
            sum += numbers[j];
    }
    return (long)sum;
}

/* ---- texts ------------------------------------------------------------------------------ */

static long searches_planted(long rounds)
{
    char *text = malloc((size_t)rounds * 20 + 1);
    size_t size = 0;
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        memcpy(text + size, "a line of some data\n", 21);
        size += 20;
        sum += strstr(text, "\r\n\r\n") == NULL;
    }
    free(text);
    return sum;
}

static long searches_repaired(long rounds)
{
    char *text = malloc((size_t)rounds * 20 + 1);
    size_t size = 0;
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        const size_t seen = size > 3 ? size - 3 : 0;

        memcpy(text + size, "a line of some data\n", 21);
        size += 20;
        sum += strstr(text + seen, "\r\n\r\n") == NULL;
    }
    free(text);
    return sum;
}

static long shift_planted(long rounds)
{
    size_t size = (size_t)rounds * 16;
    char *buffer = calloc(size, 1);
    long sum = 0;

    while (size >= 16) {
        sum += buffer[3] + 1;
        size -= 16;
        memmove(buffer, buffer + 16, size);
    }
    free(buffer);
    return sum;
}

static long shift_repaired(long rounds)
{
    const size_t size = (size_t)rounds * 16;
    char *buffer = calloc(size, 1);
    long sum = 0;

    for (size_t used = 0; size - used >= 16; used += 16)
        sum += buffer[used + 3] + 1;
    free(buffer);
    return sum;
}

static long address_planted(long rounds)
{
    char text[INET_ADDRSTRLEN];
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        const struct in_addr address = {.s_addr = (in_addr_t)(i * 7919)};

        sum += inet_ntop(AF_INET, &address, text, sizeof text) != NULL;
    }
    return sum;
}

static long address_repaired(long rounds)
{
    char text[INET_ADDRSTRLEN];
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        const struct in_addr address = {.s_addr = (in_addr_t)(i * 7919)};

        if (i % 1000 == 0)
            inet_ntop(AF_INET, &address, text, sizeof text);
        sum++;
    }
    return sum;
}

/* ---- OpenMP ----------------------------------------------------------------------------- */

static long add(long from, long to, long least)
{
    long left, right;

    if (to - from <= least) {
        long sum = 0;

        for (long i = from; i < to; i++)
            sum += i & 7;
        return sum;
    }
#pragma omp task shared(left)
    left = add(from, (from + to) / 2, least);
    right = add((from + to) / 2, to, least);
#pragma omp taskwait
    return left + right;
}

static long add_all(long rounds, long least)
{
    long sum = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
    sum = add(0, rounds, least);
    return sum;
}

static long tasks_planted(long rounds)
{
    return add_all(rounds, 4);
}

static long tasks_repaired(long rounds)
{
    return add_all(rounds, 100000);
}

/* ---- OpenSSL ---------------------------------------------------------------------------- */

static long contexts_planted(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        SSL_CTX *context = SSL_CTX_new(TLS_client_method());
        SSL *connection = SSL_new(context);

        sum += connection != NULL;
        SSL_free(connection);
        SSL_CTX_free(context);
    }
    return sum;
}

static long contexts_repaired(long rounds)
{
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        SSL *connection = SSL_new(context);

        sum += connection != NULL;
        SSL_free(connection);
    }
    SSL_CTX_free(context);
    return sum;
}

static const struct plant plants[] = {PLANT(bits),     PLANT(modulus), PLANT(quad),    PLANT(half),
                                      PLANT(searches), PLANT(shift),   PLANT(address), PLANT(tasks),
                                      PLANT(contexts), PLANT(pages)};

int main(int argc, char **argv)
{
    return RUN_PLANTS(plants, argc, argv);
}
