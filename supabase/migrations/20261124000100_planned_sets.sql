-- The sets of members in policies keep their plans. PostgreSQL plans the statements of an SQL function again in each statement
-- that calls it, and those of a PL/pgSQL function once for each connection. A page of the feed calls my_hidden_ids() three times.

create or replace function private.my_hidden_ids() returns setof uuid
  language plpgsql stable security definer cost 1 rows 10 set search_path = ''
as $$
begin
  return query
    select blocked_id from public.blocks where blocker_id = (select auth.uid())
    union all
    select blocker_id from public.blocks where blocked_id = (select auth.uid());
end
$$;

create or replace function private.my_following_ids() returns setof uuid
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return query select following_id from public.follows where follower_id = (select auth.uid());
end
$$;

create or replace function private.my_correspondent_ids() returns setof uuid
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return query select member_id from private.my_correspondents();
end
$$;

create or replace function private.my_correspondents() returns table (conversation_id uuid, member_id uuid)
  language plpgsql stable security definer rows 100 set search_path = ''
as $$
#variable_conflict use_column
begin
  return query
    select theirs.conversation_id, theirs.member_id
    from (
      select id, participant_2 from public.conversations
        where participant_1 = (select auth.uid()) and participant_2_wrote
      union all
      select id, participant_1 from public.conversations
        where participant_2 = (select auth.uid()) and participant_1_wrote
    ) as theirs (conversation_id, member_id)
    where theirs.member_id not in (select private.my_hidden_ids());
end
$$;

create or replace function private.my_conversation_topics() returns setof text
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select 'conversation:' || conversation_id from private.my_correspondents() where (select private.is_member());
end
$$;
