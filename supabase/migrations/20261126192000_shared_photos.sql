-- The pane beside a conversation lists its photos, newest first, however many messages lie between them: docs/decisions/0076-walls-and-panes.md.

create index messages_photos_idx on public.messages (conversation_id, created_at desc, id desc) where photo_id is not null;
