-- A unique key of messages has the conversation, by which they could be partitioned: docs/decisions/0098-ids-and-size.md
-- A photo belongs to one conversation, which guards of messages check, so this key refuses what the former one refused.

drop index public.messages_photo_key;
create unique index messages_photo_key on public.messages (photo_id, conversation_id) where photo_id is not null;
