-- Groups in the member's list and badge: docs/decisions/0106-members-of-conversations.md. A message updates no view of a group, so a list looks the member's groups up.

alter table public.conversation_views add column muted_until timestamptz;
comment on column public.conversation_views.muted_until is 'Until then it does not count in the badge. No client sets it yet.';
create index conversation_views_groups_idx on public.conversation_views (member_id, folder) where is_group;
-- Policies look one view up by both columns. Where this index is the smaller one they may use it, and read the views of all of a group.
create index conversation_views_conversation_new_idx on public.conversation_views (conversation_id, member_id);
drop index public.conversation_views_conversation_idx;
alter index public.conversation_views_conversation_new_idx rename to conversation_views_conversation_idx;

create function private.unread_groups(of_groups uuid[], most integer) returns setof uuid
  language plpgsql stable rows 10 set search_path = ''
as $$
begin
  return query
    select v.conversation_id from public.conversation_views v
    where v.member_id = (select auth.uid()) and v.conversation_id = any (of_groups) and v.is_group and v.reads_after < 'infinity'
      and exists (
        select from (
          select m.sender_id, m.deleted_at from public.messages m
          where m.conversation_id = v.conversation_id
            -- The policies say so too, but not where to start.
            and m.created_at >= greatest(v.reads_after, v.cleared_at)
            -- Not coalesce(), which no index is asked with behind policies.
            and (m.created_at, m.id)
              > (greatest(v.mark_at, '-infinity'), greatest(v.mark_id, '00000000-0000-0000-0000-000000000000'))
          order by m.created_at desc, m.id desc limit 100
        ) as newest
        where newest.sender_id <> v.member_id and newest.deleted_at is null
          and newest.sender_id not in (select b.blocked_id from public.blocks b where b.blocker_id = (select auth.uid()))
      )
    limit most;
end
$$;
comment on function private.unread_groups(uuid[], integer) is 'Up to that many of these groups of the caller, with a message after their mark: of another member whom they have not blocked, and not unsent. Looks at the newest hundred after the mark.';
revoke execute on function private.unread_groups(uuid[], integer) from public, anon;
grant execute on function private.unread_groups(uuid[], integer) to authenticated, service_role;

create function public.unread_groups(of_groups uuid[]) returns table (conversation_id uuid)
  language sql stable set search_path = ''
as $$ select g from private.unread_groups(of_groups[1:100], 100) as g $$;
comment on function public.unread_groups(uuid[]) is 'Those of up to a hundred groups of the caller that have a message which they have not read. Of pairs conversation_views.unread says it.';
revoke execute on function public.unread_groups(uuid[]) from public, anon;
grant execute on function public.unread_groups(uuid[]) to authenticated, service_role;

drop function public.my_conversations(timestamptz, uuid, text);
create function public.my_conversations(
  before_at timestamptz default null, before_id uuid default null, in_folder text default 'inbox', only_groups boolean default false
)
 returns setof public.conversations
 language plpgsql
 stable
 set search_path = ''
 set enable_bitmapscan = off
as $$
-- Not sql: its plan, of many policies, would be made for each call.
begin
  return query
    select * from (
      (
        select * from (
          (
            -- A look-up for each row of the page; the planner would join with all conversations of the server.
            select c.* from (
              select m.conversation_id, m.listed_at,
                -- A pair is listed by an earlier time than that of its last message while no pair is above it, but a group may be. So it may
                -- have been on the page that ended with the group.
                before_id is null or not coalesce((
                  select v.is_group from public.conversation_views v
                  where v.member_id = (select auth.uid()) and v.conversation_id = before_id
                ), false) or bool_or((m.last_message_at, m.conversation_id) < (before_at, before_id)) over listed as is_next
              from public.conversation_views m
              where m.member_id = (select auth.uid()) and m.folder = in_folder and m.pinned_at is null
                and not m.is_group and not only_groups and m.conversation_id is distinct from before_id
                and (m.listed_at, m.conversation_id)
                  < ((select coalesce(before_at, 'infinity')), (select coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff')))
              window listed as (order by m.listed_at desc, m.conversation_id desc)
              order by m.listed_at desc, m.conversation_id desc
            ) as m
            cross join lateral (select * from public.conversations where id = m.conversation_id offset 0) as c
            where m.is_next
            order by m.listed_at desc, m.conversation_id desc limit 30
          )
          union all
          (
            select c.* from public.conversation_views m
            cross join lateral (select * from public.conversations where id = m.conversation_id offset 0) as c
            where m.member_id = (select auth.uid()) and m.folder = in_folder and m.pinned_at is null
              and m.is_group
              and (c.last_message_at, c.id)
                < ((select coalesce(before_at, 'infinity')), (select coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff')))
          )
        ) as merged
        order by merged.last_message_at desc, merged.id desc limit 30
      )
      union all
      (
        select c.* from public.conversation_views m
        cross join lateral (select * from public.conversations where id = m.conversation_id offset 0) as c
        where m.member_id = (select auth.uid()) and m.folder = in_folder and m.pinned_at is not null
          and before_at is null and (m.is_group or not only_groups)
      )
    ) as listed
    order by listed.last_message_at desc, listed.id desc;
end
$$;
comment on function public.my_conversations(timestamptz, uuid, text, boolean) is 'A page of thirty of the caller''s conversations in a folder, or of their groups only, latest first, from before (before_at, before_id). The first page has the pinned ones in addition.';
revoke execute on function public.my_conversations(timestamptz, uuid, text, boolean) from public, anon;
grant execute on function public.my_conversations(timestamptz, uuid, text, boolean) to authenticated, service_role;

create or replace function public.unread_conversations()
 returns integer
 language plpgsql
 stable
 set search_path = ''
 set enable_sort = off
as $$
begin
  return (
    select count(*)::integer
    from (
      (
        select 1
        from (
          select m.conversation_id, m.unread, m.muted_until from public.conversation_views m
          where m.member_id = (select auth.uid()) and m.folder = 'inbox' and not m.is_group
          order by m.listed_at desc, m.conversation_id desc limit 1000
        ) as newest
        -- A look-up for each unread one; the planner would join with all conversations of the server.
        cross join lateral (
          select c.participant_1, c.participant_2 from public.conversations c where c.id = newest.conversation_id offset 0
        ) as c
        where newest.unread and coalesce(newest.muted_until <= now(), true)
          and case (select auth.uid()) when c.participant_1 then c.participant_2 else c.participant_1 end
            not in (select blocked_id from public.blocks where blocker_id = (select auth.uid()))
      )
      union all
      select 1 from private.unread_groups(array(
        select m.conversation_id from public.conversation_views m
        cross join lateral (select c.last_message_at from public.conversations c where c.id = m.conversation_id offset 0) as c
        where m.member_id = (select auth.uid()) and m.folder = 'inbox' and m.is_group and coalesce(m.muted_until <= now(), true)
          -- Two messages of one statement have the same time, and the mark may be at the first one.
          and (m.mark_at is null or c.last_message_at >= m.mark_at)
      ), 10)
      limit 10
    ) as counted
  );
end
$$;
comment on function public.unread_conversations() is 'Conversations of the inbox, groups too, with a message that the caller has not read, without muted ones and those of members they have blocked, 0 to 10: the badge shows 9+ above nine. Looks at the newest thousand pairs. Requests do not count.';

create or replace function private.guard_conversation_view()
 returns trigger
 language plpgsql
 set search_path = ''
as $$
begin
  if not pg_catalog.row_security_active('public.conversation_views') then
    return new;
  end if;
  if new.cleared_at is distinct from old.cleared_at then
    -- The latest message that exists, not the current time: a message that is being sent at this moment arrives.
    new.cleared_at := coalesce(
      (
        select m.created_at from public.messages m
        where m.conversation_id = old.conversation_id
        order by m.created_at desc, m.id desc limit 1
      ),
      now()
    );
    -- No message would bring a group back.
    new.folder := case when old.is_group and old.writes then old.folder else 'none' end;
    new.pinned_at := case when old.is_group then old.pinned_at end;
    new.unread := false;
    return new;
  end if;
  if not old.writes and (new.folder <> old.folder or new.pinned_at is not null) then
    raise sqlstate 'PT403' using message = 'You are not in this group.';
  end if;
  if new.folder is distinct from old.folder then
    if new.folder not in ('inbox', 'archived') then
      raise sqlstate 'PT422' using
        message = 'A conversation cannot be moved there.',
        hint = 'Set cleared_at to delete it.';
    end if;
    if new.folder = 'archived' and old.folder <> 'inbox' then
      raise sqlstate 'PT409' using message = 'Only a conversation of the list can be archived.';
    end if;
    new.accepted := true;
    if new.folder = 'archived' then
      new.pinned_at := null;
    end if;
  end if;
  if new.pinned_at is not null and new.pinned_at is distinct from old.pinned_at then
    if new.folder <> 'inbox' then
      raise sqlstate 'PT409' using message = 'Only a conversation of the list can be pinned.';
    end if;
    if old.pinned_at is null and (
      select count(*) from public.conversation_views m where m.member_id = old.member_id and m.pinned_at is not null
    ) >= 5 then
      raise sqlstate 'PT409' using message = 'You can pin up to five conversations.';
    end if;
    new.pinned_at := now();
  end if;
  return new;
end
$$;
comment on function private.guard_conversation_view() is 'Moving a conversation to the inbox accepts it. Setting cleared_at deletes it for the member, at the database''s time, and empties a group that they are in, which stays where it is listed. A group is listed where its state says, for those who are not in it.';
