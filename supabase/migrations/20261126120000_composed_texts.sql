-- Texts are stored in Unicode's composed form: docs/decisions/0069-search.md.

-- The same as composeText() in src/shared/composed-text.ts.
create function private.composed(written text) returns text
  language sql immutable strict set search_path = ''
as $$
  select coalesce(string_agg(
    case when part[1] ~ '^[\uf900-\ufaff\U0002f800-\U0002fa1f]' then part[1] else normalize(part[1], nfc) end, '' order by number
  ), '')
  from regexp_matches(written, '[\uf900-\ufaff\U0002f800-\U0002fa1f]+|[^\uf900-\ufaff\U0002f800-\U0002fa1f]+', 'g')
    with ordinality as found (part, number)
$$;
comment on function private.composed(text) is
  'The text in NFC, except compatibility ideographs, which NFC would replace by other forms of the character.';
revoke execute on function private.composed(text) from public, anon, authenticated;
grant execute on function private.composed(text) to authenticated, service_role;

create function private.compose_texts() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  return jsonb_populate_record(new, (
    select jsonb_object_agg(each.key, private.composed(each.value::text)::jsonb)
    from jsonb_each(to_jsonb(new)) as each where each.key = any (tg_argv)
  ));
end
$$;
comment on function private.compose_texts() is 'Composes the texts in the columns that are its arguments; in a JSON value all texts.';
revoke execute on function private.compose_texts() from public, anon, authenticated;

-- On insert and on a change of a text, so that rows from before stay as they are when a counter changes.
create trigger profiles_compose before insert on public.profiles
  for each row when (new.full_name is not nfc normalized
    or new.bio is not nfc normalized)
  execute function private.compose_texts('full_name', 'bio');
create trigger profiles_compose_change before update of full_name, bio on public.profiles
  for each row when ((new.full_name, new.bio) is distinct from (old.full_name, old.bio) and (
    new.full_name is not nfc normalized
    or new.bio is not nfc normalized
  ))
  execute function private.compose_texts('full_name', 'bio');
create trigger posts_compose before insert on public.posts
  for each row when (new.content is not nfc normalized
    or new.location is not nfc normalized
    or new.alt_text is not nfc normalized)
  execute function private.compose_texts('content', 'location', 'alt_text');
create trigger posts_compose_change before update of content, location, alt_text on public.posts
  for each row when ((new.content, new.location, new.alt_text) is distinct from (old.content, old.location, old.alt_text) and (
    new.content is not nfc normalized
    or new.location is not nfc normalized
    or new.alt_text is not nfc normalized
  ))
  execute function private.compose_texts('content', 'location', 'alt_text');
create trigger post_photos_compose before insert on public.post_photos
  for each row when (new.alt_text is not nfc normalized
    or new.camera::text is not nfc normalized)
  execute function private.compose_texts('alt_text', 'camera');
create trigger post_photos_compose_change before update of alt_text, camera on public.post_photos
  for each row when ((new.alt_text, new.camera) is distinct from (old.alt_text, old.camera) and (
    new.alt_text is not nfc normalized
    or new.camera::text is not nfc normalized
  ))
  execute function private.compose_texts('alt_text', 'camera');
create trigger comments_compose before insert on public.comments
  for each row when (new.content is not nfc normalized)
  execute function private.compose_texts('content');
create trigger comments_compose_change before update of content on public.comments
  for each row when (new.content is distinct from old.content and new.content is not nfc normalized)
  execute function private.compose_texts('content');
create trigger messages_compose before insert on public.messages
  for each row when (new.content is not nfc normalized)
  execute function private.compose_texts('content');
create trigger messages_compose_change before update of content on public.messages
  for each row when (new.content is distinct from old.content and new.content is not nfc normalized)
  execute function private.compose_texts('content');
create trigger stories_compose before insert on public.stories
  for each row when (new.content is not nfc normalized)
  execute function private.compose_texts('content');
create trigger stories_compose_change before update of content on public.stories
  for each row when (new.content is distinct from old.content and new.content is not nfc normalized)
  execute function private.compose_texts('content');
create trigger reports_compose before insert on public.reports
  for each row when (new.details is not nfc normalized)
  execute function private.compose_texts('details');
