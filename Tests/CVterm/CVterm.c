#include "CVterm.h"

#if !__has_include(<vterm.h>)

int cvterm_is_available(void) { return 0; }
cvterm *cvterm_create(int rows, int columns) { return NULL; }
void cvterm_free(cvterm *terminal) {}
void cvterm_resize(cvterm *terminal, int rows, int columns) {}
void cvterm_feed(cvterm *terminal, const uint8_t *bytes, size_t count) {}
void cvterm_get_state(const cvterm *terminal, cvterm_state *state) { *state = (cvterm_state){0}; }
void cvterm_get_cells(const cvterm *terminal, uint32_t *words) {}
const uint32_t *cvterm_get_scrollback_line(const cvterm *terminal, uint32_t line, size_t *words) { return NULL; }
const char *cvterm_get_title(const cvterm *terminal) { return ""; }
int cvterm_has_saved_cursor(const cvterm *terminal) { return 0; }
int cvterm_has_saved_wrap(const cvterm *terminal) { return 0; }
const uint8_t *cvterm_take_replies(cvterm *terminal, size_t *count) { *count = 0; return NULL; }

#else

#include <string.h>

#include "Dialect.h"
#include "Library.h"

// Bytes that grow at their end.
typedef struct {
    uint8_t *bytes;
    size_t count, capacity;
} buffer;

struct cvterm {
    VTerm *vterm;
    VTermScreen *screen;
    VTermState *state;
    VTerm *ruler;         // measures characters
    dialect *dialect;
    int rows, columns;
    cvterm_state values;
    char *title;
    buffer replies;
    size_t replies_taken;
    buffer scrollback;    // words of all lines
    buffer line_ends;     // one size_t for each line: the end of its words in `scrollback`
};

static void append(buffer *buffer, const void *bytes, size_t count) {
    if (count > buffer->capacity - buffer->count) {
        buffer->capacity = (buffer->count + count) * 2;
        buffer->bytes = realloc(buffer->bytes, buffer->capacity);
        if (!buffer->bytes) abort();
    }
    if (count) memcpy(buffer->bytes + buffer->count, bytes, count);
    buffer->count += count;
}

static uint32_t color_word(const VTermColor *color) {
    if (VTERM_COLOR_IS_DEFAULT_FG(color) || VTERM_COLOR_IS_DEFAULT_BG(color)) return CVTERM_COLOR_DEFAULT;
    if (VTERM_COLOR_IS_INDEXED(color)) return CVTERM_COLOR_INDEXED | color->indexed.idx;
    return CVTERM_COLOR_RGB | (uint32_t)color->rgb.red << 16 | (uint32_t)color->rgb.green << 8 | color->rgb.blue;
}

static void write_cell(const VTermScreenCell *cell, uint32_t *words) {
    int end = 0;
    for (int k = 0; k < CVTERM_CODE_POINTS; k++) {
        // libvterm leaves former combining marks in the right half of a wide character.
        end |= k >= VTERM_MAX_CHARS_PER_CELL || cell->chars[k] == 0 || (k > 0 && cell->chars[0] == CVTERM_RIGHT_HALF);
        words[k] = end ? 0 : cell->chars[k];
    }
    int is_right_half = cell->chars[0] == CVTERM_RIGHT_HALF, is_erased = cell->chars[0] == 0;
    VTermScreenCellAttrs a = cell->attrs;
    words[6] = (uint32_t)cell->width;
    words[7] = (a.bold ? CVTERM_BOLD : 0) | (a.italic ? CVTERM_ITALIC : 0) | (a.blink ? CVTERM_BLINK : 0)
        | (a.reverse ? CVTERM_REVERSE : 0) | (a.strike ? CVTERM_STRIKE : 0) | a.underline << CVTERM_UNDERLINE_SHIFT
        | a.font << CVTERM_FONT_SHIFT | (a.dwl ? CVTERM_DOUBLE_WIDTH : 0) | a.dhl << CVTERM_DOUBLE_HEIGHT_SHIFT;
    words[8] = color_word(&cell->fg);
    words[9] = color_word(&cell->bg);
    // libvterm erases with the whole rendition, of which xterm uses only the background.
    if (is_erased) words[7] = words[8] = 0;
    // The former rendition, too. It is not visible.
    if (is_right_half) words[7] = words[8] = words[9] = 0;
}

static int on_property(VTermProp property, VTermValue *value, void *user) {
    cvterm *terminal = user;
    switch (property) {
    case VTERM_PROP_CURSORVISIBLE: terminal->values.cursor_visible = value->boolean; return 1;
    case VTERM_PROP_CURSORBLINK: terminal->values.cursor_blink = value->boolean; return 1;
    case VTERM_PROP_CURSORSHAPE: terminal->values.cursor_shape = value->number; return 1;
    case VTERM_PROP_ALTSCREEN: terminal->values.alternate_screen = value->boolean; return 1;
    case VTERM_PROP_REVERSE: terminal->values.reverse = value->boolean; return 1;
    case VTERM_PROP_MOUSE: terminal->values.mouse = value->number; return 1;
    case VTERM_PROP_TITLE:
#if VTERM_VERSION_MAJOR == 0 && VTERM_VERSION_MINOR < 2
        free(terminal->title);
        terminal->title = strdup(value->string);
#else
        // Newer versions hand a string over in fragments.
        {
            size_t kept = terminal->title && !value->string.initial ? strlen(terminal->title) : 0;
            terminal->title = realloc(terminal->title, kept + value->string.len + 1);
            if (!terminal->title) abort();
            memcpy(terminal->title + kept, value->string.str, value->string.len);
            terminal->title[kept + value->string.len] = 0;
        }
#endif
        return 1;
    default: return 1;
    }
}

static int on_bell(void *user) {
    ((cvterm *)user)->values.bells++;
    return 1;
}

static int on_scrolled_off(int columns, const VTermScreenCell *cells, void *user) {
    cvterm *terminal = user;
    size_t start = terminal->scrollback.count;
    for (int column = 0; column < columns; column++) {
        uint32_t words[CVTERM_WORDS_PER_CELL];
        write_cell(cells + column, words);
        append(&terminal->scrollback, words, sizeof words);
    }
    append(&terminal->line_ends, &terminal->scrollback.count, sizeof(size_t));
    terminal->values.scrollback_lines++;
    // FNV-1a, over words.
    uint64_t hash = terminal->values.scrollback_hash ^ (uint64_t)columns;
    for (size_t at = start; at < terminal->scrollback.count; at += sizeof(uint32_t)) {
        uint32_t word;
        memcpy(&word, terminal->scrollback.bytes + at, sizeof word);
        hash = (hash ^ word) * 0x100000001b3;
    }
    terminal->values.scrollback_hash = hash;
    return 1;
}

static void on_reply(const char *bytes, size_t count, void *user) {
    append(&((cvterm *)user)->replies, bytes, count);
}

static const VTermScreenCallbacks callbacks = {
    .settermprop = on_property, .bell = on_bell, .sb_pushline = on_scrolled_off,
};

int cvterm_is_available(void) { return cvterm_library() != NULL; }

cvterm *cvterm_create(int rows, int columns) {
    cvterm *terminal = calloc(1, sizeof *terminal);
    if (!terminal) return NULL;
    terminal->rows = rows;
    terminal->columns = columns;
    terminal->ruler = cvterm_library()->vterm_new(1, 8);
    cvterm_library()->vterm_set_utf8(terminal->ruler, 1);
    cvterm_library()->vterm_state_reset(cvterm_library()->vterm_obtain_state(terminal->ruler), 1);
    terminal->vterm = cvterm_library()->vterm_new(rows, columns);
    cvterm_library()->vterm_set_utf8(terminal->vterm, 1);
    cvterm_library()->vterm_output_set_callback(terminal->vterm, on_reply, terminal);
    terminal->state = cvterm_library()->vterm_obtain_state(terminal->vterm);
    terminal->screen = cvterm_library()->vterm_obtain_screen(terminal->vterm);
    cvterm_library()->vterm_screen_set_callbacks(terminal->screen, &callbacks, terminal);
    cvterm_library()->vterm_screen_enable_altscreen(terminal->screen, 1);
    cvterm_library()->vterm_screen_reset(terminal->screen, 1);
    terminal->dialect = dialect_create(terminal->vterm, terminal->state, terminal->screen);
    return terminal;
}

void cvterm_free(cvterm *terminal) {
    if (!terminal) return;
    dialect_free(terminal->dialect);
    cvterm_library()->vterm_free(terminal->vterm);
    cvterm_library()->vterm_free(terminal->ruler);
    free(terminal->title);
    free(terminal->replies.bytes);
    free(terminal->scrollback.bytes);
    free(terminal->line_ends.bytes);
    free(terminal);
}

void cvterm_resize(cvterm *terminal, int rows, int columns) {
    terminal->rows = rows;
    terminal->columns = columns;
    cvterm_library()->vterm_set_size(terminal->vterm, rows, columns);
}

void cvterm_feed(cvterm *terminal, const uint8_t *bytes, size_t count) {
    if (terminal->replies_taken) {
        terminal->replies.count = 0;
        terminal->replies_taken = 0;
    }
    dialect_feed(terminal->dialect, bytes, count);
    cvterm_library()->vterm_screen_flush_damage(terminal->screen);
}

int cvterm_has_saved_cursor(const cvterm *terminal) { return dialect_has_saved_cursor(terminal->dialect); }
int cvterm_has_saved_wrap(const cvterm *terminal) { return dialect_has_saved_wrap(terminal->dialect); }

void cvterm_get_state(const cvterm *terminal, cvterm_state *state) {
    VTermPos position;
    cvterm_library()->vterm_state_get_cursorpos(terminal->state, &position);
    *state = terminal->values;
    state->cursor_row = position.row;
    state->cursor_column = position.col;
}

// Whether libvterm draws the character over two cells.
static int is_wide(const cvterm *terminal, uint32_t character) {
    if (character < 0x1100 || character > 0x10ffff) return 0;
    char text[] = {
        '\r', (char)(0xf0 | character >> 18), (char)(0x80 | (character >> 12 & 63)), (char)(0x80 | (character >> 6 & 63)),
        (char)(0x80 | (character & 63)),
    };
    if (character < 0x10000) {
        text[1] = '\r';
        text[2] = (char)(0xe0 | character >> 12);
    }
    cvterm_library()->vterm_input_write(terminal->ruler, text, sizeof text);
    VTermPos place;
    cvterm_library()->vterm_state_get_cursorpos(cvterm_library()->vterm_obtain_state(terminal->ruler), &place);
    return place.col == 2;
}

// libvterm leaves a half of a wide character where the other half was overwritten, moved or erased. Marks such cells.
static void mark_halves(const cvterm *terminal, uint32_t *row) {
    int former_is_wide = 0;
    for (int column = 0; column < terminal->columns; column++) {
        uint32_t *cell = row + column * CVTERM_WORDS_PER_CELL;
        int is_right_half = cell[0] == CVTERM_RIGHT_HALF;
        int last = column == terminal->columns - 1;
        int next_is_right_half = !last && cell[CVTERM_WORDS_PER_CELL] == CVTERM_RIGHT_HALF;
        int wide = !is_right_half && (cell[0] >= 0x1100 || next_is_right_half) && is_wide(terminal, cell[0]);
        if (is_right_half ? !former_is_wide : wide && !next_is_right_half) {
            memset(cell, 0, CVTERM_WORDS_PER_CELL * sizeof *cell);
            cell[0] = CVTERM_LONE_HALF;
        } else if (!wide) {
            cell[6] = 1;
        }
        former_is_wide = wide && next_is_right_half;
    }
}

void cvterm_get_cells(const cvterm *terminal, uint32_t *words) {
    for (int row = 0; row < terminal->rows; row++) {
        uint32_t *start = words;
        for (int column = 0; column < terminal->columns; column++) {
            VTermScreenCell cell;
            memset(&cell, 0, sizeof cell);
            cvterm_library()->vterm_screen_get_cell(terminal->screen, (VTermPos){row, column}, &cell);
            write_cell(&cell, words);
            words += CVTERM_WORDS_PER_CELL;
        }
        mark_halves(terminal, start);
    }
}

const uint32_t *cvterm_get_scrollback_line(const cvterm *terminal, uint32_t line, size_t *words) {
    const size_t *ends = (const size_t *)(const void *)terminal->line_ends.bytes;
    if (line >= terminal->line_ends.count / sizeof(size_t)) return NULL;
    size_t start = line ? ends[line - 1] : 0;
    *words = (ends[line] - start) / sizeof(uint32_t);
    return (const uint32_t *)(const void *)(terminal->scrollback.bytes + start);
}

const char *cvterm_get_title(const cvterm *terminal) { return terminal->title ? terminal->title : ""; }

const uint8_t *cvterm_take_replies(cvterm *terminal, size_t *count) {
    *count = terminal->replies_taken ? 0 : terminal->replies.count;
    terminal->replies_taken = 1;
    return terminal->replies.bytes;
}

#endif
