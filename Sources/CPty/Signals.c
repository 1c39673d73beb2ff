// pipe2 is declared only with this macro on Linux.
#define _GNU_SOURCE 1
#include "Monitor.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

extern char **environ;

// MARK: What was inherited

static bool was_ignored[NSIG];
static sigset_t blocked_at_start;
static int *inherited;
static int inherited_count;

int cpty_compare_numbers(const void *one, const void *other) {
    int first = *(const int *)one, second = *(const int *)other;
    return first < second ? -1 : first > second;
}

static void record_descriptors(void) {
#ifdef __linux__
    DIR *folder = opendir("/proc/self/fd");
#else
    DIR *folder = opendir("/dev/fd");
#endif
    if (!folder) return;
    int room = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        char *end;
        long number = strtol(entry->d_name, &end, 10);
        if (end == entry->d_name || *end || number < 3 || number == dirfd(folder)) continue;
        if (inherited_count == room) {
            int *grown = realloc(inherited, (size_t)(room + 64) * sizeof *grown);
            if (!grown) break;
            inherited = grown;
            room += 64;
        }
        inherited[inherited_count++] = (int)number;
    }
    closedir(folder);
    if (inherited_count > 1) qsort(inherited, (size_t)inherited_count, sizeof *inherited, cpty_compare_numbers);
}

// By the time main runs, libraries may have opened descriptors, and Swift's runtime has installed handlers.
__attribute__((constructor)) static void record(void) {
    for (int number = 1; number < NSIG; number++) {
        struct sigaction present;
        was_ignored[number] = sigaction(number, NULL, &present) == 0 && present.sa_handler == SIG_IGN;
    }
    sigemptyset(&blocked_at_start);
    pthread_sigmask(SIG_SETMASK, NULL, &blocked_at_start);
    record_descriptors();
}

int cpty_signal_limit(void) { return NSIG; }
bool cpty_was_ignored(int number) { return number > 0 && number < NSIG && was_ignored[number]; }
bool cpty_was_blocked(int number) { return number > 0 && number < NSIG && sigismember(&blocked_at_start, number) == 1; }

const int *cpty_inherited_descriptors(int *count) {
    *count = inherited_count;
    return inherited;
}

char *const *cpty_environment(void) { return environ; }

// MARK: The watch

static struct {
    bool is_active;
    sigset_t former_mask;
    bool is_watched[NSIG];
    struct sigaction former[NSIG];
} watch;

/// The pipe's ends. They stay open when a watch ends, because a handler on another thread may still be at its write.
static int read_end = -1;
static volatile int write_end = -1;
/// Whether a signal's number is in the pipe. So the pipe never contains more than one byte for each signal.
static volatile char is_pending[NSIG];

static void note(int number) {
    int error = errno;
    if (!__atomic_exchange_n(&is_pending[number], 1, __ATOMIC_SEQ_CST)) {
        uint8_t byte = (uint8_t)number;
        if (write(write_end, &byte, 1) != 1) __atomic_store_n(&is_pending[number], 0, __ATOMIC_SEQ_CST);
    }
    errno = error;
}

static int make_pipe(int ends[2]) {
#ifdef __linux__
    return pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0 ? 0 : -errno;
#else
    if (pipe(ends) != 0) return -errno;
    for (int index = 0; index < 2; index++) {
        fcntl(ends[index], F_SETFD, FD_CLOEXEC);
        cpty_set_nonblocking(ends[index]);
    }
    return 0;
#endif
}

/// Makes the pipe, or drops what a former watch left in it.
static int provide_pipe(void) {
    uint8_t left[NSIG];
    if (read_end >= 0) {
        while (cpty_read_signals(read_end, left, sizeof left) > 0) {}
        return 0;
    }
    int ends[2], error = make_pipe(ends);
    if (error != 0) return error;
    read_end = ends[0];
    write_end = ends[1];
    return 0;
}

static bool ends_nothing(int number) { return number == SIGCHLD || number == SIGCONT || number == SIGWINCH; }

static bool install(int number) {
    struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART};
    sigfillset(&action.sa_mask);
    if (cpty_was_ignored(number) && !ends_nothing(number)) return true;
    if (sigaction(number, &action, &watch.former[number]) != 0) return false;
    watch.is_watched[number] = true;
    return true;
}

int cpty_watch_signals(const int *numbers, int count) {
    if (watch.is_active) return -EBUSY;
    int error = provide_pipe();
    if (error != 0) return error;
    sigset_t set;
    sigemptyset(&set);
    watch.is_active = true;
    pthread_sigmask(SIG_SETMASK, NULL, &watch.former_mask);
    for (int index = 0; index < count; index++) {
        int number = numbers[index];
        if (number <= 0 || number >= NSIG || !install(number)) {
            cpty_unwatch_signals();
            return -EINVAL;
        }
        sigaddset(&set, number);
    }
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    return read_end;
}

ssize_t cpty_read_signals(int descriptor, uint8_t *numbers, size_t room) {
    ssize_t count = cpty_read(descriptor, numbers, room);
    for (ssize_t index = 0; index < count; index++)
        if (numbers[index] < NSIG) __atomic_store_n(&is_pending[numbers[index]], 0, __ATOMIC_SEQ_CST);
    return count;
}

void cpty_unwatch_signals(void) {
    if (!watch.is_active) return;
    for (int number = 1; number < NSIG; number++) {
        if (watch.is_watched[number]) sigaction(number, &watch.former[number], NULL);
        watch.is_watched[number] = false;
    }
    pthread_sigmask(SIG_SETMASK, &watch.former_mask, NULL);
    watch.is_active = false;
}

// MARK: Stopping and ending

/// Lets a signal act by its default on this process, through this thread: it acts before the function returns.
static void raise_default(int number) {
    struct sigaction plain = {.sa_handler = SIG_DFL}, before;
    sigset_t set, mask;
    sigemptyset(&set);
    sigaddset(&set, number);
    sigaction(number, &plain, &before);
    pthread_sigmask(SIG_UNBLOCK, &set, &mask);
    raise(number);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    sigaction(number, &before, NULL);
}

/// Sends a signal to the other processes of this process's group.
///
/// Sent to all at once, the signal might act here only after the return of kill. While the main thread blocks it, an ignored
/// signal would wait and act on this process a second time.
static void signal_others(int number) {
    struct sigaction ignored = {.sa_handler = SIG_IGN}, before;
    sigset_t set, mask;
    sigemptyset(&set);
    sigaddset(&set, number);
    sigaction(number, &ignored, &before);
    pthread_sigmask(SIG_UNBLOCK, &set, &mask);
    kill(0, number);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    sigaction(number, &before, NULL);
}

void cpty_stop_self(int number, bool with_group) {
    if (with_group) signal_others(number);
    raise_default(number);
}

void cpty_end_by_signal(int number, bool with_group) {
    // A core of this process would be mistaken for one of the program.
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
#ifdef __linux__
    // A handler in core_pattern gets a core in spite of the limit.
    prctl(PR_SET_DUMPABLE, 0);
#endif
    if (with_group) signal_others(number);
    raise_default(number);
}

void cpty_block_all_signals(void) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
}
