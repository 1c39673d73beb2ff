// _Fork is declared only with this macro on Linux.
#define _GNU_SOURCE 1
#include "Monitor.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
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

static void report(int channel, int kind, int value) {
    struct cpty_report message = {kind, value};
    while (write(channel, &message, sizeof message) < 0 && errno == EINTR) {}
}

static _Noreturn void fail(int channel, int error) {
    report(channel, cpty_failed, error);
    _exit(1);
}

static void close_span(int first, int last, int limit) {
    if (first > last) return;
#if defined(__linux__) && defined(SYS_close_range)
    if (syscall(SYS_close_range, (unsigned)first, (unsigned)last, 0) == 0) return;
#endif
    for (int descriptor = first; descriptor <= last && descriptor < limit; descriptor++) close(descriptor);
}

/// Closes every descriptor above 2 that is not in the ascending list.
static void close_others(const int *kept, int count, int limit) {
    int next = 3;
    for (int index = 0; index < count; index++) {
        if (kept[index] < next) continue;
        close_span(next, kept[index] - 1, limit);
        next = kept[index] + 1;
    }
    close_span(next, INT_MAX, limit);
}

static void set_signals(const sigset_t *ignored, const sigset_t *blocked) {
    struct sigaction action = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++) {
        action.sa_handler = sigismember(ignored, number) == 1 ? SIG_IGN : SIG_DFL;
        sigaction(number, &action, NULL);
    }
    sigprocmask(SIG_SETMASK, blocked, NULL);
}

/// The signals that the monitor waits for. They are blocked until then.
static void fill_awaited(sigset_t *set) {
    sigemptyset(set);
    sigaddset(set, SIGCHLD);
    sigaddset(set, SIGHUP);
}

static void do_nothing(int number) { (void)number; }

static void set_monitor_signals(void) {
    static const int ignored[] = {SIGINT, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE};
    sigset_t set, awaited;
    sigemptyset(&set);
    for (size_t index = 0; index < sizeof ignored / sizeof ignored[0]; index++) sigaddset(&set, ignored[index]);
    fill_awaited(&awaited);
    set_signals(&set, &awaited);
    // Without a handler some systems discard SIGCHLD also while it is blocked.
    struct sigaction action = {.sa_handler = do_nothing};
    sigaction(SIGCHLD, &action, NULL);
}

/// As execvp(3). Returns the error number.
static int execute(const struct cpty_monitor_start *start) {
    const struct cpty_program *program = start->program;
    int error = ENOENT;
    bool is_denied = false;
    for (char *const *path = program->paths; *path; path++) {
        execve(*path, program->arguments, program->environment);
        error = errno;
        if (error == ENOEXEC) {
            start->shell[1] = *path;
            execve("/bin/sh", start->shell, program->environment);
            return errno;
        }
        if (error == EACCES) is_denied = true;
        else if (error != ENOENT && error != ENOTDIR && error != ESTALE && error != ENODEV && error != ETIMEDOUT) return error;
    }
    return is_denied ? EACCES : error;
}

static _Noreturn void run_program(const struct cpty_monitor_start *start, int gate) {
    setpgid(0, 0);
    // SIGTTOU is still ignored, so a background process group may do this.
    tcsetpgrp(0, getpid());
    set_signals(&start->ignored, &start->blocked);
    int error = execute(start);
    while (write(gate, &error, sizeof error) < 0 && errno == EINTR) {}
    _exit(127);
}

/// Starts the program, and returns when exec has succeeded.
static pid_t start_program(const struct cpty_monitor_start *start) {
    int gate[2], error = 0;
    if (pipe(gate) != 0) fail(start->channel, errno);
    fcntl(gate[0], F_SETFD, FD_CLOEXEC);
    fcntl(gate[1], F_SETFD, FD_CLOEXEC);
    pid_t program = cpty_plain_fork();
    if (program == 0) run_program(start, gate[1]);
    if (program < 0) fail(start->channel, errno);
    setpgid(program, program);
    close(gate[1]);
    ssize_t count;
    while ((count = read(gate[0], &error, sizeof error)) < 0 && errno == EINTR) {}
    close(gate[0]);
    if (count != sizeof error) return program;
    waitpid(program, NULL, 0);
    fail(start->channel, error);
}

/// Reports what has happened to the program since the last call. Returns whether it has ended. It is not reaped then, so that
/// its process identifier stays reserved.
static bool report_changes(pid_t program, int channel) {
    while (true) {
        siginfo_t info = {0};
        if (waitid(P_PID, (id_t)program, &info, WEXITED | WSTOPPED | WCONTINUED | WNOHANG | WNOWAIT) != 0) {
            if (errno == EINTR) continue;
            _exit(1);
        }
        if (info.si_pid == 0) return false;
        bool has_exited = info.si_code == CLD_EXITED;
        if (has_exited || info.si_code == CLD_KILLED || info.si_code == CLD_DUMPED) {
            report(channel, has_exited ? cpty_exited : cpty_killed, info.si_status);
            return true;
        }
        // Only now the event is taken, and without WEXITED, because the program may have ended meanwhile.
        info = (siginfo_t){0};
        if (waitid(P_PID, (id_t)program, &info, WSTOPPED | WCONTINUED | WNOHANG) != 0 || info.si_pid == 0) continue;
        if (info.si_code == CLD_CONTINUED) report(channel, cpty_continued, 0);
        else report(channel, cpty_stopped, info.si_status);
    }
}

/// Reports what happens to the program until it has ended.
static void follow(pid_t program, int channel) {
    sigset_t awaited;
    fill_awaited(&awaited);
    while (!report_changes(program, channel)) {
        int number = 0;
        if (sigwait(&awaited, &number) != 0 || number != SIGHUP) continue;
        // The end of a session leader hangs up the foreground process group. The program's group may be another.
        kill(-program, SIGHUP);
        kill(-program, SIGCONT);
        _exit(1);
    }
}

_Noreturn void cpty_run_monitor(const struct cpty_monitor_start *start) {
    set_monitor_signals();
    if (setsid() < 0 || ioctl(start->slave, TIOCSCTTY, 0) != 0) fail(start->channel, errno);
    for (int descriptor = 0; descriptor < (start->program->inherits_error ? 2 : 3); descriptor++)
        if (dup2(start->slave, descriptor) < 0) fail(start->channel, errno);
    close_others(start->kept, start->kept_count, start->descriptor_limit);

    char byte;
    ssize_t count;
    while ((count = read(start->channel, &byte, 1)) < 0 && errno == EINTR) {}
    if (count != 1) _exit(0);

    pid_t program = start_program(start);
    // What the program inherits is not held open by the monitor.
    dup2(0, 2);
    close_others(&start->channel, 1, start->descriptor_limit);
    report(start->channel, cpty_started, program);
    follow(program, start->channel);
    while ((count = read(start->channel, &byte, 1)) > 0 || (count < 0 && errno == EINTR)) {}
    // The foreground process group is hung up when its session leader ends. What the program left running is not.
    tcsetpgrp(0, getpid());
    waitpid(program, NULL, 0);
    _exit(0);
}
