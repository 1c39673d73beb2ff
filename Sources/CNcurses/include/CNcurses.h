// The only module that calls ncurses and its panel library.
//
// Swift imports most of <curses.h> by itself. Below it are functions for what it cannot reach: globals, macros
// with casts or arguments, variadic functions; and the few things that must be C because they run inside a signal
// handler or between fork and exec.
#pragma once

#ifndef _XOPEN_SOURCE_EXTENDED
#define _XOPEN_SOURCE_EXTENDED 1
#endif
#ifndef NCURSES_WIDECHAR
#define NCURSES_WIDECHAR 1
#endif

#include <curses.h>
#include <panel.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <termios.h>
#include <wchar.h>

// Globals. Each is NULL or 0 until a screen is open.

WINDOW *cncurses_stdscr(void);
WINDOW *cncurses_curscr(void);
WINDOW *cncurses_newscr(void);
int cncurses_lines(void);
int cncurses_columns(void);
int cncurses_colors(void);
int cncurses_color_pairs(void);

// Opening.

/// The current screen; NULL before one is open.
SCREEN *cncurses_current_screen(void);
/// A screen that writes to a descriptor which is no terminal, and reads nothing.
typedef struct {
    SCREEN *screen;
    FILE *output, *input;
} cncurses_captured;

/// Opens such a screen and makes it the current one. False if the terminal is unset or unknown. The descriptor is closed with the
/// screen, or if this fails.
/// @param term the name of the terminal's description; NULL for $TERM.
bool cncurses_open_captured(const char *term, int output, cncurses_captured *opened);
/// Frees the screen. If it was the current one, there is none afterwards.
void cncurses_close_captured(cncurses_captured opened);
/// newterm on stdin and stdout for $TERM; NULL where the terminal is unset or unknown.
SCREEN *cncurses_open(void);
/// Whether the locale of the environment, which this sets, is a UTF-8 one. In place of a UTF-8 locale that is not installed, C.UTF-8 is
/// set.
bool cncurses_set_locale(void);
/// Whether a terminal of this name has a description, without opening it: 2 yes, 1 yes, but it can't place the
/// cursor or clear the screen, 0 no, -1 there is no terminfo database.
int cncurses_knows_term(const char *name);
/// The number of colours of a terminal of this name (-1 where it is not described), and whether it has an alternate screen,
/// without opening it. False if there is no description.
bool cncurses_term_facts(const char *name, int *colors, bool *has_alternate_screen);
/// A terminfo string of the open terminal without its padding marks, or NULL.
/// The result is valid until the next call.
const char *cncurses_capability(const char *name);
/// The name of the open terminal's description, or NULL. The result is valid until the next call.
const char *cncurses_term_name(void);
/// Whether the open terminal takes colours as red, green and blue components.
bool cncurses_has_direct_color(void);

// Attributes, keys, mouse.

attr_t cncurses_a_bold(void);
attr_t cncurses_a_dim(void);
attr_t cncurses_a_underline(void);
attr_t cncurses_a_reverse(void);
attr_t cncurses_a_italic(void);
mmask_t cncurses_mouse_press(void);
mmask_t cncurses_mouse_release(void);
mmask_t cncurses_mouse_wheel(void);

// Cells.

/// The character of one byte in the present locale; -1 if it is none by itself.
int cncurses_character(int byte);
/// Makes a pair of colour numbers, -1 for the terminal's own.
int cncurses_init_pair(int pair, int foreground, int background);
/// The colours of a pair.
int cncurses_pair_content(int pair, int *foreground, int *background);
/// The columns that ncurses will give a character in the present locale; -1 for one that cannot be printed.
int cncurses_width(wchar_t character);
/// Puts one cell at a place. `text` is a base character and up to four marks, ended by 0.
int cncurses_put(WINDOW *window, int row, int column, const wchar_t *text, attr_t attributes, int pair);
/// Puts plain text at a place, cut at the window's edge.
int cncurses_put_text(WINDOW *window, int row, int column, const char *text, attr_t attributes);

// A row of a notice in the memory of a host's curses.

/// The attribute that marks the cells of a notice. No terminal draws it, and curses keeps it.
attr_t cncurses_a_mark(void);
/// Copies the cells of a row of the screen that curses is to show, at most `count`. The window's cursor stays.
/// @return the number of cells.
int cncurses_read_row(WINDOW *window, int row, cchar_t *cells, int count);
/// Puts one cell back that was read, or a new one, into a window whose cursor stays. A wide character takes the next cell, too.
void cncurses_write_cell(WINDOW *window, int row, int column, const cchar_t *cell);
/// Makes a cell of a base character and up to four marks, ended by 0.
cchar_t cncurses_cell(const wchar_t *text, attr_t attributes);
/// Whether a cell that was read belongs to a notice.
bool cncurses_is_marked(const cchar_t *cell);
/// Whether a cell that was read is the right half of a wide character.
bool cncurses_is_right_half(const cchar_t *cell);
/// Keeps the first line of the next screen that is opened for notices: the program's own screen begins below it.
void cncurses_reserve_line(void);
/// Whether a screen was opened that has such a line.
bool cncurses_has_reserved_line(void);

// Signals, crashes, children.

/// Gives the terminal back when a signal ends the program, then lets the signal act.
///
/// That is a crash (ILL, TRAP, ABRT, SEGV, BUS, FPE), whose former handler takes the signal afterwards, and every signal
/// that ends a process by its default and for which the program has no handler yet. One that it installs later replaces
/// this one. The calling thread is the one that draws: it is stopped first, then the bytes are written to the descriptor
/// and the modes restored. After a crash standard input holds a line end and no more, so that the report does not wait
/// for a key. Both values are copied. A second call replaces them.
/// @return false when `count` is too large or no alternate stack could be had.
bool cncurses_guard_crashes(int descriptor, const struct termios *modes, const char *bytes, size_t count);
/// Takes the guard's handlers back.
void cncurses_unguard_crashes(void);

/// The terminal's modes as they were when the program was loaded, before any screen was opened. False without one.
bool cncurses_original_modes(struct termios *modes);

/// Blocks or unblocks a signal for the calling thread.
void cncurses_block_signal(int number, bool blocked);
/// Sets a signal's disposition to its default.
void cncurses_set_default(int number);
/// Lets a signal act on this process by its default, though it is blocked or handled; then blocks it again
/// when `blocked_after`. Returns only where the default does not end the process.
void cncurses_raise_default(int number, bool blocked_after);
