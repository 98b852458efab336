-- An account is closed at once; its rows and objects are cleaned up later: docs/decisions/0097-deleting-large-things.md

alter table public.profiles drop constraint profiles_id_fkey;

create function private.require_account() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  -- Holders have none.
  if new.id in (select private.removed_member_ids()) then
    return null;
  end if;
  perform 1 from auth.users where id = new.id for key share;
  if not found then
    raise foreign_key_violation using
      message = 'insert or update on table "profiles" violates foreign key constraint "profiles_id_fkey"',
      schema = 'public', table = 'profiles', constraint = 'profiles_id_fkey';
  end if;
  return null;
end
$$;
comment on function private.require_account() is
  'A profile needs an account, whose row it locks as a foreign key does. It has no foreign key, because an account goes before its profile.';
revoke execute on function private.require_account() from public, anon, authenticated;
create trigger profiles_require_account after insert on public.profiles
  for each row execute function private.require_account();

create function private.has_objects(member uuid) returns boolean
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return to_regclass('storage.objects') is not null and exists (
    select from storage.objects o
    where o.bucket_id = 'media'
      -- The folder; '0' follows '/'. Storage has an index in this collation.
      and o.name collate "C" >= member::text || '/' and o.name collate "C" < member::text || '0'
  );
end
$$;
comment on function private.has_objects(uuid) is 'Whether the folder of a member has objects.';
revoke execute on function private.has_objects(uuid) from public, anon, authenticated;

create function private.end_empty_folders() returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  ended integer;
begin
  delete from private.jobs j where j.kind = 'objects' and not private.has_objects(j.subject_id);
  get diagnostics ended = row_count;
  return ended;
end
$$;
comment on function private.end_empty_folders() is 'Ends the jobs of closed accounts that have no object left; returns how many.';
revoke execute on function private.end_empty_folders() from public, anon, authenticated;

create function private.close_account() returns trigger
  language plpgsql security definer set search_path = '' set lock_timeout = '200ms'
as $$
begin
  insert into private.jobs (kind, subject_id)
    select 'objects', old.id where private.has_objects(old.id)
    on conflict do nothing;
  if private.weigh('public.profiles', array[old.id], 200) < 200 then
    begin
      delete from public.profiles where id = old.id;
      return null;
    exception when lock_not_available then
      -- Somebody holds rows of it, for as long as they like.
      null;
    end;
  end if;
  insert into private.jobs (kind, subject_id)
    select 'account', p.id from public.profiles p where p.id = old.id
    on conflict do nothing;
  return null;
end
$$;
comment on function private.close_account() is
  'Removes the profile of a deleted account for everybody, with all that refers to it: deletes it if fewer than 200 rows do and nobody holds one, otherwise by a job. Its objects, if there are any left, are a job too.';
revoke execute on function private.close_account() from public, anon, authenticated;
create trigger users_close_account after delete on auth.users
  for each row execute function private.close_account();

create or replace function private.clear_account() returns boolean
  language plpgsql security definer set search_path = '' set lock_timeout = '200ms'
as $$
declare
  me constant uuid := private.require_recent_sign_in();
  deadline constant timestamptz := clock_timestamp() + interval '1 second';
  posts uuid[];
  stories uuid[];
  photos integer;
  is_held boolean;
begin
  loop
    -- All rows that refer to objects, so that the client may remove the objects. delete_account() removes the rest.
    posts := array(select distinct h.post_id from public.post_photos h where h.user_id = me limit 20);
    perform private.remove_items('public.posts', posts);
    stories := array(select s.id from public.stories s where s.user_id = me and s.media_path is not null limit 20);
    perform private.remove_items('public.stories', stories);
    is_held := false;
    photos := 0;
    begin
      update public.profiles set avatar_path = null where id = me and avatar_path is not null;
      delete from public.message_photos where id in (
        select id from public.message_photos where sender_id = me and image_path is not null limit 20
      );
      get diagnostics photos = row_count;
    exception when lock_not_available then
      is_held := true;
    end;
    if not is_held and cardinality(posts) + cardinality(stories) + photos = 0 then
      return true;
    end if;
    if clock_timestamp() > deadline then
      -- What somebody holds would keep the account open for as long as they like: its objects become a job.
      return is_held;
    end if;
  end loop;
end
$$;
comment on function private.clear_account() is
  'Removes a part of what of the caller''s refers to objects, for about a second. Returns whether the caller may go on: nothing is left, or only what others hold. PT401, PT428.';

create or replace function private.delete_account() returns void
  language plpgsql security definer set search_path = '' set lock_timeout = '200ms'
as $$
declare
  me constant uuid := private.require_recent_sign_in();
begin
  loop
    begin
      delete from auth.users where id = me;
      exit;
    exception when lock_not_available then
      -- Only what the member's other devices do.
      perform private.give_way();
    end;
  end loop;
  -- Never waits: a transaction that holds one of these rows waits for the account and then fails.
  delete from private.quota_usage where ctid = any (array(
    select ctid from private.quota_usage where member_id = me for update skip locked
  ));
end
$$;
comment on function private.delete_account() is
  'Deletes the caller''s auth user, with e-mail address, password, identities and sessions. Profile, posts, likes, messages and all other data disappear for everybody. PT428 unless the caller signed in recently, PT503.';

-- Who calls

create or replace function private.cleanup(max_rows integer) returns integer
  language sql security definer set search_path = ''
as $$
  -- A second cleanup waits here for the first one's batch.
  insert into private.cleanups (called_at) values (now()) on conflict (is_only) do update set called_at = now();
  select private.delete_expired_stories(max_rows)
    + private.delete_unsent_photos(max_rows)
    + private.delete_withdrawn_notifications(10 * max_rows)
    + private.delete_quota_usage(10 * max_rows)
    + private.delete_expired_usernames(10 * max_rows)
    + private.delete_unused_topics(10 * max_rows)
    + private.end_unused_sessions(10 * max_rows)
    + private.delete_old_sign_ins(10 * max_rows)
    + private.move_posts(100 * max_rows)
    + private.finish_blocks(max_rows)
    + private.accept_left_requests(max_rows)
    + private.delete_read_notifications(10 * max_rows)
    + private.delete_cron_log(10 * max_rows)
    + private.work_job(10 * max_rows)
    + private.end_empty_folders()
$$;

create function private.work_off() returns boolean
  language plpgsql security definer set search_path = ''
as $$
begin
  if not private.is_member() then
    raise sqlstate 'PT401' using message = 'Sign in first.';
  end if;
  return private.work_job(200) > 0;
end
$$;
comment on function private.work_off() is
  'Cleans up one batch of what members have removed, for servers without a scheduler. Returns whether more may be left. It takes and shows nothing. PT401.';
revoke execute on function private.work_off() from public, anon;
grant execute on function private.work_off() to authenticated;
create function public.work_off() returns boolean
  language sql set search_path = ''
as $$
  select private.work_off()
$$;
comment on function public.work_off() is
  'Cleans up one batch of what members have removed, for servers without a scheduler. Returns whether more may be left.';
revoke execute on function public.work_off() from public, anon;
grant execute on function public.work_off() to authenticated;

create or replace function private.schedule_cleanup() returns boolean
  language plpgsql security definer set search_path = ''
as $$
begin
  if exists (select from pg_catalog.pg_available_extensions where name = 'pg_cron') then
    begin
      create extension if not exists pg_cron with schema pg_catalog;
    exception when others then
      raise notice 'pg_cron is not available: %', sqlerrm;
    end;
  end if;
  if to_regprocedure('cron.schedule(text,text,text)') is null then
    return false;
  end if;
  -- Each batch is a transaction of its own, so nobody waits for all of them. Hosted projects end a statement after two minutes.
  perform cron.schedule('cleanup', '17 * * * *', $job$do $batches$
declare
  last constant timestamptz := clock_timestamp() + interval '90 seconds';
begin
  while private.cleanup(100) > 0 and clock_timestamp() < last loop
    commit;
  end loop;
end
$batches$ $job$);
  perform cron.schedule('jobs', '* * * * *', $job$do $batches$
declare
  last constant timestamptz := clock_timestamp() + interval '50 seconds';
begin
  while private.work_job(200) > 0 and clock_timestamp() < last loop
    commit;
  end loop;
end
$batches$ $job$);
  return true;
end
$$;
comment on function private.schedule_cleanup() is
  'Schedules with pg_cron the hourly cleanup, and each minute what cleans up removed things, which both go on until nothing is left; again after pg_cron was enabled later. Returns whether there is a pg_cron.';
select private.schedule_cleanup();
