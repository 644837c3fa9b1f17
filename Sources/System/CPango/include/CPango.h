// What Rostrum calls of Pango, GObject and fontconfig, declared here: their own headers come with compiler flags that a Swift
// package refuses. Checked against Pango 1.50, whose structures have been the same since 1.44 where they are declared here;
// start_x_offset and end_x_offset, new in 1.50, are not read.
#ifndef ROSTRUM_CPANGO_H
#define ROSTRUM_CPANGO_H

#include <stdint.h>

typedef struct _cairo_scaled_font cairo_scaled_font_t;
typedef struct _cairo_font_options cairo_font_options_t;

// GLib
typedef struct _GSList {
    void *data;
    struct _GSList *next;
} GSList;
void g_object_unref(void *object);
void *g_object_ref(void *object);
void g_free(void *memory);

// Fonts
typedef struct _PangoFontMap PangoFontMap;
typedef struct _PangoContext PangoContext;
typedef struct _PangoFont PangoFont;
typedef struct _PangoFontDescription PangoFontDescription;
typedef struct _PangoFontMetrics PangoFontMetrics;
typedef struct _PangoLanguage PangoLanguage;
typedef struct {
    int x, y, width, height;
} PangoRectangle;

PangoFontMap *pango_cairo_font_map_new_for_font_type(int fonttype);
void pango_cairo_font_map_set_resolution(PangoFontMap *fontmap, double dpi);
PangoContext *pango_font_map_create_context(PangoFontMap *fontmap);
void pango_cairo_context_set_font_options(PangoContext *context, const cairo_font_options_t *options);
void pango_context_set_round_glyph_positions(PangoContext *context, int round_positions);
void pango_context_set_language(PangoContext *context, PangoLanguage *language);
PangoLanguage *pango_language_from_string(const char *language);
PangoFont *pango_context_load_font(PangoContext *context, const PangoFontDescription *desc);
PangoFontMetrics *pango_font_get_metrics(PangoFont *font, PangoLanguage *language);
int pango_font_metrics_get_ascent(PangoFontMetrics *metrics);
int pango_font_metrics_get_descent(PangoFontMetrics *metrics);
int pango_font_metrics_get_underline_position(PangoFontMetrics *metrics);
int pango_font_metrics_get_underline_thickness(PangoFontMetrics *metrics);
int pango_font_metrics_get_strikethrough_position(PangoFontMetrics *metrics);
int pango_font_metrics_get_strikethrough_thickness(PangoFontMetrics *metrics);
void pango_font_metrics_unref(PangoFontMetrics *metrics);
PangoFontDescription *pango_font_describe(PangoFont *font);
PangoFontDescription *pango_font_description_new(void);
void pango_font_description_free(PangoFontDescription *desc);
void pango_font_description_set_family(PangoFontDescription *desc, const char *family);
const char *pango_font_description_get_family(const PangoFontDescription *desc);
void pango_font_description_set_absolute_size(PangoFontDescription *desc, double size);
void pango_font_description_set_weight(PangoFontDescription *desc, int weight);
void pango_font_description_set_style(PangoFontDescription *desc, int style);
void pango_font_description_set_stretch(PangoFontDescription *desc, int stretch);
cairo_scaled_font_t *pango_cairo_font_get_scaled_font(PangoFont *font);

// Attributes
typedef struct _PangoAttrList PangoAttrList;
typedef struct _PangoAttrClass {
    int type;
} PangoAttrClass;
typedef struct _PangoAttribute {
    const PangoAttrClass *klass;
    unsigned start_index;
    unsigned end_index;
} PangoAttribute;
typedef struct {
    PangoAttribute attr;
    uint16_t red, green, blue;
} PangoAttrColor;
enum { TEXT_ATTRIBUTE_FOREGROUND = 9 };

PangoAttrList *pango_attr_list_new(void);
void pango_attr_list_unref(PangoAttrList *list);
void pango_attr_list_insert(PangoAttrList *list, PangoAttribute *attr);
PangoAttribute *pango_attr_font_desc_new(const PangoFontDescription *desc);
PangoAttribute *pango_attr_foreground_new(uint16_t red, uint16_t green, uint16_t blue);
PangoAttribute *pango_attr_letter_spacing_new(int letter_spacing);
PangoAttribute *pango_attr_rise_new(int rise);

// Glyphs and items
typedef struct {
    int width, x_offset, y_offset;
} PangoGlyphGeometry;
typedef struct {
    uint32_t glyph;
    PangoGlyphGeometry geometry;
    /// Bit 0: starts a cluster; bit 1: has colors of its own.
    uint32_t attr;
} PangoGlyphInfo;
typedef struct {
    int num_glyphs;
    PangoGlyphInfo *glyphs;
    int *log_clusters;
    int space;
} PangoGlyphString;
typedef struct {
    void *shape_engine, *lang_engine;
    PangoFont *font;
    uint8_t level, gravity, flags, script;
    PangoLanguage *language;
    GSList *extra_attrs;
} PangoAnalysis;
typedef struct {
    int offset, length, num_chars;
    PangoAnalysis analysis;
} PangoItem;
typedef struct {
    PangoItem *item;
    PangoGlyphString *glyphs;
    int y_offset;
} PangoGlyphItem;

// Layouts
typedef struct _PangoLayout PangoLayout;
typedef struct _PangoLayoutIter PangoLayoutIter;
typedef struct {
    PangoLayout *layout;
    int start_index, length;
    GSList *runs;
    unsigned is_paragraph_start : 1;
    unsigned resolved_dir : 3;
} PangoLayoutLine;

PangoLayout *pango_layout_new(PangoContext *context);
void pango_layout_set_text(PangoLayout *layout, const char *text, int length);
void pango_layout_set_attributes(PangoLayout *layout, PangoAttrList *attrs);
void pango_layout_set_font_description(PangoLayout *layout, const PangoFontDescription *desc);
void pango_layout_set_width(PangoLayout *layout, int width);
void pango_layout_set_height(PangoLayout *layout, int height);
void pango_layout_set_wrap(PangoLayout *layout, int wrap);
void pango_layout_set_ellipsize(PangoLayout *layout, int ellipsize);
void pango_layout_set_justify(PangoLayout *layout, int justify);
void pango_layout_set_auto_dir(PangoLayout *layout, int auto_dir);
void pango_layout_set_alignment(PangoLayout *layout, int alignment);
int pango_layout_is_ellipsized(PangoLayout *layout);
void pango_layout_get_extents(PangoLayout *layout, PangoRectangle *ink, PangoRectangle *logical);
PangoLayoutIter *pango_layout_get_iter(PangoLayout *layout);
int pango_layout_iter_next_line(PangoLayoutIter *iter);
PangoLayoutLine *pango_layout_iter_get_line_readonly(PangoLayoutIter *iter);
int pango_layout_iter_get_baseline(PangoLayoutIter *iter);
void pango_layout_iter_get_line_extents(PangoLayoutIter *iter, PangoRectangle *ink, PangoRectangle *logical);
void pango_layout_iter_free(PangoLayoutIter *iter);

// Fontconfig
typedef struct _FcConfig FcConfig;
typedef struct _FcPattern FcPattern;
typedef struct _FcObjectSet FcObjectSet;
typedef struct {
    int nfont, sfont;
    FcPattern **fonts;
} FcFontSet;

FcConfig *FcInitLoadConfigAndFonts(void);
FcConfig *FcConfigCreate(void);
FcConfig *FcConfigReference(FcConfig *config);
void FcConfigDestroy(FcConfig *config);
int FcConfigParseAndLoadFromMemory(FcConfig *config, const unsigned char *buffer, int complain);
int FcConfigAppFontAddDir(FcConfig *config, const unsigned char *dir);
int FcConfigAppFontAddFile(FcConfig *config, const unsigned char *file);
FcPattern *FcPatternCreate(void);
void FcPatternDestroy(FcPattern *pattern);
FcObjectSet *FcObjectSetCreate(void);
int FcObjectSetAdd(FcObjectSet *set, const char *object);
void FcObjectSetDestroy(FcObjectSet *set);
FcFontSet *FcFontList(FcConfig *config, FcPattern *pattern, FcObjectSet *set);
void FcFontSetDestroy(FcFontSet *set);
int FcPatternGetString(const FcPattern *pattern, const char *object, int n, unsigned char **string);
void pango_fc_font_map_set_config(PangoFontMap *fontmap, FcConfig *config);

#endif
