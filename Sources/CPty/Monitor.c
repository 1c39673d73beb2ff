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

/// The program's process, which leads its group; 0 before it was started.
static volatile sig_atomic_t program_process;

pid_t cpty_plain_fork(void) {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || (__GLIBC__ == 2 && __GLIBC_MINOR__ >= 34))
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

/// The kernel hangs up only the foreground process group when its session leader ends. The program's group may be another.
static void hang_up(int number) {
    (void)number;
    pid_t group = program_process;
    if (group > 1) {
        kill(-group, SIGHUP);
        kill(-group, SIGCONT);
    }
    _exit(1);
}

static void set_monitor_signals(void) {
    static const int ignored[] = {SIGINT, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE};
    sigset_t set, none;
    sigemptyset(&set);
    sigemptyset(&none);
    for (size_t index = 0; index < sizeof ignored / sizeof ignored[0]; index++) sigaddset(&set, ignored[index]);
    set_signals(&set, &none);
    struct sigaction action = {.sa_handler = hang_up};
    sigaction(SIGHUP, &action, NULL);
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
    program_process = program;
    setpgid(program, program);
    close(gate[1]);
    ssize_t count;
    while ((count = read(gate[0], &error, sizeof error)) < 0 && errno == EINTR) {}
    close(gate[0]);
    if (count != sizeof error) return program;
    waitpid(program, NULL, 0);
    fail(start->channel, error);
}

/// Reports what happens to the program until it has ended. Its process identifier stays reserved: it is not reaped.
static void follow(pid_t program, int channel) {
    while (true) {
        siginfo_t info = {0};
        if (waitid(P_PID, (id_t)program, &info, WEXITED | WSTOPPED | WCONTINUED | WNOWAIT) != 0) {
            if (errno == EINTR) continue;
            _exit(1);
        }
        bool has_exited = info.si_code == CLD_EXITED;
        if (has_exited || info.si_code == CLD_KILLED || info.si_code == CLD_DUMPED) {
            report(channel, has_exited ? cpty_exited : cpty_killed, info.si_status);
            return;
        }
        // Only now the event is taken, and without WEXITED, because the program may have ended meanwhile.
        info = (siginfo_t){0};
        if (waitid(P_PID, (id_t)program, &info, WSTOPPED | WCONTINUED | WNOHANG) != 0 || info.si_pid == 0) continue;
        if (info.si_code == CLD_CONTINUED) report(channel, cpty_continued, 0);
        else report(channel, cpty_stopped, info.si_status);
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
    // The end of a session leader hangs up the foreground process group. What the program left running stays.
    tcsetpgrp(0, getpid());
    waitpid(program, NULL, 0);
    _exit(0);
}
