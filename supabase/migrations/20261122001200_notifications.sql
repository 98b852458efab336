-- Notifications. Only triggers insert them, in the transaction of what they are about. A member who likes, unlikes and likes
-- again notifies once a day: docs/decisions/0024-notifications.md and 0025-strangers.md.

create table public.notifications (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  actor_id uuid not null references public.profiles (id) on delete cascade,
  type text not null check (type in ('like', 'comment', 'follow', 'story_view', 'other')),
  post_id uuid references public.posts (id) on delete cascade,
  comment_id uuid references public.comments (id) on delete cascade,
  story_id uuid references public.stories (id) on delete cascade,
  message text,
  read boolean not null default false,
  created_at timestamptz not null default now(),
  about text,
  constraint notifications_not_oneself check (user_id <> actor_id),
  constraint notifications_subject check (
    case type
      when 'like' then post_id is not null
      when 'comment' then post_id is not null and comment_id is not null
      when 'story_view' then story_id is not null
      when 'other' then message is not null
      else true
    end
  ),
  constraint notifications_about check (
    about is null or (type = 'other' and about in ('follow_request', 'follow_accepted'))
  )
);
comment on table public.notifications is
  'What happened to a member. `other` says it in message: that somebody asks to follow, or has accepted such a request.';
comment on column public.notifications.about is
  'What an `other` is about, for clients to tell them apart: its message is for people.';
create index notifications_user_idx on public.notifications (user_id, created_at desc, id desc);
create index notifications_unread_idx on public.notifications (user_id) where not read;
create index notifications_post_idx on public.notifications (post_id);
create index notifications_story_idx on public.notifications (story_id);
create unique index notifications_comment_key on public.notifications (comment_id);
-- At most one notification per actor, kind and subject; also finds those of an actor.
create unique index notifications_once_key on public.notifications
  (actor_id, coalesce(about, nullif(type, 'other')), coalesce(comment_id, story_id, post_id, user_id));
alter table public.notifications enable row level security;
revoke all on table public.notifications from public, anon, authenticated;
grant all on table public.notifications to service_role;
grant select, delete on table public.notifications to authenticated;
grant update (read) on table public.notifications to authenticated;

create function private.broadcast_notifications() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.broadcast_change('notifications', tg_op, concerned.user_id, concerned.ids)
    from (
      select changed.user_id, array_agg(changed.id order by changed.created_at, changed.id) as ids
      from changed
      group by changed.user_id
    ) as concerned;
  return null;
end
$$;
comment on function private.broadcast_notifications() is 'Broadcasts new notifications to the members they are for.';
revoke execute on function private.broadcast_notifications() from public, anon, authenticated;
create trigger notifications_broadcast after insert on public.notifications
  referencing new table as changed for each statement execute function private.broadcast_notifications();

create table private.taken_back (
  actor_id uuid not null references public.profiles (id) on delete cascade,
  recipient_id uuid not null references public.profiles (id) on delete cascade,
  kind text not null check (kind in ('like', 'follow', 'follow_request')),
  -- The post of a like, else the recipient.
  thing uuid not null,
  -- Null when the recipient had deleted the notification.
  notification_id uuid,
  read boolean not null,
  told_at timestamptz not null,
  primary key (actor_id, kind, thing)
);
comment on table private.taken_back is
  'Notifications that went because their like, follow or request was taken back, for a day from when they were made: '
  'the same again puts the same row back, as read as it was. Outside the API.';
create index taken_back_recipient_idx on private.taken_back (recipient_id);
create index taken_back_told_idx on private.taken_back (told_at);
alter table private.taken_back enable row level security;
revoke all on table private.taken_back from public, anon, authenticated;
grant all on table private.taken_back to service_role;

create type private.news as (
  actor_id uuid,
  recipient_id uuid,
  -- As in taken_back, or follow_accepted, which is never kept.
  kind text,
  -- The post of a like, else the recipient.
  thing uuid,
  since timestamptz
);
comment on type private.news is 'Something that an actor has done, or has taken back, and that its recipient is told of.';

create function private.remove_taken_back(most integer) returns integer
  language sql security definer set search_path = ''
as $$
  with removed as (
    -- As an array, which is found once: a plan may ask a subquery again for each row, and each time get others.
    delete from private.taken_back where ctid = any (array(
      select ctid from private.taken_back where told_at <= now() - interval '1 day'
      order by told_at limit most for update skip locked
    ))
    returning 1
  )
  select count(*)::integer from removed
$$;
comment on function private.remove_taken_back(integer) is
  'Forgets what was told more than a day ago and taken back, so much at most; gives how much.';
revoke execute on function private.remove_taken_back(integer) from public, anon, authenticated;

create function private.tell(news private.news[]) returns void
  language sql security definer set search_path = ''
as $$
  insert into public.notifications (id, user_id, actor_id, type, about, message, post_id, read, created_at)
    select
      coalesce(t.notification_id, gen_random_uuid()),
      n.recipient_id,
      n.actor_id,
      case when m.message is null then n.kind else 'other' end,
      case when m.message is not null then n.kind end,
      m.message,
      nullif(n.thing, n.recipient_id),
      coalesce(t.read, false),
      coalesce(t.told_at, now())
    from unnest(news) as n
    left join (values
      ('follow_request', 'asked to follow you'),
      ('follow_accepted', 'accepted your request to follow')
    ) as m (kind, message) on m.kind = n.kind
    left join private.taken_back t
      on t.actor_id = n.actor_id and t.kind = n.kind and t.thing = n.thing and t.told_at > now() - interval '1 day'
    where t.actor_id is null or t.notification_id is not null
    on conflict do nothing
$$;
comment on function private.tell(private.news[]) is
  'Tells what has happened. What was told within a day and taken back is put back as it was, and stays away if its '
  'recipient had thrown it away.';
revoke execute on function private.tell(private.news[]) from public, anon, authenticated;

create function private.take_back(news private.news[]) returns void
  language sql security definer set search_path = ''
as $$
  with gone as (
    delete from public.notifications g using unnest(news) as n
      where g.actor_id = n.actor_id
        and coalesce(g.about, nullif(g.type, 'other')) = n.kind
        and coalesce(g.comment_id, g.story_id, g.post_id, g.user_id) = n.thing
      returning n.actor_id, n.kind, n.thing, g.id, g.read, g.created_at
  )
  insert into private.taken_back
    select n.actor_id, n.recipient_id, n.kind, n.thing, g.id, coalesce(g.read, true), coalesce(g.created_at, n.since)
    from unnest(news) as n
    left join gone g using (actor_id, kind, thing)
    -- Of an account that is being deleted nothing is kept.
    join public.profiles actor on actor.id = n.actor_id
    join public.profiles recipient on recipient.id = n.recipient_id
    -- An accepted request is told each time: it answers a new one, and who asked waits for it.
    where n.kind <> 'follow_accepted' and coalesce(g.created_at, n.since) > now() - interval '1 day'
    order by n.actor_id, n.kind, n.thing
  on conflict (actor_id, kind, thing) do update set
    notification_id = excluded.notification_id,
    read = excluded.read,
    told_at = case
      when excluded.notification_id is null and taken_back.told_at > now() - interval '1 day'
        then least(taken_back.told_at, excluded.told_at)
      else excluded.told_at
    end;
  select private.remove_taken_back(greatest(20, 2 * cardinality(news)));
$$;
comment on function private.take_back(private.news[]) is
  'Removes what was told of what is taken back now, and remembers it; forgets twice as much that is too old, so that also '
  'where nothing runs on a schedule no more than a day''s is held.';
revoke execute on function private.take_back(private.news[]) from public, anon, authenticated;

create function private.pass_on(operation text, news private.news[]) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  if operation = 'INSERT' then
    perform private.tell(news);
  else
    perform private.take_back(news);
  end if;
end
$$;
comment on function private.pass_on(text, private.news[]) is
  'For triggers: what is told when a row comes is taken back when it goes.';
revoke execute on function private.pass_on(text, private.news[]) from public, anon, authenticated;

create function public.unread_notifications() returns integer
  language sql stable security invoker set search_path = ''
as $$
  select count(*)::integer
  from (
    select 1 from public.notifications where user_id = (select auth.uid()) and not read limit 10
  ) as unread
$$;
comment on function public.unread_notifications() is
  'Unread notifications of the caller, 0 to 10: the badge says 9+ above nine, so ten rows are all it reads.';
revoke execute on function public.unread_notifications() from public, anon, authenticated;
grant execute on function public.unread_notifications() to authenticated, service_role;

create policy notifications_session on public.notifications as restrictive for all to authenticated
  using (nullif((select private.is_member()), false) is not null)
  with check (nullif((select private.is_member()), false) is not null);
create policy notifications_select on public.notifications for select to authenticated
  using (user_id = (select auth.uid()) and actor_id not in (select private.my_hidden_ids()));
create policy notifications_update on public.notifications for update to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy notifications_delete on public.notifications for delete to authenticated
  using (user_id = (select auth.uid()));
