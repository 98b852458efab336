-- The sender of a message can edit its text for fifteen minutes: docs/decisions/0022-message-extras.md.

alter table public.messages add column edited_at timestamptz;
comment on column public.messages.edited_at is 'When its sender last edited it; set by messages_guard_edit.';
grant update (content) on table public.messages to authenticated;

create function private.guard_message_edit() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if not pg_catalog.row_security_active('public.messages') then
    return new;
  end if;
  if (select auth.uid()) <> old.sender_id then
    raise sqlstate 'PT403' using message = 'Only its sender can edit a message.';
  end if;
  if old.deleted_at is not null then
    raise sqlstate 'PT409' using message = 'This message was unsent.';
  end if;
  if old.content = '' then
    raise sqlstate 'PT403' using message = 'This message has no text.';
  end if;
  if new.content !~ '\S' then
    raise sqlstate 'PT422' using message = 'A message cannot be empty.';
  end if;
  if old.created_at < now() - interval '15 minutes' then
    raise sqlstate 'PT403' using message = 'Messages can be edited for 15 minutes.';
  end if;
  -- An edit reaches the other participant like a message.
  if not exists (select 1 from public.profiles where id = old.recipient_id) then
    raise sqlstate 'PT403' using message = 'This conversation is closed.';
  end if;
  new.edited_at := now();
  return new;
end
$$;
comment on function private.guard_message_edit() is
  'Its sender edits the text of a message within fifteen minutes, by the database''s clock, unless the conversation is closed.';
revoke execute on function private.guard_message_edit() from public, anon, authenticated;
create trigger messages_allow_edit before update of content on public.messages
  for each row when (pg_catalog.row_security_active('public.messages'))
  execute function private.count_quota('message_changes');
-- Fires before messages_guard_update, which empties an unsent message.
create trigger messages_guard_edit before update of content on public.messages
  for each row when (new.content is distinct from old.content) execute function private.guard_message_edit();

create or replace function private.guard_message_update() returns trigger
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
    new.edited_at := null;
    new.reply_to_id := null;
    new.photo_id := null;
    new.thumbnail_url := null;
    new.thumbhash := null;
    new.image_width := null;
    new.image_height := null;
    new.story_id := null;
    new.answers_story := false;
    new.shared_kind := null;
    new.shared_post_id := null;
    new.shared_story_id := null;
    new.shared_profile_id := null;
    new.sender_reaction := null;
    new.recipient_reaction := null;
  end if;
  return new;
end
$$;
