// Child processes with posix_spawn(3).
// POSIX_SPAWN_SETSID and addclosefrom_np are declared only with this macro on Linux.
#define _GNU_SOURCE 1
#include "Monitor.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/wait.h>
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

/// What posix_spawn(3) needs, made before a fork.
struct spawn {
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t files;
    const struct cpty_child *child;
};

static bool prepare(struct spawn *spawn, const struct cpty_child *child) {
    spawn->child = child;
    if (posix_spawnattr_init(&spawn->attributes) != 0) return false;
    if (posix_spawn_file_actions_init(&spawn->files) != 0) {
        posix_spawnattr_destroy(&spawn->attributes);
        return false;
    }
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&spawn->attributes, &none);
    posix_spawnattr_setsigdefault(&spawn->attributes, &all);
    posix_spawnattr_setpgroup(&spawn->attributes, 0);
    short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    if (child->leads_session) flags |= POSIX_SPAWN_SETSID;
    if (child->leads_group) flags |= POSIX_SPAWN_SETPGROUP;
    flags |= add_descriptors(&spawn->files, child);
    posix_spawnattr_setflags(&spawn->attributes, flags);
    return true;
}

static void dispose(struct spawn *spawn) {
    posix_spawn_file_actions_destroy(&spawn->files);
    posix_spawnattr_destroy(&spawn->attributes);
}

/// Returns the process, or the error number, negative.
static pid_t start(const struct spawn *spawn) {
    const struct cpty_child *child = spawn->child;
    pid_t number = 0;
    char *const *environment = child->environment ? child->environment : environ;
    int error = posix_spawnp(&number, child->arguments[0], &spawn->files, &spawn->attributes, child->arguments, environment);
    return error == 0 ? number : -error;
}

pid_t cpty_start_child(const struct cpty_child *child) {
    struct spawn spawn;
    if (!prepare(&spawn, child)) return -ENOMEM;
    pid_t number = start(&spawn);
    dispose(&spawn);
    return number;
}

// MARK: A child that ends with this process

/// Ends this process as a child has ended.
static _Noreturn void end_as(int status) {
    if (!WIFSIGNALED(status)) _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 127);
    struct rlimit none = {0};
    setrlimit(RLIMIT_CORE, &none);
    kill(getpid(), WTERMSIG(status));
    _exit(127);
}

static void do_nothing(int number) { (void)number; }

/// The life of the process between. Only async-signal-safe calls may be made in it, and posix_spawn(3), which takes no lock on Linux.
static _Noreturn void keep(const struct spawn *spawn, int life, int gate) {
    setsid();
    sigset_t none, blocked;
    sigemptyset(&none);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGCHLD);
    cpty_set_signals(&none, &blocked);
    struct sigaction action = {.sa_handler = do_nothing};
    sigaction(SIGCHLD, &action, NULL);
    pid_t child = start(spawn);
    int error = child < 0 ? -child : 0;
    while (write(gate, &error, sizeof error) < 0 && errno == EINTR) {}
    if (error != 0) _exit(127);
    // What the child writes to must end with the child.
    cpty_keep_only(life, life);
    int own = dup2(life, 0);
    cpty_close_others(NULL, 0, 65536);
    while (true) {
        int status;
        if (waitpid(child, &status, WNOHANG) == child) end_as(status);
        fd_set readable;
        FD_ZERO(&readable);
        FD_SET(own, &readable);
        // Nothing is ever written to it.
        if (pselect(own + 1, &readable, NULL, NULL, NULL, &none) > 0) kill(0, SIGKILL);
    }
}

static int make_pipe(int ends[2]) {
    int error = cpty_make_pipe(ends);
    // Its ends wait.
    for (int index = 0; index < 2 && error == 0; index++)
        fcntl(ends[index], F_SETFL, fcntl(ends[index], F_GETFL) & ~O_NONBLOCK);
    return error;
}

static void close_both(const int ends[2]) {
    close(ends[0]);
    close(ends[1]);
}

pid_t cpty_start_kept_child(const struct cpty_child *child, int *life) {
    int life_ends[2], gate_ends[2];
    struct spawn spawn;
    int error = cpty_make_channel(life_ends);
    if (error != 0) return error;
    error = make_pipe(gate_ends);
    if (error == 0 && !prepare(&spawn, child)) {
        close_both(gate_ends);
        error = -ENOMEM;
    }
    if (error != 0) {
        close_both(life_ends);
        return error;
    }
    // A handler of this process must not run in the new one.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t keeper = cpty_plain_fork();
    if (keeper == 0) keep(&spawn, life_ends[0], gate_ends[1]);
    error = keeper < 0 ? errno : 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    dispose(&spawn);
    close(life_ends[0]);
    close(gate_ends[1]);
    ssize_t count = 0;
    if (error == 0) {
        while ((count = read(gate_ends[0], &error, sizeof error)) < 0 && errno == EINTR) {}
        if (count != sizeof error) error = EAGAIN;
        if (error != 0) waitpid(keeper, NULL, 0);
    }
    close(gate_ends[0]);
    if (error == 0) {
        *life = life_ends[1];
        return keeper;
    }
    close(life_ends[1]);
    return -error;
}
