-- '@username' in a post, a caption or a comment notifies that member: docs/decisions/0049-mentions-and-replies.md.

alter table public.notifications
  drop constraint notifications_type_check,
  add constraint notifications_type_check check (type in ('like', 'comment', 'mention', 'follow', 'story_view', 'other')),
  drop constraint notifications_subject,
  add constraint notifications_subject check (
    case type
      when 'like' then post_id is not null
      when 'comment' then post_id is not null and comment_id is not null
      when 'mention' then num_nonnulls(post_id, story_id) = 1
      when 'story_view' then story_id is not null
      when 'other' then message is not null
      else true
    end
  );
comment on table public.notifications is
  'Events for a member. Type `mention` is about a comment, a post or a story. Type `other` has a message: a follow request, or '
  'its acceptance.';

-- One item may notify several members.
drop index public.notifications_comment_key;
create unique index notifications_comment_key on public.notifications (comment_id, user_id, actor_id);
drop index public.notifications_event_key;
-- At most one notification per actor, kind, subject and recipient; also finds those of an actor.
create unique index notifications_event_key on public.notifications
  (actor_id, coalesce(about, nullif(type, 'other')), coalesce(comment_id, story_id, post_id, user_id), user_id);

create function private.may_notify(recipient uuid, actor uuid, owner uuid, audience text) returns boolean
  language sql stable security definer set search_path = ''
as $$
  select recipient <> actor
    and (
      recipient = owner
      or audience = 'public'
      or exists (select 1 from public.follows f where f.follower_id = recipient and f.following_id = owner)
    )
    and not exists (
      select 1 from public.blocks b
      where (b.blocker_id = recipient and b.blocked_id in (actor, owner))
        or (b.blocked_id = recipient and b.blocker_id in (actor, owner))
    )
    and not exists (select 1 from public.mutes m where m.muter_id = recipient and m.muted_id = actor)
$$;
comment on function private.may_notify(uuid, uuid, uuid, text) is
  'Whether what an actor wrote may notify a member: they may see the owner''s post or story and what the actor writes, and '
  'have not muted the actor.';
revoke execute on function private.may_notify(uuid, uuid, uuid, text) from public, anon, authenticated;

create function private.mentioned_members(body text, actor uuid, owner uuid, audience text) returns setof uuid
  language sql stable security definer set search_path = '' rows 5
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

create function private.notify_post_mentions() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.notifications (user_id, actor_id, type, post_id)
    select member, new.user_id, 'mention', new.id
    from private.mentioned_members(new.content, new.user_id, new.user_id, new.audience) as member
    join public.profiles p on p.id = member
    where p.username not in (select private.mentions(old.content))
    on conflict do nothing;
  return null;
end
$$;
comment on function private.notify_post_mentions() is
  'Notifies the members that a post, or an edit of it, newly mentions. Each member is notified once per post.';
revoke execute on function private.notify_post_mentions() from public, anon, authenticated;
create trigger posts_notify_mentions after insert or update of content on public.posts
  for each row execute function private.notify_post_mentions();

create function private.notify_story_mentions() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.notifications (user_id, actor_id, type, story_id)
    select member, new.user_id, 'mention', new.id
    from private.mentioned_members(new.content, new.user_id, new.user_id, new.audience) as member
    on conflict do nothing;
  return null;
end
$$;
comment on function private.notify_story_mentions() is 'Notifies the members that the caption of a new story mentions.';
revoke execute on function private.notify_story_mentions() from public, anon, authenticated;
create trigger stories_serialize before insert on public.stories
  for each statement execute function private.serialize_writes('shared');
create trigger stories_notify_mentions after insert on public.stories
  for each row when (new.content is not null) execute function private.notify_story_mentions();

create or replace function private.notify_comment() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.notifications (user_id, actor_id, type, post_id, comment_id)
    select distinct on (c.id, concerned.member) concerned.member, c.user_id, concerned.type, c.post_id, c.id
    from changed c
    join public.posts p on p.id = c.post_id
    cross join lateral (
      select member, 'mention', 1 from private.mentioned_members(c.content, c.user_id, p.user_id, p.audience) as member
      union all
      select p.user_id, 'comment', 2
    ) as concerned (member, type, place)
    where concerned.member <> c.user_id
    order by c.id, concerned.member, concerned.place;
  return null;
end
$$;
comment on function private.notify_comment() is
  'Notifies the members that a comment mentions, and the post''s author: each once, of the more specific event. The '
  'foreign key deletes the notifications with the comment.';
