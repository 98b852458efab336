-- Nothing about what is removed is left among notifications, requests and searches: docs/decisions/0097-deleting-large-things.md

create function private.is_removing() returns boolean
  language plpgsql stable security definer set search_path = '' cost 1
as $$
begin
  return exists (select from private.jobs where kind = 'account');
end
$$;
comment on function private.is_removing() is
  'Whether something waits to be cleaned up, which it nearly never does. Asked once a statement, before what is asked of each row.';
revoke execute on function private.is_removing() from public, anon;
grant execute on function private.is_removing() to authenticated;

create function private.is_lost(notification uuid) returns boolean
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select from public.notifications n
    left join public.comments c on c.id = n.comment_id
    left join public.comments thread on thread.id = c.parent_id
    left join public.posts p on p.id = n.post_id
    left join public.stories s on s.id = n.story_id
    where n.id = notification and n.user_id = (select auth.uid())
      and array[c.user_id, thread.user_id, p.user_id, s.user_id] && array(select private.removed_member_ids())
  );
end
$$;
comment on function private.is_lost(uuid) is
  'Whether a notification of the caller is about something that waits to be cleaned up, or about a comment below it.';
revoke execute on function private.is_lost(uuid) from public, anon;
grant execute on function private.is_lost(uuid) to authenticated;

-- By id, which the indexes contain.
create policy notifications_lost on public.notifications as restrictive for select to authenticated
  using (not (select private.is_removing()) or not private.is_lost(id));
create policy follow_requests_removed on public.follow_requests as restrictive for select to authenticated
  using (requester_id not in (select private.removed_member_ids()) and target_id not in (select private.removed_member_ids()));

create or replace function private.notification_heads(before_at timestamptz, before_id uuid)
  returns table(id uuid, is_group boolean)
  language plpgsql
  stable security definer rows 20
  set search_path = ''
  set plan_cache_mode to 'force_custom_plan'
  set enable_bitmapscan to 'off'
  set jit to 'off'
as $$
#variable_conflict use_column
declare
  most constant integer := 20;
  me constant uuid := (select auth.uid());
  left_out constant uuid[] :=
    array(select private.my_hidden_ids()) || array(select m.muted_id from public.mutes m where m.muter_id = me);
  removed constant text[] := array(select id::text from private.removed_item_ids() as id);
  is_removing constant boolean := private.is_removing();
  from_at constant timestamptz := coalesce(before_at, 'infinity');
  from_id constant uuid := coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  heads uuid[];
  depth integer;
  last_at timestamptz;
  last_id uuid;
begin
  if not private.is_member() then
    return;
  end if;
  -- Most members have twenty groups among few notifications; a popular post can have thousands that follow each other.
  foreach depth in array array[200, 1000, 5000] loop
    heads := array(
      select head.id
      from (
        select walked.group_key, min(walked.place) as place
        from (
          select n.id, n.group_key, n.actor_id, row_number() over (order by n.created_at desc, n.id desc) as place
          from public.notifications n
          where n.user_id = me and (n.created_at, n.id) < (from_at, from_id)
          order by n.created_at desc, n.id desc limit depth
        ) as walked
        where walked.actor_id <> all (left_out) and split_part(walked.group_key, ' ', 2) <> all (removed)
          and not (is_removing and private.is_lost(walked.id))
        group by walked.group_key
        order by min(walked.place)
      ) as latest
      cross join lateral (
        select n.id from public.notifications n
        where n.user_id = me and n.group_key = latest.group_key
          and (n.created_at, n.id) < (from_at, from_id) and n.actor_id <> all (left_out)
          and not (is_removing and private.is_lost(n.id))
        order by n.created_at desc, n.id desc limit 1
      ) as head
      -- A group with a later notification is on an earlier page.
      where before_at is null or not exists (
        select from public.notifications n
        where n.user_id = me and n.group_key = latest.group_key
          and (n.created_at, n.id) >= (from_at, from_id) and n.actor_id <> all (left_out)
          and not (is_removing and private.is_lost(n.id))
        offset 0
      )
      order by latest.place limit most
    );
    exit when cardinality(heads) = most;
  end loop;
  return query select head, true from unnest(heads) as head;
  if cardinality(heads) < most then
    select n.created_at, n.id into last_at, last_id
      from public.notifications n
      where n.user_id = me and (n.created_at, n.id) < (from_at, from_id)
      order by n.created_at desc, n.id desc offset depth - 1 limit 1;
    if found then
      return query
        select n.id, false
        from public.notifications n
        where n.user_id = me and (n.created_at, n.id) < (from_at, from_id)
          and (n.created_at, n.id) >= (last_at, last_id) and n.actor_id <> all (left_out)
          and split_part(n.group_key, ' ', 2) <> all (removed)
          and not (is_removing and private.is_lost(n.id))
        order by n.created_at, n.id limit 1;
    end if;
  end if;
end
$$;

create or replace function private.hold_items(items regclass, ids uuid[]) returns void
  language plpgsql security definer set search_path = '' set lock_timeout = '10s'
as $$
declare
  holder constant uuid := gen_random_uuid();
  held uuid[];
begin
  -- The order in which a change of privacy takes them. Those who count hold them for milliseconds; no member's filter does.
  if items = 'public.posts'::regclass then
    perform 1 from public.profiles where id in (select p.user_id from public.posts p where p.id = any (ids)) order by id for no key update;
  end if;
  execute format('select array(select id from %s where id = any ($1) order by id for no key update)', items) into held using ids;
  if cardinality(held) = 0 then
    return;
  end if;
  perform private.tell_removed(items, held);
  insert into private.jobs (kind, subject_id, items) values ('account', holder, held);
  insert into public.profiles (id, username, is_private)
    values (holder, 'removed.' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 22), true);
  if items = 'public.posts'::regclass then
    update public.profiles p set post_count = p.post_count - c.posts
      from (select user_id, count(*)::integer as posts from public.posts where id = any (held) group by user_id) as c
      where p.id = c.user_id;
    update public.profiles set post_count = cardinality(held) where id = holder;
    -- Nobody follows a holder, so the audience alone hides them too. A picture keeps a post from being empty.
    update public.posts set user_id = holder, audience = 'followers', image_url = 'data:image/webp;base64,', thumbnail_url = null where id = any (held);
    delete from public.post_photos where post_id = any (held);
    delete from public.post_topics where post_id = any (held);
    delete from private.post_words where post_id = any (held);
  elsif items = 'public.comments'::regclass then
    update public.comments set user_id = holder where id = any (held);
    -- Tells their recipients. What one of them holds is hidden, and left to work_job().
    delete from public.notifications where id = any (array(
      select id from public.notifications
      where comment_id = any (held) and type in ('comment', 'reply', 'mention')
      for update skip locked
    ));
  else
    update public.stories set user_id = holder, audience = 'followers', media_path = null, poster_path = null, thumbhash = null, thumbnail_url = null,
        media_url = case media_type when 'image' then 'data:image/webp;base64,' else 'data:video/webm;base64,' end
      where id = any (held);
  end if;
end
$$;
