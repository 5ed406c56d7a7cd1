/*
 * What Lade holds of MPI in this process: handles and datatypes. The list hangs on an attribute of
 * MPI_COMM_SELF, whose delete callback is the first thing that MPI_Finalize does (MPI 3.1, 8.7.1);
 * handles cached on a program's communicator hang on an attribute of that too.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "mpi_internal.h"

typedef struct typed {
    struct typed *next;
    const lade_type *type;
    lade_fingerprint fingerprint;
    MPI_Datatype datatype;
} typed;

/* Write-once: the two keyvals. The lists behind them are reached through MPI alone. */
static atomic_int self_key = MPI_KEYVAL_INVALID;
static atomic_int comm_key = MPI_KEYVAL_INVALID;
static atomic_size_t live;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

typedef struct registry {
    lade_mpi *handles;
    typed *types;
} registry;

size_t lade_mpi_live_handles(void)
{
    return atomic_load(&live);
}

static int delete_registry(MPI_Comm comm, int key, void *value, void *extra)
{
    registry *r = value;
    (void)comm;
    (void)key;
    (void)extra;
    while (r->handles) {
        lade_mpi *mpi = r->handles;
        r->handles = mpi->next;
        mpi->registered = false;
        atomic_fetch_sub(&live, 2);
        if (mpi->parent != MPI_COMM_NULL)
            MPI_Comm_delete_attr(mpi->parent, atomic_load(&comm_key)); /* frees it */
        else
            lade_mpi_free(mpi);
    }
    for (typed *next; r->types; r->types = next) {
        next = r->types->next;
        MPI_Type_free(&r->types->datatype);
        atomic_fetch_sub(&live, 1);
        free(r->types);
    }
    free(r);
    /* nobody sets an attribute from here on: what has one keeps its keyval alive */
    int comm_keyval = atomic_exchange(&comm_key, MPI_KEYVAL_INVALID);
    if (comm_keyval != MPI_KEYVAL_INVALID)
        MPI_Comm_free_keyval(&comm_keyval);
    int self_keyval = atomic_exchange(&self_key, MPI_KEYVAL_INVALID);
    MPI_Comm_free_keyval(&self_keyval);
    return MPI_SUCCESS;
}

/* The communicator goes, and with it the handle that was cached on it. */
static int delete_cached(MPI_Comm comm, int key, void *value, void *extra)
{
    lade_mpi *mpi = value;
    (void)comm;
    (void)key;
    (void)extra;
    if (mpi->registered)
        lade_registry_remove(mpi);
    lade_mpi_free(mpi);
    return MPI_SUCCESS;
}

static lade_status key_get(atomic_int *key, MPI_Comm_delete_attr_function *callback, int *out,
                           lade_context *ctx)
{
    *out = atomic_load(key);
    if (*out != MPI_KEYVAL_INVALID)
        return LADE_OK;
    pthread_mutex_lock(&lock);
    *out = atomic_load(key);
    int code = MPI_SUCCESS;
    if (*out == MPI_KEYVAL_INVALID) {
        code = MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, callback, out, NULL);
        if (code == MPI_SUCCESS)
            atomic_store(key, *out);
    }
    pthread_mutex_unlock(&lock);
    return lade_mpi_check(ctx, code, "MPI_Comm_create_keyval");
}

/* The registry, made at first use; NULL (and a status) on failure. The lock must be held. */
static registry *registry_get(int key, lade_status *status, lade_context *ctx)
{
    registry *r = NULL;
    int found = 0;
    *status =
        lade_mpi_check(ctx, MPI_Comm_get_attr(MPI_COMM_SELF, key, &r, &found), "MPI_Comm_get_attr");
    if (*status != LADE_OK || found)
        return *status == LADE_OK ? r : NULL;
    r = calloc(1, sizeof *r);
    if (!r) {
        *status = lade_context_fail(ctx, LADE_ERR_MEMORY, 0, "out of memory");
        return NULL;
    }
    *status = lade_mpi_check(ctx, MPI_Comm_set_attr(MPI_COMM_SELF, key, r), "MPI_Comm_set_attr");
    if (*status == LADE_OK)
        return r;
    free(r);
    return NULL;
}

lade_status lade_registry_add(lade_mpi *mpi, lade_context *ctx)
{
    int key;
    lade_status status = key_get(&self_key, delete_registry, &key, ctx);
    if (status != LADE_OK)
        return status;
    pthread_mutex_lock(&lock);
    registry *r = registry_get(key, &status, ctx);
    if (r) {
        mpi->next = r->handles;
        r->handles = mpi;
        mpi->registered = true;
        atomic_fetch_add(&live, 2);
    }
    pthread_mutex_unlock(&lock);
    return status;
}

void lade_registry_remove(lade_mpi *mpi)
{
    lade_status status;
    pthread_mutex_lock(&lock);
    registry *r = registry_get(atomic_load(&self_key), &status, NULL);
    lade_mpi **at = r ? &r->handles : NULL;
    while (at && *at && *at != mpi)
        at = &(*at)->next;
    if (at && *at) {
        *at = mpi->next;
        mpi->registered = false;
        atomic_fetch_sub(&live, 2);
    }
    pthread_mutex_unlock(&lock);
}

lade_status lade_registry_find(MPI_Comm comm, lade_mpi **mpi, lade_context *ctx)
{
    int key;
    int found = 0;
    lade_mpi *cached = NULL;
    lade_status status = key_get(&comm_key, delete_cached, &key, ctx);
    if (status == LADE_OK)
        status =
            lade_mpi_check(ctx, MPI_Comm_get_attr(comm, key, &cached, &found), "MPI_Comm_get_attr");
    *mpi = status == LADE_OK && found ? cached : NULL;
    return status;
}

lade_status lade_registry_attach(MPI_Comm comm, lade_mpi *mpi, lade_context *ctx)
{
    int key;
    lade_status status = key_get(&comm_key, delete_cached, &key, ctx);
    if (status == LADE_OK)
        status = lade_mpi_check(ctx, MPI_Comm_set_attr(comm, key, mpi), "MPI_Comm_set_attr");
    if (status == LADE_OK)
        mpi->parent = comm;
    return status;
}

lade_status lade_registry_datatype(const lade_type *type, MPI_Datatype *out, lade_context *ctx)
{
    lade_fingerprint print;
    lade_status status = lade_fingerprint_of(type, &print, ctx);
    int key = atomic_load(&self_key);
    *out = MPI_DATATYPE_NULL;
    if (status != LADE_OK || key == MPI_KEYVAL_INVALID)
        return status;
    pthread_mutex_lock(&lock);
    const registry *r = registry_get(key, &status, ctx);
    for (const typed *t = r ? r->types : NULL; t; t = t->next)
        if (t->type == type && t->fingerprint.low == print.low && t->fingerprint.high == print.high)
            *out = t->datatype;
    pthread_mutex_unlock(&lock);
    return status;
}

lade_status lade_registry_add_datatype(const lade_type *type, MPI_Datatype datatype,
                                       lade_context *ctx)
{
    int key;
    lade_fingerprint print;
    lade_status status = key_get(&self_key, delete_registry, &key, ctx);
    if (status == LADE_OK)
        status = lade_fingerprint_of(type, &print, ctx);
    if (status != LADE_OK)
        return status;
    typed *t = malloc(sizeof *t);
    if (!t)
        return lade_context_fail(ctx, LADE_ERR_MEMORY, 0, "out of memory");
    pthread_mutex_lock(&lock);
    registry *r = registry_get(key, &status, ctx);
    if (r) {
        *t = (typed){r->types, type, print, datatype};
        r->types = t;
        atomic_fetch_add(&live, 1);
    } else {
        free(t);
    }
    pthread_mutex_unlock(&lock);
    return status;
}
