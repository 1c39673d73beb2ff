// What a process does after a fork: its descriptors and its signals.
// _Fork is declared only with this macro on Linux.
#define _GNU_SOURCE 1
#include "Monitor.h"

#include <limits.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

// Only async-signal-safe calls may stand in this file: another thread may have held any lock when the process was forked.

// The runtime of the thread sanitizer must learn of a fork, which it does only with fork.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HAS_THREAD_SANITIZER 1
#endif
#endif

pid_t cpty_plain_fork(void) {
#if !defined(HAS_THREAD_SANITIZER) && defined(__GLIBC__) && (__GLIBC__ > 2 || (__GLIBC__ == 2 && __GLIBC_MINOR__ >= 34))
    return _Fork();
#else
    return fork();
#endif
}

void cpty_close_span(int first, int last, int limit) {
    if (first > last) return;
#if defined(__linux__) && defined(SYS_close_range)
    if (syscall(SYS_close_range, (unsigned)first, (unsigned)last, 0) == 0) return;
#endif
    for (int descriptor = first; descriptor <= last && descriptor < limit; descriptor++) close(descriptor);
}

void cpty_close_others(const int *kept, int count, int limit) {
    int next = 3;
    for (int index = 0; index < count; index++) {
        if (kept[index] < next) continue;
        cpty_close_span(next, kept[index] - 1, limit);
        next = kept[index] + 1;
    }
    cpty_close_span(next, INT_MAX, limit);
}

void cpty_keep_only(int first, int second) {
    int kept[2] = {first < second ? first : second, first < second ? second : first};
    for (int descriptor = 0; descriptor < 3; descriptor++)
        if (descriptor != first && descriptor != second) close(descriptor);
    // A descriptor above the limit is closed by the system call, where there is one.
    cpty_close_others(kept, 2, 65536);
}

void cpty_set_signals(const sigset_t *ignored, const sigset_t *blocked) {
    struct sigaction action = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++) {
        action.sa_handler = sigismember(ignored, number) == 1 ? SIG_IGN : SIG_DFL;
        sigaction(number, &action, NULL);
    }
    sigprocmask(SIG_SETMASK, blocked, NULL);
}

void cpty_ignore_keys(void) {
    sigset_t ignored, none;
    sigemptyset(&none);
    sigemptyset(&ignored);
    sigaddset(&ignored, SIGHUP);
    sigaddset(&ignored, SIGPIPE);
    sigaddset(&ignored, SIGTTOU);
    cpty_set_signals(&ignored, &none);
}
