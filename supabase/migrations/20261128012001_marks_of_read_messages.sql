-- The marks (20261128012000) of what was read before there were any.

-- In the order in which mark_read() locks them, and before any of its rows: else a reader and this file could wait for each other. In a
-- block, because the CLI sends each file as a pipeline, in which PostgreSQL 15 refuses the statement itself.
do $$ begin
  lock table public.conversation_members, public.conversation_views in share row exclusive mode;
end $$;

update public.conversation_members v set read_at = f.created_at, read_id = f.id
  from (
    select k.conversation_id, k.member_id, m.created_at, m.id
    from public.conversation_members k
    cross join lateral (
      select m.created_at, m.id from public.messages m
      where m.conversation_id = k.conversation_id and m.sender_id <> k.member_id and m.read
      order by m.created_at desc, m.id desc limit 1
    ) as m
    where k.read_at is null
  ) as f
  where v.conversation_id = f.conversation_id and v.member_id = f.member_id;

update public.conversation_views v set mark_at = f.created_at, mark_id = f.id
  from (
    select k.conversation_id, k.member_id, m.created_at, m.id
    from public.conversation_views k
    cross join lateral (
      select m.created_at, m.id from public.messages m
      where m.conversation_id = k.conversation_id and m.sender_id <> k.member_id
        and m.created_at < coalesce(
          (
            select min(x.created_at) from public.messages x
            where x.recipient_id = k.member_id and not x.read and x.conversation_id = k.conversation_id and x.deleted_at is null
          ),
          'infinity'
        )
      order by m.created_at desc, m.id desc limit 1
    ) as m
    where k.mark_at is null
  ) as f
  where v.conversation_id = f.conversation_id and v.member_id = f.member_id;
