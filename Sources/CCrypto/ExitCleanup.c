#include "CCrypto.h"

#ifdef __APPLE__

void ccrypto_disable_exit_cleanup(void) {}

#else
#include <openssl/crypto.h>

void ccrypto_disable_exit_cleanup(void) {
    OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
}

#endif
