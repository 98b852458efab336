-- How much a member may create and change in a minute and in a day: docs/decisions/0027-quotas.md. Each table's file adds its triggers.

create table private.quotas (
  kind text primary key,
  per_minute bigint check (per_minute >= 0),
  per_day bigint check (per_day >= 0)
);
comment on table private.quotas is
  'What one member may create and change; null means no limit. The operator may change it at any time: '
  'update private.quotas set per_day = 200 where kind = ''posts''.';
alter table private.quotas enable row level security;
revoke all on table private.quotas from public, anon, authenticated;
grant all on table private.quotas to service_role;

insert into private.quotas (kind, per_minute, per_day) values
  ('posts', null, 50),
  ('stories', null, 100),
  ('media_bytes', null, 500000000),
  ('comments', 30, 1000),
  ('messages', 60, 5000),
  ('message_photos', 60, 5000),
  ('likes', 120, null),
  ('saved_posts', 120, null),
  -- Follows and follow requests count together.
  ('follows', 60, 500),
  ('conversations', 60, 500),
  ('story_views', 240, null),
  ('blocks', 60, 500),
  ('mutes', 60, 500),
  ('reports', null, 20),
  ('usernames', null, 20),
  ('profile_changes', 60, 1000),
  ('post_changes', 60, 1000),
  -- Reactions and unsending.
  ('message_changes', 120, null),
  -- Statements, because one may mark a thousand messages or notifications as read.
  ('read_marks', 240, null);

-- No foreign key to profiles: its cascade would make deleting an account wait for a statement that holds a counter and
-- waits for the profile. The cleanup removes the counters of deleted accounts.
create table private.quota_usage (
  member_id uuid not null,
  kind text not null,
  minute_since timestamptz not null default now(),
  in_minute integer not null default 1,
  day_since timestamptz not null default now(),
  in_day integer not null default 1,
  primary key (member_id, kind)
  -- Leaves room in each page for the next version of its rows, so that counting updates no index.
) with (fillfactor = 50);
comment on table private.quota_usage is
  'What members have created and changed in the minute and the day that started with the first row. Deleting does not count down, so '
  'creating and deleting in turn uses the quota too.';
create index quota_usage_day_idx on private.quota_usage (day_since);
alter table private.quota_usage enable row level security;
revoke all on table private.quota_usage from public, anon, authenticated;
grant all on table private.quota_usage to service_role;

-- The triggers that call these functions apply only when row security does, which is for clients: the demo, imports and
-- functions that write for other members are not counted. Triggers fire in the order of their names, so `…_allow` runs
-- before triggers that lock rows of other tables.

create function private.raise_quota_exceeded(kind text, per_minute boolean) returns void
  language plpgsql set search_path = ''
as $$
begin
  raise sqlstate 'PT429' using
    message = 'You are doing this too fast',
    detail = kind,
    hint = case when per_minute then 'Try again in a minute.' else 'Try again tomorrow.' end;
end
$$;
comment on function private.raise_quota_exceeded(text, boolean) is
  'Raises PT429, which the API answers with status 429.';
revoke execute on function private.raise_quota_exceeded(text, boolean) from public, anon, authenticated;

create function private.count_quota() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  most record;
  used record;
begin
  select q.per_minute, q.per_day into most from private.quotas q where q.kind = tg_argv[0];
  if num_nonnulls(most.per_minute, most.per_day) = 0 then
    return new;
  end if;
  insert into private.quota_usage as u (member_id, kind) values ((select auth.uid()), tg_argv[0])
    on conflict (member_id, kind) do update set
      minute_since = case when u.minute_since <= now() - interval '1 minute' then now() else u.minute_since end,
      in_minute = case when u.minute_since <= now() - interval '1 minute' then 1 else u.in_minute + 1 end,
      day_since = case when u.day_since <= now() - interval '1 day' then now() else u.day_since end,
      in_day = case when u.day_since <= now() - interval '1 day' then 1 else u.in_day + 1 end
    returning u.in_minute, u.in_day into used;
  if used.in_minute > most.per_minute then
    perform private.raise_quota_exceeded(tg_argv[0], true);
  elsif used.in_day > most.per_day then
    perform private.raise_quota_exceeded(tg_argv[0], false);
  end if;
  return new;
end
$$;
comment on function private.count_quota() is
  'Counts a new or changed row of the caller, or a statement, against the quota of the given kind: one index look-up for '
  'the limit and one for the counter. Runs before the row is written, so that a refused video takes no space.';
revoke execute on function private.count_quota() from public, anon, authenticated;

-- The body names tables that later files create.
set check_function_bodies = off;
create function private.media_bytes_of_day(member uuid) returns bigint
  -- Volatile, so that rows which the same statement has just written count.
  language sql volatile security definer set search_path = ''
as $$
  -- Data URLs: four characters for three bytes. Their lengths are known without reading them.
  select coalesce(sum(characters), 0)::bigint * 3 / 4
  from (
    select coalesce(octet_length(image_url), 0) + coalesce(octet_length(thumbnail_url), 0)
      from public.posts where user_id = member and created_at > now() - interval '1 day'
    union all
    select octet_length(media_url) + coalesce(octet_length(thumbnail_url), 0)
      from public.stories where user_id = member and expires_at > now()
    union all
    select octet_length(image_url)
      from public.message_photos where sender_id = member and created_at > now() - interval '1 day'
  ) as stored (characters)
$$;
comment on function private.media_bytes_of_day(uuid) is
  'Bytes of pictures and videos that a member has stored within a day and not deleted. Sums the rows, so that '
  'deleting frees the quota; other quotas limit their number.';
revoke execute on function private.media_bytes_of_day(uuid) from public, anon, authenticated;
set check_function_bodies = on;

create function private.check_media_quota() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  most constant bigint := (select q.per_day from private.quotas q where q.kind = 'media_bytes');
  characters bigint;
begin
  if most is null then
    return new;
  end if;
  if tg_table_name = 'posts' then
    characters := coalesce(octet_length(new.image_url), 0) + coalesce(octet_length(new.thumbnail_url), 0);
  elsif tg_table_name = 'stories' then
    characters := octet_length(new.media_url) + coalesce(octet_length(new.thumbnail_url), 0);
  else
    characters := octet_length(new.image_url);
  end if;
  if private.media_bytes_of_day((select auth.uid())) + characters * 3 / 4 > most then
    perform private.raise_quota_exceeded('media_bytes', false);
  end if;
  return new;
end
$$;
comment on function private.check_media_quota() is
  'Refuses a picture or video with which the caller would store more bytes a day than the quota allows.';
revoke execute on function private.check_media_quota() from public, anon, authenticated;

create function private.delete_quota_usage(max_rows integer) returns integer
  language sql security definer set search_path = ''
as $$
  with removed as (
    delete from private.quota_usage where ctid = any (array(
      select ctid from private.quota_usage where day_since <= now() - interval '1 day'
      order by day_since limit max_rows for update skip locked
    ))
    returning 1
  )
  select count(*)::integer from removed
$$;
comment on function private.delete_quota_usage(integer) is
  'Deletes at most max_rows counters whose day is over; returns how many.';
revoke execute on function private.delete_quota_usage(integer) from public, anon, authenticated;
