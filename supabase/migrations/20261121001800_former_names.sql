-- Names that members bore before: links and mentions from then lead to whom they meant, see docs/decisions/0023.

create table private.former_usernames (
  username text primary key,
  member_id uuid not null references public.profiles (id) on delete cascade,
  since timestamptz not null default now()
);
comment on table private.former_usernames is
  'Who bore a username last, while nobody bears it; since when it is free. Outside the API: read by renamed_to().';
create index former_usernames_member_idx on private.former_usernames (member_id);
alter table private.former_usernames enable row level security;
revoke all on table private.former_usernames from public, anon, authenticated;
grant all on table private.former_usernames to service_role;

create function private.keep_former_name() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  -- Whoever takes a name has it wholly.
  delete from private.former_usernames where username = new.username;
  if tg_op = 'UPDATE' then
    insert into private.former_usernames (username, member_id) values (old.username, new.id)
      on conflict (username) do update set member_id = excluded.member_id, since = excluded.since;
  end if;
  return null;
end
$$;
comment on function private.keep_former_name() is
  'Remembers the username that a member gives up, and forgets who bore the one that is taken.';
revoke execute on function private.keep_former_name() from public, anon, authenticated;
create trigger profiles_take_name after insert on public.profiles
  for each row execute function private.keep_former_name();
create trigger profiles_change_name after update of username on public.profiles
  for each row when (old.username <> new.username)
  execute function private.keep_former_name();

create function private.renamed_to(name text) returns text
  language sql stable security definer set search_path = ''
as $$
  select p.username
  from private.former_usernames f
  join public.profiles p on p.id = f.member_id
  where f.username = lower(name)
    and (select private.is_member())
    and p.id not in (select private.my_hidden_ids())
$$;
comment on function private.renamed_to(text) is
  'The username now of who bore this one last; null when somebody bears it, nobody did, or the two hide from each other.';
revoke execute on function private.renamed_to(text) from public, anon, authenticated;
grant execute on function private.renamed_to(text) to authenticated, service_role;

create function public.renamed_to(name text) returns text
  language sql stable security invoker set search_path = ''
as $$
  select private.renamed_to(name)
$$;
comment on function public.renamed_to(text) is
  'The username now of who bore this one last, for members who may see them; null when there is no such member, or '
  'somebody bears the name.';
revoke execute on function public.renamed_to(text) from public, anon, authenticated;
grant execute on function public.renamed_to(text) to authenticated, service_role;

-- tag_mentioned() untags by the names of now; this does it for members who were tagged under another.
create function private.untag_former_names() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.post_tags t using private.former_usernames f
    where t.post_id = new.id and f.member_id = t.tagged_user_id
      and f.username in (select private.mentions(old.content) except select private.mentions(new.content))
      and not exists (
        select 1 from public.profiles p
        where p.id = t.tagged_user_id and p.username in (select private.mentions(new.content))
      );
  return null;
end
$$;
comment on function private.untag_former_names() is
  'Untags the members whose former names a post''s text no longer says, unless it says their name of now.';
revoke execute on function private.untag_former_names() from public, anon, authenticated;
create trigger posts_untag_former_names after update of content on public.posts
  for each row execute function private.untag_former_names();
