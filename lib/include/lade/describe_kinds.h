/**
 * \file
 * How LADE_STRUCT reads a field: its kind and the number of its arguments, without its options. Included by
 * describe.h only.
 *
 * Every field (kind, f, ..., options) becomes a tuple (class, kind, (the field as written), f, ..., ) once; the
 * passes go over these. The class says what code a surrogate has for it; the kind what is checked and described.
 * The empty last argument keeps every variadic part non-empty.
 */
#ifndef LADE_DESCRIBE_KINDS_H
#define LADE_DESCRIBE_KINDS_H
#pragma GCC system_header

#define LADE_PRIV_UNPAREN(...) __VA_ARGS__
#define LADE_PRIV_FIRST(...) LADE_PRIV_FIRST_1(__VA_ARGS__)
#define LADE_PRIV_FIRST_1(a, ...) a
#define LADE_PRIV_SECOND(...) LADE_PRIV_SECOND_1(__VA_ARGS__)
#define LADE_PRIV_SECOND_1(a, b, ...) b
#define LADE_PRIV_NOTHING(...)

/* LADE_PRIV_MAP(M, X, a, b, ..., ) expands to M(X, a) M(X, b) ...; up to 31 arguments before the empty one. */
#define LADE_PRIV_MAP_1(M, X, a)
#define LADE_PRIV_MAP_2(M, X, a, ...) M(X, a) LADE_PRIV_MAP_1(M, X, __VA_ARGS__)
#define LADE_PRIV_MAP_3(M, X, a, ...) M(X, a) LADE_PRIV_MAP_2(M, X, __VA_ARGS__)
#define LADE_PRIV_MAP_4(M, X, a, ...) M(X, a) LADE_PRIV_MAP_3(M, X, __VA_ARGS__)
#define LADE_PRIV_MAP_5(M, X, a, ...) M(X, a) LADE_PRIV_MAP_4(M, X, __VA_ARGS__)
#define LADE_PRIV_MAP_6(M, X, a, ...) M(X, a) LADE_PRIV_MAP_5(M, X, __VA_ARGS__)
#define LADE_PRIV_MAP_7(M, X, a, ...) M(X, a) LADE_PRIV_MAP_6(M, X, __VA_ARGS__)
#define LADE_PRIV_MAP_8(M, X, a, ...) M(X, a) LADE_PRIV_MAP_7(M, X, __VA_ARGS__)
#define LADE_PRIV_MAP_9(M, X, a, ...) M(X, a) LADE_PRIV_MAP_8(M, X, __VA_ARGS__)
#define LADE_PRIV_MAP_10(M, X, a, ...) M(X, a) LADE_PRIV_MAP_9(M, X, __VA_ARGS__)
#define LADE_PRIV_MAP_11(M, X, a, ...) M(X, a) LADE_PRIV_MAP_10(M, X, __VA_ARGS__)
#define LADE_PRIV_MAP_12(M, X, a, ...) M(X, a) LADE_PRIV_MAP_11(M, X, __VA_ARGS__)
#define LADE_PRIV_MAP_13(M, X, a, ...) M(X, a) LADE_PRIV_MAP_12(M, X, __VA_ARGS__)
#define LADE_PRIV_MAP_14(M, X, a, ...) M(X, a) LADE_PRIV_MAP_13(M, X, __VA_ARGS__)
#define LADE_PRIV_MAP_15(M, X, a, ...) M(X, a) LADE_PRIV_MAP_14(M, X, __VA_ARGS__)
#define LADE_PRIV_MAP_16(M, X, a, ...) M(X, a) LADE_PRIV_MAP_15(M, X, __VA_ARGS__)
#define LADE_PRIV_MAP_17(M, X, a, ...) M(X, a) LADE_PRIV_MAP_16(M, X, __VA_ARGS__)
#define LADE_PRIV_MAP_18(M, X, a, ...) M(X, a) LADE_PRIV_MAP_17(M, X, __VA_ARGS__)
#define LADE_PRIV_MAP_19(M, X, a, ...) M(X, a) LADE_PRIV_MAP_18(M, X, __VA_ARGS__)
#define LADE_PRIV_MAP_20(M, X, a, ...) M(X, a) LADE_PRIV_MAP_19(M, X, __VA_ARGS__)
#define LADE_PRIV_MAP_21(M, X, a, ...) M(X, a) LADE_PRIV_MAP_20(M, X, __VA_ARGS__)
#define LADE_PRIV_MAP_22(M, X, a, ...) M(X, a) LADE_PRIV_MAP_21(M, X, __VA_ARGS__)
#define LADE_PRIV_MAP_23(M, X, a, ...) M(X, a) LADE_PRIV_MAP_22(M, X, __VA_ARGS__)
#define LADE_PRIV_MAP_24(M, X, a, ...) M(X, a) LADE_PRIV_MAP_23(M, X, __VA_ARGS__)
#define LADE_PRIV_MAP_25(M, X, a, ...) M(X, a) LADE_PRIV_MAP_24(M, X, __VA_ARGS__)
#define LADE_PRIV_MAP_26(M, X, a, ...) M(X, a) LADE_PRIV_MAP_25(M, X, __VA_ARGS__)
#define LADE_PRIV_MAP_27(M, X, a, ...) M(X, a) LADE_PRIV_MAP_26(M, X, __VA_ARGS__)
#define LADE_PRIV_MAP_28(M, X, a, ...) M(X, a) LADE_PRIV_MAP_27(M, X, __VA_ARGS__)
#define LADE_PRIV_MAP_29(M, X, a, ...) M(X, a) LADE_PRIV_MAP_28(M, X, __VA_ARGS__)
#define LADE_PRIV_MAP_30(M, X, a, ...) M(X, a) LADE_PRIV_MAP_29(M, X, __VA_ARGS__)
#define LADE_PRIV_MAP_31(M, X, a, ...) M(X, a) LADE_PRIV_MAP_30(M, X, __VA_ARGS__)
#define LADE_PRIV_MAP_32(M, X, a, ...) M(X, a) LADE_PRIV_MAP_31(M, X, __VA_ARGS__)
#define LADE_PRIV_MAP(M, X, ...) \
    LADE_PRIV_CAT(LADE_PRIV_MAP_, LADE_PRIV_COUNT(__VA_ARGS__))(M, X, __VA_ARGS__)

/* Options: function-like names, so that a member of the same name is none. */
#define LADE_PRIV_OPT_unit(...) ~, 1
#define LADE_PRIV_OPT_doc(...) ~, 1
#define LADE_PRIV_OPT_alias(...) ~, 1
#define LADE_PRIV_OPT_default(...) ~, 1
#define LADE_PRIV_OPT_since(...) ~, 1
#define LADE_PRIV_OPT_until(...) ~, 1
#define LADE_PRIV_OPT_when(...) ~, 1
#define LADE_PRIV_OPT_origin(...) ~, 1
#define LADE_PRIV_OPT_halo(...) ~, 1
#define LADE_PRIV_OPT_halo_of(...) ~, 1
#define LADE_PRIV_OPT_strides(...) ~, 1
#define LADE_PRIV_OPT_whole(...) ~, 1
#define LADE_PRIV_OPT_order(...) ~, 1
#define LADE_PRIV_OPT_prev(...) ~, 1
#define LADE_PRIV_OPT_tail(...) ~, 1
#define LADE_PRIV_PAREN_PROBE(...) ~, 1
#define LADE_PRIV_IS_PAREN(x) LADE_PRIV_SECOND(LADE_PRIV_PAREN_PROBE x, 0, ~)
#define LADE_PRIV_IS_OPTION(x) LADE_PRIV_CAT(LADE_PRIV_IS_OPTION_, LADE_PRIV_IS_PAREN(x))(x)
#define LADE_PRIV_IS_OPTION_1(x) 0
#define LADE_PRIV_IS_OPTION_0(x) LADE_PRIV_SECOND(LADE_PRIV_OPT_##x, 0, ~)

/* The arguments that are not options. */
#define LADE_PRIV_KEEP(X, x) LADE_PRIV_CAT(LADE_PRIV_KEEP_, LADE_PRIV_IS_OPTION(x))(x)
#define LADE_PRIV_KEEP_0(x) x,
#define LADE_PRIV_KEEP_1(x)

/* LADE_PRIV_IF_OPTIONS(o, M, ...) is M(__VA_ARGS__) if the field o has options. */
#define LADE_PRIV_MARK(X, x) LADE_PRIV_CAT(LADE_PRIV_MARK_, LADE_PRIV_IS_OPTION(x))
#define LADE_PRIV_MARK_0
#define LADE_PRIV_MARK_1 ~, 1,
#define LADE_PRIV_HAS_OPTIONS(o) \
    LADE_PRIV_SECOND(LADE_PRIV_MAP(LADE_PRIV_MARK, ~, LADE_PRIV_UNPAREN o, ) ~, 0, ~)
#define LADE_PRIV_IF_OPTIONS(o, M, ...) \
    LADE_PRIV_CAT(LADE_PRIV_IF_, LADE_PRIV_HAS_OPTIONS(o))(M, __VA_ARGS__)
#define LADE_PRIV_IF_0(M, ...)
#define LADE_PRIV_IF_1(M, ...) M(__VA_ARGS__)
/* LADE_PRIV_FOR_OPTIONS(P, X, o) is P##name(X, its arguments) for every option. */
#define LADE_PRIV_FOR_OPTIONS(P, X, o) \
    LADE_PRIV_MAP(LADE_PRIV_FOR_OPTION, (P, X), LADE_PRIV_UNPAREN o, )
#define LADE_PRIV_FOR_OPTION(PX, x) \
    LADE_PRIV_CAT(LADE_PRIV_FOR_OPTION_, LADE_PRIV_IS_OPTION(x))(PX, x)
#define LADE_PRIV_FOR_OPTION_0(PX, x)
#define LADE_PRIV_FOR_OPTION_1(PX, x) LADE_PRIV_FOR_OPTION_2(LADE_PRIV_UNPAREN PX, x)
#define LADE_PRIV_FOR_OPTION_2(...) LADE_PRIV_FOR_OPTION_3(__VA_ARGS__)
#define LADE_PRIV_FOR_OPTION_3(P, X, x) LADE_PRIV_FOR_OPTION_4(P, X, LADE_PRIV_NAMED_##x)
#define LADE_PRIV_FOR_OPTION_4(...) LADE_PRIV_FOR_OPTION_5(__VA_ARGS__)
#define LADE_PRIV_FOR_OPTION_5(P, X, name, args) \
    LADE_PRIV_FOR_OPTION_6(P##name, X, LADE_PRIV_UNPAREN args)
#define LADE_PRIV_FOR_OPTION_6(...) LADE_PRIV_FOR_OPTION_7(__VA_ARGS__)
#define LADE_PRIV_FOR_OPTION_7(M, X, ...) M(X, __VA_ARGS__)
#define LADE_PRIV_NAMED_unit(...) unit, (__VA_ARGS__)
#define LADE_PRIV_NAMED_doc(...) doc, (__VA_ARGS__)
#define LADE_PRIV_NAMED_alias(...) alias, (__VA_ARGS__)
#define LADE_PRIV_NAMED_default(...) default, (__VA_ARGS__)
#define LADE_PRIV_NAMED_since(...) since, (__VA_ARGS__)
#define LADE_PRIV_NAMED_until(...) until, (__VA_ARGS__)
#define LADE_PRIV_NAMED_when(...) when, (__VA_ARGS__)
#define LADE_PRIV_NAMED_origin(...) origin, (__VA_ARGS__)
#define LADE_PRIV_NAMED_halo(...) halo, (__VA_ARGS__)
#define LADE_PRIV_NAMED_halo_of(...) halo_of, (__VA_ARGS__)
#define LADE_PRIV_NAMED_strides(...) strides, (__VA_ARGS__)
#define LADE_PRIV_NAMED_whole(...) whole, (__VA_ARGS__)
#define LADE_PRIV_NAMED_order(...) order, (__VA_ARGS__)
#define LADE_PRIV_NAMED_prev(...) prev, (__VA_ARGS__)
#define LADE_PRIV_NAMED_tail(...) tail, (__VA_ARGS__)

/* From a field to its tuple, with a comma before it. */
#define LADE_PRIV_NORM(T, F) LADE_PRIV_NORM_1(F, LADE_PRIV_UNPAREN F, )
#define LADE_PRIV_NORM_1(...) LADE_PRIV_NORM_2(__VA_ARGS__)
#define LADE_PRIV_NORM_2(F, kind, ...) \
    LADE_PRIV_NORM_3(F, kind, LADE_PRIV_MAP(LADE_PRIV_KEEP, ~, __VA_ARGS__))
#define LADE_PRIV_NORM_3(...) LADE_PRIV_NORM_4(__VA_ARGS__)
#define LADE_PRIV_NORM_4(F, kind, ...) \
    LADE_PRIV_NORM_5(F, kind, LADE_PRIV_ARITY(__VA_ARGS__), __VA_ARGS__)
#define LADE_PRIV_NORM_5(F, kind, n, ...) LADE_PRIV_NORM_6(F, kind, n, __VA_ARGS__)
#define LADE_PRIV_NORM_6(F, kind, n, ...)                                                \
    LADE_PRIV_NORM_7(LADE_PRIV_SECOND(LADE_PRIV_KIND_##kind##_##n, unknown, ~), F, kind, \
                     __VA_ARGS__)
#define LADE_PRIV_NORM_7(...) LADE_PRIV_NORM_8(__VA_ARGS__)
#define LADE_PRIV_NORM_8(how, F, kind, ...) LADE_PRIV_AS_##how(F, kind, __VA_ARGS__)

/* Refuses a field whose kind is unknown, or has another number of arguments; the passes leave it out. */
#define LADE_PRIV_REFUSE(T, F) LADE_PRIV_REFUSE_1(T, LADE_PRIV_UNPAREN F, )
#define LADE_PRIV_REFUSE_1(...) LADE_PRIV_REFUSE_2(__VA_ARGS__)
#define LADE_PRIV_REFUSE_2(T, kind, ...) \
    LADE_PRIV_REFUSE_3(T, kind, LADE_PRIV_MAP(LADE_PRIV_KEEP, ~, __VA_ARGS__))
#define LADE_PRIV_REFUSE_3(...) LADE_PRIV_REFUSE_4(__VA_ARGS__)
#define LADE_PRIV_REFUSE_4(T, kind, ...) \
    LADE_PRIV_REFUSE_5(T, kind, LADE_PRIV_ARITY(__VA_ARGS__), __VA_ARGS__)
#define LADE_PRIV_REFUSE_5(T, kind, n, ...) LADE_PRIV_REFUSE_6(T, kind, n, __VA_ARGS__)
#define LADE_PRIV_REFUSE_6(T, kind, n, ...)                                                \
    LADE_PRIV_REFUSE_7(LADE_PRIV_SECOND(LADE_PRIV_KIND_##kind##_##n, unknown, ~), T, kind, \
                       __VA_ARGS__)
#define LADE_PRIV_REFUSE_7(...) LADE_PRIV_REFUSE_8(__VA_ARGS__)
#define LADE_PRIV_REFUSE_8(how, T, kind, ...)                                        \
    LADE_PRIV_CAT(LADE_PRIV_REFUSE_, LADE_PRIV_SECOND(LADE_PRIV_NO_##how, known, ~)) \
    (T, kind, __VA_ARGS__)
#define LADE_PRIV_NO_unknown ~, unknown
#define LADE_PRIV_NO_grid ~, grid
#define LADE_PRIV_NO_grid_scalars ~, grid
#define LADE_PRIV_NO_any ~, any
#define LADE_PRIV_NO_any_ref ~, any
#define LADE_PRIV_REFUSE_known(T, kind, ...)
#define LADE_PRIV_REFUSE_unknown(T, kind, f, ...)                     \
    _Static_assert(0, #T "." #f ": there is no kind of field '" #kind \
                         "' with this number of arguments");
#define LADE_PRIV_REFUSE_grid(T, kind, f, extents, ...) \
    _Static_assert(LADE_PRIV_IS_PAREN(extents),         \
                   #T "." #f ": the extents of a '" #kind "' stand in parentheses");
#define LADE_PRIV_REFUSE_any(T, kind, f, how, ...)                 \
    _Static_assert(LADE_PRIV_SECOND(LADE_PRIV_IS_HOW_##how, 0, ~), \
                   #T "." #f ": its type is told by of(member) or by(function)");
#define LADE_PRIV_ARITY(...)                                                                   \
    LADE_PRIV_ARITY_1(__VA_ARGS__, many, many, many, many, many, many, many, many, many, many, \
                      many, many, many, many, many, many, many, many, many, many, many, many,  \
                      many, many, many, many, many, many, 3, 2, 1, 0, ~)
#define LADE_PRIV_ARITY_1(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, \
                          a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30,  \
                          a31, a32, n, ...)                                                      \
    n

#define LADE_PRIV_KIND_value_1 ~, plain
#define LADE_PRIV_KIND_enumeration_2 ~, plain
#define LADE_PRIV_KIND_text_1 ~, plain
#define LADE_PRIV_KIND_fixed_text_1 ~, plain
#define LADE_PRIV_KIND_record_2 ~, plain
#define LADE_PRIV_KIND_vector_2 ~, scalars
#define LADE_PRIV_KIND_vector_3 ~, elements
#define LADE_PRIV_KIND_pool_2 ~, scalars
#define LADE_PRIV_KIND_pool_3 ~, elements
#define LADE_PRIV_KIND_optional_1 ~, scalar
#define LADE_PRIV_KIND_optional_2 ~, plain
#define LADE_PRIV_KIND_ref_2 ~, plain
#define LADE_PRIV_KIND_grid_2 ~, grid_scalars
#define LADE_PRIV_KIND_grid_3 ~, grid
#define LADE_PRIV_KIND_rows_2 ~, grid_scalars
#define LADE_PRIV_KIND_rows_3 ~, grid
#define LADE_PRIV_KIND_any_many ~, any
#define LADE_PRIV_KIND_any_ref_many ~, any_ref
#define LADE_PRIV_KIND_variant_3 ~, general
#define LADE_PRIV_KIND_list_3 ~, general
#define LADE_PRIV_KIND_map_3 ~, general
#define LADE_PRIV_KIND_bits_2 ~, general
#define LADE_PRIV_KIND_external_2 ~, general
#define LADE_PRIV_KIND_skip_1 ~, skip
#define LADE_PRIV_KIND_capacity_2 ~, skip
#define LADE_PRIV_KIND_version_1 ~, type_option
#define LADE_PRIV_KIND_before_save_1 ~, type_option
#define LADE_PRIV_KIND_after_load_1 ~, type_option

#define LADE_PRIV_AS_plain(F, kind, ...) , (kind, kind, F, __VA_ARGS__)
#define LADE_PRIV_AS_general(F, kind, ...) , (general, kind, F, __VA_ARGS__)
/* Extents stand in parentheses. */
#define LADE_PRIV_AS_grid(F, kind, f, extents, ...)                \
    LADE_PRIV_CAT(LADE_PRIV_AS_grid_, LADE_PRIV_IS_PAREN(extents)) \
    (F, kind, f, extents, __VA_ARGS__)
#define LADE_PRIV_AS_grid_scalars(F, kind, f, extents, ...)        \
    LADE_PRIV_CAT(LADE_PRIV_AS_grid_, LADE_PRIV_IS_PAREN(extents)) \
    (F, kind##_of_scalars, f, extents, __VA_ARGS__)
#define LADE_PRIV_AS_grid_0(...)
#define LADE_PRIV_AS_grid_1(F, kind, ...) , (general, kind, F, __VA_ARGS__)
#define LADE_PRIV_AS_skip(F, kind, ...) , (skip, kind, F, __VA_ARGS__)
#define LADE_PRIV_AS_type_option(F, kind, ...)
#define LADE_PRIV_AS_unknown(F, kind, ...)
/* lade_run stands for the name of arithmetic elements: it saves and loads any run */
#define lade_priv_save_lade_run lade_priv_put_run
#define lade_priv_load_lade_run lade_priv_get_run
#define LADE_PRIV_AS_scalars(F, kind, f, n, ...) , (kind, kind##_of_scalars, F, f, n, lade_run, )
#define LADE_PRIV_AS_scalar(F, kind, f, ...) , (kind, kind##_scalar, F, f, lade_run, )
/* Elements: a type, ref(type) or text(). */
#define LADE_PRIV_ELEM_ref(X) ~, refs
#define LADE_PRIV_ELEM_text(X) ~, texts
#define LADE_PRIV_TARGET_ref(X) X
#define LADE_PRIV_AS_elements(F, kind, f, n, E, ...) \
    LADE_PRIV_AS_elements_1(LADE_PRIV_SECOND(LADE_PRIV_ELEM_##E, types, ~), F, kind, f, n, E)
#define LADE_PRIV_AS_elements_1(...) LADE_PRIV_AS_elements_2(__VA_ARGS__)
#define LADE_PRIV_AS_elements_2(what, F, kind, f, n, E) LADE_PRIV_AS_##what(F, kind, f, n, E)
#define LADE_PRIV_AS_types(F, kind, f, n, E) , (kind, kind, F, f, n, E, )
#define LADE_PRIV_AS_refs(F, kind, f, n, E) \
    , (kind, kind##_of_refs, F, f, n, lade_run, LADE_PRIV_TARGET_##E, )
#define LADE_PRIV_AS_texts(F, kind, f, n, E) , (kind, kind##_of_texts, F, f, n, lade_run, )
/* What tells the type: of(member) or by(function). */
#define LADE_PRIV_HOW_of(m) of, m
#define LADE_PRIV_HOW_by(f) by, f
#define LADE_PRIV_IS_HOW_of(m) ~, 1
#define LADE_PRIV_IS_HOW_by(f) ~, 1
#define LADE_PRIV_AS_any(F, kind, f, how, ...)                                           \
    LADE_PRIV_CAT(LADE_PRIV_AS_any_how_, LADE_PRIV_SECOND(LADE_PRIV_IS_HOW_##how, 0, ~)) \
    (any, F, any, f, how, __VA_ARGS__)
#define LADE_PRIV_AS_any_ref(F, kind, f, how, ...)                                       \
    LADE_PRIV_CAT(LADE_PRIV_AS_any_how_, LADE_PRIV_SECOND(LADE_PRIV_IS_HOW_##how, 0, ~)) \
    (general, F, any_ref, f, how, __VA_ARGS__)
#define LADE_PRIV_AS_any_how_0(...)
#define LADE_PRIV_AS_any_how_1(class, F, kind, f, how, ...) \
    LADE_PRIV_AS_any_1(class, F, kind, f, LADE_PRIV_HOW_##how, __VA_ARGS__)
#define LADE_PRIV_AS_any_1(...) LADE_PRIV_AS_any_2(__VA_ARGS__)
#define LADE_PRIV_AS_any_2(class, F, kind, f, how, ...) , (class, kind##_##how, F, f, __VA_ARGS__)

/* OP##class(T, kind, o, f, ...), or OP##kind(T, kind, o, f, ...). */
#define LADE_PRIV_BY_CLASS(OP, T, N) LADE_PRIV_BY_CLASS_1(OP, T, LADE_PRIV_UNPAREN N)
#define LADE_PRIV_BY_CLASS_1(...) LADE_PRIV_BY_CLASS_2(__VA_ARGS__)
#define LADE_PRIV_BY_CLASS_2(OP, T, class, ...) OP##class(T, __VA_ARGS__)
#define LADE_PRIV_BY_KIND(OP, T, N) LADE_PRIV_BY_KIND_1(OP, T, LADE_PRIV_UNPAREN N)
#define LADE_PRIV_BY_KIND_1(...) LADE_PRIV_BY_KIND_2(__VA_ARGS__)
#define LADE_PRIV_BY_KIND_2(OP, T, class, kind, ...) OP##kind(T, kind, __VA_ARGS__)
/* The same for any class: OP(T, o, f). */
#define LADE_PRIV_BY_FIELD(OP, T, N) LADE_PRIV_BY_FIELD_1(OP, T, LADE_PRIV_UNPAREN N)
#define LADE_PRIV_BY_FIELD_1(...) LADE_PRIV_BY_FIELD_2(__VA_ARGS__)
#define LADE_PRIV_BY_FIELD_2(OP, T, class, kind, o, f, ...) OP(T, o, f)
/* The same by class, if this version of the type stores the field; else OP##skip. */
#define LADE_PRIV_IF_STORED(OP, T, N) LADE_PRIV_IF_STORED_1(OP, T, LADE_PRIV_UNPAREN N)
#define LADE_PRIV_IF_STORED_1(...) LADE_PRIV_IF_STORED_2(__VA_ARGS__)
#define LADE_PRIV_IF_STORED_2(OP, T, class, kind, o, f, ...) \
    if (LADE_PRIV_STORED(T, f)) {                            \
        OP##class(T, kind, o, f, __VA_ARGS__)                \
    } else {                                                 \
        OP##skip(T, kind, o, f, )                            \
    }

/* Options of the type: (version, v), (before_save, function), (after_load, function). */
#define LADE_PRIV_TYPE_OPTIONS(T, ...)                                                           \
    LADE_PRIV_EACH(LADE_PRIV_REFUSE, T, __VA_ARGS__)                                             \
    enum { lade_priv_version_##T = 0 LADE_PRIV_EACH(LADE_PRIV_TYPE_VERSION, T, __VA_ARGS__) };   \
    enum { lade_priv_before_##T = 0 LADE_PRIV_EACH(LADE_PRIV_HAS_BEFORE, T, __VA_ARGS__) };      \
    enum { lade_priv_after_##T = 0 LADE_PRIV_EACH(LADE_PRIV_HAS_AFTER, T, __VA_ARGS__) };        \
    LADE_PRIV_EACH(LADE_PRIV_HOOK_CALL, T, __VA_ARGS__)                                          \
    LADE_PRIV_CAT(LADE_PRIV_HOOK_TABLE_,                                                         \
                  LADE_PRIV_SECOND(LADE_PRIV_EACH(LADE_PRIV_HOOK_MARK, T, __VA_ARGS__) ~, 0, ~)) \
    (T, __VA_ARGS__)
#define LADE_PRIV_HOOK_TABLE_0(T, ...) \
    __attribute__((unused)) static const lade_hooks lade_priv_hooks_##T[1];
#define LADE_PRIV_HOOK_TABLE_1(T, ...)                 \
    static const lade_hooks lade_priv_hooks_##T[1] = { \
        {LADE_PRIV_EACH(LADE_PRIV_HOOK_ENTRY, T, __VA_ARGS__)}};
#define LADE_PRIV_HOOK_MARK(T, F) LADE_PRIV_TYPE_OPTION(LADE_PRIV_HOOK_MARK_, T, F)
#define LADE_PRIV_HOOK_MARK_field(T, ...)
#define LADE_PRIV_HOOK_MARK_version(T, ...)
#define LADE_PRIV_HOOK_MARK_before_save(T, ...) ~, 1,
#define LADE_PRIV_HOOK_MARK_after_load(T, ...) ~, 1,
#define LADE_PRIV_TYPE_OPTION(OP, T, F) LADE_PRIV_TYPE_OPTION_1(OP, T, LADE_PRIV_UNPAREN F, )
#define LADE_PRIV_TYPE_OPTION_1(...) LADE_PRIV_TYPE_OPTION_2(__VA_ARGS__)
#define LADE_PRIV_TYPE_OPTION_2(OP, T, kind, ...)                                          \
    LADE_PRIV_TYPE_OPTION_3(OP, T, LADE_PRIV_SECOND(LADE_PRIV_TYPE_KIND_##kind, field, ~), \
                            __VA_ARGS__)
#define LADE_PRIV_TYPE_OPTION_3(...) LADE_PRIV_TYPE_OPTION_4(__VA_ARGS__)
#define LADE_PRIV_TYPE_OPTION_4(OP, T, kind, ...) OP##kind(T, __VA_ARGS__)
#define LADE_PRIV_TYPE_KIND_version ~, version
#define LADE_PRIV_TYPE_KIND_before_save ~, before_save
#define LADE_PRIV_TYPE_KIND_after_load ~, after_load
#define LADE_PRIV_TYPE_VERSION(T, F) LADE_PRIV_TYPE_OPTION(LADE_PRIV_TYPE_VERSION_, T, F)
#define LADE_PRIV_TYPE_VERSION_field(T, ...)
#define LADE_PRIV_TYPE_VERSION_version(T, v, ...) +(v)
#define LADE_PRIV_TYPE_VERSION_before_save(T, ...)
#define LADE_PRIV_TYPE_VERSION_after_load(T, ...)
#define LADE_PRIV_HAS_BEFORE(T, F) LADE_PRIV_TYPE_OPTION(LADE_PRIV_HAS_BEFORE_, T, F)
#define LADE_PRIV_HAS_BEFORE_field(T, ...)
#define LADE_PRIV_HAS_BEFORE_version(T, ...)
#define LADE_PRIV_HAS_BEFORE_before_save(T, ...) +1
#define LADE_PRIV_HAS_BEFORE_after_load(T, ...)
#define LADE_PRIV_HAS_AFTER(T, F) LADE_PRIV_TYPE_OPTION(LADE_PRIV_HAS_AFTER_, T, F)
#define LADE_PRIV_HAS_AFTER_field(T, ...)
#define LADE_PRIV_HAS_AFTER_version(T, ...)
#define LADE_PRIV_HAS_AFTER_before_save(T, ...)
#define LADE_PRIV_HAS_AFTER_after_load(T, ...) +1
/* a hook is lade_status hook(T *value, void *user), user being that of the context */
#define LADE_PRIV_HOOK_CALL(T, F) LADE_PRIV_TYPE_OPTION(LADE_PRIV_HOOK_CALL_, T, F)
#define LADE_PRIV_HOOK_CALL_field(T, ...)
#define LADE_PRIV_HOOK_CALL_version(T, ...)
#define LADE_PRIV_CHECK_HOOK(T, hook)                                               \
    _Static_assert(_Generic(&(hook), lade_status(*)(T *, void *) : 1, default : 0), \
                   #T ": the hook '" #hook "' is not lade_status (" #T " *, void *)");
#define LADE_PRIV_HOOK_CALL_before_save(T, hook, ...)                     \
    LADE_PRIV_CHECK_HOOK(T, hook)                                         \
    static lade_status lade_priv_call_before_##T(void *value, void *user) \
    {                                                                     \
        return hook((T *)value, user);                                    \
    }
#define LADE_PRIV_HOOK_CALL_after_load(T, hook, ...)                     \
    LADE_PRIV_CHECK_HOOK(T, hook)                                        \
    static lade_status lade_priv_call_after_##T(void *value, void *user) \
    {                                                                    \
        return hook((T *)value, user);                                   \
    }
#define LADE_PRIV_HOOK_ENTRY(T, F) LADE_PRIV_TYPE_OPTION(LADE_PRIV_HOOK_ENTRY_, T, F)
#define LADE_PRIV_HOOK_ENTRY_field(T, ...)
#define LADE_PRIV_HOOK_ENTRY_version(T, ...)
#define LADE_PRIV_HOOK_ENTRY_before_save(T, ...) .before_save = lade_priv_call_before_##T,
#define LADE_PRIV_HOOK_ENTRY_after_load(T, ...) .after_load = lade_priv_call_after_##T,

#endif
