-- The columns of reactions go; apps that read them say that the server needs a newer app (0105).

create or replace function private.guard_message_update() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if new.deleted_at is not distinct from old.deleted_at then
    return new;
  end if;
  if pg_catalog.row_security_active('public.messages') and (select auth.uid()) <> old.sender_id then
    raise sqlstate 'PT403' using message = 'Only its sender can unsend a message.';
  end if;
  if old.deleted_at is not null then
    raise sqlstate 'PT409' using message = 'This message was already unsent.';
  end if;
  new.deleted_at := now();
  new.content := '';
  new.edited_at := null;
  new.reply_to_id := null;
  new.media_id := null;
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
  return new;
end
$$;
comment on function private.guard_message_update() is
  'The sender unsends. A message is unsent once, at the database''s time, and loses all its content.';

-- Takes the check of unsent messages with it.
alter table public.messages
  drop column sender_reaction,
  drop column recipient_reaction,
  add constraint messages_unsent check (
    deleted_at is null or num_nonnulls(reply_to_id, media_id, story_id, shared_kind) = 0 and not answers_story
  );

create or replace function private.serves() returns text language sql immutable set search_path = '' as $$
  select '20261128041500'
$$;
