-- The first device of an account has nobody to ask.

create or replace function private.register_device(device uuid) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  mine private.sign_ins;
begin
  update private.sign_ins s set device = register_device.device
    where s.session_id = ((select auth.jwt()) ->> 'session_id')::uuid and s.device is null
      and (select private.has_session())
    returning * into mine;
  if found
    and exists (select from auth.sessions s where s.user_id = mine.member_id and s.id <> mine.session_id)
    and not exists (
      select from private.sign_ins k
      where k.member_id = mine.member_id and k.device = mine.device and k.created_at < mine.created_at
    )
  then
    perform private.broadcast_change('sign_ins', 'INSERT', mine.member_id, array[mine.session_id]);
  end if;
end
$$;
