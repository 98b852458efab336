-- Clients choose ids: a change for the lowest id of all was never found, so it was never added up.

create or replace function private.waiting_items(after uuid) returns uuid[]
  language sql stable security definer set search_path = ''
  set enable_seqscan to 'off'
  set jit to 'off'
as $$
  with recursive found (item, number) as (
    (select w.item, 1 from private.count_changes w where w.item >= after order by w.item limit 1)
    union all
    (
      select next.item, f.number + 1 from found f
      cross join lateral (
        select w.item from private.count_changes w where w.item > f.item order by w.item limit 1
      ) as next
      where f.number < 100
    )
  )
  select array(select f.item from found f)
$$;
comment on function private.waiting_items(uuid) is
  'Up to 100 posts, comments and members with waiting counts, from the given id on. Reads one entry of the index for each.';
