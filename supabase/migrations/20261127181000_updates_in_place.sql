-- Rows that change with each event are updated in place (HOT), and indexes leave out what is null: docs/decisions/0098-ids-and-size.md

alter table public.conversation_members add column listed_at timestamptz;
comment on column public.conversation_members.listed_at is
  'Orders the list of the member as last_message_at does, but changes only when another conversation is above this one: an index with last_message_at would change with each message.';
update public.conversation_members set listed_at = last_message_at;
alter table public.conversation_members alter column listed_at set not null;

alter table public.posts set (fillfactor = 90);
alter table public.comments set (fillfactor = 90);
alter table public.profiles set (fillfactor = 90);
alter table public.conversations set (fillfactor = 90);
alter table public.conversation_members set (fillfactor = 90);
alter table private.quota_usage set (fillfactor = 90);

drop index public.conversations_participant_1_idx;
create index conversations_participant_1_idx on public.conversations (participant_1);
drop index public.conversations_participant_2_idx;
create index conversations_participant_2_idx on public.conversations (participant_2);

drop index public.conversation_members_list_idx;
create index conversation_members_list_idx on public.conversation_members
  (member_id, folder, listed_at desc, conversation_id desc);
drop index public.conversation_members_unread_idx;
drop index public.conversation_members_undelivered_idx;

drop index public.comments_parent_idx;
create index comments_parent_idx on public.comments (parent_id, created_at, id) where parent_id is not null;
drop index public.messages_photo_key;
create unique index messages_photo_key on public.messages (photo_id) where photo_id is not null;
drop index public.notifications_comment_key;
create unique index notifications_comment_key on public.notifications (comment_id, user_id, actor_id)
  where comment_id is not null;
drop index public.notifications_post_idx;
create index notifications_post_idx on public.notifications (post_id) where post_id is not null;
drop index public.notifications_story_idx;
create index notifications_story_idx on public.notifications (story_id) where story_id is not null;
drop index public.reports_post_idx;
create index reports_post_idx on public.reports (post_id) where post_id is not null;

create or replace function private.add_conversation_members() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.conversation_members (member_id, conversation_id, folder, accepted, last_message_at, listed_at)
    select
      member.id,
      new.id,
      case when new.started_by = member.id then 'inbox' else 'none' end,
      -- No client started an imported conversation: nobody is a stranger there.
      coalesce(new.started_by = member.id, true),
      new.last_message_at,
      new.last_message_at
    from (values (new.participant_1), (new.participant_2)) as member (id);
  return null;
end
$$;

create or replace function private.touch_conversations() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform 1 from public.conversations c
    where c.id in (select conversation_id from changed) order by c.id for no key update;
  update public.conversations c
    set last_message_at = greatest(c.last_message_at, m.latest),
        participant_1_wrote = c.participant_1_wrote or c.participant_1 = any (m.senders),
        participant_2_wrote = c.participant_2_wrote or c.participant_2 = any (m.senders)
    from (
      select conversation_id, max(created_at) as latest, array_agg(distinct sender_id) as senders
      from changed group by conversation_id
    ) as m
    where c.id = m.conversation_id;
  perform 1 from public.conversation_members m
    where m.conversation_id in (select conversation_id from changed)
    order by m.conversation_id, m.member_id for no key update;
  update public.conversation_members m
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
        max(c.created_at) as latest,
        bool_or(c.recipient_id = mine.member_id and not c.read and c.deleted_at is null) as unread,
        mine.accepted
          or bool_or(c.sender_id = mine.member_id)
          or exists (
            select 1 from public.follows f
            where f.follower_id = mine.member_id and f.following_id = any (array_agg(c.sender_id))
          ) as accepted,
        exists (
          select 1 from public.conversation_members above
          where above.member_id = mine.member_id and above.folder = any ('{inbox,requests,archived,none}')
            and (above.listed_at, above.conversation_id) > (mine.listed_at, mine.conversation_id)
        ) as is_below
      from changed c
      join public.conversation_members mine on mine.conversation_id = c.conversation_id
      group by mine.member_id, mine.conversation_id
    ) as n
    where m.member_id = n.member_id and m.conversation_id = n.conversation_id;
  return null;
end
$$;

create or replace function public.my_conversations(before_at timestamptz default null, before_id uuid default null, in_folder text default 'inbox') returns setof conversations
  language sql stable set search_path = '' set enable_bitmapscan = off
as $$
  select c.*
  from (
    (
      select m.conversation_id, m.last_message_at from public.conversation_members m
      where m.member_id = (select auth.uid()) and m.folder = in_folder and m.pinned_at is null
        and m.conversation_id is distinct from before_id
        and (m.listed_at, m.conversation_id)
          < ((select coalesce(before_at, 'infinity')), (select coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff')))
      order by m.listed_at desc, m.conversation_id desc limit 30
    )
    union all
    (
      select m.conversation_id, m.last_message_at from public.conversation_members m
      where m.member_id = (select auth.uid()) and m.folder = in_folder and m.pinned_at is not null
        and before_at is null
    )
  ) as mine
  -- A look-up for each row of the page; the planner would join with all conversations of the server.
  cross join lateral (select * from public.conversations where id = mine.conversation_id offset 0) as c
  order by mine.last_message_at desc, mine.conversation_id desc
$$;

create or replace function public.conversation_folders() returns table(folder text, conversations integer)
  language sql stable set search_path = ''
as $$
  select folders.folder, counted.conversations
  from unnest(array['requests', 'archived']) as folders (folder)
  cross join lateral (
    select count(*)::integer as conversations from (
      select 1 from public.conversation_members m
      where m.member_id = (select auth.uid()) and m.folder = folders.folder limit 100
    ) as listed
  ) as counted
  where counted.conversations > 0
$$;

create or replace function public.unread_conversations() returns integer
  language sql stable set search_path = '' set enable_sort = off
as $$
  select count(*)::integer
  from (
    select 1
    from (
      select m.conversation_id, m.unread from public.conversation_members m
      where m.member_id = (select auth.uid()) and m.folder = 'inbox'
      order by m.listed_at desc, m.conversation_id desc limit 1000
    ) as newest
    -- A look-up for each unread one; the planner would join with all conversations of the server.
    cross join lateral (
      select c.participant_1, c.participant_2 from public.conversations c where c.id = newest.conversation_id offset 0
    ) as c
    where newest.unread
      and case (select auth.uid()) when c.participant_1 then c.participant_2 else c.participant_1 end
        not in (select blocked_id from public.blocks where blocker_id = (select auth.uid()))
    limit 10
  ) as counted
$$;
comment on function public.unread_conversations() is
  'Conversations of the inbox with a message that the caller has not read, without those of members they have blocked, 0 to 10: the badge shows 9+ above nine. Looks at the newest thousand. Requests do not count.';

create or replace function private.mark_delivered() returns void
  language plpgsql security definer set search_path = '' set enable_sort = off
as $$
declare
  me constant uuid := (select auth.uid());
  received uuid[];
begin
  if not private.is_member() or not private.shows_activity() then
    return;
  end if;
  received := array(
    select newest.conversation_id
    from (
      select m.conversation_id, m.undelivered from public.conversation_members m
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
  -- A message that is being sent meanwhile waits for this lock, or is seen by the next statements.
  perform 1 from public.conversation_members m
    where m.conversation_id = any (received) order by m.conversation_id, m.member_id for no key update;
  update public.conversation_members theirs
    set delivered_at = greatest(theirs.delivered_at, mine.last_message_at)
    from public.conversation_members mine
    where mine.member_id = me and mine.undelivered and mine.conversation_id = any (received)
      and theirs.conversation_id = mine.conversation_id and theirs.member_id <> me;
  update public.conversation_members m set undelivered = false
    where m.member_id = me and m.conversation_id = any (received);
end
$$;
comment on function private.mark_delivered() is
  'Reports to the senders of the caller''s new messages that they have arrived, in the latest two hundred conversations with some among the newest thousand. Requests, closed conversations, and conversations in which one of the two has Activity Status off report nothing. Takes no lock if there is nothing to report.';

create or replace function private.is_object_key(key text, owner uuid, media_type text) returns boolean
  language sql immutable set search_path = ''
as $$
  -- A pattern with the owner in it would be compiled for each row.
  select left(key, 36) = owner::text and case media_type
    when 'image' then substr(key, 37) ~ '^/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.(webp|avif|jpg|png)$'
    when 'video' then substr(key, 37) ~ '^/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.(mp4|webm)$'
  end
$$;
