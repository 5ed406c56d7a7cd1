/**
 * \file
 * CRC-32 (the polynomial of zlib and gzip) of blocks, and of sequences of blocks by combination.
 */
#ifndef LADE_CRC_H
#define LADE_CRC_H

#include <stddef.h>
#include <stdint.h>

uint32_t lade_crc(const void *bytes, size_t size);

/** The CRC of a long sequence of bytes from those of its blocks. */
typedef struct lade_crc_sum {
    uint32_t crc;
    size_t block;   /* usual size of a block */
    uint32_t shift; /* zlib's operator for that size */
} lade_crc_sum;

/** Starts with no bytes, for blocks of `block` bytes (others take longer). */
lade_crc_sum lade_crc_sum_begin(size_t block);
/** Goes on with blocks of another usual size. */
void lade_crc_sum_block(lade_crc_sum *sum, size_t block);
/** Appends a block of `size` bytes whose CRC is `crc`. */
void lade_crc_sum_add(lade_crc_sum *sum, uint32_t crc, size_t size);

#endif
