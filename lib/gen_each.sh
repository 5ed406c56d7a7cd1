#!/usr/bin/env bash
# Writes include/lade/each.h: LADE_PRIV_EACH(OP, T, x1, x2, ...) expands to OP(T, x1) OP(T, x2) ...
# for 1 to 256 arguments, chosen by their number (one pass, so a typo gives one short error).
set -euo pipefail
out=$(dirname "$0")/include/lade/each.h
max=256
{
    cat <<'HEAD'
/**
 * \file
 * Numbered FOR_EACH macros, written by gen_each.sh: change that script, not this file.
 */
#ifndef LADE_EACH_H
#define LADE_EACH_H
#pragma GCC system_header

HEAD
    echo "#define LADE_PRIV_EACH_1(OP, T, x) OP(T, x)"
    for ((i = 2; i <= max; i++)); do
        echo "#define LADE_PRIV_EACH_$i(OP, T, x, ...) OP(T, x) LADE_PRIV_EACH_$((i - 1))(OP, T, __VA_ARGS__)"
    done
    printf '#define LADE_PRIV_PICK('
    for ((i = 1; i <= max; i++)); do printf 'a%d, ' "$i"; done
    echo 'N, ...) N'
    printf '#define LADE_PRIV_COUNT(...) LADE_PRIV_PICK(__VA_ARGS__'
    for ((i = max; i >= 1; i--)); do printf ', %d' "$i"; done
    echo ', ~)'
    cat <<'TAIL'
#define LADE_PRIV_CAT_I(a, b) a##b
#define LADE_PRIV_CAT(a, b) LADE_PRIV_CAT_I(a, b)
#define LADE_PRIV_EACH(OP, T, ...)                                                                 \
    LADE_PRIV_CAT(LADE_PRIV_EACH_, LADE_PRIV_COUNT(__VA_ARGS__))(OP, T, __VA_ARGS__)

#endif
TAIL
} >"$out"
