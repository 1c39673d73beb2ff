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
/// Waits until something can be read. False at the end of the input.
bool cpty_wait_for_input(int descriptor);
/// Waits until a descriptor takes output, or a write would fail at once. False after `milliseconds`, or after a signal.
bool cpty_wait_for_output(int descriptor, int milliseconds);

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
/// feeds that stay what they are. Control-backslash is a signal; Control-C and Control-Z only with `signals`, otherwise they
/// are keys.
void cpty_make_screen(struct termios *modes, bool signals);
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
/// A descriptor that leads where a standard descriptor led before it was moved; the number itself if it is not moved.
int cpty_standard(int number);

// The guarded program.

/// What a program is started with. Everything is used before `cpty_open` returns.
struct cpty_program {
    /// Paths to try in order, as execvp(3) does, ended by NULL.
    char *const *paths;
    /// The arguments with the program's name, ended by NULL.
    char *const *arguments;
    /// NAME=VALUE, ended by NULL.
    char *const *environment;
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
};

/// The kinds of reports: `value` is a process, an error number, a signal, nothing, an exit code, a signal.
enum { cpty_started = 1, cpty_failed, cpty_stopped, cpty_continued, cpty_exited, cpty_killed };

struct cpty_report {
    int32_t kind;
    int32_t value;
};

/// Opens a pseudo-terminal with the modes and size of `modes` and `size`, and forks its session leader, the monitor.
///
/// The monitor starts the program in the foreground process group of the pseudo-terminal when it receives a byte on the
/// channel (`cpty_start`), and writes a `cpty_report` there for each event. After the program's end it keeps the
/// pseudo-terminal open until the channel is shut down (`cpty_release`). When the master is closed before the program's
/// end, it hangs up the program. It may be called while other threads run. Until the monitor ends, it shares the memory of
/// this process copy-on-write.
/// @return the monitor's process.
pid_t cpty_open(
    const struct cpty_program *program, const struct termios *modes, const struct cpty_size *size, int *master, int *channel
);
/// Tells the monitor to start the program. The environment and arguments are those given to `cpty_open`.
int cpty_start(int channel);
/// Tells the monitor that the pseudo-terminal is no longer needed.
int cpty_release(int channel);
/// Waits until the monitor has ended.
/// @param hangs_up tells it to hang up the program and to end. Without, it ends after `cpty_release`.
void cpty_reap(pid_t monitor, bool hangs_up);

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

/// Stops all processes of this process's group like Ctrl-Z, and returns after SIGCONT. It returns at once if the group is
/// orphaned: then nobody could continue it.
void cpty_stop_own_group(void);
/// Blocks every signal for the calling thread.
void cpty_block_all_signals(void);
/// Ends this process by the default action of a signal, without a core file. Returns if the action does not end it.
void cpty_end_by_signal(int number);

/// The living ancestors of a process, its parent first. At most `room` are written.
/// @return their number; -ESRCH if the process or one of them can't be read, because it ends at this moment for example.
int cpty_ancestors(pid_t process, pid_t *ancestors, int room);

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
/// modes. The descriptor must stay open until `cpty_disarm_emergency`.
int cpty_arm_emergency(int descriptor, const struct termios *modes);
/// Sets the bytes that a crash writes. They are copied. E2BIG: more than `cpty_emergency_room`; the former ones stay.
/// Called by one thread.
int cpty_set_emergency(const void *bytes, size_t count);
/// Restores the former handlers and forgets the bytes.
void cpty_disarm_emergency(void);
