-- A freed username leads old links and mentions to its next owner, so nobody else can take it at once: docs/decisions/0023-former-names.md.

create table private.deleted_usernames (
  username text primary key,
  since timestamptz not null default now()
);
comment on table private.deleted_usernames is
  'Usernames of deleted accounts, which nobody can take for 30 days. Nothing else of these accounts is kept.';
create index deleted_usernames_since_idx on private.deleted_usernames (since);
alter table private.deleted_usernames enable row level security;
revoke all on table private.deleted_usernames from public, anon, authenticated;
grant all on table private.deleted_usernames to service_role;

create function private.is_held_username(name text, taker uuid) returns boolean
  language sql stable security definer set search_path = ''
as $$
  select exists (
      select 1 from private.deleted_usernames d where d.username = name and d.since > now() - interval '30 days'
    )
    or exists (
      select 1 from private.former_usernames f
      where f.username = name and f.since > now() - interval '30 days' and f.member_id is distinct from taker
        and (
          select count(*) from private.former_usernames later
          where later.member_id = f.member_id and (later.since, later.username) > (f.since, f.username)
        ) < 2
    )
$$;
comment on function private.is_held_username(text, uuid) is
  'Whether a free username is held for 30 days: the last two of a member for that member, those of a deleted account for nobody.';
revoke execute on function private.is_held_username(text, uuid) from public, anon, authenticated;

create or replace function private.remember_former_username() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if private.is_held_username(new.username, new.id) then
    -- As for a username that is in use: the caller does not learn who holds it.
    raise unique_violation using
      message = 'duplicate key value violates unique constraint "profiles_username_key"',
      schema = 'public', table = 'profiles', constraint = 'profiles_username_key';
  end if;
  -- A username that is in use leads to its member, not to a former one.
  delete from private.former_usernames where username = new.username;
  if tg_op = 'UPDATE' then
    insert into private.former_usernames (username, member_id) values (old.username, new.id)
      on conflict (username) do update set member_id = excluded.member_id, since = excluded.since;
  end if;
  return null;
end
$$;
comment on function private.remember_former_username() is
  'Refuses a username that is held for another member, stores the one that a member gives up, and deletes former uses of the one '
  'that is taken.';

create function private.delete_expired_usernames(max_rows integer) returns integer
  language sql security definer set search_path = ''
as $$
  with removed as (
    -- An array is evaluated once; a plan may evaluate a subquery per row, with different results.
    delete from private.deleted_usernames where ctid = any (array(
      select ctid from private.deleted_usernames where since <= now() - interval '30 days'
      order by since limit max_rows for update skip locked
    ))
    returning 1
  )
  select count(*)::integer from removed
$$;
comment on function private.delete_expired_usernames(integer) is
  'Deletes up to max_rows usernames of deleted accounts that are no longer held, and returns how many.';
revoke execute on function private.delete_expired_usernames(integer) from public, anon, authenticated;

create function private.hold_deleted_usernames() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.deleted_usernames (username, since)
    select f.username, f.since from private.former_usernames f
      where f.member_id = old.id and private.is_held_username(f.username, null)
    union all
    select old.username, now()
    on conflict (username) do update set since = excluded.since;
  -- For servers without a scheduler.
  perform private.delete_expired_usernames(20);
  return old;
end
$$;
comment on function private.hold_deleted_usernames() is
  'Stores the username of an account that is being deleted, and the former ones that are held for it.';
revoke execute on function private.hold_deleted_usernames() from public, anon, authenticated;
-- Before, because foreign keys delete the former usernames with the profile.
create trigger profiles_hold_usernames before delete on public.profiles
  for each row execute function private.hold_deleted_usernames();

create or replace function private.username_available(name text) returns boolean
  language sql stable security definer set search_path = ''
as $$
  select lower(name) ~ '^(?!\.)[a-z0-9._]{3,30}(?<!\.)$'
    and not exists (select 1 from public.profiles where username = lower(name))
    and not private.is_held_username(lower(name), (select auth.uid()))
$$;
comment on function private.username_available(text) is
  'Whether a username is well formed, free, and not held for another member.';

-- The unused topics come last, because members who post wait for their lock.
create or replace function private.cleanup(max_rows integer) returns integer
  language sql security definer set search_path = ''
as $$
  select private.delete_expired_stories(max_rows)
    + private.delete_unsent_photos(max_rows)
    + private.delete_withdrawn_notifications(10 * max_rows)
    + private.delete_quota_usage(10 * max_rows)
    + private.delete_expired_usernames(10 * max_rows)
    + private.delete_unused_topics(10 * max_rows)
$$;
