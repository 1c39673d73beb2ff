// What the two sides of the fork share. Not part of the module's interface.
#pragma once

#include "CPty.h"

/// What the monitor and the program need, made before the fork.
struct cpty_monitor_start {
    const struct cpty_program *program;
    sigset_t ignored, blocked;
    /// The arguments of a shell that runs a script without an interpreter line; the script's path is at index 1.
    char **shell;
    /// The descriptors above 2 that the monitor keeps until the program runs, in ascending order.
    int *kept;
    int kept_count;
    /// One more than the highest descriptor that may be open.
    int descriptor_limit;
    /// The program's side of the pseudo-terminal; -1 for a program with the standard descriptors of the guard.
    int slave;
    int channel;
};

/// A pair of connected sockets above the standard descriptors, closed on exec. Returns 0, or the error number, negative.
int cpty_make_channel(int ends[2]);

/// fork(2) that may be called while other threads hold locks, if the child only makes async-signal-safe calls.
pid_t cpty_plain_fork(void);

// For a process after a fork. Only async-signal-safe calls are made.

/// Closes every descriptor but two.
void cpty_keep_only(int first, int second);
/// Closes the descriptors from one number to another; those from `limit` on only where the system can close them at once.
void cpty_close_span(int first, int last, int limit);
/// Closes every descriptor above 2 that is not in the ascending list.
void cpty_close_others(const int *kept, int count, int limit);
/// Gives every signal its default action, except for the ignored ones, and sets the mask.
void cpty_set_signals(const sigset_t *ignored, const sigset_t *blocked);
/// Gives every signal its default action, and ignores those that a terminal's end and a background job bring.
void cpty_ignore_keys(void);

/// Compares two `int`, for qsort(3).
int cpty_compare_numbers(const void *one, const void *other);

/// The life of the monitor's parent, after the fork: it starts the monitor, and if that is killed, it does to everything that the program
/// has started what the setting for the end of the guard says. Otherwise it ends as the monitor does.
_Noreturn void cpty_run_warden(const struct cpty_monitor_start *start);
/// The life of the monitor. Its first report is its own number.
_Noreturn void cpty_run_monitor(const struct cpty_monitor_start *start);

/// The monitor after the program was started.
struct cpty_monitor {
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

/// Sends a report of `kind` to the guard.
void cpty_report_to_guard(int channel, int kind, int value);
/// Reports why the program can't be started, and ends this process.
_Noreturn void cpty_fail_start(int channel, int error);

// The program.

/// Starts the program, and returns when exec has succeeded.
pid_t cpty_start_program(const struct cpty_monitor_start *start, bool in_foreground);

// The pseudo-terminal.

/// Makes this process the leader of a session on the pseudo-terminal.
void cpty_take_terminal(const struct cpty_monitor_start *start);
/// Puts the program's side of the pseudo-terminal into the foreground or the background. In the background it is stopped when it
/// reads or sets modes, as a job of a shell is.
void cpty_move_program(struct cpty_monitor *monitor, bool to_foreground);
/// Sends what the person typed and nobody has read. The guard can give it to the shell, as a terminal does.
void cpty_report_unread(const struct cpty_monitor *monitor);
/// Ends the monitor. What the program has left running goes on.
_Noreturn void cpty_leave_terminal(const struct cpty_monitor *monitor);

// Everything that the program has started.

/// Makes this process the parent of every descendant whose own parent has ended, also of those with another session.
void cpty_adopt_orphans(void);
/// Moves this process into the control group that the program and all its descendants belong to.
void cpty_join_control_group(const struct cpty_monitor_start *start);
/// Waits for the orphans that have ended, and for the program once its number may be used again.
void cpty_reap_descendants(const struct cpty_monitor *monitor);
/// The guard was killed. Does what its setting says to everything that the program has started.
_Noreturn void cpty_outlive_guard(struct cpty_monitor *monitor);
