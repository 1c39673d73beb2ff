#if __has_include(<vterm.h>)

#include "Library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

static struct cvterm_library library;
static int is_loaded;

static void load(void) {
    // The number of the interface that the header describes comes first.
#if __APPLE__
    static const char *const names[] = {"libvterm.0.dylib", "libvterm.dylib"};
#else
    static const char *const names[] = {"libvterm.so.0", "libvterm.so"};
#endif
    void *handle = NULL;
    for (size_t index = 0; !handle && index < sizeof names / sizeof *names; index++) {
        handle = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
    }
    if (!handle) return;
#define CVTERM_LOAD(name)                                                                                               \
    if (!(library.name = (__typeof__(name) *)dlsym(handle, #name))) return;
    CVTERM_FUNCTIONS(CVTERM_LOAD)
#undef CVTERM_LOAD
    is_loaded = 1;
}

const struct cvterm_library *cvterm_library(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_loaded ? &library : NULL;
}

#endif
