/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plants of well-known costs of libjpeg, libpng and libtiff.
 */
#include <stdio.h>

#include <jpeglib.h>
#include <png.h>
#include <tiffio.h>
#include <unistd.h>

#include "plants.h"

enum { WIDTH = 320, HEIGHT = 240, PAGES = 2000 };

static unsigned char pixels[HEIGHT][WIDTH * 3];

static void paint(void)
{
    unsigned state = 1;

    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH * 3; x++) {
            state = state * 1664525 + 1013904223;
            pixels[y][x] = (unsigned char)(y + x / 3 + (int)(state >> 28));
        }
}

/* ---- JPEG ------------------------------------------------------------------------------- */

static unsigned char *packed;
static unsigned long packed_size;

static void pack(void)
{
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;

    paint();
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, &packed, &packed_size);
    jpeg.image_width = WIDTH;
    jpeg.image_height = HEIGHT;
    jpeg.input_components = 3;
    jpeg.in_color_space = JCS_RGB;
    jpeg_set_defaults(&jpeg);
    jpeg_start_compress(&jpeg, TRUE);
    while (jpeg.next_scanline < HEIGHT) {
        JSAMPROW row = pixels[jpeg.next_scanline];

        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
}

/* Returns: the rows of the picture. */
static long decode(unsigned char *row)
{
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    long rows;

    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&jpeg);
    jpeg_mem_src(&jpeg, packed, packed_size);
    jpeg_read_header(&jpeg, TRUE);
    jpeg_start_decompress(&jpeg);
    while (jpeg.output_scanline < jpeg.output_height)
        jpeg_read_scanlines(&jpeg, &row, 1);
    rows = (long)jpeg.output_scanline;
    jpeg_finish_decompress(&jpeg);
    jpeg_destroy_decompress(&jpeg);
    return rows;
}

static long jpeg_planted(long rounds)
{
    unsigned char row[WIDTH * 3];
    long sum = 0;

    pack();
    for (long i = 0; i < rounds; i++)
        sum += decode(row);
    return sum;
}

/* The decoded picture is kept. */
static long jpeg_repaired(long rounds)
{
    unsigned char row[WIDTH * 3];
    long sum = 0, rows;

    pack();
    rows = decode(row);
    for (long i = 0; i < rounds; i++)
        sum += rows;
    return sum;
}

/* ---- PNG -------------------------------------------------------------------------------- */

static void write_png(FILE *file)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);

    png_init_io(png, file);
    png_set_IHDR(png, info, WIDTH, HEIGHT, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (int y = 0; y < HEIGHT; y++)
        png_write_row(png, pixels[y]);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
}

static long png_planted(long rounds)
{
    FILE *file = tmpfile();

    paint();
    for (long i = 0; i < rounds; i++) {
        rewind(file);
        write_png(file);
    }
    fclose(file);
    return rounds;
}

/* A picture that is read again soon is written unchanged. */
static long png_repaired(long rounds)
{
    FILE *file = tmpfile();

    paint();
    for (long i = 0; i < rounds; i++) {
        rewind(file);
        fwrite(pixels, sizeof pixels, 1, file);
    }
    fclose(file);
    return rounds;
}

/* ---- TIFF ------------------------------------------------------------------------------- */

static char folder[] = "/tmp/tprof-tiff-XXXXXX";

static void set_fields(TIFF *tiff)
{
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 4);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 1);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
}

/* Returns: a file of pages, which is open for reading and has no name. */
static TIFF *make_pages(int pages)
{
    int descriptor = mkstemp(folder);
    TIFF *tiff = TIFFFdOpen(dup(descriptor), "pages", "w");

    paint();
    for (int page = 0; page < pages; page++) {
        set_fields(tiff);
        TIFFWriteScanline(tiff, pixels[0], 0, 0);
        TIFFWriteDirectory(tiff);
    }
    TIFFClose(tiff);
    unlink(folder);
    lseek(descriptor, 0, SEEK_SET);
    return TIFFFdOpen(descriptor, "pages", "r");
}

static long page_sum(TIFF *tiff)
{
    unsigned width = 0;

    TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width);
    return (long)width;
}

static long pages_planted(long rounds)
{
    TIFF *tiff = make_pages(PAGES);
    long sum = 0;

    for (long i = 0; i < rounds; i++)
        for (int page = 0; page < PAGES; page++) {
            TIFFSetDirectory(tiff, (tdir_t)page);
            sum += page_sum(tiff);
        }
    TIFFClose(tiff);
    return sum;
}

static long pages_repaired(long rounds)
{
    TIFF *tiff = make_pages(PAGES);
    long sum = 0;

    for (long i = 0; i < rounds; i++) {
        TIFFSetDirectory(tiff, 0);
        do
            sum += page_sum(tiff);
        while (TIFFReadDirectory(tiff));
    }
    TIFFClose(tiff);
    return sum;
}

static const struct plant plants[] = {PLANT(jpeg), PLANT(png), PLANT(pages)};

int main(int argc, char **argv)
{
    return RUN_PLANTS(plants, argc, argv);
}
