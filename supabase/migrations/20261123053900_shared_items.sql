-- Posts, stories and profiles that members send as messages: docs/decisions/0022-message-extras.md.

alter table public.messages
  add column shared_kind text,
  add column shared_post_id uuid references public.posts (id) on delete set null,
  add column shared_story_id uuid references public.stories (id) on delete set null,
  add column shared_profile_id uuid references public.profiles (id) on delete set null,
  -- Each reference is null when its item was deleted, and unless the message shares an item of its kind.
  add constraint messages_shared_kind check (
    case shared_kind
      when 'post' then num_nonnulls(shared_story_id, shared_profile_id) = 0
      when 'story' then num_nonnulls(shared_post_id, shared_profile_id) = 0
      when 'profile' then num_nonnulls(shared_post_id, shared_story_id) = 0
      else shared_kind is null and num_nonnulls(shared_post_id, shared_story_id, shared_profile_id) = 0
    end
  ),
  drop constraint messages_content,
  add constraint messages_content check (
    case
      when deleted_at is not null then content = ''
      when photo_id is not null or shared_kind is not null then content = '' or content ~ '\S'
      else content ~ '\S'
    end
  ),
  drop constraint messages_unsent,
  add constraint messages_unsent check (
    deleted_at is null
    or (
      num_nonnulls(reply_to_id, photo_id, story_id, sender_reaction, recipient_reaction, shared_kind) = 0
      and not answers_story
    )
  );
comment on column public.messages.shared_kind is
  'Whether the message shares a post, a story or a profile; set by messages_check_shared, and stays when the item is deleted. '
  'The message has no content of the item: members read that with their own rights.';
create index messages_shared_post_idx on public.messages (shared_post_id);
create index messages_shared_story_idx on public.messages (shared_story_id);
create index messages_shared_profile_idx on public.messages (shared_profile_id);
grant insert (shared_post_id, shared_story_id, shared_profile_id) on table public.messages to authenticated;

create function private.check_shared() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  new.shared_kind := case
    when new.shared_post_id is not null then 'post'
    when new.shared_story_id is not null then 'story'
    else 'profile'
  end;
  -- A retry after a lost response: the message exists, whatever has changed since.
  if exists (select 1 from public.messages m where m.id = new.id and m.sender_id = new.sender_id) then
    return new;
  end if;
  if not (
    exists (select 1 from public.posts where id = new.shared_post_id)
    or exists (select 1 from public.stories where id = new.shared_story_id and expires_at > now())
    or exists (select 1 from public.profiles where id = new.shared_profile_id)
  ) then
    raise sqlstate 'PT403' using message = 'This is not available any more.';
  end if;
  return new;
end
$$;
comment on function private.check_shared() is
  'Sets shared_kind. PT403 unless the sender sees the shared post, story or profile now.';
revoke execute on function private.check_shared() from public, anon, authenticated;
create trigger messages_check_shared before insert on public.messages
  for each row when (num_nonnulls(new.shared_post_id, new.shared_story_id, new.shared_profile_id) > 0)
  execute function private.check_shared();

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
