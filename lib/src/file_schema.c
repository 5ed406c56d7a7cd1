/* Entries without their C type: their schemas, and what these say. */
#include <stdio.h>
#include <string.h>

#include "entry.h"
#include "runtime.h"

lade_status lade_entry_damaged(lade_job *job, const lade_file *f, uint64_t position,
                               const char *what)
{
    job->err.offset = position;
    return lade_job_fail(job, LADE_ERR_CHECKSUM, 0, "%s: %s", f->path, what);
}

lade_status lade_entry_find(lade_job *job, lade_file *f, const char *name, const lade_listed **out)
{
    if (f->temporary)
        return lade_job_fail(job, LADE_ERR_STATE, 0, "%s has no commit yet", f->path);
    lade_status status = lade_file_ready(job, f);
    if (status != LADE_OK)
        return status;
    *out = lade_directory_find(f, name);
    return *out ? LADE_OK
                : lade_job_fail(job, LADE_ERR_NOT_FOUND, 0, "%s has no such entry", f->path);
}

lade_status lade_entry_head_read(lade_job *job, const lade_file *f, const lade_listed *listed,
                                 lade_entry_head *out)
{
    uint8_t head[RECORD_HEAD];
    char name[NAME_MAX_BYTES + 1] = {0};
    lade_status status = lade_record_head_read(job, f, listed->position, RECORD_ENTRY, head);
    if (status != LADE_OK)
        return status;
    size_t size = get32(head + ENTRY_NAME_SIZE);
    if (size > NAME_MAX_BYTES || (head[5] & ~(ENTRY_ARRAY | ENTRY_NO_CRC)))
        return lade_entry_damaged(job, f, listed->position, "the head of the entry is not valid");
    status =
        lade_io_read(job, f->out.fd, name, size, (off_t)(listed->position + RECORD_HEAD), f->path);
    if (status != LADE_OK)
        return status;
    if (lade_crc(name, size) != get32(head + ENTRY_NAME_CRC) || strcmp(name, listed->name) != 0)
        return lade_entry_damaged(job, f, listed->position, "the name of the entry is damaged");
    *out = (lade_entry_head){
        .fingerprint = {get64(head + ENTRY_FINGERPRINT), get64(head + ENTRY_FINGERPRINT + 8)},
        .schema = get64(head + ENTRY_SCHEMA),
        .frames = listed->position + RECORD_HEAD + size,
        .flags = head[5]};
    return LADE_OK;
}

lade_status lade_file_schema_load(lade_job *job, const lade_file *f, const lade_entry_head *head,
                                  lade_context *ctx, lade_schema **out)
{
    lade_schema_record record = {0};
    lade_schema *s = NULL;
    lade_status status = lade_schema_read(job, f, head->schema, true, &record);
    if (status == LADE_OK) {
        lade_fingerprint print = lade_schema_fingerprint(record.bytes.data, record.bytes.size);
        if (print.low != head->fingerprint.low || print.high != head->fingerprint.high)
            status =
                lade_entry_damaged(job, f, head->schema, "the schema is not the one of the entry");
    }
    if (status == LADE_OK)
        status = lade_schema_make(job, ctx, &s);
    if (status == LADE_OK)
        status = lade_runtime_parse(job, s, &record.bytes, &record.more);
    lade_schema_record_fini(&record);
    if (status == LADE_OK)
        *out = s;
    else
        lade_schema_destroy(s);
    return status;
}

lade_status lade_file_schema(lade_file *file, const char *name, lade_schema **out)
{
    lade_job job;
    lade_entry_head head;
    const lade_listed *listed = NULL;
    if (!file)
        return LADE_ERR_ARGUMENT;
    lade_status status = lade_file_job(&job, file, name);
    if (status == LADE_OK && (!name || !out))
        status = lade_job_fail(&job, LADE_ERR_ARGUMENT, 0, "name and out must not be NULL");
    if (status == LADE_OK)
        status = lade_entry_find(&job, file, name, &listed);
    if (status == LADE_OK)
        status = lade_entry_head_read(&job, file, listed, &head);
    if (status == LADE_OK) /* the types may outlive the file, not the caller's context */
        status = lade_file_schema_load(&job, file, &head,
                                       file->ctx == &file->own ? NULL : file->ctx, out);
    return lade_file_job_end(&job, file, status);
}

/* The type of a schema that has this fingerprint. */
static const char *name_of(lade_job *job, const lade_schema *s, lade_fingerprint print)
{
    for (const lade_runtime_type *t = s->first; t; t = t->next) {
        lade_fingerprint is;
        if (lade_fingerprint_compute(job, &t->type, false, &is) == LADE_OK && is.low == print.low &&
            is.high == print.high)
            return t->type.name;
    }
    return NULL;
}

lade_status lade_file_name_unknown(lade_file *f, const lade_entry_head *head, lade_status status)
{
    lade_job job;
    lade_schema *s = NULL;
    lade_error *error = f->ctx->error;
    lade_fingerprint print = f->ctx->cache ? f->ctx->cache->unknown : (lade_fingerprint){0};
    if (status != LADE_ERR_TYPE || !error || (print.low == 0 && print.high == 0))
        return status;
    if (lade_job_begin(&job, NULL) == LADE_OK &&
        lade_file_schema_load(&job, f, head, NULL, &s) == LADE_OK) {
        const char *name = name_of(&job, s, print);
        size_t used = strlen(error->message);
        if (name)
            snprintf(error->message + used, sizeof error->message - used, ": '%.100s'", name);
    }
    lade_schema_destroy(s);
    job.err = (lade_error){0};
    lade_job_end(&job, LADE_OK);
    return status;
}
