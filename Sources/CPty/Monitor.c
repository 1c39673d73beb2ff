// _Fork is declared only with this macro on Linux.
#define _GNU_SOURCE 1
#include "Monitor.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
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

void cpty_keep_only(int first, int second) {
    int kept[2] = {first < second ? first : second, first < second ? second : first};
    for (int descriptor = 0; descriptor < 3; descriptor++)
        if (descriptor != first && descriptor != second) close(descriptor);
    // A descriptor above the limit is closed by the system call, where there is one.
    close_others(kept, 2, 65536);
}

static void set_signals(const sigset_t *ignored, const sigset_t *blocked) {
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
    set_signals(&ignored, &none);
}

static void do_nothing(int number) { (void)number; }

/// SIGCHLD is blocked except in pselect(2), so that none is missed between a look and a wait.
static void set_monitor_signals(void) {
    static const int ignored[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE};
    sigset_t set, blocked;
    sigemptyset(&set);
    for (size_t index = 0; index < sizeof ignored / sizeof ignored[0]; index++) sigaddset(&set, ignored[index]);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGCHLD);
    set_signals(&set, &blocked);
    // Without a handler some systems discard SIGCHLD also while it is blocked.
    struct sigaction action = {.sa_handler = do_nothing};
    sigaction(SIGCHLD, &action, NULL);
}

/// Makes this process the parent of every descendant whose own parent has ended, also of those with another session.
static void adopt_orphans(void) {
#ifdef __linux__
    prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
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

/// Moves this process into the control group that the program and all its descendants belong to.
static void join_control_group(const struct cpty_monitor_start *start) {
    if (start->program->control_group < 0) return;
    int error = cpty_write_file(start->program->control_group, "cgroup.procs", "0");
    if (error != 0) report(start->channel, cpty_ungrouped, -error);
}

static _Noreturn void run_program(const struct cpty_monitor_start *start, int gate, bool in_foreground) {
    if (!start->program->shares_group) setpgid(0, 0);
    // SIGTTOU is still ignored, so a background process group may do this.
    if (start->slave >= 0 && in_foreground) tcsetpgrp(0, getpid());
    join_control_group(start);
    set_signals(&start->ignored, &start->blocked);
    int error = execute(start);
    while (write(gate, &error, sizeof error) < 0 && errno == EINTR) {}
    _exit(127);
}

/// Starts the program, and returns when exec has succeeded.
static pid_t start_program(const struct cpty_monitor_start *start, bool in_foreground) {
    int gate[2], error = 0;
    if (pipe(gate) != 0) fail(start->channel, errno);
    fcntl(gate[0], F_SETFD, FD_CLOEXEC);
    fcntl(gate[1], F_SETFD, FD_CLOEXEC);
    // A program in the background must be stopped when it reads, so another group is in the foreground.
    if (start->slave >= 0 && !in_foreground) tcsetpgrp(0, getpid());
    pid_t program = cpty_plain_fork();
    if (program == 0) run_program(start, gate[1], in_foreground);
    if (program < 0) fail(start->channel, errno);
    if (!start->program->shares_group) setpgid(program, program);
    close(gate[1]);
    ssize_t count;
    while ((count = read(gate[0], &error, sizeof error)) < 0 && errno == EINTR) {}
    close(gate[0]);
    if (count != sizeof error) return program;
    waitpid(program, NULL, 0);
    fail(start->channel, error);
}

// MARK: While the program runs

/// The monitor's life after the program was started.
struct monitor {
    pid_t program;
    int channel;
    /// The folder of the control group; -1 without one.
    int control_group;
    /// Whether the standard descriptors are the pseudo-terminal.
    bool has_terminal;
    /// Whether the descendants go on when the guard is gone.
    bool keeps_orphans;
    /// The group that was in the foreground when the job went to the background; 0 for none.
    pid_t former_foreground;
    bool has_ended;
    /// Whether the guard has read the report of the end, so that the program's number may be used again.
    bool is_reaped;
};

/// Sends what the person typed and nobody has read. The guard can give it to the shell, as a terminal does.
static void report_unread(const struct monitor *monitor) {
    if (!monitor->has_terminal) return;
    pid_t foreground = tcgetpgrp(0);
    // Somebody else may still read it.
    if (foreground != getpid() && foreground != monitor->program && foreground > 1 && kill(-foreground, 0) == 0) return;
    struct termios modes, raw;
    if (tcgetattr(0, &modes) != 0 || tcsetpgrp(0, getpid()) != 0) return;
    raw = modes;
    cfmakeraw(&raw);
    raw.c_cc[VMIN] = 0;
    raw.c_cc[VTIME] = 0;
    // Without line mode, a line that has no end yet can be read, too.
    if (tcsetattr(0, TCSANOW, &raw) != 0) return;
    struct {
        struct cpty_report head;
        char bytes[cpty_unread_room];
    } message = {{cpty_unread, 0}, {0}};
    ssize_t count = read(0, message.bytes, sizeof message.bytes);
    tcsetattr(0, TCSANOW, &modes);
    if (count <= 0) return;
    message.head.value = (int32_t)count;
    const char *next = (const char *)&message;
    for (size_t rest = sizeof message.head + (size_t)count; rest > 0;) {
        ssize_t written = write(monitor->channel, next, rest);
        if (written < 0 && errno != EINTR) return;
        if (written < 0) continue;
        next += written;
        rest -= (size_t)written;
    }
}

/// Reports what has happened to the program since the last call. After its end it is not reaped until the guard has read the
/// report, so that its process identifier stays reserved.
static void report_changes(struct monitor *monitor) {
    while (!monitor->has_ended) {
        siginfo_t info = {0};
        if (waitid(P_PID, (id_t)monitor->program, &info, WEXITED | WSTOPPED | WCONTINUED | WNOHANG | WNOWAIT) != 0) {
            if (errno == EINTR) continue;
            _exit(1);
        }
        if (info.si_pid == 0) return;
        bool has_exited = info.si_code == CLD_EXITED;
        if (has_exited || info.si_code == CLD_KILLED || info.si_code == CLD_DUMPED) {
            monitor->has_ended = true;
            report_unread(monitor);
            return report(monitor->channel, has_exited ? cpty_exited : cpty_killed, info.si_status);
        }
        // Only now the event is taken, and without WEXITED, because the program may have ended meanwhile.
        info = (siginfo_t){0};
        if (waitid(P_PID, (id_t)monitor->program, &info, WSTOPPED | WCONTINUED | WNOHANG) != 0 || info.si_pid == 0) continue;
        if (info.si_code == CLD_CONTINUED) report(monitor->channel, cpty_continued, 0);
        else report(monitor->channel, cpty_stopped, info.si_status);
    }
}

/// Waits for the orphans that have ended, and for the program once its number may be used again.
static void reap(const struct monitor *monitor) {
    while (true) {
        siginfo_t info = {0};
        if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) return;
        if (info.si_pid == monitor->program && !monitor->is_reaped) return;
        waitpid(info.si_pid, NULL, 0);
    }
}

/// Puts the program's side of the pseudo-terminal into the foreground or the background. In the background it is stopped when it
/// reads or sets modes, as a job of a shell is.
static void move(struct monitor *monitor, bool to_foreground) {
    pid_t present = tcgetpgrp(0);
    if (to_foreground && present == getpid()) {
        pid_t wanted = monitor->former_foreground;
        if (wanted <= 1 || kill(-wanted, 0) != 0) wanted = monitor->program;
        tcsetpgrp(0, wanted);
    } else if (!to_foreground && present != getpid()) {
        monitor->former_foreground = present;
        tcsetpgrp(0, getpid());
    }
}

/// Removes the control group, which is empty by now. It fails if the program has made groups below it.
static void remove_control_group(const struct monitor *monitor) {
#ifdef __linux__
    char name[32] = "/proc/self/fd/", path[4096];
    if (monitor->control_group < 0 || monitor->control_group > 9) return;
    size_t length = strlen(name);
    name[length] = (char)('0' + monitor->control_group);
    ssize_t count = readlink(name, path, sizeof path - 1);
    if (count <= 0) return;
    path[count] = 0;
    rmdir(path);
#else
    (void)monitor;
#endif
}

/// The guard was killed. Does what its setting says to everything that the program has started.
static _Noreturn void outlive_guard(struct monitor *monitor) {
    if (monitor->keeps_orphans) cpty_resume_descendants(getpid(), monitor->control_group);
    else cpty_end_descendants(getpid(), monitor->control_group, SIGHUP, cpty_orphan_grace);
    // The end of a session leader would hang up the group in the foreground.
    while (waitpid(-1, NULL, 0) > 0 || errno == EINTR) {}
    remove_control_group(monitor);
    _exit(0);
}

static _Noreturn void leave(const struct monitor *monitor) {
    // The foreground process group is hung up when its session leader ends. What the program left running is not.
    if (monitor->has_terminal) tcsetpgrp(0, getpid());
    _exit(0);
}

/// Does what the guard wants. Returns at once if it wants nothing.
static void obey(struct monitor *monitor) {
    char commands[16];
    ssize_t count = recv(monitor->channel, commands, sizeof commands, MSG_DONTWAIT);
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) outlive_guard(monitor);
    for (ssize_t index = 0; index < count; index++) {
        switch (commands[index]) {
        case cpty_to_foreground:
        case cpty_to_background:
            if (monitor->has_terminal && !monitor->has_ended) move(monitor, commands[index] == cpty_to_foreground);
            report(monitor->channel, cpty_moved, 0);
            break;
        case cpty_end_noted: monitor->is_reaped = monitor->has_ended; break;
        case cpty_leave: leave(monitor);
        }
    }
}

/// Reports what happens to the program and does what the guard wants, until the guard needs the monitor no longer.
static _Noreturn void follow(struct monitor *monitor) {
    sigset_t none;
    sigemptyset(&none);
    while (true) {
        report_changes(monitor);
        reap(monitor);
        fd_set readable;
        FD_ZERO(&readable);
        FD_SET(monitor->channel, &readable);
        if (pselect(monitor->channel + 1, &readable, NULL, NULL, NULL, &none) > 0) obey(monitor);
    }
}

// MARK: The start

static void take_terminal(const struct cpty_monitor_start *start) {
    if (setsid() < 0 || ioctl(start->slave, TIOCSCTTY, 0) != 0) fail(start->channel, errno);
    for (int descriptor = 0; descriptor < (start->program->inherits_error ? 2 : 3); descriptor++)
        if (dup2(start->slave, descriptor) < 0) fail(start->channel, errno);
}

/// Lets go of what the program inherits. The channel and the folder of the control group get the lowest numbers, which select(2)
/// can wait for.
static void keep_only_own(const struct cpty_monitor_start *start, struct monitor *monitor) {
    if (monitor->has_terminal) {
        dup2(0, 2);
    } else {
        int nothing = open("/dev/null", O_RDWR);
        for (int descriptor = 0; descriptor < 3 && nothing >= 0; descriptor++) dup2(nothing, descriptor);
    }
    // Neither copy may replace the other's original, so both are made above it first.
    int channel = fcntl(start->channel, F_DUPFD, 5);
    int folder = start->program->control_group < 0 ? -1 : fcntl(start->program->control_group, F_DUPFD, 5);
    monitor->channel = dup2(channel, 3);
    monitor->control_group = folder < 0 ? -1 : dup2(folder, 4);
    close_span(monitor->control_group < 0 ? 4 : 5, INT_MAX, start->descriptor_limit);
}

_Noreturn void cpty_run_monitor(const struct cpty_monitor_start *start) {
    set_monitor_signals();
    adopt_orphans();
    if (start->slave >= 0) take_terminal(start);
    close_others(start->kept, start->kept_count, start->descriptor_limit);

    char command;
    ssize_t count;
    while ((count = read(start->channel, &command, 1)) < 0 && errno == EINTR) {}
    if (count != 1 || command == cpty_leave) _exit(0);

    struct monitor monitor = {.has_terminal = start->slave >= 0, .keeps_orphans = start->program->keeps_orphans};
    monitor.program = start_program(start, command == cpty_start_foreground);
    keep_only_own(start, &monitor);
    report(monitor.channel, cpty_started, monitor.program);
    follow(&monitor);
}
