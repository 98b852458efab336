-- The schemas, the extension and the locks that all other files use.
--
-- These files are the source of the schema: each rule stands here once, by subject, as it is now. Nothing applies them; migrations make
-- the same on hosted Supabase, on the embedded server (PGlite) and on plain PostgreSQL 15 or later, and `npm run types` compares both
-- (docs/decisions/0105-changing-shapes.md). They check what exists where these servers differ.
--
-- Conventions: a file has its tables with their indexes and grants, then its functions, triggers and policies; those that
-- need a later file stand there. A new column, and a new reference of a table, comes last, as a migration adds it. Each file revokes
-- everything before it grants the least, since projects differ in their default privileges. Functions live in the schema `private`,
-- which the API does not expose, with a fixed search_path.
-- Foreign keys to members come before other foreign keys: PostgreSQL checks them in this order, so that a writer waits for an account
-- that is being deleted before it locks anything that the deletion needs.

create schema if not exists extensions;

create schema if not exists private;
comment on schema private is 'Functions behind policies, triggers and rpc wrappers. Not exposed by the API.';
revoke all on schema private from public;
grant usage on schema private to anon, authenticated, service_role;

do $$
begin
  if exists (select 1 from pg_catalog.pg_available_extensions where name = 'pg_trgm') then
    create extension if not exists pg_trgm with schema extensions;
  end if;
end
$$;

-- Bodies may name what a later file creates.
set check_function_bodies = off;

create function private.skip_update() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  return null;
end
$$;
comment on function private.skip_update() is 'Leaves a row as it is.';
revoke execute on function private.skip_update() from public, anon, authenticated;

create function private.check_ids(ids uuid[]) returns void
  language plpgsql stable set search_path = ''
as $$
begin
  perform private.require_active();
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

create function private.pair_key(one uuid, other uuid) returns bigint
  language sql immutable strict set search_path = ''
as $$
  select pg_catalog.hashtextextended(least(one, other)::text || greatest(one, other)::text, 7246003)
$$;
comment on function private.pair_key(uuid, uuid) is
  'The advisory lock of two members. A block holds it exclusively, and what one of them does to the other '
  'shared, so that they see each other.';
revoke execute on function private.pair_key(uuid, uuid) from public, anon, authenticated;

create function private.part(one uuid, other uuid) returns boolean
  language plpgsql security definer set search_path = '' set lock_timeout = '200ms' set enable_seqscan = off set jit = off
as $$
declare
  trace record;
begin
  for trace in select * from private.traces() loop
    execute format('delete from %s t where %s', trace.place, trace.rule) using array[one, other];
  end loop;
  return true;
exception when lock_not_available then
  return false;
end
$$;
comment on function private.part(uuid, uuid) is
  'Removes all traces of two members. Waits at most 200 ms for a row; returns false, and has deleted nothing, '
  'if that was not enough.';
revoke execute on function private.part(uuid, uuid) from public, anon, authenticated;

create function private.refuse_apart() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  apart boolean;
begin
  case tg_table_name
    when 'likes', 'comments', 'saved_posts' then
      select bool_or(private.is_apart(c.user_id, p.user_id)) into apart
        from changed c join public.posts p on p.id = c.post_id;
    when 'comment_likes' then
      select bool_or(private.is_apart(c.user_id, o.user_id) or private.is_apart(c.user_id, p.user_id)) into apart
        from changed c join public.comments o on o.id = c.comment_id join public.posts p on p.id = o.post_id;
    when 'story_views' then
      select bool_or(private.is_apart(c.viewer_id, s.user_id)) into apart
        from changed c join public.stories s on s.id = c.story_id;
    when 'follows' then
      select bool_or(private.is_apart(c.follower_id, c.following_id)) into apart from changed c;
    when 'follow_requests' then
      select bool_or(private.is_apart(c.requester_id, c.target_id)) into apart from changed c;
    when 'messages' then
      -- Of an update only edits, which have the time of this transaction. Who sends has the group locked, and was looked up then.
      select bool_or(
        private.is_apart(s.sender_id, private.other_participant(s.conversation_id, s.sender_id))
        or tg_op = 'UPDATE' and not exists (
          select from public.conversation_views v
          where v.member_id = s.sender_id and v.conversation_id = s.conversation_id and v.writes offset 0
        )
      ) into apart
        from (
          select distinct c.sender_id, c.conversation_id from changed c where tg_op = 'INSERT' or c.edited_at = now()
        ) as s;
    when 'message_reactions' then
      select bool_or(private.is_apart(c.member_id, private.other_participant(c.conversation_id, c.member_id))) into apart
        from changed c;
  end case;
  if apart and tg_table_name in ('follows', 'follow_requests') then
    raise sqlstate 'PT404' using message = 'There is no such account.';
  elsif apart and tg_table_name in ('messages', 'message_reactions') then
    raise sqlstate 'PT403' using message = 'This conversation is closed.';
  elsif apart then
    -- As the policy does that did not see the block yet.
    raise insufficient_privilege using
      message = format('new row violates row-level security policy for table "%s"', tg_table_name);
  end if;
  return null;
end
$$;
comment on function private.refuse_apart() is
  'Refuses what a member does to another while one blocks the other, and edits of who was removed from a group, '
  'which the policy or the first triggers of the table could not see yet. At the end of the statement: its '
  'answer may be slow.';
revoke execute on function private.refuse_apart() from public, anon, authenticated;

create function private.skip_apart() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if tg_table_name = 'notifications' then
    return case when private.is_apart(new.actor_id, new.user_id) then null else new end;
  end if;
  if (select count(*) from (select from public.post_tags t where t.post_id = new.post_id limit 20) as tagged) < 20
    and private.is_apart(new.tagged_user_id, (select p.user_id from public.posts p where p.id = new.post_id))
  then
    return null;
  end if;
  return new;
end
$$;
comment on function private.skip_apart() is
  'Leaves out a notification or tag between two members of whom one blocks the other, although what causes it '
  'is allowed, as a comment on the post of a third member. Takes the lock of the two for the first twenty tags '
  'of a post.';
revoke execute on function private.skip_apart() from public, anon, authenticated;

create function private.new_id() returns uuid
  language sql set search_path = ''
as $$
  -- Version 4 has the bits 0100, and setting 52 and 53 makes 0111. PostgreSQL has uuidv7() from version 18 on.
  select encode(set_bit(set_bit(overlay(
    uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6
  ), 52, 1), 53, 1), 'hex')::uuid
$$;
comment on function private.new_id() is
  'A new id: UUIDv7 (RFC 9562, section 5.7). Nothing may rely on the time in an id. Not for object keys, links '
  'and codes: it says when it was made.';
revoke execute on function private.new_id() from public, anon, authenticated;
grant execute on function private.new_id() to authenticated, service_role;

create function private.refuse_several() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if (select count(*) from changed) > 1 then
    raise sqlstate 'PT422' using message = 'Change one row at a time.';
  end if;
  return null;
end
$$;
comment on function private.refuse_several() is 'Refuses a statement of a member that changes several rows: quotas of the table count statements.';
revoke execute on function private.refuse_several() from public, anon, authenticated;

create function private.refuse_several_conversations() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if (select count(distinct conversation_id) from changed) > 1 then
    raise sqlstate 'PT422' using message = 'Write to one conversation at a time.';
  end if;
  return null;
end
$$;
comment on function private.refuse_several_conversations() is
  'Refuses a statement of a member that writes messages of several conversations, before it locks one of them '
  'and waits for another.';
revoke execute on function private.refuse_several_conversations() from public, anon, authenticated;

set check_function_bodies = on;
