-- A member had any number of sessions, and they end in one statement: after some ten thousand sign-ins it took longer than a request may.
-- Whoever knew a password kept its owner from ending the other sessions so, and on the embedded server each try ended the database for everybody.

create or replace function private.record_sign_in() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.sign_ins (session_id, member_id) values (new.id, new.user_id);
  if exists (select from auth.sessions s where s.user_id = new.user_id and s.id <> new.id) then
    perform private.broadcast_change('sign_ins', 'INSERT', new.user_id, array[new.id]);
  end if;
  -- A hundred at once: earlier versions kept more. Two sign-ins at once end different ones.
  delete from auth.sessions where id in (
    select s.id from auth.sessions s
    where s.id in (
      select o.id from auth.sessions o where o.user_id = new.user_id and o.id <> new.id
      order by greatest(o.created_at, o.refreshed_at at time zone 'utc') desc offset 999 limit 100
    )
    for update skip locked
  );
  return null;
end
$$;
comment on function private.record_sign_in() is
  'Stores a sign-in, and broadcasts it to the member''s other devices. Ends those of more than a thousand sessions that were not used for longest.';
