-- The time to find the sign-ins that nobody has answered grows with their number, not with its square: a member may sign in thousands of times.

create or replace function private.unanswered_sign_ins() returns setof private.sign_ins
  language sql stable security definer set search_path = ''
as $$
  select (t.sign_in).*
  from (
    select
      n as sign_in, mine.session_id as my_session, mine.device as my_device,
      min(n.created_at) over (partition by n.device) as device_since,
      min(n.created_at) filter (where n.session_id = mine.session_id or n.device = mine.device) over () as my_since
    from private.sign_ins mine
    join private.sign_ins n on n.member_id = mine.member_id
    where mine.session_id = ((select auth.jwt()) ->> 'session_id')::uuid and (select private.has_session())
  ) as t
  where (t.sign_in).session_id <> t.my_session
    and (t.sign_in).answered_at is null
    and ((t.sign_in).device = t.my_device) is not true
    -- A device is asked about later ones only: the newest cannot answer for itself.
    and (t.sign_in).created_at > t.my_since
    and case
      -- The app registers its device right after it has signed in.
      when (t.sign_in).device is null then (t.sign_in).created_at < now() - interval '1 minute'
      else (t.sign_in).created_at = t.device_since
    end
$$;
