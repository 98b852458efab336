-- Storage checks the policies when an upload begins, and stores the object as supabase_storage_admin or service_role when it ends,
-- even under a key that was stored meanwhile. So an upload that began before, or a signed upload link with `upsert`, could
-- replace a picture that others have already seen.

create function private.refuse_replacement() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  -- Storage answers 409, as to an upload that begins under the key of an object.
  raise unique_violation using message = 'Objects in this bucket cannot be replaced.';
end
$$;
comment on function private.refuse_replacement() is 'Refuses to replace the content of an object: rows may use it.';
revoke execute on function private.refuse_replacement() from public, anon, authenticated;

alter function private.create_media_bucket() rename to create_media_policies;
comment on function private.create_media_policies() is 'Creates the bucket `media` and its policies, or warns that Storage is not set up.';

create function private.create_media_bucket() returns void
  language plpgsql set search_path = ''
as $$
begin
  perform private.create_media_policies();
  -- A project has the table before Storage itself completes it.
  if not exists (
    select from pg_catalog.pg_attribute where attrelid = to_regclass('storage.objects') and attname = 'version'
  ) then
    return;
  end if;
  begin
    create or replace trigger media_refuse_replacement before update of version on storage.objects
      for each row when (old.bucket_id = 'media' and new.version is distinct from old.version)
      execute function private.refuse_replacement();
  exception when insufficient_privilege then
    raise warning 'Members can replace pictures for as long as an upload takes: %', sqlerrm
      using hint = 'Update Storage, then run: select private.create_media_bucket();';
  end;
end
$$;
comment on function private.create_media_bucket() is
  'Creates the bucket `media`, its policies and its trigger. Call it again if Storage was set up after the migrations.';
revoke execute on function private.create_media_bucket() from public, anon, authenticated;

select private.create_media_bucket();
