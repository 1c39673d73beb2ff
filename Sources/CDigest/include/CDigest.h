#ifndef CDIGEST_H
#define CDIGEST_H

#include <stddef.h>
#include <stdint.h>

/// The digests that resources are checked with.
typedef enum { CDIGEST_MD5, CDIGEST_SHA256 } cdigest_kind;

/// A digest under way.
typedef struct cdigest cdigest;

/// Starts a digest; NULL where the system does not offer that kind or has no memory left.
cdigest *cdigest_new(cdigest_kind kind);

/// Takes more bytes; 0 on success.
int cdigest_update(cdigest *digest, const void *bytes, size_t count);

/// Writes the digest, 16 bytes for MD5 and 32 for SHA-256; 0 on success. Nothing may be added afterwards.
int cdigest_final(cdigest *digest, uint8_t *output);

void cdigest_free(cdigest *digest);

#endif
