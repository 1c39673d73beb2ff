// wcwidth stands behind this on Linux.
#define _GNU_SOURCE 1
#include "CNcurses.h"

#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

WINDOW *cncurses_stdscr(void) { return stdscr; }
WINDOW *cncurses_curscr(void) { return curscr; }
WINDOW *cncurses_newscr(void) { return newscr; }
int cncurses_lines(void) { return LINES; }
int cncurses_columns(void) { return COLS; }
int cncurses_colors(void) { return COLORS; }
int cncurses_color_pairs(void) { return COLOR_PAIRS; }

/// The screen that is current, or NULL. Only set_term(3) tells, and it makes another one current.
SCREEN *cncurses_current_screen(void) {
    if (!stdscr) return NULL;
    SCREEN *current = set_term(NULL);
    if (current) set_term(current);
    return current;
}

bool cncurses_open_captured(const char *term, int output, cncurses_captured *opened) {
    opened->output = fdopen(output, "w");
    opened->input = fopen("/dev/null", "re");
    opened->screen = opened->output && opened->input ? newterm((char *)term, opened->output, opened->input) : NULL;
    if (opened->screen) return true;
    if (opened->input) fclose(opened->input);
    if (opened->output) fclose(opened->output);
    else close(output);
    return false;
}

void cncurses_close_captured(cncurses_captured opened) {
    delscreen(opened.screen);
    fclose(opened.output);
    fclose(opened.input);
}

SCREEN *cncurses_open(void) { return newterm(NULL, stdout, stdin); }

/// Whether the name of the environment's locale ends with UTF-8, such as `de_DE.UTF-8` or `C.utf8`.
static bool names_utf8(void) {
    const char *names[] = {getenv("LC_ALL"), getenv("LC_CTYPE"), getenv("LANG")};
    for (int index = 0; index < 3; index++) {
        if (!names[index] || !*names[index]) continue;
        const char *encoding = strchr(names[index], '.');
        return encoding && (strncasecmp(encoding, ".UTF-8", 6) == 0 || strncasecmp(encoding, ".utf8", 5) == 0);
    }
    return false;
}

bool cncurses_set_locale(void) {
    // A locale that is not installed on this machine, such as one that came with a login from another, still says what the
    // terminal can show.
    if (!setlocale(LC_CTYPE, "") && names_utf8()) setlocale(LC_CTYPE, "C.UTF-8");
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

attr_t cncurses_a_bold(void) { return WA_BOLD; }
attr_t cncurses_a_dim(void) { return WA_DIM; }
attr_t cncurses_a_underline(void) { return WA_UNDERLINE; }
attr_t cncurses_a_reverse(void) { return WA_REVERSE; }

attr_t cncurses_a_italic(void) {
#ifdef WA_ITALIC
    return WA_ITALIC;
#else
    return WA_NORMAL;
#endif
}

mmask_t cncurses_mouse_press(void) { return BUTTON1_PRESSED; }
mmask_t cncurses_mouse_release(void) { return BUTTON1_RELEASED; }

mmask_t cncurses_mouse_wheel(void) {
#ifdef BUTTON5_PRESSED
    return BUTTON4_PRESSED | BUTTON5_PRESSED;
#else
    return BUTTON4_PRESSED;
#endif
}

// Pairs beyond a short came with ncurses 6.1.
#if defined(NCURSES_EXT_COLORS) && NCURSES_EXT_COLORS >= 20170401
#define WIDE_PAIRS 1
#else
#define WIDE_PAIRS 0
#endif

int cncurses_init_pair(int pair, int foreground, int background) {
#if WIDE_PAIRS
    return init_extended_pair(pair, foreground, background);
#else
    if (pair > SHRT_MAX) return ERR;
    return init_pair((short)pair, (short)foreground, (short)background);
#endif
}

int cncurses_pair_content(int pair, int *foreground, int *background) {
#if WIDE_PAIRS
    return extended_pair_content(pair, foreground, background);
#else
    short fore = 0, back = 0;
    int done = pair_content((short)pair, &fore, &back);
    *foreground = fore;
    *background = back;
    return done;
#endif
}

int cncurses_character(int byte) {
    wint_t character = btowc(byte);
    return character == WEOF ? -1 : (int)character;
}

int cncurses_width(wchar_t character) { return wcwidth(character); }

int cncurses_put(WINDOW *window, int row, int column, const wchar_t *text, attr_t attributes, int pair) {
    cchar_t cell;
#if WIDE_PAIRS
    if (setcchar(&cell, text, attributes, (short)(pair > SHRT_MAX ? 0 : pair), &pair) != OK) return ERR;
#else
    if (setcchar(&cell, text, attributes, (short)pair, NULL) != OK) return ERR;
#endif
    return mvwadd_wch(window, row, column, &cell);
}

int cncurses_put_text(WINDOW *window, int row, int column, const char *text, attr_t attributes) {
    int room = getmaxx(window) - column;
    if (row < 0 || row >= getmaxy(window) || column < 0 || room <= 0) return ERR;
    attr_t before;
    short pair;
    wattr_get(window, &before, &pair, NULL);
    wattron(window, (int)attributes);
    size_t count = mbstowcs(NULL, text, 0);
    wchar_t *wide = count == (size_t)-1 ? NULL : calloc(count + 1, sizeof *wide);
    if (wide) {
        mbstowcs(wide, text, count + 1);
        int width = 0;
        size_t end = 0;
        for (; end < count; end++) {
            int step = wcwidth(wide[end]);
            if (step < 0) wide[end] = L' ', step = 1;
            if (width + step > room) break;
            width += step;
        }
        mvwaddnwstr(window, row, column, wide, (int)end);
        free(wide);
    }
    wattr_set(window, before, pair, NULL);
    return wide ? OK : ERR;
}

attr_t cncurses_a_mark(void) { return WA_TOP; }

int cncurses_read_row(WINDOW *window, int row, cchar_t *cells, int count) {
    int cursor_row = getcury(window), cursor_column = getcurx(window);
    int columns = getmaxx(window) < count ? getmaxx(window) : count;
    for (int column = 0; column < columns; column++) {
        memset(&cells[column], 0, sizeof cells[column]);
        mvwin_wch(window, row, column, &cells[column]);
    }
    wmove(window, cursor_row, cursor_column);
    return columns;
}

void cncurses_write_cell(WINDOW *window, int row, int column, const cchar_t *cell) {
    int cursor_row = getcury(window), cursor_column = getcurx(window);
    // Unlike wadd_wch(3) this neither wraps nor scrolls.
    mvwadd_wchnstr(window, row, column, cell, 1);
    wmove(window, cursor_row, cursor_column);
}

cchar_t cncurses_cell(const wchar_t *text, attr_t attributes) {
    cchar_t cell;
    memset(&cell, 0, sizeof cell);
    if (setcchar(&cell, text, attributes, 0, NULL) != OK) setcchar(&cell, L" ", attributes, 0, NULL);
    return cell;
}

bool cncurses_is_marked(const cchar_t *cell) { return (cell->attr & WA_TOP) != 0; }

// ncurses numbers the columns of a wide character in the lowest bits of the attributes, and the first column has the number 1.
bool cncurses_is_right_half(const cchar_t *cell) { return (cell->attr & A_CHARTEXT) > 1; }

static bool has_reserved_line;

static int keep_reserved_line(WINDOW *window, int columns) {
    (void)columns;
    has_reserved_line = window != NULL;
    return OK;
}

void cncurses_reserve_line(void) { ripoffline(1, keep_reserved_line); }

bool cncurses_has_reserved_line(void) { return has_reserved_line; }
