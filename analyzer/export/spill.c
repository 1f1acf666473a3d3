/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts that grow side by side, in one temporary file.
 *
 * Decision: doc/decisions/exports-in-place.
 */
#include "export/spill.h"

#include <unistd.h>

/* Thousands of threads have some texts each, so pieces are small. */
enum { PIECE_SIZE = 4096 };

struct spill_piece {
    uint64_t offset;
    uint64_t size;
};

void spill_fini(struct spill *spill)
{
    if (spill->file)
        fclose(spill->file);
    *spill = (struct spill){0};
}

void spill_text_init(struct spill_text *text)
{
    text_init(&text->rest);
    array_init(&text->pieces, sizeof(struct spill_piece));
}

void spill_text_fini(struct spill_text *text)
{
    text_fini(&text->rest);
    array_fini(&text->pieces);
}

/* Returns: whether the bytes are in the file, as its last piece. */
static bool add_piece(struct spill *spill, struct spill_text *text, size_t size)
{
    struct spill_piece *piece;

    if (spill->has_failed)
        return false;
    if (!spill->file)
        spill->file = tmpfile();
    if (!spill->file || fwrite(text->rest.bytes, 1, size, spill->file) != size ||
        fflush(spill->file) != 0) {
        spill->has_failed = true;
        return false;
    }
    piece = array_add(&text->pieces);
    *piece = (struct spill_piece){spill->size, size};
    spill->size += size;
    return true;
}

/* The last byte stays, so that the text is not empty. */
void spill_move(struct spill *spill, struct spill_text *text)
{
    const size_t size = text->rest.size;
    char last;

    if (size <= PIECE_SIZE || !add_piece(spill, text, size - 1))
        return;
    last = text->rest.bytes[size - 1];
    text_clear(&text->rest);
    text_append_bytes(&text->rest, &last, 1);
}

static bool write_piece(const struct spill *spill, const struct spill_piece *piece, FILE *out)
{
    char room[PIECE_SIZE];

    for (uint64_t done = 0; done < piece->size;) {
        uint64_t left = piece->size - done;
        ssize_t got = pread(fileno(spill->file), room, left < sizeof room ? left : sizeof room,
                            (off_t)(piece->offset + done));

        if (got <= 0)
            return false;
        fwrite(room, 1, (size_t)got, out);
        done += (uint64_t)got;
    }
    return true;
}

bool spill_write(const struct spill *spill, const struct spill_text *text, FILE *out)
{
    bool is_whole = true;

    for (size_t i = 0; i < text->pieces.count; i++)
        is_whole = write_piece(spill, array_at(&text->pieces, i), out) && is_whole;
    fwrite(text->rest.bytes, 1, text->rest.size, out);
    return is_whole;
}
