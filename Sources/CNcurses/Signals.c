#include "CNcurses.h"

#include <signal.h>

void cncurses_block_signal(int number, bool blocked) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    pthread_sigmask(blocked ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

void cncurses_set_default(int number) { signal(number, SIG_DFL); }

void cncurses_raise_default(int number, bool blocked_after) {
    struct sigaction plain = {.sa_handler = SIG_DFL}, before;
    sigemptyset(&plain.sa_mask);
    sigaction(number, &plain, &before);
    cncurses_block_signal(number, false);
    raise(number);
    if (blocked_after) cncurses_block_signal(number, true);
    sigaction(number, &before, NULL);
}
