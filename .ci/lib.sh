# shellcheck shell=bash
# Functions shared by the scripts of this repository. Source it; it defines functions and LADE_ROOT only.

LADE_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)

lade_die() {
    printf '%s: %s\n' "${0##*/}" "$1" >&2
    exit "${2:-1}"
}

# A wrong command line: exit status 2.
lade_usage_error() {
    lade_die "$1 (see --help)" 2
}

lade_jobs() {
    nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1
}

# Prints the packages of .ci/packages that are not installed.
lade_missing_packages() {
    local wanted installed
    wanted=$(sed 's/#.*//' "$LADE_ROOT/.ci/packages" | awk 'NF { print $1 }' | LC_ALL=C sort -u)
    # dpkg-query fails when a package is unknown, which is what this function is about.
    # shellcheck disable=SC2016,SC2086
    installed=$(dpkg-query -W -f '${binary:Package} ${db:Status-Status}\n' $wanted 2>/dev/null |
        awk '$2 == "installed" { sub(/:.*/, "", $1); print $1 }' | LC_ALL=C sort -u) || true
    LC_ALL=C comm -23 <(printf '%s\n' "$wanted") <(printf '%s\n' "$installed")
}

# Installs what .ci/packages lists and the machine lacks; touches nothing when all is there.
lade_ensure_packages() {
    local missing
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        echo "note: not a Debian system; the tools and libraries in .ci/packages are taken for installed"
        return 0
    fi
    mapfile -t missing < <(lade_missing_packages)
    [[ ${#missing[@]} -gt 0 ]] || return 0

    local -a as_root=()
    if [[ $(id -u) -ne 0 ]]; then
        if [[ -t 0 ]] && command -v sudo >/dev/null; then
            as_root=(sudo)
        elif sudo -n true 2>/dev/null; then
            as_root=(sudo -n)
        else
            lade_die "packages are missing, and neither root nor sudo is at hand. Run as root:
  apt-get install ${missing[*]}"
        fi
    fi
    echo "installing: ${missing[*]}"
    local -a install=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300
        install -y -q --no-install-recommends "${missing[@]}")
    "${install[@]}" </dev/null && return 0
    echo "trying again with fresh package lists"
    "${as_root[@]}" apt-get -q update </dev/null || lade_die "apt-get update failed"
    "${install[@]}" </dev/null || lade_die "could not install: ${missing[*]}"
}

# Open MPI refuses root, and more ranks than cores, unless it is told otherwise.
lade_mpi_env() {
    if [[ $(id -u) -eq 0 ]]; then
        export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    fi
    export OMPI_MCA_rmaps_base_oversubscribe=1
}

# lade_build DIR [cmake arguments]: configures the project in DIR and builds it.
lade_build() {
    local dir=$1
    shift
    local -a generator=()
    if [[ ! -e $dir/CMakeCache.txt ]] && command -v ninja >/dev/null; then
        generator=(-G Ninja)
    fi
    cmake --log-level=NOTICE -S "$LADE_ROOT" -B "$dir" "${generator[@]}" "$@" || return
    cmake --build "$dir" --parallel "$(lade_jobs)"
}
