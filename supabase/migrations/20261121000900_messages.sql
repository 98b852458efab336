-- Conversations between two members, and their messages.

create table public.conversations (
  id uuid primary key default gen_random_uuid(),
  participant_1 uuid not null references public.profiles (id) on delete cascade,
  participant_2 uuid not null references public.profiles (id) on delete cascade,
  last_message_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  constraint conversations_not_oneself check (participant_1 <> participant_2)
);
comment on table public.conversations is
  'One per pair, whoever began: the second of two that begin at once gets 23505 and finds the first one''s.';
create unique index conversations_pair_key
  on public.conversations (least(participant_1, participant_2), greatest(participant_1, participant_2));
create index conversations_participant_1_idx on public.conversations (participant_1, last_message_at desc, id desc);
create index conversations_participant_2_idx on public.conversations (participant_2, last_message_at desc, id desc);

alter table public.conversations enable row level security;
revoke all on table public.conversations from public, anon, authenticated;
grant select on table public.conversations to authenticated;
grant insert (id, participant_1, participant_2) on table public.conversations to authenticated;
grant all on table public.conversations to service_role;

create policy conversations_select on public.conversations for select to authenticated
  using (participant_1 = (select auth.uid()) or participant_2 = (select auth.uid()));
create policy conversations_insert on public.conversations for insert to authenticated
  with check (participant_1 = (select auth.uid()) or participant_2 = (select auth.uid()));

create table public.messages (
  id uuid primary key default gen_random_uuid(),
  sender_id uuid not null references public.profiles (id) on delete cascade,
  -- Set by messages_address. The default names nobody; it only tells type generators that clients leave this out.
  recipient_id uuid not null default '00000000-0000-0000-0000-000000000000'
    references public.profiles (id) on delete cascade,
  conversation_id uuid not null references public.conversations (id) on delete cascade,
  content text not null,
  read boolean not null default false,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint messages_content check (
    case when deleted_at is null then content ~ '\S' else content = '' end
  ),
  constraint messages_content_length check (char_length(content) <= 4000)
);
comment on table public.messages is
  'recipient_id is set by the database, so that one subscription tells a member of all their conversations. A message '
  'that is taken back stays as a row without content.';
create index messages_conversation_idx on public.messages (conversation_id, created_at desc, id desc);
create index messages_sender_idx on public.messages (sender_id);
create index messages_recipient_idx on public.messages (recipient_id);
create index messages_unread_idx on public.messages (recipient_id, conversation_id) where not read;

alter table public.messages enable row level security;
revoke all on table public.messages from public, anon, authenticated;
grant select on table public.messages to authenticated;
grant insert (id, conversation_id, sender_id, content) on table public.messages to authenticated;
grant update (read, deleted_at) on table public.messages to authenticated;
grant all on table public.messages to service_role;

create policy messages_select on public.messages for select to authenticated
  using (sender_id = (select auth.uid()) or recipient_id = (select auth.uid()));
-- The conversation must be one that the sender sees, which is one of their own.
create policy messages_insert on public.messages for insert to authenticated
  with check (
    sender_id = (select auth.uid())
    and exists (select 1 from public.conversations c where c.id = conversation_id)
  );
create policy messages_update on public.messages for update to authenticated
  using (sender_id = (select auth.uid()) or recipient_id = (select auth.uid()))
  with check (sender_id = (select auth.uid()) or recipient_id = (select auth.uid()));

create function private.address_message() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  select case new.sender_id when c.participant_1 then c.participant_2 when c.participant_2 then c.participant_1 end
    into new.recipient_id
    from public.conversations c where c.id = new.conversation_id;
  if new.recipient_id is null then
    raise sqlstate 'PT403' using message = 'This is not one of your conversations.';
  end if;
  return new;
end
$$;
comment on function private.address_message() is
  'Sets recipient_id to the other member of the conversation. PT403 when the sender is not one of its two.';
revoke execute on function private.address_message() from public, anon, authenticated;
create trigger messages_address before insert on public.messages
  for each row execute function private.address_message();

create function private.guard_message_update() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if new.read is distinct from old.read
    and pg_catalog.row_security_active('public.messages') and (select auth.uid()) <> old.recipient_id
  then
    raise sqlstate 'PT403' using message = 'Only its recipient can mark a message as read.';
  end if;
  if new.deleted_at is distinct from old.deleted_at then
    if pg_catalog.row_security_active('public.messages') and (select auth.uid()) <> old.sender_id then
      raise sqlstate 'PT403' using message = 'Only its sender can take a message back.';
    end if;
    if old.deleted_at is not null then
      raise sqlstate 'PT409' using message = 'This message was taken back already.';
    end if;
    new.deleted_at := now();
    new.content := '';
  end if;
  return new;
end
$$;
comment on function private.guard_message_update() is
  'The recipient sets read, the sender takes back: once, at the database''s time, and the content goes for good.';
revoke execute on function private.guard_message_update() from public, anon, authenticated;
create trigger messages_guard_update before update of read, deleted_at on public.messages
  for each row execute function private.guard_message_update();

create function private.touch_conversations() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform 1 from public.conversations c
    where c.id in (select conversation_id from changed) order by c.id for no key update;
  update public.conversations c set last_message_at = greatest(c.last_message_at, m.latest)
    from (select conversation_id, max(created_at) as latest from changed group by conversation_id) as m
    where c.id = m.conversation_id;
  return null;
end
$$;
comment on function private.touch_conversations() is 'Moves last_message_at to the latest message, never back.';
revoke execute on function private.touch_conversations() from public, anon, authenticated;
create trigger messages_touch after insert on public.messages
  referencing new table as changed for each statement execute function private.touch_conversations();
