-- translate() compares each character of a text with all 1,461 letters, and a compatible form can become eighteen characters: four messages
-- made their reader's search take minutes of work.

-- The same as foldCase() in src/shared/search-key.ts. lower() depends on the locale of the database, and leaves
-- letters that it does not know.
create or replace function private.fold_case(written text) returns text
  language plpgsql immutable strict set search_path = ''
as $$
declare
  folded constant text := replace(lower(translate(written, 'Iİ', 'ii')), 'ς', 'σ');
  upper_case constant text := private.upper_letters();
begin
  if folded ~ ('[' || upper_case || ']') then
    declare
      -- PostgreSQL computes it once for each session.
      lower_case constant jsonb := jsonb_object(
        string_to_array(private.upper_letters(), null), string_to_array(private.lower_letters(), null)
      );
    begin
      return (
        select string_agg(coalesce(lower_case ->> part[1], part[1]), '' order by number)
        from regexp_matches(folded, '[' || upper_case || ']|[^' || upper_case || ']+', 'g') with ordinality as found (part, number)
      );
    end;
  end if;
  return folded;
end
$$;
comment on function private.fold_case(text) is
  'The text in lower case, letter by letter, the same in databases of all locales, in steps that grow with its length. Topics are compared in it.';
