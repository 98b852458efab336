-- A broadcast says whether the member made the change themselves: the app shows such a change already, so it can read the
-- row a little later and leave the server to the members for whom the change is new.

create or replace function private.broadcast_change(changed_table text, operation text, member uuid, ids uuid[])
  returns void
  language plpgsql security definer set search_path = '' set lock_timeout = '1s'
as $$
begin
  if to_regprocedure('realtime.send(jsonb, text, text, boolean)') is null then
    return;
  end if;
  -- Embedded servers broadcast at most 8,000 bytes at once.
  for start in 1..cardinality(ids) by 100 loop
    perform realtime.send(
      jsonb_build_object(
        'table', changed_table,
        'type', operation,
        'ids', ids[start : start + 99],
        'own', coalesce(member = (select auth.uid()), false)
      ),
      'change',
      'member:' || member,
      true
    );
  end loop;
exception when others then
  -- The client sees the change when it refetches; a write that fails would be lost.
  raise warning 'A change of % was not broadcast: %', changed_table, sqlerrm;
end
$$;
