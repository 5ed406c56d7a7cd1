// A C++ program that saves and loads types described in C.
#include <cstdio>
#include <cstring>

#include "cxx_types.h"

#define CHECK(condition)                                              \
    do {                                                              \
        if (!(condition)) {                                           \
            std::printf("line %d: %s\n", __LINE__, #condition);       \
            return 1;                                                 \
        }                                                             \
    } while (0)

static int values()
{
    char name[] = "one";
    double data[] = {1.5, 2.5};
    ring a = {1, nullptr, name, data, 2};
    ring b = {2, &a, nullptr, nullptr, 0};
    a.next = &b;
    lade_error error = {};
    lade_context ctx = {};
    ctx.error = &error;
    lade_buffer buffer = {};
    ring *out = nullptr;
    lade_arena *owner = nullptr;
    size_t size = 0;
    CHECK(lade_encode(ring, &a, &buffer, &ctx) == LADE_OK);
    CHECK(lade_encoded_size(ring, &a, &size, &ctx) == LADE_OK && size == buffer.size);
    CHECK(lade_decode(ring, buffer.data, buffer.size, &out, &owner, &ctx) == LADE_OK);
    CHECK(out->id == 1 && out->next->id == 2 && out->next->next == out);
    CHECK(std::strcmp(out->name, "one") == 0 && out->data[1] == 2.5);
    CHECK(lade_decode_into(ring, buffer.data, buffer.size, out, &ctx) == LADE_OK);
    lade_comparison same = {};
    lade_digest hashes[2] = {};
    ring *copy = nullptr;
    CHECK(lade_copy(ring, &a, &copy, &owner, &ctx) == LADE_OK && copy->next->next == copy);
    CHECK(lade_equal(ring, &a, copy, &same, &ctx) == LADE_OK && same.equal);
    CHECK(lade_hash(ring, &a, &hashes[0], &ctx) == LADE_OK);
    CHECK(lade_hash(ring, copy, &hashes[1], &ctx) == LADE_OK && hashes[0].low == hashes[1].low);
    ctx.own_memory = true;
    CHECK(lade_copy(ring, &a, &copy, &owner, &ctx) == LADE_OK);
    CHECK(lade_free_graph(ring, copy, &ctx) == LADE_OK);
    ctx.own_memory = false;
    CHECK(lade_decode(ring, buffer.data, 10, &out, &owner, &ctx) == LADE_ERR_TRUNCATED);
    CHECK(error.status == LADE_ERR_TRUNCATED);
    lade_arena_destroy(owner);
    lade_buffer_fini(&buffer);
    lade_context_fini(&ctx);
    return 0;
}

static int arrays()
{
    const float in[6] = {1, 2, 3, 4, 5, 6};
    const size_t extents[2] = {2, 3};
    size_t got[2] = {};
    float *out = nullptr;
    float room[6] = {};
    lade_arena *owner = nullptr;
    lade_buffer buffer = {};
    CHECK(lade_encode_array(in, 2, extents, &buffer, nullptr) == LADE_OK);
    CHECK(lade_decode_array(buffer.data, buffer.size, &out, 2, got, &owner, nullptr) == LADE_OK);
    CHECK(got[1] == 3 && std::memcmp(in, out, sizeof in) == 0);
    CHECK(lade_decode_array_into(buffer.data, buffer.size, room, 2, extents, nullptr) == LADE_OK);
    CHECK(room[5] == 6);
    ring rings[2] = {};
    rings[0].next = &rings[1];
    ring *loaded = nullptr;
    const size_t n = 2;
    CHECK(lade_encode_records(ring, rings, 1, &n, &buffer, nullptr) == LADE_OK);
    CHECK(lade_decode_records(ring, buffer.data, buffer.size, &loaded, 1, got, &owner, nullptr) ==
          LADE_OK);
    CHECK(got[0] == 2 && loaded[0].next == &loaded[1]);
    lade_arena_destroy(owner);
    lade_buffer_fini(&buffer);
    return 0;
}

int main()
{
    return values() || arrays();
}
