/**
 * \file
 * Shared by the unit tests: an allocator that counts and fails on demand, arenas full of rubbish,
 * round trips through every writer and reader, random numbers, small stacks.
 */
#ifndef TEST_SUPPORT_H
#define TEST_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <lade/lade.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TEST_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TEST_SANITIZED 1
#endif
#endif
#ifndef TEST_SANITIZED
#define TEST_SANITIZED 0
#endif

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/** An allocator over malloc that counts, and checks the sizes that it is told. */
typedef struct test_memory {
    lade_allocator allocator;
    size_t calls;     /**< requests for memory so far */
    size_t fail_at;   /**< the request that fails (from 1), or 0 */
    size_t live;      /**< blocks not freed */
    size_t bytes;     /**< of live blocks */
    size_t peak;      /**< most bytes at once */
    size_t bad_sizes; /**< times that an old size was not that of the block */
} test_memory;

void test_memory_init(test_memory *m);
/** Starts to count requests and the peak anew. */
void test_memory_restart(test_memory *m, size_t fail_at);
/** Asserts that all is freed and every size was right. */
void test_memory_check(const test_memory *m);

/** An arena whose memory is full of 0xA5. */
lade_arena *test_dirty_arena(void);

/** Asserts that a call succeeds; prints the error's message if not. */
void test_ok(lade_status status, const lade_error *error, const char *file, int line);
#define assert_ok(status, error) test_ok(status, error, __FILE__, __LINE__)
#define assert_status(status, expected) \
    assert_string_equal(lade_status_name(status), lade_status_name(expected))

/**
 * Encodes by surrogate and by plan, with and without header (same bytes), asks for the size,
 * decodes by both, encodes what was loaded by both (same bytes), decodes into it, and encodes it
 * once more. Copies the value, compares, and loads and frees it with own_memory. \returns what the surrogate loaded. \param owner holds NULL before; destroy it after
 * use.
 */
void *test_round_trip(const lade_type *type, const void *value, lade_arena **owner);
#define ROUND_TRIP(T, value, owner) ((T *)test_round_trip(&lade_type_##T, value, owner))

/** Externals of the contexts that test_round_trip uses; NULL at first. */
extern const lade_externals *test_externals;

/** Encodes without header into buffer, by surrogate and plan, and asserts the bytes. */
void test_bytes(const lade_type *type, const void *value, const uint8_t *bytes, size_t size);

/** Decodes a bare message by surrogate and by plan, and asserts the status both have. */
void test_refused(const lade_type *type, const void *message, size_t size, lade_status status);

/** splitmix64 */
uint64_t test_random(uint64_t *state);
/** A seed from LADE_TEST_SEED or the clock; printed, so that a failure can be repeated. */
uint64_t test_seed(void);

/** Runs in a thread whose stack has 64 KiB (more where the system or a sanitizer wants it). */
void test_on_small_stack(void (*run)(void *), void *user);

/** Descriptions that support_refused should have seen refused; a group's tests start it at zero with
 * support_nothing_accepted. */
extern size_t support_accepted;
/** Encodes a zeroed value of a type: must fail as LADE_ERR_DESCRIPTION with `text` in the message. */
void support_refused(const lade_type *type, const char *text);
int support_nothing_accepted(void **state);

#endif
