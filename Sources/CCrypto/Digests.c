#include "CCrypto.h"

#include <stdlib.h>

#ifdef __APPLE__
#include <CommonCrypto/CommonDigest.h>
#include <CommonCrypto/CommonHMAC.h>

struct ccrypto_digest {
    ccrypto_digest_kind kind;
    union {
        CC_MD5_CTX md5;
        CC_SHA256_CTX sha256;
    } state;
};

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"

ccrypto_digest *ccrypto_digest_new(ccrypto_digest_kind kind) {
    ccrypto_digest *digest = calloc(1, sizeof *digest);
    if (!digest) return NULL;
    digest->kind = kind;
    if (kind == CCRYPTO_MD5) {
        CC_MD5_Init(&digest->state.md5);
    } else {
        CC_SHA256_Init(&digest->state.sha256);
    }
    return digest;
}

bool ccrypto_digest_update(ccrypto_digest *digest, const void *bytes, size_t count) {
    const uint8_t *next = bytes;
    while (count > 0) {
        CC_LONG part = count > (1u << 30) ? (1u << 30) : (CC_LONG)count;
        if (digest->kind == CCRYPTO_MD5) {
            CC_MD5_Update(&digest->state.md5, next, part);
        } else {
            CC_SHA256_Update(&digest->state.sha256, next, part);
        }
        next += part;
        count -= part;
    }
    return true;
}

bool ccrypto_digest_final(ccrypto_digest *digest, uint8_t *output) {
    if (digest->kind == CCRYPTO_MD5) {
        CC_MD5_Final(output, &digest->state.md5);
    } else {
        CC_SHA256_Final(output, &digest->state.sha256);
    }
    return true;
}

#pragma clang diagnostic pop

void ccrypto_digest_free(ccrypto_digest *digest) {
    free(digest);
}

bool ccrypto_hmac_sha256(const void *key, size_t key_count, const void *bytes, size_t count, uint8_t *output) {
    CCHmac(kCCHmacAlgSHA256, key, key_count, bytes, count, output);
    return true;
}

#else
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <limits.h>

static EVP_MD_CTX *context(ccrypto_digest *digest) {
    return (EVP_MD_CTX *)digest;
}

ccrypto_digest *ccrypto_digest_new(ccrypto_digest_kind kind) {
    ccrypto_disable_exit_cleanup();
    EVP_MD_CTX *digest = EVP_MD_CTX_new();
    // A system without MD5 leaves an error behind, which TLS on the same thread would take for its own.
    ERR_set_mark();
    bool is_ready = digest && EVP_DigestInit_ex(digest, kind == CCRYPTO_MD5 ? EVP_md5() : EVP_sha256(), NULL) == 1;
    ERR_pop_to_mark();
    if (is_ready) return (ccrypto_digest *)digest;
    EVP_MD_CTX_free(digest);
    return NULL;
}

bool ccrypto_digest_update(ccrypto_digest *digest, const void *bytes, size_t count) {
    return EVP_DigestUpdate(context(digest), bytes, count) == 1;
}

bool ccrypto_digest_final(ccrypto_digest *digest, uint8_t *output) {
    return EVP_DigestFinal_ex(context(digest), output, NULL) == 1;
}

void ccrypto_digest_free(ccrypto_digest *digest) {
    EVP_MD_CTX_free(context(digest));
}

bool ccrypto_hmac_sha256(const void *key, size_t key_count, const void *bytes, size_t count, uint8_t *output) {
    ccrypto_disable_exit_cleanup();
    if (key_count > INT_MAX) return false;
    ERR_set_mark();
    // Without a key OpenSSL would take that of an earlier call.
    bool is_made = HMAC(EVP_sha256(), key_count > 0 ? key : "", (int)key_count, bytes, count, output, NULL) != NULL;
    ERR_pop_to_mark();
    return is_made;
}

#endif

bool ccrypto_sha256(const void *bytes, size_t count, uint8_t *output) {
    ccrypto_digest *digest = ccrypto_digest_new(CCRYPTO_SHA256);
    bool is_whole = digest && ccrypto_digest_update(digest, bytes, count) && ccrypto_digest_final(digest, output);
    ccrypto_digest_free(digest);
    return is_whole;
}
