-- What is removed disappears at once, and large things are cleaned up in batches: docs/decisions/0097-deleting-large-things.md

create table private.jobs (
  kind text not null,
  subject_id uuid not null,
  items uuid[],
  created_at timestamptz not null default now(),
  not_before timestamptz not null default now(),
  tries integer not null default 0,
  error text,
  primary key (kind, subject_id),
  constraint jobs_kind_check check (kind in ('account', 'objects'))
);
comment on table private.jobs is
  'What is removed and not cleaned up yet. kind account: a profile and all that refers to it, readable by nobody; items: the posts, comments or stories that a holder keeps. '
  'kind objects: the folder of a closed account in Storage.';
create index jobs_items_idx on private.jobs (subject_id) where items is not null;
alter table private.jobs enable row level security;
revoke all on table private.jobs from public, anon, authenticated;
grant all on table private.jobs to service_role;

create function private.removed_member_ids() returns setof uuid
  language plpgsql stable security definer set search_path = '' cost 1 rows 10
as $$
begin
  return query select j.subject_id from private.jobs j where j.kind = 'account';
end
$$;
comment on function private.removed_member_ids() is
  'Accounts and holders that wait to be cleaned up. A set, hashed once per statement; never returned to clients.';
revoke execute on function private.removed_member_ids() from public, anon;
grant execute on function private.removed_member_ids() to authenticated;

create function private.removed_item_ids() returns setof uuid
  language plpgsql stable security definer set search_path = '' cost 1 rows 10
as $$
begin
  return query select unnest(j.items) from private.jobs j where j.items is not null;
end
$$;
comment on function private.removed_item_ids() is
  'Posts, comments and stories that wait to be cleaned up. A set, hashed once per statement; never returned to clients.';
revoke execute on function private.removed_item_ids() from public, anon;
grant execute on function private.removed_item_ids() to authenticated;

create or replace function private.my_hidden_ids() returns setof uuid
  language plpgsql stable security definer set search_path = '' cost 1 rows 10
as $$
begin
  return query
    select blocked_id from public.blocks where blocker_id = (select auth.uid())
    union all
    select blocker_id from public.blocks where blocked_id = (select auth.uid())
    union all
    select j.subject_id from private.jobs j where j.kind = 'account';
end
$$;
comment on function private.my_hidden_ids() is
  'Members that the caller has blocked or who have blocked the caller, and removed accounts and holders. A set, hashed once per statement; never returned to clients, because it would show them who blocked them.';

-- What does not depend on its author alone

create policy comments_removed on public.comments as restrictive for select to authenticated
  using (parent_id is null or parent_id not in (select private.removed_item_ids()));
create policy conversations_removed on public.conversations as restrictive for select to authenticated
  using (participant_1 not in (select private.removed_member_ids()) and participant_2 not in (select private.removed_member_ids()));
create policy messages_removed on public.messages as restrictive for select to authenticated
  using (sender_id not in (select private.removed_member_ids()) and recipient_id not in (select private.removed_member_ids()));
-- The key contains the item, and is in the indexes by which notifications are counted.
create policy notifications_removed on public.notifications as restrictive for select to authenticated
  using (split_part(group_key, ' ', 2) not in (select removed::text from private.removed_item_ids() as removed));

-- Cleaning up

create function private.dependents(items regclass)
  returns table (child regclass, is_seen boolean, refers_by name, goes boolean, has_dependents boolean)
  language sql stable security definer set search_path = ''
as $$
  select c.conrelid::regclass, n.nspname = 'public', a.attname, c.confdeltype = 'c',
    exists (
      select from pg_catalog.pg_constraint d
      where d.contype = 'f' and d.confrelid = c.conrelid and d.confdeltype in ('c', 'n')
    )
  from pg_catalog.pg_constraint c
  join pg_catalog.pg_class t on t.oid = c.conrelid
  join pg_catalog.pg_namespace n on n.oid = t.relnamespace
  join pg_catalog.pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
  where c.contype = 'f' and c.confrelid = items and c.confdeltype in ('c', 'n')
  -- What others see first.
  order by array_position(array['conversations', 'follows', 'likes', 'comments', 'comment_likes', 'notifications'], t.relname::text), c.conname
$$;
comment on function private.dependents(regclass) is
  'The columns that refer to rows of a table, whether members see the table, whether its rows go with them or only lose the reference, and whether others refer to these in turn.';
revoke execute on function private.dependents(regclass) from public, anon, authenticated;

create function private.weigh(items regclass, ids uuid[], most integer) returns integer
  language plpgsql stable security definer set search_path = '' set enable_seqscan to off
as $$
declare
  dependent record;
  found uuid[];
  counted integer;
  weight integer := 0;
begin
  for dependent in select * from private.dependents(items) where is_seen loop
    if dependent.goes and dependent.has_dependents then
      execute format('select array(select id from %s where %I = any ($1) limit $2)', dependent.child, dependent.refers_by)
        into found using ids, most - weight;
      weight := weight + cardinality(found);
      if weight < most and cardinality(found) > 0 then
        weight := weight + private.weigh(dependent.child, found, most - weight);
      end if;
    else
      execute format('select count(*) from (select from %s where %I = any ($1) limit $2) as counted', dependent.child, dependent.refers_by)
        into counted using ids, most - weight;
      weight := weight + counted;
    end if;
    exit when weight >= most;
  end loop;
  return weight;
end
$$;
comment on function private.weigh(regclass, uuid[], integer) is
  'How many rows would be removed or changed with these, at most `most`.';
revoke execute on function private.weigh(regclass, uuid[], integer) from public, anon, authenticated;

create function private.remove_dependents(items regclass, ids uuid[], most integer) returns integer
  language plpgsql security definer set search_path = '' set enable_seqscan to off
as $$
declare
  dependent record;
  found uuid[];
  step integer;
  removed integer := 0;
begin
  for dependent in select * from private.dependents(items) loop
    if dependent.goes and dependent.has_dependents then
      execute format('select array(select id from %s where %I = any ($1) limit 20 for update skip locked)', dependent.child, dependent.refers_by)
        into found using ids;
      if cardinality(found) = 0 then
        step := 0;
      elsif private.weigh(dependent.child, found, most) < most then
        execute format('delete from %s where id = any ($1)', dependent.child) using found;
        step := cardinality(found);
      else
        step := private.remove_dependents(dependent.child, found, most - removed);
      end if;
    else
      execute format(
        '%1$s where ctid = any (array(select ctid from %2$s where %3$I = any ($1) limit $2 for update skip locked))',
        case when dependent.goes then format('delete from %s', dependent.child)
          else format('update %s set %I = null', dependent.child, dependent.refers_by) end,
        dependent.child, dependent.refers_by
      ) using ids, most - removed;
      get diagnostics step = row_count;
    end if;
    removed := removed + step;
    exit when removed >= most;
  end loop;
  return removed;
end
$$;
comment on function private.remove_dependents(regclass, uuid[], integer) is
  'Removes about `most` rows that refer to these, the deepest first, without those that somebody holds. Returns how many; 0 if none is left that is free.';
revoke execute on function private.remove_dependents(regclass, uuid[], integer) from public, anon, authenticated;

create function private.work_job(max_rows integer) returns integer
  language plpgsql security definer set search_path = '' set lock_timeout = '200ms'
as $$
declare
  last constant timestamptz := clock_timestamp() + interval '100 milliseconds';
  job private.jobs;
  step integer;
  removed integer := 0;
begin
  select * into job from private.jobs
    where kind = 'account' and not_before <= now()
    order by not_before limit 1 for update skip locked;
  if not found then
    return 0;
  end if;
  begin
    perform set_config('vignette.is_cleaning', 'on', true);
    loop
      step := private.remove_dependents('public.profiles', array[job.subject_id], max_rows);
      removed := removed + step;
      if step = 0 and private.weigh('public.profiles', array[job.subject_id], 1) = 0 then
        delete from public.profiles where id = job.subject_id;
        delete from private.jobs where kind = job.kind and subject_id = job.subject_id;
        removed := removed + 1;
      end if;
      exit when step = 0 or clock_timestamp() > last;
    end loop;
    perform set_config('vignette.is_cleaning', '', true);
    -- The others first. What somebody holds is tried again a minute later.
    update private.jobs
      set not_before = case when removed = 0 then now() + interval '1 minute' else clock_timestamp() end,
        tries = case when removed = 0 then tries + 1 else 0 end, error = null
      where kind = job.kind and subject_id = job.subject_id;
  exception when others then
    removed := 0;
    update private.jobs
      set not_before = now() + least(tries + 1, 60) * interval '1 minute', tries = tries + 1, error = sqlerrm
      where kind = job.kind and subject_id = job.subject_id;
  end;
  return removed;
end
$$;
comment on function private.work_job(integer) is
  'Removes one batch of what waited longest, for about 100 ms. It waits 200 ms for a row that others count with, and for no other. '
  'Nothing is remembered between batches: what is gone is gone. Returns how many rows it removed, 0 if nothing is left that is free.';
revoke execute on function private.work_job(integer) from public, anon, authenticated;

-- Nobody is told of what has disappeared already.
drop trigger comments_broadcast_delete on public.comments;
create trigger comments_broadcast_delete after delete on public.comments
  referencing old table as changed
  for each statement when (coalesce(pg_catalog.current_setting('vignette.is_cleaning', true), '') <> 'on')
  execute function private.broadcast_comments();
create or replace function private.withdraw_notifications(events private.notification_event[]) returns void
  language sql security definer set search_path = ''
as $$
  with deleted as (
    delete from public.notifications n using unnest(events) as e
      where n.actor_id = e.actor_id
        and coalesce(n.about, nullif(n.type, 'other')) = e.kind
        and coalesce(n.comment_id, n.story_id, n.post_id, n.user_id) = e.subject_id
      returning e.actor_id, e.kind, e.subject_id, n.id, n.read, n.created_at
  )
  insert into private.withdrawn_notifications
    select e.actor_id, e.recipient_id, e.kind, e.subject_id, d.id, coalesce(d.read, true), coalesce(d.created_at, e.since)
    from unnest(events) as e
    left join deleted d using (actor_id, kind, subject_id)
    -- Skips accounts that are being deleted.
    join public.profiles actor on actor.id = e.actor_id
    join public.profiles recipient on recipient.id = e.recipient_id
    -- Each acceptance notifies: it answers a new request, and the requester is waiting for it.
    where actor.id not in (select private.removed_member_ids()) and recipient.id not in (select private.removed_member_ids())
      and e.kind <> 'follow_accepted' and coalesce(d.created_at, e.since) > now() - interval '1 day'
    order by e.actor_id, e.kind, e.subject_id
  on conflict (actor_id, kind, subject_id) do update set
    notification_id = excluded.notification_id,
    read = excluded.read,
    notified_at = case
      when excluded.notification_id is null and withdrawn_notifications.notified_at > now() - interval '1 day'
        then least(withdrawn_notifications.notified_at, excluded.notified_at)
      else excluded.notified_at
    end;
  select private.delete_withdrawn_notifications(greatest(20, 2 * cardinality(events)));
$$;

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
          select n.group_key, n.actor_id, row_number() over (order by n.created_at desc, n.id desc) as place
          from public.notifications n
          where n.user_id = me and (n.created_at, n.id) < (from_at, from_id)
          order by n.created_at desc, n.id desc limit depth
        ) as walked
        where walked.actor_id <> all (left_out) and split_part(walked.group_key, ' ', 2) <> all (removed)
        group by walked.group_key
        order by min(walked.place)
      ) as latest
      cross join lateral (
        select n.id from public.notifications n
        where n.user_id = me and n.group_key = latest.group_key
          and (n.created_at, n.id) < (from_at, from_id) and n.actor_id <> all (left_out)
        order by n.created_at desc, n.id desc limit 1
      ) as head
      -- A group with a later notification is on an earlier page.
      where before_at is null or not exists (
        select from public.notifications n
        where n.user_id = me and n.group_key = latest.group_key
          and (n.created_at, n.id) >= (from_at, from_id) and n.actor_id <> all (left_out)
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
        order by n.created_at, n.id limit 1;
    end if;
  end if;
end
$$;

create or replace function private.blocked_members()
  returns table(id uuid, username text, full_name text, avatar_url text, avatar_path text, created_at timestamptz)
  language sql
  stable security definer
  set search_path = ''
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
    and p.id not in (select private.removed_member_ids())
  order by mine.created_at desc, p.id
$$;

drop trigger likes_broadcast_delete on public.likes;
create trigger likes_broadcast_delete after delete on public.likes
  referencing old table as changed
  for each statement when (coalesce(pg_catalog.current_setting('vignette.is_cleaning', true), '') <> 'on')
  execute function private.broadcast_own_likes();

-- Removing posts, comments and stories

create function private.tell_removed(items regclass, ids uuid[]) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  if to_regprocedure('realtime.send(jsonb, text, text, boolean)') is null then
    return;
  end if;
  if items = 'public.posts'::regclass then
    perform realtime.send(
      jsonb_build_object('table', 'posts', 'type', 'DELETE', 'ids', jsonb_build_array(id)), 'change', 'post:' || id, true
    ) from unnest(ids) as id;
  elsif items = 'public.comments'::regclass then
    perform realtime.send(
      jsonb_build_object(
        'table', 'comments', 'type', 'DELETE', 'ids', jsonb_agg(c.id),
        'threads', coalesce(jsonb_agg(c.parent_id) filter (where c.parent_id is not null), '[]')
      ) || case when private.broadcasts_carry_rows() then jsonb_build_object('author', c.user_id) else '{}' end,
      'change', 'post:' || c.post_id, true
    ) from public.comments c where c.id = any (ids) group by c.post_id, c.user_id;
  end if;
exception when others then
  -- The client sees the change when it refetches; a deletion that fails would be lost.
  raise warning 'A removal was not broadcast: %', sqlerrm;
end
$$;
comment on function private.tell_removed(regclass, uuid[]) is 'Broadcasts the deletion of posts and comments that a holder takes over, as the triggers of a deletion do.';
revoke execute on function private.tell_removed(regclass, uuid[]) from public, anon, authenticated;

create function private.hold_items(items regclass, ids uuid[]) returns void
  language plpgsql security definer set search_path = '' set lock_timeout = '10s'
as $$
declare
  holder constant uuid := gen_random_uuid();
  held uuid[];
begin
  -- The order in which a change of privacy takes them. Those who count hold them for milliseconds, in a line; no member's filter does.
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
  elsif items = 'public.comments'::regclass then
    update public.comments set user_id = holder where id = any (held);
    delete from public.notifications where comment_id = any (held) and type in ('comment', 'reply', 'mention');
  else
    update public.stories set user_id = holder, audience = 'followers', media_path = null, poster_path = null, thumbhash = null, thumbnail_url = null,
        media_url = case media_type when 'image' then 'data:image/webp;base64,' else 'data:video/webm;base64,' end
      where id = any (held);
  end if;
end
$$;
comment on function private.hold_items(regclass, uuid[]) is
  'Gives posts, comments or stories to a new member without an account, the holder, whom everybody''s lists leave out, and frees their objects. What refers to them waits for work_job().';
revoke execute on function private.hold_items(regclass, uuid[]) from public, anon, authenticated;

create function private.remove_items(items regclass, ids uuid[]) returns void
  language plpgsql security definer set search_path = '' set lock_timeout = '200ms'
as $$
begin
  if cardinality(ids) = 0 then
    return;
  end if;
  if private.weigh(items, ids, 200) < 200 then
    begin
      execute format('delete from %s where id = any ($1)', items) using ids;
      return;
    exception when lock_not_available then
      -- Somebody holds rows of them, for as long as they like.
      null;
    end;
  end if;
  perform private.hold_items(items, ids);
end
$$;
comment on function private.remove_items(regclass, uuid[]) is
  'Removes posts, comments or stories for everybody: deletes them if fewer than 200 rows depend on them and nobody holds one, otherwise by a holder.';
revoke execute on function private.remove_items(regclass, uuid[]) from public, anon, authenticated;

create or replace function private.delete_posts(ids uuid[]) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.check_ids(ids);
  perform private.remove_items('public.posts', array(
    select p.id from public.posts p where p.id = any (ids) and p.user_id = (select auth.uid())
  ));
end
$$;
comment on function private.delete_posts(uuid[]) is
  'Removes those of the given posts that the caller wrote, at once and for everybody. Waits for no statement of another member. PT401, PT422.';

create or replace function private.delete_comments(ids uuid[]) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  perform private.check_ids(ids);
  perform private.remove_items('public.comments', array(
    select c.id from public.comments c
    where c.id = any (ids) and c.user_id not in (select private.removed_member_ids())
      and (c.user_id = me or exists (select from public.posts p where p.id = c.post_id and p.user_id = me))
  ));
end
$$;
comment on function private.delete_comments(uuid[]) is
  'Removes those of the given comments that the caller wrote or that are on the caller''s posts, with their replies. As delete_posts(). PT401, PT422.';

create or replace function private.delete_stories(ids uuid[]) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.check_ids(ids);
  perform private.remove_items('public.stories', array(
    select s.id from public.stories s where s.id = any (ids) and s.user_id = (select auth.uid())
  ));
end
$$;
comment on function private.delete_stories(uuid[]) is
  'Removes those of the given stories that the caller shared. As delete_posts(). PT401, PT422.';
