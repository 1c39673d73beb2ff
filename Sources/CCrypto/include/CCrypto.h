// Digests and Ed25519 from the system's own library: OpenSSL's libcrypto, CommonCrypto on Apple's systems.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Disables OpenSSL's exit-time cleanup, which ends the program with a crash while another thread is in the library.
///
/// It has an effect only before anything else initialises OpenSSL, so call it before the first use of any library that
/// uses OpenSSL, such as libcurl. Everything below calls it first. Any thread may call it, any number of times.
void ccrypto_disable_exit_cleanup(void);

// MARK: Digests

typedef enum { CCRYPTO_MD5, CCRYPTO_SHA256 } ccrypto_digest_kind;

/// A digest that takes its bytes piece by piece. One thread at a time may use it.
typedef struct ccrypto_digest ccrypto_digest;

/// Starts a digest; NULL if the system doesn't offer that kind or is out of memory.
ccrypto_digest *ccrypto_digest_new(ccrypto_digest_kind kind);

/// Adds bytes; false if the system's library failed.
bool ccrypto_digest_update(ccrypto_digest *digest, const void *bytes, size_t count);

/// Writes the digest, 16 bytes for MD5 and 32 for SHA-256; false if the system's library failed. Add nothing afterwards.
bool ccrypto_digest_final(ccrypto_digest *digest, uint8_t *output);

void ccrypto_digest_free(ccrypto_digest *digest);

/// Writes the SHA-256 of `count` bytes, which are 32; false if the system's library failed.
bool ccrypto_sha256(const void *bytes, size_t count, uint8_t *output);

/// Writes the HMAC-SHA256 (RFC 2104) of `count` bytes, which are 32; false if the system's library failed.
bool ccrypto_hmac_sha256(const void *key, size_t key_count, const void *bytes, size_t count, uint8_t *output);

#ifndef __APPLE__
// MARK: Ed25519 (RFC 8032). Apple's systems offer it in Swift only, as CryptoKit.

enum { CCRYPTO_ED25519_KEY_SIZE = 32, CCRYPTO_ED25519_SIGNATURE_SIZE = 64 };

/// A private key, wiped when it is freed. Several threads may use it at once.
typedef struct ccrypto_ed25519 ccrypto_ed25519;

/// Makes a key from OpenSSL's random numbers; NULL if there are none, or the library has no Ed25519.
ccrypto_ed25519 *ccrypto_ed25519_generate(void);

/// Makes the key of a seed of 32 bytes; NULL if the library failed.
ccrypto_ed25519 *ccrypto_ed25519_new(const uint8_t *seed);

/// Writes the 32 bytes that the key was made of; false if the library failed.
bool ccrypto_ed25519_seed(const ccrypto_ed25519 *key, uint8_t *seed);

/// Writes the 32 bytes of the public key; false if the library failed.
bool ccrypto_ed25519_public_key(const ccrypto_ed25519 *key, uint8_t *public_key);

/// Writes a signature of 64 bytes; false if the library failed.
bool ccrypto_ed25519_sign(const ccrypto_ed25519 *key, const void *message, size_t count, uint8_t *signature);

void ccrypto_ed25519_free(ccrypto_ed25519 *key);

/// Whether a signature of 64 bytes is valid for a message and a public key of 32 bytes; false if the library failed.
bool ccrypto_ed25519_verify(const uint8_t *public_key, const void *message, size_t count, const uint8_t *signature);
#endif
