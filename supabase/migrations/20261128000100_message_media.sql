-- Photos of messages become media (0107): the table, its keys, checks, indexes, policies and triggers are renamed; no row is copied.
-- Other kinds than photos come with later migrations, which widen message_media_kind.

alter table public.message_photos rename to message_media;
alter table public.message_media rename image_path to media_path;
alter table public.message_media rename thumbnail_path to poster_path;
alter table public.messages rename photo_id to media_id;

alter table public.message_media rename constraint message_photos_pkey to message_media_pkey;
alter table public.message_media rename constraint message_photos_image_path_key to message_media_media_path_key;
alter table public.message_media rename constraint message_photos_thumbnail_path_key to message_media_poster_path_key;
alter table public.message_media rename constraint message_photos_conversation_id_fkey to message_media_conversation_id_fkey;
alter table public.message_media rename constraint message_photos_sender_id_fkey to message_media_sender_id_fkey;
alter table public.message_media rename constraint message_photos_image_format to message_media_image_format;
alter table public.message_media rename constraint message_photos_image_length to message_media_image_length;
alter table public.message_media rename constraint message_photos_image_path to message_media_media_path;
alter table public.message_media rename constraint message_photos_one_image to message_media_one_medium;
alter table public.message_media rename constraint message_photos_thumbnail_path to message_media_poster_path;

alter table public.messages rename constraint messages_photo_id_fkey to messages_media_id_fkey;
alter table public.messages rename constraint messages_photo_complete to messages_media_complete;
alter index public.message_photos_conversation_idx rename to message_media_conversation_idx;
alter index public.message_photos_sender_idx rename to message_media_sender_idx;
alter index public.message_photos_unsent_idx rename to message_media_unsent_idx;
alter index public.messages_photo_key rename to messages_media_key;
alter index public.messages_photos_idx rename to messages_media_idx;

alter table public.message_media
  add kind text not null default 'photo' constraint message_media_kind check (kind = 'photo'),
  add name text constraint message_media_name_length check (char_length(name) between 1 and 255),
  add media_type text constraint message_media_media_type_length check (char_length(media_type) between 1 and 100),
  add bytes bigint constraint message_media_bytes check (bytes >= 0),
  add duration_ms integer,
  add peaks smallint[],
  add constraint message_media_duration
    check ((duration_ms is not null) = (kind in ('video', 'audio')) and duration_ms > 0),
  add constraint message_media_file
    check (num_nonnulls(name, media_type, bytes) = case kind when 'file' then 3 else 0 end),
  add constraint message_media_peaks
    check ((peaks is not null) = (kind = 'audio') and cardinality(peaks) = 64 and 0 <= all (peaks) and 255 >= all (peaks)),
  drop constraint message_photos_path_parts,
  -- Of an inline photo there is no smaller one.
  add constraint message_media_path_parts
    check ((poster_path is not null) = (media_path is not null and kind in ('photo', 'video')));

comment on table public.message_media is
  'Photos of messages, in their own table so that conversations and live changes load without them. A client inserts the medium first; the other participant sees it once a message refers to it, and unsending the message deletes it.';

alter trigger message_photos_allow on public.message_media rename to message_media_allow;
alter trigger message_photos_allow_media on public.message_media rename to message_media_allow_media;
alter trigger message_photos_check_objects on public.message_media rename to message_media_check_objects;
alter trigger message_photos_cleanup on public.message_media rename to message_media_cleanup;
alter trigger messages_delete_photo on public.messages rename to messages_delete_media;
alter trigger messages_mark_photos_sent on public.messages rename to messages_mark_media_sent;

-- These name the table in their condition, or its columns in their arguments.
create or replace trigger message_media_allow before insert on public.message_media
  for each row when (row_security_active('public.message_media')) execute function private.count_quota('message_photos');
create or replace trigger message_media_allow_media before insert on public.message_media
  for each row when (row_security_active('public.message_media')) execute function private.check_media_quota();
create or replace trigger message_media_check_objects before insert on public.message_media
  for each row when (num_nonnulls(new.media_path, new.poster_path) > 0)
  execute function private.check_objects('sender_id', 'media_path', 'poster_path');

alter function private.cleanup_message_photos() rename to cleanup_message_media;
alter function private.delete_message_photo() rename to delete_message_media;
alter function private.delete_unsent_photos(integer) rename to delete_unsent_media;
alter function private.mark_photos_sent() rename to mark_media_sent;

create or replace function private.media_columns() returns table (of_table text, of_column text, owner_column text, side integer, pixels integer)
  language sql immutable rows 9 set search_path = ''
as $$
  values
    ('post_photos', 'feed_path', 'user_id', 4096, 2 * 1080 * 2048),
    ('post_photos', 'grid_path', 'user_id', 4096, 2 * 640 * 2048),
    ('post_photos', 'middle_path', 'user_id', 4096, 4096 * 4096),
    ('post_photos', 'full_path', 'user_id', 12288, 4096 * 4096),
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
    keys := array[new.full_path, new.middle_path, new.feed_path, new.grid_path];
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
    select key from public.posts p join public.post_photos h on h.post_id = p.id,
      unnest(array[h.full_path, h.middle_path, h.feed_path, h.grid_path]) as key
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

create or replace function private.check_message_extras() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  -- A retry after a lost response: the message exists, whatever has changed since.
  if exists (select 1 from public.messages m where m.id = new.id and m.sender_id = new.sender_id) then
    return new;
  end if;
  if new.reply_to_id is not null and not exists (
    select 1 from public.messages m where m.id = new.reply_to_id and m.conversation_id = new.conversation_id
  ) then
    raise sqlstate 'PT403' using message = 'The message that this one answers is not in this conversation.';
  end if;
  if new.media_id is not null and not exists (
    select 1 from public.message_media p
    where p.id = new.media_id and p.sender_id = new.sender_id and p.conversation_id = new.conversation_id
  ) then
    raise sqlstate 'PT403' using message = 'This photo was not sent into this conversation.';
  end if;
  if new.story_id is not null then
    if not exists (
      select 1 from public.stories s join public.profiles owner on owner.id = s.user_id
      where s.id = new.story_id and s.user_id = new.recipient_id and s.expires_at > now()
        and owner.allow_story_replies
    ) then
      raise sqlstate 'PT403' using message = 'This story takes no replies.';
    end if;
    new.answers_story := true;
  end if;
  return new;
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
    posts := array(select distinct h.post_id from public.post_photos h where h.user_id = me limit 20);
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

create or replace function private.guard_message_update() returns trigger
  language plpgsql set search_path = ''
as $$
declare
  is_client constant boolean := pg_catalog.row_security_active('public.messages');
  me constant uuid := (select auth.uid());
  sender_reacts constant boolean := new.sender_reaction is distinct from old.sender_reaction;
  recipient_reacts constant boolean := new.recipient_reaction is distinct from old.recipient_reaction;
begin
  if is_client and ((sender_reacts and me <> old.sender_id) or (recipient_reacts and me <> old.recipient_id)) then
    raise sqlstate 'PT403' using message = 'Members react for themselves.';
  end if;
  if (sender_reacts or recipient_reacts) and old.deleted_at is not null then
    raise sqlstate 'PT409' using message = 'This message was unsent.';
  end if;
  -- Setting a reaction reaches the other participant like a message; removing one does not.
  if is_client
    and ((sender_reacts and new.sender_reaction is not null)
      or (recipient_reacts and new.recipient_reaction is not null))
    and not exists (
      select 1 from public.profiles where id in (old.sender_id, old.recipient_id) and id <> me
    )
  then
    raise sqlstate 'PT403' using message = 'This conversation is closed.';
  end if;
  if new.deleted_at is distinct from old.deleted_at then
    if is_client and me <> old.sender_id then
      raise sqlstate 'PT403' using message = 'Only its sender can unsend a message.';
    end if;
    if old.deleted_at is not null then
      raise sqlstate 'PT409' using message = 'This message was already unsent.';
    end if;
    new.deleted_at := now();
    new.content := '';
    new.edited_at := null;
    new.reply_to_id := null;
    new.media_id := null;
    new.thumbnail_url := null;
    new.thumbhash := null;
    new.image_width := null;
    new.image_height := null;
    new.story_id := null;
    new.answers_story := false;
    new.shared_kind := null;
    new.shared_post_id := null;
    new.shared_story_id := null;
    new.shared_profile_id := null;
    new.sender_reaction := null;
    new.recipient_reaction := null;
  end if;
  return new;
end
$$;

create or replace function private.cleanup(max_rows integer) returns integer
  language sql security definer set search_path = ''
as $$
  -- A second cleanup waits here for the first one's batch.
  insert into private.cleanups (called_at) values (now()) on conflict (is_only) do update set called_at = now();
  select private.delete_expired_stories(max_rows)
    + private.delete_unsent_media(max_rows)
    + private.delete_withdrawn_notifications(10 * max_rows)
    + private.delete_quota_usage(10 * max_rows)
    + private.delete_expired_usernames(10 * max_rows)
    + private.delete_unused_topics(10 * max_rows)
    + private.end_unused_sessions(10 * max_rows)
    + private.delete_old_sign_ins(10 * max_rows)
    + private.move_posts(100 * max_rows)
    + private.finish_blocks(10 * max_rows)
    + private.accept_left_requests(10 * max_rows)
    + private.delete_read_notifications(10 * max_rows)
    + private.delete_cron_log(10 * max_rows)
    + private.work_job(10 * max_rows)
    + private.end_empty_folders(10 * max_rows)
$$;

create or replace function private.cleanup_message_media() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.delete_unsent_media(20);
  return null;
end
$$;

create or replace function private.delete_message_media() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.message_media where id = old.media_id;
  return null;
end
$$;

create or replace function private.delete_unsent_media(max_rows integer) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  removed integer;
begin
  delete from public.message_media where id = any (array(
    select id from public.message_media
    where not sent and created_at <= now() - interval '1 day'
    order by created_at limit max_rows for update skip locked
  ));
  get diagnostics removed = row_count;
  return removed;
end
$$;

create or replace function private.mark_media_sent() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  update public.message_media p set sent = true from changed c where p.id = c.media_id;
  return null;
end
$$;

select private.generate_media();

do $$
begin
  -- What media_columns() lacks would be unused, and deleted.
  if exists (select from unnest(private.unmatched_media_columns()) as name where name like 'message\_%') then
    raise exception 'Not all columns of message_media that hold keys are described.';
  end if;
end
$$;

alter policy message_photos_insert on public.message_media rename to message_media_insert;
alter policy message_photos_select on public.message_media rename to message_media_select;
alter policy message_photos_session on public.message_media rename to message_media_session;
