-- Websites that can look like another address: docs/decisions/0062-links.md.

-- The code points of Unicode's property Default_Ignorable_Code_Point, as in src/renderer/lib/links.ts.
create function private.hidden_characters() returns text
  language sql immutable set search_path = ''
as $$
  select '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]'
$$;
comment on function private.hidden_characters() is
  'A pattern for characters that draw nothing or change the direction of others.';
revoke execute on function private.hidden_characters() from public, anon, authenticated;

create function private.refuse_disguised_website() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if new.website ~ private.hidden_characters() or new.website ~* '^https?://[^/?#\\]*@' then
    raise sqlstate 'PT422' using message = 'A website cannot have invisible characters or a user name.';
  end if;
  return new;
end
$$;
comment on function private.refuse_disguised_website() is
  'Refuses a website that can look like another address. Not a check constraint: rows from before stay as they are.';
revoke execute on function private.refuse_disguised_website() from public, anon, authenticated;

create trigger refuse_disguised_website
  before insert on public.profiles
  for each row when (new.website is not null)
  execute function private.refuse_disguised_website();
create trigger refuse_disguised_new_website
  before update of website on public.profiles
  for each row when (new.website is distinct from old.website)
  execute function private.refuse_disguised_website();
