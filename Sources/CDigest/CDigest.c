#include "CDigest.h"

#include <stdlib.h>

#ifdef __APPLE__
#include <CommonCrypto/CommonDigest.h>

struct cdigest {
    cdigest_kind kind;
    union {
        CC_MD5_CTX md5;
        CC_SHA256_CTX sha256;
    } state;
};

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"

cdigest *cdigest_new(cdigest_kind kind) {
    cdigest *digest = calloc(1, sizeof *digest);
    if (!digest) return NULL;
    digest->kind = kind;
    if (kind == CDIGEST_MD5) {
        CC_MD5_Init(&digest->state.md5);
    } else {
        CC_SHA256_Init(&digest->state.sha256);
    }
    return digest;
}

int cdigest_update(cdigest *digest, const void *bytes, size_t count) {
    const uint8_t *next = bytes;
    while (count > 0) {
        CC_LONG part = count > (1u << 30) ? (1u << 30) : (CC_LONG)count;
        if (digest->kind == CDIGEST_MD5) {
            CC_MD5_Update(&digest->state.md5, next, part);
        } else {
            CC_SHA256_Update(&digest->state.sha256, next, part);
        }
        next += part;
        count -= part;
    }
    return 0;
}

int cdigest_final(cdigest *digest, uint8_t *output) {
    if (digest->kind == CDIGEST_MD5) {
        CC_MD5_Final(output, &digest->state.md5);
    } else {
        CC_SHA256_Final(output, &digest->state.sha256);
    }
    return 0;
}

#pragma clang diagnostic pop

void cdigest_free(cdigest *digest) {
    free(digest);
}

#else
#include <openssl/crypto.h>
#include <openssl/evp.h>

struct cdigest {
    EVP_MD_CTX *context;
};

cdigest *cdigest_new(cdigest_kind kind) {
    // Else the library takes itself apart when the program ends, and ends it with a crash while a thread is in it.
    OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
    cdigest *digest = calloc(1, sizeof *digest);
    if (!digest) return NULL;
    digest->context = EVP_MD_CTX_new();
    const EVP_MD *algorithm = kind == CDIGEST_MD5 ? EVP_md5() : EVP_sha256();
    if (digest->context && EVP_DigestInit_ex(digest->context, algorithm, NULL) == 1) return digest;
    cdigest_free(digest);
    return NULL;
}

int cdigest_update(cdigest *digest, const void *bytes, size_t count) {
    return EVP_DigestUpdate(digest->context, bytes, count) == 1 ? 0 : -1;
}

int cdigest_final(cdigest *digest, uint8_t *output) {
    return EVP_DigestFinal_ex(digest->context, output, NULL) == 1 ? 0 : -1;
}

void cdigest_free(cdigest *digest) {
    if (!digest) return;
    EVP_MD_CTX_free(digest->context);
    free(digest);
}

#endif
