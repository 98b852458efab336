-- When members were last active: visible to members they have written to, unless switched off.

create table public.activity (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  last_active_at timestamptz not null default now()
);
comment on table public.activity is 'Separate from profiles, which all members see and which seldom change.';
alter table public.activity enable row level security;
revoke all on table public.activity from public, anon, authenticated;
grant all on table public.activity to service_role;
grant select on table public.activity to authenticated;
grant insert (user_id) on table public.activity to authenticated;
grant update (last_active_at) on table public.activity to authenticated;

create function private.set_last_active() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if pg_catalog.row_security_active('public.activity') then
    new.last_active_at := now();
  end if;
  return new;
end
$$;
comment on function private.set_last_active() is 'Clients can report that they are active now, but not another time.';
revoke execute on function private.set_last_active() from public, anon, authenticated;
create trigger activity_set_last_active before insert or update of last_active_at on public.activity
  for each row execute function private.set_last_active();

create function public.touch_activity() returns void
  language sql security invoker set search_path = ''
as $$
  insert into public.activity (user_id)
  select (select auth.uid())
  where not exists (
    select 1 from public.activity a
    where a.user_id = (select auth.uid()) and a.last_active_at >= now() - interval '30 seconds'
  )
  on conflict (user_id) do update set last_active_at = now()
$$;
comment on function public.touch_activity() is
  'Records that the caller is active now; within 30 seconds of the last time it writes nothing and takes no lock.';
revoke execute on function public.touch_activity() from public, anon, authenticated;
grant execute on function public.touch_activity() to authenticated, service_role;

create policy activity_session on public.activity as restrictive for all to authenticated
  using (nullif((select private.is_member()), false) is not null)
  with check (nullif((select private.is_member()), false) is not null);
-- The setting is checked for the members a query is about, not for all correspondents.
create policy activity_select on public.activity for select to authenticated
  using (
    user_id = (select auth.uid())
    or (
      user_id in (select private.my_correspondent_ids())
      and exists (select 1 from public.profiles p where p.id = user_id and p.show_activity_status offset 0)
    )
  );
create policy activity_insert on public.activity for insert to authenticated
  with check (user_id = (select auth.uid()));
create policy activity_update on public.activity for update to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
