-- Hashtags of all scripts: docs/decisions/0052-topics.md and 0066-unicode-texts.md.

-- The same characters as WORD_CHARACTER in src/shared/hashtags.ts; scripts/character-class.mjs prints the ranges.
create or replace function private.word_character() returns text
  language sql immutable set search_path = ''
as $$
  select '[\u0030-\u0039\u0041-\u005a\u005f\u0061-\u007a\u00aa\u00b5\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02c1\u02c6-\u02d1\u02e0-\u02e4\u02ec\u02ee\u0300-\u034e\u0350-\u0374\u0376-\u037d\u037f\u0386\u0388-\u03f5\u03f7-\u0481\u0483-\u0487\u048a-\u0559\u0560-\u0588\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7-\u05f2\u0610-\u061a\u0620-\u0669\u066e-\u06d3\u06d5-\u06dc\u06df-\u06e8\u06ea-\u06fc\u06ff\u0710-\u07f5\u07fa-\u07fd\u0800-\u082d\u0840-\u085b\u0860-\u0887\u0889-\u088f\u0897-\u08e1\u08e3-\u0963\u0966-\u096f\u0971-\u09f1\u09fc\u09fe-\u0a75\u0a81-\u0aef\u0af9-\u0b6f\u0b71\u0b82-\u0bef\u0c00-\u0c6f\u0c80-\u0c83\u0c85-\u0d4e\u0d54-\u0d57\u0d5f-\u0d6f\u0d7a-\u0df3\u0e01-\u0e3a\u0e40-\u0e4e\u0e50-\u0e59\u0e81-\u0f00\u0f18-\u0f19\u0f20-\u0f29\u0f35\u0f37\u0f39\u0f3e-\u0f84\u0f86-\u0fbc\u0fc6\u1000-\u1049\u1050-\u109d\u10a0-\u10fa\u10fc-\u115e\u1161-\u135f\u1380-\u138f\u13a0-\u13fd\u1401-\u166c\u166f-\u167f\u1681-\u169a\u16a0-\u16ea\u16ee-\u1734\u1740-\u17b3\u17b6-\u17d3\u17d7\u17dc-\u17e9\u1810-\u193b\u1946-\u19d9\u1a00-\u1a1b\u1a20-\u1a99\u1aa7\u1ab0-\u1abd\u1abf-\u1b4c\u1b50-\u1b59\u1b6b-\u1b73\u1b80-\u1bf3\u1c00-\u1c37\u1c40-\u1c7d\u1c80-\u1cbf\u1cd0-\u1cd2\u1cd4-\u1fbc\u1fbe\u1fc2-\u1fcc\u1fd0-\u1fdb\u1fe0-\u1fec\u1ff2-\u1ffc\u2071\u207f\u2090-\u209c\u20d0-\u20dc\u20e1\u20e5-\u20f0\u2102\u2107\u210a-\u2113\u2115\u2119-\u211d\u2124\u2126\u2128\u212a-\u212d\u212f-\u2139\u213c-\u213f\u2145-\u2149\u214e\u2160-\u2188\u2c00-\u2ce4\u2ceb-\u2cf3\u2d00-\u2d6f\u2d7f-\u2dff\u2e2f\u3005-\u3007\u3021-\u302f\u3031-\u3035\u3038-\u303c\u3041-\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u3163\u3165-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\ua48c\ua4d0-\ua4fd\ua500-\ua60c\ua610-\ua66f\ua674-\ua67d\ua67f-\ua6f1\ua717-\ua71f\ua722-\ua788\ua78b-\ua827\ua82c\ua840-\ua873\ua880-\ua8c5\ua8d0-\ua8f7\ua8fb\ua8fd-\ua92d\ua930-\ua953\ua960-\ua9c0\ua9cf-\ua9d9\ua9e0-\uaa59\uaa60-\uaa76\uaa7a-\uaadd\uaae0-\uaaef\uaaf2-\uab5a\uab5c-\uab69\uab70-\uabea\uabec-\ud7fb\uf900-\ufb28\ufb2a-\ufbb1\ufbd3-\ufd3d\ufd50-\ufd8f\ufd92-\ufdc7\ufdf0-\ufdfb\ufe20-\ufe2f\ufe70-\ufefc\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uff9f\uffa1-\uffdc\U00010000-\U000100fa\U00010140-\U00010174\U000101fd-\U000102e0\U00010300-\U0001031f\U0001032d-\U0001039d\U000103a0-\U000103cf\U000103d1-\U00010563\U00010570-\U00010855\U00010860-\U00010876\U00010880-\U0001089e\U000108e0-\U000108f5\U00010900-\U00010915\U00010920-\U00010939\U00010940-\U000109b7\U000109be-\U000109bf\U00010a00-\U00010a3f\U00010a60-\U00010a7c\U00010a80-\U00010a9c\U00010ac0-\U00010ac7\U00010ac9-\U00010ae6\U00010b00-\U00010b35\U00010b40-\U00010b55\U00010b60-\U00010b72\U00010b80-\U00010b91\U00010c00-\U00010cf2\U00010d00-\U00010d6d\U00010d6f-\U00010d85\U00010e80-\U00010eac\U00010eb0-\U00010ec7\U00010efa-\U00010f1c\U00010f27-\U00010f50\U00010f70-\U00010f85\U00010fb0-\U00010fc4\U00010fe0-\U00011046\U00011066-\U000110ba\U000110c2\U000110d0-\U0001113f\U00011144-\U00011173\U00011176-\U000111c4\U000111c9-\U000111cc\U000111ce-\U000111da\U000111dc\U00011200-\U00011237\U0001123e-\U000112a8\U000112b0-\U000113d3\U000113e1-\U0001144a\U00011450-\U00011459\U0001145e-\U000114c5\U000114c7-\U000115c0\U000115d8-\U00011640\U00011644-\U00011659\U00011680-\U000116b8\U000116c0-\U00011739\U00011740-\U0001183a\U000118a0-\U000118e9\U000118ff-\U00011943\U00011950-\U000119e1\U000119e3-\U00011a3e\U00011a47-\U00011a99\U00011a9d\U00011ab0-\U00011af8\U00011b60-\U00011be0\U00011bf0-\U00011c40\U00011c50-\U00011c59\U00011c72-\U00011ef6\U00011f00-\U00011f42\U00011f50-\U00011fb0\U00012000-\U0001246e\U00012480-\U00012ff0\U00013000-\U0001342f\U00013440-\U00016a69\U00016a70-\U00016af4\U00016b00-\U00016b36\U00016b40-\U00016b43\U00016b50-\U00016b59\U00016b63-\U00016d6c\U00016d70-\U00016e7f\U00016ea0-\U00016fe1\U00016fe3-\U0001bc99\U0001bc9d-\U0001bc9e\U0001ccf0-\U0001ccf9\U0001cf00-\U0001cf46\U0001d165-\U0001d169\U0001d16d-\U0001d172\U0001d17b-\U0001d182\U0001d185-\U0001d18b\U0001d1aa-\U0001d1ad\U0001d242-\U0001d244\U0001d400-\U0001d6c0\U0001d6c2-\U0001d6da\U0001d6dc-\U0001d6fa\U0001d6fc-\U0001d714\U0001d716-\U0001d734\U0001d736-\U0001d74e\U0001d750-\U0001d76e\U0001d770-\U0001d788\U0001d78a-\U0001d7a8\U0001d7aa-\U0001d7c2\U0001d7c4-\U0001d7ff\U0001da00-\U0001da36\U0001da3b-\U0001da6c\U0001da75\U0001da84\U0001da9b-\U0001e14e\U0001e290-\U0001e2f9\U0001e4d0-\U0001e5fa\U0001e6c0-\U0001e8c4\U0001e8d0-\U0001e959\U0001ee00-\U0001eebb\U0001fbf0-\U0001fbf9\U00020000-\U00033479]'
$$;
comment on function private.word_character() is
  'A pattern for the letters, marks and digits of all scripts, and _. Code points that Unicode has not assigned may be among them.';

create or replace function private.hashtag_pattern() returns text
  language sql immutable set search_path = ''
as $$
  select format(
    '(?<!%1$s|[#\uff03&/@])[#\uff03](%1$s+(?:%2$s+%1$s+)*)',
    private.word_character(), '[\u00b7\u180b-\u180d\u180f\u200c\u200d\U000e0100-\U000e01ef]'
  )
$$;
comment on function private.hashtag_pattern() is
  'Finds #word, whose characters are letters, marks, digits and _, with joiners and the middle dot inside. Not inside a word or an address.';

create or replace function private.topics_of(content text, location text)
  returns table (kind text, topic text, label text)
  language sql immutable set search_path = ''
as $$
  (
    select 'hashtag', tag.topic, (array_agg(tag.label order by tag.number))[1]
    from (
      select lower(found.words[1]) as topic, found.words[1] as label, found.number
      from regexp_matches(content, private.hashtag_pattern(), 'g') with ordinality as found (words, number)
    ) as tag
    where char_length(tag.topic) <= 50
      and tag.topic !~ '^(?:[\u0030-\u0039\u005f\u0660-\u0669\u06f0-\u06f9\u07c0-\u07c9\u0966-\u096f\u09e6-\u09ef\u0a66-\u0a6f\u0ae6-\u0aef\u0b66-\u0b6f\u0be6-\u0bef\u0c66-\u0c6f\u0ce6-\u0cef\u0d66-\u0d6f\u0de6-\u0def\u0e50-\u0e59\u0ed0-\u0ed9\u0f20-\u0f29\u1040-\u1049\u1090-\u1099\u17e0-\u17e9\u1810-\u1819\u1946-\u194f\u19d0-\u19d9\u1a80-\u1a89\u1a90-\u1a99\u1b50-\u1b59\u1bb0-\u1bb9\u1c40-\u1c49\u1c50-\u1c59\ua620-\ua629\ua8d0-\ua8d9\ua900-\ua909\ua9d0-\ua9d9\ua9f0-\ua9f9\uaa50-\uaa59\uabf0-\uabf9\uff10-\uff19\U000104a0-\U000104a9\U00010d30-\U00010d39\U00010d40-\U00010d49\U00011066-\U0001106f\U000110f0-\U000110f9\U00011136-\U0001113f\U000111d0-\U000111d9\U000112f0-\U000112f9\U00011450-\U00011459\U000114d0-\U000114d9\U00011650-\U00011659\U000116c0-\U000116c9\U000116d0-\U000116e3\U00011730-\U00011739\U000118e0-\U000118e9\U00011950-\U00011959\U00011bf0-\U00011bf9\U00011c50-\U00011c59\U00011d50-\U00011d59\U00011da0-\U00011da9\U00011de0-\U00011de9\U00011f50-\U00011f59\U00016130-\U00016139\U00016a60-\U00016a69\U00016ac0-\U00016ac9\U00016b50-\U00016b59\U00016d70-\U00016d79\U0001ccf0-\U0001ccf9\U0001d7ce-\U0001d7ff\U0001e140-\U0001e149\U0001e2f0-\U0001e2f9\U0001e4f0-\U0001e4f9\U0001e5f1-\U0001e5fa\U0001e950-\U0001e959\U0001fbf0-\U0001fbf9]|[\u00b7\u180b-\u180d\u180f\u200c\u200d\U000e0100-\U000e01ef])+$'
    group by tag.topic order by min(tag.number) limit 30
  )
  union all
  select 'place', lower(place.name), place.name
  from (select regexp_replace(btrim(location), '\s+', ' ', 'g') as name) as place
  where place.name <> ''
$$;
comment on function private.topics_of(text, text) is
  'The first thirty hashtags of a text, without those of more than fifty characters or of digits only, and its place.';

-- Hashtags from before: only texts with other than ASCII characters can have different ones, and only different rows are written.
with read as materialized (
  select p.id, p.user_id, p.content, p.audience, p.created_at from public.posts p
  where p.content ~ '[#\uff03]' and p.content ~ '[^\u0001-\u007f]'
), found as materialized (
  select r.id, r.user_id, r.audience, r.created_at, t.topic, t.label
  from read r cross join lateral private.topics_of(r.content, null) as t
), removed as (
  delete from public.post_topics t
  where t.kind = 'hashtag' and t.post_id in (select r.id from read r)
    and not exists (select from found f where f.id = t.post_id and f.topic = t.topic)
)
insert into public.post_topics (user_id, post_id, kind, topic, label, audience, created_at)
  select f.user_id, f.id, 'hashtag', f.topic, f.label, f.audience, f.created_at from found f
  on conflict (post_id, kind, topic) do update set label = excluded.label where post_topics.label <> excluded.label;

-- Members go on to follow a hashtag under its name without the punctuation.
with corrected as materialized (
  select f.follower_id, f.tag, f.created_at, t.topic
  from public.hashtag_follows f cross join lateral private.topics_of('#' || f.tag, null) as t
  where f.tag ~ '[^\u0001-\u007f]' and t.topic <> f.tag
), removed as (
  delete from public.hashtag_follows f using corrected c where f.follower_id = c.follower_id and f.tag = c.tag
)
insert into public.hashtag_follows (follower_id, tag, created_at)
  select c.follower_id, c.topic, c.created_at from corrected c
  on conflict do nothing;

-- The words of hashtags and places that have other than ASCII characters.
delete from private.topic_words where topic ~ '[^\u0001-\u007f]';
insert into private.topic_words
  select w.*
  from (
    select distinct kind, audience, topic from public.post_topics where topic ~ '[^\u0001-\u007f]'
  ) as t
  cross join lateral private.word_rows(t.kind, t.audience, t.topic) as w;

drop trigger posts_topics on public.posts;
create trigger posts_topics after insert on public.posts
  for each row when (new.location is not null or new.content ~ '[#\uff03]') execute function private.set_topics();
