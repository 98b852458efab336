-- Messages of groups have no recipient (20261128010000), and would fill the indexes of those of pairs.

drop index public.messages_recipient_idx;
create index messages_recipient_idx on public.messages (recipient_id, read, conversation_id) where recipient_id is not null;
drop index public.messages_recipient_time_idx;
create index messages_recipient_time_idx on public.messages (recipient_id, created_at desc, id desc) where recipient_id is not null;
