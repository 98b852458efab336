-- When members were last active: for those they exchange messages with, unless switched off.

create table public.activity (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  last_active_at timestamptz not null default now()
);
comment on table public.activity is 'Kept apart from profiles, whose every row is for everyone and changes seldom.';

alter table public.activity enable row level security;
revoke all on table public.activity from public, anon, authenticated;
grant select on table public.activity to authenticated;
grant insert (user_id) on table public.activity to authenticated;
grant update (last_active_at) on table public.activity to authenticated;
grant all on table public.activity to service_role;

create function private.my_correspondent_ids() returns setof uuid
  language sql stable security definer set search_path = ''
as $$
  select p.id
  from public.profiles p
  where p.show_activity_status
    and p.id in (
      select participant_2 from public.conversations where participant_1 = (select auth.uid())
      union all
      select participant_1 from public.conversations where participant_2 = (select auth.uid())
    )
$$;
comment on function private.my_correspondent_ids() is
  'Members in a conversation with the caller who let others see when they were last active.';
revoke execute on function private.my_correspondent_ids() from public, anon, authenticated;
grant execute on function private.my_correspondent_ids() to authenticated, service_role;

create policy activity_select on public.activity for select to authenticated
  using (user_id = (select auth.uid()) or user_id in (select private.my_correspondent_ids()));
create policy activity_insert on public.activity for insert to authenticated
  with check (user_id = (select auth.uid()));
create policy activity_update on public.activity for update to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));

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
comment on function private.set_last_active() is 'A client can say that it is active, not when.';
revoke execute on function private.set_last_active() from public, anon, authenticated;
create trigger activity_set_last_active before insert or update of last_active_at on public.activity
  for each row execute function private.set_last_active();

create function public.touch_activity() returns void
  language sql security invoker set search_path = ''
as $$
  insert into public.activity (user_id) values ((select auth.uid()))
  on conflict (user_id) do update set last_active_at = now()
    where activity.last_active_at < now() - interval '30 seconds'
$$;
comment on function public.touch_activity() is
  'Notes that the caller is active now; within 30 seconds of the last time it writes nothing.';
revoke execute on function public.touch_activity() from public, anon, authenticated;
grant execute on function public.touch_activity() to authenticated, service_role;
