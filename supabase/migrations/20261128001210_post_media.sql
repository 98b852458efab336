-- Photos of posts become media (0107): the table, its keys, checks, indexes, policies and triggers are renamed; no row is copied.
-- A video will have its cover in the four sizes of a photo, and what plays in media_path. Its migration widens post_media_kind.

alter table public.post_photos rename to post_media;

alter table public.post_media rename constraint post_photos_pkey to post_media_pkey;
alter table public.post_media rename constraint post_photos_feed_path_key to post_media_feed_path_key;
alter table public.post_media rename constraint post_photos_full_path_key to post_media_full_path_key;
alter table public.post_media rename constraint post_photos_grid_path_key to post_media_grid_path_key;
alter table public.post_media rename constraint post_photos_middle_path_key to post_media_middle_path_key;
alter table public.post_media rename constraint post_photos_position_key to post_media_position_key;
alter table public.post_media rename constraint post_photos_post_id_fkey to post_media_post_id_fkey;
alter table public.post_media rename constraint post_photos_user_id_fkey to post_media_user_id_fkey;
alter table public.post_media rename constraint post_photos_alt_text_length to post_media_alt_text_length;
alter table public.post_media rename constraint post_photos_camera to post_media_camera;
alter table public.post_media rename constraint post_photos_middle_path to post_media_middle_path;
alter table public.post_media rename constraint post_photos_paths to post_media_paths;
alter table public.post_media rename constraint post_photos_position to post_media_position;
alter table public.post_media rename constraint post_photos_size to post_media_size;
alter table public.post_media rename constraint post_photos_thumbhash to post_media_thumbhash;
alter table public.post_media rename constraint post_photos_not_last to post_media_not_last;
alter index public.post_photos_user_idx rename to post_media_user_idx;

alter table public.post_media
  add kind text not null default 'photo' constraint post_media_kind check (kind = 'photo'),
  add media_path text constraint post_media_media_path_key unique
    constraint post_media_media_path check (private.is_object_key(media_path, user_id, 'video')),
  add duration_ms integer constraint post_media_duration check (duration_ms > 0),
  add has_sound boolean,
  add color_space text constraint post_media_color_space check (color_space in ('srgb', 'p3')),
  add constraint post_media_video check (
    num_nonnulls(media_path, duration_ms) = case kind when 'video' then 2 else 0 end
    and (has_sound is null or kind = 'video')
  );

alter table public.stories
  add has_sound boolean constraint stories_has_sound check (has_sound is null or media_type = 'video'),
  add color_space text constraint stories_color_space check (color_space in ('srgb', 'p3'));

comment on table public.post_media is
  'Photos of posts in Storage, each in up to four sizes. Members who see the post see its photos. '
  'create_post() inserts them; only their alternative text can change.';

alter trigger post_photos_allow_change on public.post_media rename to post_media_allow_change;
alter trigger post_photos_bound_alt_text on public.post_media rename to post_media_bound_alt_text;
alter trigger post_photos_bound_camera on public.post_media rename to post_media_bound_camera;
alter trigger post_photos_check_objects on public.post_media rename to post_media_check_objects;
alter trigger post_photos_check_quota on public.post_media rename to post_media_check_quota;
alter trigger post_photos_clear_blank on public.post_media rename to post_media_clear_blank;
alter trigger post_photos_clear_blank_change on public.post_media rename to post_media_clear_blank_change;
alter trigger post_photos_compose on public.post_media rename to post_media_compose;
alter trigger post_photos_compose_change on public.post_media rename to post_media_compose_change;
alter trigger post_photos_edited on public.post_media rename to post_media_edited;
alter trigger post_photos_not_last on public.post_media rename to post_media_not_last;
alter trigger post_photos_visible on public.post_media rename to post_media_visible;
alter trigger post_photos_words on public.post_media rename to post_media_words;
alter trigger post_photos_words_change on public.post_media rename to post_media_words_change;
alter trigger post_photos_words_delete on public.post_media rename to post_media_words_delete;

-- These name the table in their condition, or its checks or columns in their arguments.
create or replace trigger post_media_allow_change before update of alt_text on public.post_media
  for each row when (row_security_active('public.post_media')) execute function private.count_quota('post_changes');
create or replace trigger post_media_check_quota before insert on public.post_media
  for each row when (row_security_active('public.post_media')) execute function private.check_media_quota();
create or replace trigger post_media_bound_alt_text before insert or update of alt_text on public.post_media
  for each row when (char_length(new.alt_text) > 2000) execute function private.refuse_blank('post_media_alt_text_length');
create or replace trigger post_media_bound_camera before insert or update of camera on public.post_media
  for each row when (octet_length(new.camera::text) > 20000) execute function private.refuse_blank('post_media_camera');
create or replace trigger post_media_check_objects before insert on public.post_media
  for each row execute function private.check_objects('user_id', 'full_path', 'middle_path', 'feed_path', 'grid_path', 'media_path');

create or replace function private.media_columns()
  returns table (of_table text, of_column text, owner_column text, side integer, pixels integer)
  language sql immutable rows 10 set search_path = ''
as $$
  values
    ('post_media', 'feed_path', 'user_id', 4096, 2 * 1080 * 2048),
    ('post_media', 'grid_path', 'user_id', 4096, 2 * 640 * 2048),
    ('post_media', 'middle_path', 'user_id', 4096, 4096 * 4096),
    ('post_media', 'full_path', 'user_id', 12288, 4096 * 4096),
    -- Only videos, which has_unfit_picture() does not measure.
    ('post_media', 'media_path', 'user_id', null, null),
    ('profiles', 'avatar_path', 'id', 1024, 1024 * 1024),
    ('message_media', 'poster_path', 'sender_id', 4096, 2 * 640 * 2048),
    ('message_media', 'media_path', 'sender_id', 12288, 4096 * 4096),
    ('stories', 'poster_path', 'user_id', 4096, 2 * 640 * 2048),
    ('stories', 'media_path', 'user_id', 4096, 4096 * 4096)
$$;

create or replace function private.check_media_quota() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  most constant bigint := (select q.per_day from private.quotas q where q.kind = 'media_bytes');
  characters bigint := 0;
  keys text[] := '{}';
begin
  if most is null then
    return new;
  end if;
  if tg_table_name = 'posts' then
    characters := coalesce(octet_length(new.image_url), 0) + coalesce(octet_length(new.thumbnail_url), 0);
  elsif tg_table_name = 'stories' then
    characters := coalesce(octet_length(new.media_url), 0) + coalesce(octet_length(new.thumbnail_url), 0);
    keys := array[new.media_path, new.poster_path];
  elsif tg_table_name = 'message_media' then
    characters := coalesce(octet_length(new.image_url), 0);
    keys := array[new.media_path, new.poster_path];
  else
    keys := array[new.full_path, new.middle_path, new.feed_path, new.grid_path, new.media_path];
  end if;
  if private.media_bytes_of_day((select auth.uid())) + characters * 3 / 4
    + (select s.bytes from private.stored_objects(keys) s) > most
  then
    perform private.raise_quota_exceeded('media_bytes', false);
  end if;
  return new;
end
$$;

create or replace function private.media_bytes_of_day(member uuid) returns bigint
  language plpgsql security definer set search_path = ''
as $$
declare
  -- Data URLs: four characters for three bytes. Their lengths are known without reading them.
  inline_bytes constant bigint := (
    select coalesce(sum(characters), 0)::bigint * 3 / 4
    from (
      select coalesce(octet_length(image_url), 0) + coalesce(octet_length(thumbnail_url), 0)
        from public.posts where user_id = member and created_at > now() - interval '1 day'
      union all
      select coalesce(octet_length(media_url), 0) + coalesce(octet_length(thumbnail_url), 0)
        from public.stories where user_id = member and expires_at > now()
      union all
      select coalesce(octet_length(image_url), 0)
        from public.message_media where sender_id = member and created_at > now() - interval '1 day'
    ) as stored (characters)
  );
  keys constant text[] := array(
    select key from public.posts p join public.post_media h on h.post_id = p.id,
      unnest(array[h.full_path, h.middle_path, h.feed_path, h.grid_path, h.media_path]) as key
      where p.user_id = member and p.created_at > now() - interval '1 day' and key is not null
    union all
    select key from public.stories, unnest(array[media_path, poster_path]) as key
      where user_id = member and expires_at > now() and key is not null
    union all
    select key from public.message_media, unnest(array[media_path, poster_path]) as key
      where sender_id = member and created_at > now() - interval '1 day' and key is not null
  );
begin
  return inline_bytes + (select s.bytes from private.stored_objects(keys) s);
end
$$;

create or replace function private.clear_account() returns boolean
  language plpgsql security definer set search_path = '' set lock_timeout = '200ms'
as $$
declare
  me constant uuid := private.require_recent_sign_in();
  deadline constant timestamptz := clock_timestamp() + interval '1 second';
  posts uuid[];
  stories uuid[];
  photos integer;
  is_held boolean;
begin
  loop
    -- All rows that refer to objects, so that the client may remove the objects. delete_account() removes the rest.
    posts := array(select distinct h.post_id from public.post_media h where h.user_id = me limit 20);
    perform private.remove_items('public.posts', posts);
    stories := array(select s.id from public.stories s where s.user_id = me and s.media_path is not null limit 20);
    perform private.remove_items('public.stories', stories);
    is_held := false;
    photos := 0;
    begin
      update public.profiles set avatar_path = null where id = me and avatar_path is not null;
      delete from public.message_media where id in (
        select id from public.message_media where sender_id = me and media_path is not null limit 20
      );
      get diagnostics photos = row_count;
    exception when lock_not_available then
      is_held := true;
    end;
    if not is_held and cardinality(posts) + cardinality(stories) + photos = 0 then
      return true;
    end if;
    if clock_timestamp() > deadline then
      -- What somebody holds would keep the account open for as long as they like: its objects become a job.
      return is_held;
    end if;
  end loop;
end
$$;

create or replace function private.hold_items(items regclass, ids uuid[]) returns void
  language plpgsql security definer set search_path = '' set lock_timeout = '10s'
as $$
declare
  holder constant uuid := gen_random_uuid();
  held uuid[];
begin
  -- The order in which a change of privacy takes them. Those who count hold them for milliseconds; no member's filter does.
  if items = 'public.posts'::regclass then
    perform 1 from public.profiles where id in (select p.user_id from public.posts p where p.id = any (ids)) order by id for no key update;
  end if;
  execute format('select array(select id from %s where id = any ($1) order by id for no key update)', items) into held using ids;
  if cardinality(held) = 0 then
    return;
  end if;
  perform private.tell_removed(items, held);
  insert into private.jobs (kind, subject_id, items) values ('account', holder, held);
  insert into public.profiles (id, username, is_private)
    values (holder, 'removed.' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 22), true);
  if items = 'public.posts'::regclass then
    update public.profiles p set post_count = p.post_count - c.posts
      from (
        select user_id, count(*)::integer as posts from public.posts
        where id = any (held) and audience <> 'nobody' group by user_id
      ) as c
      where p.id = c.user_id;
    update public.profiles set post_count = cardinality(held) where id = holder;
    -- Nobody follows a holder, so the audience alone hides them too. A picture keeps a post from being empty.
    update public.posts set user_id = holder, audience = 'followers', image_url = 'data:image/webp;base64,', thumbnail_url = null where id = any (held);
    delete from public.post_media where post_id = any (held);
    delete from public.post_topics where post_id = any (held);
    delete from private.post_words where post_id = any (held);
  elsif items = 'public.comments'::regclass then
    update public.comments set user_id = holder where id = any (held);
    -- Tells their recipients. What one of them holds is hidden, and left to work_job().
    delete from public.notifications where id = any (array(
      select id from public.notifications
      where comment_id = any (held) and type in ('comment', 'reply', 'mention')
      for update skip locked
    ));
  else
    update public.stories set user_id = holder, audience = 'followers', media_path = null, poster_path = null, thumbhash = null, thumbnail_url = null,
        media_url = case media_type when 'image' then 'data:image/webp;base64,' else 'data:video/webm;base64,' end
      where id = any (held);
  end if;
end
$$;

create or replace function private.refuse_blank_detail() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if exists (select from jsonb_each_text(new.camera) as detail where not private.is_visible(detail.value)) then
    raise check_violation using
      message = 'new row for relation "post_media" violates check constraint "post_media_camera"',
      schema = 'public', table = 'post_media', constraint = 'post_media_camera';
  end if;
  return new;
end
$$;

create or replace function private.refuse_empty_post() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  checked constant uuid := to_jsonb(old) ->> 'post_id';
begin
  if exists (
    select from public.posts p
    where p.id = coalesce(checked, new.id) and not private.is_visible(p.content) and p.image_url is null
      and not exists (select from public.post_media h where h.post_id = p.id)
  ) then
    raise check_violation using
      message = 'A post needs a text or a photo.',
      schema = 'public', table = 'posts', constraint = 'posts_not_empty';
  end if;
  return null;
end
$$;

create or replace function private.words_of_post(post public.posts) returns setof text
  language sql stable set search_path = ''
as $$
  select private.searched_words(concat_ws(
    ' ', post.content, post.location, post.alt_text,
    (select string_agg(h.alt_text, ' ' order by h.position) from public.post_media h where h.post_id = post.id)
  ))
$$;

create or replace function public.explore_posts(before_at timestamptz default null, before_id uuid default null) returns setof public.posts
  language sql stable rows 30 set search_path = '' set jit = 'off'
as $$
  select p.* from public.posts p
  where p.audience = 'public' and p.user_id <> (select auth.uid())
    and (p.created_at, p.id) < (
      (select coalesce(before_at, 'infinity')), (select coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
    )
    and (
      p.image_width is not null or p.thumbnail_url is not null
      or exists (select from public.post_media h where h.post_id = p.id offset 0)
    )
  order by p.created_at desc, p.id desc limit 30
$$;

-- Its argument has another name, so it is made anew.
drop function public.create_post(uuid, text, text, jsonb);
create function public.create_post(
    post_id uuid, content text default '', location text default null, media jsonb default '[]'
  ) returns table (id uuid, created_at timestamptz)
  language plpgsql set search_path = ''
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
  insert into public.post_media (
      user_id, post_id, position, full_path, middle_path, feed_path, grid_path, width, height, thumbhash, alt_text, camera
    )
    select me, create_post.post_id, medium.number - 1, medium.full_path, medium.middle_path, medium.feed_path,
      medium.grid_path, medium.width, medium.height, medium.thumbhash, medium.alt_text, medium.camera::jsonb
    from rows from (
      jsonb_to_recordset(create_post.media) as (
        full_path text, middle_path text, feed_path text, grid_path text, width integer, height integer,
        thumbhash text, alt_text text, camera text
      )
    ) with ordinality as medium (
      full_path, middle_path, feed_path, grid_path, width, height, thumbhash, alt_text, camera, number
    );
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
  'Inserts a post with up to ten photos whose objects have been uploaded: an array of {full_path, middle_path, feed_path, grid_path, '
  'width, height, thumbhash, alt_text, camera}, in their order; camera is JSON text, middle_path may be left out. A second call with '
  'the same id changes nothing and returns the same.';
revoke execute on function public.create_post(uuid, text, text, jsonb) from public, anon, authenticated;
grant execute on function public.create_post(uuid, text, text, jsonb) to authenticated, service_role;

select private.generate_media();

do $$
begin
  -- What media_columns() lacks would be unused, and deleted.
  if exists (select from unnest(private.unmatched_media_columns()) as name where name like 'post\_%') then
    raise exception 'Not all columns of post_media that hold keys are described.';
  end if;
end
$$;

alter policy post_photos_insert on public.post_media rename to post_media_insert;
alter policy post_photos_select on public.post_media rename to post_media_select;
alter policy post_photos_session on public.post_media rename to post_media_session;
alter policy post_photos_update on public.post_media rename to post_media_update;
