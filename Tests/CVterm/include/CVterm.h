#ifndef CVTERM_H
#define CVTERM_H

#include <stddef.h>
#include <stdint.h>

// An in-process terminal for tests, with libvterm behind it. None of libvterm's types is visible here.
// Rows and columns count from 0.

typedef struct cvterm cvterm;

// The number of 32-bit words that describe one cell: six code points (0 behind the last), the width, the attributes, the
// foreground, the background.
enum { CVTERM_CODE_POINTS = 6, CVTERM_WORDS_PER_CELL = 10 };
// The only code point of a wide character's right half.
#define CVTERM_RIGHT_HALF UINT32_MAX
// The only content of a cell in which libvterm has left a half of a wide character. xterm has a blank there.
#define CVTERM_LONE_HALF 0x110000

// The bits of a cell's attributes. The underline is a number from 0 to 3: off, single, double, curly.
enum {
    CVTERM_BOLD = 1, CVTERM_ITALIC = 2, CVTERM_BLINK = 4, CVTERM_REVERSE = 8, CVTERM_STRIKE = 16,
    CVTERM_UNDERLINE_SHIFT = 5, CVTERM_FONT_SHIFT = 7, CVTERM_DOUBLE_WIDTH = 1 << 11, CVTERM_DOUBLE_HEIGHT_SHIFT = 12,
};

// The kind of a color, in its highest byte. The other bytes are the index, or red, green and blue.
enum { CVTERM_COLOR_DEFAULT = 0, CVTERM_COLOR_INDEXED = 1 << 24, CVTERM_COLOR_RGB = 2 << 24 };

// What a terminal has beside its cells.
typedef struct {
    int32_t cursor_row, cursor_column;
    int32_t cursor_visible, cursor_blink;
    int32_t cursor_shape;      // 1 block, 2 underline, 3 bar
    int32_t alternate_screen;
    int32_t reverse;
    int32_t mouse;             // 0 off, 1 clicks, 2 drags, 3 every movement
    int32_t bells;             // how often BEL was received
    uint32_t scrollback_lines; // lines that left the main screen at its top
    uint64_t scrollback_hash;  // of all of these lines, in order
} cvterm_state;

// Whether this build has libvterm. Without it `cvterm_create` returns NULL.
int cvterm_is_available(void);
// A terminal in UTF-8 mode with empty screens, or NULL.
cvterm *cvterm_create(int rows, int columns);
void cvterm_free(cvterm *terminal);
void cvterm_resize(cvterm *terminal, int rows, int columns);
void cvterm_feed(cvterm *terminal, const uint8_t *bytes, size_t count);

void cvterm_get_state(const cvterm *terminal, cvterm_state *state);
// Writes the cells of the current screen, row by row: rows × columns × CVTERM_WORDS_PER_CELL words.
void cvterm_get_cells(const cvterm *terminal, uint32_t *words);
// The words of one scrollback line, which were as many cells as the terminal had columns then. NULL if there is no such line.
const uint32_t *cvterm_get_scrollback_line(const cvterm *terminal, uint32_t line, size_t *words);
// The window title in UTF-8, valid until the next feed.
const char *cvterm_get_title(const cvterm *terminal);
// Whether the program has saved the cursor on the current screen.
int cvterm_has_saved_cursor(const cvterm *terminal);
// Whether the cursor that was saved on the current screen was behind the last column.
int cvterm_has_saved_wrap(const cvterm *terminal);
// What the terminal has answered since the last call; valid until the next feed. Forgets it.
const uint8_t *cvterm_take_replies(cvterm *terminal, size_t *count);

#endif
