#ifndef __APPLE__
#include "CCrypto.h"

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

// Every function leaves the thread's error queue as it found it: TLS on the same thread reads its own errors there.

static EVP_PKEY *pkey(const ccrypto_ed25519 *key) {
    return (EVP_PKEY *)key;
}

static void begin(void) {
    ccrypto_disable_exit_cleanup();
    ERR_set_mark();
}

ccrypto_ed25519 *ccrypto_ed25519_generate(void) {
    uint8_t seed[CCRYPTO_ED25519_KEY_SIZE];
    begin();
    ccrypto_ed25519 *key = RAND_priv_bytes(seed, sizeof seed) == 1 ? ccrypto_ed25519_new(seed) : NULL;
    ERR_pop_to_mark();
    OPENSSL_cleanse(seed, sizeof seed);
    return key;
}

ccrypto_ed25519 *ccrypto_ed25519_new(const uint8_t *seed) {
    begin();
    EVP_PKEY *key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, seed, CCRYPTO_ED25519_KEY_SIZE);
    ERR_pop_to_mark();
    return (ccrypto_ed25519 *)key;
}

bool ccrypto_ed25519_seed(const ccrypto_ed25519 *key, uint8_t *seed) {
    size_t size = CCRYPTO_ED25519_KEY_SIZE;
    begin();
    int result = EVP_PKEY_get_raw_private_key(pkey(key), seed, &size);
    ERR_pop_to_mark();
    return result == 1 && size == CCRYPTO_ED25519_KEY_SIZE;
}

bool ccrypto_ed25519_public_key(const ccrypto_ed25519 *key, uint8_t *public_key) {
    size_t size = CCRYPTO_ED25519_KEY_SIZE;
    begin();
    int result = EVP_PKEY_get_raw_public_key(pkey(key), public_key, &size);
    ERR_pop_to_mark();
    return result == 1 && size == CCRYPTO_ED25519_KEY_SIZE;
}

bool ccrypto_ed25519_sign(const ccrypto_ed25519 *key, const void *message, size_t count, uint8_t *signature) {
    size_t size = CCRYPTO_ED25519_SIGNATURE_SIZE;
    begin();
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool is_signed = context && EVP_DigestSignInit(context, NULL, NULL, NULL, pkey(key)) == 1
        && EVP_DigestSign(context, signature, &size, message, count) == 1 && size == CCRYPTO_ED25519_SIGNATURE_SIZE;
    EVP_MD_CTX_free(context);
    ERR_pop_to_mark();
    return is_signed;
}

void ccrypto_ed25519_free(ccrypto_ed25519 *key) {
    EVP_PKEY_free(pkey(key));
}

bool ccrypto_ed25519_verify(const uint8_t *public_key, const void *message, size_t count, const uint8_t *signature) {
    begin();
    EVP_PKEY *key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, public_key, CCRYPTO_ED25519_KEY_SIZE);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool is_valid = key && context && EVP_DigestVerifyInit(context, NULL, NULL, NULL, key) == 1
        && EVP_DigestVerify(context, signature, CCRYPTO_ED25519_SIGNATURE_SIZE, message, count) == 1;
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(key);
    ERR_pop_to_mark();
    return is_valid;
}

#endif
