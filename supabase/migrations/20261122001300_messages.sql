-- Messages and their photos.

create table public.message_photos (
  id uuid primary key default gen_random_uuid(),
  sender_id uuid not null references public.profiles (id) on delete cascade,
  conversation_id uuid not null references public.conversations (id) on delete cascade,
  image_url text not null,
  -- Set by messages_mark_photos_sent; false while the photo waits for its message.
  sent boolean not null default false,
  created_at timestamptz not null default now(),
  constraint message_photos_image_length check (char_length(image_url) <= 2100000),
  constraint message_photos_image_format check (left(image_url, 23) ~ '^data:image/(webp|jpeg|png);base64,')
);
comment on table public.message_photos is
  'Photos of messages, in their own table so that conversations and live changes load without them. A client inserts the '
  'photo first; the other participant sees it once a message refers to it, and unsending the message deletes it.';
alter table public.message_photos alter column image_url set storage external;
create index message_photos_conversation_idx on public.message_photos (conversation_id);
create index message_photos_sender_idx on public.message_photos (sender_id, created_at);
create index message_photos_unsent_idx on public.message_photos (created_at) where not sent;
alter table public.message_photos enable row level security;
revoke all on table public.message_photos from public, anon, authenticated;
grant all on table public.message_photos to service_role;
grant select on table public.message_photos to authenticated;
grant insert (id, sender_id, conversation_id, image_url) on table public.message_photos to authenticated;

create trigger message_photos_allow before insert on public.message_photos
  for each row when (pg_catalog.row_security_active('public.message_photos')) execute function private.count_quota('message_photos');
create trigger message_photos_allow_media before insert on public.message_photos
  for each row when (pg_catalog.row_security_active('public.message_photos'))
  execute function private.check_media_quota();

create function private.delete_unsent_photos(max_rows integer) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  removed integer;
begin
  delete from public.message_photos where id = any (array(
    select id from public.message_photos
    where not sent and created_at <= now() - interval '1 day'
    order by created_at limit max_rows for update skip locked
  ));
  get diagnostics removed = row_count;
  return removed;
end
$$;
comment on function private.delete_unsent_photos(integer) is
  'Deletes at most max_rows photos that no message used within a day; returns how many.';
revoke execute on function private.delete_unsent_photos(integer) from public, anon, authenticated;

create function private.cleanup_message_photos() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.delete_unsent_photos(20);
  return null;
end
$$;
comment on function private.cleanup_message_photos() is
  'Deletes up to twenty unsent photos with each new one: more than are added, even on a server without a scheduler.';
revoke execute on function private.cleanup_message_photos() from public, anon, authenticated;
create trigger message_photos_cleanup after insert on public.message_photos
  for each statement execute function private.cleanup_message_photos();

create table public.messages (
  id uuid primary key default gen_random_uuid(),
  sender_id uuid not null references public.profiles (id) on delete cascade,
  -- Set by messages_address. The default is no member; it tells type generators that clients omit the column.
  recipient_id uuid not null default '00000000-0000-0000-0000-000000000000'
    references public.profiles (id) on delete cascade,
  conversation_id uuid not null references public.conversations (id) on delete cascade,
  content text not null,
  read boolean not null default false,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  reply_to_id uuid references public.messages (id) on delete set null,
  -- Cascades: a photo is deleted with its conversation, with its sender, or after its message was unsent.
  photo_id uuid references public.message_photos (id) on delete cascade,
  thumbnail_url text,
  image_width integer,
  image_height integer,
  story_id uuid references public.stories (id) on delete set null,
  answers_story boolean not null default false,
  sender_reaction text,
  recipient_reaction text,
  read_at timestamptz,
  constraint messages_content check (
    case
      when deleted_at is not null then content = ''
      when photo_id is not null then content = '' or content ~ '\S'
      else content ~ '\S'
    end
  ),
  constraint messages_content_length check (char_length(content) <= 4000),
  constraint messages_photo_complete check (num_nonnulls(photo_id, thumbnail_url, image_width, image_height) in (0, 4)),
  constraint messages_thumbnail_length check (char_length(thumbnail_url) <= 28000),
  constraint messages_thumbnail_format check (left(thumbnail_url, 23) ~ '^data:image/(webp|jpeg|png);base64,'),
  constraint messages_image_size check (image_width between 1 and 4096 and image_height between 1 and 4096),
  constraint messages_sender_reaction check (sender_reaction in ('❤️', '👍', '😂', '😮', '😢', '🔥')),
  constraint messages_recipient_reaction check (recipient_reaction in ('❤️', '👍', '😂', '😮', '😢', '🔥')),
  constraint messages_unsent check (
    deleted_at is null
    or (num_nonnulls(reply_to_id, photo_id, story_id, sender_reaction, recipient_reaction) = 0 and not answers_story)
  ),
  constraint messages_read_at check (read_at is null or read)
);
comment on table public.messages is
  'A trigger sets recipient_id, so that unread messages are counted by one index, without conversations. An unsent '
  'message stays as a row without content.';
comment on column public.messages.answers_story is
  'Whether the message replies to a story; stays true when the story is deleted and story_id becomes null.';
-- Realtime publishes an UPDATE with all columns: with the default identity, values stored out of line (thumbnails, long
-- texts) are missing unless they changed.
alter table public.messages replica identity full;
create index messages_conversation_idx on public.messages (conversation_id, created_at desc, id desc);
create index messages_sender_idx on public.messages (sender_id);
-- Serves every way a client asks for unread messages: `is.false` does not use a partial index.
create index messages_recipient_idx on public.messages (recipient_id, read, conversation_id);
create index messages_reply_to_idx on public.messages (reply_to_id);
create unique index messages_photo_key on public.messages (photo_id);
create index messages_story_idx on public.messages (story_id);
alter table public.messages enable row level security;
revoke all on table public.messages from public, anon, authenticated;
grant all on table public.messages to service_role;
grant select on table public.messages to authenticated;
grant insert (
  id, sender_id, conversation_id, content, reply_to_id, photo_id, thumbnail_url, image_width, image_height, story_id
) on table public.messages to authenticated;
grant update (read, deleted_at, sender_reaction, recipient_reaction) on table public.messages to authenticated;

create trigger messages_allow before insert on public.messages
  for each row when (pg_catalog.row_security_active('public.messages')) execute function private.count_quota('messages');
create trigger messages_allow_change before update of deleted_at, sender_reaction, recipient_reaction on public.messages
  for each row when (pg_catalog.row_security_active('public.messages'))
  execute function private.count_quota('message_changes');
create trigger messages_allow_read before update of read on public.messages
  for each statement when (pg_catalog.row_security_active('public.messages'))
  execute function private.count_quota('read_marks');

-- Triggers fire in the order of their names: messages_address sets recipient_id before the next two need it.
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
  'Sets recipient_id to the other participant of the conversation. PT403 if the sender is not a participant.';
revoke execute on function private.address_message() from public, anon, authenticated;
create trigger messages_address before insert on public.messages
  for each row execute function private.address_message();

create function private.check_message_extras() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  -- A retry after a lost response: the message exists, whatever has changed since.
  if exists (select 1 from public.messages m where m.id = new.id and m.sender_id = new.sender_id) then
    return new;
  end if;
  if new.reply_to_id is not null and not exists (
    select 1 from public.messages m where m.id = new.reply_to_id and m.conversation_id = new.conversation_id
  ) then
    raise sqlstate 'PT403' using message = 'The message that this one answers is not in this conversation.';
  end if;
  if new.photo_id is not null and not exists (
    select 1 from public.message_photos p
    where p.id = new.photo_id and p.sender_id = new.sender_id and p.conversation_id = new.conversation_id
  ) then
    raise sqlstate 'PT403' using message = 'This photo was not sent into this conversation.';
  end if;
  if new.story_id is not null then
    if not exists (
      select 1 from public.stories s join public.profiles owner on owner.id = s.user_id
      where s.id = new.story_id and s.user_id = new.recipient_id and s.expires_at > now()
        and owner.allow_story_replies
    ) then
      raise sqlstate 'PT403' using message = 'This story takes no replies.';
    end if;
    new.answers_story := true;
  end if;
  return new;
end
$$;
comment on function private.check_message_extras() is
  'PT403 unless a reply is to a message of the same conversation, a photo is the sender''s own for this '
  'conversation, and a story is one that the sender may see now, of the other participant, who allows replies.';
revoke execute on function private.check_message_extras() from public, anon, authenticated;
create trigger messages_check_extras before insert on public.messages
  for each row when (num_nonnulls(new.reply_to_id, new.photo_id, new.story_id) > 0)
  execute function private.check_message_extras();

create function private.refuse_hidden_recipient() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if pg_catalog.row_security_active('public.messages')
    and not exists (select 1 from public.profiles where id = new.recipient_id)
    -- A retry after a lost response: the message exists, and the client expects 23505.
    and not exists (select 1 from public.messages where id = new.id and sender_id = new.sender_id)
  then
    raise sqlstate 'PT403' using message = 'This conversation is closed.';
  end if;
  return new;
end
$$;
comment on function private.refuse_hidden_recipient() is
  'Closes the conversation when one participant has blocked the other: existing messages stay, new ones are '
  'refused.';
revoke execute on function private.refuse_hidden_recipient() from public, anon, authenticated;
create trigger messages_refuse_hidden before insert on public.messages
  for each row execute function private.refuse_hidden_recipient();

create function private.guard_message_update() returns trigger
  language plpgsql set search_path = ''
as $$
declare
  is_client constant boolean := pg_catalog.row_security_active('public.messages');
  me constant uuid := (select auth.uid());
  sender_reacts constant boolean := new.sender_reaction is distinct from old.sender_reaction;
  recipient_reacts constant boolean := new.recipient_reaction is distinct from old.recipient_reaction;
begin
  if new.read is distinct from old.read then
    if is_client and me <> old.recipient_id then
      raise sqlstate 'PT403' using message = 'Only its recipient can mark a message as read.';
    end if;
    new.read_at := case when new.read then now() end;
  end if;
  if is_client and ((sender_reacts and me <> old.sender_id) or (recipient_reacts and me <> old.recipient_id)) then
    raise sqlstate 'PT403' using message = 'Members react for themselves.';
  end if;
  if (sender_reacts or recipient_reacts) and old.deleted_at is not null then
    raise sqlstate 'PT409' using message = 'This message was unsent.';
  end if;
  -- Setting a reaction reaches the other participant like a message; removing one does not.
  if is_client
    and ((sender_reacts and new.sender_reaction is not null)
      or (recipient_reacts and new.recipient_reaction is not null))
    and not exists (
      select 1 from public.profiles where id in (old.sender_id, old.recipient_id) and id <> me
    )
  then
    raise sqlstate 'PT403' using message = 'This conversation is closed.';
  end if;
  if new.deleted_at is distinct from old.deleted_at then
    if is_client and me <> old.sender_id then
      raise sqlstate 'PT403' using message = 'Only its sender can unsend a message.';
    end if;
    if old.deleted_at is not null then
      raise sqlstate 'PT409' using message = 'This message was already unsent.';
    end if;
    new.deleted_at := now();
    new.content := '';
    new.reply_to_id := null;
    new.photo_id := null;
    new.thumbnail_url := null;
    new.image_width := null;
    new.image_height := null;
    new.story_id := null;
    new.answers_story := false;
    new.sender_reaction := null;
    new.recipient_reaction := null;
  end if;
  return new;
end
$$;
comment on function private.guard_message_update() is
  'The recipient sets read, the sender unsends, and each member sets their own reaction. A message is unsent once, '
  'at the database''s time, and loses all its content.';
revoke execute on function private.guard_message_update() from public, anon, authenticated;
create trigger messages_guard_update
  before update of read, deleted_at, sender_reaction, recipient_reaction on public.messages
  for each row execute function private.guard_message_update();

create function private.touch_conversations() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform 1 from public.conversations c
    where c.id in (select conversation_id from changed) order by c.id for no key update;
  update public.conversations c
    set last_message_at = greatest(c.last_message_at, m.latest),
        participant_1_wrote = c.participant_1_wrote or c.participant_1 = any (m.senders),
        participant_2_wrote = c.participant_2_wrote or c.participant_2 = any (m.senders)
    from (
      select conversation_id, max(created_at) as latest, array_agg(distinct sender_id) as senders
      from changed group by conversation_id
    ) as m
    where c.id = m.conversation_id;
  return null;
end
$$;
comment on function private.touch_conversations() is
  'Moves last_message_at to the latest message, never back, and records who has written.';
revoke execute on function private.touch_conversations() from public, anon, authenticated;
create trigger messages_touch after insert on public.messages
  referencing new table as changed for each statement execute function private.touch_conversations();

create function private.mark_photos_sent() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  update public.message_photos p set sent = true from changed c where p.id = c.photo_id;
  return null;
end
$$;
comment on function private.mark_photos_sent() is 'Keeps a photo for as long as its message.';
revoke execute on function private.mark_photos_sent() from public, anon, authenticated;
create trigger messages_mark_photos_sent after insert on public.messages
  referencing new table as changed for each statement execute function private.mark_photos_sent();

create function private.delete_message_photo() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.message_photos where id = old.photo_id;
  return null;
end
$$;
comment on function private.delete_message_photo() is 'Deletes the photo of an unsent message.';
revoke execute on function private.delete_message_photo() from public, anon, authenticated;
create trigger messages_delete_photo after update of deleted_at on public.messages
  for each row when (old.photo_id is not null and new.photo_id is null) execute function private.delete_message_photo();

create trigger messages_broadcast_insert after insert on public.messages
  referencing new table as changed for each statement execute function private.broadcast_messages();
create trigger messages_broadcast_update after update on public.messages
  referencing new table as changed for each statement execute function private.broadcast_messages();

create function public.unread_conversations() returns integer
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
  'Conversations with a message that the caller has not read, without those of members they have blocked, 0 to 10: '
  'the badge shows 9+ above nine. Walks the index from one conversation to the next, however many messages are '
  'unread in each.';
revoke execute on function public.unread_conversations() from public, anon, authenticated;
grant execute on function public.unread_conversations() to authenticated, service_role;

create policy messages_session on public.messages as restrictive for all to authenticated
  using (nullif((select private.is_member()), false) is not null)
  with check (nullif((select private.is_member()), false) is not null);
-- A `case` for the reason given at conversations_select.
create policy messages_select on public.messages for select to authenticated
  using (case (select auth.uid()) when sender_id then true when recipient_id then true else false end);
-- Senders see only their own conversations.
create policy messages_insert on public.messages for insert to authenticated
  with check (
    sender_id = (select auth.uid())
    and exists (select 1 from public.conversations c where c.id = conversation_id)
  );
create policy messages_update on public.messages for update to authenticated
  using (case (select auth.uid()) when sender_id then true when recipient_id then true else false end)
  with check (case (select auth.uid()) when sender_id then true when recipient_id then true else false end);

create policy message_photos_session on public.message_photos as restrictive for all to authenticated
  using (nullif((select private.is_member()), false) is not null)
  with check (nullif((select private.is_member()), false) is not null);
create policy message_photos_select on public.message_photos for select to authenticated
  using (
    sender_id = (select auth.uid())
    or exists (select 1 from public.messages m where m.photo_id = message_photos.id offset 0)
  );
-- Not into a closed conversation: there the sender does not see the other member.
create policy message_photos_insert on public.message_photos for insert to authenticated
  with check (
    sender_id = (select auth.uid())
    and exists (
      select 1 from public.conversations c
      join public.profiles other
        on other.id = case (select auth.uid()) when c.participant_1 then c.participant_2 else c.participant_1 end
      where c.id = conversation_id
    )
  );
