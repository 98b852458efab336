-- Reactions are rows, one for each member and message: docs/decisions/0106-members-of-conversations.md, step 5.

-- Before any row, and all or none: members who send lock messages and then conversations, and who delete conversations the other way round.
-- Who is reacting is waited for here; nobody reacts in the columns afterwards.
do $$ begin
  loop
    begin
      lock table public.messages in share row exclusive mode;
      lock table public.conversations, public.profiles in share row exclusive mode nowait;
      exit;
    exception when lock_not_available then
      perform pg_sleep(0.05);
    end;
  end loop;
end $$;

create table public.message_reactions (
  message_id uuid not null,
  -- A trigger sets it; with a default, clients need not name it.
  conversation_id uuid not null default '00000000-0000-0000-0000-000000000000',
  member_id uuid not null,
  created_at timestamptz not null default now(),
  emoji text not null,
  primary key (message_id, member_id),
  constraint message_reactions_emoji check (emoji in ('❤️', '👍', '😂', '😮', '😢', '🔥'))
);
comment on table public.message_reactions is
  'One per message and member. Whoever reads the message sees them; unsending it deletes them. A trigger sets conversation_id.';
alter table public.message_reactions enable row level security;
revoke all on table public.message_reactions from anon, authenticated;
grant all on table public.message_reactions to service_role;

revoke update (sender_reaction, recipient_reaction) on public.messages from authenticated;

-- Before the foreign keys, so that it locks no row. When somebody reacted is not known.
insert into public.message_reactions (message_id, conversation_id, member_id, created_at, emoji)
  select m.id, m.conversation_id, r.member_id, m.created_at, r.emoji
  from public.messages m
  cross join lateral (values (m.sender_id, m.sender_reaction), (m.recipient_id, m.recipient_reaction)) as r (member_id, emoji)
  where r.emoji is not null;
create index message_reactions_conversation_idx on public.message_reactions (conversation_id);
create index message_reactions_member_idx on public.message_reactions (member_id);
alter table public.message_reactions
  add constraint message_reactions_member_id_fkey foreign key (member_id) references public.profiles on delete cascade,
  add constraint message_reactions_conversation_id_fkey foreign key (conversation_id) references public.conversations on delete cascade,
  add constraint message_reactions_message_id_fkey foreign key (message_id) references public.messages on delete cascade;

create function private.guard_reaction() returns trigger
  language plpgsql set search_path = ''
as $$
declare
  unsent_at timestamptz;
begin
  -- With the caller's rights: the policy refuses what is not found here.
  select m.conversation_id, m.deleted_at into new.conversation_id, unsent_at from public.messages m where m.id = new.message_id;
  if exists (
    select from public.conversation_views v
    where v.member_id = new.member_id and v.conversation_id = new.conversation_id and not v.accepted and not v.is_group
  ) then
    raise sqlstate 'PT403' using message = 'Accept this request first.';
  end if;
  if unsent_at is not null then
    raise sqlstate 'PT409' using message = 'This message was unsent.';
  end if;
  -- A reaction reaches the other of a pair like a message.
  if pg_catalog.row_security_active('public.message_reactions') and exists (
    select from private.other_participant(new.conversation_id, new.member_id) as other
    where other is not null and not exists (select from public.profiles p where p.id = other)
  ) then
    raise sqlstate 'PT403' using message = 'This conversation is closed.';
  end if;
  return new;
end
$$;
comment on function private.guard_reaction() is
  'Sets the conversation of a reaction. PT403 in a request that the member has not accepted and in a closed conversation, PT409 for an unsent message.';

create function private.await_unsending() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  unsent_at timestamptz;
begin
  select m.deleted_at into unsent_at from public.messages m where m.id = new.message_id for share;
  if unsent_at is not null then
    raise sqlstate 'PT409' using message = 'This message was unsent.';
  end if;
  return null;
end
$$;
comment on function private.await_unsending() is
  'Unsending waits for this reaction and deletes it, or is seen here. At the end of the statement: its answer may be slow.';

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
comment on function private.refuse_several() is
  'Refuses a statement of a member that changes several rows: quotas of the table count statements.';

create function private.delete_message_reactions() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.message_reactions where message_id = new.id;
  return null;
end
$$;
comment on function private.delete_message_reactions() is 'Deletes the reactions to an unsent message.';

create function private.broadcast_reactions() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  -- Unsending and deleting a message are broadcast as such.
  reacted constant public.messages[] := array(
    select m from public.messages m
    where m.id in (select c.message_id from changed c) and m.deleted_at is null order by m.created_at, m.id
  );
  groups constant uuid[] := array(select distinct m.conversation_id from unnest(reacted) as m where m.recipient_id is null);
begin
  perform private.broadcast_change('messages', 'UPDATE', concerned.member_id, concerned.ids)
    from (
      select members.id as member_id, (array_agg(m.id order by m.created_at, m.id))[greatest(count(*) - 499, 1):] as ids
      from unnest(reacted) as m
      cross join lateral (values (m.sender_id), (m.recipient_id)) as members (id)
      where m.recipient_id is not null
      group by members.id
    ) as concerned;
  if cardinality(groups) = 0 then
    return null;
  end if;
  -- As broadcast_messages() does for edits: before a removal or after it, and so to one epoch.
  perform 1 from public.conversations c where c.id = any (groups) order by c.id for share;
  if tg_op <> 'DELETE' and exists (
    select from changed c where c.member_id = (select auth.uid()) and c.conversation_id = any (groups) and not exists (
      select from public.conversation_views v
      where v.member_id = c.member_id and v.conversation_id = c.conversation_id and v.writes offset 0
    )
  ) then
    raise sqlstate 'PT403' using message = 'This is not one of your conversations.';
  end if;
  perform private.send_change('conversation:' || c.id || ':' || c.epoch, 'messages', 'UPDATE', (
      select (array_agg(m.id order by m.created_at, m.id))[greatest(count(*) - 499, 1):] from unnest(reacted) as m where m.conversation_id = c.id
    ))
    from public.conversations c where c.id = any (groups);
  return null;
end
$$;
comment on function private.broadcast_reactions() is
  'Broadcasts reactions as changes of their messages: in a pair to both, in a group in the channel of its epoch. PT403 if the member was removed from the group meanwhile.';

revoke execute on function private.guard_reaction(), private.await_unsending(), private.refuse_several(), private.delete_message_reactions(),
  private.broadcast_reactions() from public, anon, authenticated;

insert into private.quotas (kind, per_minute, per_day) values ('reactions', 120, null);

-- A counter of their own, and before the row: unsending locks the message, the counter of changes and then the reactions.
create trigger message_reactions_guard before insert or update on public.message_reactions
  for each row execute function private.guard_reaction();
create trigger message_reactions_await_unsending after insert on public.message_reactions
  for each row execute function private.await_unsending();
create trigger message_reactions_allow before insert on public.message_reactions
  for each row when (row_security_active('public.message_reactions')) execute function private.count_quota('reactions');
create trigger message_reactions_allow_change before update on public.message_reactions
  for each statement when (row_security_active('public.message_reactions')) execute function private.count_quota('reactions');
create trigger message_reactions_allow_delete before delete on public.message_reactions
  for each statement when (row_security_active('public.message_reactions')) execute function private.count_quota('removals');
create trigger message_reactions_one after update on public.message_reactions
  referencing new table as changed for each statement
  when (row_security_active('public.message_reactions')) execute function private.refuse_several();
create trigger message_reactions_broadcast after insert on public.message_reactions
  referencing new table as changed for each statement execute function private.broadcast_reactions();
create trigger message_reactions_broadcast_change after update on public.message_reactions
  referencing new table as changed for each statement execute function private.broadcast_reactions();
create trigger message_reactions_broadcast_delete after delete on public.message_reactions
  referencing old table as changed for each statement
  when (coalesce(current_setting('vignette.is_cleaning', true), '') <> 'on') execute function private.broadcast_reactions();
create trigger messages_delete_reactions after update of deleted_at on public.messages
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function private.delete_message_reactions();
