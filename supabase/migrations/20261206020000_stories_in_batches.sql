-- A batch of a closed account removes two stories: one may have a video of 28 MB in its row.
CREATE OR REPLACE FUNCTION private.remove_dependents(items regclass, ids uuid[], most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
declare
  dependent record;
  found uuid[];
  step integer;
  removed integer := 0;
begin
  for dependent in select * from private.dependents(items) loop
    if dependent.goes and dependent.has_dependents then
      -- A story may have a video of 28 MB in its row, which takes 75 ms.
      execute format(
        'select array(select id from %s where %I = any ($1) limit %s for update skip locked)',
        dependent.child, dependent.refers_by, case when dependent.child = 'public.stories'::regclass then 2 else 20 end
      ) into found using ids;
      if cardinality(found) = 0 then
        step := 0;
      elsif private.weigh(dependent.child, found, most) < most then
        execute format('delete from %s where id = any ($1)', dependent.child) using found;
        step := cardinality(found);
      else
        step := private.remove_dependents(dependent.child, found, most - removed);
      end if;
    else
      execute format(
        '%1$s where ctid = any (array(select ctid from %2$s where %3$I = any ($1) limit $2 for update skip locked))',
        case when dependent.goes then format('delete from %s', dependent.child)
          else format('update %s set %I = null', dependent.child, dependent.refers_by) end,
        dependent.child, dependent.refers_by
      ) using ids, most - removed;
      get diagnostics step = row_count;
    end if;
    removed := removed + step;
    exit when removed >= most;
  end loop;
  return removed;
end
$function$;
