-- Notifications, and the mentions that cause some: docs/decisions/0024-notifications.md.

-- Bodies may name what a later file creates.
set check_function_bodies = off;

create type private.notification_event as (
  actor_id uuid,
  recipient_id uuid,
  -- As in withdrawn_notifications, or follow_accepted, which is not stored there.
  kind text,
  -- The post of a like, else the recipient.
  subject_id uuid,
  since timestamptz
);
comment on type private.notification_event is 'Something that an actor has done or undone and that its recipient is notified of.';

create table public.post_tags (
  tagged_user_id uuid not null,
  post_id uuid not null,
  created_at timestamptz not null default now(),
  constraint post_tags_pkey primary key (post_id, tagged_user_id),
  constraint post_tags_tagged_user_id_fkey foreign key (tagged_user_id) references public.profiles (id) on delete cascade,
  constraint post_tags_post_id_fkey foreign key (post_id) references public.posts (id) on delete cascade
);
comment on table public.post_tags is
  'Members that a post mentions as @username. Triggers insert the rows; tagged members may delete their own.';
create index post_tags_tagged_user_idx on public.post_tags (tagged_user_id, created_at desc, post_id desc);
alter table public.post_tags enable row level security;
revoke all on table public.post_tags from public, anon, authenticated;
grant select, delete on table public.post_tags to authenticated;
grant all on table public.post_tags to service_role;

create table public.notifications (
  id uuid not null default private.new_id(),
  user_id uuid not null,
  actor_id uuid not null,
  type text not null,
  post_id uuid,
  comment_id uuid,
  story_id uuid,
  message text,
  read boolean not null default false,
  created_at timestamptz not null default now(),
  about text,
  group_key text collate "C" generated always as (
case
    when (type = 'other'::text) then (id)::text
    else ((type || ' '::text) || COALESCE(
    case
        when (type = any (array['mention'::text, 'comment_like'::text])) then (comment_id)::text
        else null::text
    end, (post_id)::text, (story_id)::text, ((floor((EXTRACT(epoch from (created_at AT TIME ZONE 'UTC'::text)) / (86400)::numeric)))::integer)::text))
end) stored not null,
  constraint notifications_not_oneself check (user_id <> actor_id),
  constraint notifications_about check (about is null or type = 'other' and (about in ('follow_request', 'follow_accepted'))),
  constraint notifications_pkey primary key (id),
  constraint notifications_user_id_fkey foreign key (user_id) references public.profiles (id) on delete cascade,
  constraint notifications_actor_id_fkey foreign key (actor_id) references public.profiles (id) on delete cascade,
  constraint notifications_post_id_fkey foreign key (post_id) references public.posts (id) on delete cascade,
  constraint notifications_comment_id_fkey foreign key (comment_id) references public.comments (id) on delete cascade,
  constraint notifications_story_id_fkey foreign key (story_id) references public.stories (id) on delete cascade,
  constraint notifications_type_check check (type in ('like', 'comment', 'mention', 'reply', 'comment_like', 'follow', 'story_view', 'other')),
  constraint notifications_subject check (
    case
      when type = 'like' then post_id is not null
      when type in ('comment', 'reply', 'comment_like') then post_id is not null and comment_id is not null
      when type = 'mention' then num_nonnulls(post_id, story_id) = 1
      when type = 'story_view' then story_id is not null
      when type = 'other' then message is not null
      else true
    end)
);
comment on table public.notifications is
  'Events for a member. Type `mention` is about a comment, a post or a story. Type `other` has a message: a '
  'follow request, or its acceptance.';
comment on column public.notifications.about is 'The kind of an `other` notification, for clients; its message is for people.';
comment on column public.notifications.group_key is
  'Equal in notifications of the same type about the same post, story or comment. Follows of one day (UTC) '
  'form a group; notifications of type `other` form none.';
-- At most one notification per actor, kind, subject and recipient; also finds those of an actor.
create unique index notifications_event_key on public.notifications (actor_id, COALESCE(about, NULLIF(type, 'other'::text)), COALESCE(comment_id, story_id, post_id, user_id), user_id);
-- With the columns that the functions below read of many rows: they do not visit the table.
create index notifications_time_idx on public.notifications (user_id, created_at desc, id desc) include (group_key, actor_id);
create index notifications_group_idx on public.notifications (user_id, group_key, created_at desc, id desc) include (actor_id);
create index notifications_unread_group_idx on public.notifications (user_id, group_key) include (actor_id) where (not read);
create unique index notifications_comment_key on public.notifications (comment_id, user_id, actor_id) where (comment_id is not null);
create index notifications_post_idx on public.notifications (post_id) where (post_id is not null);
create index notifications_story_idx on public.notifications (story_id) where (story_id is not null);
alter table public.notifications enable row level security;
revoke all on table public.notifications from public, anon, authenticated;
grant select, delete, update (read) on table public.notifications to authenticated;
grant all on table public.notifications to service_role;

create table private.withdrawn_notifications (
  actor_id uuid not null,
  recipient_id uuid not null,
  kind text not null,
  -- The post of a like, else the recipient.
  subject_id uuid not null,
  -- Null when the recipient had deleted the notification.
  notification_id uuid,
  read boolean not null,
  notified_at timestamptz not null,
  constraint withdrawn_notifications_pkey primary key (actor_id, kind, subject_id),
  constraint withdrawn_notifications_actor_id_fkey foreign key (actor_id) references public.profiles (id) on delete cascade,
  constraint withdrawn_notifications_recipient_id_fkey foreign key (recipient_id) references public.profiles (id) on delete cascade,
  constraint withdrawn_notifications_kind_check check (kind in ('like', 'comment_like', 'follow', 'follow_request'))
);
comment on table private.withdrawn_notifications is
  'Notifications whose like, follow or request was undone, kept for a day after they were inserted: doing it '
  'again restores the same row with its read state.';
comment on column private.withdrawn_notifications.subject_id is 'The post or comment of a like, else the recipient.';
create index withdrawn_notifications_recipient_idx on private.withdrawn_notifications (recipient_id);
create index withdrawn_notifications_notified_idx on private.withdrawn_notifications (notified_at);
alter table private.withdrawn_notifications enable row level security;
revoke all on table private.withdrawn_notifications from public, anon, authenticated;
grant all on table private.withdrawn_notifications to service_role;

create function private.broadcast_notifications() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  concerned record;
begin
  for concerned in
    select
      changed.user_id,
      changed.type in ('like', 'comment_like', 'follow') as may_wait,
      array_agg(changed.id order by changed.created_at, changed.id) as ids,
      -- A block hides notifications of the other member.
      case when private.broadcasts_carry_rows() then
        jsonb_agg(changed) filter (where not exists (
          select 1 from public.blocks b
          where (b.blocker_id, b.blocked_id) in ((changed.user_id, changed.actor_id), (changed.actor_id, changed.user_id))
        ))
      end as new_rows
    from changed
    group by changed.user_id, may_wait
  loop
    if concerned.may_wait then
      perform private.announce('notifications', tg_op, concerned.user_id, concerned.ids, concerned.new_rows);
    else
      perform private.broadcast_change('notifications', tg_op, concerned.user_id, concerned.ids, concerned.new_rows);
    end if;
  end loop;
  return null;
end
$$;
comment on function private.broadcast_notifications() is 'Broadcasts new notifications to their recipients.';
revoke execute on function private.broadcast_notifications() from public, anon, authenticated;

create function private.delete_withdrawn_notifications(max_rows integer) returns integer
  language sql security definer set search_path = ''
as $$
  with removed as (
    -- An array is evaluated once; a plan may evaluate a subquery per row, with different results.
    delete from private.withdrawn_notifications where ctid = any (array(
      select ctid from private.withdrawn_notifications where notified_at <= now() - interval '1 day'
      order by notified_at limit max_rows for update skip locked
    ))
    returning 1
  )
  select count(*)::integer from removed
$$;
comment on function private.delete_withdrawn_notifications(integer) is 'Deletes at most max_rows withdrawn notifications that are more than a day old; returns how many.';
revoke execute on function private.delete_withdrawn_notifications(integer) from public, anon, authenticated;

create function private.add_notifications(events private.notification_event[]) returns void
  language sql security definer set search_path = ''
as $$
  insert into public.notifications (id, user_id, actor_id, type, about, message, post_id, comment_id, read, created_at)
    select
      coalesce(t.notification_id, private.new_id()),
      e.recipient_id,
      e.actor_id,
      case when m.message is null then e.kind else 'other' end,
      case when m.message is not null then e.kind end,
      m.message,
      case e.kind when 'like' then e.subject_id when 'comment_like' then c.post_id end,
      c.id,
      coalesce(t.read, false),
      coalesce(t.notified_at, now())
    from unnest(events) as e
    left join (values
      ('follow_request', 'asked to follow you'),
      ('follow_accepted', 'accepted your request to follow')
    ) as m (kind, message) on m.kind = e.kind
    left join public.comments c on e.kind = 'comment_like' and c.id = e.subject_id
    left join private.withdrawn_notifications t
      on t.actor_id = e.actor_id and t.kind = e.kind and t.subject_id = e.subject_id and t.notified_at > now() - interval '1 day'
    where t.actor_id is null or t.notification_id is not null
    on conflict do nothing
$$;
comment on function private.add_notifications(private.notification_event[]) is
  'Inserts notifications. One that was withdrawn within a day is restored as it was, unless its recipient had '
  'deleted it.';
revoke execute on function private.add_notifications(private.notification_event[]) from public, anon, authenticated;

create function private.withdraw_notifications(events private.notification_event[]) returns void
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
comment on function private.withdraw_notifications(private.notification_event[]) is
  'Deletes the notifications of events that were undone, and remembers them for a day. Deletes twice as many '
  'outdated ones, so that the table stays small on a server without a scheduler.';
revoke execute on function private.withdraw_notifications(private.notification_event[]) from public, anon, authenticated;

create function private.notify(operation text, events private.notification_event[]) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  if operation = 'INSERT' then
    perform private.add_notifications(events);
  else
    perform private.withdraw_notifications(events);
  end if;
end
$$;
comment on function private.notify(text, private.notification_event[]) is 'For triggers: adds notifications when a row is inserted and withdraws them when it is deleted.';
revoke execute on function private.notify(text, private.notification_event[]) from public, anon, authenticated;

create function public.unread_notifications() returns integer
  language sql stable set search_path = '' set enable_bitmapscan = off
as $$
  select count(*)::integer
  from (
    select 1 from public.notifications n
    where n.user_id = (select auth.uid()) and not n.read
      and n.actor_id not in (select m.muted_id from public.mutes m where m.muter_id = (select auth.uid()))
    -- The order of notifications_unread_group_idx: the first ten of it are read, not the table.
    order by n.group_key limit 10
  ) as counted
$$;
comment on function public.unread_notifications() is
  'The caller''s unread notifications, 0 to 10: the badge shows 9+ above nine. Leaves out those of muted '
  'members, as notification_groups() does.';
revoke execute on function public.unread_notifications() from public, anon, authenticated;
grant execute on function public.unread_notifications() to authenticated, service_role;

create function private.may_notify(recipient uuid, actor uuid, owner uuid, audience text) returns boolean
  language sql stable security definer set search_path = ''
as $$
  select recipient <> actor
    and private.may_read(recipient, owner, audience)
    and not exists (
      select from public.blocks b
      where (b.blocker_id = recipient and b.blocked_id = actor) or (b.blocker_id = actor and b.blocked_id = recipient)
    )
    and not exists (select from public.mutes m where m.muter_id = recipient and m.muted_id = actor)
$$;
comment on function private.may_notify(uuid, uuid, uuid, text) is
  'Whether what an actor wrote may notify a member: they may see the owner''s post or story and what the actor '
  'writes, and have not muted the actor.';
revoke execute on function private.may_notify(uuid, uuid, uuid, text) from public, anon, authenticated;

create function private.mentioned_members(body text, actor uuid, owner uuid, audience text) returns setof uuid
  language sql stable security definer rows 5 set search_path = ''
as $$
  select p.id
  from private.mentions(body) as name
  join public.profiles p on p.username = name
  where private.may_notify(p.id, actor, owner, audience)
  order by strpos(lower(body), '@' || name)
  limit 20
$$;
comment on function private.mentioned_members(text, uuid, uuid, text) is
  'Members that a text mentions and may notify: the first twenty, so that nobody can notify hundreds at once.';
revoke execute on function private.mentioned_members(text, uuid, uuid, text) from public, anon, authenticated;

create function private.notification_heads(
  before_at timestamptz,
  before_id uuid
) returns table (id uuid, is_group boolean)
  language plpgsql stable security definer rows 20 set search_path = '' set plan_cache_mode = force_custom_plan set enable_bitmapscan = off set jit = off
as $$
#variable_conflict use_column
declare
  most constant integer := 20;
  me constant uuid := (select auth.uid());
  left_out constant uuid[] :=
    array(select private.my_hidden_ids()) || array(select m.muted_id from public.mutes m where m.muter_id = me);
  lost constant uuid[] := array(select private.lost_notification_ids());
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
        where walked.actor_id <> all (left_out) and walked.id <> all (lost)
        group by walked.group_key
        order by min(walked.place)
      ) as latest
      cross join lateral (
        select n.id from public.notifications n
        where n.user_id = me and n.group_key = latest.group_key
          and (n.created_at, n.id) < (from_at, from_id) and n.actor_id <> all (left_out)
          and n.id <> all (lost)
        order by n.created_at desc, n.id desc limit 1
      ) as head
      -- A group with a later notification is on an earlier page.
      where before_at is null or not exists (
        select from public.notifications n
        where n.user_id = me and n.group_key = latest.group_key
          and (n.created_at, n.id) >= (from_at, from_id) and n.actor_id <> all (left_out)
          and n.id <> all (lost)
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
          and n.id <> all (lost)
        order by n.created_at, n.id limit 1;
    end if;
  end if;
end
$$;
comment on function private.notification_heads(timestamptz, uuid) is
  'The latest notification of each of the caller''s next twenty groups, older than a given notification, '
  'without those of muted and hidden members. Reads at most 5,000 notifications; if there are more but not '
  'twenty groups among them, the last row is the last visible one of these, which is no group.';
revoke execute on function private.notification_heads(timestamptz, uuid) from public, anon, authenticated;
grant execute on function private.notification_heads(timestamptz, uuid) to authenticated, service_role;

create function public.notification_groups(
  before_at timestamptz default NULL::timestamptz,
  before_id uuid default NULL::uuid
) returns table (
  id uuid,
  group_key text,
  type text,
  about text,
  message text,
  post_id uuid,
  comment_id uuid,
  story_id uuid,
  created_at timestamptz,
  read boolean,
  content text,
  actor_count integer,
  actors jsonb
)
  language sql stable set search_path = '' set enable_bitmapscan = off set jit = off
as $$
  with
    mine as not materialized (
      select * from public.notifications n
      where n.user_id = (select auth.uid())
        and n.actor_id not in (select m.muted_id from public.mutes m where m.muter_id = (select auth.uid()))
    )
  select
    n.id, n.group_key, n.type, n.about, n.message, n.post_id, n.comment_id, n.story_id, n.created_at,
    -- Not `not exists`, which may be hashed: that reads all unread notifications of the caller.
    (select true from mine u where u.group_key = n.group_key and not u.read limit 1) is null,
    coalesce(c.content, p.content),
    members.actor_count,
    members.actors
  from private.notification_heads(before_at, before_id) as head
  -- A look-up for each group; the planner would join with all notifications of the caller.
  cross join lateral (select * from public.notifications where id = head.id offset 0) as n
  left join public.posts p on p.id = n.post_id
  left join public.comments c on c.id = n.comment_id
  cross join lateral (
    select
      count(*)::integer as actor_count,
      jsonb_agg(
        jsonb_build_object(
          'id', a.id,
          'username', a.username,
          'avatar_url', a.avatar_url,
          'avatar_path', a.avatar_path,
          'is_private', a.is_private
        )
        order by ranked.place
      ) filter (where a.id is not null) as actors
    from (
      select events.actor_id, row_number() over (order by max(events.created_at) desc, events.actor_id) as place
      from (
        select e.actor_id, e.created_at from mine e
        where head.is_group and e.group_key = n.group_key
        order by e.created_at desc, e.id desc limit 101
      ) as events
      group by events.actor_id
    ) as ranked
    -- Looks two profiles up instead of reading all of them.
    left join lateral (
      select * from public.profiles p where ranked.place <= 2 and p.id = ranked.actor_id
      offset 0
    ) as a on true
  ) as members
  order by n.created_at desc, n.id desc
$$;
comment on function public.notification_groups(timestamptz, uuid) is
  'A page of twenty of the caller''s groups of notifications, by their latest one, older than a given '
  'notification; without one, the latest. Without those of muted members. Each has the columns of that one, '
  'the text of its comment or post, whether all are read, the latest two actors, and how many actors are among '
  'its latest 101 notifications. A last row with an actor_count of 0 is no group: the next page starts there.';
revoke execute on function public.notification_groups(timestamptz, uuid) from public, anon, authenticated;
grant execute on function public.notification_groups(timestamptz, uuid) to authenticated, service_role;

create function private.broadcast_deleted_notifications() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  told record;
begin
  for told in
    select c.user_id, c.type in ('like', 'comment_like', 'follow') as may_wait,
      (array_agg(c.id order by c.created_at desc, c.id))[1:100] as ids
    from changed c
    -- Not to members who are deleted with their notifications.
    join public.profiles p on p.id = c.user_id
    group by c.user_id, may_wait
    order by max(c.created_at) desc
    limit 500
  loop
    if told.may_wait then
      perform private.announce('notifications', 'DELETE', told.user_id, told.ids);
    else
      perform private.broadcast_change('notifications', 'DELETE', told.user_id, told.ids);
    end if;
  end loop;
  return null;
end
$$;
comment on function private.broadcast_deleted_notifications() is
  'Broadcasts the ids of deleted notifications to their recipients: once for each statement and member, to at '
  'most 500.';
revoke execute on function private.broadcast_deleted_notifications() from public, anon, authenticated;

create trigger post_tags_apart before insert on public.post_tags
  for each row when (auth.uid() is not null) execute function private.skip_apart();
create trigger post_tags_allow_delete before delete on public.post_tags
  for each statement when (row_security_active('public.post_tags')) execute function private.refuse_spent('removals');
create trigger post_tags_tally_delete after delete on public.post_tags
  for each statement when (pg_catalog.row_security_active('public.post_tags')) execute function private.count_quota('removals');

create trigger notifications_allow_read before update of read on public.notifications
  for each statement when (row_security_active('public.notifications')) execute function private.refuse_spent('read_marks');
create trigger notifications_tally_read after update of read on public.notifications
  for each statement when (pg_catalog.row_security_active('public.notifications'))
  execute function private.count_quota('read_marks');
create trigger notifications_broadcast after insert on public.notifications
  referencing new table as changed for each statement execute function private.broadcast_notifications();

-- Clients can change no other column.
create trigger notifications_keep_read before update of read on public.notifications
  for each row when (row_security_active('public.notifications') and (old.read or not new.read))
  execute function private.skip_update();

-- Accepting a request locks the request, and may notify thousands at once.
create trigger notifications_apart before insert on public.notifications
  for each row when (new.actor_id = auth.uid() and new.about is distinct from 'follow_accepted')
  execute function private.skip_apart();
create trigger notifications_allow_delete before delete on public.notifications
  for each statement when (row_security_active('public.notifications')) execute function private.refuse_spent('removals');
create trigger notifications_tally_delete after delete on public.notifications
  for each statement when (pg_catalog.row_security_active('public.notifications')) execute function private.count_quota('removals');
create trigger notifications_broadcast_delete after delete on public.notifications
  referencing old table as changed
  for each statement when (coalesce(pg_catalog.current_setting('vignette.is_cleaning', true), '') <> 'on')
  execute function private.broadcast_deleted_notifications();

create policy post_tags_session on public.post_tags as restrictive for all to authenticated
  using (nullif((select private.is_member()), false) is not null)
  with check (nullif((select private.is_member()), false) is not null);
create policy post_tags_select on public.post_tags for select to authenticated
  using (
    tagged_user_id = (select auth.uid())
    or (
      exists (select 1 from public.posts p where p.id = post_id offset 0)
      and exists (
        select 1 from public.profiles p
        where p.id = tagged_user_id and (not p.is_private or p.id in (select private.my_following_ids()))
        offset 0
      )
    )
  );
create policy post_tags_delete on public.post_tags for delete to authenticated
  using (tagged_user_id = (select auth.uid()));
create policy post_tags_removed on public.post_tags as restrictive for select to authenticated
  using (post_id not in (select private.removed_post_ids()));

create policy notifications_session on public.notifications as restrictive for all to authenticated
  using (nullif((select private.is_member()), false) is not null)
  with check (nullif((select private.is_member()), false) is not null);
create policy notifications_select on public.notifications for select to authenticated
  using (user_id = (select auth.uid()) and actor_id not in (select private.my_hidden_ids()));
create policy notifications_update on public.notifications for update to authenticated
  using (user_id = (select auth.uid()))
  with check (user_id = (select auth.uid()));
create policy notifications_delete on public.notifications for delete to authenticated
  using (user_id = (select auth.uid()));

-- By id, which the indexes contain.
create policy notifications_lost on public.notifications as restrictive for select to authenticated
  using (id not in (select private.lost_notification_ids()));

set check_function_bodies = on;
