// Another program in place of this process.
#define _GNU_SOURCE 1
#include "CPty.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static bool is_inherited(int descriptor, const int *inherited, int count) {
    for (int index = 0; index < count; index++)
        if (inherited[index] == descriptor) return true;
    return false;
}

/// Lets exec close what this process has opened. Some libraries open descriptors without close-on-exec.
static void mark_own_descriptors(void) {
    int count;
    const int *inherited = cpty_inherited_descriptors(&count);
    long limit = sysconf(_SC_OPEN_MAX);
    for (int descriptor = 3; descriptor < (limit < 0 || limit > 65536 ? 65536 : limit); descriptor++) {
        int flags = fcntl(descriptor, F_GETFD);
        if (flags < 0 || is_inherited(descriptor, inherited, count)) continue;
        fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC);
    }
}

/// Handlers are reset by exec, but what is ignored stays ignored.
static void restore_signals(void) {
    sigset_t blocked;
    sigemptyset(&blocked);
    for (int number = 1; number < cpty_signal_limit(); number++) {
        struct sigaction plain = {.sa_handler = cpty_was_ignored(number) ? SIG_IGN : SIG_DFL};
        sigaction(number, &plain, NULL);
        if (cpty_was_blocked(number)) sigaddset(&blocked, number);
    }
    pthread_sigmask(SIG_SETMASK, &blocked, NULL);
}

int cpty_replace_self(const char *path, char *const *arguments, char *const *environment) {
    mark_own_descriptors();
    restore_signals();
    execve(path, arguments, environment);
    return -errno;
}
