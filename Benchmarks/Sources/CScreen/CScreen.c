#include "CScreen.h"

#include <curses.h>
#include <locale.h>

void cscreen_draw(const char *text) {
    setlocale(LC_ALL, "");
    initscr();
    start_color();
    use_default_colors();
    for (int row = 0; row < LINES - 1; row++) mvaddstr(row, 0, text);
    refresh();
}
