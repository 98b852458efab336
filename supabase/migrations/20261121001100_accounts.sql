-- What concerns an account as a whole: switching its privacy, deleting it.

create function private.apply_privacy() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  new_audience constant text := case when new.is_private then 'followers' else 'public' end;
begin
  update public.posts set audience = new_audience where user_id = new.id and audience <> new_audience;
  update public.stories set audience = new_audience where user_id = new.id and audience <> new_audience;
  if not new.is_private then
    with accepted as (
      delete from public.follow_requests where target_id = new.id returning requester_id, target_id
    )
    insert into public.follows (follower_id, following_id)
      select requester_id, target_id from accepted
      on conflict do nothing;
  end if;
  return null;
end
$$;
comment on function private.apply_privacy() is
  'Brings the audience of an account''s posts and stories in step with its privacy; going public accepts all requests.';
revoke execute on function private.apply_privacy() from public, anon, authenticated;
create trigger profiles_apply_privacy after update of is_private on public.profiles
  for each row when (old.is_private is distinct from new.is_private)
  execute function private.apply_privacy();

create function private.delete_account() returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  if me is null then
    raise sqlstate 'PT401' using message = 'Sign in first.';
  end if;
  -- The heavy rows that nobody else counts on go first, before others have to wait for this turn.
  delete from public.stories where user_id = me;
  delete from auth.users where id = me;
end
$$;
comment on function private.delete_account() is
  'Deletes the caller''s auth user; profile, posts, likes, messages and all the rest go with it by foreign key.';
revoke execute on function private.delete_account() from public, anon, authenticated;
grant execute on function private.delete_account() to authenticated, service_role;

create function public.delete_account() returns void
  language sql security invoker set search_path = ''
as $$
  select private.delete_account()
$$;
comment on function public.delete_account() is
  'Deletes the caller''s account and everything that hangs on it, in one transaction.';
revoke execute on function public.delete_account() from public, anon, authenticated;
grant execute on function public.delete_account() to authenticated, service_role;
