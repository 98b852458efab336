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
  'Events for a member. Type `other` has a message: a follow request, or its acceptance.';
comment on column public.notifications.about is
  'The kind of an `other` notification, for clients; its message is for people.';
create index notifications_user_idx on public.notifications (user_id, created_at desc, id desc);
create index notifications_unread_idx on public.notifications (user_id) where not read;
create index notifications_post_idx on public.notifications (post_id);
create index notifications_story_idx on public.notifications (story_id);
create unique index notifications_comment_key on public.notifications (comment_id);
-- At most one notification per actor, kind and subject; also finds those of an actor.
create unique index notifications_event_key on public.notifications
  (actor_id, coalesce(about, nullif(type, 'other')), coalesce(comment_id, story_id, post_id, user_id));
alter table public.notifications enable row level security;
revoke all on table public.notifications from public, anon, authenticated;
grant all on table public.notifications to service_role;
grant select, delete on table public.notifications to authenticated;
grant update (read) on table public.notifications to authenticated;

create trigger notifications_allow_read before update of read on public.notifications
  for each statement when (pg_catalog.row_security_active('public.notifications'))
  execute function private.count_quota('read_marks');
create trigger notifications_broadcast after insert on public.notifications
  referencing new table as changed for each statement execute function private.broadcast_notifications();

create table private.withdrawn_notifications (
  actor_id uuid not null references public.profiles (id) on delete cascade,
  recipient_id uuid not null references public.profiles (id) on delete cascade,
  kind text not null check (kind in ('like', 'follow', 'follow_request')),
  -- The post of a like, else the recipient.
  subject_id uuid not null,
  -- Null when the recipient had deleted the notification.
  notification_id uuid,
  read boolean not null,
  notified_at timestamptz not null,
  primary key (actor_id, kind, subject_id)
);
comment on table private.withdrawn_notifications is
  'Notifications whose like, follow or request was undone, kept for a day after they were inserted: doing it again '
  'restores the same row with its read state.';
create index withdrawn_notifications_recipient_idx on private.withdrawn_notifications (recipient_id);
create index withdrawn_notifications_notified_idx on private.withdrawn_notifications (notified_at);
alter table private.withdrawn_notifications enable row level security;
revoke all on table private.withdrawn_notifications from public, anon, authenticated;
grant all on table private.withdrawn_notifications to service_role;

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
comment on function private.delete_withdrawn_notifications(integer) is
  'Deletes at most max_rows withdrawn notifications that are more than a day old; returns how many.';
revoke execute on function private.delete_withdrawn_notifications(integer) from public, anon, authenticated;

create function private.add_notifications(events private.notification_event[]) returns void
  language sql security definer set search_path = ''
as $$
  insert into public.notifications (id, user_id, actor_id, type, about, message, post_id, read, created_at)
    select
      coalesce(t.notification_id, gen_random_uuid()),
      e.recipient_id,
      e.actor_id,
      case when m.message is null then e.kind else 'other' end,
      case when m.message is not null then e.kind end,
      m.message,
      nullif(e.subject_id, e.recipient_id),
      coalesce(t.read, false),
      coalesce(t.notified_at, now())
    from unnest(events) as e
    left join (values
      ('follow_request', 'asked to follow you'),
      ('follow_accepted', 'accepted your request to follow')
    ) as m (kind, message) on m.kind = e.kind
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
    where e.kind <> 'follow_accepted' and coalesce(d.created_at, e.since) > now() - interval '1 day'
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
comment on function private.notify(text, private.notification_event[]) is
  'For triggers: adds notifications when a row is inserted and withdraws them when it is deleted.';
revoke execute on function private.notify(text, private.notification_event[]) from public, anon, authenticated;

create function public.unread_notifications() returns integer
  language sql stable security invoker set search_path = ''
as $$
  select count(*)::integer
  from (
    select 1 from public.notifications where user_id = (select auth.uid()) and not read limit 10
  ) as unread
$$;
comment on function public.unread_notifications() is
  'The caller''s unread notifications, 0 to 10: the badge shows 9+ above nine, so the function reads at most ten '
  'rows.';
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
