-- Each tag took a lock of its author and the tagged member until the commit, 440 in a post and fifty posts in a request. Some thousand
-- fill the table of locks that all sessions share: likes and comments of others failed. Now the first twenty of a post take it, which
-- are those that are notified.

create or replace function private.tag_mentioned() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.post_tags t using public.profiles p
    where t.post_id = new.id and p.id = t.tagged_user_id
      and p.username in (select private.mentions(old.content) except select private.mentions(new.content));
  insert into public.post_tags (post_id, tagged_user_id)
    select new.id, p.id
    from (select private.mentions(new.content) except select private.mentions(old.content)) as added (name)
    join public.profiles p on p.username = added.name
    where (
        new.audience = 'public'
        or p.id = new.user_id
        or exists (
          select 1 from public.follows f where f.follower_id = p.id and f.following_id = new.user_id
        )
      )
      and not exists (
        select 1 from public.blocks b
        where (b.blocker_id = p.id and b.blocked_id = new.user_id)
          or (b.blocker_id = new.user_id and b.blocked_id = p.id)
      )
    order by strpos(lower(new.content), '@' || added.name)
    on conflict do nothing;
  return null;
end
$$;

create or replace function private.skip_apart() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if tg_table_name = 'notifications' then
    return case when private.is_apart(new.actor_id, new.user_id) then null else new end;
  end if;
  if (select count(*) from (select from public.post_tags t where t.post_id = new.post_id limit 20) as tagged) < 20
    and private.is_apart(new.tagged_user_id, (select p.user_id from public.posts p where p.id = new.post_id))
  then
    return null;
  end if;
  return new;
end
$$;
comment on function private.skip_apart() is
  'Leaves out a notification or tag between two members of whom one blocks the other, although what causes it is allowed, as a comment on the post of a third member. Takes the lock of the two for the first twenty tags of a post.';
