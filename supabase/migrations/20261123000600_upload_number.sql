-- A member could fill the disk with small files: each takes a block of the disk and a row, but counts for few bytes.

create or replace function private.has_upload_room(new_bytes bigint) returns boolean
  language plpgsql stable security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  most_uploads constant integer := 1000;
  most_bytes constant bigint := (select q.per_day from private.quotas q where q.kind = 'upload_bytes');
begin
  return most_bytes is null or (
    select count(*) < most_uploads
      and coalesce(sum((o.metadata ->> 'size')::bigint), 0) + coalesce(new_bytes, 0) <= most_bytes
    from storage.objects o
    where o.bucket_id = 'media'
      -- The folder; '0' follows '/'. Storage has an index in this collation.
      and o.name collate "C" >= me::text || '/' and o.name collate "C" < me::text || '0'
      and o.name not in (select private.used_objects(me))
  );
end
$$;
comment on function private.has_upload_room(bigint) is
  'Whether the caller may upload one more object of this size: at most 1,000 that no row uses, and `upload_bytes` of the quotas. '
  'Reads the caller''s folder and rows: about a millisecond for 500 photos.';
