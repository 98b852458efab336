-- Liking, following or asking again what was just taken back is no news: see docs/decisions/0025-strangers.md.

create table private.taken_back (
  actor_id uuid not null references public.profiles (id) on delete cascade,
  recipient_id uuid not null references public.profiles (id) on delete cascade,
  kind text not null check (kind in ('like', 'follow', 'follow_request')),
  -- The post of a like, else the recipient.
  thing uuid not null,
  -- Null when the recipient had thrown the notification away.
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

create function private.remove_taken_back(most integer) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  removed integer;
begin
  -- As an array, which is found once: a plan may ask a subquery again for each row, and each time get others.
  delete from private.taken_back where ctid = any (array(
    select ctid from private.taken_back where told_at <= now() - interval '1 day'
    order by told_at limit most for update skip locked
  ));
  get diagnostics removed = row_count;
  return removed;
end
$$;
comment on function private.remove_taken_back(integer) is
  'Forgets what was told more than a day ago and taken back, so much at most; gives how much.';

create function private.keep_taken_back(gone private.taken_back[]) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  if gone is null then
    return;
  end if;
  -- Of an account that is being deleted nothing is kept.
  insert into private.taken_back
    select g.*
    from unnest(gone) as g
    join public.profiles actor on actor.id = g.actor_id
    join public.profiles recipient on recipient.id = g.recipient_id
    where g.told_at > now() - interval '1 day'
    order by g.actor_id, g.kind, g.thing
  on conflict (actor_id, kind, thing) do update set
    notification_id = excluded.notification_id,
    read = excluded.read,
    told_at = case
      when excluded.notification_id is null and taken_back.told_at > now() - interval '1 day'
        then least(taken_back.told_at, excluded.told_at)
      else excluded.told_at
    end;
  perform private.remove_taken_back(greatest(20, 2 * cardinality(gone)));
end
$$;
comment on function private.keep_taken_back(private.taken_back[]) is
  'Remembers what was told and is taken back now, and forgets twice as much that is too old: also where nothing runs on '
  'a schedule the table holds no more than a day''s.';

revoke execute on function private.remove_taken_back(integer), private.keep_taken_back(private.taken_back[])
  from public, anon, authenticated;

create or replace function private.remove_leftovers() returns integer
  language sql security definer set search_path = ''
as $$
  select private.remove_old_stories(1000) + private.remove_unsent_photos(1000) + private.remove_taken_back(10000)
$$;

create or replace function private.notify_like() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.notifications (id, user_id, actor_id, type, post_id, read, created_at)
    select coalesce(t.notification_id, gen_random_uuid()), p.user_id, c.user_id, 'like', c.post_id,
      coalesce(t.read, false), coalesce(t.told_at, now())
    from changed c
    join public.posts p on p.id = c.post_id
    left join private.taken_back t
      on t.actor_id = c.user_id and t.kind = 'like' and t.thing = c.post_id and t.told_at > now() - interval '1 day'
    where p.user_id <> c.user_id and (t.actor_id is null or t.notification_id is not null)
    on conflict do nothing;
  return null;
end
$$;
comment on function private.notify_like() is
  'Tells a post''s author who liked it: who takes a like back and gives it again, once a day.';

create or replace function private.forget_like() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  gone private.taken_back[];
begin
  with told as (
    delete from public.notifications n using changed c
      where n.type = 'like' and n.post_id = c.post_id and n.actor_id = c.user_id
      returning n.id, n.post_id, n.actor_id, n.read, n.created_at
  )
  select array_agg(row(
      c.user_id, p.user_id, 'like', c.post_id, t.id, coalesce(t.read, true), coalesce(t.created_at, c.created_at)
    )::private.taken_back) into gone
    from changed c
    join public.posts p on p.id = c.post_id
    left join told t on t.post_id = c.post_id and t.actor_id = c.user_id
    where p.user_id <> c.user_id;
  perform private.keep_taken_back(gone);
  return null;
end
$$;

create or replace function private.notify_follow() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.notifications (id, user_id, actor_id, type, read, created_at)
    select coalesce(t.notification_id, gen_random_uuid()), c.following_id, c.follower_id, 'follow',
      coalesce(t.read, false), coalesce(t.told_at, now())
    from changed c
    left join private.taken_back t
      on t.actor_id = c.follower_id and t.kind = 'follow' and t.thing = c.following_id
        and t.told_at > now() - interval '1 day'
    where t.actor_id is null or t.notification_id is not null
    on conflict do nothing;
  return null;
end
$$;
comment on function private.notify_follow() is
  'Tells a member who follows them now: who unfollows and follows again, once a day.';

create or replace function private.forget_follow() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  gone private.taken_back[];
begin
  with told as (
    delete from public.notifications n using changed c
      where n.type = 'follow' and n.user_id = c.following_id and n.actor_id = c.follower_id
      returning n.id, n.user_id, n.actor_id, n.read, n.created_at
  )
  select array_agg(row(
      c.follower_id, c.following_id, 'follow', c.following_id,
      t.id, coalesce(t.read, true), coalesce(t.created_at, c.created_at)
    )::private.taken_back) into gone
    from changed c
    left join told t on t.user_id = c.following_id and t.actor_id = c.follower_id;
  perform private.keep_taken_back(gone);
  -- Not kept: the next time it answers a new request, and who asked waits for it.
  delete from public.notifications n using changed c
    where n.about = 'follow_accepted' and n.user_id = c.follower_id and n.actor_id = c.following_id;
  return null;
end
$$;

create or replace function private.notify_follow_request() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.notifications (id, user_id, actor_id, type, about, message, read, created_at)
    select coalesce(t.notification_id, gen_random_uuid()), c.target_id, c.requester_id,
      'other', 'follow_request', 'asked to follow you', coalesce(t.read, false), coalesce(t.told_at, now())
    from changed c
    left join private.taken_back t
      on t.actor_id = c.requester_id and t.kind = 'follow_request' and t.thing = c.target_id
        and t.told_at > now() - interval '1 day'
    where t.actor_id is null or t.notification_id is not null
    on conflict do nothing;
  return null;
end
$$;
comment on function private.notify_follow_request() is
  'Tells a private account who asks to follow it: who asks again, once a day.';

create or replace function private.forget_follow_request() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  gone private.taken_back[];
begin
  with told as (
    delete from public.notifications n using changed c
      where n.about = 'follow_request' and n.user_id = c.target_id and n.actor_id = c.requester_id
      returning n.id, n.user_id, n.actor_id, n.read, n.created_at
  )
  select array_agg(row(
      c.requester_id, c.target_id, 'follow_request', c.target_id,
      t.id, coalesce(t.read, true), coalesce(t.created_at, c.created_at)
    )::private.taken_back) into gone
    from changed c
    left join told t on t.user_id = c.target_id and t.actor_id = c.requester_id;
  perform private.keep_taken_back(gone);
  return null;
end
$$;
