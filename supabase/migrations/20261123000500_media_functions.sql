-- Avatars in the results of functions, unsending photos that are in Storage, and deleting an account with objects.

drop function public.search_profiles(text);
drop function private.search_profiles(text);

create function private.search_profiles(query text)
  returns table (id uuid, username text, full_name text, avatar_url text, avatar_path text)
  language plpgsql stable security definer
  set search_path = '' set plan_cache_mode = 'force_custom_plan' set jit = off
as $$
declare
  most constant integer := 10;
  left_out constant uuid[] := array(select private.my_hidden_ids()) || (select auth.uid());
  wanted constant text := regexp_replace(lower(btrim(query)), '([\\%_])', '\\\1', 'g');
  found_ids uuid[];
begin
  if wanted = '' or wanted is null or not private.is_member() then
    return;
  end if;
  found_ids := array(
    select p.id from public.profiles p
    where p.username collate "C" like wanted || '%' and p.id <> all (left_out)
    order by p.username collate "C" limit most
  );
  if cardinality(found_ids) < most then
    found_ids := found_ids || array(
      select p.id from public.profiles p
      where lower(p.full_name) collate "C" like wanted || '%' and p.id <> all (left_out || found_ids)
      order by lower(p.full_name) collate "C" limit most - cardinality(found_ids)
    );
  end if;
  if cardinality(found_ids) < most then
    found_ids := found_ids || array(
      select p.id from public.profiles p
      where (p.username like '%' || wanted || '%' or lower(p.full_name) like '%' || wanted || '%')
        and p.id <> all (left_out || found_ids)
      limit most - cardinality(found_ids)
    );
  end if;
  return query
    select p.id, p.username, p.full_name, p.avatar_url, p.avatar_path
    from unnest(found_ids) with ordinality as hits (id, place)
    join public.profiles p on p.id = hits.id
    order by hits.place;
end
$$;
comment on function private.search_profiles(text) is
  'At most ten members whose username or full name contains the query: first usernames with this prefix, then full '
  'names with this prefix, then the others. Stops at ten; reads every member only for one or two characters with '
  'fewer prefix hits.';
revoke execute on function private.search_profiles(text) from public, anon, authenticated;
grant execute on function private.search_profiles(text) to authenticated, service_role;

create function public.search_profiles(query text)
  returns table (id uuid, username text, full_name text, avatar_url text, avatar_path text)
  language sql stable security invoker set search_path = ''
as $$
  select id, username, full_name, avatar_url, avatar_path from private.search_profiles(query)
$$;
comment on function public.search_profiles(text) is
  'At most ten members, without the caller and members hidden from them, whose username or full name contains the '
  'query, ignoring case; % _ and \ are literal.';
revoke execute on function public.search_profiles(text) from public, anon, authenticated;
grant execute on function public.search_profiles(text) to authenticated, service_role;

drop function public.blocked_members();
drop function private.blocked_members();

create function private.blocked_members()
  returns table (id uuid, username text, full_name text, avatar_url text, avatar_path text, created_at timestamptz)
  language sql stable security definer set search_path = ''
as $$
  select
    p.id,
    case when theirs.blocker_id is null then p.username else '' end,
    case when theirs.blocker_id is null then p.full_name else '' end,
    case when theirs.blocker_id is null then p.avatar_url end,
    case when theirs.blocker_id is null then p.avatar_path end,
    mine.created_at
  from public.blocks mine
  join public.profiles p on p.id = mine.blocked_id
  left join public.blocks theirs on theirs.blocker_id = mine.blocked_id and theirs.blocked_id = mine.blocker_id
  where mine.blocker_id = (select auth.uid()) and (select private.is_member())
  order by mine.created_at desc, p.id
$$;
comment on function private.blocked_members() is
  'Members that the caller has blocked, although the policies hide them; names and picture are empty if the other '
  'has blocked the caller too.';
revoke execute on function private.blocked_members() from public, anon, authenticated;
grant execute on function private.blocked_members() to authenticated, service_role;

create function public.blocked_members()
  returns table (id uuid, username text, full_name text, avatar_url text, avatar_path text, created_at timestamptz)
  language sql stable security invoker set search_path = ''
as $$
  select id, username, full_name, avatar_url, avatar_path, created_at from private.blocked_members()
$$;
comment on function public.blocked_members() is
  'Members that the caller has blocked, newest first. Names and picture are empty if the other has blocked the '
  'caller too.';
revoke execute on function public.blocked_members() from public, anon, authenticated;
grant execute on function public.blocked_members() to authenticated, service_role;

drop function public.muted_members();

create function public.muted_members()
  returns table (id uuid, username text, full_name text, avatar_url text, avatar_path text, created_at timestamptz)
  language sql stable security invoker set search_path = ''
as $$
  select p.id, p.username, p.full_name, p.avatar_url, p.avatar_path, m.created_at
  from public.mutes m
  join public.profiles p on p.id = m.muted_id
  order by m.created_at desc, p.id
$$;
comment on function public.muted_members() is 'Members that the caller has muted, newest first.';
revoke execute on function public.muted_members() from public, anon, authenticated;
grant execute on function public.muted_members() to authenticated, service_role;

create or replace function private.guard_message_update() returns trigger
  language plpgsql set search_path = ''
as $$
declare
  is_client constant boolean := pg_catalog.row_security_active('public.messages');
  me constant uuid := (select auth.uid());
  sender_reacts constant boolean := new.sender_reaction is distinct from old.sender_reaction;
  recipient_reacts constant boolean := new.recipient_reaction is distinct from old.recipient_reaction;
begin
  if new.read is distinct from old.read then
    if is_client and me <> old.recipient_id then
      raise sqlstate 'PT403' using message = 'Only its recipient can mark a message as read.';
    end if;
    new.read_at := case when new.read then now() end;
  end if;
  if is_client and ((sender_reacts and me <> old.sender_id) or (recipient_reacts and me <> old.recipient_id)) then
    raise sqlstate 'PT403' using message = 'Members react for themselves.';
  end if;
  if (sender_reacts or recipient_reacts) and old.deleted_at is not null then
    raise sqlstate 'PT409' using message = 'This message was unsent.';
  end if;
  -- Setting a reaction reaches the other participant like a message; removing one does not.
  if is_client
    and ((sender_reacts and new.sender_reaction is not null)
      or (recipient_reacts and new.recipient_reaction is not null))
    and not exists (
      select 1 from public.profiles where id in (old.sender_id, old.recipient_id) and id <> me
    )
  then
    raise sqlstate 'PT403' using message = 'This conversation is closed.';
  end if;
  if new.deleted_at is distinct from old.deleted_at then
    if is_client and me <> old.sender_id then
      raise sqlstate 'PT403' using message = 'Only its sender can unsend a message.';
    end if;
    if old.deleted_at is not null then
      raise sqlstate 'PT409' using message = 'This message was already unsent.';
    end if;
    new.deleted_at := now();
    new.content := '';
    new.reply_to_id := null;
    new.photo_id := null;
    new.thumbnail_url := null;
    new.thumbhash := null;
    new.image_width := null;
    new.image_height := null;
    new.story_id := null;
    new.answers_story := false;
    new.sender_reaction := null;
    new.recipient_reaction := null;
  end if;
  return new;
end
$$;

create or replace function private.clear_account() returns boolean
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := private.require_recent_sign_in();
  deadline constant timestamptz := clock_timestamp() + interval '1 second';
  removed bigint;
  step bigint;
begin
  loop
    -- All rows that refer to objects, so that the client may remove the objects.
    delete from public.posts where id in (select post_id from public.post_photos where user_id = me limit 20);
    get diagnostics removed = row_count;
    delete from public.stories where id in (
      select id from public.stories where user_id = me and media_path is not null limit 20
    );
    get diagnostics step = row_count;
    removed := removed + step;
    delete from public.message_photos where id in (
      select id from public.message_photos where sender_id = me and image_path is not null limit 20
    );
    get diagnostics step = row_count;
    removed := removed + step;
    update public.profiles set avatar_path = null where id = me and avatar_path is not null;
    -- delete_account() deletes the rest in one transaction with the account; a small account needs only that.
    delete from public.posts where id in (
      select id from public.posts where user_id = me order by created_at desc, id desc offset 300 limit 20
    );
    get diagnostics step = row_count;
    removed := removed + step;
    delete from public.stories where id in (
      select id from public.stories where user_id = me order by created_at desc, id desc offset 5 limit 2
    );
    get diagnostics step = row_count;
    removed := removed + step;
    delete from public.message_photos where id in (
      select id from public.message_photos where sender_id = me order by created_at desc, id desc offset 300 limit 20
    );
    get diagnostics step = row_count;
    removed := removed + step;
    if removed = 0 then
      return true;
    end if;
    if clock_timestamp() > deadline then
      return false;
    end if;
  end loop;
end
$$;

comment on function private.clear_account() is
  'Deletes posts, stories and photos that are in Storage, and inline media of a large account, for about a second. Returns whether '
  'the client may remove its objects and delete_account() can delete the rest.';
comment on function public.clear_account() is
  'Call until true, remove the objects of the own folder, then call delete_account(). PT428 unless the caller signed in recently.';

create or replace function private.delete_account() returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := private.require_recent_sign_in();
begin
  -- Removing videos takes time, so do it before others have to wait for this transaction. Unlike deleting the rows, this
  -- takes no lock that a new view of the story waits for.
  update public.stories
    set media_url = case media_type when 'image' then 'data:image/webp;base64,' else 'data:video/webm;base64,' end
    where user_id = me and media_url is not null;
  delete from auth.users where id = me;
  -- Never waits: a transaction that holds one of these rows waits for the account and then fails.
  delete from private.quota_usage where ctid = any (array(
    select ctid from private.quota_usage where member_id = me for update skip locked
  ));
end
$$;
