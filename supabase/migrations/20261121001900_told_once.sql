-- What members are told of likes, follows and requests, and that they are told once: docs/decisions/0024-notifications.md
-- and 0025-strangers.md.

alter table public.notifications
  add column about text,
  add constraint notifications_about check (
    about is null or (type = 'other' and about in ('follow_request', 'follow_accepted'))
  );
comment on column public.notifications.about is
  'What an `other` is about, for clients to tell them apart: its message is for people.';
comment on table public.notifications is
  'What happened to a member. `other` says it in message: that somebody asks to follow, or has accepted such a request.';
update public.notifications set about = 'follow_request' where type = 'other' and message = 'asked to follow you';

-- Whoever does a thing is told of once: the one index for what four did, in which each is found again.
create unique index notifications_once_key on public.notifications
  (actor_id, coalesce(about, nullif(type, 'other')), coalesce(comment_id, story_id, post_id, user_id));
drop index public.notifications_actor_idx;
drop index public.notifications_like_key;
drop index public.notifications_follow_key;
drop index public.notifications_view_key;

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

create or replace function private.remove_leftovers() returns integer
  language sql security definer set search_path = ''
as $$
  select private.remove_old_stories(1000) + private.remove_unsent_photos(1000) + private.remove_taken_back(10000)
$$;

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

revoke execute on function
  private.remove_taken_back(integer), private.tell(private.news[]), private.take_back(private.news[]),
  private.pass_on(text, private.news[])
  from public, anon, authenticated;

create or replace function private.notify_like() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.pass_on(tg_op, array(
    select (c.user_id, p.user_id, 'like', c.post_id, c.created_at)::private.news
    from changed c join public.posts p on p.id = c.post_id
    where p.user_id <> c.user_id
  ));
  return null;
end
$$;
comment on function private.notify_like() is
  'Tells a post''s author who liked it: who takes a like back and gives it again, once a day.';

create or replace function private.notify_follow() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.pass_on(tg_op, array(
    select (c.follower_id, c.following_id, 'follow', c.following_id, c.created_at)::private.news from changed c
    union all
    select (c.following_id, c.follower_id, 'follow_accepted', c.follower_id, c.created_at)::private.news from changed c
    where tg_op = 'DELETE'
  ));
  return null;
end
$$;
comment on function private.notify_follow() is
  'Tells a member who follows them now: who unfollows and follows again, once a day. A follow that ends takes with it '
  'also that its request was accepted.';

create or replace function private.notify_follow_request() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.pass_on(tg_op, array(
    select (c.requester_id, c.target_id, 'follow_request', c.target_id, c.created_at)::private.news from changed c
  ));
  return null;
end
$$;
comment on function private.notify_follow_request() is
  'Tells a private account who asks to follow it: who asks again, once a day. Gone when withdrawn or answered.';

create or replace trigger likes_forget after delete on public.likes
  referencing old table as changed for each statement execute function private.notify_like();
create or replace trigger follows_forget after delete on public.follows
  referencing old table as changed for each statement execute function private.notify_follow();
create or replace trigger follow_requests_forget after delete on public.follow_requests
  referencing old table as changed for each statement execute function private.notify_follow_request();
drop function private.forget_like();
drop function private.forget_follow();
drop function private.forget_follow_request();

create function private.accept_requests(requesters uuid[], target uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.follows (follower_id, following_id)
    select requester, target from unnest(requesters) as requester
    on conflict do nothing;
  perform private.tell(array(
    select (target, requester, 'follow_accepted', requester, now())::private.news
    from unnest(requesters) as requester
  ));
end
$$;
comment on function private.accept_requests(uuid[], uuid) is
  'Makes followers of members whose requests were just removed, and tells them that they were accepted.';
revoke execute on function private.accept_requests(uuid[], uuid) from public, anon, authenticated;

create or replace function private.accept_follow_request(requester uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  if me is null then
    raise sqlstate 'PT401' using message = 'Sign in first.';
  end if;
  delete from public.follow_requests where requester_id = requester and target_id = me;
  if not found then
    raise sqlstate 'PT404' using message = 'There is no such request any more.';
  end if;
  perform private.accept_requests(array[requester], me);
end
$$;
comment on function private.accept_follow_request(uuid) is
  'Turns a request to the caller into a follow and tells who asked. PT404 when it was withdrawn or answered meanwhile.';

create or replace function private.apply_privacy() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  new_audience constant text := case when new.is_private then 'followers' else 'public' end;
  requesters uuid[];
begin
  -- In the order in which likes and comments lock what they count on.
  perform 1 from public.posts where user_id = new.id and audience <> new_audience order by id for no key update;
  update public.posts set audience = new_audience where user_id = new.id and audience <> new_audience;
  update public.stories set audience = new_audience where user_id = new.id and audience <> new_audience;
  if not new.is_private then
    with accepted as (
      delete from public.follow_requests where target_id = new.id returning requester_id
    )
    select array_agg(requester_id) into requesters from accepted;
    perform private.accept_requests(requesters, new.id);
  end if;
  return null;
end
$$;
comment on function private.apply_privacy() is
  'Brings the audience of an account''s posts and stories in step with its privacy; going public accepts all requests '
  'and tells who asked.';
