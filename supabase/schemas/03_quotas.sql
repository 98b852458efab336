-- How much one member may create: docs/decisions/0027-quotas.md.

-- Bodies may name what a later file creates.
set check_function_bodies = off;

create table private.quotas (
  kind text not null,
  per_minute bigint,
  per_day bigint,
  constraint quotas_per_minute_check check (per_minute >= 0),
  constraint quotas_per_day_check check (per_day >= 0),
  constraint quotas_pkey primary key (kind)
);
comment on table private.quotas is
  'What one member may create and change; null means no limit. The operator may change it at any time: update '
  'private.quotas set per_day = 200 where kind = ''posts''.';
alter table private.quotas enable row level security;
revoke all on table private.quotas from public, anon, authenticated;
grant all on table private.quotas to service_role;

-- No foreign key to profiles: its cascade would make deleting an account wait for a statement that holds a counter and
-- waits for the profile. The cleanup removes the counters of deleted accounts.
create table private.quota_usage (
  member_id uuid not null,
  kind text not null,
  minute_since timestamptz not null default now(),
  in_minute integer not null default 1,
  day_since timestamptz not null default now(),
  in_day integer not null default 1,
  constraint quota_usage_pkey primary key (member_id, kind)
) with (fillfactor = 90);
comment on table private.quota_usage is
  'What members have created and changed in the minute and the day that started with the first row. Deleting '
  'does not count down, so creating and deleting in turn uses the quota too.';
create index quota_usage_day_idx on private.quota_usage (day_since);
alter table private.quota_usage enable row level security;
revoke all on table private.quota_usage from public, anon, authenticated;
grant all on table private.quota_usage to service_role;

-- The triggers that call these functions apply only when row security does, which is for clients: the demo, imports and
-- functions that write for other members are not counted. Triggers fire in the order of their names, so `…_allow` runs
-- before triggers that lock rows of other tables. `…_tally` runs after all others: of rows that others have a right to end, so
-- that who holds them by several requests waits for the row, behind these others, and not for the own counter.
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
comment on function private.raise_quota_exceeded(text, boolean) is 'Raises PT429, which the API answers with status 429.';
revoke execute on function private.raise_quota_exceeded(text, boolean) from public, anon, authenticated;

create function private.count_quota() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  most record;
  used record;
begin
  perform private.require_active();
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
  'Counts a new or changed row of the caller, or a statement, against the quota of the given kind: one index '
  'look-up for the limit and one for the counter. Runs before the row is written, so that a refused video '
  'takes no space; of statements on rows that others have a right to end, last: docs/decisions/0111-short-writes.md.';
revoke execute on function private.count_quota() from public, anon, authenticated;

create function private.refuse_spent() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  spent record;
begin
  perform private.require_active();
  select u.in_minute >= q.per_minute and u.minute_since > now() - interval '1 minute' as minute,
      u.in_day >= q.per_day and u.day_since > now() - interval '1 day' as day into spent
    from private.quota_usage u join private.quotas q on q.kind = u.kind
    where u.member_id = (select auth.uid()) and u.kind = tg_argv[0];
  if spent.minute then
    perform private.raise_quota_exceeded(tg_argv[0], true);
  elsif spent.day then
    perform private.raise_quota_exceeded(tg_argv[0], false);
  end if;
  return null;
end
$$;
comment on function private.refuse_spent() is
  'Refuses a statement whose quota is used up before it writes anything, and waits for nobody: count_quota() counts it last.';
revoke execute on function private.refuse_spent() from public, anon, authenticated;

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
comment on function private.delete_quota_usage(integer) is 'Deletes at most max_rows counters whose day is over; returns how many.';
revoke execute on function private.delete_quota_usage(integer) from public, anon, authenticated;

set check_function_bodies = on;

insert into private.quotas (kind, per_minute, per_day) values
  ('posts', null, 50),
  ('stories', null, 100),
  -- Of pictures, and of what stands in rows.
  ('media_bytes', null, 500000000),
  -- Of videos in Storage: ten of the largest.
  ('video_bytes', null, 2000000000),
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
  ('read_marks', 240, null),
  -- Bytes of objects count like the bytes of inline pictures once a row refers to them. Until then they count as
  -- uploads, which are removed after a day: `upload_bytes` is how many a member may have at once.
  ('upload_bytes', null, 200000000),
  -- The same of videos: ten of the largest, beside what an upload left that did not end.
  ('video_upload_bytes', null, 2500000000),
  ('hashtag_follows', 60, 500),
  -- Accepting, pinning, archiving and deleting.
  ('conversation_changes', 120, null),
  ('privacy_changes', null, 20),
  -- Statements, because one may undo many, far above what a person does.
  ('removals', 600, null),
  ('reactions', 120, null);
