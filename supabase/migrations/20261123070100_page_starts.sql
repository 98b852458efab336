-- A page far down Explore or a list of conversations starts in the index. PostgreSQL takes coalesce() for a function that could
-- reveal hidden rows, and checked each row above the page after the policy; a subquery is evaluated before.

create or replace function public.explore_posts(before_at timestamptz default null, before_id uuid default null)
  returns setof public.posts
  language sql stable security invoker rows 30 set search_path = '' set jit = off
as $$
  select p.* from public.posts p
  where p.audience = 'public' and p.user_id <> (select auth.uid())
    and (p.created_at, p.id) < (
      (select coalesce(before_at, 'infinity')), (select coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
    )
    and (
      p.image_width is not null or p.thumbnail_url is not null
      or exists (select from public.post_photos h where h.post_id = p.id offset 0)
    )
  order by p.created_at desc, p.id desc limit 30
$$;
create or replace function public.my_conversations(
  before_at timestamptz default null, before_id uuid default null, in_folder text default 'inbox'
)
  returns setof public.conversations
  -- Otherwise the planner reads and sorts all conversations of a member with a few hundred.
  language sql stable security invoker set search_path = '' set enable_bitmapscan = off
as $$
  select c.*
  from (
    (
      select m.conversation_id, m.last_message_at from public.conversation_members m
      where m.member_id = (select auth.uid()) and m.folder = in_folder and m.pinned_at is null
        and (m.last_message_at, m.conversation_id)
          < ((select coalesce(before_at, 'infinity')), (select coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff')))
      order by m.last_message_at desc, m.conversation_id desc limit 30
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
