// The functions of libvterm, loaded while the tests run.
//
// A link-time dependency would make Swift's package manager ask for libvterm in every build, also in one without tests.

#pragma once

#include <vterm.h>

#define CVTERM_FUNCTIONS(EACH)                                                                                          \
    EACH(vterm_free)                                                                                                    \
    EACH(vterm_get_size)                                                                                                \
    EACH(vterm_input_write)                                                                                             \
    EACH(vterm_new)                                                                                                     \
    EACH(vterm_obtain_screen)                                                                                           \
    EACH(vterm_obtain_state)                                                                                            \
    EACH(vterm_output_set_callback)                                                                                     \
    EACH(vterm_screen_enable_altscreen)                                                                                 \
    EACH(vterm_screen_flush_damage)                                                                                     \
    EACH(vterm_screen_get_cell)                                                                                         \
    EACH(vterm_screen_reset)                                                                                            \
    EACH(vterm_screen_set_callbacks)                                                                                    \
    EACH(vterm_set_size)                                                                                                \
    EACH(vterm_set_utf8)                                                                                                \
    EACH(vterm_state_get_cursorpos)                                                                                     \
    EACH(vterm_state_get_penattr)                                                                                       \
    EACH(vterm_state_reset)

// A pointer to each function, under the function's own name.
struct cvterm_library {
#define CVTERM_MEMBER(name) __typeof__(name) *name;
    CVTERM_FUNCTIONS(CVTERM_MEMBER)
#undef CVTERM_MEMBER
};

// The library, or null if it or one of the functions is missing. Loads it at the first call; callable from any thread.
const struct cvterm_library *cvterm_library(void);
