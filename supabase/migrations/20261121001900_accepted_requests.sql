-- What a request to follow comes to: the one who asked is told, see docs/decisions/0024-notifications.md.

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
create unique index notifications_accepted_key on public.notifications (user_id, actor_id)
  where about = 'follow_accepted';

create or replace function private.notify_follow_request() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.notifications (user_id, actor_id, type, about, message)
    select c.target_id, c.requester_id, 'other', 'follow_request', 'asked to follow you' from changed c;
  return null;
end
$$;

create or replace function private.forget_follow_request() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.notifications n using changed c
    where n.about = 'follow_request' and n.user_id = c.target_id and n.actor_id = c.requester_id;
  return null;
end
$$;

create function private.notify_accepted(requesters uuid[], accepted_by uuid) returns void
  language sql security definer set search_path = ''
as $$
  insert into public.notifications (user_id, actor_id, type, about, message)
    select requester, accepted_by, 'other', 'follow_accepted', 'accepted your request to follow'
    from unnest(requesters) as requester
    on conflict do nothing
$$;
comment on function private.notify_accepted(uuid[], uuid) is 'Tells members that their requests to follow were accepted.';
revoke execute on function private.notify_accepted(uuid[], uuid) from public, anon, authenticated;

create or replace function private.forget_follow() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.notifications n using changed c
    where n.type = 'follow' and n.user_id = c.following_id and n.actor_id = c.follower_id;
  delete from public.notifications n using changed c
    where n.about = 'follow_accepted' and n.user_id = c.follower_id and n.actor_id = c.following_id;
  return null;
end
$$;
comment on function private.forget_follow() is
  'A follow that ends takes its notification with it, and the one that its request was accepted.';

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
  insert into public.follows (follower_id, following_id) values (requester, me) on conflict do nothing;
  perform private.notify_accepted(array[requester], me);
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
  update public.posts set audience = new_audience where user_id = new.id and audience <> new_audience;
  update public.stories set audience = new_audience where user_id = new.id and audience <> new_audience;
  if not new.is_private then
    with accepted as (
      delete from public.follow_requests where target_id = new.id returning requester_id
    )
    select array_agg(requester_id) into requesters from accepted;
    insert into public.follows (follower_id, following_id)
      select requester, new.id from unnest(requesters) as requester
      on conflict do nothing;
    perform private.notify_accepted(requesters, new.id);
  end if;
  return null;
end
$$;
comment on function private.apply_privacy() is
  'Brings the audience of an account''s posts and stories in step with its privacy; going public accepts all requests '
  'and tells who asked.';

-- What somebody wrote whom one has blocked since is no news: one sees nothing of them. It counts again once they are
-- unblocked, and 'Seen' tells them nothing meanwhile.
create or replace function public.unread_conversations() returns integer
  language sql stable security invoker set search_path = ''
as $$
  with recursive unread as (
    (
      select conversation_id, sender_id from public.messages
      where recipient_id = (select auth.uid()) and not read and deleted_at is null
      order by conversation_id limit 1
    )
    union all
    select further.conversation_id, further.sender_id
    from unread u
    cross join lateral (
      select m.conversation_id, m.sender_id from public.messages m
      where m.recipient_id = (select auth.uid()) and not m.read and m.deleted_at is null
        and m.conversation_id > u.conversation_id
      order by m.conversation_id limit 1
    ) as further
  )
  select count(*)::integer
  from (
    select 1 from unread
    where sender_id not in (select blocked_id from public.blocks where blocker_id = (select auth.uid()))
    limit 10
  ) as counted
$$;
comment on function public.unread_conversations() is
  'Conversations with a message that the caller has not read, but for those with members they have blocked, 0 to 10: the '
  'badge says 9+ above nine. Goes from one conversation to the next by the index, however many messages wait in each.';
