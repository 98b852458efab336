-- Texts are composed as values: in their JSON text a combining mark after a line break follows the n of its escape, \n, and both together
-- become another letter. docs/decisions/0069-search.md.

create or replace function private.compose_texts() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  return jsonb_populate_record(new, (
    select jsonb_object_agg(each.key, case jsonb_typeof(each.value)
      when 'string' then to_jsonb(private.composed(each.value #>> '{}'))
      when 'object' then (
        select jsonb_object_agg(detail.key, case jsonb_typeof(detail.value)
          when 'string' then to_jsonb(private.composed(detail.value #>> '{}')) else detail.value
        end)
        from jsonb_each(each.value) as detail
      )
      else each.value
    end)
    from jsonb_each(to_jsonb(new)) as each where each.key = any (tg_argv)
  ));
end
$$;
comment on function private.compose_texts() is
  'Composes the texts in the columns that are its arguments; in a JSON object its own texts.';
