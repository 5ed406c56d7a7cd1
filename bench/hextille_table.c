#include "hextille_table.h"

#include <stdlib.h>
#include <string.h>

enum { HASH_BITS_FIRST = 16 };

int hextable_hash_init(hextable_hash *table)
{
    table->bits = HASH_BITS_FIRST;
    table->turn = 0;
    table->slots = calloc((size_t)1 << table->bits, sizeof *table->slots);
    return table->slots ? 0 : -1;
}

void hextable_hash_fini(hextable_hash *table)
{
    free(table->slots);
    table->slots = NULL;
}

void hextable_hash_start(hextable_hash *table)
{
    table->turn++;
    if (table->turn == 0) {
        memset(table->slots, 0, sizeof *table->slots << table->bits);
        table->turn = 1;
    }
}

int hextable_hash_grow(hextable_hash *table)
{
    hextable_hash wider = {.bits = table->bits + 1, .turn = table->turn};
    size_t count = (size_t)1 << table->bits;

    wider.slots = calloc(count * 2, sizeof *wider.slots);
    if (!wider.slots)
        return -1;
    for (size_t i = 0; i < count; i++) {
        const hextable_slot *slot = &table->slots[i];

        if (slot->turn == table->turn)
            hextable_hash_find(&wider, slot->key, slot->id);
    }
    free(table->slots);
    *table = wider;
    return 0;
}

int hextable_pages_init(hextable_pages *table)
{
    *table = (hextable_pages){.pages = calloc(HEXTABLE_PAGES, sizeof *table->pages)};
    return table->pages ? 0 : -1;
}

void hextable_pages_fini(hextable_pages *table)
{
    for (size_t i = 0; table->pages && i < HEXTABLE_PAGES; i++)
        free(table->pages[i]);
    free(table->pages);
}

void hextable_pages_start(hextable_pages *table)
{
    table->base += table->used;
    table->used = 0;
    if (table->base > UINT32_MAX / 2) {
        for (size_t i = 0; i < HEXTABLE_PAGES; i++) {
            free(table->pages[i]);
            table->pages[i] = NULL;
        }
        table->base = 0;
    }
    if (table->base == 0)
        table->base = 1; /* above the zeros of new pages */
}

uint32_t *hextable_pages_add(hextable_pages *table, uint64_t address)
{
    uint32_t **page = &table->pages[address >> HEXTABLE_PAGE_BITS];

    *page = calloc(HEXTABLE_IDS, sizeof **page);
    return *page;
}
