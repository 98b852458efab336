-- Texts that nobody can see count as blank: docs/decisions/0066-unicode-texts.md.

-- The same characters as INVISIBLE in src/shared/visible-text.ts; scripts/character-class.mjs prints the ranges.
create function private.is_visible(written text) returns boolean
  language sql immutable set search_path = ''
as $$
  select written ~ '[^\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f-\u1160\u1680\u17b4-\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U00013430-\U0001343f\U00013441-\U00013442\U00016fe4\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff]'
$$;
comment on function private.is_visible(text) is
  'Whether a text has a character that draws something: not only spaces, control and zero-width characters, fillers and other blanks.';
revoke execute on function private.is_visible(text) from public, anon, authenticated;
-- In the conditions of triggers, which run as the member.
grant execute on function private.is_visible(text) to authenticated, service_role;

-- Triggers, no check constraints: rows from before would fail the migration, or the next change of a counter.
create function private.refuse_blank() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  raise check_violation using
    message = format('new row for relation "%s" violates check constraint "%s"', tg_table_name, tg_argv[0]),
    schema = tg_table_schema, table = tg_table_name, constraint = tg_argv[0];
end
$$;
comment on function private.refuse_blank() is
  'Refuses a text of invisible characters, with the error of the check constraint that refuses a blank one.';
revoke execute on function private.refuse_blank() from public, anon, authenticated;

create trigger comments_visible before insert on public.comments
  for each row when (not private.is_visible(new.content))
  execute function private.refuse_blank('comments_not_blank');
create trigger comments_visible_change before update of content on public.comments
  for each row when (new.content <> old.content and not private.is_visible(new.content))
  execute function private.refuse_blank('comments_not_blank');

-- A message with a photo or a shared item needs no text, and an unsent message is empty.
create trigger messages_visible before insert on public.messages
  for each row when (new.content <> '' and not private.is_visible(new.content))
  execute function private.refuse_blank('messages_content');
-- Fires after messages_guard_edit, which refuses the edit of a member with its own error.
create trigger messages_visible_change before update of content on public.messages
  for each row when (new.content not in ('', old.content) and not private.is_visible(new.content))
  execute function private.refuse_blank('messages_content');

create trigger stories_visible before insert on public.stories
  for each row when (not private.is_visible(new.content))
  execute function private.refuse_blank('stories_content_not_blank');
create trigger stories_visible_change before update of content on public.stories
  for each row when (new.content is distinct from old.content and not private.is_visible(new.content))
  execute function private.refuse_blank('stories_content_not_blank');

create function private.refuse_blank_detail() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if exists (select from jsonb_each_text(new.camera) as detail where not private.is_visible(detail.value)) then
    raise check_violation using
      message = 'new row for relation "post_photos" violates check constraint "post_photos_camera"',
      schema = 'public', table = 'post_photos', constraint = 'post_photos_camera';
  end if;
  return new;
end
$$;
comment on function private.refuse_blank_detail() is 'Refuses details of a camera that have only invisible characters, as blank ones.';
revoke execute on function private.refuse_blank_detail() from public, anon, authenticated;
create trigger post_photos_visible before insert on public.post_photos
  for each row when (jsonb_typeof(new.camera) = 'object') execute function private.refuse_blank_detail();

-- These texts may be empty: an invisible one is stored as none.
create function private.clear_blank_alt_text() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  new.alt_text := null;
  return new;
end
$$;
comment on function private.clear_blank_alt_text() is 'Removes an alternative text that has only invisible characters.';
revoke execute on function private.clear_blank_alt_text() from public, anon, authenticated;
create trigger post_photos_clear_blank before insert on public.post_photos
  for each row when (not private.is_visible(new.alt_text)) execute function private.clear_blank_alt_text();
create trigger post_photos_clear_blank_change before update of alt_text on public.post_photos
  for each row when (new.alt_text is distinct from old.alt_text and not private.is_visible(new.alt_text))
  execute function private.clear_blank_alt_text();
create trigger posts_clear_alt_text before insert on public.posts
  for each row when (not private.is_visible(new.alt_text)) execute function private.clear_blank_alt_text();
create trigger posts_clear_alt_text_change before update of alt_text on public.posts
  for each row when (new.alt_text is distinct from old.alt_text and not private.is_visible(new.alt_text))
  execute function private.clear_blank_alt_text();

create function private.clear_blank_location() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  new.location := null;
  return new;
end
$$;
comment on function private.clear_blank_location() is 'Removes a place whose name has only invisible characters.';
revoke execute on function private.clear_blank_location() from public, anon, authenticated;
create trigger posts_clear_location before insert on public.posts
  for each row when (not private.is_visible(new.location)) execute function private.clear_blank_location();
create trigger posts_clear_location_change before update of location on public.posts
  for each row when (new.location is distinct from old.location and not private.is_visible(new.location))
  execute function private.clear_blank_location();

create function private.clear_blank_profile() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if not private.is_visible(new.full_name) then
    new.full_name := '';
  end if;
  if not private.is_visible(new.bio) then
    new.bio := '';
  end if;
  return new;
end
$$;
comment on function private.clear_blank_profile() is 'Empties a full name or bio that has only invisible characters.';
revoke execute on function private.clear_blank_profile() from public, anon, authenticated;
create trigger profiles_clear_blank before insert on public.profiles
  for each row execute function private.clear_blank_profile();
create trigger profiles_clear_blank_change before update of full_name, bio on public.profiles
  for each row when ((new.full_name, new.bio) is distinct from (old.full_name, old.bio))
  execute function private.clear_blank_profile();

create or replace function private.complete_report() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  new.details := case when private.is_visible(new.details) then btrim(new.details) end;
  select p.content into new.post_content from public.posts p where p.id = new.post_id;
  return new;
end
$$;

create or replace function private.refuse_empty_post() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  checked constant uuid := to_jsonb(old) ->> 'post_id';
begin
  if exists (
    select from public.posts p
    where p.id = coalesce(checked, new.id) and not private.is_visible(p.content) and p.image_url is null
      and not exists (select from public.post_photos h where h.post_id = p.id)
  ) then
    raise check_violation using
      message = 'A post needs a text or a photo.',
      schema = 'public', table = 'posts', constraint = 'posts_not_empty';
  end if;
  return null;
end
$$;
-- Two triggers, because the condition for a change has the old row. create_post() defers the first one.
drop trigger posts_not_empty on public.posts;
create constraint trigger posts_not_empty after insert on public.posts
  deferrable initially immediate
  for each row when (new.image_url is null and not private.is_visible(new.content))
  execute function private.refuse_empty_post();
create constraint trigger posts_not_empty_change after update of content, image_url on public.posts
  deferrable initially immediate
  for each row when (
    (new.content, new.image_url) is distinct from (old.content, old.image_url)
    and new.image_url is null and not private.is_visible(new.content)
  )
  execute function private.refuse_empty_post();

create or replace function private.guard_message_edit() returns trigger
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
  if not private.is_visible(new.content) then
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
