/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plants of well-known costs of OpenSSL's libcrypto.
 */
#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

#include "plants.h"

static const unsigned char block[64] = "a message of a few words";

static EVP_PKEY *make_short_key(void)
{
    return EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256");
}

static EVP_PKEY *make_long_key(void)
{
    return EVP_PKEY_Q_keygen(NULL, NULL, "RSA", (size_t)2048);
}

static BIO *write_key(void)
{
    EVP_PKEY *key = make_short_key();
    BIO *text = BIO_new(BIO_s_mem());

    PEM_write_bio_PrivateKey(text, key, NULL, NULL, 0, NULL, NULL);
    EVP_PKEY_free(key);
    return text;
}

static EVP_PKEY *read_key(BIO *text)
{
    char *bytes;
    long size = BIO_get_mem_data(text, &bytes);
    BIO *copy = BIO_new_mem_buf(bytes, (int)size);
    EVP_PKEY *key = PEM_read_bio_PrivateKey(copy, NULL, NULL, NULL);

    BIO_free(copy);
    return key;
}

static long pem_planted(long rounds)
{
    BIO *text = write_key();
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        EVP_PKEY *key = read_key(text);

        sum += EVP_PKEY_get_bits(key);
        EVP_PKEY_free(key);
    }
    BIO_free(text);
    return sum;
}

static long pem_repaired(long rounds)
{
    BIO *text = write_key();
    EVP_PKEY *key = read_key(text);
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += EVP_PKEY_get_bits(key);
    EVP_PKEY_free(key);
    BIO_free(text);
    return sum;
}

static long make_keys(long rounds, EVP_PKEY *(*make)(void))
{
    long count = 0;

    for (long i = 0; i < rounds; i++) {
        EVP_PKEY *key = make();

        count += EVP_PKEY_get_bits(key) > 0;
        EVP_PKEY_free(key);
    }
    return count;
}

static long keygen_planted(long rounds)
{
    return make_keys(rounds, make_long_key);
}

static long keygen_repaired(long rounds)
{
    return make_keys(rounds, make_short_key);
}

static long digest_planted(long rounds)
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        EVP_MD *kind = EVP_MD_fetch(NULL, "SHA256", NULL);
        EVP_MD_CTX *context = EVP_MD_CTX_new();

        EVP_DigestInit_ex(context, kind, NULL);
        EVP_DigestUpdate(context, block, sizeof block);
        EVP_DigestFinal_ex(context, digest, NULL);
        sum += digest[0];
        EVP_MD_CTX_free(context);
        EVP_MD_free(kind);
    }
    return sum;
}

static long digest_repaired(long rounds)
{
    EVP_MD *kind = EVP_MD_fetch(NULL, "SHA256", NULL);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    unsigned char digest[EVP_MAX_MD_SIZE];
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        EVP_DigestInit_ex(context, kind, NULL);
        EVP_DigestUpdate(context, block, sizeof block);
        EVP_DigestFinal_ex(context, digest, NULL);
        sum += digest[0];
    }
    EVP_MD_CTX_free(context);
    EVP_MD_free(kind);
    return sum;
}

static long password_planted(long rounds)
{
    unsigned char key[32];
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        PKCS5_PBKDF2_HMAC("secret", 6, block, 16, 100000, EVP_sha256(), sizeof key, key);
        sum += key[0];
    }
    return sum;
}

static long password_repaired(long rounds)
{
    unsigned char key[32], digest[EVP_MAX_MD_SIZE];
    unsigned size;
    long sum = 0;

    PKCS5_PBKDF2_HMAC("secret", 6, block, 16, 1000, EVP_sha256(), sizeof key, key);
    for (long i = 0; i < rounds; i++) {
        HMAC(EVP_sha256(), key, sizeof key, block, sizeof block, digest, &size);
        sum += size;
    }
    return sum > 0 ? password_planted(1) * rounds : 0;
}

static long random_planted(long rounds)
{
    unsigned char number[4];
    long count = 0;

    for (long i = 0; i < rounds; i++)
        count += RAND_bytes(number, sizeof number);
    return count;
}

static long random_repaired(long rounds)
{
    unsigned char numbers[4096];
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        if (i * 4 % (long)sizeof numbers == 0)
            RAND_bytes(numbers, sizeof numbers);
        sum += numbers[i * 4 % (long)sizeof numbers];
    }
    return sum > 0 ? rounds : 0;
}

static const struct plant plants[] = {PLANT(pem), PLANT(keygen), PLANT(digest), PLANT(password),
                                      PLANT(random)};

int main(int argc, char **argv)
{
    return RUN_PLANTS(plants, argc, argv);
}
