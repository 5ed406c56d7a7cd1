#include "crc.h"

#include <libdeflate.h>
#include <zlib.h>

uint32_t lade_crc(const void *bytes, size_t size)
{
    return libdeflate_crc32(0, bytes, size);
}

lade_crc_sum lade_crc_sum_begin(size_t block)
{
    return (lade_crc_sum){.block = block, .shift = (uint32_t)crc32_combine_gen64((z_off_t)block)};
}

void lade_crc_sum_block(lade_crc_sum *sum, size_t block)
{
    uint32_t crc = sum->crc;
    *sum = lade_crc_sum_begin(block);
    sum->crc = crc;
}

void lade_crc_sum_add(lade_crc_sum *sum, uint32_t crc, size_t size)
{
    if (size == sum->block)
        sum->crc = (uint32_t)crc32_combine_op(sum->crc, crc, sum->shift);
    else
        sum->crc = (uint32_t)crc32_combine(sum->crc, crc, (z_off_t)size);
}
