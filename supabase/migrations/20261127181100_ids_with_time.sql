-- Ids carry time, so that new rows are neighbours in the indexes: docs/decisions/0098-ids-and-size.md

create function private.new_id() returns uuid
  language sql volatile set search_path = ''
as $$
  -- Version 4 has the bits 0100, and setting 52 and 53 makes 0111. PostgreSQL has uuidv7() from version 18 on.
  select encode(set_bit(set_bit(overlay(
    uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6
  ), 52, 1), 53, 1), 'hex')::uuid
$$;
comment on function private.new_id() is
  'A new id: UUIDv7 (RFC 9562, section 5.7). Nothing may rely on the time in an id. Not for object keys, links and codes: it says when it was made.';
revoke execute on function private.new_id() from public, anon;
grant execute on function private.new_id() to authenticated, service_role;

alter table public.posts alter column id set default private.new_id();
alter table public.post_photos alter column id set default private.new_id();
alter table public.comments alter column id set default private.new_id();
alter table public.stories alter column id set default private.new_id();
alter table public.messages alter column id set default private.new_id();
alter table public.message_photos alter column id set default private.new_id();
alter table public.conversations alter column id set default private.new_id();
alter table public.notifications alter column id set default private.new_id();
alter table public.reports alter column id set default private.new_id();

create or replace function private.add_notifications(events private.notification_event[]) returns void
  language sql security definer set search_path = ''
as $$
  insert into public.notifications (id, user_id, actor_id, type, about, message, post_id, comment_id, read, created_at)
    select
      coalesce(t.notification_id, private.new_id()),
      e.recipient_id,
      e.actor_id,
      case when m.message is null then e.kind else 'other' end,
      case when m.message is not null then e.kind end,
      m.message,
      case e.kind when 'like' then e.subject_id when 'comment_like' then c.post_id end,
      c.id,
      coalesce(t.read, false),
      coalesce(t.notified_at, now())
    from unnest(events) as e
    left join (values
      ('follow_request', 'asked to follow you'),
      ('follow_accepted', 'accepted your request to follow')
    ) as m (kind, message) on m.kind = e.kind
    left join public.comments c on e.kind = 'comment_like' and c.id = e.subject_id
    left join private.withdrawn_notifications t
      on t.actor_id = e.actor_id and t.kind = e.kind and t.subject_id = e.subject_id and t.notified_at > now() - interval '1 day'
    where t.actor_id is null or t.notification_id is not null
    on conflict do nothing
$$;
