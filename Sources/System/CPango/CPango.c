// Declarations only: the libraries do the work.
#include "CPango.h"

_Static_assert(sizeof(PangoGlyphInfo) == 20, "Pango's glyphs are 20 bytes each");
