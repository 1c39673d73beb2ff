/// Opens the screen and draws a text on each row.
void cscreen_draw(const char *text);
