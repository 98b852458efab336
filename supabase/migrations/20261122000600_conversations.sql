-- Conversations between two members. An empty conversation is visible only to the member who started it:
-- docs/decisions/0025-strangers.md.

create table public.conversations (
  id uuid primary key default gen_random_uuid(),
  participant_1 uuid not null references public.profiles (id) on delete cascade,
  participant_2 uuid not null references public.profiles (id) on delete cascade,
  last_message_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  -- Null when no client started it.
  started_by uuid,
  participant_1_wrote boolean not null default false,
  participant_2_wrote boolean not null default false,
  constraint conversations_not_oneself check (participant_1 <> participant_2)
);
comment on table public.conversations is
  'One per pair of members. If both start one at once, the second gets 23505 and reads the first.';
comment on column public.conversations.participant_1_wrote is
  'Whether this participant has ever sent a message, unsent or not. If so, the other may see when they are active.';
create unique index conversations_pair_key
  on public.conversations (least(participant_1, participant_2), greatest(participant_1, participant_2));
create index conversations_participant_1_idx on public.conversations (participant_1, last_message_at desc, id desc);
create index conversations_participant_2_idx on public.conversations (participant_2, last_message_at desc, id desc);
alter table public.conversations enable row level security;
revoke all on table public.conversations from public, anon, authenticated;
grant all on table public.conversations to service_role;
grant select on table public.conversations to authenticated;
grant insert (id, participant_1, participant_2) on table public.conversations to authenticated;

create trigger conversations_allow before insert on public.conversations
  for each row when (pg_catalog.row_security_active('public.conversations')) execute function private.count_quota('conversations');

create function private.guard_conversation() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if not pg_catalog.row_security_active('public.conversations') then
    return new;
  end if;
  if not (
    exists (select 1 from public.profiles where id = new.participant_1)
    and exists (select 1 from public.profiles where id = new.participant_2)
  ) then
    raise sqlstate 'PT403' using message = 'You cannot write to this member.';
  end if;
  new.started_by := (select auth.uid());
  return new;
end
$$;
comment on function private.guard_conversation() is
  'Refuses a conversation with a member that the caller does not see; sets started_by.';
revoke execute on function private.guard_conversation() from public, anon, authenticated;
create trigger conversations_guard before insert on public.conversations
  for each row execute function private.guard_conversation();

create function private.my_correspondents() returns table (conversation_id uuid, member_id uuid)
  language sql stable security definer set search_path = '' rows 100
as $$
  select theirs.conversation_id, theirs.member_id
  from (
    select id, participant_2 from public.conversations
      where participant_1 = (select auth.uid()) and participant_2_wrote
    union all
    select id, participant_1 from public.conversations
      where participant_2 = (select auth.uid()) and participant_1_wrote
  ) as theirs (conversation_id, member_id)
  where theirs.member_id not in (select private.my_hidden_ids())
$$;
comment on function private.my_correspondents() is
  'Members who have written to the caller and are not hidden from them, each with their conversation.';
revoke execute on function private.my_correspondents() from public, anon, authenticated;

create function private.my_correspondent_ids() returns setof uuid
  language sql stable security definer set search_path = ''
as $$
  select member_id from private.my_correspondents()
$$;
comment on function private.my_correspondent_ids() is 'Members who have written to the caller and are not hidden from them.';
revoke execute on function private.my_correspondent_ids() from public, anon, authenticated;
grant execute on function private.my_correspondent_ids() to authenticated, service_role;

create function public.my_conversations(before_at timestamptz default null, before_id uuid default null)
  returns setof public.conversations
  -- Otherwise the planner underestimates a member with thousands of conversations, and sorts instead of walking the index.
  language sql stable security invoker set search_path = '' set enable_bitmapscan = off
as $$
  select mine.*
  from (
    (
      select * from public.conversations
      where participant_1 = (select auth.uid()) and (last_message_at, id)
        < (coalesce(before_at, 'infinity'), coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
        and (participant_1_wrote or participant_2_wrote or started_by = (select auth.uid()))
      order by last_message_at desc, id desc limit 30
    )
    union all
    (
      select * from public.conversations
      where participant_2 = (select auth.uid()) and (last_message_at, id)
        < (coalesce(before_at, 'infinity'), coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
        and (participant_1_wrote or participant_2_wrote or started_by = (select auth.uid()))
      order by last_message_at desc, id desc limit 30
    )
  ) as mine
  order by mine.last_message_at desc, mine.id desc limit 30
$$;
comment on function public.my_conversations(timestamptz, uuid) is
  'A page of thirty of the caller''s conversations, latest first, from before (before_at, before_id). Of empty '
  'conversations only the ones that the caller started. Each participant column has its own index: queried one by one, '
  'both are read in order.';
revoke execute on function public.my_conversations(timestamptz, uuid) from public, anon, authenticated;
grant execute on function public.my_conversations(timestamptz, uuid) to authenticated, service_role;

create policy conversations_session on public.conversations as restrictive for all to authenticated
  using (nullif((select private.is_member()), false) is not null)
  with check (nullif((select private.is_member()), false) is not null);
-- A `case` instead of `a or b`: given the latter, the planner combines the two columns' indexes and reads all that a member
-- ever wrote or received to find one conversation's last message. It can use a `case` only as a filter.
create policy conversations_select on public.conversations for select to authenticated
  using (case (select auth.uid()) when participant_1 then true when participant_2 then true else false end);
create policy conversations_insert on public.conversations for insert to authenticated
  with check (participant_1 = (select auth.uid()) or participant_2 = (select auth.uid()));
