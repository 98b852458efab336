/**
 * Reads objects with the rights of a member in one call. A transaction that changes the role takes four, and each use of a signed link
 * needs it.
 */
export const VISIBLE_OBJECTS_SQL = `
create or replace function storage.visible_objects(member uuid, session uuid, bucket text, names text[])
  returns table (id uuid, name text, etag text)
  language plpgsql rows 10 set search_path = '' set role = 'authenticated'
as $$
#variable_conflict use_column
begin
  perform set_config('request.jwt.claim.sub', member::text, true),
    set_config('request.jwt.claim.role', 'authenticated', true),
    set_config('request.jwt.claims', jsonb_build_object(
      'role', 'authenticated', 'sub', member, 'session_id', session
    )::text, true);
  return query
    select o.id, o.name, o.metadata ->> 'eTag'
    from storage.objects o
    where o.bucket_id = bucket and o.name = any (names);
end
$$;
revoke execute on function storage.visible_objects(uuid, uuid, text, text[]) from public, anon, authenticated;
`
