-- Profiles, their former and reserved usernames, and activity.

-- Bodies may name what a later file creates.
set check_function_bodies = off;

create table public.profiles (
  id uuid not null,
  username text not null,
  full_name text not null default '',
  bio text not null default '',
  website text,
  avatar_url text,
  is_private boolean not null default false,
  show_activity_status boolean not null default true,
  allow_story_replies boolean not null default true,
  post_count integer not null default 0,
  follower_count integer not null default 0,
  following_count integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  avatar_path text,
  new_messages_from text not null default 'everyone',
  read_receipts boolean not null default true,
  -- Lower case only, so that equal names are equal strings and one index serves look-up and uniqueness.
  constraint profiles_username_format check (username ~ '^(?!\.)[a-z0-9._]{3,30}(?<!\.)$'),
  constraint profiles_full_name_length check (char_length(full_name) <= 80),
  constraint profiles_bio_length check (char_length(bio) <= 500),
  constraint profiles_website_length check (char_length(website) <= 200),
  constraint profiles_website_format check (website ~* '^https?://\S+$'),
  constraint profiles_avatar_length check (char_length(avatar_url) <= 16000),
  constraint profiles_avatar_format check (left(avatar_url, 23) ~ '^data:image/(webp|jpeg|png);base64,'),
  constraint profiles_pkey primary key (id),
  constraint profiles_avatar_path check (private.is_object_key(avatar_path, id, 'image')),
  constraint profiles_one_avatar check (num_nonnulls(avatar_url, avatar_path) <= 1),
  constraint profiles_new_messages_from check (new_messages_from in ('everyone', 'followers', 'following', 'nobody'))
) with (fillfactor = 90);
comment on table public.profiles is 'Members. created_at is the member''s first sign-in; triggers update the counters.';
comment on column public.profiles.new_messages_from is
  'Who may write to this member outside of accepted conversations: everyone, their followers and the members '
  'they follow, only the members they follow, or nobody. Messages of members they do not follow wait as '
  'requests.';
comment on column public.profiles.read_receipts is 'Whether others see what the member has read. There is no switch yet.';
-- For search. In code point order, names with the same prefix are adjacent, so a search reads only its first ten hits.
create index profiles_username_prefix_idx on public.profiles (username collate "C");
create index profiles_newest_idx on public.profiles (created_at desc) where (not is_private);
create unique index profiles_username_key on public.profiles (username) where (username is not null);
create unique index profiles_avatar_path_key on public.profiles (avatar_path) where (avatar_path is not null);
create index profiles_search_prefix_idx on public.profiles (private.search_key(full_name) collate "C") include (full_name, username, id);
alter table public.profiles enable row level security;
revoke all on table public.profiles from public, anon, authenticated;
grant select, insert (id, username, full_name), update (username, full_name, bio, website, avatar_url, is_private, show_activity_status, allow_story_replies, updated_at, avatar_path, new_messages_from, read_receipts) on table public.profiles to authenticated;
grant all on table public.profiles to service_role;

-- Former usernames keep old links and mentions working: docs/decisions/0023.
create table private.former_usernames (
  username text not null,
  member_id uuid not null,
  since timestamptz not null default now(),
  constraint former_usernames_pkey primary key (username),
  constraint former_usernames_member_id_fkey foreign key (member_id) references public.profiles (id) on delete cascade
);
comment on table private.former_usernames is
  'The last member with a username that nobody has now, and since when it is free. Read by renamed_to().';
create index former_usernames_member_idx on private.former_usernames (member_id);
alter table private.former_usernames enable row level security;
revoke all on table private.former_usernames from public, anon, authenticated;
grant all on table private.former_usernames to service_role;

create table public.activity (
  user_id uuid not null,
  last_active_at timestamptz not null default now(),
  constraint activity_pkey primary key (user_id),
  constraint activity_user_id_fkey foreign key (user_id) references public.profiles (id) on delete cascade
);
comment on table public.activity is 'Separate from profiles, which all members see and which seldom change.';
alter table public.activity enable row level security;
revoke all on table public.activity from public, anon, authenticated;
grant select, insert (user_id), update (last_active_at) on table public.activity to authenticated;
grant all on table public.activity to service_role;

create table private.deleted_usernames (
  username text not null,
  since timestamptz not null default now(),
  constraint deleted_usernames_pkey primary key (username)
);
comment on table private.deleted_usernames is
  'Usernames of deleted accounts, which nobody can take for 30 days. Nothing else of these accounts is kept.';
create index deleted_usernames_since_idx on private.deleted_usernames (since);
alter table private.deleted_usernames enable row level security;
revoke all on table private.deleted_usernames from public, anon, authenticated;
grant all on table private.deleted_usernames to service_role;

alter table private.announcements add constraint announcements_member_id_fkey foreign key (member_id) references public.profiles (id) on delete cascade;
alter table private.waiting_broadcasts add constraint waiting_broadcasts_member_id_fkey foreign key (member_id) references public.profiles (id) on delete cascade;
alter table private.member_states add constraint member_states_member_id_fkey foreign key (member_id) references public.profiles (id) on delete cascade;
alter table private.staff add constraint staff_member_id_fkey foreign key (member_id) references public.profiles (id) on delete cascade;
alter table private.demo_members add constraint demo_members_member_id_fkey foreign key (member_id) references public.profiles (id) on delete cascade;

create function private.touch_profile() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  new.updated_at := now();
  return new;
end
$$;
comment on function private.touch_profile() is 'Sets updated_at whatever time the client sent; counters do not change it.';
revoke execute on function private.touch_profile() from public, anon, authenticated;

create function private.remember_former_username() returns trigger
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
  'Refuses a username that is held for another member, stores the one that a member gives up, and deletes '
  'former uses of the one that is taken.';
revoke execute on function private.remember_former_username() from public, anon, authenticated;

create function private.renamed_to(name text) returns text
  language sql stable security definer set search_path = ''
as $$
  select p.username
  from private.former_usernames f
  join public.profiles p on p.id = f.member_id
  where f.username = lower(name)
    and (select private.is_member())
    and p.id not in (select private.my_hidden_ids())
$$;
comment on function private.renamed_to(text) is
  'The current username of the last member who had this one; null if the name is in use, nobody had it, or the '
  'two members are hidden from each other.';
revoke execute on function private.renamed_to(text) from public, anon, authenticated;
grant execute on function private.renamed_to(text) to authenticated, service_role;

create function public.renamed_to(name text) returns text
  language sql stable set search_path = ''
as $$
  select private.renamed_to(left(name, 31))
$$;
comment on function public.renamed_to(text) is
  'The current username of the last member who had this one, if the caller may see them; null if there is no '
  'such member, or the name is in use.';
revoke execute on function public.renamed_to(text) from public, anon, authenticated;
grant execute on function public.renamed_to(text) to authenticated, service_role;

create function private.username_available(name text) returns boolean
  language sql stable security definer set search_path = ''
as $$
  select lower(name) ~ '^(?!\.)[a-z0-9._]{3,30}(?<!\.)$'
    and not exists (select 1 from public.profiles where username = lower(name))
    and not private.is_held_username(lower(name), (select auth.uid()))
$$;
comment on function private.username_available(text) is 'Whether a username is well formed, free, and not held for another member.';
revoke execute on function private.username_available(text) from public, anon, authenticated;
grant execute on function private.username_available(text) to anon, authenticated, service_role;

create function public.username_available(name text) returns boolean
  language sql stable set search_path = ''
as $$
  select private.username_available(left(name, 31))
$$;
comment on function public.username_available(text) is
  'Whether a username is well formed and free. Besides setup_status(), the only function that signed-out '
  'visitors may call.';
revoke execute on function public.username_available(text) from public, anon, authenticated;
grant execute on function public.username_available(text) to anon, authenticated, service_role;

create function private.set_last_active() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if pg_catalog.row_security_active('public.activity') then
    new.last_active_at := now();
  end if;
  return new;
end
$$;
comment on function private.set_last_active() is 'Clients can report that they are active now, but not another time.';
revoke execute on function private.set_last_active() from public, anon, authenticated;

create function public.touch_activity() returns void
  language sql set search_path = ''
as $$
  select private.require_active();
  insert into public.activity (user_id)
  select (select auth.uid())
  where (select private.shows_activity()) and not exists (
    select 1 from public.activity a
    where a.user_id = (select auth.uid()) and a.last_active_at >= now() - interval '30 seconds'
  )
  on conflict (user_id) do update set last_active_at = now()
$$;
comment on function public.touch_activity() is
  'Records that the caller is active now. Writes nothing and takes no lock while their Activity Status is off, '
  'and within 30 seconds of the last time.';
revoke execute on function public.touch_activity() from public, anon, authenticated;
grant execute on function public.touch_activity() to authenticated, service_role;

create function private.shows_activity() returns boolean
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (select from public.profiles p where p.id = (select auth.uid()) and p.show_activity_status);
end
$$;
comment on function private.shows_activity() is 'Whether the caller has Activity Status on, and so may also see the activity of others.';
revoke execute on function private.shows_activity() from public, anon, authenticated;
grant execute on function private.shows_activity() to authenticated, service_role;

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
  'Whether a free username is held for 30 days: the last two of a member for that member, those of a deleted '
  'account for nobody.';
revoke execute on function private.is_held_username(text, uuid) from public, anon, authenticated;

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
comment on function private.delete_expired_usernames(integer) is 'Deletes up to max_rows usernames of deleted accounts that are no longer held, and returns how many.';
revoke execute on function private.delete_expired_usernames(integer) from public, anon, authenticated;

create function private.hold_deleted_usernames() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  -- The name of a holder was nobody's.
  if exists (select from private.jobs j where j.kind = 'account' and j.subject_id = old.id and j.items is not null) then
    return old;
  end if;
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
comment on function private.hold_deleted_usernames() is 'Stores the username of an account that is being deleted, and the former ones that are held for it.';
revoke execute on function private.hold_deleted_usernames() from public, anon, authenticated;

create function private.refuse_disguised_website() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if new.website ~ private.hidden_characters() or new.website ~* '^https?://[^/?#\\]*@' then
    raise sqlstate 'PT422' using message = 'A website cannot have invisible characters or a user name.';
  end if;
  return new;
end
$$;
comment on function private.refuse_disguised_website() is
  'Refuses a website that can look like another address. Not a check constraint: rows from before stay as they '
  'are.';
revoke execute on function private.refuse_disguised_website() from public, anon, authenticated;

create function private.clear_blank_profile() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if not private.is_visible(new.full_name) then
    new.full_name := '';
  end if;
  if not private.is_visible(new.bio) then
    new.bio := '';
  end if;
  return new;
end
$$;
comment on function private.clear_blank_profile() is 'Empties a full name or bio that has only invisible characters.';
revoke execute on function private.clear_blank_profile() from public, anon, authenticated;

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
  'A profile needs an account, whose row it locks as a foreign key does. It has no foreign key, because an '
  'account goes before its profile.';
revoke execute on function private.require_account() from public, anon, authenticated;

create function private.add_announcements() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.announcements (member_id, sent_at) select c.id, '-infinity' from changed c
    on conflict do nothing;
  return null;
end
$$;
comment on function private.add_announcements() is 'Gives new members the row whose lock is the turn to broadcast to them.';
revoke execute on function private.add_announcements() from public, anon, authenticated;

create function private.hide_marks() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  -- Marks that are being set are there before this, or are not shown.
  perform pg_catalog.pg_advisory_xact_lock(private.receipts_key(new.id));
  perform private.clear_shown_marks(new.id, 200);
  if exists (select from public.conversation_members m where m.member_id = new.id and m.read_at is not null) then
    insert into private.jobs (kind, subject_id) values ('receipts', new.id) on conflict do nothing;
  end if;
  return null;
end
$$;
comment on function private.hide_marks() is
  'From the statement on that turns receipts off, no mark of the member is shown. It clears 200 of the shown '
  'ones; further ones, and those that others hold, are a job.';
revoke execute on function private.hide_marks() from public, anon, authenticated;

create trigger profiles_touch
  before update of username, full_name, bio, website, avatar_url, is_private, show_activity_status, allow_story_replies,
    new_messages_from, read_receipts, updated_at
  on public.profiles for each row execute function private.touch_profile();
create trigger profiles_allow_change before update on public.profiles
  for each row when (pg_catalog.row_security_active('public.profiles'))
  execute function private.count_quota('profile_changes');
create trigger profiles_allow_username before update of username on public.profiles
  for each row when (old.username <> new.username and pg_catalog.row_security_active('public.profiles'))
  execute function private.count_quota('usernames');
create trigger profiles_claim_username after insert on public.profiles
  for each row execute function private.remember_former_username();
create trigger profiles_rename after update of username on public.profiles
  for each row when (old.username <> new.username)
  execute function private.remember_former_username();
create trigger profiles_check_objects before update of avatar_path on public.profiles
  for each row when (new.avatar_path is not null and new.avatar_path is distinct from old.avatar_path)
  execute function private.check_objects('id', 'avatar_path');
create trigger profiles_touch_avatar before update of avatar_path on public.profiles
  for each row execute function private.touch_profile();

-- Before, because foreign keys delete the former usernames with the profile.
create trigger profiles_hold_usernames before delete on public.profiles
  for each row execute function private.hold_deleted_usernames();
create trigger refuse_disguised_website
  before insert on public.profiles
  for each row when (new.website is not null)
  execute function private.refuse_disguised_website();
create trigger refuse_disguised_new_website
  before update of website on public.profiles
  for each row when (new.website is distinct from old.website)
  execute function private.refuse_disguised_website();
create trigger profiles_clear_blank before insert on public.profiles
  for each row execute function private.clear_blank_profile();
create trigger profiles_clear_blank_change before update of full_name, bio on public.profiles
  for each row when ((new.full_name, new.bio) is distinct from (old.full_name, old.bio))
  execute function private.clear_blank_profile();

-- On insert and on a change of a text, so that rows from before stay as they are when a counter changes.
create trigger profiles_compose before insert on public.profiles
  for each row when (new.full_name is not nfc normalized
    or new.bio is not nfc normalized)
  execute function private.compose_texts('full_name', 'bio');
create trigger profiles_compose_change before update of full_name, bio on public.profiles
  for each row when ((new.full_name, new.bio) is distinct from (old.full_name, old.bio) and (
    new.full_name is not nfc normalized
    or new.bio is not nfc normalized
  ))
  execute function private.compose_texts('full_name', 'bio');
create trigger profiles_allow_privacy before update of is_private on public.profiles
  for each row when (old.is_private <> new.is_private and row_security_active('public.profiles'))
  execute function private.count_quota('privacy_changes');
create trigger profiles_require_account after insert on public.profiles
  for each row execute function private.require_account();
create trigger profiles_announcements after insert on public.profiles
  referencing new table as changed for each statement execute function private.add_announcements();
create trigger profiles_bound_full_name before insert or update of full_name on public.profiles
  for each row when (char_length(new.full_name) > 160) execute function private.refuse_blank('profiles_full_name_length');
create trigger profiles_bound_bio before insert or update of bio on public.profiles
  for each row when (char_length(new.bio) > 1000) execute function private.refuse_blank('profiles_bio_length');
create trigger profiles_hide_marks after update of read_receipts on public.profiles
  for each row when (old.read_receipts and not new.read_receipts) execute function private.hide_marks();

create trigger activity_set_last_active before insert or update of last_active_at on public.activity
  for each row execute function private.set_last_active();

-- An account without a profile has a session only, and reads the row that it inserts.
create policy profiles_session on public.profiles as restrictive for all to authenticated
  using (
    nullif((select private.is_member()), false) is not null
    or id = (select auth.uid()) and nullif((select private.has_session()), false) is not null
  )
  with check (nullif((select private.has_session()), false) is not null);
create policy profiles_insert on public.profiles for insert to authenticated
  with check (id = (select auth.uid()));
create policy profiles_update on public.profiles for update to authenticated
  using (id = (select auth.uid()))
  with check (id = (select auth.uid()));

create policy activity_session on public.activity as restrictive for all to authenticated
  using (nullif((select private.is_member()), false) is not null)
  with check (nullif((select private.is_member()), false) is not null);
create policy activity_insert on public.activity for insert to authenticated
  with check (user_id = (select auth.uid()));
create policy activity_update on public.activity for update to authenticated
  using (user_id = (select auth.uid()))
  with check (user_id = (select auth.uid()));

set check_function_bodies = on;

-- Without pg_trgm a search is slower, not wrong.
do $$
declare
  home text;
begin
  select n.nspname into home
    from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace
    where e.extname = 'pg_trgm';
  if home is not null then
    execute format(
      'create index profiles_username_trgm_idx on public.profiles using gin (username %I.gin_trgm_ops)', home);
    execute format(
      'create index profiles_search_trgm_idx on public.profiles using gin (private.search_key(full_name) %I.gin_trgm_ops)', home);
  end if;
end
$$;
