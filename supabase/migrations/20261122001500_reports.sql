-- Reports of members and posts.

create table public.reports (
  id uuid primary key default gen_random_uuid(),
  reporter_id uuid not null references public.profiles (id) on delete cascade,
  member_id uuid not null references public.profiles (id) on delete cascade,
  post_id uuid references public.posts (id) on delete set null,
  reason text not null check (
    reason in ('spam', 'nudity', 'hate', 'violence', 'harassment', 'misinformation', 'other')
  ),
  details text,
  -- Set by reports_complete: what the post said when it was reported, even if it is edited or deleted later.
  post_content text,
  created_at timestamptz not null default now(),
  constraint reports_not_oneself check (reporter_id <> member_id),
  constraint reports_details_length check (char_length(details) <= 500)
);
comment on table public.reports is
  'Reported members and posts. Clients only insert; the operator reads private.reports_overview.';
create index reports_reporter_idx on public.reports (reporter_id);
create index reports_member_idx on public.reports (member_id, created_at desc);
create index reports_post_idx on public.reports (post_id);
alter table public.reports enable row level security;
revoke all on table public.reports from public, anon, authenticated;
grant all on table public.reports to service_role;
grant insert (id, reporter_id, member_id, post_id, reason, details) on table public.reports to authenticated;

create trigger reports_allow before insert on public.reports
  for each row when (pg_catalog.row_security_active('public.reports')) execute function private.count_quota('reports');

create function private.complete_report() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  new.details := nullif(btrim(new.details), '');
  select p.content into new.post_content from public.posts p where p.id = new.post_id;
  return new;
end
$$;
comment on function private.complete_report() is
  'Stores the text of a reported post as its reporter sees it; blank details become null.';
revoke execute on function private.complete_report() from public, anon, authenticated;
create trigger reports_complete before insert on public.reports
  for each row execute function private.complete_report();

create view private.reports_overview with (security_invoker = true) as
  select
    r.created_at,
    r.reason,
    r.details,
    m.username as member,
    count(*) over (partition by r.member_id) as reports_of_member,
    r.post_id,
    r.post_content,
    b.username as reported_by,
    r.member_id,
    r.reporter_id,
    r.id
  from public.reports r
  join public.profiles m on m.id = r.member_id
  join public.profiles b on b.id = r.reporter_id
  order by r.created_at desc, r.id;
comment on view private.reports_overview is
  'All reports, newest first, for the operator: select * from private.reports_overview in the SQL editor.';
revoke all on table private.reports_overview from public, anon, authenticated;

create policy reports_session on public.reports as restrictive for all to authenticated
  using (nullif((select private.is_member()), false) is not null)
  with check (nullif((select private.is_member()), false) is not null);
create policy reports_insert on public.reports for insert to authenticated
  with check (
    reporter_id = (select auth.uid())
    and (
      exists (select 1 from public.profiles p where p.id = member_id)
      or exists (select 1 from public.blocks b where b.blocked_id = member_id)
      or exists (select 1 from public.conversations c where member_id in (c.participant_1, c.participant_2))
    )
    and (
      post_id is null
      or exists (select 1 from public.posts p where p.id = post_id and p.user_id = member_id)
    )
  );
