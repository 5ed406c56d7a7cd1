#include "pages.h"

#include <sys/mman.h>

/* A fresh mapping with 4 KiB pages costs 8 times a warm copy (bench: vectortime load, raw_fresh against
 * lade_arena), and a table in them a miss of the TLB for each look-up (hextille_scattered save). */
enum { HUGE_PAGE = 2 << 20 };

/* Whole huge pages, somewhere in a mapping that is one huge page longer. */
static bool pages_map(size_t size, lade_pages *pages)
{
    size_t need;
    if (__builtin_add_overflow(size, 2 * (size_t)HUGE_PAGE, &need))
        return false;
    need &= ~((size_t)HUGE_PAGE - 1);
    void *mapping = mmap(NULL, need, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED)
        return false;
    size_t skip = (size_t)(-(uintptr_t)mapping & (HUGE_PAGE - 1));
    unsigned char *start = (unsigned char *)mapping + skip;
    size_t usable = (need - skip) & ~((size_t)HUGE_PAGE - 1);
    madvise(start, usable, MADV_HUGEPAGE); /* advice: its failure changes nothing */
    *pages = (lade_pages){start, usable, mapping, need};
    return true;
}

void lade_pages_advise(void *memory, size_t size)
{
    enum { PAGES_MIN = 4 }; /* below that, a call into the system gains little */
    size_t skip = (size_t)(-(uintptr_t)memory & (HUGE_PAGE - 1));
    if (size < (PAGES_MIN + 1) * (size_t)HUGE_PAGE)
        return;
    size_t whole = (size - skip) & ~((size_t)HUGE_PAGE - 1);
    madvise((unsigned char *)memory + skip, whole, MADV_HUGEPAGE); /* its failure changes nothing */
}

bool lade_pages_get(const lade_allocator *allocator, size_t size, lade_pages *pages)
{
    /* where the user allocates, all memory is the user's */
    if (!allocator && size >= LADE_PAGES_MIN)
        return pages_map(size, pages);
    void *memory = lade_mem_get(allocator, size);
    if (memory)
        *pages = (lade_pages){memory, size, NULL, 0};
    return memory != NULL;
}

void lade_pages_forget(void *memory, size_t size)
{
    madvise(memory, size, MADV_DONTNEED); /* advice: what is not given up is freed later */
}

void lade_pages_free(const lade_allocator *allocator, const lade_pages *pages)
{
    if (pages->mapping)
        munmap(pages->mapping, pages->mapping_size);
    else
        lade_mem_free(allocator, pages->memory, pages->size);
}
