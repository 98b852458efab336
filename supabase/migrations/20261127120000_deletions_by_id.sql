-- Posts, comments and stories are deleted, and members blocked, by functions that take ids: docs/decisions/0095-locks.md

create function private.give_way() returns void
  language plpgsql set search_path = ''
as $$
begin
  if clock_timestamp() > statement_timestamp() + interval '2 seconds' then
    raise sqlstate 'PT503' using message = 'Others are using this at the moment.', hint = 'Try again.';
  end if;
  perform pg_catalog.pg_sleep(0.02 + 0.08 * random());
end
$$;
comment on function private.give_way() is
  'For a statement that has given back its locks because it waited for a row: lets others end, for at most two seconds together. PT503 after that.';
revoke execute on function private.give_way() from public, anon, authenticated;

create function private.check_ids(ids uuid[]) returns void
  language plpgsql stable set search_path = ''
as $$
begin
  if not private.is_member() then
    raise sqlstate 'PT401' using message = 'Sign in first.';
  end if;
  if cardinality(ids) > 100 then
    raise sqlstate 'PT422' using message = 'At most 100 ids at once.';
  end if;
end
$$;
comment on function private.check_ids(uuid[]) is 'PT401 unless the caller is a member, PT422 for more than 100 ids.';
revoke execute on function private.check_ids(uuid[]) from public, anon, authenticated;

create function private.delete_posts(ids uuid[]) returns void
  language plpgsql security definer set search_path = '' set lock_timeout = '200ms'
as $$
declare
  me constant uuid := (select auth.uid());
begin
  perform private.check_ids(ids);
  -- Deleting locks even if it finds nothing.
  if not exists (select from public.posts where id = any (ids) and user_id = me) then
    return;
  end if;
  loop
    begin
      delete from public.posts where id = any (ids) and user_id = me;
      return;
    exception when lock_not_available then
      perform private.give_way();
    end;
  end loop;
end
$$;
comment on function private.delete_posts(uuid[]) is
  'Deletes those of the given posts that the caller wrote. It waits at most 200 ms for a row, then gives back all of them and starts again: no two statements wait for each other. PT401, PT422, PT503.';

create function private.delete_comments(ids uuid[]) returns void
  language plpgsql security definer set search_path = '' set lock_timeout = '200ms'
as $$
declare
  me constant uuid := (select auth.uid());
begin
  perform private.check_ids(ids);
  loop
    begin
      delete from public.comments c where c.id = any (ids)
        and (c.user_id = me or exists (select from public.posts p where p.id = c.post_id and p.user_id = me));
      return;
    exception when lock_not_available then
      perform private.give_way();
    end;
  end loop;
end
$$;
comment on function private.delete_comments(uuid[]) is
  'Deletes those of the given comments that the caller wrote, or that are on a post of the caller, with their replies. Waits as delete_posts(). PT401, PT422, PT503.';

create function private.delete_stories(ids uuid[]) returns void
  language plpgsql security definer set search_path = '' set lock_timeout = '200ms'
as $$
declare
  me constant uuid := (select auth.uid());
begin
  perform private.check_ids(ids);
  loop
    begin
      delete from public.stories where id = any (ids) and user_id = me;
      return;
    exception when lock_not_available then
      perform private.give_way();
    end;
  end loop;
end
$$;
comment on function private.delete_stories(uuid[]) is
  'Deletes those of the given stories that the caller shared. Waits as delete_posts(). PT401, PT422, PT503.';

create function private.block_members(ids uuid[]) returns void
  language plpgsql security definer set search_path = '' set lock_timeout = '200ms'
as $$
declare
  me constant uuid := (select auth.uid());
begin
  perform private.check_ids(ids);
  loop
    begin
      if exists (
        select from unnest(ids) as wanted (id)
        where not exists (select from public.blocks b where b.blocker_id = me and b.blocked_id = wanted.id)
          -- A member who has blocked the caller is unknown to them, unless they write with each other.
          and not exists (
            select from public.profiles p where p.id = wanted.id and p.id not in (select private.my_hidden_ids())
          )
          and not exists (
            select from public.conversations c
            where (c.participant_1 = me and c.participant_2 = wanted.id) or (c.participant_2 = me and c.participant_1 = wanted.id)
          )
      ) then
        raise sqlstate 'PT404' using message = 'There is no such account.';
      end if;
      insert into public.blocks (blocker_id, blocked_id)
        select distinct me, id from unnest(ids) as id order by id
        on conflict do nothing;
      return;
    exception when lock_not_available then
      perform private.give_way();
    end;
  end loop;
end
$$;
comment on function private.block_members(uuid[]) is
  'Blocks members; idempotent. Waits as delete_posts(). PT401, PT404 for an account that the caller does not see, PT422, PT429, PT503.';

-- block_members() runs as the owner of the tables.
create or replace trigger blocks_allow before insert on public.blocks
  for each row when (new.blocker_id = auth.uid()) execute function private.count_quota('blocks');

create function public.delete_posts(ids uuid[]) returns void
  language sql security invoker set search_path = ''
as $$
  select private.delete_posts(ids)
$$;
create function public.delete_comments(ids uuid[]) returns void
  language sql security invoker set search_path = ''
as $$
  select private.delete_comments(ids)
$$;
create function public.delete_stories(ids uuid[]) returns void
  language sql security invoker set search_path = ''
as $$
  select private.delete_stories(ids)
$$;
create function public.block_members(ids uuid[]) returns void
  language sql security invoker set search_path = ''
as $$
  select private.block_members(ids)
$$;
comment on function public.delete_posts(uuid[]) is
  'Deletes own posts, at most 100; ids of others and unknown ones are ignored. PT503 if others use them for two seconds.';
comment on function public.delete_comments(uuid[]) is
  'Deletes own comments and those on own posts, with their replies, at most 100; other ids are ignored. PT503 if others use them for two seconds.';
comment on function public.delete_stories(uuid[]) is
  'Deletes own stories, at most 100; other ids are ignored. PT503 if others use them for two seconds.';
comment on function public.block_members(uuid[]) is
  'Blocks at most 100 members; idempotent. PT404 if one of them is unknown. PT503 if others use what lies between the two for two seconds.';

revoke execute on function private.delete_posts(uuid[]), private.delete_comments(uuid[]), private.delete_stories(uuid[]),
  private.block_members(uuid[]), public.delete_posts(uuid[]), public.delete_comments(uuid[]), public.delete_stories(uuid[]),
  public.block_members(uuid[]) from public, anon, authenticated;
grant execute on function private.delete_posts(uuid[]), private.delete_comments(uuid[]), private.delete_stories(uuid[]),
  private.block_members(uuid[]), public.delete_posts(uuid[]), public.delete_comments(uuid[]), public.delete_stories(uuid[]),
  public.block_members(uuid[]) to authenticated, service_role;

-- A filter of the client's choice would run while rows are locked that others want.
revoke delete on public.posts, public.comments, public.stories from authenticated;
revoke insert on public.blocks from authenticated;
revoke insert (blocker_id, blocked_id) on public.blocks from authenticated;
drop policy posts_delete on public.posts;
drop policy comments_delete on public.comments;
drop policy stories_delete on public.stories;
drop policy blocks_insert on public.blocks;
