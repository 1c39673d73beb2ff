#include "CNcurses.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Only async-signal-safe calls may stand in the handler: write, tcsetattr, sigaction, raise.

static const int fatal[] = {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE};
enum { fatal_count = sizeof fatal / sizeof fatal[0], stack_size = 64 * 1024 };

static struct sigaction former[fatal_count];
static bool installed;
static volatile sig_atomic_t armed;
static int terminal_descriptor;
static struct termios terminal_modes;
static char reset_bytes[512];
static size_t reset_count;

static struct termios original_modes;
static bool has_original_modes;

// A host may open its screen long before it attaches an overlay to it; by then the modes are the program's own.
__attribute__((constructor)) static void save_original_modes(void) {
    has_original_modes = tcgetattr(STDIN_FILENO, &original_modes) == 0;
}

bool cncurses_original_modes(struct termios *modes) {
    if (has_original_modes) *modes = original_modes;
    return has_original_modes;
}

static void restore_former(int number) {
    for (int index = 0; index < fatal_count; index++)
        if (fatal[index] == number) sigaction(number, &former[index], NULL);
}

static void crashed(int number, siginfo_t *info, void *context) {
    (void)context;
    int error = errno;
    if (armed) {
        armed = 0;
        size_t done = 0;
        while (done < reset_count) {
            ssize_t count = write(terminal_descriptor, reset_bytes + done, reset_count - done);
            if (count <= 0) break;
            done += (size_t)count;
        }
        tcsetattr(terminal_descriptor, TCSANOW, &terminal_modes);
    }
    restore_former(number);
    // A fault fires again when the handler returns. One that somebody sent, abort() included, must be sent again;
    // it stays blocked until then.
    if (info->si_code <= 0 || info->si_code == SI_USER) raise(number);
    errno = error;
}

bool cncurses_guard_crashes(int descriptor, const struct termios *modes, const char *bytes, size_t count) {
    if (count > sizeof reset_bytes) return false;
    armed = 0;
    terminal_descriptor = descriptor;
    terminal_modes = *modes;
    memcpy(reset_bytes, bytes, count);
    reset_count = count;
    if (!installed) {
        // A stack overflow leaves no room for a handler. Another's alternate stack serves as well.
        stack_t present;
        if (sigaltstack(NULL, &present) != 0) return false;
        if (present.ss_flags & SS_DISABLE) {
            stack_t stack = {.ss_sp = malloc(stack_size), .ss_size = stack_size};
            if (!stack.ss_sp || sigaltstack(&stack, NULL) != 0) return false;
        }
        struct sigaction action = {.sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK};
        sigemptyset(&action.sa_mask);
        for (int index = 0; index < fatal_count; index++) sigaction(fatal[index], &action, &former[index]);
        installed = true;
    }
    armed = 1;
    return true;
}

void cncurses_unguard_crashes(void) {
    armed = 0;
    if (!installed) return;
    installed = false;
    for (int index = 0; index < fatal_count; index++) {
        struct sigaction present;
        if (sigaction(fatal[index], NULL, &present) == 0 && present.sa_sigaction == crashed)
            sigaction(fatal[index], &former[index], NULL);
    }
}
