// Child processes with posix_spawn(3).
// POSIX_SPAWN_SETSID and addclosefrom_np are declared only with this macro on Linux.
#define _GNU_SOURCE 1
#include "CPty.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

extern char **environ;

#if defined(__GLIBC__) && defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 34)
#define CLOSES_FROM 1
#endif
#endif

/// Closes every descriptor from a number on in the child. Some libraries open descriptors without close-on-exec.
/// @return the flags that this needs.
static short close_from(posix_spawn_file_actions_t *files, int first) {
    if (first < 0) return 0;
#ifdef __APPLE__
    (void)files;
    return POSIX_SPAWN_CLOEXEC_DEFAULT;
#elif defined(CLOSES_FROM)
    posix_spawn_file_actions_addclosefrom_np(files, first);
    return 0;
#else
    // Descriptors that other threads open before the start are missed.
    (void)files;
    long limit = sysconf(_SC_OPEN_MAX);
    for (int descriptor = first; descriptor < (limit < 0 || limit > 65536 ? 65536 : limit); descriptor++)
        fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    return 0;
#endif
}

static short add_descriptors(posix_spawn_file_actions_t *files, const struct cpty_child *child) {
    for (int index = 0; index < child->descriptor_count; index++) {
        struct cpty_child_descriptor descriptor = child->descriptors[index];
        if (descriptor.source >= 0) posix_spawn_file_actions_adddup2(files, descriptor.source, descriptor.number);
        else posix_spawn_file_actions_addopen(files, descriptor.number, "/dev/null", O_RDWR, 0);
    }
    return close_from(files, child->first_closed);
}

pid_t cpty_start_child(const struct cpty_child *child) {
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t files;
    if (posix_spawnattr_init(&attributes) != 0) return -ENOMEM;
    if (posix_spawn_file_actions_init(&files) != 0) {
        posix_spawnattr_destroy(&attributes);
        return -ENOMEM;
    }
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    if (child->leads_session) flags |= POSIX_SPAWN_SETSID;
    if (child->leads_group) flags |= POSIX_SPAWN_SETPGROUP;
    flags |= add_descriptors(&files, child);
    posix_spawnattr_setflags(&attributes, flags);
    pid_t number = 0;
    char *const *environment = child->environment ? child->environment : environ;
    int error = posix_spawnp(&number, child->arguments[0], &files, &attributes, child->arguments, environment);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    return error == 0 ? number : -error;
}
