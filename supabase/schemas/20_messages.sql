-- Messages with their media and reactions.

-- Bodies may name what a later file creates.
set check_function_bodies = off;

create table public.message_media (
  id uuid not null default private.new_id(),
  sender_id uuid not null,
  conversation_id uuid not null,
  image_url text,
  -- Set by messages_mark_media_sent; false while the photo waits for its message.
  sent boolean not null default false,
  created_at timestamptz not null default now(),
  media_path text,
  poster_path text,
  kind text not null default 'photo',
  name text,
  media_type text,
  bytes bigint,
  duration_ms integer,
  peaks smallint[],
  constraint message_media_image_length check (char_length(image_url) <= 2100000),
  constraint message_media_image_format check (left(image_url, 23) ~ '^data:image/(webp|jpeg|png);base64,'),
  constraint message_media_pkey primary key (id),
  constraint message_media_sender_id_fkey foreign key (sender_id) references public.profiles (id) on delete cascade,
  constraint message_media_conversation_id_fkey foreign key (conversation_id) references public.conversations (id) on delete cascade,
  constraint message_media_media_path_key unique (media_path),
  constraint message_media_poster_path_key unique (poster_path),
  constraint message_media_one_medium check (num_nonnulls(image_url, media_path) = 1),
  constraint message_media_media_path check (private.is_object_key(media_path, sender_id, 'image')),
  constraint message_media_poster_path check (private.is_object_key(poster_path, sender_id, 'image')),
  constraint message_media_kind check (kind = 'photo'),
  constraint message_media_name_length check (char_length(name) >= 1 and char_length(name) <= 255),
  constraint message_media_media_type_length check (char_length(media_type) >= 1 and char_length(media_type) <= 100),
  constraint message_media_bytes check (bytes >= 0),
  constraint message_media_duration check ((duration_ms is not null) = (kind in ('video', 'audio')) and duration_ms > 0),
  constraint message_media_file check (num_nonnulls(name, media_type, bytes) =
    case kind
      when 'file' then 3
      else 0
    end),
  constraint message_media_peaks check ((peaks is not null) = (kind = 'audio') and cardinality(peaks) = 64 and (0 <= all (peaks)) and (255 >= all (peaks))),
  -- Of an inline photo there is no smaller one.
  constraint message_media_path_parts check ((poster_path is not null) = (media_path is not null and (kind in ('photo', 'video'))))
);
comment on table public.message_media is
  'Photos of messages, in their own table so that conversations and live changes load without them. A client '
  'inserts the medium first; the other participant sees it once a message refers to it, and unsending the '
  'message deletes it.';
alter table public.message_media alter column image_url set storage external;
create index message_media_conversation_idx on public.message_media (conversation_id);
create index message_media_sender_idx on public.message_media (sender_id, created_at);
create index message_media_unsent_idx on public.message_media (created_at) where (not sent);
alter table public.message_media enable row level security;
revoke all on table public.message_media from public, anon, authenticated;
grant select, insert (id, sender_id, conversation_id, image_url, media_path, poster_path) on table public.message_media to authenticated;
grant all on table public.message_media to service_role;

create table public.messages (
  id uuid not null default private.new_id(),
  sender_id uuid not null,
  -- Set by messages_address. The default is no member; it tells type generators that clients omit the column.
  recipient_id uuid,
  conversation_id uuid not null,
  content text not null,
  read boolean not null default false,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  reply_to_id uuid,
  -- Cascades: a photo is deleted with its conversation, with its sender, or after its message was unsent.
  media_id uuid,
  thumbnail_url text,
  image_width integer,
  image_height integer,
  story_id uuid,
  answers_story boolean not null default false,
  read_at timestamptz,
  thumbhash text,
  shared_kind text,
  shared_post_id uuid,
  shared_story_id uuid,
  shared_profile_id uuid,
  edited_at timestamptz,
  forwarded boolean not null default false,
  constraint messages_content_length check (char_length(content) <= 4000),
  constraint messages_thumbnail_length check (char_length(thumbnail_url) <= 28000),
  constraint messages_thumbnail_format check (left(thumbnail_url, 23) ~ '^data:image/(webp|jpeg|png);base64,'),
  constraint messages_read_at check (read_at is null or read),
  constraint messages_pkey primary key (id),
  constraint messages_sender_id_fkey foreign key (sender_id) references public.profiles (id) on delete cascade,
  constraint messages_recipient_id_fkey foreign key (recipient_id) references public.profiles (id) on delete cascade,
  constraint messages_conversation_id_fkey foreign key (conversation_id) references public.conversations (id) on delete cascade,
  constraint messages_reply_to_id_fkey foreign key (reply_to_id) references public.messages (id) on delete set null,
  constraint messages_media_id_fkey foreign key (media_id) references public.message_media (id) on delete cascade,
  constraint messages_story_id_fkey foreign key (story_id) references public.stories (id) on delete set null,
  constraint messages_media_complete check (num_nonnulls(image_width, image_height) =
    case
      when media_id is null then 0
      else 2
    end and num_nonnulls(thumbnail_url, thumbhash) =
    case
    when media_id is null then 0
    else 1
    end),
  constraint messages_thumbhash check (private.is_thumbhash(thumbhash)),
  constraint messages_shared_post_id_fkey foreign key (shared_post_id) references public.posts (id) on delete set null,
  constraint messages_shared_story_id_fkey foreign key (shared_story_id) references public.stories (id) on delete set null,
  constraint messages_shared_profile_id_fkey foreign key (shared_profile_id) references public.profiles (id) on delete set null,
  -- Each reference is null when its item was deleted, and unless the message shares an item of its kind.
  constraint messages_shared_kind check (
    case shared_kind
      when 'post' then num_nonnulls(shared_story_id, shared_profile_id) = 0
      when 'story' then num_nonnulls(shared_post_id, shared_profile_id) = 0
      when 'profile' then num_nonnulls(shared_post_id, shared_story_id) = 0
      else shared_kind is null and num_nonnulls(shared_post_id, shared_story_id, shared_profile_id) = 0
    end),
  constraint messages_content check (
    case
      when deleted_at is not null then content = ''
      when media_id is not null or shared_kind is not null then content = '' or content ~ '\S'
      else content ~ '\S'
    end),
  constraint messages_image_size check (image_width between 1 and 12288 and image_height between 1 and 12288 and (image_width * image_height) <= (4096 * 4096)),
  -- Takes the check of unsent messages with it.
  constraint messages_unsent check (deleted_at is null or num_nonnulls(reply_to_id, media_id, story_id, shared_kind) = 0 and not answers_story)
);
comment on table public.messages is
  'A trigger sets recipient_id, in pairs, by which a search in all conversations finds what a member received. '
  'An unsent message stays as a row without content.';
comment on column public.messages.answers_story is
  'Whether the message replies to a story; stays true when the story is deleted and story_id becomes null.';
comment on column public.messages.shared_kind is
  'Whether the message shares a post, a story or a profile; set by messages_check_shared, and stays when the '
  'item is deleted. The message has no content of the item: members read that with their own rights.';
comment on column public.messages.edited_at is 'When its sender last edited it; set by messages_guard_edit.';
comment on column public.messages.forwarded is
  'Whether its sender forwarded it; says nothing about the original. Set by the client, and stays when the '
  'message is unsent.';
create index messages_conversation_idx on public.messages (conversation_id, created_at desc, id desc);
create index messages_sender_time_idx on public.messages (sender_id, created_at desc, id desc);
create index messages_reply_to_idx on public.messages (reply_to_id) where (reply_to_id is not null);
create index messages_shared_post_idx on public.messages (shared_post_id) where (shared_post_id is not null);
create index messages_shared_profile_idx on public.messages (shared_profile_id) where (shared_profile_id is not null);
create index messages_shared_story_idx on public.messages (shared_story_id) where (shared_story_id is not null);
create index messages_story_idx on public.messages (story_id) where (story_id is not null);
create index messages_media_idx on public.messages (conversation_id, created_at desc, id desc) where (media_id is not null);
create unique index messages_media_key on public.messages (media_id, conversation_id) where (media_id is not null);
create index messages_recipient_time_idx on public.messages (recipient_id, created_at desc, id desc) where (recipient_id is not null);
alter table public.messages replica identity full;
alter table public.messages enable row level security;
revoke all on table public.messages from public, anon, authenticated;
grant select, insert (id, sender_id, conversation_id, content, reply_to_id, media_id, thumbnail_url, image_width, image_height, story_id, thumbhash, shared_post_id, shared_story_id, shared_profile_id, forwarded), update (content, read, deleted_at) on table public.messages to authenticated;
grant all on table public.messages to service_role;

create table public.message_reactions (
  message_id uuid not null,
  -- A trigger sets it; with a default, clients need not name it.
  conversation_id uuid not null default '00000000-0000-0000-0000-000000000000',
  member_id uuid not null,
  created_at timestamptz not null default now(),
  emoji text not null,
  constraint message_reactions_emoji check (emoji in ('❤️', '👍', '😂', '😮', '😢', '🔥')),
  constraint message_reactions_pkey primary key (message_id, member_id),
  constraint message_reactions_member_id_fkey foreign key (member_id) references public.profiles (id) on delete cascade,
  constraint message_reactions_conversation_id_fkey foreign key (conversation_id) references public.conversations (id) on delete cascade,
  constraint message_reactions_message_id_fkey foreign key (message_id) references public.messages (id) on delete cascade
);
comment on table public.message_reactions is
  'One per message and member. Whoever reads the message sees them; unsending it deletes them. A trigger sets '
  'conversation_id.';
create index message_reactions_conversation_idx on public.message_reactions (conversation_id);
create index message_reactions_member_idx on public.message_reactions (member_id);
alter table public.message_reactions enable row level security;
revoke all on table public.message_reactions from public, anon, authenticated;
grant select, delete, insert (message_id, member_id, emoji), update (emoji) on table public.message_reactions to authenticated;
grant all on table public.message_reactions to service_role;

create function private.broadcast_messages() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  in_groups constant uuid[] := array(
    select m.id from changed m join public.conversations c on c.id = m.conversation_id where c.kind = 'group'
  );
begin
  -- touch_conversations() moves times before others get the message.
  if tg_op = 'UPDATE' then
    if not exists (select id, created_at from changed intersect select id, created_at from before) then
      return null;
    end if;
  end if;
  perform private.broadcast_change('messages', tg_op, concerned.member, concerned.ids, concerned.new_rows)
    from (
      select
        members.id as member,
        -- The latest: clients load each of them, and show at most some pages of a conversation.
        (array_agg(changed.id order by changed.created_at, changed.id))[greatest(count(*) - 499, 1):] as ids,
        -- Both may see every version of their messages. An update may follow another: clients read it.
        case when tg_op = 'INSERT' and private.broadcasts_carry_rows() then (
          -- With the times that touch_conversations() gave them.
          select jsonb_agg(m) from public.messages m where m.id = any (array_agg(changed.id))
        ) end as new_rows
      from changed
      join public.conversations c on c.id = changed.conversation_id
      cross join lateral (values (c.participant_1), (c.participant_2)) as members (id)
      where c.kind = 'pair'
      group by members.id
    ) as concerned;
  if cardinality(in_groups) > 0 then
    perform private.broadcast_in_groups(tg_op, in_groups);
  end if;
  return null;
end
$$;
comment on function private.broadcast_messages() is
  'Broadcasts new and changed messages, at most the latest five hundred of a statement: of pairs to both, of a '
  'group in its channel.';
revoke execute on function private.broadcast_messages() from public, anon, authenticated;

create function private.delete_unsent_media(max_rows integer) returns integer
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
comment on function private.delete_unsent_media(integer) is 'Deletes at most max_rows photos that no message used within a day; returns how many.';
revoke execute on function private.delete_unsent_media(integer) from public, anon, authenticated;

create function private.cleanup_message_media() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.delete_unsent_media(20);
  return null;
end
$$;
comment on function private.cleanup_message_media() is
  'Deletes up to twenty unsent photos with each new one: more than are added, even on a server without a '
  'scheduler.';
revoke execute on function private.cleanup_message_media() from public, anon, authenticated;

create function private.address_message() returns trigger
  language plpgsql set search_path = ''
as $$
declare
  conversation public.conversations;
begin
  select * into conversation from public.conversations where id = new.conversation_id;
  if conversation.kind = 'group' then
    new.recipient_id := null;
  else
    new.recipient_id := case new.sender_id
      when conversation.participant_1 then conversation.participant_2
      when conversation.participant_2 then conversation.participant_1
    end;
  end if;
  if new.recipient_id is null and not exists (
    select from public.conversation_views v
    where v.member_id = new.sender_id and v.conversation_id = conversation.id and v.is_group and v.writes
  ) then
    raise sqlstate 'PT403' using message = 'This is not one of your conversations.';
  end if;
  return new;
end
$$;
comment on function private.address_message() is
  'Sets recipient_id to the other participant of a pair. PT403 if the sender is not a participant, or does not '
  'write in the group.';
revoke execute on function private.address_message() from public, anon, authenticated;

create function private.check_message_extras() returns trigger
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
    -- A story is answered to its owner alone: in a group it has nobody to answer.
    if not exists (
      select 1 from public.stories s join public.profiles owner on owner.id = s.user_id
      where s.id = new.story_id and s.user_id = private.other_participant(new.conversation_id, new.sender_id)
        and s.expires_at > now() and owner.allow_story_replies
    ) then
      raise sqlstate 'PT403' using message = 'This story takes no replies.';
    end if;
    new.answers_story := true;
  end if;
  return new;
end
$$;
comment on function private.check_message_extras() is
  'PT403 unless a reply is to a message of the same conversation, a photo is the sender''s own for this '
  'conversation, and a story is one that the sender may see now, of the other participant, who allows replies.';
revoke execute on function private.check_message_extras() from public, anon, authenticated;

create function private.refuse_hidden_recipient() returns trigger
  language plpgsql set search_path = ''
as $$
declare
  recipient constant uuid := private.other_participant(new.conversation_id, new.sender_id);
begin
  if pg_catalog.row_security_active('public.messages')
    and recipient is not null
    and not exists (select 1 from public.profiles where id = recipient)
    -- A retry after a lost response: the message exists, and the client expects 23505.
    and not exists (select 1 from public.messages where id = new.id and sender_id = new.sender_id)
  then
    raise sqlstate 'PT403' using message = 'This conversation is closed.';
  end if;
  return new;
end
$$;
comment on function private.refuse_hidden_recipient() is
  'Closes the conversation when one participant has blocked the other: existing messages stay, new ones are '
  'refused.';
revoke execute on function private.refuse_hidden_recipient() from public, anon, authenticated;

create function private.guard_message_update() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  if new.deleted_at is not distinct from old.deleted_at then
    return new;
  end if;
  if pg_catalog.row_security_active('public.messages') and (select auth.uid()) <> old.sender_id then
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
  return new;
end
$$;
comment on function private.guard_message_update() is 'The sender unsends. A message is unsent once, at the database''s time, and loses all its content.';
revoke execute on function private.guard_message_update() from public, anon, authenticated;

create function private.touch_conversations() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  locked public.conversations[];
  pairs uuid[];
  moved uuid[];
begin
  loop
    begin
      locked := array(
        select c from public.conversations c
        where c.id in (select conversation_id from changed) order by c.id for no key update
      );
      pairs := array(select l.id from unnest(locked) as l where l.kind = 'pair');
      -- The sender may hold the own view, by a slow request. Until it ends the other member gets the conversation, and waits for nobody.
      perform 1 from public.conversation_views m
        where m.conversation_id = any (pairs) and m.member_id = (select auth.uid()) for no key update nowait;
      exit;
    exception when lock_not_available then
      perform pg_catalog.pg_sleep(0.02);
    end;
  end loop;
  -- Not in the statement of the lock: who was removed meanwhile is seen by the next one.
  if exists (
    select from changed c where not exists (
      select from public.conversation_views v
      where v.member_id = c.sender_id and v.conversation_id = c.conversation_id and v.writes offset 0
    )
  ) then
    raise sqlstate 'PT403' using message = 'This is not one of your conversations.';
  end if;
  -- created_at is when the transaction began. Imported messages keep their times.
  moved := array(
    select c.id from changed c join unnest(locked) as l on l.id = c.conversation_id
    where c.created_at = now() and c.created_at <= l.last_message_at
  );
  if cardinality(moved) > 0 then
    update public.messages m set created_at = later.at
      from (
        select c.id,
          l.last_message_at + interval '1 microsecond' * row_number() over (partition by c.conversation_id order by c.created_at, c.id) as at
        from changed c join unnest(locked) as l on l.id = c.conversation_id
        where c.id = any (moved)
      ) as later
      where m.id = any (moved) and m.id = later.id;
  end if;
  update public.conversations c
    set last_message_at = greatest(c.last_message_at, m.latest),
        participant_1_wrote = c.participant_1_wrote or coalesce(c.participant_1 = any (m.senders), false),
        participant_2_wrote = c.participant_2_wrote or coalesce(c.participant_2 = any (m.senders), false)
    from (
      select s.conversation_id, array_agg(distinct s.sender_id) as senders,
        max(case when s.id = any (moved) then (select m.created_at from public.messages m where m.id = s.id) else s.created_at end) as latest
      from changed s group by s.conversation_id
    ) as m
    where c.id = m.conversation_id;
  if exists (select from changed c where c.read) then
    -- Imported. Clients send no message as read.
    update public.conversation_members m set read_at = n.created_at, read_id = n.id
      from private.newest_read(array(select c.id from changed c where c.read)) as n
      where m.conversation_id = n.conversation_id and m.member_id = n.member_id and private.shows_reading(m.member_id)
        and (m.read_at is null or (m.read_at, m.read_id) < (n.created_at, n.id));
    update public.conversation_views m set mark_at = n.created_at, mark_id = n.id
      from private.newest_read(array(select c.id from changed c where c.read)) as n
      where m.conversation_id = n.conversation_id and m.member_id = n.member_id
        and (m.mark_at is null or (m.mark_at, m.mark_id) < (n.created_at, n.id));
  end if;
  perform 1 from public.conversation_views m
    where m.conversation_id = any (pairs)
    order by m.conversation_id, m.member_id for no key update;
  update public.conversation_views m
    set last_message_at = greatest(m.last_message_at, n.latest),
        listed_at = case when n.is_below then greatest(m.last_message_at, n.latest) else m.listed_at end,
        accepted = n.accepted,
        folder = case when n.accepted then 'inbox' else 'requests' end,
        unread = m.unread or n.unread,
        undelivered = m.undelivered or n.unread
    from (
      select
        mine.member_id,
        mine.conversation_id,
        (select c.last_message_at from public.conversations c where c.id = mine.conversation_id) as latest,
        bool_or(
          c.sender_id <> mine.member_id and not c.read and c.deleted_at is null
          -- One that was imported may be older than the mark. One that was moved is not.
          and (mine.mark_at is null or c.id = any (moved) or (c.created_at, c.id) > (mine.mark_at, mine.mark_id))
        ) as unread,
        mine.accepted
          or bool_or(c.sender_id = mine.member_id)
          or exists (
            select 1 from public.follows f
            where f.follower_id = mine.member_id and f.following_id = any (array_agg(c.sender_id))
          ) as accepted,
        exists (
          select 1 from public.conversation_views above
          where above.member_id = mine.member_id and above.folder = any ('{inbox,requests,archived,none}')
            and (above.listed_at, above.conversation_id) > (mine.listed_at, mine.conversation_id)
        ) as is_below
      from changed c
      join public.conversation_views mine on mine.conversation_id = c.conversation_id
      where c.conversation_id = any (pairs)
      group by mine.member_id, mine.conversation_id
    ) as n
    where m.member_id = n.member_id and m.conversation_id = n.conversation_id;
  return null;
end
$$;
comment on function private.touch_conversations() is
  'Moves last_message_at to the latest message, never back, and records who has written. A message that '
  'another has overtaken gets a later time. For the recipient, a message of a stranger waits as a request; '
  'writing, and following the sender, accepts. Every message brings a conversation back that was archived or '
  'deleted. Of a group it moves no view. PT403 if the sender was removed meanwhile.';
revoke execute on function private.touch_conversations() from public, anon, authenticated;

create function private.mark_media_sent() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  update public.message_media p set sent = true from changed c where p.id = c.media_id;
  return null;
end
$$;
comment on function private.mark_media_sent() is 'Keeps a photo for as long as its message.';
revoke execute on function private.mark_media_sent() from public, anon, authenticated;

create function private.delete_message_media() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.message_media where id = old.media_id;
  return null;
end
$$;
comment on function private.delete_message_media() is 'Deletes the photo of an unsent message.';
revoke execute on function private.delete_message_media() from public, anon, authenticated;

create function public.unread_conversations() returns integer
  language plpgsql stable set search_path = '' set enable_sort = off
as $$
begin
  return (
    select count(*)::integer
    from (
      (
        select 1
        from (
          select m.conversation_id, m.unread, m.muted_until from public.conversation_views m
          where m.member_id = (select auth.uid()) and m.folder = 'inbox' and not m.is_group
          order by m.listed_at desc, m.conversation_id desc limit 1000
        ) as newest
        -- A look-up for each unread one; the planner would join with all conversations of the server.
        cross join lateral (
          select c.participant_1, c.participant_2 from public.conversations c where c.id = newest.conversation_id offset 0
        ) as c
        where newest.unread and coalesce(newest.muted_until <= now(), true)
          and case (select auth.uid()) when c.participant_1 then c.participant_2 else c.participant_1 end
            not in (select blocked_id from public.blocks where blocker_id = (select auth.uid()))
      )
      union all
      select 1 from private.unread_groups(array(
        select m.conversation_id from public.conversation_views m
        cross join lateral (select c.last_message_at from public.conversations c where c.id = m.conversation_id offset 0) as c
        where m.member_id = (select auth.uid()) and m.folder = 'inbox' and m.is_group and coalesce(m.muted_until <= now(), true)
          -- Two messages of one statement have the same time, and the mark may be at the first one.
          and (m.mark_at is null or c.last_message_at >= m.mark_at)
      ), 10)
      limit 10
    ) as counted
  );
end
$$;
comment on function public.unread_conversations() is
  'Conversations of the inbox, groups too, with a message that the caller has not read, without muted ones and '
  'those of members they have blocked, 0 to 10: the badge shows 9+ above nine. Looks at the newest thousand '
  'pairs. Requests do not count.';
revoke execute on function public.unread_conversations() from public, anon, authenticated;
grant execute on function public.unread_conversations() to authenticated, service_role;

create function private.check_shared() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  new.shared_kind := case
    when new.shared_post_id is not null then 'post'
    when new.shared_story_id is not null then 'story'
    else 'profile'
  end;
  -- A retry after a lost response: the message exists, whatever has changed since.
  if exists (select 1 from public.messages m where m.id = new.id and m.sender_id = new.sender_id) then
    return new;
  end if;
  if not (
    exists (select 1 from public.posts where id = new.shared_post_id)
    or exists (select 1 from public.stories where id = new.shared_story_id and expires_at > now())
    or exists (select 1 from public.profiles where id = new.shared_profile_id)
  ) then
    raise sqlstate 'PT403' using message = 'This is not available any more.';
  end if;
  return new;
end
$$;
comment on function private.check_shared() is 'Sets shared_kind. PT403 unless the sender sees the shared post, story or profile now.';
revoke execute on function private.check_shared() from public, anon, authenticated;

create function private.guard_message_edit() returns trigger
  language plpgsql set search_path = ''
as $$
declare
  recipient uuid;
begin
  if not pg_catalog.row_security_active('public.messages') then
    return new;
  end if;
  if (select auth.uid()) <> old.sender_id then
    raise sqlstate 'PT403' using message = 'Only its sender can edit a message.';
  end if;
  if old.deleted_at is not null then
    raise sqlstate 'PT409' using message = 'This message was unsent.';
  end if;
  if old.content = '' then
    raise sqlstate 'PT403' using message = 'This message has no text.';
  end if;
  if not private.is_visible(new.content) then
    raise sqlstate 'PT422' using message = 'A message cannot be empty.';
  end if;
  if old.created_at < now() - interval '15 minutes' then
    raise sqlstate 'PT403' using message = 'Messages can be edited for 15 minutes.';
  end if;
  -- An edit reaches the others like a message.
  recipient := private.other_participant(old.conversation_id, old.sender_id);
  if recipient is not null and not exists (select 1 from public.profiles where id = recipient)
    or not exists (
      select from public.conversation_views v
      where v.member_id = old.sender_id and v.conversation_id = old.conversation_id and v.writes
    )
  then
    raise sqlstate 'PT403' using message = 'This conversation is closed.';
  end if;
  new.edited_at := now();
  return new;
end
$$;
comment on function private.guard_message_edit() is
  'Its sender edits the text of a message within fifteen minutes, by the database''s clock, unless the '
  'conversation is closed or the sender has left it.';
revoke execute on function private.guard_message_edit() from public, anon, authenticated;

create function private.changes_key(member uuid) returns bigint
  language sql immutable strict set search_path = ''
as $$
  select pg_catalog.hashtextextended(member::text, 7246007)
$$;
comment on function private.changes_key(uuid) is 'The advisory lock of a member''s edit or unsending of a message.';
revoke execute on function private.changes_key(uuid) from public, anon, authenticated;
grant execute on function private.changes_key(uuid) to authenticated, service_role;

create function private.edit_message(message uuid, content text) returns void
  language plpgsql set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  perform private.require_active();
  if not private.is_member() then
    raise sqlstate 'PT401' using message = 'Sign in first.';
  end if;
  -- One change of a member at a time: the next one would hold its message while it waits for the counter that the first one holds.
  perform pg_catalog.pg_advisory_xact_lock(private.changes_key(me));
  update public.messages m set content = edit_message.content where m.id = message and m.sender_id = me;
  -- An edit that was sent again changes nothing.
  if not found and not exists (select from public.messages m where m.id = message and m.sender_id = me) then
    raise sqlstate 'PT404' using message = 'There is no such message.';
  end if;
end
$$;
comment on function private.edit_message(uuid, text) is
  'Changes the text of an own message, as an update of messages does. PT404 if there is no such message.';
revoke execute on function private.edit_message(uuid, text) from public, anon, authenticated;
grant execute on function private.edit_message(uuid, text) to authenticated, service_role;

create function public.edit_message(message uuid, content text) returns void
  language sql set search_path = ''
as $$
  select private.edit_message(message, content)
$$;
comment on function public.edit_message(uuid, text) is
  'Edits an own message. Nothing of it can be made slow, and it may wait longer than the other member can hold the '
  'message: docs/decisions/0111-short-writes.md.';
revoke execute on function public.edit_message(uuid, text) from public, anon, authenticated;
grant execute on function public.edit_message(uuid, text) to authenticated, service_role;

create function private.unsend_message(message uuid) returns void
  language plpgsql set search_path = ''
as $$
declare
  me constant uuid := (select auth.uid());
begin
  perform private.require_active();
  if not private.is_member() then
    raise sqlstate 'PT401' using message = 'Sign in first.';
  end if;
  perform pg_catalog.pg_advisory_xact_lock(private.changes_key(me));
  update public.messages m set deleted_at = now() where m.id = message and m.sender_id = me and m.deleted_at is null;
  -- A request that was sent again changes nothing.
  if not found and not exists (select from public.messages m where m.id = message and m.sender_id = me) then
    raise sqlstate 'PT404' using message = 'There is no such message.';
  end if;
end
$$;
comment on function private.unsend_message(uuid) is
  'Unsends an own message, as an update of messages does. PT404 if there is no such message.';
revoke execute on function private.unsend_message(uuid) from public, anon, authenticated;
grant execute on function private.unsend_message(uuid) to authenticated, service_role;

create function public.unsend_message(message uuid) returns void
  language sql set search_path = ''
as $$
  select private.unsend_message(message)
$$;
comment on function public.unsend_message(uuid) is
  'Unsends an own message. Nothing of it can be made slow, and it may wait longer than the other member can hold the '
  'message: docs/decisions/0111-short-writes.md.';
revoke execute on function public.unsend_message(uuid) from public, anon, authenticated;
grant execute on function public.unsend_message(uuid) to authenticated, service_role;

create function private.refuse_unwanted_message() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  recipient constant uuid := private.other_participant(new.conversation_id, new.sender_id);
  wanted constant text := (select p.new_messages_from from public.profiles p where p.id = recipient);
begin
  if recipient is null
    or exists (
      select 1 from public.conversation_views m
      where m.member_id = recipient and m.conversation_id = new.conversation_id and m.accepted
    )
    -- A retry after a lost response: the message exists, and the client expects 23505.
    or exists (select 1 from public.messages m where m.id = new.id and m.sender_id = new.sender_id)
  then
    return new;
  end if;
  if wanted = 'nobody' then
    raise sqlstate 'PT403' using message = 'This member receives messages only in conversations they already have.';
  end if;
  if exists (
    select 1 from public.follows f where f.follower_id = recipient and f.following_id = new.sender_id
  ) then
    return new;
  end if;
  if wanted = 'following' then
    raise sqlstate 'PT403' using message = 'This member receives messages only from people they follow.';
  end if;
  if wanted = 'followers' and not exists (
    select 1 from public.follows f where f.follower_id = new.sender_id and f.following_id = recipient
  ) then
    raise sqlstate 'PT403' using
      message = 'This member receives messages only from their followers and people they follow.';
  end if;
  if exists (
    select 1 from public.messages m
    where m.conversation_id = new.conversation_id and m.sender_id = new.sender_id
    order by m.created_at desc, m.id desc offset 2
  ) then
    raise sqlstate 'PT403' using message = 'You can write more once this member has accepted your first messages.';
  end if;
  return new;
end
$$;
comment on function private.refuse_unwanted_message() is
  'A stranger can write three messages until the recipient accepts; deleting the request does not allow more. '
  'Refuses members that new_messages_from of the recipient leaves out.';
revoke execute on function private.refuse_unwanted_message() from public, anon, authenticated;

create function private.recount_unread() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  touched record;
  newest record;
  is_shown boolean;
begin
  -- Not a join: its plan, which is kept, may compare each message with all others.
  for touched in
    select r.reader, r.conversation_id, r.read_ids
    from (
      select private.other_participant(d.conversation_id, d.sender_id) as reader, d.conversation_id, array_agg(d.id) filter (where d.read) as read_ids
      from (
        select c.id, c.sender_id, c.conversation_id, c.read, c.deleted_at is null from changed c
        except
        select b.id, b.sender_id, b.conversation_id, b.read, b.deleted_at is null from before b
      ) as d
      group by d.conversation_id, d.sender_id
    ) as r
    where r.reader is not null
    order by r.conversation_id, r.reader
  loop
    perform 1 from public.conversation_members m
      where m.member_id = touched.reader and m.conversation_id = touched.conversation_id for no key update;
    if touched.read_ids is not null then
      select m.created_at as at, m.id into newest from public.messages m
        where m.id = any (touched.read_ids) order by m.created_at desc, m.id desc limit 1;
      -- Receipts may have been turned off since the messages were marked.
      is_shown := private.shows_reading(touched.reader);
      update public.conversation_members m set read_at = newest.at, read_id = newest.id
        where is_shown and m.conversation_id = touched.conversation_id and m.member_id = touched.reader
          and (m.read_at is null or (m.read_at, m.read_id) < (newest.at, newest.id));
      update public.conversation_views m set mark_at = newest.at, mark_id = newest.id
        where m.conversation_id = touched.conversation_id and m.member_id = touched.reader
          and (m.mark_at is null or (m.mark_at, m.mark_id) < (newest.at, newest.id));
    end if;
    -- A message that arrives meanwhile waits for this lock, or is seen by the next statement.
    perform 1 from public.conversation_views m
      where m.member_id = touched.reader and m.conversation_id = touched.conversation_id for no key update;
    update public.conversation_views m
      set unread = n.unread, undelivered = m.undelivered and n.unread
      from (
        select exists (
          select 1 from public.messages x
          where x.conversation_id = mine.conversation_id and x.sender_id <> mine.member_id and not x.read
            and x.deleted_at is null and x.created_at > coalesce(mine.cleared_at, '-infinity')
            and (x.created_at, x.id)
              > (coalesce(mine.mark_at, '-infinity'), coalesce(mine.mark_id, '00000000-0000-0000-0000-000000000000'))
        ) as unread
        from public.conversation_views mine
        where mine.member_id = touched.reader and mine.conversation_id = touched.conversation_id
      ) as n
      where m.member_id = touched.reader and m.conversation_id = touched.conversation_id and m.unread <> n.unread;
  end loop;
  return null;
end
$$;
comment on function private.recount_unread() is
  'Raises the marks of those who marked messages as read, and updates whether a conversation has unread '
  'messages after some were read or unsent.';
revoke execute on function private.recount_unread() from public, anon, authenticated;

create function private.mark_delivered() returns void
  language plpgsql security definer set search_path = '' set enable_sort = off
as $$
declare
  me constant uuid := (select auth.uid());
  received uuid[];
begin
  perform private.require_active();
  if not private.is_member() or not private.shows_activity() then
    return;
  end if;
  received := array(
    select newest.conversation_id
    from (
      select m.conversation_id, m.undelivered from public.conversation_views m
      where m.member_id = me and m.folder = 'inbox' order by m.listed_at desc, m.conversation_id desc limit 1000
    ) as newest
    cross join lateral (
      select case me when c.participant_1 then c.participant_2 else c.participant_1 end as id
      from public.conversations c where c.id = newest.conversation_id offset 0
    ) as sender
    where newest.undelivered
      and sender.id not in (select private.my_hidden_ids())
      and not exists (select 1 from public.profiles p where p.id = sender.id and not p.show_activity_status)
    limit 200
  );
  if cardinality(received) = 0 then
    return;
  end if;
  -- It waits for nobody while it holds what others need: what somebody holds is reported by a later call. A message that is being sent
  -- holds both views, and its own arrival calls again.
  received := array(
    select free.conversation_id
    from (
      select m.conversation_id from public.conversation_views m
      where m.conversation_id = any (received) for no key update skip locked
    ) as free
    group by free.conversation_id
    having count(*) = (select count(*) from public.conversation_views v where v.conversation_id = free.conversation_id)
  );
  update public.conversation_views theirs
    set delivered_at = greatest(theirs.delivered_at, mine.last_message_at)
    from public.conversation_views mine
    where mine.member_id = me and mine.undelivered and mine.conversation_id = any (received)
      and theirs.conversation_id = mine.conversation_id and theirs.member_id <> me;
  update public.conversation_views m set undelivered = false
    where m.member_id = me and m.conversation_id = any (received);
end
$$;
comment on function private.mark_delivered() is
  'Reports to the senders of the caller''s new messages that they have arrived, in the latest two hundred '
  'conversations with some among the newest thousand. Requests, closed conversations, and conversations in '
  'which one of the two has Activity Status off report nothing. Takes no lock if there is nothing to report, '
  'and leaves what somebody holds to a later call.';
revoke execute on function private.mark_delivered() from public, anon, authenticated;
grant execute on function private.mark_delivered() to authenticated, service_role;

create function public.mark_delivered() returns void
  language sql set search_path = ''
as $$
  select private.mark_delivered()
$$;
comment on function public.mark_delivered() is 'A device of the caller has received their new messages: tells the senders.';
revoke execute on function public.mark_delivered() from public, anon, authenticated;
grant execute on function public.mark_delivered() to authenticated, service_role;

create function private.guard_message_read() returns trigger
  language plpgsql set search_path = ''
as $$
declare
  is_client constant boolean := pg_catalog.row_security_active('public.messages');
  mine public.conversation_views;
begin
  if is_client then
    select * into mine from public.conversation_views v
      where v.member_id = (select auth.uid()) and v.conversation_id = old.conversation_id;
  else
    -- Of a pair the recipient; of a group anybody, for whom nothing changes.
    select * into mine from public.conversation_views v
      where v.conversation_id = old.conversation_id and v.member_id <> old.sender_id limit 1;
  end if;
  -- Own messages of a group that the member is no part of any more: an update without a filter meets them.
  if not found then
    new.read := old.read;
    return new;
  end if;
  if is_client and mine.member_id = old.sender_id and not mine.is_group then
    raise sqlstate 'PT403' using message = 'Only its recipient can mark a message as read.';
  end if;
  if mine.is_group then
    -- Ignored, not refused: the specification's update names all messages of a conversation.
    new.read := old.read;
  elsif not mine.accepted
    or (new.read and exists (select from public.profiles p where p.id = mine.member_id and not p.read_receipts))
    or (is_client and new.read and not exists (select from public.profiles p where p.id = old.sender_id))
  then
    -- Reading a request, or while one blocks the other, does not tell its sender, and reading with receipts off nobody.
    new.read := false;
  end if;
  new.read_at := case when new.read then coalesce(old.read_at, now()) end;
  return new;
end
$$;
comment on function private.guard_message_read() is
  'The recipient marks a message as read, at the database''s time; messages of a request stay unread, those of '
  'a group, and all while the recipient''s receipts are off.';
revoke execute on function private.guard_message_read() from public, anon, authenticated;

create function private.guard_reaction() returns trigger
  language plpgsql set search_path = ''
as $$
declare
  unsent_at timestamptz;
begin
  -- With the caller's rights: the policy refuses what is not found here.
  select m.conversation_id, m.deleted_at into new.conversation_id, unsent_at from public.messages m where m.id = new.message_id;
  if exists (
    select from public.conversation_views v
    where v.member_id = new.member_id and v.conversation_id = new.conversation_id and not v.accepted and not v.is_group
  ) then
    raise sqlstate 'PT403' using message = 'Accept this request first.';
  end if;
  if unsent_at is not null then
    raise sqlstate 'PT409' using message = 'This message was unsent.';
  end if;
  -- A reaction reaches the other of a pair like a message.
  if pg_catalog.row_security_active('public.message_reactions') and exists (
    select from private.other_participant(new.conversation_id, new.member_id) as other
    where other is not null and not exists (select from public.profiles p where p.id = other)
  ) then
    raise sqlstate 'PT403' using message = 'This conversation is closed.';
  end if;
  return new;
end
$$;
comment on function private.guard_reaction() is
  'Sets the conversation of a reaction. PT403 in a request that the member has not accepted and in a closed '
  'conversation, PT409 for an unsent message.';
revoke execute on function private.guard_reaction() from public, anon, authenticated;

create function private.await_unsending() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  unsent_at timestamptz;
begin
  select m.deleted_at into unsent_at from public.messages m where m.id = new.message_id for share;
  if unsent_at is not null then
    raise sqlstate 'PT409' using message = 'This message was unsent.';
  end if;
  return null;
end
$$;
comment on function private.await_unsending() is
  'Unsending waits for this reaction and deletes it, or is seen here. At the end of the statement: its answer '
  'may be slow.';
revoke execute on function private.await_unsending() from public, anon, authenticated;

create function private.delete_message_reactions() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.message_reactions where message_id = new.id;
  return null;
end
$$;
comment on function private.delete_message_reactions() is 'Deletes the reactions to an unsent message.';
revoke execute on function private.delete_message_reactions() from public, anon, authenticated;

create function private.broadcast_reactions() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  -- Unsending and deleting a message are broadcast as such.
  reacted constant public.messages[] := array(
    select m from public.messages m
    where m.id in (select c.message_id from changed c) and m.deleted_at is null order by m.created_at, m.id
  );
  in_groups constant uuid[] := array(
    select m.id from unnest(reacted) as m join public.conversations c on c.id = m.conversation_id where c.kind = 'group'
  );
begin
  perform private.broadcast_change('messages', 'UPDATE', concerned.member_id, concerned.ids)
    from (
      select members.id as member_id, (array_agg(m.id order by m.created_at, m.id))[greatest(count(*) - 499, 1):] as ids
      from unnest(reacted) as m
      join public.conversations c on c.id = m.conversation_id
      cross join lateral (values (c.participant_1), (c.participant_2)) as members (id)
      where c.kind = 'pair'
      group by members.id
    ) as concerned;
  if cardinality(in_groups) = 0 then
    return null;
  end if;
  perform private.broadcast_in_groups('UPDATE', in_groups);
  -- The group is locked: who was removed meanwhile is seen.
  if tg_op <> 'DELETE' and exists (
    select from changed c where c.member_id = (select auth.uid()) and c.message_id = any (in_groups) and not exists (
      select from public.conversation_views v
      where v.member_id = c.member_id and v.conversation_id = c.conversation_id and v.writes offset 0
    )
  ) then
    raise sqlstate 'PT403' using message = 'This is not one of your conversations.';
  end if;
  return null;
end
$$;
comment on function private.broadcast_reactions() is
  'Broadcasts reactions as changes of their messages: in a pair to both, in a group in its channel. PT403 if '
  'the member was removed from the group meanwhile.';
revoke execute on function private.broadcast_reactions() from public, anon, authenticated;

create function private.receipts_key(member uuid) returns bigint
  language sql immutable strict set search_path = ''
as $$
  select pg_catalog.hashtextextended(member::text, 7246006)
$$;
comment on function private.receipts_key(uuid) is 'The advisory lock of a change of the member''s receipts.';
revoke execute on function private.receipts_key(uuid) from public, anon, authenticated;

create function private.shows_reading(member uuid) returns boolean
  language plpgsql security definer set search_path = ''
as $$
begin
  -- It waits for nobody: a mark that comes while receipts are being turned off is not shown.
  if not pg_catalog.pg_try_advisory_xact_lock_shared(private.receipts_key(member)) then
    return false;
  end if;
  -- A statement of its own: it sees the change whose lock was just released.
  return exists (select from public.profiles p where p.id = member and p.read_receipts);
end
$$;
comment on function private.shows_reading(uuid) is
  'Whether others may see a mark that the caller sets for this member now. Until its transaction ends, '
  'receipts are not turned off.';
revoke execute on function private.shows_reading(uuid) from public, anon, authenticated;

create function private.clear_shown_marks(member uuid, most integer) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  cleared integer;
begin
  update public.conversation_members set read_at = null, read_id = null
    where member_id = member and conversation_id = any (array(
      select m.conversation_id from public.conversation_members m
      where m.member_id = member and m.read_at is not null
      limit most for no key update skip locked
    ));
  get diagnostics cleared = row_count;
  return cleared;
end
$$;
comment on function private.clear_shown_marks(uuid, integer) is
  'Clears up to `most` marks of a member that others see, without those that somebody holds. Returns how many.';
revoke execute on function private.clear_shown_marks(uuid, integer) from public, anon, authenticated;

create function private.clear_left_marks(max_rows integer) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  job private.jobs;
  step integer;
  cleared integer := 0;
  went_on integer := 0;
begin
  for job in
    select j.* from private.jobs j where j.kind = 'receipts' order by random() limit max_rows for update skip locked
  loop
    step := 0;
    -- Who shows marks again keeps what is left. Until then nobody turns receipts on.
    perform from public.profiles p where p.id = job.subject_id and not p.read_receipts for share skip locked;
    if found then
      step := private.clear_shown_marks(job.subject_id, max_rows - cleared);
      cleared := cleared + step;
    end if;
    if exists (
      select from public.profiles p join public.conversation_members m on m.member_id = p.id
      where p.id = job.subject_id and not p.read_receipts and m.read_at is not null
    ) then
      exit when step = 0;
    else
      delete from private.jobs j where j.kind = job.kind and j.subject_id = job.subject_id;
    end if;
    went_on := went_on + 1;
    exit when cleared >= max_rows;
  end loop;
  return went_on;
end
$$;
comment on function private.clear_left_marks(integer) is
  'Clears up to max_rows shown marks that turning receipts off left, until others hold one; returns for how '
  'many members it went on.';
revoke execute on function private.clear_left_marks(integer) from public, anon, authenticated;

create function private.broadcast_in_groups(operation text, message_ids uuid[]) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  groups constant uuid[] := array(select distinct m.conversation_id from public.messages m where m.id = any (message_ids));
begin
  if operation = 'UPDATE' then
    -- As touch_conversations() does for new messages: before a removal or after it, and so to one epoch.
    perform 1 from public.conversations c where c.id = any (groups) order by c.id for share;
  end if;
  perform private.send_change('conversation:' || c.id || ':' || c.epoch, 'messages', operation, (
      select (array_agg(m.id order by m.created_at, m.id))[greatest(count(*) - 499, 1):]
      from public.messages m where m.id = any (message_ids) and m.conversation_id = c.id
    ))
    from public.conversations c where c.id = any (groups);
end
$$;
comment on function private.broadcast_in_groups(text, uuid[]) is
  'Broadcasts new or changed messages of groups, at most the latest five hundred of each, in the channel of '
  'its epoch, which it reads while the group is locked.';
revoke execute on function private.broadcast_in_groups(text, uuid[]) from public, anon, authenticated;

create function private.newest_read(
  ids uuid[]
) returns table (conversation_id uuid, member_id uuid, created_at timestamptz, id uuid)
  language sql stable security definer set search_path = ''
as $$
  select m.conversation_id, case m.sender_id when c.participant_1 then c.participant_2 else c.participant_1 end, m.created_at, m.id
  from (
    select n.*, row_number() over (partition by n.conversation_id, n.sender_id order by n.created_at desc, n.id desc) as place
    from public.messages n where n.id = any (ids)
  ) as m
  join public.conversations c on c.id = m.conversation_id
  where m.place = 1 and c.kind = 'pair'
$$;
comment on function private.newest_read(uuid[]) is 'The newest of these messages for each member of a pair who received them.';
revoke execute on function private.newest_read(uuid[]) from public, anon, authenticated;

-- These name the table in their condition, or its columns in their arguments.
create trigger message_media_allow before insert on public.message_media
  for each row when (row_security_active('public.message_media')) execute function private.count_quota('message_photos');
create trigger message_media_allow_media before insert on public.message_media
  for each row when (row_security_active('public.message_media')) execute function private.check_media_quota();
create trigger message_media_cleanup after insert on public.message_media
  for each statement execute function private.cleanup_message_media();
create trigger message_media_check_objects before insert on public.message_media
  for each row when (num_nonnulls(new.media_path, new.poster_path) > 0)
  execute function private.check_objects('sender_id', 'media_path', 'poster_path');

create trigger messages_allow before insert on public.messages
  for each row when (pg_catalog.row_security_active('public.messages')) execute function private.count_quota('messages');
create trigger messages_allow_read before update of read on public.messages
  for each statement when (pg_catalog.row_security_active('public.messages'))
  execute function private.refuse_spent('read_marks');
create trigger messages_tally_read after update of read on public.messages
  for each statement when (pg_catalog.row_security_active('public.messages'))
  execute function private.count_quota('read_marks');
create trigger messages_address before insert on public.messages
  for each row execute function private.address_message();
create trigger messages_check_extras before insert on public.messages
  for each row when (num_nonnulls(new.reply_to_id, new.media_id, new.story_id) > 0)
  execute function private.check_message_extras();
create trigger messages_refuse_hidden before insert on public.messages
  for each row execute function private.refuse_hidden_recipient();
-- The first triggers at the end of a statement, by their names: what follows locks the conversations, and waits.
create trigger messages_allow_conversation after insert on public.messages
  referencing new table as changed for each statement
  when (pg_catalog.row_security_active('public.messages')) execute function private.refuse_several_conversations();
create trigger messages_allow_conversation_change after update on public.messages
  referencing new table as changed for each statement
  when (pg_catalog.row_security_active('public.messages')) execute function private.refuse_several_conversations();
create trigger messages_touch after insert on public.messages
  referencing new table as changed for each statement execute function private.touch_conversations();
create trigger messages_mark_media_sent after insert on public.messages
  referencing new table as changed for each statement execute function private.mark_media_sent();
create trigger messages_delete_media after update of deleted_at on public.messages
  for each row when (old.media_id is not null and new.media_id is null) execute function private.delete_message_media();
create trigger messages_broadcast_update after update on public.messages
  referencing old table as before new table as changed for each statement execute function private.broadcast_messages();
create trigger messages_check_shared before insert on public.messages
  for each row when (num_nonnulls(new.shared_post_id, new.shared_story_id, new.shared_profile_id) > 0)
  execute function private.check_shared();
create trigger messages_allow_edit before update of content on public.messages
  for each row when (pg_catalog.row_security_active('public.messages'))
  execute function private.count_quota('message_changes');

-- Fires before messages_guard_update, which empties an unsent message.
create trigger messages_guard_edit before update of content on public.messages
  for each row when (new.content is distinct from old.content) execute function private.guard_message_edit();

-- Fires after messages_refuse_hidden, so that a block is not told from a deleted account.
create trigger messages_refuse_unwanted before insert on public.messages
  for each row when (pg_catalog.row_security_active('public.messages'))
  execute function private.refuse_unwanted_message();
create trigger messages_recount_unread after update on public.messages
  referencing old table as before new table as changed for each statement execute function private.recount_unread();
create trigger messages_guard_read
  before update of read on public.messages for each row
  when (new.read is distinct from old.read) execute function private.guard_message_read();

-- A message with a photo or a shared item needs no text, and an unsent message is empty.
create trigger messages_visible before insert on public.messages
  for each row when (new.content <> '' and not private.is_visible(new.content))
  execute function private.refuse_blank('messages_content');

-- Fires after messages_guard_edit, which refuses the edit of a member with its own error.
create trigger messages_visible_change before update of content on public.messages
  for each row when (new.content not in ('', old.content) and not private.is_visible(new.content))
  execute function private.refuse_blank('messages_content');
create trigger messages_compose before insert on public.messages
  for each row when (new.content is not nfc normalized)
  execute function private.compose_texts('content');
create trigger messages_compose_change before update of content on public.messages
  for each row when (new.content is distinct from old.content and new.content is not nfc normalized)
  execute function private.compose_texts('content');
create trigger messages_allow_unread before update of read on public.messages
  for each row when (row_security_active('public.messages') and old.read and not new.read)
  execute function private.count_quota('message_changes');

-- The last trigger before an update, by its name: it sees what the others have made of the row.
create trigger messages_write_changes before update on public.messages
  for each row execute function pg_catalog.suppress_redundant_updates_trigger();
create trigger messages_bound_content before insert or update of content on public.messages
  for each row when (char_length(new.content) > 8000) execute function private.refuse_blank('messages_content_length');
create trigger messages_touched_broadcast after insert on public.messages
  referencing new table as changed for each statement execute function private.broadcast_messages();
-- The last ones, by their names: they have locked the group, have nothing left to wait for, and so keep no block waiting.
create trigger messages_touched_refuse_apart after insert on public.messages
  referencing new table as changed for each statement
  when (pg_catalog.row_security_active('public.messages')) execute function private.refuse_apart();
create trigger messages_touched_refuse_apart_edit after update on public.messages
  referencing new table as changed for each statement
  when (pg_catalog.row_security_active('public.messages')) execute function private.refuse_apart();
create trigger messages_delete_reactions after update of deleted_at on public.messages
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function private.delete_message_reactions();
create trigger messages_guard_update before update of deleted_at on public.messages
  for each row execute function private.guard_message_update();
create trigger messages_allow_change before update of deleted_at on public.messages
  for each row when (row_security_active('public.messages')) execute function private.count_quota('message_changes');

-- A counter of their own, and before the row: unsending locks the message, the counter of changes and then the reactions.
create trigger message_reactions_guard before insert or update on public.message_reactions
  for each row execute function private.guard_reaction();
create trigger message_reactions_await_unsending after insert on public.message_reactions
  for each row execute function private.await_unsending();
create trigger message_reactions_allow before insert on public.message_reactions
  for each row when (row_security_active('public.message_reactions')) execute function private.count_quota('reactions');
create trigger message_reactions_allow_change before update on public.message_reactions
  for each statement when (row_security_active('public.message_reactions')) execute function private.refuse_spent('reactions');
create trigger message_reactions_tally_change after update on public.message_reactions
  for each statement when (row_security_active('public.message_reactions')) execute function private.count_quota('reactions');
create trigger message_reactions_allow_delete before delete on public.message_reactions
  for each statement when (row_security_active('public.message_reactions')) execute function private.refuse_spent('removals');
create trigger message_reactions_tally_delete after delete on public.message_reactions
  for each statement when (row_security_active('public.message_reactions')) execute function private.count_quota('removals');
create trigger message_reactions_one after update on public.message_reactions
  referencing new table as changed for each statement
  when (row_security_active('public.message_reactions')) execute function private.refuse_several();
create trigger message_reactions_broadcast after insert on public.message_reactions
  referencing new table as changed for each statement execute function private.broadcast_reactions();
create trigger message_reactions_broadcast_change after update on public.message_reactions
  referencing new table as changed for each statement execute function private.broadcast_reactions();
create trigger message_reactions_broadcast_delete after delete on public.message_reactions
  referencing old table as changed for each statement
  when (coalesce(current_setting('vignette.is_cleaning', true), '') <> 'on') execute function private.broadcast_reactions();
create trigger message_reactions_touched_refuse_apart after insert on public.message_reactions
  referencing new table as changed for each statement
  when (row_security_active('public.message_reactions')) execute function private.refuse_apart();
create trigger message_reactions_touched_refuse_apart_change after update on public.message_reactions
  referencing new table as changed for each statement
  when (row_security_active('public.message_reactions')) execute function private.refuse_apart();

create policy message_media_session on public.message_media as restrictive for all to authenticated
  using (
    nullif((select private.is_member()), false) is not null
    or sender_id = (select auth.uid()) and nullif((select private.has_account()), false) is not null
  )
  with check (nullif((select private.is_member()), false) is not null);
create policy message_media_select on public.message_media for select to authenticated
  using (
    sender_id = (select auth.uid())
    or exists (select 1 from public.messages m where m.media_id = message_media.id offset 0)
  );

-- Not into a closed conversation: there the sender does not see the other member.
create policy message_media_insert on public.message_media for insert to authenticated
  with check (
    sender_id = (select auth.uid())
    and exists (
      select from public.conversation_views v
      where v.member_id = (select auth.uid()) and v.conversation_id = message_media.conversation_id and v.writes
        and (v.is_group or exists (
          select from public.profiles p where p.id = private.other_participant(v.conversation_id, v.member_id)
        ))
    )
  );

create policy messages_session on public.messages as restrictive for all to authenticated
  using (
    nullif((select private.is_member()), false) is not null
    or sender_id = (select auth.uid()) and nullif((select private.has_account()), false) is not null
  )
  with check (nullif((select private.is_member()), false) is not null);

-- Inside the `case`, so that the planner's estimates stay the same.
create policy messages_select on public.messages for select to authenticated
  using (
    exists (
      select from public.conversation_views v
      where v.member_id = (select auth.uid()) and v.conversation_id = messages.conversation_id
        and (v.cleared_at is null or messages.created_at > v.cleared_at)
        and (messages.sender_id = v.member_id or messages.created_at >= v.reads_after)
      offset 0
    )
  );

-- Senders see only their own conversations.
create policy messages_insert on public.messages for insert to authenticated
  with check (
    sender_id = (select auth.uid())
    and exists (
      select from public.conversation_views v
      where v.member_id = (select auth.uid()) and v.conversation_id = messages.conversation_id and v.writes
    )
  );
-- Of a group nobody writes the messages of others: an update that leaves one as it is would still hold it.
create policy messages_update on public.messages for update to authenticated
  using (
    sender_id = (select auth.uid())
    or exists (
      select from public.conversation_views v
      where v.member_id = (select auth.uid()) and v.conversation_id = messages.conversation_id
        and not v.is_group and messages.created_at >= v.reads_after
      offset 0
    )
  )
  with check (
    sender_id = (select auth.uid())
    or exists (
      select from public.conversation_views v
      where v.member_id = (select auth.uid()) and v.conversation_id = messages.conversation_id
        and not v.is_group and messages.created_at >= v.reads_after
      offset 0
    )
  );
create policy messages_removed on public.messages as restrictive for select to authenticated
  using (
    not sender_id in (select private.removed_member_ids())
    and not conversation_id in (select private.lost_conversation_ids())
  );

create policy message_reactions_session on public.message_reactions as restrictive for all to authenticated
  using (nullif((select private.is_member()), false) is not null
    or member_id = (select auth.uid()) and nullif((select private.has_account()), false) is not null)
  with check (nullif((select private.is_member()), false) is not null);
create policy message_reactions_removed on public.message_reactions as restrictive for select to authenticated
  using (not member_id in (select private.removed_member_ids()));
-- Reactions of others follow the rule of others' messages, from reads_after on, also where somebody who left or was removed keeps the own message.
create policy message_reactions_select on public.message_reactions for select to authenticated
  using (
    exists (
      select from public.messages m
      where m.id = message_reactions.message_id
        and (
          message_reactions.member_id = (select auth.uid())
          or exists (
            select from public.conversation_views v
            where v.member_id = (select auth.uid()) and v.conversation_id = m.conversation_id and m.created_at >= v.reads_after
          )
        )
      offset 0
    )
  );
create policy message_reactions_insert on public.message_reactions for insert to authenticated
  with check (
    member_id = (select auth.uid())
    and exists (select from public.messages m where m.id = message_reactions.message_id offset 0)
    and exists (
      select from public.conversation_views v
      where v.member_id = (select auth.uid()) and v.conversation_id = message_reactions.conversation_id and v.writes
    )
  );
create policy message_reactions_update on public.message_reactions for update to authenticated
  using (member_id = (select auth.uid()))
  with check (
    member_id = (select auth.uid())
    and exists (
      select from public.conversation_views v
      where v.member_id = (select auth.uid()) and v.conversation_id = message_reactions.conversation_id and v.writes
    )
  );
create policy message_reactions_delete on public.message_reactions for delete to authenticated
  using (member_id = (select auth.uid()));

set check_function_bodies = on;
