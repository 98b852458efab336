-- PostgreSQL sorts marks that follow each other in a time that grows with the square of their number, and cannot be cancelled meanwhile:
-- 40,000 in one text, far longer than any column, took ten seconds, and ten times as many fifty times as long. So texts
-- are bounded before they are composed: docs/decisions/0069-search.md. Twice the length of the column: composing may shorten a text.

comment on function private.refuse_blank() is
  'Refuses a text with the error of a check constraint, whose name is the argument: one of invisible characters, which only that check calls blank, or one so long that it must not be composed before it is checked.';

-- Before the triggers that compose, by their names.
create trigger comments_bound_content before insert or update of content on public.comments
  for each row when (char_length(new.content) > 2000) execute function private.refuse_blank('comments_content_length');
create trigger messages_bound_content before insert or update of content on public.messages
  for each row when (char_length(new.content) > 8000) execute function private.refuse_blank('messages_content_length');
create trigger posts_bound_content before insert or update of content on public.posts
  for each row when (char_length(new.content) > 4400) execute function private.refuse_blank('posts_content_length');
create trigger posts_bound_location before insert or update of location on public.posts
  for each row when (char_length(new.location) > 200) execute function private.refuse_blank('posts_location_length');
create trigger posts_bound_alt_text before insert or update of alt_text on public.posts
  for each row when (char_length(new.alt_text) > 2000) execute function private.refuse_blank('posts_alt_text_length');
create trigger post_photos_bound_alt_text before insert or update of alt_text on public.post_photos
  for each row when (char_length(new.alt_text) > 2000) execute function private.refuse_blank('post_photos_alt_text_length');
create trigger profiles_bound_full_name before insert or update of full_name on public.profiles
  for each row when (char_length(new.full_name) > 160) execute function private.refuse_blank('profiles_full_name_length');
create trigger profiles_bound_bio before insert or update of bio on public.profiles
  for each row when (char_length(new.bio) > 1000) execute function private.refuse_blank('profiles_bio_length');
create trigger reports_bound_details before insert or update of details on public.reports
  for each row when (char_length(new.details) > 1000) execute function private.refuse_blank('reports_details_length');
create trigger stories_bound_content before insert or update of content on public.stories
  for each row when (char_length(new.content) > 1000) execute function private.refuse_blank('stories_content_length');
-- Eight texts of 100 characters.
create trigger post_photos_bound_camera before insert or update of camera on public.post_photos
  for each row when (octet_length(new.camera::text) > 20000) execute function private.refuse_blank('post_photos_camera');

create or replace function private.composed(written text) returns text
  language sql immutable strict set search_path = ''
as $$
  select case when char_length(written) > 8000 then written else (
    select coalesce(string_agg(
      case when part[1] ~ '^[\uf900-\ufaff\U0002f800-\U0002fa1f]' then part[1] else normalize(part[1], nfc) end, '' order by number
    ), '')
    from regexp_matches(written, '[\uf900-\ufaff\U0002f800-\U0002fa1f]+|[^\uf900-\ufaff\U0002f800-\U0002fa1f]+', 'g')
      with ordinality as found (part, number)
  ) end
$$;
comment on function private.composed(text) is
  'The text in NFC, except compatibility ideographs, which NFC would replace by other forms of the character. One that is longer than any column allows stays as it is.';

create or replace function private.search_key(written text) returns text
  language plpgsql immutable strict set search_path = ''
as $$
begin
  if octet_length(written) = char_length(written) then
    return lower(written collate "C");
  end if;
  written := left(written, 4000);
  -- U+034F keeps Korean letters apart that are written one by one, and voicing marks of half-width kana, which become
  -- combining marks, after their letter: sorting them among thousands of other marks takes seconds.
  return translate(
    replace(replace(replace(
      private.fold_case(normalize(
        regexp_replace(
          normalize(regexp_replace(written, '([\u3131-\u318e\uff9e-\uffdc])', U&'\\1\034f', 'g'), nfkd),
          '[\u00ad\u0300-\u034e\u0350-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7\u0610-\u061a\u061c\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7-\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u0897-\u089f\u08ca-\u08e1\u08e3-\u08ff\u0951-\u0954\u115f-\u1160\u17b4-\u17b5\u180b-\u180f\u1ab0-\u1abd\u1abf-\u1aeb\u1cd0-\u1cd2\u1cd4-\u1ce0\u1ce2-\u1ce8\u1ced\u1cf4\u1cf8-\u1cf9\u1dc0-\u1dff\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20d0-\u20dc\u20e1\u20e5-\u20f0\u2de0-\u2dff\u302a-\u302d\u3164\ua66f\ua674-\ua67d\ua69e-\ua69f\ufb1e\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\uffa0\ufff0-\ufff8\U000101fd\U000102e0\U00010efa-\U00010eff\U0001133b\U0001bca0-\U0001bca3\U0001cf00-\U0001cf46\U0001d167-\U0001d169\U0001d173-\U0001d182\U0001d185-\U0001d18b\U0001d1aa-\U0001d1ad\U0001d242-\U0001d244\U0001e08f\U000e0000-\U000e0fff]+',
          '', 'g'
        ),
        nfc
      )),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
    U&'ðđħıłø\034f', 'ddhilo'
  );
end
$$;
comment on function private.search_key(text) is
  'What two texts have in common that differ only in marks, case and compatible forms. Empty if nothing else is in the text. Of its first 4,000 characters: no column has more.';

create or replace function public.count_topic_posts(topic_kind text, topic_name text) returns integer
  language sql stable set search_path = ''
as $$
  select count(*)::integer
  from (
    select from public.post_topics t
    -- No name of a topic is longer than a place.
    where t.kind = topic_kind and t.topic = private.fold_case(private.composed(left(topic_name, 200)))
    order by t.created_at desc, t.post_id desc limit 1001
  ) as found
$$;

-- A member who inserts a post or story in the name of another is refused by row security, but only after these triggers, and the
-- first one holds the author's row: a text that took long to compose kept the other from posting and from becoming private.
drop trigger posts_audience on public.posts;
create trigger posts_audience before insert on public.posts
  for each row when (not pg_catalog.row_security_active('public.posts') or new.user_id = auth.uid())
  execute function private.set_audience();
drop trigger stories_audience on public.stories;
create trigger stories_audience before insert on public.stories
  for each row when (not pg_catalog.row_security_active('public.stories') or new.user_id = auth.uid())
  execute function private.set_audience();
