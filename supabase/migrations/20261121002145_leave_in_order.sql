-- Deleting an account deadlocked with a member who was just watching one of its stories: the story's row was locked
-- before the turn of all was taken. See docs/decisions/0011-writers-take-turns.md.

create or replace function private.delete_account() returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  if me is null then
    raise sqlstate 'PT401' using message = 'Sign in first.';
  end if;
  -- Videos take time to remove, so they go before others have to wait for this turn. Unlike deleting the rows, this
  -- takes no lock that a new view of the story waits for.
  update public.stories
    set media_url = case media_type when 'image' then 'data:image/webp;base64,' else 'data:video/webm;base64,' end
    where user_id = me;
  delete from auth.users where id = me;
end
$$;
