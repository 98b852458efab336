-- One look-up for each account that waits: reading the caller's conversations took 10,000 rows in each statement of a busy member.
create or replace function private.lost_conversation_ids() returns setof uuid
  language plpgsql stable security definer cost 1 rows 10 set search_path = '' set jit = off
as $$
declare
  me constant uuid := (select auth.uid());
begin
  return query
    select pair.id from private.removed_member_ids() as removed (id)
    cross join lateral (
      select c.id from public.conversations c
      where least(c.participant_1, c.participant_2) = least(removed.id, me)
        and greatest(c.participant_1, c.participant_2) = greatest(removed.id, me)
      offset 0
    ) as pair;
end
$$;
