/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plants of well-known costs of OpenCV, ImageMagick, FreeType, HarfBuzz, Cairo, Pango, FFmpeg,
 * libtiff and libwebp, and their repaired twins, which print the same.
 */
#include <wand/MagickWand.h>
#include <cairo.h>
#include <fontconfig/fontconfig.h>
#include <ft2build.h>
#include FT_FREETYPE_H
#include <hb-ft.h>
#include <hb.h>
#include <opencv2/calib3d.hpp>
#include <opencv2/core.hpp>
#include <opencv2/features2d.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/objdetect.hpp>
#include <pango/pangocairo.h>
#include <tiffio.h>
#include <unistd.h>
#include <webp/encode.h>
extern "C" {
#include <libswscale/swscale.h>
}

#include "plants.h"

static char file_font[300];

static void find_font()
{
    FcPattern *pattern = FcNameParse((const FcChar8 *)"sans"), *found;
    FcResult result;
    FcChar8 *name = nullptr;

    FcConfigSubstitute(nullptr, pattern, FcMatchPattern);
    FcDefaultSubstitute(pattern);
    found = FcFontMatch(nullptr, pattern, &result);
    FcPatternGetString(found, FC_FILE, 0, &name);
    snprintf(file_font, sizeof file_font, "%s", (char *)name);
}

/* ---- OpenCV ----------------------------------------------------------------------------- */

static const cv::Mat camera = (cv::Mat_<double>(3, 3) << 500, 0, 320, 0, 500, 240, 0, 0, 1);
static const cv::Mat lens = (cv::Mat_<double>(1, 5) << 0.1, -0.05, 0, 0, 0);

static long undistort_planted(long rounds)
{
    cv::Mat frame(480, 640, CV_8UC1, cv::Scalar(7)), straight;
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        cv::undistort(frame, straight, camera, lens);
        sum += straight.at<uchar>(240, 320);
    }
    return sum;
}

static long undistort_repaired(long rounds)
{
    cv::Mat frame(480, 640, CV_8UC1, cv::Scalar(7)), straight, x, y;
    long sum = 0;

    cv::initUndistortRectifyMap(camera, lens, cv::Mat(), camera, frame.size(), CV_16SC2, x, y);
    for (long i = 0; i < rounds; i++) {
        cv::remap(frame, straight, x, y, cv::INTER_LINEAR);
        sum += straight.at<uchar>(240, 320);
    }
    return sum;
}

static long storage_planted(long rounds)
{
    cv::Mat values(200, 200, CV_64F, cv::Scalar(0.125));
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        cv::FileStorage file(".yml", cv::FileStorage::WRITE | cv::FileStorage::MEMORY);

        file << "values" << values;
        sum += file.releaseAndGetString().size() > 0;
    }
    return sum;
}

static long storage_repaired(long rounds)
{
    cv::Mat values(200, 200, CV_64F, cv::Scalar(0.125));
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        std::string bytes((const char *)values.data, values.total() * values.elemSize());

        sum += bytes.size() > 0;
    }
    return sum;
}

static cv::Mat descriptors(int count)
{
    cv::Mat made(count, 32, CV_8U);

    cv::randu(made, 0, 256);
    return made;
}

static long matcher_planted(long rounds)
{
    const cv::Mat known = descriptors(20000), asked = descriptors(100);
    cv::BFMatcher matcher(cv::NORM_HAMMING);
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        std::vector<cv::DMatch> matches;

        matcher.match(asked, known, matches);
        sum += matches.size();
    }
    return sum;
}

static long matcher_repaired(long rounds)
{
    const cv::Mat known = descriptors(20000), asked = descriptors(100);
    cv::FlannBasedMatcher matcher(cv::makePtr<cv::flann::LshIndexParams>(4, 20, 0));
    long sum = 0;

    matcher.add(std::vector<cv::Mat>{known});
    matcher.train();
    for (long i = 0; i < rounds; i++) {
        std::vector<cv::DMatch> matches;

        matcher.match(asked, matches);
        sum += asked.rows;
    }
    return sum;
}

static long people_planted(long rounds)
{
    cv::Mat frame(240, 320, CV_8UC1, cv::Scalar(7));
    cv::HOGDescriptor detector;
    long sum = 0;

    detector.setSVMDetector(cv::HOGDescriptor::getDefaultPeopleDetector());
    for (long i = 0; i < rounds; i++) {
        std::vector<cv::Rect> found;

        detector.detectMultiScale(frame, found, 0, cv::Size(), cv::Size(), 1.02);
        sum += found.size();
    }
    return sum;
}

static long people_repaired(long rounds)
{
    cv::Mat frame(240, 320, CV_8UC1, cv::Scalar(7)), before(240, 320, CV_8UC1, cv::Scalar(7));
    long sum = 0;

    for (long i = 0; i < rounds; i++) /* nothing moves */
        sum += cv::norm(frame, before, cv::NORM_INF) > 0;
    return sum;
}

static long features_planted(long rounds)
{
    cv::Mat frame(64, 64, CV_8UC1);
    long sum = 0;

    cv::randu(frame, 0, 256);
    for (long i = 0; i < rounds; i++) {
        auto finder = cv::BRISK::create();
        std::vector<cv::KeyPoint> found;

        finder->detect(frame(cv::Rect(0, 0, 16, 16)), found);
        sum += found.size();
    }
    return sum;
}

static long features_repaired(long rounds)
{
    cv::Mat frame(64, 64, CV_8UC1);
    auto finder = cv::BRISK::create();
    long sum = 0;

    cv::randu(frame, 0, 256);
    for (long i = 0; i < rounds; i++) {
        std::vector<cv::KeyPoint> found;

        finder->detect(frame(cv::Rect(0, 0, 16, 16)), found);
        sum += found.size();
    }
    return sum;
}

/* ---- ImageMagick ------------------------------------------------------------------------ */

static MagickWand *make_wand(size_t width, size_t height)
{
    MagickWand *wand;
    PixelWand *colour = NewPixelWand();

    MagickWandGenesis();
    wand = NewMagickWand();
    PixelSetColor(colour, "#123456");
    MagickNewImage(wand, width, height, colour);
    DestroyPixelWand(colour);
    return wand;
}

static long magick_pixels_planted(long rounds)
{
    MagickWand *wand = make_wand(100, 100);
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        for (int y = 0; y < 100; y++)
            for (int x = 0; x < 100; x++) {
                PixelWand *pixel = NewPixelWand();

                MagickGetImagePixelColor(wand, x, y, pixel);
                sum += (long)(PixelGetRed(pixel) * 255 + 0.5);
                DestroyPixelWand(pixel);
            }
    DestroyMagickWand(wand);
    return sum;
}

static long magick_pixels_repaired(long rounds)
{
    MagickWand *wand = make_wand(100, 100);
    static unsigned char bytes[100 * 100];
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        MagickExportImagePixels(wand, 0, 0, 100, 100, "R", CharPixel, bytes);
        for (unsigned char byte : bytes)
            sum += byte;
    }
    DestroyMagickWand(wand);
    return sum;
}

static long magick_resize(long rounds, bool is_filtered)
{
    MagickWand *wand = make_wand(1200, 900);
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        MagickWand *copy = CloneMagickWand(wand);

        if (is_filtered)
            MagickResizeImage(copy, 120, 90, LanczosFilter, 1);
        else
            MagickSampleImage(copy, 120, 90);
        sum += MagickGetImageWidth(copy);
        DestroyMagickWand(copy);
    }
    DestroyMagickWand(wand);
    return sum;
}

static long magick_resize_planted(long rounds)
{
    return magick_resize(rounds, true);
}

static long magick_resize_repaired(long rounds)
{
    return magick_resize(rounds, false);
}

/* ---- texts ------------------------------------------------------------------------------ */

static long glyphs_planted(long rounds)
{
    FT_Library library;
    FT_Face face;
    long sum = 0;

    find_font();
    FT_Init_FreeType(&library);
    FT_New_Face(library, file_font, 0, &face);
    FT_Set_Pixel_Sizes(face, 0, 20);
    for (long i = 0; i < rounds; i++)
        for (const char *letter = "the quick brown fox"; *letter; letter++) {
            FT_Load_Char(face, (unsigned char)*letter, FT_LOAD_RENDER);
            sum += face->glyph->advance.x >> 6;
        }
    return sum;
}

static long glyphs_repaired(long rounds)
{
    static long advances[128];
    FT_Library library;
    FT_Face face;
    long sum = 0;

    find_font();
    FT_Init_FreeType(&library);
    FT_New_Face(library, file_font, 0, &face);
    FT_Set_Pixel_Sizes(face, 0, 20);
    for (int i = 32; i < 127; i++) {
        FT_Load_Char(face, (unsigned)i, FT_LOAD_RENDER);
        advances[i] = face->glyph->advance.x >> 6;
    }
    for (long i = 0; i < rounds; i++)
        for (const char *letter = "the quick brown fox"; *letter; letter++)
            sum += advances[(unsigned char)*letter];
    return sum;
}

static long faces_planted(long rounds)
{
    FT_Library library;
    long sum = 0;

    find_font();
    FT_Init_FreeType(&library);
    for (long i = 0; i < rounds; i++) {
        FT_Face face;

        FT_New_Face(library, file_font, 0, &face);
        sum += FT_Get_Char_Index(face, 'a') > 0;
        FT_Done_Face(face);
    }
    return sum;
}

static long faces_repaired(long rounds)
{
    FT_Library library;
    FT_Face face;
    long sum = 0;

    find_font();
    FT_Init_FreeType(&library);
    FT_New_Face(library, file_font, 0, &face);
    for (long i = 0; i < rounds; i++)
        sum += FT_Get_Char_Index(face, 'a') > 0;
    return sum;
}

static long shape(hb_font_t *font, hb_buffer_t *buffer)
{
    hb_buffer_add_utf8(buffer, "quick", -1, 0, -1);
    hb_buffer_guess_segment_properties(buffer);
    hb_shape(font, buffer, nullptr, 0);
    return hb_buffer_get_length(buffer);
}

static long hb_fonts_planted(long rounds)
{
    long sum = 0;

    find_font();
    for (long i = 0; i < rounds; i++) {
        hb_blob_t *blob = hb_blob_create_from_file(file_font);
        hb_face_t *face = hb_face_create(blob, 0);
        hb_font_t *font = hb_font_create(face);
        hb_buffer_t *buffer = hb_buffer_create();

        sum += shape(font, buffer);
        hb_buffer_destroy(buffer);
        hb_font_destroy(font);
        hb_face_destroy(face);
        hb_blob_destroy(blob);
    }
    return sum;
}

static long hb_fonts_repaired(long rounds)
{
    find_font();

    hb_blob_t *blob = hb_blob_create_from_file(file_font);
    hb_face_t *face = hb_face_create(blob, 0);
    hb_font_t *font = hb_font_create(face);
    hb_buffer_t *buffer = hb_buffer_create();
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        sum += shape(font, buffer);
        hb_buffer_reset(buffer);
    }
    return sum;
}

static long matches_planted(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        find_font();
        sum += file_font[0] == '/';
    }
    return sum;
}

static long matches_repaired(long rounds)
{
    long sum = 0;

    find_font();
    for (long i = 0; i < rounds; i++)
        sum += file_font[0] == '/';
    return sum;
}

static cairo_t *make_cairo()
{
    return cairo_create(cairo_image_surface_create(CAIRO_FORMAT_RGB24, 600, 400));
}

static long strokes_planted(long rounds)
{
    cairo_t *cairo = make_cairo();

    for (long i = 0; i < rounds; i++) {
        cairo_move_to(cairo, (double)(i % 600), 200);
        cairo_line_to(cairo, (double)(i % 600) + 1, 200 + (double)(i * 7919 % 100));
        cairo_stroke(cairo);
    }
    return rounds;
}

static long strokes_repaired(long rounds)
{
    cairo_t *cairo = make_cairo();

    cairo_set_antialias(cairo, CAIRO_ANTIALIAS_NONE);
    for (long i = 0; i < rounds; i++) {
        cairo_line_to(cairo, (double)(i % 600), 200 + (double)(i * 7919 % 100));
        if (i % 600 == 599)
            cairo_new_path(cairo);
    }
    cairo_stroke(cairo);
    return rounds;
}

static long layouts_planted(long rounds)
{
    cairo_t *cairo = make_cairo();
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        PangoLayout *layout = pango_cairo_create_layout(cairo);
        PangoFontDescription *font = pango_font_description_from_string("Sans 10");
        int width, height;

        pango_layout_set_font_description(layout, font);
        pango_layout_set_text(layout, "the quick brown fox", -1);
        pango_layout_get_pixel_size(layout, &width, &height);
        sum += width > 0;
        pango_font_description_free(font);
        g_object_unref(layout);
    }
    return sum;
}

static long layouts_repaired(long rounds)
{
    cairo_t *cairo = make_cairo();
    PangoLayout *layout = pango_cairo_create_layout(cairo);
    long sum = 0;

    pango_layout_set_text(layout, "the quick brown fox", -1);
    for (long i = 0; i < rounds; i++) {
        int width, height;

        pango_layout_get_pixel_size(layout, &width, &height);
        sum += width > 0;
    }
    return sum;
}

/* ---- FFmpeg and formats ------------------------------------------------------------------ */

static unsigned char from_bytes[640 * 480 * 3], to_bytes[320 * 240 * 3];

static SwsContext *make_scaler(int flags)
{
    return sws_getContext(640, 480, AV_PIX_FMT_RGB24, 320, 240, AV_PIX_FMT_RGB24, flags, nullptr,
                          nullptr, nullptr);
}

static long scale(SwsContext *scaler)
{
    const unsigned char *from[] = {from_bytes, nullptr, nullptr, nullptr};
    unsigned char *to[] = {to_bytes, nullptr, nullptr, nullptr};
    const int from_size[] = {640 * 3, 0, 0, 0}, to_size[] = {320 * 3, 0, 0, 0};

    return sws_scale(scaler, from, from_size, 0, 480, to, to_size);
}

static long scalers_planted(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        SwsContext *scaler = make_scaler(SWS_BICUBIC);

        sum += scaler != nullptr;
        sws_freeContext(scaler);
    }
    return sum;
}

static long scalers_repaired(long rounds)
{
    SwsContext *scaler = make_scaler(SWS_BICUBIC);
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += scaler != nullptr;
    sws_freeContext(scaler);
    return sum;
}

static long scaling_planted(long rounds)
{
    SwsContext *scaler = make_scaler(SWS_LANCZOS | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT);
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += scale(scaler);
    return sum;
}

static long scaling_repaired(long rounds)
{
    long sum = 0;

    for (long i = 0; i < rounds; i++) { /* the nearest pixels */
        for (int y = 0; y < 240; y++)
            for (int x = 0; x < 320; x++)
                memcpy(to_bytes + (y * 320 + x) * 3, from_bytes + (y * 1280 + x * 2) * 3, 3);
        sum += 240;
    }
    return sum;
}

static void write_tiff(const char *name)
{
    TIFF *file = TIFFOpen(name, "w");
    static unsigned char line[1200 * 3];

    TIFFSetField(file, TIFFTAG_IMAGEWIDTH, 1200);
    TIFFSetField(file, TIFFTAG_IMAGELENGTH, 900);
    TIFFSetField(file, TIFFTAG_BITSPERSAMPLE, 8);
    TIFFSetField(file, TIFFTAG_SAMPLESPERPIXEL, 3);
    TIFFSetField(file, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_RGB);
    TIFFSetField(file, TIFFTAG_ROWSPERSTRIP, 900);
    for (unsigned y = 0; y < 900; y++)
        TIFFWriteScanline(file, line, y, 0);
    TIFFClose(file);
}

static long tiff(long rounds, bool is_rgba)
{
    static unsigned char bytes[1200 * 900 * 4];
    char name[] = "/tmp/tprof-pictures-XXXXXX";
    long sum = 0;

    close(mkstemp(name));
    write_tiff(name);
    for (long i = 0; i < rounds; i++) {
        TIFF *file = TIFFOpen(name, "r");

        if (is_rgba)
            sum += TIFFReadRGBAImage(file, 1200, 900, (uint32_t *)bytes, 0);
        else
            sum += TIFFReadEncodedStrip(file, 0, bytes, 1200 * 900 * 3) > 0;
        TIFFClose(file);
    }
    unlink(name);
    return sum;
}

static long tiff_planted(long rounds)
{
    return tiff(rounds, true);
}

static long tiff_repaired(long rounds)
{
    return tiff(rounds, false);
}

static void make_picture()
{
    for (size_t i = 0; i < sizeof from_bytes; i++)
        from_bytes[i] = (unsigned char)(i * i / 97);
}

static long webp_planted(long rounds)
{
    long sum = 0;

    make_picture();
    for (long i = 0; i < rounds; i++) {
        uint8_t *bytes;

        sum += WebPEncodeLosslessRGB(from_bytes, 640, 240, 640 * 3, &bytes) > 0;
        WebPFree(bytes);
    }
    return sum;
}

static long webp_repaired(long rounds)
{
    long sum = 0;

    make_picture();
    for (long i = 0; i < rounds; i++) {
        WebPConfig config;
        WebPPicture picture;
        WebPMemoryWriter writer;

        WebPConfigInit(&config);
        WebPConfigLosslessPreset(&config, 0);
        WebPPictureInit(&picture);
        picture.width = 640;
        picture.height = 240;
        picture.use_argb = 1;
        WebPPictureImportRGB(&picture, from_bytes, 640 * 3);
        WebPMemoryWriterInit(&writer);
        picture.writer = WebPMemoryWrite;
        picture.custom_ptr = &writer;
        sum += WebPEncode(&config, &picture);
        WebPMemoryWriterClear(&writer);
        WebPPictureFree(&picture);
    }
    return sum;
}

static const struct plant plants[] = {
    PLANT(undistort),     PLANT(storage),       PLANT(matcher), PLANT(people),  PLANT(features),
    PLANT(magick_pixels), PLANT(magick_resize), PLANT(glyphs),  PLANT(faces),   PLANT(hb_fonts),
    PLANT(matches),       PLANT(strokes),       PLANT(layouts), PLANT(scalers), PLANT(scaling),
    PLANT(tiff),          PLANT(webp)};

int main(int argc, char **argv)
{
    return RUN_PLANTS(plants, argc, argv);
}
