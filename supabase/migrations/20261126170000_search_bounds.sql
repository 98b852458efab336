-- A search of messages ends in time, whatever their texts: docs/decisions/0069-search.md.

create or replace function private.search_key(written text) returns text
  language plpgsql immutable strict set search_path = ''
as $$
begin
  if octet_length(written) = char_length(written) then
    return lower(written collate "C");
  end if;
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

-- Names with such marks may have another key.
do $$
begin
  reindex index public.profiles_search_prefix_idx;
  if to_regclass('public.profiles_search_trgm_idx') is not null then
    reindex index public.profiles_search_trgm_idx;
  end if;
end
$$;

create or replace function public.search_messages(
  query text, in_conversation uuid default null, before_at timestamptz default null, before_id uuid default null
)
  returns table (
    id uuid, conversation_id uuid, sender_id uuid, content text, created_at timestamptz, is_match boolean,
    is_last_read boolean
  )
  language sql stable security invoker set search_path = '' set enable_bitmapscan = off set jit = off
as $$
  with start as (
    select coalesce(before_at, 'infinity') as at, coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff') as id,
      case when char_length(private.composed(btrim(query))) between 2 and 100 then private.search_key(btrim(query)) end as wanted
  ), scanned as (
    select candidates.*, row_number() over newest_first as place,
      sum(octet_length(candidates.content)) over newest_first as octets
    from (
      (
        select m.id, m.conversation_id, m.sender_id, m.content, m.created_at from public.messages m
        where in_conversation is null and m.sender_id = (select auth.uid())
          and (m.created_at, m.id) < ((select s.at from start s), (select s.id from start s))
        order by m.created_at desc, m.id desc limit 2000
      )
      union all
      (
        select m.id, m.conversation_id, m.sender_id, m.content, m.created_at from public.messages m
        where in_conversation is null and m.recipient_id = (select auth.uid())
          and (m.created_at, m.id) < ((select s.at from start s), (select s.id from start s))
        order by m.created_at desc, m.id desc limit 2000
      )
      union all
      (
        select m.id, m.conversation_id, m.sender_id, m.content, m.created_at from public.messages m
        where m.conversation_id = in_conversation
          and (m.created_at, m.id) < ((select s.at from start s), (select s.id from start s))
        order by m.created_at desc, m.id desc limit 2000
      )
    ) as candidates
    window newest_first as (order by candidates.created_at desc, candidates.id desc)
    order by candidates.created_at desc, candidates.id desc limit 2000
  ), read as (
    select s.*, s.place = 2000 or s.octets >= 200000 as is_last from scanned s
    where s.octets - octet_length(s.content) < 200000
  ), found as (
    select r.*, strpos(private.search_key(r.content), (select t.wanted from start t)) > 0 as is_match from read r
  )
  select f.id, f.conversation_id, f.sender_id, case when f.is_match then f.content else '' end, f.created_at,
    f.is_match, f.is_last
  from found f
  where (select t.wanted from start t) <> '' and (f.is_match or f.is_last)
  order by f.created_at desc, f.id desc limit 20
$$;
comment on function public.search_messages(text, uuid, timestamptz, uuid) is
  'At most twenty of the caller''s messages whose text contains the query, ignoring marks and case, newest first, from '
  'before (before_at, before_id); in one conversation if one is given. Reads 2,000 messages or 200,000 bytes of text; the last one read is the '
  'last row, whether or not it matches.';
