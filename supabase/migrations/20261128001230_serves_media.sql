-- Apps before post_media and message_media ask for tables that have other names now, so they say that the server needs a newer app (0105).

create or replace function private.serves() returns text language sql immutable set search_path = '' as $$
  select '20261128001210'
$$;
