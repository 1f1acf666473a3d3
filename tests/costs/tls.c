/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plants of well-known costs of OpenSSL, and their repaired twins, which print the same.
 *
 * usage: tls NAME planted|repaired ROUNDS
 */
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const int authorities = 100;
static char bundle[] = "/tmp/tprof-bundle.XXXXXX";

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static X509 *make_certificate(EVP_PKEY *key, int number)
{
    X509 *certificate = X509_new();
    X509_NAME *name = X509_get_subject_name(certificate);
    char words[32];

    snprintf(words, sizeof words, "Authority %d", number);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), number + 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate), 0);
    X509_gmtime_adj(X509_getm_notAfter(certificate), 86400);
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (unsigned char *)words, -1, -1, 0);
    X509_set_issuer_name(certificate, name);
    X509_set_pubkey(certificate, key);
    if (X509_sign(certificate, key, EVP_sha256()) == 0)
        fail("X509_sign");
    return certificate;
}

static void make_bundle(void)
{
    EVP_PKEY *key = EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256");
    int file = mkstemp(bundle);
    FILE *stream = file >= 0 ? fdopen(file, "w") : NULL;

    if (!key || !stream)
        fail(bundle);
    for (int i = 0; i < authorities; i++) {
        X509 *certificate = make_certificate(key, i);

        PEM_write_X509(stream, certificate);
        X509_free(certificate);
    }
    fclose(stream);
    EVP_PKEY_free(key);
}

static SSL_CTX *make_context(void)
{
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());

    if (!context || SSL_CTX_load_verify_locations(context, bundle, NULL) != 1)
        fail("SSL_CTX_load_verify_locations");
    return context;
}

/* Returns: 1. */
static long begin_connection(SSL_CTX *context)
{
    SSL *connection = SSL_new(context);
    long is_client;

    if (!connection)
        fail("SSL_new");
    SSL_set_connect_state(connection);
    is_client = SSL_is_server(connection) == 0;
    SSL_free(connection);
    return is_client;
}

static long bundle_planted(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        SSL_CTX *context = make_context();

        sum += begin_connection(context);
        SSL_CTX_free(context);
    }
    return sum;
}

static long bundle_repaired(long rounds)
{
    SSL_CTX *context = make_context();
    long sum = 0;

    for (long i = 0; i < rounds * 1000; i++) /* one alone takes no time */
        sum += begin_connection(context);
    SSL_CTX_free(context);
    return sum / 1000;
}

static const struct {
    const char *name;
    long (*planted)(long), (*repaired)(long);
} costs[] = {{"bundle", bundle_planted, bundle_repaired}};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 4 && i < sizeof costs / sizeof *costs; i++)
        if (strcmp(costs[i].name, argv[1]) == 0) {
            int is_planted = strcmp(argv[2], "planted") == 0;

            make_bundle();
            printf("%ld\n", (is_planted ? costs[i].planted : costs[i].repaired)(atol(argv[3])));
            unlink(bundle);
            return EXIT_SUCCESS;
        }
    return 2;
}
