// Pseudo-terminals and the processes on them: what must be C because it runs between fork and exec or inside a signal
// handler, and system calls that Swift does not import.
//
// A function that can fail returns minus the error number, unless its comment says otherwise. Interrupted calls are
// repeated. Descriptors that are made here are closed on exec.
#pragma once

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <termios.h>

// Descriptors.

/// Reads at most `room` bytes. 0 means the end of the input.
ssize_t cpty_read(int descriptor, void *buffer, size_t room);
/// Writes at most `count` bytes. The result may be smaller than `count`.
ssize_t cpty_write(int descriptor, const void *bytes, size_t count);
int cpty_close(int descriptor);
int cpty_set_nonblocking(int descriptor);
/// Makes a pipe. `ends[0]` is its non-blocking end to read from, `ends[1]` its blocking end to write to.
int cpty_make_pipe(int ends[2]);
/// Makes a file without a name that has `count` bytes, to be read from its begin. A negative result is an error.
int cpty_make_input(const void *bytes, size_t count);
/// Waits until something can be read. False at the end of the input.
bool cpty_wait_for_input(int descriptor);
/// Waits until a descriptor takes output, or a write would fail at once. False after `milliseconds`, or after a signal.
bool cpty_wait_for_output(int descriptor, int milliseconds);

/// Makes standard input and output lead to /dev/null, so that this process holds no pipe open.
void cpty_let_go_of_input_and_output(void);

// Terminals.

/// A terminal's size in cells and, where it is known, in pixels.
struct cpty_size {
    uint16_t columns, rows;
    uint16_t width, height;
};

bool cpty_is_terminal(int descriptor);
/// Whether two descriptors are the same terminal.
bool cpty_is_same_terminal(int first, int second);
/// Whether a read would not block.
bool cpty_has_input(int descriptor);
/// Whether the terminal is gone. A read of such a terminal returns 0, as it also does with VMIN 0.
bool cpty_is_hung_up(int descriptor);
/// Whether this process may use the terminal without being stopped: its group is in the foreground, or the terminal is not its
/// controlling terminal.
bool cpty_is_foreground(int descriptor);
/// Opens a terminal again, non-blocking. The new open file description has file status flags of its own, so that the
/// descriptors of other processes stay blocking.
int cpty_reopen_terminal(int descriptor);

int cpty_get_size(int descriptor, struct cpty_size *size);
/// Sets a terminal's size. A change sends SIGWINCH to its foreground process group.
int cpty_set_size(int descriptor, const struct cpty_size *size);
int cpty_get_modes(int descriptor, struct termios *modes);
/// Sets a terminal's modes at once. Waiting input is kept.
int cpty_set_modes(int descriptor, const struct termios *modes);
/// Turns modes into raw modes: every byte is passed on unchanged and at once.
void cpty_make_raw(struct termios *modes);

/// Turns modes into those of a full-screen program: every key at once and without echo, no flow control by keys, and line
/// feeds that stay what they are. Control-backslash is a signal; Control-C is one with `interrupts` and Control-Z with `stops`,
/// otherwise they are keys.
void cpty_make_screen(struct termios *modes, bool interrupts, bool stops);
/// Gives the terminal back to the process group of this process if the group in the foreground has ended, and sets the modes unless
/// another group has the terminal.
int cpty_take_back(int descriptor, const struct termios *modes);
/// Drops the input that has not been read.
int cpty_drop_input(int descriptor);
/// Continues output that Control-S or tcflow(3) has stopped.
int cpty_continue_output(int descriptor);

/// Makes a pseudo-terminal. Both descriptors are above 2. `modes` and `size` may be NULL for the system's defaults.
int cpty_open_pair(const struct termios *modes, const struct cpty_size *size, int *master, int *slave);

// The standard descriptors of this process. One thread calls the first function at a time; the others may also be called in a
// signal handler.

/// Makes those of descriptors 0, 1 and 2 that are the terminal `terminal` lead to `target`. Their file status flags are not
/// changed, and nothing is lost: what a write has begun, it ends where it began.
/// @return how many were moved. After an error none is.
int cpty_move_standard(int terminal, int target);
/// Makes every moved descriptor lead where it led before.
void cpty_restore_standard(void);
/// Makes a call of the main thread that waits for input begin again, so that it waits for what its descriptor means now. Calls
/// that never begin again, such as poll(2), end with EINTR. Nothing happens if the program handles SIGURG itself.
void cpty_restart_waiting_calls(void);
/// A descriptor that leads where a standard descriptor led before it was moved; the number itself if it is not moved.
int cpty_standard(int number);

// Child processes.

/// A descriptor of a child process.
struct cpty_child_descriptor {
    /// The descriptor of this process that it leads to; negative for /dev/null.
    int source;
    /// Its number in the child.
    int number;
};

/// How a child process starts. No signal is blocked in it, and every signal has its default action.
struct cpty_child {
    /// The program, which is searched in $PATH, and its arguments, ended by NULL.
    char *const *arguments;
    /// NAME=VALUE, ended by NULL; NULL for the environment of this process.
    char *const *environment;
    const struct cpty_child_descriptor *descriptors;
    int descriptor_count;
    /// Every other descriptor from this number on is closed; negative to inherit those without close-on-exec.
    int first_closed;
    /// Whether it leads a session of its own, without a terminal.
    bool leads_session;
    /// Whether it leads a process group of its own.
    bool leads_group;
};

/// Starts a child process and returns its number.
pid_t cpty_start_child(const struct cpty_child *child);
/// Starts a program that is killed, with its process group, when the descriptor `life` is closed, which the system also does when this
/// process ends. A process between the two leads a session for both and ends as the program does; `life` can be read when it has ended.
/// @return that process, or the error number, negative.
pid_t cpty_start_kept_child(const struct cpty_child *child, int *life);

/// Runs a program in place of this process, with the signals and descriptors that this process was started with. Returns only on
/// failure: the error number, negative. `path` is not searched for.
int cpty_replace_self(const char *path, char *const *arguments, char *const *environment);

// The guarded program.

/// What a program is started with. Everything is used before `cpty_open` returns.
struct cpty_program {
    /// Paths to try in order, as execvp(3) does, ended by NULL.
    char *const *paths;
    /// The arguments with the program's name, ended by NULL.
    char *const *arguments;
    /// NAME=VALUE, ended by NULL.
    char *const *environment;
    /// Where in `environment` the program's process writes its mark before it runs the program: `cpty_mark_room` bytes.
    /// NULL for no mark.
    char *mark;
    /// Signals that are ignored when the program starts; every other one has its default action.
    const int *ignored;
    int ignored_count;
    /// Signals that are blocked when the program starts.
    const int *blocked;
    int blocked_count;
    /// Descriptors above 2 that the program inherits, in ascending order. All others are closed.
    const int *descriptors;
    int descriptor_count;
    /// Whether the program gets this process's standard error in place of the pseudo-terminal.
    bool inherits_error;
    /// Whether the program belongs to this process's group, and not to one of its own. For `cpty_open_plain` only.
    bool shares_group;
    /// Whether the descendants go on if this process is killed. Otherwise they are hung up, and killed after
    /// `cpty_orphan_grace`.
    bool keeps_orphans;
    /// The folder of a control group that the program and its descendants are put into; -1 for none.
    int control_group;
};

/// The room of a mark with its terminating 0, in bytes.
enum { cpty_mark_room = 32 };

/// When a process started, in a unit of the system. Together with its number it names one process only. ENOSYS: there is no /proc
/// of this process namespace. It may be called after a fork, and in a signal handler.
int cpty_start_time(pid_t process, uint64_t *start);
/// Writes the mark of the calling process, `PID:START` with a terminating 0. It may be called after a fork.
int cpty_write_mark(char *room);
/// The number of threads of this process.
int cpty_own_threads(void);

/// How long descendants may take to end after the guard was killed, in milliseconds.
enum { cpty_orphan_grace = 5000 };

/// The kinds of reports: `value` is a process, an error number, a signal, nothing, an exit code, a signal, nothing, a count of
/// bytes that follow the report, an error number.
enum {
    cpty_started = 1,
    cpty_failed,
    cpty_stopped,
    cpty_continued,
    cpty_exited,
    cpty_killed,
    /// The reply to `cpty_to_foreground` and `cpty_to_background`.
    cpty_moved,
    /// The reply to `cpty_leave`: input that nobody has read, at most `cpty_unread_room` bytes.
    cpty_unread,
    /// The program could not be put into the control group.
    cpty_ungrouped,
    /// The first report of all: the monitor's process.
    cpty_watched,
};

/// The input that a terminal's line discipline holds, in bytes.
enum { cpty_unread_room = 4096 };

/// What the guard wants of the monitor. The first command is one of the first two.
enum {
    /// Start the program, in the foreground or in the background of its pseudo-terminal.
    cpty_start_foreground = 'S',
    cpty_start_background = 's',
    /// Put the program's side of the pseudo-terminal into the foreground or the background.
    cpty_to_foreground = 'F',
    cpty_to_background = 'f',
    /// The report of the program's end was read: its number may be used again.
    cpty_end_noted = 'e',
    /// The monitor is no longer needed. Without this command, the end of the channel means that the guard was killed.
    cpty_leave = 'l',
};

struct cpty_report {
    int32_t kind;
    int32_t value;
};

/// Opens a pseudo-terminal with the modes and size of `modes` and `size`, and forks its session leader, the monitor.
///
/// The monitor starts the program when it receives a command on the channel, writes a `cpty_report` there for each event, and
/// becomes the parent of every descendant whose own parent ends. It keeps the pseudo-terminal open until `cpty_leave`. It may be
/// called while other threads run. Until the monitor ends, it shares the memory of this process copy-on-write.
///
/// The monitor's parent is `warden`, a child of this process: if the monitor is killed, it ends the program's descendants, or lets them go
/// on, as after the end of this process.
/// @return the monitor's process.
pid_t cpty_open(
    const struct cpty_program *program, const struct termios *modes, const struct cpty_size *size, int *master, int *channel,
    pid_t *warden
);
/// As `cpty_open`, for a program with the standard descriptors of this process and no pseudo-terminal.
pid_t cpty_open_plain(const struct cpty_program *program, int *channel, pid_t *warden);
/// Sends a command to the monitor.
int cpty_command(int channel, char command);
/// Waits until the monitor and its parent have ended.
void cpty_reap(pid_t warden, pid_t monitor);

/// Sends a signal to a process group.
int cpty_signal_group(pid_t group, int number);
/// The foreground process group of a pseudo-terminal, asked of its master.
pid_t cpty_foreground_group(int master);

// What this process inherited. It is recorded when the process is loaded, before any Swift code runs.

/// One more than the highest signal number.
int cpty_signal_limit(void);
bool cpty_was_ignored(int number);
bool cpty_was_blocked(int number);
/// The descriptors above 2 that were open, in ascending order. The result stays valid.
const int *cpty_inherited_descriptors(int *count);
/// The environment of this process, ended by NULL.
char *const *cpty_environment(void);

// Signals.

/// Starts to report signals: their numbers can be read with `cpty_read_signals` from the non-blocking descriptor that is
/// returned. Only one watch exists at a time; EBUSY otherwise. The calling thread no longer blocks these signals. A signal
/// that this process inherited as ignored stays so, except for CHLD, CONT and WINCH, which end nothing.
int cpty_watch_signals(const int *numbers, int count);
/// Reads at most `room` signal numbers. A signal that arrives several times between two reads is reported once.
ssize_t cpty_read_signals(int descriptor, uint8_t *numbers, size_t room);
/// Ends the watch: former actions and the thread's former signal mask are restored. It must be called on the thread that
/// started the watch. The descriptor belongs to this module and must not be closed.
void cpty_unwatch_signals(void);

/// Stops this process by SIGTSTP, SIGTTIN or SIGTTOU, and returns after SIGCONT. It returns at once if the group is orphaned: then
/// nobody could continue it.
/// @param with_group stops the other processes of the group first.
void cpty_stop_self(int number, bool with_group);
/// Blocks every signal for the calling thread.
void cpty_block_all_signals(void);
/// Ends this process by the default action of a signal, without a core file. Returns if the action does not end it.
/// @param with_group sends the signal to the other processes of the group first, as a terminal does for a key.
void cpty_end_by_signal(int number, bool with_group);

/// The living ancestors of a process, its parent first. At most `room` are written.
/// @return their number; -ESRCH if the process or one of them can't be read, because it ends at this moment for example.
int cpty_ancestors(pid_t process, pid_t *ancestors, int room);
/// Whether a signal or a tracer has stopped a process, and it has not been continued since.
bool cpty_is_stopped(pid_t process);

/// Puts bytes into a terminal's input as if they had been typed, if the system allows it (TIOCSTI). EIO: it does not.
int cpty_type(int terminal, const char *bytes, size_t count);
/// Starts a process that copies the rest of the output of a pseudo-terminal to a terminal, until nobody has the pseudo-terminal
/// open any more. It belongs to no job, so no key reaches it.
int cpty_relay_rest(int master, int terminal);

// The terminal after a crash.

// For handlers of crashes: ILL, TRAP, ABRT, SEGV, BUS, FPE. All but the first may be called in a signal handler.

/// Provides an alternate stack for signal handlers: a stack overflow leaves no room on the same stack. Another's serves as well.
int cpty_provide_stack(void);
bool cpty_is_crash(int number);
/// Makes standard input hold a line end and no more: the toolchain's interactive crash report reads one, which quits it, and
/// would crash itself at the end of its input (Swift 6.3.1).
void cpty_end_input(void);
/// Restores the former action of a signal and lets it act, in the signal's own handler: the former handler is called, and
/// afterwards the process ends, unless the fault comes again by itself.
void cpty_pass_on(int number, const siginfo_t *info, const struct sigaction *former);

/// The most bytes that an emergency reset has.
enum { cpty_emergency_room = 4096 };

/// Prepares the reset of a terminal for a crash of this process (ILL, TRAP, ABRT, SEGV, BUS, FPE): the handler redirects
/// the descriptor to /dev/null, so that no other thread writes to the terminal any more, writes the bytes of
/// `cpty_set_emergency` there, restores the modes, and lets the signal act as before. Standard input holds a line end
/// afterwards and no more, so that a crash report does not wait for a key. A second call replaces the terminal and the
/// modes. The descriptor must stay open until `cpty_disarm_emergency`. With -1 there is no terminal: a crash only ends this process,
/// also for a signal that was sent, from which the toolchain's crash report would return. `modes` may then be NULL.
int cpty_arm_emergency(int descriptor, const struct termios *modes);
/// Sets the bytes that a crash writes. They are copied. E2BIG: more than `cpty_emergency_room`; the former ones stay.
/// Called by one thread.
int cpty_set_emergency(const void *bytes, size_t count);
/// Restores the former handlers and forgets the bytes.
void cpty_disarm_emergency(void);

// Descendants of a process. These functions work on Linux with /proc; elsewhere they return -ENOSYS, as they do where /proc
// belongs to another process namespace. All may be called after a fork of a process with threads, and in a signal handler.

/// The facts of one process.
struct cpty_process {
    int32_t pid, parent;
    int32_t group, session;
    /// When it started, in ticks since the start of the system. Together with `pid` it names one process only.
    uint64_t start;
    int32_t threads;
    /// The page faults of all children that it has reaped. The number grows with each of them.
    uint64_t reaped;
    /// The letter of /proc: R, S, D, T, t, Z, X and others. It is the state of the least stopped thread if the first thread has
    /// stopped or ended.
    char state;
    /// The first 15 bytes of its name. They may be any bytes but 0.
    char name[16];
};

/// An entry of /proc.
struct cpty_entry {
    int32_t pid;
    /// Differs between two processes with the same number. It may also change for one process.
    uint64_t inode;
};

/// Lists all processes of the system, which costs much less than their facts. One that is started or ends while the list is read
/// may be missing.
/// @return their number. It may be larger than `capacity`; then those that fit are listed.
int cpty_list_entries(struct cpty_entry *room, int capacity);
/// Reads the facts of listed processes. Those that have ended meanwhile are left out.
/// @return their number.
int cpty_read_processes(const struct cpty_entry *entries, int count, struct cpty_process *room);
/// Moves the descendants of a process to the front of a list, parents before their children. A pure function.
/// @return their number.
int cpty_keep_descendants(struct cpty_process *processes, int count, pid_t root);
/// Sets the groups of descendants to 0 that may have other processes too. A pure function.
///
/// A group lies in one session. All processes of a session that a descendant has made are descendants, and of a session that the
/// root itself has made, all but those of the root's own group.
void cpty_clear_shared_groups(struct cpty_process *descendants, int count, const struct cpty_process *root);
/// The facts of one process. ESRCH: there is none.
int cpty_get_process(pid_t pid, struct cpty_process *process);
/// Sends a signal to the process with this number and start, and to no other. ESRCH: it has been reaped. EPERM: this process may
/// not send it.
int cpty_signal_process(pid_t pid, uint64_t start, int number);
/// Sends a signal to the process group of the process with this number and start. Other than with signals to single processes, a
/// process of the group that forks at this moment can't leave out the new one.
int cpty_signal_group_of(pid_t pid, uint64_t start, pid_t group, int number);

/// Ends all descendants of the calling process, which must be their reaper (PR_SET_CHILD_SUBREAPER), and reaps them.
///
/// Each gets the signal and SIGCONT once. After the grace time those that are left are stopped and killed. It returns after at
/// most ten seconds more, also if a process can't be ended: one of another user, or one in an uninterruptible call.
/// @param root the calling process.
/// @param group the folder of the control group with the descendants; -1 if there is none. It is thawed first.
/// @param number the signal.
/// @param grace in milliseconds.
/// @return the number of processes that are left.
int cpty_end_descendants(pid_t root, int group, int number, int grace);

/// Lets all descendants of the calling process go on: thaws the control group, and sends SIGCONT to each. The parameters are those of
/// `cpty_end_descendants`.
/// @return the number of processes.
int cpty_resume_descendants(pid_t root, int group);

/// Reads a small file whose path is relative to a folder. At most `room` - 1 bytes are read, and a 0 is appended.
/// @return the number of bytes.
ssize_t cpty_read_file(int folder, const char *path, char *text, size_t room);
/// Writes a text with one write(2) to an existing file whose path is relative to a folder.
int cpty_write_file(int folder, const char *path, const char *text);
