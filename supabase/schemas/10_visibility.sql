-- Who is hidden from whom, and who may see what: docs/decisions/0108-one-rule-of-visibility.md.

-- Bodies may name what a later file creates.
set check_function_bodies = off;

create function private.my_hidden_ids() returns setof uuid
  language plpgsql stable security definer cost 1 rows 10 set search_path = ''
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
  'Members that the caller has blocked or who have blocked the caller, and removed accounts and holders. A '
  'set, hashed once per statement; never returned to clients, because it would show them who blocked them.';
revoke execute on function private.my_hidden_ids() from public, anon, authenticated;
grant execute on function private.my_hidden_ids() to authenticated, service_role;

create function private.my_following_ids() returns setof uuid
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return query select following_id from public.follows where follower_id = (select auth.uid());
end
$$;
comment on function private.my_following_ids() is
  'Members that the caller follows. A set, so that policies hash it once per statement instead of querying it '
  'per row.';
revoke execute on function private.my_following_ids() from public, anon, authenticated;
grant execute on function private.my_following_ids() to authenticated, service_role;

create function private.my_correspondent_ids() returns setof uuid
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return query select member_id from private.my_correspondents();
end
$$;
comment on function private.my_correspondent_ids() is 'Members who have written to the caller and are not hidden from them.';
revoke execute on function private.my_correspondent_ids() from public, anon, authenticated;
grant execute on function private.my_correspondent_ids() to authenticated, service_role;

create function private.is_apart(one uuid, other uuid) returns boolean
  language plpgsql security definer set search_path = ''
as $$
begin
  if one = other then
    return false;
  end if;
  if not pg_catalog.pg_try_advisory_xact_lock_shared(private.pair_key(one, other)) then
    return true;
  end if;
  -- A statement of its own: it sees the block whose lock was just released.
  return exists (
    select from public.blocks b
    where (b.blocker_id = one and b.blocked_id = other) or (b.blocker_id = other and b.blocked_id = one)
  );
end
$$;
comment on function private.is_apart(uuid, uuid) is
  'Whether one of two members has blocked the other or is about to. If not, a block of the two waits for the '
  'end of this transaction. Never waits.';
revoke execute on function private.is_apart(uuid, uuid) from public, anon, authenticated;

create function private.removed_member_ids() returns setof uuid
  language plpgsql stable security definer cost 1 rows 10 set search_path = ''
as $$
begin
  return query select j.subject_id from private.jobs j where j.kind = 'account';
end
$$;
comment on function private.removed_member_ids() is
  'Accounts and holders that wait to be cleaned up. A set, hashed once per statement; never returned to '
  'clients.';
revoke execute on function private.removed_member_ids() from public, anon, authenticated;
grant execute on function private.removed_member_ids() to authenticated;

-- All notifications of a member may be 125,000, which the bell would read for seconds: then it looks from what is removed.
create function private.lost_notification_ids() returns setof uuid
  language plpgsql stable security definer cost 1 rows 10 set search_path = '' set jit = off
as $$
declare
  most constant integer := 1000;
  me constant uuid := (select auth.uid());
  removed constant uuid[] := array(select private.removed_member_ids());
  posts uuid[];
  stories uuid[];
  comments uuid[];
  is_little boolean := false;
begin
  if cardinality(removed) = 0 then
    return;
  end if;
  -- From the smaller side: the notifications of the caller, or what is removed.
  if cardinality(removed) <= most and exists (
    select from public.notifications n where n.user_id = me order by n.created_at desc, n.id desc offset most
  ) then
    posts := array(
      select p.id from unnest(removed) as r (id)
      cross join lateral (select x.id from public.posts x where x.user_id = r.id offset 0) as p limit most + 1
    );
    stories := array(
      select s.id from unnest(removed) as r (id)
      cross join lateral (select x.id from public.stories x where x.user_id = r.id offset 0) as s limit most + 1
    );
    comments := array(
      (
        select c.id from unnest(removed) as r (id)
        cross join lateral (select x.id from public.comments x where x.user_id = r.id offset 0) as c limit most + 1
      )
      union all
      (
        select c.id from unnest(posts) as p (id)
        cross join lateral (select x.id from public.comments x where x.post_id = p.id offset 0) as c limit most + 1
      )
    );
    comments := comments || array(
      select c.id from unnest(comments) as thread (id)
      cross join lateral (select x.id from public.comments x where x.parent_id = thread.id offset 0) as c limit most + 1
    );
    is_little := greatest(cardinality(posts), cardinality(stories), cardinality(comments)) <= most;
  end if;
  if not is_little then
    return query
      select n.id from public.notifications n
      left join public.comments c on c.id = n.comment_id
      left join public.comments thread on thread.id = c.parent_id
      left join public.posts p on p.id = n.post_id
      left join public.stories s on s.id = n.story_id
      where n.user_id = (select auth.uid())
        and (
          c.user_id in (select unnest(removed)) or thread.user_id in (select unnest(removed))
          or p.user_id in (select unnest(removed)) or s.user_id in (select unnest(removed))
        );
    return;
  end if;
  return query
    select n.id
    from (
      select kind || ' ' || p.id as key from unnest(posts) as p (id), unnest(array['like', 'comment', 'reply', 'mention']) as kind
      union all
      select kind || ' ' || s.id from unnest(stories) as s (id), unnest(array['mention', 'story_view']) as kind
    ) as groups
    cross join lateral (select x.id from public.notifications x where x.user_id = me and x.group_key = groups.key offset 0) as n
    union all
    select n.id from unnest(comments) as c (id)
    cross join lateral (select x.id from public.notifications x where x.comment_id = c.id and x.user_id = me offset 0) as n;
end
$$;
comment on function private.lost_notification_ids() is
  'Notifications of the caller about something that waits to be cleaned up, or about a comment below it. A '
  'set, hashed once per statement; empty at once if nothing waits. Of a caller with a thousand notifications it '
  'looks for those about what is removed, if that is not as much.';
revoke execute on function private.lost_notification_ids() from public, anon, authenticated;
grant execute on function private.lost_notification_ids() to authenticated;

create function private.removed_comment_ids() returns setof uuid
  language plpgsql stable security definer cost 1 rows 10 set search_path = ''
as $$
begin
  return query
    select c.id from private.jobs j join public.comments c on c.id = any (j.items) and c.user_id = j.subject_id
    where j.items is not null;
end
$$;
comment on function private.removed_comment_ids() is
  'Comments that wait to be cleaned up, without those of closed accounts. A set, hashed once per statement; '
  'never returned to clients.';
revoke execute on function private.removed_comment_ids() from public, anon, authenticated;
grant execute on function private.removed_comment_ids() to authenticated;

create function private.removed_post_ids() returns setof uuid
  language plpgsql stable security definer cost 1 rows 10 set search_path = ''
as $$
begin
  return query
    select p.id from private.jobs j join public.posts p on p.id = any (j.items) and p.user_id = j.subject_id
    where j.items is not null;
end
$$;
comment on function private.removed_post_ids() is
  'Posts that wait to be cleaned up, without those of closed accounts. A set, hashed once per statement; never '
  'returned to clients.';
revoke execute on function private.removed_post_ids() from public, anon, authenticated;
grant execute on function private.removed_post_ids() to authenticated;

create function private.removed_story_ids() returns setof uuid
  language plpgsql stable security definer cost 1 rows 10 set search_path = ''
as $$
begin
  return query
    select s.id from private.jobs j join public.stories s on s.id = any (j.items) and s.user_id = j.subject_id
    where j.items is not null;
end
$$;
comment on function private.removed_story_ids() is 'As removed_post_ids(), of stories.';
revoke execute on function private.removed_story_ids() from public, anon, authenticated;
grant execute on function private.removed_story_ids() to authenticated;

create function private.may_read(reader uuid, author uuid, audience text) returns boolean
  language sql stable security definer set search_path = ''
as $$
  select reader = author
    or (
      audience = 'public'
      or audience = 'followers'
        and exists (select from public.follows f where f.follower_id = reader and f.following_id = author)
    )
    and not exists (
      select from public.blocks b
      where (b.blocker_id = reader and b.blocked_id = author) or (b.blocker_id = author and b.blocked_id = reader)
    )
    and not exists (select from private.jobs j where j.kind = 'account' and j.subject_id = author)
$$;
comment on function private.may_read(uuid, uuid, text) is
  'Whether a member may see a post or story of this author and audience: the rule of posts_select, for a '
  'reader who is not the caller.';
revoke execute on function private.may_read(uuid, uuid, text) from public, anon, authenticated;

create function private.lost_conversation_ids() returns setof uuid
  language plpgsql stable security definer cost 1 rows 10 set search_path = '' set jit = off
as $$
declare
  me constant uuid := (select auth.uid());
begin
  return query
    select pair.id from private.removed_member_ids() as removed (id)
    cross join lateral (
      select c.id from public.conversations c
      where least(c.participant_1, c.participant_2) = least(removed.id, me)
        and greatest(c.participant_1, c.participant_2) = greatest(removed.id, me)
      offset 0
    ) as pair;
end
$$;
comment on function private.lost_conversation_ids() is
  'Pairs of the caller with an account that waits to be cleaned up. A set, hashed once per statement; empty at '
  'once if nothing waits.';
revoke execute on function private.lost_conversation_ids() from public, anon, authenticated;
grant execute on function private.lost_conversation_ids() to authenticated;

create policy activity_select on public.activity for select to authenticated
  using (
    user_id = (select auth.uid())
    or (
      (select private.shows_activity())
      and user_id in (select private.my_correspondent_ids())
      and exists (select 1 from public.profiles p where p.id = user_id and p.show_activity_status offset 0)
    )
  );

create policy follow_requests_removed on public.follow_requests as restrictive for select to authenticated
  using (requester_id not in (select private.removed_member_ids()) and target_id not in (select private.removed_member_ids()));

-- Here and in other policies, `offset 0` keeps the planner from answering EXISTS by hashing the whole inner table, which
-- it prefers when it expects many outer rows, although a page needs only a few.
create policy follows_select on public.follows for select to authenticated
  using (
    follower_id = (select auth.uid())
    or following_id = (select auth.uid())
    or (
      exists (
        select 1 from public.profiles p
        where p.id = follower_id and (not p.is_private or p.id in (select private.my_following_ids()))
        offset 0
      )
      and exists (
        select 1 from public.profiles p
        where p.id = following_id and (not p.is_private or p.id in (select private.my_following_ids()))
        offset 0
      )
    )
  );

-- The caller's own row comes first: at INSERT … RETURNING, is_member() does not see it yet.
create policy profiles_select on public.profiles for select to authenticated
  using (
    id = (select auth.uid())
    or ((select private.is_member()) and id not in (select private.my_hidden_ids()))
  );

set check_function_bodies = on;
