-- The photos of a post in Storage, and the function that inserts a post with its photos.

create table public.post_photos (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  post_id uuid not null references public.posts (id) on delete cascade,
  position smallint not null,
  full_path text not null unique,
  feed_path text not null unique,
  grid_path text not null unique,
  width integer not null,
  height integer not null,
  thumbhash text not null,
  alt_text text,
  constraint post_photos_position_key unique (post_id, position),
  constraint post_photos_position check (position between 0 and 9),
  constraint post_photos_paths check (
    private.is_object_key(full_path, user_id, 'image')
    and private.is_object_key(feed_path, user_id, 'image')
    and private.is_object_key(grid_path, user_id, 'image')
  ),
  constraint post_photos_size check (width between 1 and 4096 and height between 1 and 4096),
  constraint post_photos_thumbhash check (private.is_thumbhash(thumbhash)),
  constraint post_photos_alt_text_length check (char_length(alt_text) <= 1000)
);
comment on table public.post_photos is
  'Photos of posts in Storage, each in three sizes. Members who see the post see its photos. create_post() inserts them; '
  'only their alternative text can change.';
comment on column public.post_photos.width is 'Pixels of the object at full_path.';
comment on column public.post_photos.feed_path is 'At most 1080 pixels wide.';
comment on column public.post_photos.grid_path is '640 pixels on the short side.';
create index post_photos_user_idx on public.post_photos (user_id);
alter table public.post_photos enable row level security;
revoke all on table public.post_photos from public, anon, authenticated;
grant all on table public.post_photos to service_role;
grant select on table public.post_photos to authenticated;
grant insert (
  user_id, post_id, position, full_path, feed_path, grid_path, width, height, thumbhash, alt_text
) on table public.post_photos to authenticated;
grant update (alt_text) on table public.post_photos to authenticated;

create trigger post_photos_check_objects before insert on public.post_photos
  for each row execute function private.check_objects('user_id', 'full_path', 'feed_path', 'grid_path');
create trigger post_photos_check_quota before insert on public.post_photos
  for each row when (pg_catalog.row_security_active('public.post_photos'))
  execute function private.check_media_quota();
create trigger post_photos_allow_change before update of alt_text on public.post_photos
  for each row when (pg_catalog.row_security_active('public.post_photos'))
  execute function private.count_quota('post_changes');
-- Marking the post as edited locks it after the photo; deleting a post locks the photos after it.
create trigger post_photos_serialize before update of alt_text on public.post_photos
  for each statement execute function private.serialize_writes('shared');

create function private.mark_post_edited() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  update public.posts set edited_at = now() where id = new.post_id;
  return null;
end
$$;
comment on function private.mark_post_edited() is
  'Sets edited_at when the alternative text of a photo changes, as mark_edited() does for the post''s own columns.';
revoke execute on function private.mark_post_edited() from public, anon, authenticated;
create trigger post_photos_edited after update of alt_text on public.post_photos
  for each row when (new.alt_text is distinct from old.alt_text) execute function private.mark_post_edited();

-- A post needs a text, an inline picture or photos. The photos come after the post, so this is a constraint trigger:
-- immediate for a single insert, and deferred until create_post() has inserted the photos.

create function private.refuse_empty_post() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  checked constant uuid := to_jsonb(old) ->> 'post_id';
begin
  if exists (
    select from public.posts p
    where p.id = coalesce(checked, new.id) and p.content !~ '\S' and p.image_url is null
      and not exists (select from public.post_photos h where h.post_id = p.id)
  ) then
    raise check_violation using
      message = 'A post needs a text or a photo.',
      schema = 'public', table = 'posts', constraint = 'posts_not_empty';
  end if;
  return null;
end
$$;
comment on function private.refuse_empty_post() is 'Refuses a post without text, picture and photos.';
revoke execute on function private.refuse_empty_post() from public, anon, authenticated;
alter table public.posts drop constraint posts_not_empty;
create constraint trigger posts_not_empty after insert or update of content, image_url on public.posts
  deferrable for each row when (new.content !~ '\S' and new.image_url is null)
  execute function private.refuse_empty_post();
-- Not when the post is being deleted.
create constraint trigger post_photos_not_last after delete on public.post_photos
  deferrable for each row when (pg_catalog.pg_trigger_depth() = 0)
  execute function private.refuse_empty_post();

create policy post_photos_session on public.post_photos as restrictive for all to authenticated
  using (nullif((select private.is_member()), false) is not null)
  with check (nullif((select private.is_member()), false) is not null);
create policy post_photos_select on public.post_photos for select to authenticated
  using (
    user_id = (select auth.uid())
    or exists (select 1 from public.posts p where p.id = post_id offset 0)
  );
-- Clients cannot set created_at, so a post of this time was inserted by this transaction: nobody adds photos to a post later.
create policy post_photos_insert on public.post_photos for insert to authenticated
  with check (
    user_id = (select auth.uid())
    and exists (
      select 1 from public.posts p where p.id = post_id and p.user_id = (select auth.uid()) and p.created_at = now()
    )
  );
create policy post_photos_update on public.post_photos for update to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));

create function public.create_post(
  post_id uuid, content text default '', location text default null, photos jsonb default '[]'
)
  returns table (id uuid, created_at timestamptz)
  language plpgsql security invoker set search_path = ''
as $$
#variable_conflict use_column
declare
  me constant uuid := (select auth.uid());
begin
  -- A retry after a lost response: the post exists, whatever has changed since.
  return query select p.id, p.created_at from public.posts p where p.id = create_post.post_id and p.user_id = me;
  if found then
    return;
  end if;
  set constraints public.posts_not_empty deferred;
  insert into public.posts (id, user_id, content, location)
    values (create_post.post_id, me, coalesce(create_post.content, ''), create_post.location);
  insert into public.post_photos (
      user_id, post_id, position, full_path, feed_path, grid_path, width, height, thumbhash, alt_text
    )
    select me, create_post.post_id, photo.number - 1, photo.full_path, photo.feed_path, photo.grid_path,
      photo.width, photo.height, photo.thumbhash, photo.alt_text
    from rows from (
      jsonb_to_recordset(create_post.photos) as (
        full_path text, feed_path text, grid_path text, width integer, height integer, thumbhash text, alt_text text
      )
    ) with ordinality as photo (full_path, feed_path, grid_path, width, height, thumbhash, alt_text, number);
  set constraints public.posts_not_empty immediate;
  return query select p.id, p.created_at from public.posts p where p.id = create_post.post_id;
exception when unique_violation then
  -- The same call has just been committed by another connection.
  return query select p.id, p.created_at from public.posts p where p.id = create_post.post_id and p.user_id = me;
  if not found then
    raise;
  end if;
end
$$;
comment on function public.create_post(uuid, text, text, jsonb) is
  'Inserts a post with up to ten photos whose objects have been uploaded: an array of {full_path, feed_path, grid_path, width, '
  'height, thumbhash, alt_text}, in their order. A second call with the same id changes nothing and returns the same.';
revoke execute on function public.create_post(uuid, text, text, jsonb) from public, anon, authenticated;
grant execute on function public.create_post(uuid, text, text, jsonb) to authenticated, service_role;
