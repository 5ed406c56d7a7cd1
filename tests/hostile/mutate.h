/**
 * \file
 * Hostile changes of archives. A number of the skeleton (count, id, tag, length, mark) is a varint or a few
 * bytes that start at some byte: trying every byte as the start of a number finds all of them, those of
 * kinds that come later too.
 */
#ifndef TEST_MUTATE_H
#define TEST_MUTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Bytes that a change may be larger than what was changed. */
enum { MUTATE_ROOM = 4096 };

/** Values of a byte that every byte is set to: five, then the flips of its bits. */
enum { MUTATE_BYTES = 13 };
uint8_t mutate_byte(uint8_t old, unsigned k);

/** Numbers that a number n is replaced by. */
enum { MUTATE_NUMBERS = 11 };
uint64_t mutate_number(uint64_t n, unsigned k);

/** Replaces what stands at `at`, read as a varint (or one byte, where it is none), by number k as a varint.
 * \returns the new size; 0 if there is no such change. `to` has room for size + MUTATE_ROOM. */
size_t mutate_varint(uint8_t *to, const uint8_t *from, size_t size, size_t at, unsigned k);

/** Makes the number n at `at` n - 1 or n + 1, and deletes or doubles what might be an element behind it: often
 * another honest value. \returns as mutate_varint. */
enum { MUTATE_ELEMENTS = 12 };
size_t mutate_element(uint8_t *to, const uint8_t *from, size_t size, size_t at, unsigned k);

/** Deletes, doubles or swaps random parts of at most MUTATE_ROOM bytes. \returns the new size. */
size_t mutate_parts(uint8_t *to, const uint8_t *from, size_t size, uint64_t *random);

#endif
