-- The marks (20261128012000) of what was read before there were any.

update public.conversation_views v set (mark_at, mark_id) = (
  select m.created_at, m.id from public.messages m
  where m.conversation_id = v.conversation_id and m.sender_id <> v.member_id
    and m.created_at < coalesce(
      (
        select min(x.created_at) from public.messages x
        where x.recipient_id = v.member_id and not x.read and x.conversation_id = v.conversation_id and x.deleted_at is null
      ),
      'infinity'
    )
  order by m.created_at desc, m.id desc limit 1
);
update public.conversation_members v set (read_at, read_id) = (
  select m.created_at, m.id from public.messages m
  where m.conversation_id = v.conversation_id and m.sender_id <> v.member_id and m.read
  order by m.created_at desc, m.id desc limit 1
);
