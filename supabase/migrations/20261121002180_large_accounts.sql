-- Deleting an account with thousands of photos takes longer than a statement may (8 seconds on a hosted project), so the
-- app removes most of them first, in calls of about a second.

create function private.clear_account() returns boolean
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
  deadline constant timestamptz := clock_timestamp() + interval '1 second';
  removed bigint;
  step bigint;
begin
  if me is null or not private.has_session() then
    raise sqlstate 'PT401' using message = 'Sign in first.';
  end if;
  if not private.signed_in_recently() then
    raise sqlstate 'PT428' using message = 'Enter your password again.';
  end if;
  -- delete_account() removes what is left, in one transaction with the account: an ordinary account goes all at once.
  loop
    delete from public.posts where id in (
      select id from public.posts where user_id = me order by created_at desc, id desc offset 300 limit 20
    );
    get diagnostics removed = row_count;
    delete from public.stories where id in (
      select id from public.stories where user_id = me order by created_at desc, id desc offset 5 limit 2
    );
    get diagnostics step = row_count;
    removed := removed + step;
    delete from public.message_photos where id in (
      select id from public.message_photos where sender_id = me order by created_at desc, id desc offset 300 limit 20
    );
    get diagnostics step = row_count;
    removed := removed + step;
    if removed = 0 then
      return true;
    end if;
    if clock_timestamp() > deadline then
      return false;
    end if;
  end loop;
end
$$;
comment on function private.clear_account() is
  'Deletes pictures and videos of a large account for about a second. Returns whether delete_account() can delete the rest.';
revoke execute on function private.clear_account() from public, anon, authenticated;
grant execute on function private.clear_account() to authenticated, service_role;

create function public.clear_account() returns boolean
  language sql security invoker set search_path = ''
as $$
  select private.clear_account()
$$;
comment on function public.clear_account() is
  'Call until true, then delete_account(). PT428 unless the caller signed in recently.';
revoke execute on function public.clear_account() from public, anon, authenticated;
grant execute on function public.clear_account() to authenticated, service_role;
