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

/// fork(2) that may be called while other threads hold locks, if the child only makes async-signal-safe calls.
pid_t cpty_plain_fork(void);

// For a process after a fork. Only async-signal-safe calls are made.

/// Closes every descriptor but two.
void cpty_keep_only(int first, int second);
/// Gives every signal its default action, and ignores those that a terminal's end and a background job bring.
void cpty_ignore_keys(void);

/// Compares two `int`, for qsort(3).
int cpty_compare_numbers(const void *one, const void *other);

/// The life of the monitor, after the fork.
_Noreturn void cpty_run_monitor(const struct cpty_monitor_start *start);
