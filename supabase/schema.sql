-- Generated from supabase/migrations by `npm run types`. Do not edit, and do not run: this is the schema to read.

-- Tables

create table public.activity (
  user_id uuid not null,
  last_active_at timestamp with time zone default now() not null,
  constraint activity_pkey PRIMARY KEY (user_id),
  constraint activity_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE
);
comment on table public.activity is 'Separate from profiles, which all members see and which seldom change.';
alter table public.activity enable row level security;
grant insert (user_id), select, update (last_active_at) on public.activity to authenticated;
create policy activity_insert on public.activity for insert to authenticated
  with check (user_id = (( SELECT auth.uid() AS uid)));
create policy activity_select on public.activity for select to authenticated
  using (user_id = (( SELECT auth.uid() AS uid)) OR ( SELECT private.shows_activity() AS shows_activity) AND (user_id IN ( SELECT private.my_correspondent_ids() AS my_correspondent_ids)) AND (EXISTS ( SELECT 1
    FROM profiles p
    WHERE p.id = activity.user_id AND p.show_activity_status
    OFFSET 0)));
create policy activity_session on public.activity as restrictive for all to authenticated
  using (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL)
  with check (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL);
create policy activity_update on public.activity for update to authenticated
  using (user_id = (( SELECT auth.uid() AS uid)))
  with check (user_id = (( SELECT auth.uid() AS uid)));
CREATE TRIGGER activity_set_last_active BEFORE INSERT OR UPDATE OF last_active_at ON activity FOR EACH ROW EXECUTE FUNCTION private.set_last_active();

create table public.blocks (
  blocker_id uuid not null,
  blocked_id uuid not null,
  created_at timestamp with time zone default now() not null,
  constraint blocks_pkey PRIMARY KEY (blocker_id, blocked_id),
  constraint blocks_blocked_id_fkey FOREIGN KEY (blocked_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint blocks_blocker_id_fkey FOREIGN KEY (blocker_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint blocks_not_oneself CHECK (blocker_id <> blocked_id)
);
comment on table public.blocks is 'Visible to the blocker only; hides each of the two members from the other.';
CREATE INDEX blocks_blocked_idx ON public.blocks USING btree (blocked_id, blocker_id);
alter table public.blocks enable row level security;
grant delete, select on public.blocks to authenticated;
create policy blocks_delete on public.blocks for delete to authenticated
  using (blocker_id = (( SELECT auth.uid() AS uid)));
create policy blocks_select on public.blocks for select to authenticated
  using (blocker_id = (( SELECT auth.uid() AS uid)));
create policy blocks_session on public.blocks as restrictive for all to authenticated
  using (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL)
  with check (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL);
CREATE TRIGGER blocks_allow BEFORE INSERT ON blocks FOR EACH ROW WHEN (new.blocker_id = auth.uid()) EXECUTE FUNCTION private.count_quota('blocks');
CREATE TRIGGER blocks_await_pair BEFORE INSERT ON blocks FOR EACH ROW EXECUTE FUNCTION private.await_pair();
CREATE TRIGGER blocks_drop_request AFTER INSERT ON blocks FOR EACH ROW EXECUTE FUNCTION private.drop_blocked_request();
CREATE TRIGGER blocks_on_block AFTER INSERT ON blocks FOR EACH ROW EXECUTE FUNCTION private.on_block();

create table public.comment_likes (
  user_id uuid not null,
  comment_id uuid not null,
  created_at timestamp with time zone default now() not null,
  constraint comment_likes_pkey PRIMARY KEY (comment_id, user_id),
  constraint comment_likes_comment_id_fkey FOREIGN KEY (comment_id) REFERENCES comments(id) ON DELETE CASCADE,
  constraint comment_likes_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE
);
comment on table public.comment_likes is 'One per comment and member. Members who see the comment see its likes.';
CREATE INDEX comment_likes_user_idx ON public.comment_likes USING btree (user_id, created_at DESC, comment_id DESC);
alter table public.comment_likes enable row level security;
grant delete, insert (user_id, comment_id), select on public.comment_likes to authenticated;
create policy comment_likes_delete on public.comment_likes for delete to authenticated
  using (user_id = (( SELECT auth.uid() AS uid)));
create policy comment_likes_insert on public.comment_likes for insert to authenticated
  with check (user_id = (( SELECT auth.uid() AS uid)) AND (EXISTS ( SELECT 1
    FROM comments c
    WHERE c.id = comment_likes.comment_id)));
create policy comment_likes_removed on public.comment_likes as restrictive for select to authenticated
  using (NOT (comment_id IN ( SELECT private.removed_comment_ids() AS removed_comment_ids)));
create policy comment_likes_select on public.comment_likes for select to authenticated
  using (user_id = (( SELECT auth.uid() AS uid)) OR NOT (user_id IN ( SELECT private.my_hidden_ids() AS my_hidden_ids)) AND (EXISTS ( SELECT 1
    FROM comments c
    WHERE c.id = comment_likes.comment_id AND (c.user_id <> (( SELECT auth.uid() AS uid)) OR (EXISTS ( SELECT 1
    FROM posts p
    WHERE p.id = c.post_id)))
    OFFSET 0)));
create policy comment_likes_session on public.comment_likes as restrictive for all to authenticated
  using (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL OR user_id = (( SELECT auth.uid() AS uid)) AND NULLIF(( SELECT private.has_account() AS has_account), false) IS NOT NULL)
  with check (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL);
CREATE TRIGGER comment_likes_allow BEFORE INSERT ON comment_likes FOR EACH ROW WHEN (row_security_active('public.comment_likes'::text)) EXECUTE FUNCTION private.count_quota('likes');
CREATE TRIGGER comment_likes_allow_delete BEFORE DELETE ON comment_likes FOR EACH STATEMENT WHEN (row_security_active('public.comment_likes'::text)) EXECUTE FUNCTION private.count_quota('removals');
CREATE TRIGGER comment_likes_apart AFTER INSERT ON comment_likes REFERENCING NEW TABLE AS changed FOR EACH STATEMENT WHEN (row_security_active('public.comment_likes'::text)) EXECUTE FUNCTION private.refuse_apart();
CREATE TRIGGER comment_likes_count_delete AFTER DELETE ON comment_likes REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.count_comment_likes();
CREATE TRIGGER comment_likes_count_insert AFTER INSERT ON comment_likes REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.count_comment_likes();
CREATE TRIGGER comment_likes_notify AFTER INSERT ON comment_likes REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.notify_comment_like();
CREATE TRIGGER comment_likes_notify_delete AFTER DELETE ON comment_likes REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.notify_comment_like();

create table public.comments (
  id uuid default private.new_id() not null,
  user_id uuid not null,
  post_id uuid not null,
  content text not null,
  created_at timestamp with time zone default now() not null,
  parent_id uuid,
  like_count integer default 0 not null,
  reply_count integer default 0 not null,
  constraint comments_pkey PRIMARY KEY (id),
  constraint comments_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES comments(id) ON DELETE CASCADE,
  constraint comments_post_id_fkey FOREIGN KEY (post_id) REFERENCES posts(id) ON DELETE CASCADE,
  constraint comments_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint comments_content_length CHECK (char_length(content) <= 1000),
  constraint comments_not_blank CHECK (content ~ '\S'::text)
) with (fillfactor=90);
comment on table public.comments is 'Members who see the post see its comments. Comments can be deleted, not edited.';
CREATE INDEX comments_parent_idx ON public.comments USING btree (parent_id, created_at, id) WHERE (parent_id IS NOT NULL);
CREATE INDEX comments_post_idx ON public.comments USING btree (post_id, created_at, id);
CREATE INDEX comments_threads_idx ON public.comments USING btree (post_id, created_at, id) WHERE (parent_id IS NULL);
CREATE INDEX comments_user_idx ON public.comments USING btree (user_id, created_at DESC, id DESC);
alter table public.comments enable row level security;
grant insert (id, user_id, post_id, content, parent_id), select on public.comments to authenticated;
create policy comments_insert on public.comments for insert to authenticated
  with check (user_id = (( SELECT auth.uid() AS uid)) AND (EXISTS ( SELECT 1
    FROM posts p
    WHERE p.id = comments.post_id)));
create policy comments_removed on public.comments as restrictive for select to authenticated
  using (NOT (post_id IN ( SELECT private.removed_post_ids() AS removed_post_ids)) AND (parent_id IS NULL OR NOT (parent_id IN ( SELECT private.removed_comment_ids() AS removed_comment_ids))));
create policy comments_select on public.comments for select to authenticated
  using (user_id = (( SELECT auth.uid() AS uid)) OR NOT (user_id IN ( SELECT private.my_hidden_ids() AS my_hidden_ids)) AND (EXISTS ( SELECT 1
    FROM posts p
    WHERE p.id = comments.post_id
    OFFSET 0)));
create policy comments_session on public.comments as restrictive for all to authenticated
  using (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL OR user_id = (( SELECT auth.uid() AS uid)) AND NULLIF(( SELECT private.has_account() AS has_account), false) IS NOT NULL)
  with check (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL);
CREATE TRIGGER comments_allow BEFORE INSERT ON comments FOR EACH ROW WHEN (row_security_active('public.comments'::text)) EXECUTE FUNCTION private.count_quota('comments');
CREATE TRIGGER comments_apart AFTER INSERT ON comments REFERENCING NEW TABLE AS changed FOR EACH STATEMENT WHEN (row_security_active('public.comments'::text)) EXECUTE FUNCTION private.refuse_apart();
CREATE TRIGGER comments_bound_content BEFORE INSERT OR UPDATE OF content ON comments FOR EACH ROW WHEN (char_length(new.content) > 2000) EXECUTE FUNCTION private.refuse_blank('comments_content_length');
CREATE TRIGGER comments_broadcast AFTER INSERT ON comments REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.broadcast_comments();
CREATE TRIGGER comments_broadcast_delete AFTER DELETE ON comments REFERENCING OLD TABLE AS changed FOR EACH STATEMENT WHEN (COALESCE(current_setting('vignette.is_cleaning'::text, true), ''::text) <> 'on'::text) EXECUTE FUNCTION private.broadcast_comments();
CREATE TRIGGER comments_compose BEFORE INSERT ON comments FOR EACH ROW WHEN (NOT (new.content IS NFC NORMALIZED)) EXECUTE FUNCTION private.compose_texts('content');
CREATE TRIGGER comments_compose_change BEFORE UPDATE OF content ON comments FOR EACH ROW WHEN (new.content IS DISTINCT FROM old.content AND NOT (new.content IS NFC NORMALIZED)) EXECUTE FUNCTION private.compose_texts('content');
CREATE TRIGGER comments_count_delete AFTER DELETE ON comments REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.count_comments();
CREATE TRIGGER comments_count_insert AFTER INSERT ON comments REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.count_comments();
CREATE TRIGGER comments_guard_reply BEFORE INSERT ON comments FOR EACH ROW WHEN (new.parent_id IS NOT NULL) EXECUTE FUNCTION private.guard_reply();
CREATE TRIGGER comments_notify AFTER INSERT ON comments REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.notify_comment();
CREATE TRIGGER comments_visible BEFORE INSERT ON comments FOR EACH ROW WHEN (NOT private.is_visible(new.content)) EXECUTE FUNCTION private.refuse_blank('comments_not_blank');
CREATE TRIGGER comments_visible_change BEFORE UPDATE OF content ON comments FOR EACH ROW WHEN (new.content <> old.content AND NOT private.is_visible(new.content)) EXECUTE FUNCTION private.refuse_blank('comments_not_blank');

create table public.conversation_members (
  member_id uuid not null,
  invited_by uuid,
  conversation_id uuid not null,
  role text default 'member'::text not null,
  state text default 'in'::text not null,
  joined_at timestamp with time zone,
  left_at timestamp with time zone,
  read_at timestamp with time zone,
  read_id uuid,
  constraint conversation_members_pkey PRIMARY KEY (conversation_id, member_id),
  constraint conversation_members_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE,
  constraint conversation_members_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES profiles(id) ON DELETE SET NULL,
  constraint conversation_members_member_id_fkey FOREIGN KEY (member_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint conversation_members_joined CHECK (state <> 'in'::text OR joined_at IS NOT NULL),
  constraint conversation_members_left CHECK ((state = ANY (ARRAY['left'::text, 'removed'::text])) = (left_at IS NOT NULL)),
  constraint conversation_members_read CHECK ((read_at IS NULL) = (read_id IS NULL)),
  constraint conversation_members_role CHECK (role = ANY (ARRAY['owner'::text, 'admin'::text, 'member'::text])),
  constraint conversation_members_state CHECK (state = ANY (ARRAY['invited'::text, 'in'::text, 'left'::text, 'removed'::text]))
) with (fillfactor=90);
comment on table public.conversation_members is 'Who is in a conversation, as all its members may see it. Triggers insert both of a pair, and keep what each may read in conversation_views.';
CREATE INDEX conversation_members_invited_by_idx ON public.conversation_members USING btree (invited_by) WHERE (invited_by IS NOT NULL);
CREATE INDEX conversation_members_member_idx ON public.conversation_members USING btree (member_id);
alter table public.conversation_members enable row level security;
grant select on public.conversation_members to authenticated;
create policy conversation_members_removed on public.conversation_members as restrictive for select to authenticated
  using (NOT (member_id IN ( SELECT private.removed_member_ids() AS removed_member_ids)));
create policy conversation_members_select on public.conversation_members for select to authenticated
  using (member_id = (( SELECT auth.uid() AS uid)) OR (EXISTS ( SELECT
    FROM conversation_views v
    WHERE v.member_id = (( SELECT auth.uid() AS uid)) AND v.conversation_id = conversation_members.conversation_id AND v.sees_members
    OFFSET 0)));
create policy conversation_members_session on public.conversation_members as restrictive for all to authenticated
  using (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL OR member_id = (( SELECT auth.uid() AS uid)) AND NULLIF(( SELECT private.has_account() AS has_account), false) IS NOT NULL)
  with check (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL);
CREATE TRIGGER conversation_members_drop_views AFTER DELETE ON conversation_members FOR EACH ROW EXECUTE FUNCTION private.set_views();
CREATE TRIGGER conversation_members_set_views AFTER INSERT OR UPDATE OF state, joined_at ON conversation_members FOR EACH ROW EXECUTE FUNCTION private.set_views();

create table public.conversation_views (
  member_id uuid not null,
  conversation_id uuid not null,
  folder text not null,
  accepted boolean not null,
  unread boolean default false not null,
  pinned_at timestamp with time zone,
  cleared_at timestamp with time zone,
  last_message_at timestamp with time zone not null,
  undelivered boolean default false not null,
  delivered_at timestamp with time zone,
  listed_at timestamp with time zone not null,
  is_group boolean default false not null,
  reads_after timestamp with time zone default '-infinity'::timestamp with time zone not null,
  writes boolean default true not null,
  sees_members boolean default true not null,
  mark_at timestamp with time zone,
  mark_id uuid,
  muted_until timestamp with time zone,
  constraint conversation_views_pkey PRIMARY KEY (member_id, conversation_id),
  constraint conversation_views_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE,
  constraint conversation_views_member_id_fkey FOREIGN KEY (member_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint conversation_views_accepted CHECK (
CASE folder
    WHEN 'requests'::text THEN NOT accepted
    WHEN 'none'::text THEN true
    ELSE accepted
END),
  constraint conversation_views_folder CHECK (folder = ANY (ARRAY['inbox'::text, 'requests'::text, 'archived'::text, 'none'::text])),
  constraint conversation_views_mark CHECK ((mark_at IS NULL) = (mark_id IS NULL)),
  constraint conversation_views_pinned CHECK (pinned_at IS NULL OR folder = 'inbox'::text)
) with (fillfactor=90);
comment on table public.conversation_views is 'How a member sees a conversation. Triggers insert two rows with each conversation; messages, follows and blocks move them.';
CREATE INDEX conversation_views_conversation_idx ON public.conversation_views USING btree (conversation_id, member_id);
CREATE INDEX conversation_views_groups_idx ON public.conversation_views USING btree (member_id, folder) WHERE is_group;
CREATE INDEX conversation_views_list_idx ON public.conversation_views USING btree (member_id, folder, listed_at DESC, conversation_id DESC);
CREATE INDEX conversation_views_pinned_idx ON public.conversation_views USING btree (member_id) WHERE (pinned_at IS NOT NULL);
alter table public.conversation_views enable row level security;
grant select, update (folder, pinned_at, cleared_at) on public.conversation_views to authenticated;
create policy conversation_views_select on public.conversation_views for select to authenticated
  using (member_id = (( SELECT auth.uid() AS uid)));
create policy conversation_views_session on public.conversation_views as restrictive for all to authenticated
  using (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL OR member_id = (( SELECT auth.uid() AS uid)) AND NULLIF(( SELECT private.has_account() AS has_account), false) IS NOT NULL)
  with check (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL);
create policy conversation_views_update on public.conversation_views for update to authenticated
  using (member_id = (( SELECT auth.uid() AS uid)))
  with check (member_id = (( SELECT auth.uid() AS uid)));
CREATE TRIGGER conversation_views_allow BEFORE UPDATE OF folder, pinned_at, cleared_at ON conversation_views FOR EACH ROW WHEN (row_security_active('public.conversation_views'::text)) EXECUTE FUNCTION private.count_quota('conversation_changes');
CREATE TRIGGER conversation_views_allow_mark BEFORE UPDATE OF mark_at, mark_id ON conversation_views FOR EACH ROW WHEN (new.member_id = auth.uid() AND pg_trigger_depth() = 0) EXECUTE FUNCTION private.count_quota('read_marks');
CREATE TRIGGER conversation_views_broadcast AFTER UPDATE ON conversation_views FOR EACH ROW WHEN (old.folder IS DISTINCT FROM new.folder OR old.pinned_at IS DISTINCT FROM new.pinned_at OR old.cleared_at IS DISTINCT FROM new.cleared_at OR old.delivered_at IS DISTINCT FROM new.delivered_at OR old.reads_after IS DISTINCT FROM new.reads_after) EXECUTE FUNCTION private.broadcast_conversation_view();
CREATE TRIGGER conversation_views_broadcast_insert AFTER INSERT ON conversation_views FOR EACH ROW WHEN (new.is_group) EXECUTE FUNCTION private.broadcast_conversation_view();
CREATE TRIGGER conversation_views_guard BEFORE UPDATE OF folder, pinned_at, cleared_at ON conversation_views FOR EACH ROW EXECUTE FUNCTION private.guard_conversation_view();

create table public.conversations (
  id uuid default private.new_id() not null,
  participant_1 uuid,
  participant_2 uuid,
  last_message_at timestamp with time zone default now() not null,
  created_at timestamp with time zone default now() not null,
  started_by uuid,
  participant_1_wrote boolean default false not null,
  participant_2_wrote boolean default false not null,
  kind text default 'pair'::text not null,
  name text,
  version integer default 0 not null,
  epoch integer default 0 not null,
  from_start boolean default false not null,
  picture_path text,
  pictured_by uuid,
  constraint conversations_pkey PRIMARY KEY (id),
  constraint conversations_participant_1_fkey FOREIGN KEY (participant_1) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint conversations_participant_2_fkey FOREIGN KEY (participant_2) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint conversations_pictured_by_fkey FOREIGN KEY (pictured_by) REFERENCES profiles(id) ON DELETE SET NULL,
  constraint conversations_kind CHECK (kind = ANY (ARRAY['pair'::text, 'group'::text])),
  constraint conversations_name_length CHECK (char_length(name) <= 80),
  constraint conversations_not_oneself CHECK (participant_1 <> participant_2),
  constraint conversations_picture CHECK (picture_path IS NULL OR kind = 'group'::text AND COALESCE(private.is_object_key(picture_path, pictured_by, 'image'::text), false)),
  constraint conversations_shape CHECK (
CASE kind
    WHEN 'pair'::text THEN num_nulls(participant_1, participant_2) = 0 AND name IS NULL
    ELSE num_nonnulls(participant_1, participant_2) = 0
END)
) with (fillfactor=90);
comment on table public.conversations is 'A pair, one for two members, or a group. If both of a pair start one at once, the second gets 23505 and reads the first.';
CREATE UNIQUE INDEX conversations_pair_key ON public.conversations USING btree (LEAST(participant_1, participant_2), GREATEST(participant_1, participant_2));
CREATE INDEX conversations_participant_1_idx ON public.conversations USING btree (participant_1) WHERE (participant_1 IS NOT NULL);
CREATE INDEX conversations_participant_2_idx ON public.conversations USING btree (participant_2) WHERE (participant_2 IS NOT NULL);
CREATE UNIQUE INDEX conversations_picture_path_key ON public.conversations USING btree (picture_path) WHERE (picture_path IS NOT NULL);
CREATE INDEX conversations_pictured_by_idx ON public.conversations USING btree (pictured_by) WHERE (pictured_by IS NOT NULL);
alter table public.conversations enable row level security;
grant insert (id, participant_1, participant_2), select, update (last_message_at) on public.conversations to authenticated;
create policy conversations_insert on public.conversations for insert to authenticated
  with check (participant_1 = (( SELECT auth.uid() AS uid)) OR participant_2 = (( SELECT auth.uid() AS uid)));
create policy conversations_removed on public.conversations as restrictive for select to authenticated
  using (NOT COALESCE((participant_1 IN ( SELECT private.removed_member_ids() AS removed_member_ids)), false) AND NOT COALESCE((participant_2 IN ( SELECT private.removed_member_ids() AS removed_member_ids)), false));
create policy conversations_select on public.conversations for select to authenticated
  using (CASE ( SELECT auth.uid() AS uid)
    WHEN participant_1 THEN true
    WHEN participant_2 THEN true
    ELSE kind = 'group'::text AND (EXISTS ( SELECT
    FROM conversation_views v
    WHERE v.member_id = (( SELECT auth.uid() AS uid)) AND v.conversation_id = conversations.id AND v.sees_members
    OFFSET 0))
    END);
create policy conversations_session on public.conversations as restrictive for all to authenticated
  using (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL OR (kind = 'group'::text OR participant_1 = (( SELECT auth.uid() AS uid)) OR participant_2 = (( SELECT auth.uid() AS uid))) AND NULLIF(( SELECT private.has_account() AS has_account), false) IS NOT NULL)
  with check (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL);
create policy conversations_update on public.conversations for update to authenticated
  using (CASE ( SELECT auth.uid() AS uid)
    WHEN participant_1 THEN true
    WHEN participant_2 THEN true
    ELSE false
    END);
CREATE TRIGGER conversations_add_members AFTER INSERT ON conversations FOR EACH ROW EXECUTE FUNCTION private.add_conversation_members();
CREATE TRIGGER conversations_allow BEFORE INSERT ON conversations FOR EACH ROW WHEN (row_security_active('public.conversations'::text)) EXECUTE FUNCTION private.count_quota('conversations');
CREATE TRIGGER conversations_allow_update BEFORE UPDATE ON conversations FOR EACH ROW WHEN (row_security_active('public.conversations'::text)) EXECUTE FUNCTION private.count_quota('conversation_changes');
CREATE TRIGGER conversations_broadcast_delete AFTER DELETE ON conversations REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.broadcast_deleted_conversations();
CREATE TRIGGER conversations_check_objects BEFORE INSERT OR UPDATE OF picture_path ON conversations FOR EACH ROW WHEN (new.picture_path IS NOT NULL) EXECUTE FUNCTION private.check_objects('pictured_by', 'picture_path');
CREATE TRIGGER conversations_clear_blank_name BEFORE INSERT OR UPDATE OF name ON conversations FOR EACH ROW WHEN (NOT private.is_visible(new.name)) EXECUTE FUNCTION private.clear_blank_name();
CREATE TRIGGER conversations_clear_picture BEFORE UPDATE OF pictured_by ON conversations FOR EACH ROW WHEN (new.pictured_by IS NULL) EXECUTE FUNCTION private.clear_picture();
CREATE TRIGGER conversations_guard BEFORE INSERT ON conversations FOR EACH ROW EXECUTE FUNCTION private.guard_conversation();
CREATE TRIGGER conversations_keep_time BEFORE UPDATE OF last_message_at ON conversations FOR EACH ROW WHEN (row_security_active('public.conversations'::text)) EXECUTE FUNCTION private.keep_last_message_at();

create table public.follow_requests (
  requester_id uuid not null,
  target_id uuid not null,
  created_at timestamp with time zone default now() not null,
  constraint follow_requests_pkey PRIMARY KEY (requester_id, target_id),
  constraint follow_requests_requester_id_fkey FOREIGN KEY (requester_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint follow_requests_target_id_fkey FOREIGN KEY (target_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint follow_requests_not_oneself CHECK (requester_id <> target_id)
);
comment on table public.follow_requests is 'Requests without an answer. The requester deletes a row to withdraw it, the target to decline it.';
CREATE INDEX follow_requests_target_idx ON public.follow_requests USING btree (target_id, created_at DESC, requester_id DESC);
alter table public.follow_requests enable row level security;
grant delete, insert (requester_id, target_id), select on public.follow_requests to authenticated;
create policy follow_requests_delete on public.follow_requests for delete to authenticated
  using (requester_id = (( SELECT auth.uid() AS uid)) OR target_id = (( SELECT auth.uid() AS uid)));
create policy follow_requests_insert on public.follow_requests for insert to authenticated
  with check (requester_id = (( SELECT auth.uid() AS uid)));
create policy follow_requests_removed on public.follow_requests as restrictive for select to authenticated
  using (NOT (requester_id IN ( SELECT private.removed_member_ids() AS removed_member_ids)) AND NOT (target_id IN ( SELECT private.removed_member_ids() AS removed_member_ids)));
create policy follow_requests_select on public.follow_requests for select to authenticated
  using (requester_id = (( SELECT auth.uid() AS uid)) OR target_id = (( SELECT auth.uid() AS uid)));
create policy follow_requests_session on public.follow_requests as restrictive for all to authenticated
  using (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL OR requester_id = (( SELECT auth.uid() AS uid)) AND NULLIF(( SELECT private.has_account() AS has_account), false) IS NOT NULL)
  with check (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL);
CREATE TRIGGER follow_requests_allow BEFORE INSERT ON follow_requests FOR EACH ROW WHEN (row_security_active('public.follow_requests'::text)) EXECUTE FUNCTION private.count_quota('follows');
CREATE TRIGGER follow_requests_allow_delete BEFORE DELETE ON follow_requests FOR EACH STATEMENT WHEN (row_security_active('public.follow_requests'::text)) EXECUTE FUNCTION private.refuse_spent('removals');
CREATE TRIGGER follow_requests_apart AFTER INSERT ON follow_requests REFERENCING NEW TABLE AS changed FOR EACH STATEMENT WHEN (row_security_active('public.follow_requests'::text)) EXECUTE FUNCTION private.refuse_apart();
CREATE TRIGGER follow_requests_check_again AFTER INSERT ON follow_requests REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.recheck_privacy();
CREATE TRIGGER follow_requests_guard BEFORE INSERT ON follow_requests FOR EACH ROW EXECUTE FUNCTION private.guard_follow_request();
CREATE TRIGGER follow_requests_notify AFTER INSERT ON follow_requests REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.notify_follow_request();
CREATE TRIGGER follow_requests_notify_delete AFTER DELETE ON follow_requests REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.notify_follow_request();
CREATE TRIGGER follow_requests_tally_delete AFTER DELETE ON follow_requests FOR EACH STATEMENT WHEN (row_security_active('public.follow_requests'::text)) EXECUTE FUNCTION private.count_quota('removals');

create table public.follows (
  follower_id uuid not null,
  following_id uuid not null,
  created_at timestamp with time zone default now() not null,
  constraint follows_pkey PRIMARY KEY (follower_id, following_id),
  constraint follows_follower_id_fkey FOREIGN KEY (follower_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint follows_following_id_fkey FOREIGN KEY (following_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint follows_not_oneself CHECK (follower_id <> following_id)
);
comment on table public.follows is 'Accepted follows. Lists of followers and following page by (created_at, id).';
CREATE INDEX follows_follower_idx ON public.follows USING btree (follower_id, created_at DESC, following_id DESC);
CREATE INDEX follows_following_idx ON public.follows USING btree (following_id, created_at DESC, follower_id DESC);
alter table public.follows enable row level security;
grant delete, insert (follower_id, following_id), select on public.follows to authenticated;
create policy follows_delete on public.follows for delete to authenticated
  using (follower_id = (( SELECT auth.uid() AS uid)) OR following_id = (( SELECT auth.uid() AS uid)));
create policy follows_insert on public.follows for insert to authenticated
  with check (follower_id = (( SELECT auth.uid() AS uid)));
create policy follows_select on public.follows for select to authenticated
  using (follower_id = (( SELECT auth.uid() AS uid)) OR following_id = (( SELECT auth.uid() AS uid)) OR (EXISTS ( SELECT 1
    FROM profiles p
    WHERE p.id = follows.follower_id AND (NOT p.is_private OR (p.id IN ( SELECT private.my_following_ids() AS my_following_ids)))
    OFFSET 0)) AND (EXISTS ( SELECT 1
    FROM profiles p
    WHERE p.id = follows.following_id AND (NOT p.is_private OR (p.id IN ( SELECT private.my_following_ids() AS my_following_ids)))
    OFFSET 0)));
create policy follows_session on public.follows as restrictive for all to authenticated
  using (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL OR (follower_id = (( SELECT auth.uid() AS uid)) OR following_id = (( SELECT auth.uid() AS uid))) AND NULLIF(( SELECT private.has_account() AS has_account), false) IS NOT NULL)
  with check (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL);
CREATE TRIGGER follows_accept_request AFTER INSERT ON follows REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.accept_followed();
CREATE TRIGGER follows_allow BEFORE INSERT ON follows FOR EACH ROW WHEN (row_security_active('public.follows'::text)) EXECUTE FUNCTION private.count_quota('follows');
CREATE TRIGGER follows_allow_delete BEFORE DELETE ON follows FOR EACH STATEMENT WHEN (row_security_active('public.follows'::text)) EXECUTE FUNCTION private.refuse_spent('removals');
CREATE TRIGGER follows_apart AFTER INSERT ON follows REFERENCING NEW TABLE AS changed FOR EACH STATEMENT WHEN (row_security_active('public.follows'::text)) EXECUTE FUNCTION private.refuse_apart();
CREATE TRIGGER follows_count_delete AFTER DELETE ON follows REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.count_follows();
CREATE TRIGGER follows_count_insert AFTER INSERT ON follows REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.count_follows();
CREATE TRIGGER follows_guard BEFORE INSERT ON follows FOR EACH ROW EXECUTE FUNCTION private.guard_follow();
CREATE TRIGGER follows_notify AFTER INSERT ON follows REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.notify_follow();
CREATE TRIGGER follows_notify_delete AFTER DELETE ON follows REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.notify_follow();
CREATE TRIGGER follows_recheck AFTER INSERT ON follows REFERENCING NEW TABLE AS changed FOR EACH STATEMENT WHEN (row_security_active('public.follows'::text)) EXECUTE FUNCTION private.recheck_privacy();
CREATE TRIGGER follows_tally_delete AFTER DELETE ON follows FOR EACH STATEMENT WHEN (row_security_active('public.follows'::text)) EXECUTE FUNCTION private.count_quota('removals');

create table public.hashtag_follows (
  follower_id uuid not null,
  tag text not null,
  created_at timestamp with time zone default now() not null,
  constraint hashtag_follows_pkey PRIMARY KEY (follower_id, tag),
  constraint hashtag_follows_follower_id_fkey FOREIGN KEY (follower_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint hashtag_follows_tag_length CHECK (char_length(tag) <= 50)
);
comment on table public.hashtag_follows is 'Hashtags that members follow, in lower case: their public posts are in the feed of followed members. Visible to the follower only.';
CREATE INDEX hashtag_follows_follower_idx ON public.hashtag_follows USING btree (follower_id, created_at DESC);
alter table public.hashtag_follows enable row level security;
grant delete, insert (follower_id, tag), select on public.hashtag_follows to authenticated;
create policy hashtag_follows_delete on public.hashtag_follows for delete to authenticated
  using (follower_id = (( SELECT auth.uid() AS uid)));
create policy hashtag_follows_insert on public.hashtag_follows for insert to authenticated
  with check (follower_id = (( SELECT auth.uid() AS uid)));
create policy hashtag_follows_select on public.hashtag_follows for select to authenticated
  using (follower_id = (( SELECT auth.uid() AS uid)));
create policy hashtag_follows_session on public.hashtag_follows as restrictive for all to authenticated
  using (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL OR follower_id = (( SELECT auth.uid() AS uid)) AND NULLIF(( SELECT private.has_account() AS has_account), false) IS NOT NULL)
  with check (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL);
CREATE TRIGGER hashtag_follows_allow BEFORE INSERT ON hashtag_follows FOR EACH ROW WHEN (row_security_active('public.hashtag_follows'::text)) EXECUTE FUNCTION private.count_quota('hashtag_follows');
CREATE TRIGGER hashtag_follows_allow_delete BEFORE DELETE ON hashtag_follows FOR EACH STATEMENT WHEN (row_security_active('public.hashtag_follows'::text)) EXECUTE FUNCTION private.count_quota('removals');

create table public.likes (
  user_id uuid not null,
  post_id uuid not null,
  created_at timestamp with time zone default now() not null,
  constraint likes_pkey PRIMARY KEY (post_id, user_id),
  constraint likes_post_id_fkey FOREIGN KEY (post_id) REFERENCES posts(id) ON DELETE CASCADE,
  constraint likes_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE
);
comment on table public.likes is 'One per post and member. Members who see the post see its likes.';
CREATE INDEX likes_post_idx ON public.likes USING btree (post_id, created_at DESC, user_id DESC);
CREATE INDEX likes_user_idx ON public.likes USING btree (user_id, created_at DESC, post_id DESC);
alter table public.likes enable row level security;
grant delete, insert (user_id, post_id), select on public.likes to authenticated;
create policy likes_delete on public.likes for delete to authenticated
  using (user_id = (( SELECT auth.uid() AS uid)));
create policy likes_insert on public.likes for insert to authenticated
  with check (user_id = (( SELECT auth.uid() AS uid)) AND (EXISTS ( SELECT 1
    FROM posts p
    WHERE p.id = likes.post_id)));
create policy likes_removed on public.likes as restrictive for select to authenticated
  using (NOT (post_id IN ( SELECT private.removed_post_ids() AS removed_post_ids)));
create policy likes_select on public.likes for select to authenticated
  using (user_id = (( SELECT auth.uid() AS uid)) OR NOT (user_id IN ( SELECT private.my_hidden_ids() AS my_hidden_ids)) AND (EXISTS ( SELECT 1
    FROM posts p
    WHERE p.id = likes.post_id
    OFFSET 0)));
create policy likes_session on public.likes as restrictive for all to authenticated
  using (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL OR user_id = (( SELECT auth.uid() AS uid)) AND NULLIF(( SELECT private.has_account() AS has_account), false) IS NOT NULL)
  with check (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL);
CREATE TRIGGER likes_allow BEFORE INSERT ON likes FOR EACH ROW WHEN (row_security_active('public.likes'::text)) EXECUTE FUNCTION private.count_quota('likes');
CREATE TRIGGER likes_allow_delete BEFORE DELETE ON likes FOR EACH STATEMENT WHEN (row_security_active('public.likes'::text)) EXECUTE FUNCTION private.count_quota('removals');
CREATE TRIGGER likes_apart AFTER INSERT ON likes REFERENCING NEW TABLE AS changed FOR EACH STATEMENT WHEN (row_security_active('public.likes'::text)) EXECUTE FUNCTION private.refuse_apart();
CREATE TRIGGER likes_broadcast AFTER INSERT ON likes REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.broadcast_own_likes();
CREATE TRIGGER likes_broadcast_delete AFTER DELETE ON likes REFERENCING OLD TABLE AS changed FOR EACH STATEMENT WHEN (COALESCE(current_setting('vignette.is_cleaning'::text, true), ''::text) <> 'on'::text) EXECUTE FUNCTION private.broadcast_own_likes();
CREATE TRIGGER likes_count_delete AFTER DELETE ON likes REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.count_likes();
CREATE TRIGGER likes_count_insert AFTER INSERT ON likes REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.count_likes();
CREATE TRIGGER likes_notify AFTER INSERT ON likes REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.notify_like();
CREATE TRIGGER likes_notify_delete AFTER DELETE ON likes REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.notify_like();

create table public.message_media (
  id uuid default private.new_id() not null,
  sender_id uuid not null,
  conversation_id uuid not null,
  image_url text,
  sent boolean default false not null,
  created_at timestamp with time zone default now() not null,
  media_path text,
  poster_path text,
  kind text default 'photo'::text not null,
  name text,
  media_type text,
  bytes bigint,
  duration_ms integer,
  peaks smallint[],
  constraint message_media_pkey PRIMARY KEY (id),
  constraint message_media_media_path_key UNIQUE (media_path),
  constraint message_media_poster_path_key UNIQUE (poster_path),
  constraint message_media_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE,
  constraint message_media_sender_id_fkey FOREIGN KEY (sender_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint message_media_bytes CHECK (bytes >= 0),
  constraint message_media_duration CHECK ((duration_ms IS NOT NULL) = (kind = ANY (ARRAY['video'::text, 'audio'::text])) AND duration_ms > 0),
  constraint message_media_file CHECK (num_nonnulls(name, media_type, bytes) =
CASE kind
    WHEN 'file'::text THEN 3
    ELSE 0
END),
  constraint message_media_image_format CHECK ("left"(image_url, 23) ~ '^data:image/(webp|jpeg|png);base64,'::text),
  constraint message_media_image_length CHECK (char_length(image_url) <= 2100000),
  constraint message_media_kind CHECK (kind = 'photo'::text),
  constraint message_media_media_path CHECK (private.is_object_key(media_path, sender_id, 'image'::text)),
  constraint message_media_media_type_length CHECK (char_length(media_type) >= 1 AND char_length(media_type) <= 100),
  constraint message_media_name_length CHECK (char_length(name) >= 1 AND char_length(name) <= 255),
  constraint message_media_one_medium CHECK (num_nonnulls(image_url, media_path) = 1),
  constraint message_media_path_parts CHECK ((poster_path IS NOT NULL) = (media_path IS NOT NULL AND (kind = ANY (ARRAY['photo'::text, 'video'::text])))),
  constraint message_media_peaks CHECK ((peaks IS NOT NULL) = (kind = 'audio'::text) AND cardinality(peaks) = 64 AND (0 <= ALL (peaks)) AND (255 >= ALL (peaks))),
  constraint message_media_poster_path CHECK (private.is_object_key(poster_path, sender_id, 'image'::text))
);
comment on table public.message_media is 'Photos of messages, in their own table so that conversations and live changes load without them. A client inserts the medium first; the other participant sees it once a message refers to it, and unsending the message deletes it.';
CREATE INDEX message_media_conversation_idx ON public.message_media USING btree (conversation_id);
CREATE INDEX message_media_sender_idx ON public.message_media USING btree (sender_id, created_at);
CREATE INDEX message_media_unsent_idx ON public.message_media USING btree (created_at) WHERE (NOT sent);
alter table public.message_media enable row level security;
grant insert (id, sender_id, conversation_id, image_url, media_path, poster_path), select on public.message_media to authenticated;
create policy message_media_insert on public.message_media for insert to authenticated
  with check (sender_id = (( SELECT auth.uid() AS uid)) AND (EXISTS ( SELECT
    FROM conversation_views v
    WHERE v.member_id = (( SELECT auth.uid() AS uid)) AND v.conversation_id = message_media.conversation_id AND v.writes AND (v.is_group OR (EXISTS ( SELECT
    FROM profiles p
    WHERE p.id = private.other_participant(v.conversation_id, v.member_id)))))));
create policy message_media_select on public.message_media for select to authenticated
  using (sender_id = (( SELECT auth.uid() AS uid)) OR (EXISTS ( SELECT 1
    FROM messages m
    WHERE m.media_id = message_media.id
    OFFSET 0)));
create policy message_media_session on public.message_media as restrictive for all to authenticated
  using (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL OR sender_id = (( SELECT auth.uid() AS uid)) AND NULLIF(( SELECT private.has_account() AS has_account), false) IS NOT NULL)
  with check (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL);
CREATE TRIGGER message_media_allow BEFORE INSERT ON message_media FOR EACH ROW WHEN (row_security_active('public.message_media'::text)) EXECUTE FUNCTION private.count_quota('message_photos');
CREATE TRIGGER message_media_allow_media BEFORE INSERT ON message_media FOR EACH ROW WHEN (row_security_active('public.message_media'::text)) EXECUTE FUNCTION private.check_media_quota();
CREATE TRIGGER message_media_check_objects BEFORE INSERT ON message_media FOR EACH ROW WHEN (num_nonnulls(new.media_path, new.poster_path) > 0) EXECUTE FUNCTION private.check_objects('sender_id', 'media_path', 'poster_path');
CREATE TRIGGER message_media_cleanup AFTER INSERT ON message_media FOR EACH STATEMENT EXECUTE FUNCTION private.cleanup_message_media();

create table public.message_reactions (
  message_id uuid not null,
  conversation_id uuid default '00000000-0000-0000-0000-000000000000'::uuid not null,
  member_id uuid not null,
  created_at timestamp with time zone default now() not null,
  emoji text not null,
  constraint message_reactions_pkey PRIMARY KEY (message_id, member_id),
  constraint message_reactions_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE,
  constraint message_reactions_member_id_fkey FOREIGN KEY (member_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint message_reactions_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages(id) ON DELETE CASCADE,
  constraint message_reactions_emoji CHECK (emoji = ANY (ARRAY['❤️'::text, '👍'::text, '😂'::text, '😮'::text, '😢'::text, '🔥'::text]))
);
comment on table public.message_reactions is 'One per message and member. Whoever reads the message sees them; unsending it deletes them. A trigger sets conversation_id.';
CREATE INDEX message_reactions_conversation_idx ON public.message_reactions USING btree (conversation_id);
CREATE INDEX message_reactions_member_idx ON public.message_reactions USING btree (member_id);
alter table public.message_reactions enable row level security;
grant delete, insert (message_id, member_id, emoji), select, update (emoji) on public.message_reactions to authenticated;
create policy message_reactions_delete on public.message_reactions for delete to authenticated
  using (member_id = (( SELECT auth.uid() AS uid)));
create policy message_reactions_insert on public.message_reactions for insert to authenticated
  with check (member_id = (( SELECT auth.uid() AS uid)) AND (EXISTS ( SELECT
    FROM messages m
    WHERE m.id = message_reactions.message_id
    OFFSET 0)) AND (EXISTS ( SELECT
    FROM conversation_views v
    WHERE v.member_id = (( SELECT auth.uid() AS uid)) AND v.conversation_id = message_reactions.conversation_id AND v.writes)));
create policy message_reactions_removed on public.message_reactions as restrictive for select to authenticated
  using (NOT (member_id IN ( SELECT private.removed_member_ids() AS removed_member_ids)));
create policy message_reactions_select on public.message_reactions for select to authenticated
  using ((EXISTS ( SELECT
    FROM messages m
    WHERE m.id = message_reactions.message_id AND (message_reactions.member_id = (( SELECT auth.uid() AS uid)) OR (EXISTS ( SELECT
    FROM conversation_views v
    WHERE v.member_id = (( SELECT auth.uid() AS uid)) AND v.conversation_id = m.conversation_id AND m.created_at >= v.reads_after)))
    OFFSET 0)));
create policy message_reactions_session on public.message_reactions as restrictive for all to authenticated
  using (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL OR member_id = (( SELECT auth.uid() AS uid)) AND NULLIF(( SELECT private.has_account() AS has_account), false) IS NOT NULL)
  with check (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL);
create policy message_reactions_update on public.message_reactions for update to authenticated
  using (member_id = (( SELECT auth.uid() AS uid)))
  with check (member_id = (( SELECT auth.uid() AS uid)) AND (EXISTS ( SELECT
    FROM conversation_views v
    WHERE v.member_id = (( SELECT auth.uid() AS uid)) AND v.conversation_id = message_reactions.conversation_id AND v.writes)));
CREATE TRIGGER message_reactions_allow BEFORE INSERT ON message_reactions FOR EACH ROW WHEN (row_security_active('public.message_reactions'::text)) EXECUTE FUNCTION private.count_quota('reactions');
CREATE TRIGGER message_reactions_allow_change BEFORE UPDATE ON message_reactions FOR EACH STATEMENT WHEN (row_security_active('public.message_reactions'::text)) EXECUTE FUNCTION private.refuse_spent('reactions');
CREATE TRIGGER message_reactions_allow_delete BEFORE DELETE ON message_reactions FOR EACH STATEMENT WHEN (row_security_active('public.message_reactions'::text)) EXECUTE FUNCTION private.refuse_spent('removals');
CREATE TRIGGER message_reactions_await_unsending AFTER INSERT ON message_reactions FOR EACH ROW EXECUTE FUNCTION private.await_unsending();
CREATE TRIGGER message_reactions_broadcast AFTER INSERT ON message_reactions REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.broadcast_reactions();
CREATE TRIGGER message_reactions_broadcast_change AFTER UPDATE ON message_reactions REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.broadcast_reactions();
CREATE TRIGGER message_reactions_broadcast_delete AFTER DELETE ON message_reactions REFERENCING OLD TABLE AS changed FOR EACH STATEMENT WHEN (COALESCE(current_setting('vignette.is_cleaning'::text, true), ''::text) <> 'on'::text) EXECUTE FUNCTION private.broadcast_reactions();
CREATE TRIGGER message_reactions_guard BEFORE INSERT OR UPDATE ON message_reactions FOR EACH ROW EXECUTE FUNCTION private.guard_reaction();
CREATE TRIGGER message_reactions_one AFTER UPDATE ON message_reactions REFERENCING NEW TABLE AS changed FOR EACH STATEMENT WHEN (row_security_active('public.message_reactions'::text)) EXECUTE FUNCTION private.refuse_several();
CREATE TRIGGER message_reactions_tally_change AFTER UPDATE ON message_reactions FOR EACH STATEMENT WHEN (row_security_active('public.message_reactions'::text)) EXECUTE FUNCTION private.count_quota('reactions');
CREATE TRIGGER message_reactions_tally_delete AFTER DELETE ON message_reactions FOR EACH STATEMENT WHEN (row_security_active('public.message_reactions'::text)) EXECUTE FUNCTION private.count_quota('removals');
CREATE TRIGGER message_reactions_touched_refuse_apart AFTER INSERT ON message_reactions REFERENCING NEW TABLE AS changed FOR EACH STATEMENT WHEN (row_security_active('public.message_reactions'::text)) EXECUTE FUNCTION private.refuse_apart();
CREATE TRIGGER message_reactions_touched_refuse_apart_change AFTER UPDATE ON message_reactions REFERENCING NEW TABLE AS changed FOR EACH STATEMENT WHEN (row_security_active('public.message_reactions'::text)) EXECUTE FUNCTION private.refuse_apart();

create table public.messages (
  id uuid default private.new_id() not null,
  sender_id uuid not null,
  recipient_id uuid,
  conversation_id uuid not null,
  content text not null,
  read boolean default false not null,
  created_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  reply_to_id uuid,
  media_id uuid,
  thumbnail_url text,
  image_width integer,
  image_height integer,
  story_id uuid,
  answers_story boolean default false not null,
  read_at timestamp with time zone,
  thumbhash text,
  shared_kind text,
  shared_post_id uuid,
  shared_story_id uuid,
  shared_profile_id uuid,
  edited_at timestamp with time zone,
  forwarded boolean default false not null,
  constraint messages_pkey PRIMARY KEY (id),
  constraint messages_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE,
  constraint messages_media_id_fkey FOREIGN KEY (media_id) REFERENCES message_media(id) ON DELETE CASCADE,
  constraint messages_recipient_id_fkey FOREIGN KEY (recipient_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint messages_reply_to_id_fkey FOREIGN KEY (reply_to_id) REFERENCES messages(id) ON DELETE SET NULL,
  constraint messages_sender_id_fkey FOREIGN KEY (sender_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint messages_shared_post_id_fkey FOREIGN KEY (shared_post_id) REFERENCES posts(id) ON DELETE SET NULL,
  constraint messages_shared_profile_id_fkey FOREIGN KEY (shared_profile_id) REFERENCES profiles(id) ON DELETE SET NULL,
  constraint messages_shared_story_id_fkey FOREIGN KEY (shared_story_id) REFERENCES stories(id) ON DELETE SET NULL,
  constraint messages_story_id_fkey FOREIGN KEY (story_id) REFERENCES stories(id) ON DELETE SET NULL,
  constraint messages_content CHECK (
CASE
    WHEN deleted_at IS NOT NULL THEN content = ''::text
    WHEN media_id IS NOT NULL OR shared_kind IS NOT NULL THEN content = ''::text OR content ~ '\S'::text
    ELSE content ~ '\S'::text
END),
  constraint messages_content_length CHECK (char_length(content) <= 4000),
  constraint messages_image_size CHECK (image_width >= 1 AND image_width <= 12288 AND image_height >= 1 AND image_height <= 12288 AND (image_width * image_height) <= (4096 * 4096)),
  constraint messages_media_complete CHECK (num_nonnulls(image_width, image_height) =
CASE
    WHEN media_id IS NULL THEN 0
    ELSE 2
END AND num_nonnulls(thumbnail_url, thumbhash) =
CASE
    WHEN media_id IS NULL THEN 0
    ELSE 1
END),
  constraint messages_read_at CHECK (read_at IS NULL OR read),
  constraint messages_shared_kind CHECK (
CASE shared_kind
    WHEN 'post'::text THEN num_nonnulls(shared_story_id, shared_profile_id) = 0
    WHEN 'story'::text THEN num_nonnulls(shared_post_id, shared_profile_id) = 0
    WHEN 'profile'::text THEN num_nonnulls(shared_post_id, shared_story_id) = 0
    ELSE shared_kind IS NULL AND num_nonnulls(shared_post_id, shared_story_id, shared_profile_id) = 0
END),
  constraint messages_thumbhash CHECK (private.is_thumbhash(thumbhash)),
  constraint messages_thumbnail_format CHECK ("left"(thumbnail_url, 23) ~ '^data:image/(webp|jpeg|png);base64,'::text),
  constraint messages_thumbnail_length CHECK (char_length(thumbnail_url) <= 28000),
  constraint messages_unsent CHECK (deleted_at IS NULL OR num_nonnulls(reply_to_id, media_id, story_id, shared_kind) = 0 AND NOT answers_story)
);
comment on table public.messages is 'A trigger sets recipient_id, in pairs, by which a search in all conversations finds what a member received. An unsent message stays as a row without content.';
CREATE INDEX messages_conversation_idx ON public.messages USING btree (conversation_id, created_at DESC, id DESC);
CREATE INDEX messages_media_idx ON public.messages USING btree (conversation_id, created_at DESC, id DESC) WHERE (media_id IS NOT NULL);
CREATE UNIQUE INDEX messages_media_key ON public.messages USING btree (media_id, conversation_id) WHERE (media_id IS NOT NULL);
CREATE INDEX messages_recipient_time_idx ON public.messages USING btree (recipient_id, created_at DESC, id DESC) WHERE (recipient_id IS NOT NULL);
CREATE INDEX messages_reply_to_idx ON public.messages USING btree (reply_to_id) WHERE (reply_to_id IS NOT NULL);
CREATE INDEX messages_sender_time_idx ON public.messages USING btree (sender_id, created_at DESC, id DESC);
CREATE INDEX messages_shared_post_idx ON public.messages USING btree (shared_post_id) WHERE (shared_post_id IS NOT NULL);
CREATE INDEX messages_shared_profile_idx ON public.messages USING btree (shared_profile_id) WHERE (shared_profile_id IS NOT NULL);
CREATE INDEX messages_shared_story_idx ON public.messages USING btree (shared_story_id) WHERE (shared_story_id IS NOT NULL);
CREATE INDEX messages_story_idx ON public.messages USING btree (story_id) WHERE (story_id IS NOT NULL);
alter table public.messages replica identity full;
alter table public.messages enable row level security;
grant insert (id, sender_id, conversation_id, content, reply_to_id, media_id, thumbnail_url, image_width, image_height, story_id, thumbhash, shared_post_id, shared_story_id, shared_profile_id, forwarded), select, update (content, read, deleted_at) on public.messages to authenticated;
create policy messages_insert on public.messages for insert to authenticated
  with check (sender_id = (( SELECT auth.uid() AS uid)) AND (EXISTS ( SELECT
    FROM conversation_views v
    WHERE v.member_id = (( SELECT auth.uid() AS uid)) AND v.conversation_id = messages.conversation_id AND v.writes)));
create policy messages_removed on public.messages as restrictive for select to authenticated
  using (NOT (sender_id IN ( SELECT private.removed_member_ids() AS removed_member_ids)) AND NOT (conversation_id IN ( SELECT private.lost_conversation_ids() AS lost_conversation_ids)));
create policy messages_select on public.messages for select to authenticated
  using ((EXISTS ( SELECT
    FROM conversation_views v
    WHERE v.member_id = (( SELECT auth.uid() AS uid)) AND v.conversation_id = messages.conversation_id AND (v.cleared_at IS NULL OR messages.created_at > v.cleared_at) AND (messages.sender_id = v.member_id OR messages.created_at >= v.reads_after)
    OFFSET 0)));
create policy messages_session on public.messages as restrictive for all to authenticated
  using (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL OR sender_id = (( SELECT auth.uid() AS uid)) AND NULLIF(( SELECT private.has_account() AS has_account), false) IS NOT NULL)
  with check (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL);
create policy messages_update on public.messages for update to authenticated
  using (sender_id = (( SELECT auth.uid() AS uid)) OR (EXISTS ( SELECT
    FROM conversation_views v
    WHERE v.member_id = (( SELECT auth.uid() AS uid)) AND v.conversation_id = messages.conversation_id AND NOT v.is_group AND messages.created_at >= v.reads_after
    OFFSET 0)))
  with check (sender_id = (( SELECT auth.uid() AS uid)) OR (EXISTS ( SELECT
    FROM conversation_views v
    WHERE v.member_id = (( SELECT auth.uid() AS uid)) AND v.conversation_id = messages.conversation_id AND NOT v.is_group AND messages.created_at >= v.reads_after
    OFFSET 0)));
CREATE TRIGGER messages_address BEFORE INSERT ON messages FOR EACH ROW EXECUTE FUNCTION private.address_message();
CREATE TRIGGER messages_allow BEFORE INSERT ON messages FOR EACH ROW WHEN (row_security_active('public.messages'::text)) EXECUTE FUNCTION private.count_quota('messages');
CREATE TRIGGER messages_allow_change BEFORE UPDATE OF deleted_at ON messages FOR EACH ROW WHEN (row_security_active('public.messages'::text)) EXECUTE FUNCTION private.count_quota('message_changes');
CREATE TRIGGER messages_allow_conversation AFTER INSERT ON messages REFERENCING NEW TABLE AS changed FOR EACH STATEMENT WHEN (row_security_active('public.messages'::text)) EXECUTE FUNCTION private.refuse_several_conversations();
CREATE TRIGGER messages_allow_conversation_change AFTER UPDATE ON messages REFERENCING NEW TABLE AS changed FOR EACH STATEMENT WHEN (row_security_active('public.messages'::text)) EXECUTE FUNCTION private.refuse_several_conversations();
CREATE TRIGGER messages_allow_edit BEFORE UPDATE OF content ON messages FOR EACH ROW WHEN (row_security_active('public.messages'::text)) EXECUTE FUNCTION private.count_quota('message_changes');
CREATE TRIGGER messages_allow_read BEFORE UPDATE OF read ON messages FOR EACH STATEMENT WHEN (row_security_active('public.messages'::text)) EXECUTE FUNCTION private.refuse_spent('read_marks');
CREATE TRIGGER messages_allow_unread BEFORE UPDATE OF read ON messages FOR EACH ROW WHEN (row_security_active('public.messages'::text) AND old.read AND NOT new.read) EXECUTE FUNCTION private.count_quota('message_changes');
CREATE TRIGGER messages_bound_content BEFORE INSERT OR UPDATE OF content ON messages FOR EACH ROW WHEN (char_length(new.content) > 8000) EXECUTE FUNCTION private.refuse_blank('messages_content_length');
CREATE TRIGGER messages_broadcast_update AFTER UPDATE ON messages REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.broadcast_messages();
CREATE TRIGGER messages_check_extras BEFORE INSERT ON messages FOR EACH ROW WHEN (num_nonnulls(new.reply_to_id, new.media_id, new.story_id) > 0) EXECUTE FUNCTION private.check_message_extras();
CREATE TRIGGER messages_check_shared BEFORE INSERT ON messages FOR EACH ROW WHEN (num_nonnulls(new.shared_post_id, new.shared_story_id, new.shared_profile_id) > 0) EXECUTE FUNCTION private.check_shared();
CREATE TRIGGER messages_compose BEFORE INSERT ON messages FOR EACH ROW WHEN (NOT (new.content IS NFC NORMALIZED)) EXECUTE FUNCTION private.compose_texts('content');
CREATE TRIGGER messages_compose_change BEFORE UPDATE OF content ON messages FOR EACH ROW WHEN (new.content IS DISTINCT FROM old.content AND NOT (new.content IS NFC NORMALIZED)) EXECUTE FUNCTION private.compose_texts('content');
CREATE TRIGGER messages_delete_media AFTER UPDATE OF deleted_at ON messages FOR EACH ROW WHEN (old.media_id IS NOT NULL AND new.media_id IS NULL) EXECUTE FUNCTION private.delete_message_media();
CREATE TRIGGER messages_delete_reactions AFTER UPDATE OF deleted_at ON messages FOR EACH ROW WHEN (old.deleted_at IS NULL AND new.deleted_at IS NOT NULL) EXECUTE FUNCTION private.delete_message_reactions();
CREATE TRIGGER messages_guard_edit BEFORE UPDATE OF content ON messages FOR EACH ROW WHEN (new.content IS DISTINCT FROM old.content) EXECUTE FUNCTION private.guard_message_edit();
CREATE TRIGGER messages_guard_read BEFORE UPDATE OF read ON messages FOR EACH ROW WHEN (new.read IS DISTINCT FROM old.read) EXECUTE FUNCTION private.guard_message_read();
CREATE TRIGGER messages_guard_update BEFORE UPDATE OF deleted_at ON messages FOR EACH ROW EXECUTE FUNCTION private.guard_message_update();
CREATE TRIGGER messages_mark_media_sent AFTER INSERT ON messages REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.mark_media_sent();
CREATE TRIGGER messages_recount_unread AFTER UPDATE ON messages REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.recount_unread();
CREATE TRIGGER messages_refuse_hidden BEFORE INSERT ON messages FOR EACH ROW EXECUTE FUNCTION private.refuse_hidden_recipient();
CREATE TRIGGER messages_refuse_unwanted BEFORE INSERT ON messages FOR EACH ROW WHEN (row_security_active('public.messages'::text)) EXECUTE FUNCTION private.refuse_unwanted_message();
CREATE TRIGGER messages_tally_read AFTER UPDATE OF read ON messages FOR EACH STATEMENT WHEN (row_security_active('public.messages'::text)) EXECUTE FUNCTION private.count_quota('read_marks');
CREATE TRIGGER messages_touch AFTER INSERT ON messages REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.touch_conversations();
CREATE TRIGGER messages_touched_broadcast AFTER INSERT ON messages REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.broadcast_messages();
CREATE TRIGGER messages_touched_refuse_apart AFTER INSERT ON messages REFERENCING NEW TABLE AS changed FOR EACH STATEMENT WHEN (row_security_active('public.messages'::text)) EXECUTE FUNCTION private.refuse_apart();
CREATE TRIGGER messages_touched_refuse_apart_edit AFTER UPDATE ON messages REFERENCING NEW TABLE AS changed FOR EACH STATEMENT WHEN (row_security_active('public.messages'::text)) EXECUTE FUNCTION private.refuse_apart();
CREATE TRIGGER messages_visible BEFORE INSERT ON messages FOR EACH ROW WHEN (new.content <> ''::text AND NOT private.is_visible(new.content)) EXECUTE FUNCTION private.refuse_blank('messages_content');
CREATE TRIGGER messages_visible_change BEFORE UPDATE OF content ON messages FOR EACH ROW WHEN (new.content <> ''::text AND new.content <> old.content AND NOT private.is_visible(new.content)) EXECUTE FUNCTION private.refuse_blank('messages_content');
CREATE TRIGGER messages_write_changes BEFORE UPDATE ON messages FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger();

create table public.mutes (
  muter_id uuid not null,
  muted_id uuid not null,
  created_at timestamp with time zone default now() not null,
  constraint mutes_pkey PRIMARY KEY (muter_id, muted_id),
  constraint mutes_muted_id_fkey FOREIGN KEY (muted_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint mutes_muter_id_fkey FOREIGN KEY (muter_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint mutes_not_oneself CHECK (muter_id <> muted_id)
);
comment on table public.mutes is 'Members whose posts and stories the muter''s feed and story strip leave out. Visible to the muter only; the client filters.';
CREATE INDEX mutes_muted_idx ON public.mutes USING btree (muted_id);
alter table public.mutes enable row level security;
grant delete, insert (muter_id, muted_id), select on public.mutes to authenticated;
create policy mutes_delete on public.mutes for delete to authenticated
  using (muter_id = (( SELECT auth.uid() AS uid)));
create policy mutes_insert on public.mutes for insert to authenticated
  with check (muter_id = (( SELECT auth.uid() AS uid)) AND (EXISTS ( SELECT 1
    FROM profiles p
    WHERE p.id = mutes.muted_id)));
create policy mutes_select on public.mutes for select to authenticated
  using (muter_id = (( SELECT auth.uid() AS uid)) AND NOT (muted_id IN ( SELECT private.my_hidden_ids() AS my_hidden_ids)));
create policy mutes_session on public.mutes as restrictive for all to authenticated
  using (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL)
  with check (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL);
CREATE TRIGGER mutes_allow BEFORE INSERT ON mutes FOR EACH ROW WHEN (row_security_active('public.mutes'::text)) EXECUTE FUNCTION private.count_quota('mutes');
CREATE TRIGGER mutes_allow_delete BEFORE DELETE ON mutes FOR EACH STATEMENT WHEN (row_security_active('public.mutes'::text)) EXECUTE FUNCTION private.count_quota('removals');

create table public.notifications (
  id uuid default private.new_id() not null,
  user_id uuid not null,
  actor_id uuid not null,
  type text not null,
  post_id uuid,
  comment_id uuid,
  story_id uuid,
  message text,
  read boolean default false not null,
  created_at timestamp with time zone default now() not null,
  about text,
  group_key text generated always as (
CASE
    WHEN (type = 'other'::text) THEN (id)::text
    ELSE ((type || ' '::text) || COALESCE(
    CASE
        WHEN (type = ANY (ARRAY['mention'::text, 'comment_like'::text])) THEN (comment_id)::text
        ELSE NULL::text
    END, (post_id)::text, (story_id)::text, ((floor((EXTRACT(epoch FROM (created_at AT TIME ZONE 'UTC'::text)) / (86400)::numeric)))::integer)::text))
END) stored not null,
  constraint notifications_pkey PRIMARY KEY (id),
  constraint notifications_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint notifications_comment_id_fkey FOREIGN KEY (comment_id) REFERENCES comments(id) ON DELETE CASCADE,
  constraint notifications_post_id_fkey FOREIGN KEY (post_id) REFERENCES posts(id) ON DELETE CASCADE,
  constraint notifications_story_id_fkey FOREIGN KEY (story_id) REFERENCES stories(id) ON DELETE CASCADE,
  constraint notifications_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint notifications_about CHECK (about IS NULL OR type = 'other'::text AND (about = ANY (ARRAY['follow_request'::text, 'follow_accepted'::text]))),
  constraint notifications_not_oneself CHECK (user_id <> actor_id),
  constraint notifications_subject CHECK (
CASE
    WHEN type = 'like'::text THEN post_id IS NOT NULL
    WHEN type = ANY (ARRAY['comment'::text, 'reply'::text, 'comment_like'::text]) THEN post_id IS NOT NULL AND comment_id IS NOT NULL
    WHEN type = 'mention'::text THEN num_nonnulls(post_id, story_id) = 1
    WHEN type = 'story_view'::text THEN story_id IS NOT NULL
    WHEN type = 'other'::text THEN message IS NOT NULL
    ELSE true
END),
  constraint notifications_type_check CHECK (type = ANY (ARRAY['like'::text, 'comment'::text, 'mention'::text, 'reply'::text, 'comment_like'::text, 'follow'::text, 'story_view'::text, 'other'::text]))
);
comment on table public.notifications is 'Events for a member. Type `mention` is about a comment, a post or a story. Type `other` has a message: a follow request, or its acceptance.';
CREATE UNIQUE INDEX notifications_comment_key ON public.notifications USING btree (comment_id, user_id, actor_id) WHERE (comment_id IS NOT NULL);
CREATE UNIQUE INDEX notifications_event_key ON public.notifications USING btree (actor_id, COALESCE(about, NULLIF(type, 'other'::text)), COALESCE(comment_id, story_id, post_id, user_id), user_id);
CREATE INDEX notifications_group_idx ON public.notifications USING btree (user_id, group_key, created_at DESC, id DESC) INCLUDE (actor_id);
CREATE INDEX notifications_post_idx ON public.notifications USING btree (post_id) WHERE (post_id IS NOT NULL);
CREATE INDEX notifications_story_idx ON public.notifications USING btree (story_id) WHERE (story_id IS NOT NULL);
CREATE INDEX notifications_time_idx ON public.notifications USING btree (user_id, created_at DESC, id DESC) INCLUDE (group_key, actor_id);
CREATE INDEX notifications_unread_group_idx ON public.notifications USING btree (user_id, group_key) INCLUDE (actor_id) WHERE (NOT read);
alter table public.notifications enable row level security;
grant delete, select, update (read) on public.notifications to authenticated;
create policy notifications_delete on public.notifications for delete to authenticated
  using (user_id = (( SELECT auth.uid() AS uid)));
create policy notifications_lost on public.notifications as restrictive for select to authenticated
  using (NOT (id IN ( SELECT private.lost_notification_ids() AS lost_notification_ids)));
create policy notifications_select on public.notifications for select to authenticated
  using (user_id = (( SELECT auth.uid() AS uid)) AND NOT (actor_id IN ( SELECT private.my_hidden_ids() AS my_hidden_ids)));
create policy notifications_session on public.notifications as restrictive for all to authenticated
  using (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL)
  with check (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL);
create policy notifications_update on public.notifications for update to authenticated
  using (user_id = (( SELECT auth.uid() AS uid)))
  with check (user_id = (( SELECT auth.uid() AS uid)));
CREATE TRIGGER notifications_allow_delete BEFORE DELETE ON notifications FOR EACH STATEMENT WHEN (row_security_active('public.notifications'::text)) EXECUTE FUNCTION private.refuse_spent('removals');
CREATE TRIGGER notifications_allow_read BEFORE UPDATE OF read ON notifications FOR EACH STATEMENT WHEN (row_security_active('public.notifications'::text)) EXECUTE FUNCTION private.refuse_spent('read_marks');
CREATE TRIGGER notifications_apart BEFORE INSERT ON notifications FOR EACH ROW WHEN (new.actor_id = auth.uid() AND new.about IS DISTINCT FROM 'follow_accepted'::text) EXECUTE FUNCTION private.skip_apart();
CREATE TRIGGER notifications_broadcast AFTER INSERT ON notifications REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.broadcast_notifications();
CREATE TRIGGER notifications_broadcast_delete AFTER DELETE ON notifications REFERENCING OLD TABLE AS changed FOR EACH STATEMENT WHEN (COALESCE(current_setting('vignette.is_cleaning'::text, true), ''::text) <> 'on'::text) EXECUTE FUNCTION private.broadcast_deleted_notifications();
CREATE TRIGGER notifications_keep_read BEFORE UPDATE OF read ON notifications FOR EACH ROW WHEN (row_security_active('public.notifications'::text) AND (old.read OR NOT new.read)) EXECUTE FUNCTION private.skip_update();
CREATE TRIGGER notifications_tally_delete AFTER DELETE ON notifications FOR EACH STATEMENT WHEN (row_security_active('public.notifications'::text)) EXECUTE FUNCTION private.count_quota('removals');
CREATE TRIGGER notifications_tally_read AFTER UPDATE OF read ON notifications FOR EACH STATEMENT WHEN (row_security_active('public.notifications'::text)) EXECUTE FUNCTION private.count_quota('read_marks');

create table public.post_media (
  id uuid default private.new_id() not null,
  user_id uuid not null,
  post_id uuid not null,
  "position" smallint not null,
  full_path text not null,
  feed_path text not null,
  grid_path text not null,
  width integer not null,
  height integer not null,
  thumbhash text not null,
  alt_text text,
  camera jsonb,
  middle_path text,
  kind text default 'photo'::text not null,
  media_path text,
  duration_ms integer,
  has_sound boolean,
  color_space text,
  captions text,
  has_captions boolean default false not null,
  constraint post_media_pkey PRIMARY KEY (id),
  constraint post_media_feed_path_key UNIQUE (feed_path),
  constraint post_media_full_path_key UNIQUE (full_path),
  constraint post_media_grid_path_key UNIQUE (grid_path),
  constraint post_media_media_path_key UNIQUE (media_path),
  constraint post_media_middle_path_key UNIQUE (middle_path),
  constraint post_media_position_key UNIQUE (post_id, "position"),
  constraint post_media_post_id_fkey FOREIGN KEY (post_id) REFERENCES posts(id) ON DELETE CASCADE,
  constraint post_media_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint post_media_alt_text_length CHECK (char_length(alt_text) <= 1000),
  constraint post_media_camera CHECK (private.is_camera(camera)),
  constraint post_media_captions CHECK (char_length(captions) <= 30000 AND has_captions = (captions IS NOT NULL) AND (NOT has_captions OR kind = 'video'::text)),
  constraint post_media_color_space CHECK (color_space = ANY (ARRAY['srgb'::text, 'p3'::text])),
  constraint post_media_duration CHECK (duration_ms >= 1 AND duration_ms <= 600000),
  constraint post_media_kind CHECK (kind = ANY (ARRAY['photo'::text, 'video'::text])),
  constraint post_media_media_path CHECK (private.is_object_key(media_path, user_id, 'video'::text) AND media_path ~~ '%.mp4'::text),
  constraint post_media_middle_path CHECK (private.is_object_key(middle_path, user_id, 'image'::text)),
  constraint post_media_paths CHECK (private.is_object_key(full_path, user_id, 'image'::text) AND private.is_object_key(feed_path, user_id, 'image'::text) AND private.is_object_key(grid_path, user_id, 'image'::text)),
  constraint post_media_position CHECK ("position" >= 0 AND "position" <= 9),
  constraint post_media_size CHECK (width >= 1 AND width <= 12288 AND height >= 1 AND height <= 12288 AND (width * height) <= (4096 * 4096)),
  constraint post_media_thumbhash CHECK (private.is_thumbhash(thumbhash)),
  constraint post_media_video CHECK (num_nonnulls(media_path, duration_ms) =
CASE kind
    WHEN 'video'::text THEN 2
    ELSE 0
END AND (has_sound IS NULL OR kind = 'video'::text))
);
comment on table public.post_media is 'Photos and videos of posts in Storage: a photo, or the cover of a video, in up to four sizes. Members who see the post see its media. create_post() inserts them; only their alternative text can change.';
CREATE INDEX post_media_user_idx ON public.post_media USING btree (user_id);
alter table public.post_media enable row level security;
grant insert (user_id, post_id, "position", full_path, feed_path, grid_path, width, height, thumbhash, alt_text, camera, middle_path, kind, media_path, duration_ms, has_sound, captions, has_captions), select, update (alt_text) on public.post_media to authenticated;
create policy post_media_insert on public.post_media for insert to authenticated
  with check (user_id = (( SELECT auth.uid() AS uid)) AND (EXISTS ( SELECT 1
    FROM posts p
    WHERE p.id = post_media.post_id AND p.user_id = (( SELECT auth.uid() AS uid)) AND p.created_at = now())));
create policy post_media_select on public.post_media for select to authenticated
  using (user_id = (( SELECT auth.uid() AS uid)) OR (EXISTS ( SELECT 1
    FROM posts p
    WHERE p.id = post_media.post_id
    OFFSET 0)));
create policy post_media_session on public.post_media as restrictive for all to authenticated
  using (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL OR user_id = (( SELECT auth.uid() AS uid)) AND NULLIF(( SELECT private.has_account() AS has_account), false) IS NOT NULL)
  with check (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL);
create policy post_media_update on public.post_media for update to authenticated
  using (user_id = (( SELECT auth.uid() AS uid)))
  with check (user_id = (( SELECT auth.uid() AS uid)));
CREATE TRIGGER post_media_allow_change BEFORE UPDATE OF alt_text ON post_media FOR EACH ROW WHEN (row_security_active('public.post_media'::text)) EXECUTE FUNCTION private.count_quota('post_changes');
CREATE TRIGGER post_media_bound_alt_text BEFORE INSERT OR UPDATE OF alt_text ON post_media FOR EACH ROW WHEN (char_length(new.alt_text) > 2000) EXECUTE FUNCTION private.refuse_blank('post_media_alt_text_length');
CREATE TRIGGER post_media_bound_camera BEFORE INSERT OR UPDATE OF camera ON post_media FOR EACH ROW WHEN (octet_length(new.camera::text) > 20000) EXECUTE FUNCTION private.refuse_blank('post_media_camera');
CREATE TRIGGER post_media_check_objects BEFORE INSERT ON post_media FOR EACH ROW EXECUTE FUNCTION private.check_objects('user_id', 'full_path', 'middle_path', 'feed_path', 'grid_path', 'media_path');
CREATE TRIGGER post_media_check_quota BEFORE INSERT ON post_media FOR EACH ROW WHEN (row_security_active('public.post_media'::text)) EXECUTE FUNCTION private.check_media_quota();
CREATE TRIGGER post_media_clear_blank BEFORE INSERT ON post_media FOR EACH ROW WHEN (NOT private.is_visible(new.alt_text)) EXECUTE FUNCTION private.clear_blank_alt_text();
CREATE TRIGGER post_media_clear_blank_change BEFORE UPDATE OF alt_text ON post_media FOR EACH ROW WHEN (new.alt_text IS DISTINCT FROM old.alt_text AND NOT private.is_visible(new.alt_text)) EXECUTE FUNCTION private.clear_blank_alt_text();
CREATE TRIGGER post_media_compose BEFORE INSERT ON post_media FOR EACH ROW WHEN (NOT (new.alt_text IS NFC NORMALIZED) OR NOT (new.camera::text IS NFC NORMALIZED)) EXECUTE FUNCTION private.compose_texts('alt_text', 'camera');
CREATE TRIGGER post_media_compose_change BEFORE UPDATE OF alt_text, camera ON post_media FOR EACH ROW WHEN ((new.alt_text IS DISTINCT FROM old.alt_text OR new.camera IS DISTINCT FROM old.camera) AND (NOT (new.alt_text IS NFC NORMALIZED) OR NOT (new.camera::text IS NFC NORMALIZED))) EXECUTE FUNCTION private.compose_texts('alt_text', 'camera');
CREATE TRIGGER post_media_edited AFTER UPDATE OF alt_text ON post_media FOR EACH ROW WHEN (new.alt_text IS DISTINCT FROM old.alt_text) EXECUTE FUNCTION private.mark_post_edited();
CREATE CONSTRAINT TRIGGER post_media_not_last AFTER DELETE ON post_media DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION private.refuse_empty_post();
CREATE TRIGGER post_media_visible BEFORE INSERT ON post_media FOR EACH ROW WHEN (jsonb_typeof(new.camera) = 'object'::text) EXECUTE FUNCTION private.refuse_blank_detail();
CREATE TRIGGER post_media_words AFTER INSERT ON post_media FOR EACH ROW WHEN (new.alt_text IS NOT NULL) EXECUTE FUNCTION private.set_post_words();
CREATE TRIGGER post_media_words_change AFTER UPDATE OF alt_text ON post_media FOR EACH ROW WHEN (new.alt_text IS DISTINCT FROM old.alt_text) EXECUTE FUNCTION private.set_post_words();
CREATE TRIGGER post_media_words_delete AFTER DELETE ON post_media FOR EACH ROW WHEN (old.alt_text IS NOT NULL) EXECUTE FUNCTION private.set_post_words();

create table public.post_tags (
  tagged_user_id uuid not null,
  post_id uuid not null,
  created_at timestamp with time zone default now() not null,
  constraint post_tags_pkey PRIMARY KEY (post_id, tagged_user_id),
  constraint post_tags_post_id_fkey FOREIGN KEY (post_id) REFERENCES posts(id) ON DELETE CASCADE,
  constraint post_tags_tagged_user_id_fkey FOREIGN KEY (tagged_user_id) REFERENCES profiles(id) ON DELETE CASCADE
);
comment on table public.post_tags is 'Members that a post mentions as @username. Triggers insert the rows; tagged members may delete their own.';
CREATE INDEX post_tags_tagged_user_idx ON public.post_tags USING btree (tagged_user_id, created_at DESC, post_id DESC);
alter table public.post_tags enable row level security;
grant delete, select on public.post_tags to authenticated;
create policy post_tags_delete on public.post_tags for delete to authenticated
  using (tagged_user_id = (( SELECT auth.uid() AS uid)));
create policy post_tags_removed on public.post_tags as restrictive for select to authenticated
  using (NOT (post_id IN ( SELECT private.removed_post_ids() AS removed_post_ids)));
create policy post_tags_select on public.post_tags for select to authenticated
  using (tagged_user_id = (( SELECT auth.uid() AS uid)) OR (EXISTS ( SELECT 1
    FROM posts p
    WHERE p.id = post_tags.post_id
    OFFSET 0)) AND (EXISTS ( SELECT 1
    FROM profiles p
    WHERE p.id = post_tags.tagged_user_id AND (NOT p.is_private OR (p.id IN ( SELECT private.my_following_ids() AS my_following_ids)))
    OFFSET 0)));
create policy post_tags_session on public.post_tags as restrictive for all to authenticated
  using (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL)
  with check (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL);
CREATE TRIGGER post_tags_allow_delete BEFORE DELETE ON post_tags FOR EACH STATEMENT WHEN (row_security_active('public.post_tags'::text)) EXECUTE FUNCTION private.refuse_spent('removals');
CREATE TRIGGER post_tags_apart BEFORE INSERT ON post_tags FOR EACH ROW WHEN (auth.uid() IS NOT NULL) EXECUTE FUNCTION private.skip_apart();
CREATE TRIGGER post_tags_tally_delete AFTER DELETE ON post_tags FOR EACH STATEMENT WHEN (row_security_active('public.post_tags'::text)) EXECUTE FUNCTION private.count_quota('removals');

create table public.post_topics (
  user_id uuid not null,
  post_id uuid not null,
  kind text not null,
  topic text not null,
  label text not null,
  audience text not null,
  created_at timestamp with time zone not null,
  constraint post_topics_pkey PRIMARY KEY (post_id, kind, topic),
  constraint post_topics_post_id_fkey FOREIGN KEY (post_id) REFERENCES posts(id) ON DELETE CASCADE,
  constraint post_topics_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint post_topics_audience_check CHECK (audience = ANY (ARRAY['public'::text, 'followers'::text])),
  constraint post_topics_kind_check CHECK (kind = ANY (ARRAY['hashtag'::text, 'place'::text]))
);
comment on table public.post_topics is 'The hashtags in the texts of posts, and their places. The topic is in lower case, the label as its author wrote it; author, audience and time are copies of the post''s. Triggers keep the rows.';
CREATE INDEX post_topics_audience_idx ON public.post_topics USING btree (kind, topic, audience, created_at DESC, post_id DESC);
CREATE INDEX post_topics_followers_idx ON public.post_topics USING btree (user_id, kind, created_at DESC) WHERE (audience = 'followers'::text);
CREATE INDEX post_topics_recent_idx ON public.post_topics USING btree (kind, created_at DESC) WHERE (audience = 'public'::text);
CREATE INDEX post_topics_topic_idx ON public.post_topics USING btree (kind, topic, created_at DESC, post_id DESC);
CREATE INDEX post_topics_user_idx ON public.post_topics USING btree (user_id);
alter table public.post_topics enable row level security;
grant select on public.post_topics to authenticated;
create policy post_topics_select on public.post_topics for select to authenticated
  using ((audience = 'public'::text OR user_id = (( SELECT auth.uid() AS uid)) OR (user_id IN ( SELECT private.my_following_ids() AS my_following_ids))) AND (EXISTS ( SELECT
    FROM posts p
    WHERE p.id = post_topics.post_id
    OFFSET 0)));
create policy post_topics_session on public.post_topics as restrictive for all to authenticated
  using (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL)
  with check (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL);
CREATE TRIGGER post_topics_removed_delete AFTER DELETE ON post_topics REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.note_removed_topics();
CREATE TRIGGER post_topics_removed_update AFTER UPDATE ON post_topics REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION private.note_removed_topics();
CREATE TRIGGER post_topics_words_insert AFTER INSERT ON post_topics REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.add_topic_words();
CREATE TRIGGER post_topics_words_update AFTER UPDATE ON post_topics REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.add_topic_words();

create table public.posts (
  id uuid default private.new_id() not null,
  user_id uuid not null,
  content text default ''::text not null,
  image_url text,
  thumbnail_url text,
  image_width integer,
  image_height integer,
  location text,
  alt_text text,
  audience text default 'public'::text not null,
  like_count integer default 0 not null,
  comment_count integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  edited_at timestamp with time zone,
  state text default 'visible'::text not null,
  constraint posts_pkey PRIMARY KEY (id),
  constraint posts_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint posts_alt_text_length CHECK (char_length(alt_text) <= 1000),
  constraint posts_audience_check CHECK (audience = ANY (ARRAY['public'::text, 'followers'::text, 'nobody'::text])),
  constraint posts_content_length CHECK (char_length(content) <= 2200),
  constraint posts_image_format CHECK ("left"(image_url, 23) ~ '^data:image/(webp|jpeg|png);base64,'::text),
  constraint posts_image_length CHECK (char_length(image_url) <= 2100000),
  constraint posts_image_parts CHECK ((image_width IS NULL) = (image_height IS NULL) AND (image_url IS NOT NULL OR num_nonnulls(thumbnail_url, image_width, image_height) = 0)),
  constraint posts_image_size CHECK (image_width >= 1 AND image_width <= 4096 AND image_height >= 1 AND image_height <= 4096),
  constraint posts_location_length CHECK (char_length(location) <= 100),
  constraint posts_state_check CHECK (state = ANY (ARRAY['visible'::text, 'warned'::text, 'hidden'::text, 'archived'::text])),
  constraint posts_thumbnail_format CHECK ("left"(thumbnail_url, 23) ~ '^data:image/(webp|jpeg|png);base64,'::text),
  constraint posts_thumbnail_length CHECK (char_length(thumbnail_url) <= 28000)
) with (fillfactor=90);
comment on table public.posts is 'Posts with a text, a picture or both. Triggers set audience from the author''s privacy and the state, and update the counters.';
CREATE INDEX posts_feed_idx ON public.posts USING btree (created_at DESC, id DESC);
CREATE INDEX posts_user_idx ON public.posts USING btree (user_id, created_at DESC, id DESC) INCLUDE (audience);
alter table public.posts enable row level security;
grant insert (id, user_id, content, image_url, thumbnail_url, image_width, image_height, location, alt_text), select, update (content, location, alt_text) on public.posts to authenticated;
create policy posts_insert on public.posts for insert to authenticated
  with check (user_id = (( SELECT auth.uid() AS uid)));
create policy posts_select on public.posts for select to authenticated
  using (user_id = (( SELECT auth.uid() AS uid)) OR (audience = 'public'::text OR audience = 'followers'::text AND (user_id IN ( SELECT private.my_following_ids() AS my_following_ids))) AND NOT (user_id IN ( SELECT private.my_hidden_ids() AS my_hidden_ids)));
create policy posts_session on public.posts as restrictive for all to authenticated
  using (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL OR user_id = (( SELECT auth.uid() AS uid)) AND NULLIF(( SELECT private.has_account() AS has_account), false) IS NOT NULL)
  with check (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL);
create policy posts_update on public.posts for update to authenticated
  using (user_id = (( SELECT auth.uid() AS uid)))
  with check (user_id = (( SELECT auth.uid() AS uid)));
CREATE TRIGGER posts_allow BEFORE INSERT ON posts FOR EACH ROW WHEN (row_security_active('public.posts'::text)) EXECUTE FUNCTION private.count_quota('posts');
CREATE TRIGGER posts_allow_change BEFORE UPDATE OF content, location, alt_text ON posts FOR EACH ROW WHEN (row_security_active('public.posts'::text)) EXECUTE FUNCTION private.count_quota('post_changes');
CREATE TRIGGER posts_allow_media BEFORE INSERT ON posts FOR EACH ROW WHEN (num_nonnulls(new.image_url, new.thumbnail_url) > 0 AND row_security_active('public.posts'::text)) EXECUTE FUNCTION private.check_media_quota();
CREATE TRIGGER posts_audience BEFORE INSERT ON posts FOR EACH ROW WHEN (NOT row_security_active('public.posts'::text) OR new.user_id = auth.uid()) EXECUTE FUNCTION private.set_audience();
CREATE TRIGGER posts_bound_alt_text BEFORE INSERT OR UPDATE OF alt_text ON posts FOR EACH ROW WHEN (char_length(new.alt_text) > 2000) EXECUTE FUNCTION private.refuse_blank('posts_alt_text_length');
CREATE TRIGGER posts_bound_content BEFORE INSERT OR UPDATE OF content ON posts FOR EACH ROW WHEN (char_length(new.content) > 4400) EXECUTE FUNCTION private.refuse_blank('posts_content_length');
CREATE TRIGGER posts_bound_location BEFORE INSERT OR UPDATE OF location ON posts FOR EACH ROW WHEN (char_length(new.location) > 200) EXECUTE FUNCTION private.refuse_blank('posts_location_length');
CREATE TRIGGER posts_broadcast_delete AFTER DELETE ON posts REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.broadcast_deleted_posts();
CREATE TRIGGER posts_clear_alt_text BEFORE INSERT ON posts FOR EACH ROW WHEN (NOT private.is_visible(new.alt_text)) EXECUTE FUNCTION private.clear_blank_alt_text();
CREATE TRIGGER posts_clear_alt_text_change BEFORE UPDATE OF alt_text ON posts FOR EACH ROW WHEN (new.alt_text IS DISTINCT FROM old.alt_text AND NOT private.is_visible(new.alt_text)) EXECUTE FUNCTION private.clear_blank_alt_text();
CREATE TRIGGER posts_clear_location BEFORE INSERT ON posts FOR EACH ROW WHEN (NOT private.is_visible(new.location)) EXECUTE FUNCTION private.clear_blank_location();
CREATE TRIGGER posts_clear_location_change BEFORE UPDATE OF location ON posts FOR EACH ROW WHEN (new.location IS DISTINCT FROM old.location AND NOT private.is_visible(new.location)) EXECUTE FUNCTION private.clear_blank_location();
CREATE TRIGGER posts_compose BEFORE INSERT ON posts FOR EACH ROW WHEN (NOT (new.content IS NFC NORMALIZED) OR NOT (new.location IS NFC NORMALIZED) OR NOT (new.alt_text IS NFC NORMALIZED)) EXECUTE FUNCTION private.compose_texts('content', 'location', 'alt_text');
CREATE TRIGGER posts_compose_change BEFORE UPDATE OF content, location, alt_text ON posts FOR EACH ROW WHEN ((new.content IS DISTINCT FROM old.content OR new.location IS DISTINCT FROM old.location OR new.alt_text IS DISTINCT FROM old.alt_text) AND (NOT (new.content IS NFC NORMALIZED) OR NOT (new.location IS NFC NORMALIZED) OR NOT (new.alt_text IS NFC NORMALIZED))) EXECUTE FUNCTION private.compose_texts('content', 'location', 'alt_text');
CREATE TRIGGER posts_count_delete AFTER DELETE ON posts REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.count_posts();
CREATE TRIGGER posts_count_insert AFTER INSERT ON posts REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.count_posts();
CREATE TRIGGER posts_edited BEFORE UPDATE OF content, location, alt_text ON posts FOR EACH ROW EXECUTE FUNCTION private.mark_edited();
CREATE CONSTRAINT TRIGGER posts_not_empty AFTER INSERT ON posts DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW WHEN (new.image_url IS NULL AND NOT private.is_visible(new.content)) EXECUTE FUNCTION private.refuse_empty_post();
CREATE CONSTRAINT TRIGGER posts_not_empty_change AFTER UPDATE OF content, image_url ON posts DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW WHEN ((new.content IS DISTINCT FROM old.content OR new.image_url IS DISTINCT FROM old.image_url) AND new.image_url IS NULL AND NOT private.is_visible(new.content)) EXECUTE FUNCTION private.refuse_empty_post();
CREATE TRIGGER posts_notify_mentions AFTER INSERT OR UPDATE OF content ON posts FOR EACH ROW EXECUTE FUNCTION private.notify_post_mentions();
CREATE TRIGGER posts_state BEFORE UPDATE OF state ON posts FOR EACH ROW WHEN (new.state <> old.state) EXECUTE FUNCTION private.set_audience();
CREATE TRIGGER posts_state_count AFTER UPDATE OF state ON posts FOR EACH ROW WHEN ((new.audience = 'nobody'::text) <> (old.audience = 'nobody'::text)) EXECUTE FUNCTION private.count_post_state();
CREATE TRIGGER posts_state_topics AFTER UPDATE OF state ON posts FOR EACH ROW WHEN ((new.audience = 'nobody'::text) <> (old.audience = 'nobody'::text)) EXECUTE FUNCTION private.set_topics();
CREATE TRIGGER posts_state_words AFTER UPDATE OF state ON posts FOR EACH ROW WHEN ((new.audience = 'nobody'::text) <> (old.audience = 'nobody'::text)) EXECUTE FUNCTION private.set_post_words();
CREATE TRIGGER posts_tag AFTER INSERT OR UPDATE OF content ON posts FOR EACH ROW EXECUTE FUNCTION private.tag_mentioned();
CREATE TRIGGER posts_topics AFTER INSERT ON posts FOR EACH ROW WHEN (new.location IS NOT NULL OR new.content ~ '[#\uff03]'::text) EXECUTE FUNCTION private.set_topics();
CREATE TRIGGER posts_topics_change AFTER UPDATE OF content, location ON posts FOR EACH ROW WHEN (new.content IS DISTINCT FROM old.content OR new.location IS DISTINCT FROM old.location) EXECUTE FUNCTION private.set_topics();
CREATE TRIGGER posts_untag_former_names AFTER UPDATE OF content ON posts FOR EACH ROW EXECUTE FUNCTION private.untag_former_names();
CREATE TRIGGER posts_words AFTER INSERT ON posts FOR EACH ROW EXECUTE FUNCTION private.set_post_words();
CREATE TRIGGER posts_words_change AFTER UPDATE OF content, location, alt_text ON posts FOR EACH ROW WHEN (new.content IS DISTINCT FROM old.content OR new.location IS DISTINCT FROM old.location OR new.alt_text IS DISTINCT FROM old.alt_text) EXECUTE FUNCTION private.set_post_words();

create table public.profiles (
  id uuid not null,
  username text not null,
  full_name text default ''::text not null,
  bio text default ''::text not null,
  website text,
  avatar_url text,
  is_private boolean default false not null,
  show_activity_status boolean default true not null,
  allow_story_replies boolean default true not null,
  post_count integer default 0 not null,
  follower_count integer default 0 not null,
  following_count integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  avatar_path text,
  new_messages_from text default 'everyone'::text not null,
  read_receipts boolean default true not null,
  constraint profiles_pkey PRIMARY KEY (id),
  constraint profiles_avatar_format CHECK ("left"(avatar_url, 23) ~ '^data:image/(webp|jpeg|png);base64,'::text),
  constraint profiles_avatar_length CHECK (char_length(avatar_url) <= 16000),
  constraint profiles_avatar_path CHECK (private.is_object_key(avatar_path, id, 'image'::text)),
  constraint profiles_bio_length CHECK (char_length(bio) <= 500),
  constraint profiles_full_name_length CHECK (char_length(full_name) <= 80),
  constraint profiles_new_messages_from CHECK (new_messages_from = ANY (ARRAY['everyone'::text, 'followers'::text, 'following'::text, 'nobody'::text])),
  constraint profiles_one_avatar CHECK (num_nonnulls(avatar_url, avatar_path) <= 1),
  constraint profiles_username_format CHECK (username ~ '^(?!\.)[a-z0-9._]{3,30}(?<!\.)$'::text),
  constraint profiles_website_format CHECK (website ~* '^https?://\S+$'::text),
  constraint profiles_website_length CHECK (char_length(website) <= 200)
) with (fillfactor=90);
comment on table public.profiles is 'Members. created_at is the member''s first sign-in; triggers update the counters.';
CREATE UNIQUE INDEX profiles_avatar_path_key ON public.profiles USING btree (avatar_path) WHERE (avatar_path IS NOT NULL);
CREATE INDEX profiles_newest_idx ON public.profiles USING btree (created_at DESC) WHERE (NOT is_private);
CREATE INDEX profiles_search_prefix_idx ON public.profiles USING btree (private.search_key(full_name) COLLATE "C") INCLUDE (full_name, username, id);
CREATE INDEX profiles_search_trgm_idx ON public.profiles USING gin (private.search_key(full_name) extensions.gin_trgm_ops);
CREATE UNIQUE INDEX profiles_username_key ON public.profiles USING btree (username) WHERE (username IS NOT NULL);
CREATE INDEX profiles_username_prefix_idx ON public.profiles USING btree (username COLLATE "C");
CREATE INDEX profiles_username_trgm_idx ON public.profiles USING gin (username extensions.gin_trgm_ops);
alter table public.profiles enable row level security;
grant insert (id, username, full_name), select, update (username, full_name, bio, website, avatar_url, is_private, show_activity_status, allow_story_replies, updated_at, avatar_path, new_messages_from, read_receipts) on public.profiles to authenticated;
create policy profiles_insert on public.profiles for insert to authenticated
  with check (id = (( SELECT auth.uid() AS uid)));
create policy profiles_select on public.profiles for select to authenticated
  using (id = (( SELECT auth.uid() AS uid)) OR ( SELECT private.is_member() AS is_member) AND NOT (id IN ( SELECT private.my_hidden_ids() AS my_hidden_ids)));
create policy profiles_session on public.profiles as restrictive for all to authenticated
  using (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL OR id = (( SELECT auth.uid() AS uid)) AND NULLIF(( SELECT private.has_session() AS has_session), false) IS NOT NULL)
  with check (NULLIF(( SELECT private.has_session() AS has_session), false) IS NOT NULL);
create policy profiles_update on public.profiles for update to authenticated
  using (id = (( SELECT auth.uid() AS uid)))
  with check (id = (( SELECT auth.uid() AS uid)));
CREATE TRIGGER profiles_allow_change BEFORE UPDATE ON profiles FOR EACH ROW WHEN (row_security_active('public.profiles'::text)) EXECUTE FUNCTION private.count_quota('profile_changes');
CREATE TRIGGER profiles_allow_privacy BEFORE UPDATE OF is_private ON profiles FOR EACH ROW WHEN (old.is_private <> new.is_private AND row_security_active('public.profiles'::text)) EXECUTE FUNCTION private.count_quota('privacy_changes');
CREATE TRIGGER profiles_allow_username BEFORE UPDATE OF username ON profiles FOR EACH ROW WHEN (old.username <> new.username AND row_security_active('public.profiles'::text)) EXECUTE FUNCTION private.count_quota('usernames');
CREATE TRIGGER profiles_announcements AFTER INSERT ON profiles REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.add_announcements();
CREATE TRIGGER profiles_apply_privacy AFTER UPDATE OF is_private ON profiles FOR EACH ROW WHEN (old.is_private IS DISTINCT FROM new.is_private) EXECUTE FUNCTION private.apply_privacy();
CREATE TRIGGER profiles_await_follows BEFORE UPDATE OF is_private ON profiles FOR EACH ROW WHEN (old.is_private <> new.is_private) EXECUTE FUNCTION private.await_follows();
CREATE TRIGGER profiles_bound_bio BEFORE INSERT OR UPDATE OF bio ON profiles FOR EACH ROW WHEN (char_length(new.bio) > 1000) EXECUTE FUNCTION private.refuse_blank('profiles_bio_length');
CREATE TRIGGER profiles_bound_full_name BEFORE INSERT OR UPDATE OF full_name ON profiles FOR EACH ROW WHEN (char_length(new.full_name) > 160) EXECUTE FUNCTION private.refuse_blank('profiles_full_name_length');
CREATE TRIGGER profiles_check_objects BEFORE UPDATE OF avatar_path ON profiles FOR EACH ROW WHEN (new.avatar_path IS NOT NULL AND new.avatar_path IS DISTINCT FROM old.avatar_path) EXECUTE FUNCTION private.check_objects('id', 'avatar_path');
CREATE TRIGGER profiles_claim_username AFTER INSERT ON profiles FOR EACH ROW EXECUTE FUNCTION private.remember_former_username();
CREATE TRIGGER profiles_clear_blank BEFORE INSERT ON profiles FOR EACH ROW EXECUTE FUNCTION private.clear_blank_profile();
CREATE TRIGGER profiles_clear_blank_change BEFORE UPDATE OF full_name, bio ON profiles FOR EACH ROW WHEN (new.full_name IS DISTINCT FROM old.full_name OR new.bio IS DISTINCT FROM old.bio) EXECUTE FUNCTION private.clear_blank_profile();
CREATE TRIGGER profiles_compose BEFORE INSERT ON profiles FOR EACH ROW WHEN (NOT (new.full_name IS NFC NORMALIZED) OR NOT (new.bio IS NFC NORMALIZED)) EXECUTE FUNCTION private.compose_texts('full_name', 'bio');
CREATE TRIGGER profiles_compose_change BEFORE UPDATE OF full_name, bio ON profiles FOR EACH ROW WHEN ((new.full_name IS DISTINCT FROM old.full_name OR new.bio IS DISTINCT FROM old.bio) AND (NOT (new.full_name IS NFC NORMALIZED) OR NOT (new.bio IS NFC NORMALIZED))) EXECUTE FUNCTION private.compose_texts('full_name', 'bio');
CREATE TRIGGER profiles_hide_marks AFTER UPDATE OF read_receipts ON profiles FOR EACH ROW WHEN (old.read_receipts AND NOT new.read_receipts) EXECUTE FUNCTION private.hide_marks();
CREATE TRIGGER profiles_hold_usernames BEFORE DELETE ON profiles FOR EACH ROW EXECUTE FUNCTION private.hold_deleted_usernames();
CREATE TRIGGER profiles_rename AFTER UPDATE OF username ON profiles FOR EACH ROW WHEN (old.username <> new.username) EXECUTE FUNCTION private.remember_former_username();
CREATE TRIGGER profiles_require_account AFTER INSERT ON profiles FOR EACH ROW EXECUTE FUNCTION private.require_account();
CREATE TRIGGER profiles_touch BEFORE UPDATE OF username, full_name, bio, website, avatar_url, is_private, show_activity_status, allow_story_replies, new_messages_from, read_receipts, updated_at ON profiles FOR EACH ROW EXECUTE FUNCTION private.touch_profile();
CREATE TRIGGER profiles_touch_avatar BEFORE UPDATE OF avatar_path ON profiles FOR EACH ROW EXECUTE FUNCTION private.touch_profile();
CREATE TRIGGER refuse_disguised_new_website BEFORE UPDATE OF website ON profiles FOR EACH ROW WHEN (new.website IS DISTINCT FROM old.website) EXECUTE FUNCTION private.refuse_disguised_website();
CREATE TRIGGER refuse_disguised_website BEFORE INSERT ON profiles FOR EACH ROW WHEN (new.website IS NOT NULL) EXECUTE FUNCTION private.refuse_disguised_website();

create table public.reports (
  id uuid default private.new_id() not null,
  reporter_id uuid not null,
  member_id uuid not null,
  post_id uuid,
  reason text not null,
  details text,
  post_content text,
  created_at timestamp with time zone default now() not null,
  constraint reports_pkey PRIMARY KEY (id),
  constraint reports_member_id_fkey FOREIGN KEY (member_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint reports_post_id_fkey FOREIGN KEY (post_id) REFERENCES posts(id) ON DELETE SET NULL,
  constraint reports_reporter_id_fkey FOREIGN KEY (reporter_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint reports_details_length CHECK (char_length(details) <= 500),
  constraint reports_not_oneself CHECK (reporter_id <> member_id),
  constraint reports_reason_check CHECK (reason = ANY (ARRAY['spam'::text, 'nudity'::text, 'hate'::text, 'violence'::text, 'harassment'::text, 'misinformation'::text, 'other'::text]))
);
comment on table public.reports is 'Reported members and posts. Clients only insert; the operator reads private.reports_overview.';
CREATE INDEX reports_member_idx ON public.reports USING btree (member_id, created_at DESC);
CREATE INDEX reports_post_idx ON public.reports USING btree (post_id) WHERE (post_id IS NOT NULL);
CREATE INDEX reports_reporter_idx ON public.reports USING btree (reporter_id);
alter table public.reports enable row level security;
grant insert (id, reporter_id, member_id, post_id, reason, details) on public.reports to authenticated;
create policy reports_insert on public.reports for insert to authenticated
  with check (reporter_id = (( SELECT auth.uid() AS uid)) AND ((EXISTS ( SELECT
    FROM profiles p
    WHERE p.id = reports.member_id)) OR (EXISTS ( SELECT
    FROM blocks b
    WHERE b.blocked_id = reports.member_id)) OR (EXISTS ( SELECT
    FROM conversations c
    WHERE LEAST(c.participant_1, c.participant_2) = LEAST(reports.reporter_id, reports.member_id) AND GREATEST(c.participant_1, c.participant_2) = GREATEST(reports.reporter_id, reports.member_id))) OR (EXISTS ( SELECT
    FROM conversation_views v
    WHERE v.member_id = (( SELECT auth.uid() AS uid)) AND v.is_group AND v.sees_members AND (EXISTS ( SELECT
    FROM conversation_members m
    WHERE m.conversation_id = v.conversation_id AND m.member_id = reports.member_id
    OFFSET 0))))) AND (post_id IS NULL OR (EXISTS ( SELECT
    FROM posts p
    WHERE p.id = reports.post_id AND p.user_id = reports.member_id))));
create policy reports_session on public.reports as restrictive for all to authenticated
  using (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL)
  with check (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL);
CREATE TRIGGER reports_allow BEFORE INSERT ON reports FOR EACH ROW WHEN (row_security_active('public.reports'::text)) EXECUTE FUNCTION private.count_quota('reports');
CREATE TRIGGER reports_bound_details BEFORE INSERT OR UPDATE OF details ON reports FOR EACH ROW WHEN (char_length(new.details) > 1000) EXECUTE FUNCTION private.refuse_blank('reports_details_length');
CREATE TRIGGER reports_complete BEFORE INSERT ON reports FOR EACH ROW EXECUTE FUNCTION private.complete_report();
CREATE TRIGGER reports_compose BEFORE INSERT ON reports FOR EACH ROW WHEN (NOT (new.details IS NFC NORMALIZED)) EXECUTE FUNCTION private.compose_texts('details');

create table public.saved_posts (
  user_id uuid not null,
  post_id uuid not null,
  created_at timestamp with time zone default now() not null,
  constraint saved_posts_pkey PRIMARY KEY (user_id, post_id),
  constraint saved_posts_post_id_fkey FOREIGN KEY (post_id) REFERENCES posts(id) ON DELETE CASCADE,
  constraint saved_posts_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE
);
comment on table public.saved_posts is 'Posts that a member saved. Visible to that member only.';
CREATE INDEX saved_posts_post_idx ON public.saved_posts USING btree (post_id);
CREATE INDEX saved_posts_user_idx ON public.saved_posts USING btree (user_id, created_at DESC, post_id DESC);
alter table public.saved_posts enable row level security;
grant delete, insert (user_id, post_id), select on public.saved_posts to authenticated;
create policy saved_posts_delete on public.saved_posts for delete to authenticated
  using (user_id = (( SELECT auth.uid() AS uid)));
create policy saved_posts_insert on public.saved_posts for insert to authenticated
  with check (user_id = (( SELECT auth.uid() AS uid)) AND (EXISTS ( SELECT 1
    FROM posts p
    WHERE p.id = saved_posts.post_id)));
create policy saved_posts_removed on public.saved_posts as restrictive for select to authenticated
  using (NOT (post_id IN ( SELECT private.removed_post_ids() AS removed_post_ids)));
create policy saved_posts_select on public.saved_posts for select to authenticated
  using (user_id = (( SELECT auth.uid() AS uid)));
create policy saved_posts_session on public.saved_posts as restrictive for all to authenticated
  using (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL OR user_id = (( SELECT auth.uid() AS uid)) AND NULLIF(( SELECT private.has_account() AS has_account), false) IS NOT NULL)
  with check (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL);
CREATE TRIGGER saved_posts_allow BEFORE INSERT ON saved_posts FOR EACH ROW WHEN (row_security_active('public.saved_posts'::text)) EXECUTE FUNCTION private.count_quota('saved_posts');
CREATE TRIGGER saved_posts_allow_delete BEFORE DELETE ON saved_posts FOR EACH STATEMENT WHEN (row_security_active('public.saved_posts'::text)) EXECUTE FUNCTION private.count_quota('removals');
CREATE TRIGGER saved_posts_apart AFTER INSERT ON saved_posts REFERENCING NEW TABLE AS changed FOR EACH STATEMENT WHEN (row_security_active('public.saved_posts'::text)) EXECUTE FUNCTION private.refuse_apart();

create table public.stories (
  id uuid default private.new_id() not null,
  user_id uuid not null,
  media_url text,
  media_type text not null,
  content text,
  audience text default 'public'::text not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone default (now() + '24:00:00'::interval) not null,
  thumbnail_url text,
  media_width integer,
  media_height integer,
  duration_ms integer,
  media_path text,
  poster_path text,
  thumbhash text,
  state text default 'visible'::text not null,
  has_sound boolean,
  color_space text,
  constraint stories_pkey PRIMARY KEY (id),
  constraint stories_media_path_key UNIQUE (media_path),
  constraint stories_poster_path_key UNIQUE (poster_path),
  constraint stories_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint stories_audience_check CHECK (audience = ANY (ARRAY['public'::text, 'followers'::text, 'nobody'::text])),
  constraint stories_color_space CHECK (color_space = ANY (ARRAY['srgb'::text, 'p3'::text])),
  constraint stories_content_length CHECK (char_length(content) <= 500),
  constraint stories_content_not_blank CHECK (content ~ '\S'::text),
  constraint stories_duration CHECK (duration_ms IS NULL OR media_type = 'video'::text AND duration_ms >= 1 AND duration_ms <= 60000),
  constraint stories_has_sound CHECK (has_sound IS NULL OR media_type = 'video'::text),
  constraint stories_media_format CHECK ("left"(media_url, 23) ~
CASE media_type
    WHEN 'image'::text THEN '^data:image/(webp|jpeg|png);base64,'::text
    ELSE '^data:video/(mp4|webm);base64,'::text
END),
  constraint stories_media_length CHECK (char_length(media_url) <=
CASE media_type
    WHEN 'image'::text THEN 2100000
    ELSE 28000000
END),
  constraint stories_media_parts CHECK (
CASE
    WHEN media_path IS NULL THEN num_nonnulls(poster_path, thumbhash) = 0
    ELSE thumbnail_url IS NULL
END),
  constraint stories_media_path CHECK (private.is_object_key(media_path, user_id, media_type)),
  constraint stories_media_size CHECK ((media_width IS NULL) = (media_height IS NULL) AND media_width >= 1 AND media_width <= 8192 AND media_height >= 1 AND media_height <= 8192),
  constraint stories_media_type_check CHECK (media_type = ANY (ARRAY['image'::text, 'video'::text])),
  constraint stories_one_media CHECK (num_nonnulls(media_url, media_path) = 1),
  constraint stories_poster_path CHECK (private.is_object_key(poster_path, user_id, 'image'::text)),
  constraint stories_state_check CHECK (state = ANY (ARRAY['visible'::text, 'warned'::text, 'hidden'::text])),
  constraint stories_thumbhash CHECK (private.is_thumbhash(thumbhash)),
  constraint stories_thumbnail_format CHECK ("left"(thumbnail_url, 23) ~ '^data:image/(webp|jpeg|png);base64,'::text),
  constraint stories_thumbnail_length CHECK (char_length(thumbnail_url) <= 28000)
);
comment on table public.stories is 'Pictures and videos that expire. Triggers set audience from the author''s privacy and the state. Clients cannot set created_at or expires_at, so a list newest first can sort by expires_at, which has the index.';
CREATE INDEX stories_expires_idx ON public.stories USING btree (expires_at DESC, id DESC);
CREATE INDEX stories_user_idx ON public.stories USING btree (user_id, expires_at DESC, id DESC);
alter table public.stories enable row level security;
grant insert (id, user_id, media_url, media_type, content, thumbnail_url, media_width, media_height, duration_ms, media_path, poster_path, thumbhash), select on public.stories to authenticated;
create policy stories_insert on public.stories for insert to authenticated
  with check (user_id = (( SELECT auth.uid() AS uid)));
create policy stories_select on public.stories for select to authenticated
  using (CASE
    WHEN user_id = (( SELECT auth.uid() AS uid)) THEN expires_at > (now() - '7 days'::interval)
    WHEN expires_at > now() THEN (audience = 'public'::text OR audience = 'followers'::text AND (user_id IN ( SELECT private.my_following_ids() AS my_following_ids))) AND NOT (user_id IN ( SELECT private.my_hidden_ids() AS my_hidden_ids))
    ELSE false
    END);
create policy stories_session on public.stories as restrictive for all to authenticated
  using (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL OR user_id = (( SELECT auth.uid() AS uid)) AND NULLIF(( SELECT private.has_account() AS has_account), false) IS NOT NULL)
  with check (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL);
CREATE TRIGGER stories_allow BEFORE INSERT ON stories FOR EACH ROW WHEN (row_security_active('public.stories'::text)) EXECUTE FUNCTION private.count_quota('stories');
CREATE TRIGGER stories_allow_media BEFORE INSERT ON stories FOR EACH ROW WHEN (row_security_active('public.stories'::text)) EXECUTE FUNCTION private.check_media_quota();
CREATE TRIGGER stories_audience BEFORE INSERT ON stories FOR EACH ROW WHEN (NOT row_security_active('public.stories'::text) OR new.user_id = auth.uid()) EXECUTE FUNCTION private.set_audience();
CREATE TRIGGER stories_bound_content BEFORE INSERT OR UPDATE OF content ON stories FOR EACH ROW WHEN (char_length(new.content) > 1000) EXECUTE FUNCTION private.refuse_blank('stories_content_length');
CREATE TRIGGER stories_check_objects BEFORE INSERT ON stories FOR EACH ROW WHEN (num_nonnulls(new.media_path, new.poster_path) > 0) EXECUTE FUNCTION private.check_objects('user_id', 'media_path', 'poster_path');
CREATE TRIGGER stories_cleanup AFTER INSERT ON stories FOR EACH STATEMENT EXECUTE FUNCTION private.cleanup_stories();
CREATE TRIGGER stories_compose BEFORE INSERT ON stories FOR EACH ROW WHEN (NOT (new.content IS NFC NORMALIZED)) EXECUTE FUNCTION private.compose_texts('content');
CREATE TRIGGER stories_compose_change BEFORE UPDATE OF content ON stories FOR EACH ROW WHEN (new.content IS DISTINCT FROM old.content AND NOT (new.content IS NFC NORMALIZED)) EXECUTE FUNCTION private.compose_texts('content');
CREATE TRIGGER stories_notify_mentions AFTER INSERT ON stories FOR EACH ROW WHEN (new.content IS NOT NULL) EXECUTE FUNCTION private.notify_story_mentions();
CREATE TRIGGER stories_state BEFORE UPDATE OF state ON stories FOR EACH ROW WHEN (new.state <> old.state) EXECUTE FUNCTION private.set_audience();
CREATE TRIGGER stories_visible BEFORE INSERT ON stories FOR EACH ROW WHEN (NOT private.is_visible(new.content)) EXECUTE FUNCTION private.refuse_blank('stories_content_not_blank');
CREATE TRIGGER stories_visible_change BEFORE UPDATE OF content ON stories FOR EACH ROW WHEN (new.content IS DISTINCT FROM old.content AND NOT private.is_visible(new.content)) EXECUTE FUNCTION private.refuse_blank('stories_content_not_blank');

create table public.story_views (
  viewer_id uuid not null,
  story_id uuid not null,
  created_at timestamp with time zone default now() not null,
  constraint story_views_pkey PRIMARY KEY (story_id, viewer_id),
  constraint story_views_story_id_fkey FOREIGN KEY (story_id) REFERENCES stories(id) ON DELETE CASCADE,
  constraint story_views_viewer_id_fkey FOREIGN KEY (viewer_id) REFERENCES profiles(id) ON DELETE CASCADE
);
comment on table public.story_views is 'One per story and viewer, never its owner. Visible to viewer and owner.';
CREATE INDEX story_views_story_idx ON public.story_views USING btree (story_id, created_at DESC, viewer_id DESC);
CREATE INDEX story_views_viewer_idx ON public.story_views USING btree (viewer_id);
alter table public.story_views enable row level security;
grant insert (viewer_id, story_id), select on public.story_views to authenticated;
create policy story_views_insert on public.story_views for insert to authenticated
  with check (viewer_id = (( SELECT auth.uid() AS uid)) AND (EXISTS ( SELECT 1
    FROM stories s
    WHERE s.id = story_views.story_id AND s.user_id <> (( SELECT auth.uid() AS uid)))));
create policy story_views_removed on public.story_views as restrictive for select to authenticated
  using (NOT (story_id IN ( SELECT private.removed_story_ids() AS removed_story_ids)));
create policy story_views_select on public.story_views for select to authenticated
  using (viewer_id = (( SELECT auth.uid() AS uid)) OR NOT (viewer_id IN ( SELECT private.my_hidden_ids() AS my_hidden_ids)) AND (EXISTS ( SELECT 1
    FROM stories s
    WHERE s.id = story_views.story_id AND s.user_id = (( SELECT auth.uid() AS uid))
    OFFSET 0)));
create policy story_views_session on public.story_views as restrictive for all to authenticated
  using (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL)
  with check (NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL);
CREATE TRIGGER story_views_allow BEFORE INSERT ON story_views FOR EACH ROW WHEN (row_security_active('public.story_views'::text)) EXECUTE FUNCTION private.count_quota('story_views');
CREATE TRIGGER story_views_apart AFTER INSERT ON story_views REFERENCING NEW TABLE AS changed FOR EACH STATEMENT WHEN (row_security_active('public.story_views'::text)) EXECUTE FUNCTION private.refuse_apart();
CREATE TRIGGER story_views_notify AFTER INSERT ON story_views REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.notify_story_view();

create table private.account_changes (
  id bigint generated always as identity not null,
  member_id uuid not null,
  kind text not null,
  former_email text,
  changed_at timestamp with time zone default now() not null,
  constraint account_changes_pkey PRIMARY KEY (id),
  constraint account_changes_member_id_fkey FOREIGN KEY (member_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint account_changes_kind_check CHECK (kind = ANY (ARRAY['password'::text, 'email'::text]))
);
comment on table private.account_changes is 'Changes of passwords and e-mail addresses in the last 30 days. former_email: the address before the change, unless it must not recover the account.';
CREATE INDEX account_changes_changed_idx ON private.account_changes USING btree (changed_at);
CREATE INDEX account_changes_former_email_idx ON private.account_changes USING btree (former_email) WHERE (former_email IS NOT NULL);
CREATE INDEX account_changes_member_idx ON private.account_changes USING btree (member_id, changed_at);
alter table private.account_changes enable row level security;

create table private.announcements (
  member_id uuid not null,
  sent_at timestamp with time zone not null,
  constraint announcements_pkey PRIMARY KEY (member_id),
  constraint announcements_member_id_fkey FOREIGN KEY (member_id) REFERENCES profiles(id) ON DELETE CASCADE
);
comment on table private.announcements is 'When a member was last sent a broadcast about likes and follows. Hosted Realtime drops everybody''s broadcasts once there are too many.';
alter table private.announcements enable row level security;

create table private.cleanups (
  is_only boolean default true not null,
  called_at timestamp with time zone not null,
  reached_id uuid,
  walked_at timestamp with time zone,
  constraint cleanups_pkey PRIMARY KEY (is_only),
  constraint cleanups_is_only_check CHECK (is_only)
);
comment on table private.cleanups is 'One row: when cleanup() was called last, the member whose notifications it looked at last, and when it had looked at everybody''s. Without a reached_id it is done until the next day.';
alter table private.cleanups enable row level security;

create table private.count_changes (
  item uuid not null,
  counter text not null,
  id bigint generated always as identity not null,
  change integer not null,
  constraint count_changes_pkey PRIMARY KEY (item, counter, id),
  constraint count_changes_counter_check CHECK (counter = ANY (ARRAY['likes'::text, 'comments'::text, 'comment_likes'::text, 'replies'::text, 'posts'::text, 'followers'::text, 'following'::text]))
);
comment on table private.count_changes is 'What is still to be added to the counters of posts, comments and profiles, because somebody held the row. The next writer of the row adds it up, or settle().';
alter table private.count_changes enable row level security;

create table private.deleted_usernames (
  username text not null,
  since timestamp with time zone default now() not null,
  constraint deleted_usernames_pkey PRIMARY KEY (username)
);
comment on table private.deleted_usernames is 'Usernames of deleted accounts, which nobody can take for 30 days. Nothing else of these accounts is kept.';
CREATE INDEX deleted_usernames_since_idx ON private.deleted_usernames USING btree (since);
alter table private.deleted_usernames enable row level security;

create table private.demo_members (
  member_id uuid not null,
  constraint demo_members_pkey PRIMARY KEY (member_id),
  constraint demo_members_member_id_fkey FOREIGN KEY (member_id) REFERENCES profiles(id) ON DELETE CASCADE
);
comment on table private.demo_members is 'Members of the embedded server''s demo. Empty on hosted projects.';
alter table private.demo_members enable row level security;

create table private.former_usernames (
  username text not null,
  member_id uuid not null,
  since timestamp with time zone default now() not null,
  constraint former_usernames_pkey PRIMARY KEY (username),
  constraint former_usernames_member_id_fkey FOREIGN KEY (member_id) REFERENCES profiles(id) ON DELETE CASCADE
);
comment on table private.former_usernames is 'The last member with a username that nobody has now, and since when it is free. Read by renamed_to().';
CREATE INDEX former_usernames_member_idx ON private.former_usernames USING btree (member_id);
alter table private.former_usernames enable row level security;

create table private.jobs (
  kind text not null,
  subject_id uuid not null,
  items uuid[],
  created_at timestamp with time zone default now() not null,
  not_before timestamp with time zone default now() not null,
  tries integer default 0 not null,
  error text,
  constraint jobs_pkey PRIMARY KEY (kind, subject_id),
  constraint jobs_kind_check CHECK (kind = ANY (ARRAY['account'::text, 'objects'::text, 'requests'::text, 'receipts'::text]))
);
comment on table private.jobs is 'What is removed and not cleaned up yet. kind account: a profile and all that refers to it, readable by nobody; items: the posts, comments or stories that a holder keeps. kind objects: the folder of a closed account in Storage. kind requests: a member who went public, with requests that are not accepted yet. kind receipts: a member who turned receipts off, with marks that others still see.';
CREATE INDEX jobs_due_idx ON private.jobs USING btree (kind, not_before);
CREATE INDEX jobs_items_idx ON private.jobs USING btree (subject_id) WHERE (items IS NOT NULL);
alter table private.jobs enable row level security;

create table private.member_states (
  member_id uuid not null,
  state text not null,
  until timestamp with time zone,
  reason text,
  since timestamp with time zone default now() not null,
  constraint member_states_pkey PRIMARY KEY (member_id),
  constraint member_states_member_id_fkey FOREIGN KEY (member_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint member_states_reason_check CHECK (char_length(reason) <= 500),
  constraint member_states_state_check CHECK (state = ANY (ARRAY['pending'::text, 'limited'::text, 'suspended'::text]))
);
comment on table private.member_states is 'Members who are not active: pending until they are admitted, limited, or suspended. until: when it ends by itself; null: not by itself.';
alter table private.member_states enable row level security;

create table private.post_moves (
  member_id uuid not null,
  before_at timestamp with time zone default 'infinity'::timestamp with time zone not null,
  before_id uuid default 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid not null,
  constraint post_moves_pkey PRIMARY KEY (member_id),
  constraint post_moves_member_id_fkey FOREIGN KEY (member_id) REFERENCES profiles(id) ON DELETE CASCADE
);
comment on table private.post_moves is 'Members whose privacy has changed and some of whose posts still have words and topics with the former audience: those older than the given post.';
alter table private.post_moves enable row level security;

create table private.post_words (
  post_id uuid not null,
  word text not null,
  user_id uuid not null,
  audience text not null,
  created_at timestamp with time zone not null,
  constraint post_words_pkey PRIMARY KEY (post_id, word),
  constraint post_words_post_id_fkey FOREIGN KEY (post_id) REFERENCES posts(id) ON DELETE CASCADE
);
comment on table private.post_words is 'The words of each post''s caption, place and alternative texts, as search keys. Author, audience and time are copies of the post''s. Triggers keep the rows.';
CREATE INDEX post_words_followers_idx ON private.post_words USING btree (user_id, word, created_at DESC, post_id DESC) WHERE (audience = 'followers'::text);
CREATE INDEX post_words_public_idx ON private.post_words USING btree (word, created_at DESC, post_id DESC) INCLUDE (user_id) WHERE (audience = 'public'::text);
alter table private.post_words enable row level security;

create table private.quota_usage (
  member_id uuid not null,
  kind text not null,
  minute_since timestamp with time zone default now() not null,
  in_minute integer default 1 not null,
  day_since timestamp with time zone default now() not null,
  in_day integer default 1 not null,
  constraint quota_usage_pkey PRIMARY KEY (member_id, kind)
) with (fillfactor=90);
comment on table private.quota_usage is 'What members have created and changed in the minute and the day that started with the first row. Deleting does not count down, so creating and deleting in turn uses the quota too.';
CREATE INDEX quota_usage_day_idx ON private.quota_usage USING btree (day_since);
alter table private.quota_usage enable row level security;

create table private.quotas (
  kind text not null,
  per_minute bigint,
  per_day bigint,
  constraint quotas_pkey PRIMARY KEY (kind),
  constraint quotas_per_day_check CHECK (per_day >= 0),
  constraint quotas_per_minute_check CHECK (per_minute >= 0)
);
comment on table private.quotas is 'What one member may create and change; null means no limit. The operator may change it at any time: update private.quotas set per_day = 200 where kind = ''posts''.';
alter table private.quotas enable row level security;

create table private.removed_topics (
  kind text not null,
  audience text not null,
  topic text not null
);
comment on table private.removed_topics is 'Topics that a post no longer has, or no longer with this audience, since the last cleanup, which removes their words if it was the last post.';
alter table private.removed_topics enable row level security;

create table private.sign_ins (
  session_id uuid not null,
  member_id uuid not null,
  created_at timestamp with time zone default now() not null,
  device uuid,
  user_agent text,
  answered_at timestamp with time zone,
  ended_at timestamp with time zone,
  end_reason text,
  constraint sign_ins_pkey PRIMARY KEY (session_id),
  constraint sign_ins_member_id_fkey FOREIGN KEY (member_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint sign_ins_end_reason_check CHECK (end_reason = ANY (ARRAY['password'::text, 'email'::text]))
);
comment on table private.sign_ins is 'Sessions, until 30 days after their end. device: a random id that an installation of the app keeps, null for clients that register none. answered_at: when an older device said whether the member signed in. end_reason: what was changed.';
CREATE INDEX sign_ins_ended_idx ON private.sign_ins USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX sign_ins_member_idx ON private.sign_ins USING btree (member_id, created_at);
alter table private.sign_ins enable row level security;

create table private.staff (
  member_id uuid not null,
  role text not null,
  since timestamp with time zone default now() not null,
  constraint staff_pkey PRIMARY KEY (member_id),
  constraint staff_member_id_fkey FOREIGN KEY (member_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint staff_role_check CHECK (role = ANY (ARRAY['owner'::text, 'moderator'::text]))
);
comment on table private.staff is 'Who moderates: one owner at most, and moderators. Looked up at each use, never in a token.';
CREATE UNIQUE INDEX staff_owner_key ON private.staff USING btree (role) WHERE (role = 'owner'::text);
alter table private.staff enable row level security;

create table private.topic_words (
  kind text not null,
  audience text not null,
  is_start boolean not null,
  words text not null,
  topic text not null
);
comment on table private.topic_words is 'The words of each topic from each word on: museum berggruen berlin, berggruen berlin, berlin. Once for all public posts of the topic and once for all others, of any author. Triggers of post_topics add rows, the cleanup removes those of topics without posts.';
CREATE INDEX topic_words_search_idx ON private.topic_words USING btree (is_start, kind, audience, words, topic);
CREATE INDEX topic_words_topic_idx ON private.topic_words USING btree (topic, kind, audience);
alter table private.topic_words enable row level security;

create table private.unfinished_blocks (
  blocker_id uuid not null,
  blocked_id uuid not null,
  constraint unfinished_blocks_pkey PRIMARY KEY (blocker_id, blocked_id),
  constraint unfinished_blocks_blocked_id_fkey FOREIGN KEY (blocked_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint unfinished_blocks_blocker_id_fkey FOREIGN KEY (blocker_id) REFERENCES profiles(id) ON DELETE CASCADE
);
comment on table private.unfinished_blocks is 'Blocks that hide the two members from each other, while what they left with each other is still there, because others held it. The cleanup removes it.';
CREATE INDEX unfinished_blocks_blocked_idx ON private.unfinished_blocks USING btree (blocked_id);
alter table private.unfinished_blocks enable row level security;

create table private.waiting_broadcasts (
  member_id uuid not null,
  id bigint generated always as identity not null,
  changed_table text not null,
  operation text not null,
  ids uuid[] not null,
  constraint waiting_broadcasts_pkey PRIMARY KEY (member_id, id),
  constraint waiting_broadcasts_member_id_fkey FOREIGN KEY (member_id) REFERENCES profiles(id) ON DELETE CASCADE
);
comment on table private.waiting_broadcasts is 'Changes of likes and follows that still have to be broadcast to a member, because one was sent within two seconds or is being sent.';
alter table private.waiting_broadcasts enable row level security;

create table private.withdrawn_notifications (
  actor_id uuid not null,
  recipient_id uuid not null,
  kind text not null,
  subject_id uuid not null,
  notification_id uuid,
  read boolean not null,
  notified_at timestamp with time zone not null,
  constraint withdrawn_notifications_pkey PRIMARY KEY (actor_id, kind, subject_id),
  constraint withdrawn_notifications_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint withdrawn_notifications_recipient_id_fkey FOREIGN KEY (recipient_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint withdrawn_notifications_kind_check CHECK (kind = ANY (ARRAY['like'::text, 'comment_like'::text, 'follow'::text, 'follow_request'::text]))
);
comment on table private.withdrawn_notifications is 'Notifications whose like, follow or request was undone, kept for a day after they were inserted: doing it again restores the same row with its read state.';
CREATE INDEX withdrawn_notifications_notified_idx ON private.withdrawn_notifications USING btree (notified_at);
CREATE INDEX withdrawn_notifications_recipient_idx ON private.withdrawn_notifications USING btree (recipient_id);
alter table private.withdrawn_notifications enable row level security;

-- realtime.messages belongs to Supabase.
create policy conversation_channels_receive on realtime.messages for select to authenticated
  using (extension = 'broadcast'::text AND (( SELECT realtime.topic() AS topic)) ~~ 'conversation:%'::text AND ( SELECT private.may_join(( SELECT realtime.topic() AS topic)) AS may_join));
create policy member_channel_receive on realtime.messages for select to authenticated
  using (extension = 'broadcast'::text AND (( SELECT realtime.topic() AS topic)) = ('member:'::text || (( SELECT auth.uid() AS uid))) AND ( SELECT private.is_member() AS is_member));
create policy post_channels_receive on realtime.messages for select to authenticated
  using (extension = 'broadcast'::text AND ( SELECT private.is_member() AS is_member) AND (EXISTS ( SELECT 1
    FROM posts p
    WHERE p.id =
    CASE
    WHEN (( SELECT realtime.topic() AS topic)) ~ '^post:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'::text THEN substr(( SELECT realtime.topic() AS topic), 6)::uuid
    ELSE NULL::uuid
    END)));
create policy room_channels_receive on realtime.messages for select to authenticated
  using ((extension = ANY (ARRAY['broadcast'::text, 'presence'::text])) AND (( SELECT realtime.topic() AS topic)) ~~ 'room:%'::text AND ( SELECT private.may_join(( SELECT realtime.topic() AS topic)) AS may_join));
create policy room_channels_send on realtime.messages for insert to authenticated
  with check ((extension = ANY (ARRAY['broadcast'::text, 'presence'::text])) AND (( SELECT realtime.topic() AS topic)) ~~ 'room:%'::text AND ( SELECT private.may_join(( SELECT realtime.topic() AS topic)) AS may_join));

-- storage.objects belongs to Supabase.
create policy media_delete on storage.objects for delete to authenticated
  using (bucket_id = 'media'::text AND split_part(name, '/'::text, 1) = ((( SELECT auth.uid() AS uid))::text) AND ( SELECT private.media_columns_match() AS media_columns_match) AND NOT private.is_object_used(name));
create policy media_insert on storage.objects for insert to authenticated
  with check (bucket_id = 'media'::text AND (private.is_object_key(name, ( SELECT auth.uid() AS uid), 'image'::text) OR private.is_object_key(name, ( SELECT auth.uid() AS uid), 'video'::text)) AND NOT private.is_object_used(name) AND private.has_upload_room(name, COALESCE((metadata ->> 'size'::text)::bigint, (metadata ->> 'contentLength'::text)::bigint)));
create policy media_select on storage.objects for select to authenticated
  using (bucket_id = 'media'::text AND (split_part(name, '/'::text, 1) = ((( SELECT auth.uid() AS uid))::text) OR (EXISTS ( SELECT 1
    FROM post_media t
    WHERE t.feed_path = objects.name
    OFFSET 0)) OR (EXISTS ( SELECT 1
    FROM post_media t
    WHERE t.grid_path = objects.name
    OFFSET 0)) OR (EXISTS ( SELECT 1
    FROM post_media t
    WHERE t.middle_path = objects.name
    OFFSET 0)) OR (EXISTS ( SELECT 1
    FROM post_media t
    WHERE t.full_path = objects.name
    OFFSET 0)) OR (EXISTS ( SELECT 1
    FROM post_media t
    WHERE t.media_path = objects.name
    OFFSET 0)) OR (EXISTS ( SELECT 1
    FROM profiles t
    WHERE t.avatar_path = objects.name
    OFFSET 0)) OR (EXISTS ( SELECT 1
    FROM message_media t
    WHERE t.poster_path = objects.name
    OFFSET 0)) OR (EXISTS ( SELECT 1
    FROM message_media t
    WHERE t.media_path = objects.name
    OFFSET 0)) OR (EXISTS ( SELECT 1
    FROM stories t
    WHERE t.poster_path = objects.name
    OFFSET 0)) OR (EXISTS ( SELECT 1
    FROM stories t
    WHERE t.media_path = objects.name
    OFFSET 0)) OR (EXISTS ( SELECT 1
    FROM conversations t
    WHERE t.picture_path = objects.name
    OFFSET 0)) OR (name IN ( SELECT private.my_blocked_avatars() AS my_blocked_avatars))));
create policy media_session on storage.objects as restrictive for all to authenticated
  using (bucket_id IS DISTINCT FROM 'media'::text OR NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL OR split_part(name, '/'::text, 1) = ((( SELECT auth.uid() AS uid))::text) AND NULLIF(( SELECT private.has_account() AS has_account), false) IS NOT NULL)
  with check (bucket_id IS DISTINCT FROM 'media'::text OR NULLIF(( SELECT private.is_member() AS is_member), false) IS NOT NULL);

-- Views

create view private.reports_overview as
SELECT r.created_at,
    r.reason,
    r.details,
    m.username AS member,
    count(*) OVER (PARTITION BY r.member_id) AS reports_of_member,
    r.post_id,
    r.post_content,
    b.username AS reported_by,
    r.member_id,
    r.reporter_id,
    r.id
   FROM reports r
     JOIN profiles m ON m.id = r.member_id
     JOIN profiles b ON b.id = r.reporter_id
  ORDER BY r.created_at DESC, r.id;

-- Functions

-- Accepts a member's request to follow the caller. PT404 if there is none.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.accept_follow_request(requester uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.accept_follow_request(requester)
$function$;

-- Answers a sign-in of new_sign_ins(). It ends no session: sign out first.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.answer_sign_in(sign_in uuid, was_me boolean)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.answer_sign_in(sign_in, was_me)
$function$;

-- Blocks at most 100 members; idempotent. PT404 if one of them is unknown. PT503 if others use what lies between the two for two seconds.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.block_members(ids uuid[])
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.block_members(ids)
$function$;

-- Members that the caller has blocked, newest first. Names and picture are empty if the other has blocked the caller too.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.blocked_members()
 RETURNS TABLE(id uuid, username text, full_name text, avatar_url text, avatar_path text, created_at timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select id, username, full_name, avatar_url, avatar_path, created_at from private.blocked_members()
$function$;

-- Call until true, remove the objects of the own folder, then call delete_account(). PT428 unless the caller signed in recently.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.clear_account()
 RETURNS boolean
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.clear_account()
$function$;

-- How many requests and archived conversations the caller has, each up to 100: the app shows 99+ above 99.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.conversation_folders()
 RETURNS TABLE(folder text, conversations integer)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select folders.folder, counted.conversations
  from unnest(array['requests', 'archived']) as folders (folder)
  cross join lateral (
    select count(*)::integer as conversations from (
      select 1 from public.conversation_views m
      where m.member_id = (select auth.uid()) and m.folder = folders.folder limit 100
    ) as listed
  ) as counted
  where counted.conversations > 0
$function$;

-- How many posts with a hashtag or of a place the caller may see, at most 1,001.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.count_topic_posts(topic_kind text, topic_name text)
 RETURNS integer
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select count(*)::integer
  from (
    select from public.post_topics t
    -- No name of a topic is longer than a place.
    where t.kind = topic_kind and t.topic = private.fold_case(private.composed(left(topic_name, 200)))
    order by t.created_at desc, t.post_id desc limit 1001
  ) as found
$function$;

-- Inserts a post with up to ten photos and videos whose objects have been uploaded: an array of {full_path, middle_path, feed_path, grid_path, width, height, thumbhash, alt_text, camera}, in their order; camera is JSON text, middle_path may be left out. One of kind video has its cover there, and {media_path, duration_ms, has_sound, captions}. A second call with the same id changes nothing and returns the same.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.create_post(post_id uuid, content text DEFAULT ''::text, location text DEFAULT NULL::text, media jsonb DEFAULT '[]'::jsonb)
 RETURNS TABLE(id uuid, created_at timestamp with time zone)
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  me constant uuid := (select auth.uid());
begin
  -- A retry after a lost response: the post exists, whatever has changed since.
  return query select p.id, p.created_at from public.posts p where p.id = create_post.post_id and p.user_id = me;
  if found then
    return;
  end if;
  set constraints public.posts_not_empty deferred;
  insert into public.posts (id, user_id, content, location)
    values (create_post.post_id, me, coalesce(create_post.content, ''), create_post.location);
  insert into public.post_media (
      user_id, post_id, position, full_path, middle_path, feed_path, grid_path, width, height, thumbhash, alt_text, camera,
      kind, media_path, duration_ms, has_sound, captions, has_captions
    )
    select me, create_post.post_id, medium.number - 1, medium.full_path, medium.middle_path, medium.feed_path,
      medium.grid_path, medium.width, medium.height, medium.thumbhash, medium.alt_text, medium.camera::jsonb,
      coalesce(medium.kind, 'photo'), medium.media_path, medium.duration_ms, medium.has_sound, medium.captions,
      medium.captions is not null
    from rows from (
      jsonb_to_recordset(create_post.media) as (
        full_path text, middle_path text, feed_path text, grid_path text, width integer, height integer,
        thumbhash text, alt_text text, camera text, kind text, media_path text, duration_ms integer,
        has_sound boolean, captions text
      )
    ) with ordinality as medium (
      full_path, middle_path, feed_path, grid_path, width, height, thumbhash, alt_text, camera, kind, media_path,
      duration_ms, has_sound, captions, number
    );
  set constraints public.posts_not_empty immediate;
  return query select p.id, p.created_at from public.posts p where p.id = create_post.post_id;
exception when unique_violation then
  -- The same call has just been committed by another connection.
  return query select p.id, p.created_at from public.posts p where p.id = create_post.post_id and p.user_id = me;
  if not found then
    raise;
  end if;
end
$function$;

-- Deletes the caller's account and all its data in one transaction. PT428 unless the caller signed in recently.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.delete_account()
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
 SET statement_timeout TO '30s'
AS $function$
  select private.delete_account()
$function$;

-- Deletes own comments and those on own posts, with their replies, at most 100; other ids are ignored. PT503 if others use them for two seconds.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.delete_comments(ids uuid[])
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
 SET statement_timeout TO '30s'
AS $function$
  select private.delete_comments(ids)
$function$;

-- Deletes own posts, at most 100; ids of others and unknown ones are ignored. PT503 if others use them for two seconds.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.delete_posts(ids uuid[])
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
 SET statement_timeout TO '30s'
AS $function$
  select private.delete_posts(ids)
$function$;

-- Deletes own stories, at most 100; other ids are ignored. PT503 if others use them for two seconds.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.delete_stories(ids uuid[])
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.delete_stories(ids)
$function$;

-- Edits an own message. Nothing of it can be made slow, and it may wait longer than the other member can hold the message: docs/decisions/0111-short-writes.md.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.edit_message(message uuid, content text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.edit_message(message, content)
$function$;

-- Ends a follow, and withdraws or declines a request, of which the caller is one of the two. Nothing of it can be made slow, and it may wait longer than who holds the row: docs/decisions/0111-short-writes.md.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.end_follow(follower uuid, following uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  -- Counts against the quota while nothing is held: it may wait longer than others for the counter too.
  delete from public.follow_requests where false;
  -- The request first: if it is accepted at the same moment, the second statement ends the follow.
  delete from public.follow_requests where requester_id = follower and target_id = following;
  delete from public.follows where follower_id = follower and following_id = following;
$function$;

-- Signs out one of the caller's devices; my_sessions() lists them.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.end_session(session uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.end_session(session)
$function$;

-- A page of thirty public photographs of others that the caller may see, older than a given post; without one, the newest.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.explore_posts(before_at timestamp with time zone DEFAULT NULL::timestamp with time zone, before_id uuid DEFAULT NULL::uuid)
 RETURNS SETOF posts
 LANGUAGE sql
 STABLE ROWS 30
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
  select p.* from public.posts p
  where p.audience = 'public' and p.user_id <> (select auth.uid())
    and (p.created_at, p.id) < (
      (select coalesce(before_at, 'infinity')), (select coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
    )
    and (
      p.image_width is not null or p.thumbnail_url is not null
      or exists (select from public.post_media h where h.post_id = p.id offset 0)
    )
  order by p.created_at desc, p.id desc limit 30
$function$;

-- A page of eight posts of the caller, of the members and with the hashtags that the caller follows, older than a given post; without one, the newest.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.following_posts(before_at timestamp with time zone DEFAULT NULL::timestamp with time zone, before_id uuid DEFAULT NULL::uuid)
 RETURNS SETOF posts
 LANGUAGE sql
 STABLE ROWS 8
 SET search_path TO ''
AS $function$
  select p.*
  from (
    select private.following_post_ids(before_at, before_id)
    union
    select private.followed_hashtag_post_ids(before_at, before_id)
  ) as found (id)
  join public.posts p on p.id = found.id
  order by p.created_at desc, p.id desc limit 8
$function$;

-- Which of these usernames, separated by spaces, lead to a member that the caller may see; at most 100.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.known_usernames(names text)
 RETURNS TABLE(username text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select username from private.known_usernames(left(names, 4000))
$function$;

-- A device of the caller has received their new messages: tells the senders.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.mark_delivered()
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.mark_delivered()
$function$;

-- Raises the caller's mark of a conversation, never beyond the newest message that they may read; others see it if receipts are on and the request is accepted. Then up to 100 messages of a pair get read, the oldest first; returns whether more may be left. PT401, PT403, PT429.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.mark_read(conversation uuid, until_at timestamp with time zone, until_id uuid)
 RETURNS boolean
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.mark_read(conversation, until_at, until_id)
$function$;

-- Whether clients store pictures and videos in Storage. If not, they store them in the rows.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.media_in_storage()
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select private.media_in_storage()
$function$;

-- The most bytes of an object that clients can store; null if they store pictures and videos in the rows.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.media_limit()
 RETURNS bigint
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select private.media_limit()
$function$;

-- Members that the caller has muted, newest first.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.muted_members()
 RETURNS TABLE(id uuid, username text, full_name text, avatar_url text, avatar_path text, created_at timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select p.id, p.username, p.full_name, p.avatar_url, p.avatar_path, m.created_at
  from public.mutes m
  join public.profiles p on p.id = m.muted_id
  order by m.created_at desc, p.id
$function$;

-- A page of thirty of the caller's conversations in a folder, or of their groups only, latest first, from before (before_at, before_id). The first page has the pinned ones in addition.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.my_conversations(before_at timestamp with time zone DEFAULT NULL::timestamp with time zone, before_id uuid DEFAULT NULL::uuid, in_folder text DEFAULT 'inbox'::text, only_groups boolean DEFAULT false)
 RETURNS SETOF conversations
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET enable_bitmapscan TO 'off'
AS $function$
-- Not sql: its plan, of many policies, would be made for each call.
begin
  return query
    select * from (
      (
        select * from (
          (
            -- A look-up for each row of the page; the planner would join with all conversations of the server.
            select c.* from (
              select m.conversation_id, m.listed_at,
                -- A pair is listed by an earlier time than that of its last message while no pair is above it, but a group may be. So it may
                -- have been on the page that ended with the group.
                before_id is null or not coalesce((
                  select v.is_group from public.conversation_views v
                  where v.member_id = (select auth.uid()) and v.conversation_id = before_id
                ), false) or bool_or((m.last_message_at, m.conversation_id) < (before_at, before_id)) over listed as is_next
              from public.conversation_views m
              where m.member_id = (select auth.uid()) and m.folder = in_folder and m.pinned_at is null
                and not m.is_group and not only_groups and m.conversation_id is distinct from before_id
                and (m.listed_at, m.conversation_id)
                  < ((select coalesce(before_at, 'infinity')), (select coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff')))
              window listed as (order by m.listed_at desc, m.conversation_id desc)
              order by m.listed_at desc, m.conversation_id desc
            ) as m
            cross join lateral (select * from public.conversations where id = m.conversation_id offset 0) as c
            where m.is_next
            order by m.listed_at desc, m.conversation_id desc limit 30
          )
          union all
          (
            select c.* from public.conversation_views m
            cross join lateral (select * from public.conversations where id = m.conversation_id offset 0) as c
            where m.member_id = (select auth.uid()) and m.folder = in_folder and m.pinned_at is null
              and m.is_group
              and (c.last_message_at, c.id)
                < ((select coalesce(before_at, 'infinity')), (select coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff')))
          )
        ) as merged
        order by merged.last_message_at desc, merged.id desc limit 30
      )
      union all
      (
        select c.* from public.conversation_views m
        cross join lateral (select * from public.conversations where id = m.conversation_id offset 0) as c
        where m.member_id = (select auth.uid()) and m.folder = in_folder and m.pinned_at is not null
          and before_at is null and (m.is_group or not only_groups)
      )
    ) as listed
    order by listed.last_message_at desc, listed.id desc;
end
$function$;

-- The caller's sessions: the current one first, then by last use; at most 100. user_agent may be null.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.my_sessions()
 RETURNS TABLE(id uuid, created_at timestamp with time zone, last_used_at timestamp with time zone, user_agent text, is_current boolean)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select id, created_at, last_used_at, user_agent, is_current from private.my_sessions()
$function$;

-- The caller's own state: active, pending, limited or suspended, until when (null: until it is changed) and why. No row without a session and a profile.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.my_state()
 RETURNS TABLE(state text, until timestamp with time zone, reason text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select state, until, reason from private.my_state()
$function$;

-- Uploads of the caller that no row has used for a day, for the client to remove; at most 1,000.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.my_unused_objects()
 RETURNS TABLE(name text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select name from private.my_unused_objects()
$function$;

-- Sign-ins to the caller's account on new devices since the caller's own, the latest first; at most ten. user_agent may be null.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.new_sign_ins()
 RETURNS TABLE(id uuid, created_at timestamp with time zone, user_agent text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select id, created_at, user_agent from private.new_sign_ins()
$function$;

-- A page of twenty of the caller's groups of notifications, by their latest one, older than a given notification; without one, the latest. Without those of muted members. Each has the columns of that one, the text of its comment or post, whether all are read, the latest two actors, and how many actors are among its latest 101 notifications. A last row with an actor_count of 0 is no group: the next page starts there.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.notification_groups(before_at timestamp with time zone DEFAULT NULL::timestamp with time zone, before_id uuid DEFAULT NULL::uuid)
 RETURNS TABLE(id uuid, group_key text, type text, about text, message text, post_id uuid, comment_id uuid, story_id uuid, created_at timestamp with time zone, read boolean, content text, actor_count integer, actors jsonb)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
 SET enable_bitmapscan TO 'off'
 SET jit TO 'off'
AS $function$
  with
    mine as not materialized (
      select * from public.notifications n
      where n.user_id = (select auth.uid())
        and n.actor_id not in (select m.muted_id from public.mutes m where m.muter_id = (select auth.uid()))
    )
  select
    n.id, n.group_key, n.type, n.about, n.message, n.post_id, n.comment_id, n.story_id, n.created_at,
    -- Not `not exists`, which may be hashed: that reads all unread notifications of the caller.
    (select true from mine u where u.group_key = n.group_key and not u.read limit 1) is null,
    coalesce(c.content, p.content),
    members.actor_count,
    members.actors
  from private.notification_heads(before_at, before_id) as head
  -- A look-up for each group; the planner would join with all notifications of the caller.
  cross join lateral (select * from public.notifications where id = head.id offset 0) as n
  left join public.posts p on p.id = n.post_id
  left join public.comments c on c.id = n.comment_id
  cross join lateral (
    select
      count(*)::integer as actor_count,
      jsonb_agg(
        jsonb_build_object(
          'id', a.id,
          'username', a.username,
          'avatar_url', a.avatar_url,
          'avatar_path', a.avatar_path,
          'is_private', a.is_private
        )
        order by ranked.place
      ) filter (where a.id is not null) as actors
    from (
      select events.actor_id, row_number() over (order by max(events.created_at) desc, events.actor_id) as place
      from (
        select e.actor_id, e.created_at from mine e
        where head.is_group and e.group_key = n.group_key
        order by e.created_at desc, e.id desc limit 101
      ) as events
      group by events.actor_id
    ) as ranked
    -- Looks two profiles up instead of reading all of them.
    left join lateral (
      select * from public.profiles p where ranked.place <= 2 and p.id = ranked.actor_id
      offset 0
    ) as a on true
  ) as members
  order by n.created_at desc, n.id desc
$function$;

-- At most twenty public accounts that the caller may want to follow, without hidden and muted members. followed_by_count members that the caller follows follow the account; followed_by is the latest of them.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.people_to_follow()
 RETURNS TABLE(id uuid, username text, full_name text, avatar_url text, avatar_path text, followed_by text, followed_by_count integer)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select id, username, full_name, avatar_url, avatar_path, followed_by, followed_by_count from private.people_to_follow()
$function$;

-- The hashtags with the most authors among the latest public posts of a week that the caller may see. Reads at most 2,000 rows.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.popular_hashtags()
 RETURNS TABLE(topic text, label text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
 SET enable_bitmapscan TO 'off'
 SET jit TO 'off'
AS $function$
  select recent.topic, (array_agg(recent.label order by recent.created_at desc))[1]
  from (
    select t.topic, t.label, t.user_id, t.created_at from public.post_topics t
    where t.kind = 'hashtag' and t.audience = 'public' and t.created_at > now() - interval '7 days'
      and t.user_id not in (select m.muted_id from public.mutes m where m.muter_id = (select auth.uid()))
    order by t.created_at desc limit 2000
  ) as recent
  group by recent.topic
  order by count(distinct recent.user_id) desc, max(recent.created_at) desc limit 12
$function$;

-- Call after each sign-in with a random id that the installation keeps. A session without one counts as a new device.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.register_device(device uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.register_device(device)
$function$;

-- The current username of the last member who had this one, if the caller may see them; null if there is no such member, or the name is in use.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.renamed_to(name text)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select private.renamed_to(left(name, 31))
$function$;

-- At most twenty of the caller's messages whose text contains the query, ignoring marks and case, newest first, from before (before_at, before_id); in one conversation if one is given. Reads 2,000 messages or 200,000 bytes of text; the last one read is the last row, whether or not it matches.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.search_messages(query text, in_conversation uuid DEFAULT NULL::uuid, before_at timestamp with time zone DEFAULT NULL::timestamp with time zone, before_id uuid DEFAULT NULL::uuid)
 RETURNS TABLE(id uuid, conversation_id uuid, sender_id uuid, content text, created_at timestamp with time zone, is_match boolean, is_last_read boolean)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET enable_bitmapscan TO 'off'
 SET jit TO 'off'
AS $function$
#variable_conflict use_column
-- Not sql: its plan, of many policies, would be made for each call.
begin
  return query
    with start as (
      select coalesce(before_at, 'infinity') as at, coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff') as id,
        case when char_length(private.composed(t.asked)) between 2 and 100 then private.search_key(t.asked) end as wanted
      from (select btrim(left(query, 4000)) as asked) as t
    ), in_groups as materialized (
      select m.* from private.newest_in_groups((select s.at from start s), (select s.id from start s)) as m
      where in_conversation is null
    ), mine as (
      select v.reads_after, coalesce(v.cleared_at, '-infinity') as cleared_at from public.conversation_views v
      where v.member_id = (select auth.uid()) and v.conversation_id = in_conversation
    ), bound as (
      select case when count(*) >= 2000 then min(m.created_at) else '-infinity' end as at from in_groups m
    ), scanned as (
      select candidates.*, row_number() over newest_first as place,
        sum(octet_length(candidates.content)) over newest_first as octets
      from (
        (
          select m.id, m.conversation_id, m.sender_id, m.content, m.created_at from public.messages m
          where in_conversation is null and m.sender_id = (select auth.uid())
            and (m.created_at, m.id) < ((select s.at from start s), (select s.id from start s))
            and m.created_at >= (select b.at from bound b)
          order by m.created_at desc, m.id desc limit 2000
        )
        union all
        (
          select m.id, m.conversation_id, m.sender_id, m.content, m.created_at from public.messages m
          where in_conversation is null and m.recipient_id = (select auth.uid())
            and (m.created_at, m.id) < ((select s.at from start s), (select s.id from start s))
            and m.created_at >= (select b.at from bound b)
          order by m.created_at desc, m.id desc limit 2000
        )
        union all
        -- Own ones are above.
        select m.* from in_groups m where m.sender_id <> (select auth.uid())
        union all
        (
          select m.id, m.conversation_id, m.sender_id, m.content, m.created_at from public.messages m
          where m.conversation_id = in_conversation
            and (m.created_at, m.id) < ((select s.at from start s), (select s.id from start s))
            and m.created_at >= (select greatest(v.reads_after, v.cleared_at) from mine v)
          order by m.created_at desc, m.id desc limit 2000
        )
        union all
        -- Own ones from before the member joined once more.
        (
          select m.id, m.conversation_id, m.sender_id, m.content, m.created_at from public.messages m
          where m.sender_id = (select auth.uid()) and m.conversation_id = in_conversation
            and (m.created_at, m.id) < ((select s.at from start s), (select s.id from start s))
            and m.created_at < (select v.reads_after from mine v) and m.created_at > (select v.cleared_at from mine v)
          order by m.created_at desc, m.id desc limit 2000
        )
      ) as candidates
      window newest_first as (order by candidates.created_at desc, candidates.id desc)
      order by candidates.created_at desc, candidates.id desc limit 2000
    ), read as (
      select s.*, s.place = 2000 or s.octets >= 200000 as is_last from scanned s
      where s.octets - octet_length(s.content) < 200000
    ), found as (
      select r.*, strpos(private.search_key(r.content), (select t.wanted from start t)) > 0 as is_match from read r
    )
    select f.id, f.conversation_id, f.sender_id, case when f.is_match then f.content else '' end, f.created_at,
      f.is_match, f.is_last
    from found f
    where (select t.wanted from start t) <> '' and (f.is_match or f.is_last)
    order by f.created_at desc, f.id desc limit 20;
end
$function$;

-- A page of thirty posts that the caller may see, newest first, whose captions, places and alternative texts together have words that begin with those of the query, older than a given post; without one, the newest.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.search_posts(query text, before_at timestamp with time zone DEFAULT NULL::timestamp with time zone, before_id uuid DEFAULT NULL::uuid)
 RETURNS SETOF posts
 LANGUAGE sql
 STABLE ROWS 30
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
  select shown.*
  from (
    select p.*
    from unnest(array(select private.found_post_ids(left(query, 4000), before_at, before_id))) with ordinality as found (id, place)
    -- A look-up for each until there are enough. A join may be planned as a scan of all posts in the order of their times.
    cross join lateral (select * from public.posts where id = found.id offset 0) as p
    order by found.place limit 30
  ) as shown
  order by shown.created_at desc, shown.id desc
$function$;

-- At most ten members, without the caller and members hidden from them, whose username or full name contains the query, ignoring case; % _ and \ are literal.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.search_profiles(query text)
 RETURNS TABLE(id uuid, username text, full_name text, avatar_url text, avatar_path text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select id, username, full_name, avatar_url, avatar_path from private.search_profiles(left(query, 4000))
$function$;

-- At most five hashtags and five places of which the query begins a word, and which have posts that the caller may see; only hashtags if it begins with #.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.search_topics(query text)
 RETURNS TABLE(kind text, topic text, label text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
  select shown.kind, shown.topic, shown.label
  from (
    select found.kind, found.topic, written.label, found.place,
      row_number() over (partition by found.kind order by found.place) as of_kind
    from private.found_topics(left(query, 4000)) with ordinality as found (kind, topic, post_ids, place)
    cross join lateral (
      select t.label
      from unnest(found.post_ids) with ordinality as post (id, place)
      cross join lateral (
        select label from public.post_topics where post_id = post.id and kind = found.kind and topic = found.topic offset 0
      ) as t
      order by post.place limit 1
    ) as written
  ) as shown
  where shown.of_kind <= 5
  order by shown.place
$function$;

-- For a device that was signed out: the change that ended its session (`password`, `email` or null), and when. No row while the session exists, and 30 days after its end.
-- Callable by anon, authenticated.
CREATE OR REPLACE FUNCTION public.session_end(session uuid)
 RETURNS TABLE(reason text, ended_at timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select reason, ended_at from private.session_end(session)
$function$;

-- For the app after a like, follow or comment, a second later: adds up what had to wait, for everybody. Returns after how many milliseconds to call it again; null if nothing is left.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.settle()
 RETURNS integer
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.settle()
$function$;

-- Whether this server is set up for the app. Contains no data of members.
-- Callable by anon, authenticated.
CREATE OR REPLACE FUNCTION public.setup_status()
 RETURNS json
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select private.setup_status()
$function$;

-- A column of posts for reads: comment_count and the changes that wait.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.shown_comment_count(posts)
 RETURNS integer
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select greatest(0, $1.comment_count + private.waiting_count($1.id, 'comments')) $function$;

-- A column of profiles for reads: follower_count and the changes that wait.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.shown_follower_count(profiles)
 RETURNS integer
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select greatest(0, $1.follower_count + private.waiting_count($1.id, 'followers')) $function$;

-- A column of profiles for reads: following_count and the changes that wait.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.shown_following_count(profiles)
 RETURNS integer
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select greatest(0, $1.following_count + private.waiting_count($1.id, 'following')) $function$;

-- A column of comments for reads: like_count and the changes that wait.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.shown_like_count(comments)
 RETURNS integer
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select greatest(0, $1.like_count + private.waiting_count($1.id, 'comment_likes')) $function$;

-- A column of posts for reads: like_count and the changes that wait.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.shown_like_count(posts)
 RETURNS integer
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select greatest(0, $1.like_count + private.waiting_count($1.id, 'likes')) $function$;

-- A column of profiles for reads: post_count and the changes that wait.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.shown_post_count(profiles)
 RETURNS integer
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select greatest(0, $1.post_count + private.waiting_count($1.id, 'posts')) $function$;

-- A column of comments for reads: reply_count and the changes that wait.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.shown_reply_count(comments)
 RETURNS integer
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select greatest(0, $1.reply_count + private.waiting_count($1.id, 'replies')) $function$;

-- Whether the caller may change or delete the account without entering the password again.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.signed_in_recently()
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select private.signed_in_recently()
$function$;

-- Records that the caller is active now. Writes nothing and takes no lock while their Activity Status is off, and within 30 seconds of the last time.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.touch_activity()
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.require_active();
  insert into public.activity (user_id)
  select (select auth.uid())
  where (select private.shows_activity()) and not exists (
    select 1 from public.activity a
    where a.user_id = (select auth.uid()) and a.last_active_at >= now() - interval '30 seconds'
  )
  on conflict (user_id) do update set last_active_at = now()
$function$;

-- Conversations of the inbox, groups too, with a message that the caller has not read, without muted ones and those of members they have blocked, 0 to 10: the badge shows 9+ above nine. Looks at the newest thousand pairs. Requests do not count.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.unread_conversations()
 RETURNS integer
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET enable_sort TO 'off'
AS $function$
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
$function$;

-- Those of up to a hundred groups of the caller that have a message which they have not read. Of pairs conversation_views.unread says it.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.unread_groups(of_groups uuid[])
 RETURNS TABLE(conversation_id uuid)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select g from private.unread_groups(of_groups[1:100], 100) as g $function$;

-- The caller's unread notifications, 0 to 10: the badge shows 9+ above nine. Leaves out those of muted members, as notification_groups() does.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.unread_notifications()
 RETURNS integer
 LANGUAGE sql
 STABLE
 SET search_path TO ''
 SET enable_bitmapscan TO 'off'
AS $function$
  select count(*)::integer
  from (
    select 1 from public.notifications n
    where n.user_id = (select auth.uid()) and not n.read
      and n.actor_id not in (select m.muted_id from public.mutes m where m.muter_id = (select auth.uid()))
    -- The order of notifications_unread_group_idx: the first ten of it are read, not the table.
    order by n.group_key limit 10
  ) as counted
$function$;

-- Unsends an own message. Nothing of it can be made slow, and it may wait longer than the other member can hold the message: docs/decisions/0111-short-writes.md.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION public.unsend_message(message uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.unsend_message(message)
$function$;

-- Whether a username is well formed and free. Besides setup_status(), the only function that signed-out visitors may call.
-- Callable by anon, authenticated.
CREATE OR REPLACE FUNCTION public.username_available(name text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select private.username_available(left(name, 31))
$function$;

-- Objects that closed accounts have left. Only with the secret key: npm run objects removes them.
CREATE OR REPLACE FUNCTION public.waiting_objects(most integer DEFAULT 100)
 RETURNS TABLE(name text)
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select name from private.waiting_objects(most)
$function$;

-- Turns a request to the caller into a follow and notifies the requester. PT404 if it was withdrawn or answered meanwhile.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.accept_follow_request(requester uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me constant uuid := (select auth.uid());
begin
  perform private.require_active();
  if not private.is_member() then
    raise sqlstate 'PT401' using message = 'Sign in first.';
  end if;
  delete from public.follow_requests where requester_id = requester and target_id = me;
  if not found then
    raise sqlstate 'PT404' using message = 'There is no such request any more.';
  end if;
  perform private.accept_requests(array[requester], me);
end
$function$;

-- Following a member accepts their conversation, and ends an own request to them that is still there.
CREATE OR REPLACE FUNCTION private.accept_followed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.conversation_views m
    set accepted = true, folder = 'inbox'
    from changed f
    join public.conversations c
      on least(c.participant_1, c.participant_2) = least(f.follower_id, f.following_id)
      and greatest(c.participant_1, c.participant_2) = greatest(f.follower_id, f.following_id)
    where m.conversation_id = c.id and m.member_id = f.follower_id and m.folder = 'requests';
  -- Who follows a member whose requests are still being accepted, and unfollows them, is not made to follow again.
  delete from public.follow_requests where ctid = any (array(
    select r.ctid from changed f
    join public.follow_requests r on r.requester_id = f.follower_id and r.target_id = f.following_id
    for update of r skip locked
  ));
  return null;
end
$function$;

-- Accepts up to max_rows requests that a change to public left, until others hold one; returns for how many members it went on.
CREATE OR REPLACE FUNCTION private.accept_left_requests(max_rows integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  job private.jobs;
  step integer;
  accepted integer := 0;
  went_on integer := 0;
begin
  for job in
    select j.* from private.jobs j where j.kind = 'requests' order by random() limit max_rows for update skip locked
  loop
    -- A member who is private again answers what is left.
    perform from public.profiles p where p.id = job.subject_id and not p.is_private for no key update skip locked;
    if found then
      step := private.accept_waiting(job.subject_id, max_rows - accepted);
      accepted := accepted + step;
    else
      step := 0;
    end if;
    if exists (
      select from public.profiles p join public.follow_requests r on r.target_id = p.id
      where p.id = job.subject_id and not p.is_private
    ) then
      exit when step = 0;
    else
      delete from private.jobs j where j.kind = job.kind and j.subject_id = job.subject_id;
    end if;
    went_on := went_on + 1;
    exit when accepted >= max_rows;
  end loop;
  return went_on;
end
$function$;

-- Turns requests that were just deleted into follows, and notifies the requesters.
CREATE OR REPLACE FUNCTION private.accept_requests(requesters uuid[], target uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.follows (follower_id, following_id)
    select requester, target from unnest(requesters) as requester
    on conflict do nothing;
  perform private.add_notifications(array(
    select (target, requester, 'follow_accepted', requester, now())::private.notification_event
    from unnest(requesters) as requester
  ));
end
$function$;

-- Accepts up to `most` requests to a member who is now public, whose row the caller has locked. Waits for no other member's row, who may wait for this one. Returns how many.
CREATE OR REPLACE FUNCTION private.accept_waiting(target uuid, most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET lock_timeout TO '200ms'
AS $function$
declare
  free uuid[];
begin
  free := array(
    select r.requester_id from public.follow_requests r join public.profiles p on p.id = r.requester_id
    where r.target_id = target order by r.requester_id limit most
    -- As the follow itself does: not for a member who is being deleted, but beside those who count.
    for update of r skip locked for key share of p skip locked
  );
  delete from public.follow_requests where target_id = target and requester_id = any (free);
  perform private.accept_requests(free, target);
  return cardinality(free);
exception when lock_not_available then
  return 0;
end
$function$;

-- Gives new members the row whose lock is the turn to broadcast to them.
CREATE OR REPLACE FUNCTION private.add_announcements()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.announcements (member_id, sent_at) select c.id, '-infinity' from changed c
    on conflict do nothing;
  return null;
end
$function$;

-- Both of a new pair are its members. It is listed for the one who started it; the other has not accepted it yet.
CREATE OR REPLACE FUNCTION private.add_conversation_members()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if new.kind = 'group' then
    return null;
  end if;
  insert into public.conversation_views (member_id, conversation_id, folder, accepted, last_message_at, listed_at)
    select
      member.id,
      new.id,
      case when new.started_by = member.id then 'inbox' else 'none' end,
      -- No client started an imported conversation: nobody is a stranger there.
      coalesce(new.started_by = member.id, true),
      new.last_message_at,
      new.last_message_at
    from (values (new.participant_1), (new.participant_2)) as member (id);
  insert into public.conversation_members (conversation_id, member_id, joined_at)
    values (new.id, new.participant_1, new.created_at), (new.id, new.participant_2, new.created_at);
  return null;
end
$function$;

-- Inserts notifications. One that was withdrawn within a day is restored as it was, unless its recipient had deleted it.
CREATE OR REPLACE FUNCTION private.add_notifications(events private.notification_event[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Adds the words of topics that no post had, or none with the same audience.
CREATE OR REPLACE FUNCTION private.add_topic_words()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
begin
  insert into private.topic_words
    select w.*
    from (
      select distinct a.kind, a.audience, a.topic from added a
      where not exists (
        select from private.topic_words known
        where known.kind = a.kind and known.audience = a.audience and known.topic = a.topic
        offset 0
      )
    ) as missing
    cross join lateral private.word_rows(missing.kind, missing.audience, missing.topic) as w;
  return null;
end
$function$;

-- Sets recipient_id to the other participant of a pair. PT403 if the sender is not a participant, or does not write in the group.
CREATE OR REPLACE FUNCTION private.address_message()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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
$function$;

-- As broadcast_change(), for likes and follows: at most one broadcast for a member and two seconds. What has to wait is sent with the next one, or by settle().
CREATE OR REPLACE FUNCTION private.announce(changed_table text, operation text, member uuid, ids uuid[], new_rows jsonb DEFAULT NULL::jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if private.broadcasts_carry_rows() then
    -- An embedded server has no such limit.
    perform private.broadcast_change(changed_table, operation, member, ids, new_rows);
  elsif to_regprocedure('realtime.send(jsonb, text, text, boolean)') is null then
    return;
  elsif private.may_announce(member) then
    perform private.send_announcement(member, changed_table, operation, ids);
  else
    insert into private.waiting_broadcasts (member_id, changed_table, operation, ids)
      values (member, changed_table, operation, ids);
  end if;
end
$function$;

-- Stores whether the member signed in on that device, for all devices. Does nothing unless new_sign_ins() returns it.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.answer_sign_in(sign_in uuid, was_me boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update private.sign_ins s
    -- A device that the member does not know is new again at its next sign-in.
    set answered_at = now(), device = case when was_me then s.device end
    where s.session_id = sign_in and s.session_id in (select u.session_id from private.unanswered_sign_ins() u);
  if found then
    perform private.broadcast_change('sign_ins', 'UPDATE', (select auth.uid()), array[sign_in]);
  end if;
end
$function$;

-- Updates the audience of an account's posts and stories to its privacy; going public accepts the first 200 requests and notifies the requesters. Further ones, and those that others hold for half a second, are a job.
CREATE OR REPLACE FUNCTION private.apply_privacy()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  max_cost constant integer := 10000;
  most constant integer := 200;
  -- What nobody but its author sees stays so.
  right_audiences constant text[] := array[private.audience_of(new.is_private, 'visible'), 'nobody'];
begin
  -- In the order in which likes and comments lock posts.
  perform 1 from public.posts where user_id = new.id and audience <> all (right_audiences) order by id for no key update;
  update public.posts set audience = private.audience_of(new.is_private, state)
    where user_id = new.id and audience <> all (right_audiences);
  update public.stories set audience = private.audience_of(new.is_private, state)
    where user_id = new.id and audience <> all (right_audiences);
  insert into private.post_moves (member_id) values (new.id)
    on conflict (member_id) do update set before_at = default, before_id = default;
  perform private.move_posts_of(new.id, max_cost);
  if not new.is_private then
    for attempt in 1..5 loop
      exit when private.accept_waiting(new.id, most) = most;
      if not exists (select from public.follow_requests where target_id = new.id) then
        return null;
      end if;
      perform pg_catalog.pg_sleep(0.02 + 0.08 * random());
    end loop;
    insert into private.jobs (kind, subject_id) values ('requests', new.id) on conflict do nothing;
  end if;
  return null;
end
$function$;

-- Makes a member owner or moderator, for the operator's SQL editor. A former owner becomes moderator. PT404.
CREATE OR REPLACE FUNCTION private.appoint(username text, role text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  appointed constant uuid := (select p.id from public.profiles p where p.username = lower(appoint.username));
begin
  if appointed is null then
    raise sqlstate 'PT404' using message = 'There is no such account.';
  end if;
  if appoint.role = 'owner' then
    update private.staff s set role = 'moderator' where s.role = 'owner' and s.member_id <> appointed;
  end if;
  insert into private.staff as s (member_id, role) values (appointed, appoint.role)
    on conflict (member_id) do update set role = excluded.role;
end
$function$;

-- Makes the oldest account owner if there is no owner, or one of the demo. For triggers of the embedded server.
CREATE OR REPLACE FUNCTION private.appoint_first()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  oldest uuid;
begin
  if exists (
    select from private.staff s
    where s.role = 'owner' and not exists (select from private.demo_members d where d.member_id = s.member_id)
  ) then
    return null;
  end if;
  -- Profiles without an account hold what is removed.
  select p.id into oldest
    from public.profiles p
    join auth.users u on u.id = p.id
    cross join lateral (select exists (select from private.demo_members d where d.member_id = p.id) as is_demo) as known
    order by known.is_demo, p.created_at, p.id limit 1;
  delete from private.staff s where s.role = 'owner' and s.member_id <> oldest;
  update private.staff s set role = 'owner' where s.member_id = oldest;
  insert into private.staff (member_id, role) select oldest, 'owner' where oldest is not null
    on conflict do nothing;
  return null;
end
$function$;

-- Who may see a post or story of this state by an account of this privacy: public, followers or nobody but its author.
CREATE OR REPLACE FUNCTION private.audience_of(is_private boolean, state text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select case when state in ('hidden', 'archived') then 'nobody' when is_private then 'followers' else 'public' end
$function$;

-- A change of privacy waits for follows and requests that have checked it, and refuses those that start meanwhile.
CREATE OR REPLACE FUNCTION private.await_follows()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform pg_catalog.pg_advisory_xact_lock(private.privacy_key(new.id));
  return new;
end
$function$;

-- A block waits up to a second for what the two members are doing to each other, and refuses what they start meanwhile.
CREATE OR REPLACE FUNCTION private.await_pair()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  pair constant bigint := private.pair_key(new.blocker_id, new.blocked_id);
begin
  if clock_timestamp() > statement_timestamp() + interval '1 second' then
    perform pg_catalog.pg_try_advisory_xact_lock(pair);
  else
    perform pg_catalog.pg_advisory_xact_lock(pair);
  end if;
  return new;
end
$function$;

-- Unsending waits for this reaction and deletes it, or is seen here. At the end of the statement: its answer may be slow.
CREATE OR REPLACE FUNCTION private.await_unsending()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  unsent_at timestamptz;
begin
  select m.deleted_at into unsent_at from public.messages m where m.id = new.message_id for share;
  if unsent_at is not null then
    raise sqlstate 'PT409' using message = 'This message was unsent.';
  end if;
  return null;
end
$function$;

-- PostgREST calls it before the statement of each request. What a member writes is held for 500 ms, except by the calls that it names and those that only read: docs/decisions/0111-short-writes.md.
-- Callable by anon, authenticated.
CREATE OR REPLACE FUNCTION private.before_request()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  -- As it was sent: one that is written in another way, which PostgREST decodes, is none of those below.
  path constant text := current_setting('request.path', true);
  method constant text := current_setting('request.method', true);
begin
  perform set_config('vignette.before_request', 'called', true);
  if current_user <> 'authenticated' or method in ('GET', 'HEAD')
    -- Only new ones: an update takes a filter.
    or path = '/messages' and method = 'POST'
    -- Functions of these return nothing, so that no filter of their answer is slow, or only rows that nobody else needs.
    or path in (
      -- They may wait for what others hold, and hold nothing meanwhile that these others have a right to change.
      '/likes', '/comment_likes', '/posts', '/profiles', '/rpc/accept_follow_request', '/rpc/end_follow', '/rpc/edit_message',
      '/rpc/unsend_message', '/rpc/end_session', '/rpc/answer_sign_in',
      -- They have much to do: inline pictures, long lists, all of an account. Nobody else can make them slow.
      '/stories', '/post_media', '/message_media', '/rpc/create_post', '/rpc/mark_delivered', '/rpc/block_members',
      '/rpc/delete_posts', '/rpc/delete_comments', '/rpc/delete_stories', '/rpc/delete_account'
    )
    -- What only reads holds nothing.
    or (
      select bool_and(p.provolatile <> 'v') from pg_catalog.pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.proname = substr(path, 6) and starts_with(path, '/rpc/')
    )
  then
    return;
  end if;
  perform set_config('statement_timeout', '500ms', true);
end
$function$;

-- Blocks members; idempotent. Waits as delete_posts(). PT401, PT404 for an account that the caller does not see, PT422, PT429, PT503.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.block_members(ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET lock_timeout TO '200ms'
AS $function$
declare
  me constant uuid := (select auth.uid());
begin
  perform private.check_ids(ids);
  loop
    begin
      if exists (
        select from unnest(ids) as wanted (id)
        where not exists (select from public.blocks b where b.blocker_id = me and b.blocked_id = wanted.id)
          -- A member who has blocked the caller is unknown to them, unless they write with each other.
          and not exists (
            select from public.profiles p where p.id = wanted.id and p.id not in (select private.my_hidden_ids())
          )
          and not exists (
            select from public.conversations c
            where (c.participant_1 = me and c.participant_2 = wanted.id) or (c.participant_2 = me and c.participant_1 = wanted.id)
          )
      ) then
        raise sqlstate 'PT404' using message = 'There is no such account.';
      end if;
      insert into public.blocks (blocker_id, blocked_id)
        select distinct me, id from unnest(ids) as id order by id
        on conflict do nothing;
      return;
    exception when lock_not_available then
      perform private.give_way();
    end;
  end loop;
end
$function$;

-- Members that the caller has blocked, although the policies hide them; names and picture are empty if the other has blocked the caller too.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.blocked_members()
 RETURNS TABLE(id uuid, username text, full_name text, avatar_url text, avatar_path text, created_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select
    p.id,
    case when theirs.blocker_id is null then p.username else '' end,
    case when theirs.blocker_id is null then p.full_name else '' end,
    case when theirs.blocker_id is null then p.avatar_url end,
    case when theirs.blocker_id is null then p.avatar_path end,
    mine.created_at
  from public.blocks mine
  join public.profiles p on p.id = mine.blocked_id
  left join public.blocks theirs on theirs.blocker_id = mine.blocked_id and theirs.blocked_id = mine.blocker_id
  where mine.blocker_id = (select auth.uid()) and (select private.is_member())
    and p.id not in (select private.removed_member_ids())
  order by mine.created_at desc, p.id
$function$;

-- Broadcasts the ids of changed rows in the private channel of a member, and whether the member made the change, with new_rows, an array, if they are small.
CREATE OR REPLACE FUNCTION private.broadcast_change(changed_table text, operation text, member uuid, ids uuid[], new_rows jsonb DEFAULT NULL::jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.send_change(
    'member:' || member, changed_table, operation, ids, coalesce(member = (select auth.uid()), false), new_rows
  );
end
$function$;

-- Broadcasts the ids of new and deleted comments of a member, and of the threads that they belong to, in the private channel of their post. Never fails: a comment does not depend on Realtime.
CREATE OR REPLACE FUNCTION private.broadcast_comments()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET lock_timeout TO '1s'
AS $function$
declare
  -- Embedded servers remove the author before they send a broadcast; hosted servers would store and send it.
  filters_readers constant boolean := private.broadcasts_carry_rows();
begin
  if to_regprocedure('realtime.send(jsonb, text, text, boolean)') is null then
    return null;
  end if;
  perform realtime.send(
    jsonb_build_object('table', 'comments', 'type', tg_op, 'ids', told.ids, 'threads', told.threads)
      || case when filters_readers then jsonb_build_object('author', told.user_id) else '{}' end,
    'change', 'post:' || told.post_id, true
  )
  from (
    select
      c.post_id,
      c.user_id,
      -- Embedded servers broadcast at most 8,000 bytes at once.
      (array_agg(c.id order by c.created_at, c.id))[1:80] as ids,
      (array_agg(distinct c.parent_id) filter (where c.parent_id is not null))[1:80] as threads
    from changed c
    -- Not for posts that are deleted with their comments.
    join public.posts p on p.id = c.post_id
    group by c.post_id, c.user_id
    limit 100
  ) as told;
  return null;
exception when others then
  -- The client sees the change when it refetches; a comment that fails would be lost.
  raise warning 'A change of comments was not broadcast: %', sqlerrm;
  return null;
end
$function$;

-- Broadcasts to a member that one of their conversations has moved, that their messages have arrived, or that they have been invited to a group, joined or left it, with the id of the conversation.
CREATE OR REPLACE FUNCTION private.broadcast_conversation_view()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.broadcast_change('conversation_views', tg_op, new.member_id, array[new.conversation_id]);
  return null;
end
$function$;

-- Broadcasts the ids of deleted conversations to the members whose account remains: once for each statement and member, to at most 500.
CREATE OR REPLACE FUNCTION private.broadcast_deleted_conversations()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.broadcast_change('conversations', 'DELETE', told.member_id, told.ids)
    from (
      select p.id as member_id, (array_agg(c.id order by c.last_message_at desc, c.id))[1:100] as ids
      from changed c
      join public.profiles p on p.id in (c.participant_1, c.participant_2)
      group by p.id
      order by max(c.last_message_at) desc
      limit 500
    ) as told;
  return null;
end
$function$;

-- Broadcasts the ids of deleted notifications to their recipients: once for each statement and member, to at most 500.
CREATE OR REPLACE FUNCTION private.broadcast_deleted_notifications()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  told record;
begin
  for told in
    select c.user_id, c.type in ('like', 'comment_like', 'follow') as may_wait,
      (array_agg(c.id order by c.created_at desc, c.id))[1:100] as ids
    from changed c
    -- Not to members who are deleted with their notifications.
    join public.profiles p on p.id = c.user_id
    group by c.user_id, may_wait
    order by max(c.created_at) desc
    limit 500
  loop
    if told.may_wait then
      perform private.announce('notifications', 'DELETE', told.user_id, told.ids);
    else
      perform private.broadcast_change('notifications', 'DELETE', told.user_id, told.ids);
    end if;
  end loop;
  return null;
end
$function$;

-- Broadcasts that a post was deleted, in its private channel: of at most 100 posts of a statement. Never fails: a deletion does not depend on Realtime.
CREATE OR REPLACE FUNCTION private.broadcast_deleted_posts()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET lock_timeout TO '1s'
AS $function$
begin
  if to_regprocedure('realtime.send(jsonb, text, text, boolean)') is null then
    return null;
  end if;
  perform realtime.send(
    jsonb_build_object('table', 'posts', 'type', 'DELETE', 'ids', jsonb_build_array(told.id)),
    'change', 'post:' || told.id, true
  )
  from (select c.id from changed c order by c.created_at desc, c.id limit 100) as told;
  return null;
exception when others then
  -- The client sees the change when it refetches; a deletion that fails would be lost.
  raise warning 'A deletion of posts was not broadcast: %', sqlerrm;
  return null;
end
$function$;

-- Broadcasts new or changed messages of groups, at most the latest five hundred of each, in the channel of its epoch, which it reads while the group is locked.
CREATE OR REPLACE FUNCTION private.broadcast_in_groups(operation text, message_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Broadcasts new and changed messages, at most the latest five hundred of a statement: of pairs to both, of a group in its channel.
CREATE OR REPLACE FUNCTION private.broadcast_messages()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Broadcasts new notifications to their recipients.
CREATE OR REPLACE FUNCTION private.broadcast_notifications()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  concerned record;
begin
  for concerned in
    select
      changed.user_id,
      changed.type in ('like', 'comment_like', 'follow') as may_wait,
      array_agg(changed.id order by changed.created_at, changed.id) as ids,
      -- A block hides notifications of the other member.
      case when private.broadcasts_carry_rows() then
        jsonb_agg(changed) filter (where not exists (
          select 1 from public.blocks b
          where (b.blocker_id, b.blocked_id) in ((changed.user_id, changed.actor_id), (changed.actor_id, changed.user_id))
        ))
      end as new_rows
    from changed
    group by changed.user_id, may_wait
  loop
    if concerned.may_wait then
      perform private.announce('notifications', tg_op, concerned.user_id, concerned.ids, concerned.new_rows);
    else
      perform private.broadcast_change('notifications', tg_op, concerned.user_id, concerned.ids, concerned.new_rows);
    end if;
  end loop;
  return null;
end
$function$;

-- Broadcasts the ids of posts that a member liked, or no longer likes, to their other devices.
CREATE OR REPLACE FUNCTION private.broadcast_own_likes()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.announce('likes', tg_op, told.user_id, told.ids)
    from (
      select c.user_id, (array_agg(c.post_id order by c.created_at desc, c.post_id))[1:100] as ids
      from changed c
      -- Not for likes that are deleted with their post or member.
      join public.posts p on p.id = c.post_id
      join public.profiles m on m.id = c.user_id
      group by c.user_id
      limit 100
    ) as told;
  return null;
end
$function$;

-- Broadcasts reactions as changes of their messages: in a pair to both, in a group in its channel. PT403 if the member was removed from the group meanwhile.
CREATE OR REPLACE FUNCTION private.broadcast_reactions()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Whether broadcasts include new rows. Hosted servers store broadcasts for days, and a client may have them replayed: the text of an unsent message would remain there.
CREATE OR REPLACE FUNCTION private.broadcasts_carry_rows()
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select to_regprocedure('realtime.stores_no_broadcasts()') is not null
$function$;

-- Notes a change of the members of a group and tells those who listen, in the channel of before; a new epoch if it ends somebody's right to listen.
CREATE OR REPLACE FUNCTION private.change_members(conversation uuid, ends boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  heard integer;
begin
  -- A message that is being sent is before this change, or sees it: both lock the group.
  update public.conversations c set version = c.version + 1, epoch = c.epoch + ends::integer
    where c.id = conversation and c.kind = 'group'
    returning c.epoch - ends::integer into heard;
  if found then
    perform private.send_change('conversation:' || conversation || ':' || heard, 'conversations', 'UPDATE', array[conversation]);
  end if;
end
$function$;

-- The advisory lock of a member's edit or unsending of a message.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.changes_key(member uuid)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE STRICT
 SET search_path TO ''
AS $function$
  select pg_catalog.hashtextextended(member::text, 7246007)
$function$;

-- PT401 unless the caller is a member, PT422 for more than 100 ids.
CREATE OR REPLACE FUNCTION private.check_ids(ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  perform private.require_active();
  if not private.is_member() then
    raise sqlstate 'PT401' using message = 'Sign in first.';
  end if;
  if cardinality(ids) > 100 then
    raise sqlstate 'PT422' using message = 'At most 100 ids at once.';
  end if;
end
$function$;

-- Refuses a picture or video with which the caller would store more bytes a day than a quota allows.
CREATE OR REPLACE FUNCTION private.check_media_quota()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  quota text;
  most bigint;
  characters bigint := 0;
  keys text[] := '{}';
  of_kind text[];
begin
  if tg_table_name = 'posts' then
    characters := coalesce(octet_length(new.image_url), 0) + coalesce(octet_length(new.thumbnail_url), 0);
  elsif tg_table_name = 'stories' then
    characters := coalesce(octet_length(new.media_url), 0) + coalesce(octet_length(new.thumbnail_url), 0);
    keys := array[new.media_path, new.poster_path];
  elsif tg_table_name = 'message_media' then
    characters := coalesce(octet_length(new.image_url), 0);
    keys := array[new.media_path, new.poster_path];
  else
    keys := array[new.full_path, new.middle_path, new.feed_path, new.grid_path, new.media_path];
  end if;
  foreach quota in array array['media_bytes', 'video_bytes'] loop
    of_kind := array(select key from unnest(keys) as key where (key ~ '\.(mp4|webm)$') = (quota = 'video_bytes'));
    most := (select q.per_day from private.quotas q where q.kind = quota);
    -- The sums of a day are for what this row adds to.
    continue when most is null or cardinality(of_kind) = 0 and characters = 0;
    if private.media_bytes_of_day((select auth.uid()), quota = 'video_bytes') + characters * 3 / 4
      + (select s.bytes from private.stored_objects(of_kind) s) > most
    then
      perform private.raise_quota_exceeded(quota, false);
    end if;
    characters := 0;
  end loop;
  return new;
end
$function$;

-- PT403 unless a reply is to a message of the same conversation, a photo is the sender's own for this conversation, and a story is one that the sender may see now, of the other participant, who allows replies.
CREATE OR REPLACE FUNCTION private.check_message_extras()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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
$function$;

-- PT404 unless the objects in the columns of a new row exist in the folder of the member in the first column. Refuses pictures and videos that are too large for their column.
CREATE OR REPLACE FUNCTION private.check_objects()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  written constant jsonb := to_jsonb(new);
  folder constant text := written ->> tg_argv[0];
  keys constant text[] := array(
    select distinct written ->> name from unnest(tg_argv[1:]) as name where written ->> name is not null
  );
begin
  -- Not even whether another member's object exists.
  if exists (select from unnest(keys) as key where split_part(key, '/', 1) <> folder)
    or (select s.objects from private.stored_objects(keys) s) < cardinality(keys)
  then
    raise sqlstate 'PT404' using message = 'This file has not been uploaded.', hint = 'Upload it, then try again.';
  end if;
  if private.has_unfit_picture(tg_table_name, written) then
    raise check_violation using message = 'This picture or video is too large.', schema = tg_table_schema, table = tg_table_name;
  end if;
  return new;
end
$function$;

-- Sets shared_kind. PT403 unless the sender sees the shared post, story or profile now.
CREATE OR REPLACE FUNCTION private.check_shared()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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
$function$;

-- Deletes a batch of expired rows: at most max_rows stories and max_rows unsent photos, which are large, and ten times as many small rows of each other kind. Returns how many; call it again until that is 0.
CREATE OR REPLACE FUNCTION private.cleanup(max_rows integer)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
    + private.clear_left_marks(10 * max_rows)
    + private.delete_read_notifications(10 * max_rows)
    + private.delete_cron_log(10 * max_rows)
    + private.work_job(10 * max_rows)
    + private.end_empty_folders(10 * max_rows)
$function$;

-- Deletes up to twenty unsent photos with each new one: more than are added, even on a server without a scheduler.
CREATE OR REPLACE FUNCTION private.cleanup_message_media()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.delete_unsent_media(20);
  return null;
end
$function$;

-- Whether the hourly cleanup is scheduled: pg_cron has its job, or somebody called it in the last two hours, such as the embedded server or an operator's own scheduler. scheduled or missing.
CREATE OR REPLACE FUNCTION private.cleanup_state()
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  is_scheduled boolean := exists (select from private.cleanups c where c.called_at > now() - interval '2 hours');
begin
  if not is_scheduled and to_regclass('cron.job') is not null then
    execute 'select exists (select from cron.job where jobname = ''cleanup'' and active)' into is_scheduled;
  end if;
  return case when is_scheduled then 'scheduled' else 'missing' end;
exception when insufficient_privilege then
  return 'missing';
end
$function$;

-- Deletes up to twenty old stories with each new one: more than are added, even on a server without a scheduler. Until then the policy hides them.
CREATE OR REPLACE FUNCTION private.cleanup_stories()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.delete_expired_stories(20);
  return null;
end
$function$;

-- Removes a part of what of the caller's refers to objects, for about 100 ms. Returns whether the caller may go on: nothing is left, or only what others hold. PT401, PT428.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.clear_account()
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET lock_timeout TO '50ms'
AS $function$
declare
  me constant uuid := private.require_recent_sign_in();
  -- A request has 500 ms. Leaves time for the last batch, which waits for up to 150 ms for what others hold.
  deadline constant timestamptz := clock_timestamp() + interval '100 milliseconds';
  posts uuid[];
  stories uuid[];
  photos integer;
  groups integer;
  is_held boolean;
begin
  loop
    -- All rows that refer to objects, so that the client may remove the objects. delete_account() removes the rest.
    posts := array(select h.post_id from public.post_media h where h.user_id = me limit 1);
    perform private.remove_items('public.posts', posts);
    if cardinality(posts) > 0 and clock_timestamp() > deadline then
      return false;
    end if;
    stories := array(select s.id from public.stories s where s.user_id = me and s.media_path is not null limit 1);
    perform private.remove_items('public.stories', stories);
    if cardinality(stories) > 0 and clock_timestamp() > deadline then
      return false;
    end if;
    is_held := false;
    photos := 0;
    groups := 0;
    begin
      update public.profiles set avatar_path = null where id = me and avatar_path is not null;
      delete from public.message_media where id in (
        select id from public.message_media where sender_id = me and media_path is not null limit 2
      );
      get diagnostics photos = row_count;
      update public.conversations set picture_path = null, pictured_by = null where id in (
        select id from public.conversations where pictured_by = me limit 2
      );
      get diagnostics groups = row_count;
    exception when lock_not_available then
      is_held := true;
    end;
    if cardinality(posts) + cardinality(stories) + photos + groups = 0 then
      -- What somebody holds would keep the account open for as long as they like: after the deadline its objects become a job.
      if not is_held or clock_timestamp() > deadline then
        return true;
      end if;
    elsif clock_timestamp() > deadline then
      return false;
    end if;
  end loop;
end
$function$;

-- Removes an alternative text that has only invisible characters.
CREATE OR REPLACE FUNCTION private.clear_blank_alt_text()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.alt_text := null;
  return new;
end
$function$;

-- Removes a place whose name has only invisible characters.
CREATE OR REPLACE FUNCTION private.clear_blank_location()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.location := null;
  return new;
end
$function$;

-- Removes a name of a group that has only invisible characters.
CREATE OR REPLACE FUNCTION private.clear_blank_name()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.name := null;
  return new;
end
$function$;

-- Empties a full name or bio that has only invisible characters.
CREATE OR REPLACE FUNCTION private.clear_blank_profile()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if not private.is_visible(new.full_name) then
    new.full_name := '';
  end if;
  if not private.is_visible(new.bio) then
    new.bio := '';
  end if;
  return new;
end
$function$;

-- Clears up to max_rows shown marks that turning receipts off left, until others hold one; returns for how many members it went on.
CREATE OR REPLACE FUNCTION private.clear_left_marks(max_rows integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Takes the picture of a group away with the account in whose folder it is.
CREATE OR REPLACE FUNCTION private.clear_picture()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.picture_path := null;
  return new;
end
$function$;

-- Clears up to `most` marks of a member that others see, without those that somebody holds. Returns how many.
CREATE OR REPLACE FUNCTION private.clear_shown_marks(member uuid, most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Removes the profile of a deleted account for everybody, with all that refers to it: deletes it if fewer than 200 rows do and nobody holds one, otherwise by a job. Its objects, if there are any left, are a job too.
CREATE OR REPLACE FUNCTION private.close_account()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET lock_timeout TO '200ms'
AS $function$
begin
  insert into private.jobs (kind, subject_id)
    select 'objects', old.id where private.has_objects(old.id)
    on conflict do nothing;
  if private.weigh('public.profiles', array[old.id], 200) < 200 then
    begin
      delete from public.profiles where id = old.id;
      return null;
    exception when lock_not_available then
      -- Somebody holds rows of it, for as long as they like.
      null;
    end;
  end if;
  insert into private.jobs (kind, subject_id)
    select 'account', p.id from public.profiles p where p.id = old.id
    on conflict do nothing;
  return null;
end
$function$;

-- Raises the epoch of two members' conversation, so that a channel that is still open hears nothing of a later one. False while somebody holds it.
CREATE OR REPLACE FUNCTION private.close_room(one uuid, other uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  pair uuid;
begin
  select c.id into pair from public.conversations c
    where least(c.participant_1, c.participant_2) = least(one, other)
      and greatest(c.participant_1, c.participant_2) = greatest(one, other);
  -- Whoever holds it is not waited for: nobody can keep a member from blocking them.
  update public.conversations c set epoch = c.epoch + 1
    where c.id = (select free.id from public.conversations free where free.id = pair for no key update skip locked);
  return found or pair is null;
end
$function$;

-- Stores the text of a reported post as its reporter sees it; blank details become null.
CREATE OR REPLACE FUNCTION private.complete_report()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.details := case when private.is_visible(new.details) then btrim(new.details) end;
  select p.content into new.post_content from public.posts p where p.id = new.post_id;
  return new;
end
$function$;

-- Composes the texts in the columns that are its arguments; in a JSON object its own texts.
CREATE OR REPLACE FUNCTION private.compose_texts()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  return jsonb_populate_record(new, (
    select jsonb_object_agg(each.key, case jsonb_typeof(each.value)
      when 'string' then to_jsonb(private.composed(each.value #>> '{}'))
      when 'object' then (
        select jsonb_object_agg(detail.key, case jsonb_typeof(detail.value)
          when 'string' then to_jsonb(private.composed(detail.value #>> '{}')) else detail.value
        end)
        from jsonb_each(each.value) as detail
      )
      else each.value
    end)
    from jsonb_each(to_jsonb(new)) as each where each.key = any (tg_argv)
  ));
end
$function$;

-- The text in NFC, except compatibility ideographs, which NFC would replace by other forms of the character. One that is longer than any column allows stays as it is.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.composed(written text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE STRICT
 SET search_path TO ''
AS $function$
  select case when char_length(written) > 8000 then written else (
    select coalesce(string_agg(
      case when part[1] ~ '^[\uf900-\ufaff\U0002f800-\U0002fa1f]' then part[1] else normalize(part[1], nfc) end, '' order by number
    ), '')
    from regexp_matches(written, '[\uf900-\ufaff\U0002f800-\U0002fa1f]+|[^\uf900-\ufaff\U0002f800-\U0002fa1f]+', 'g')
      with ordinality as found (part, number)
  ) end
$function$;

-- Updates comments.like_count.
CREATE OR REPLACE FUNCTION private.count_comment_likes()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  step constant integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform private.count_on_comments(array(
    select (c.comment_id, 'comment_likes', step * count(*))::private.count_change from changed c group by c.comment_id
  ));
  return null;
end
$function$;

-- Updates posts.comment_count, which includes replies, and comments.reply_count.
CREATE OR REPLACE FUNCTION private.count_comments()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  step constant integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform private.count_on_posts(array(
    select (c.post_id, 'comments', step * count(*))::private.count_change from changed c group by c.post_id
  ));
  perform private.count_on_comments(array(
    select (c.parent_id, 'replies', step * count(*))::private.count_change
    from changed c where c.parent_id is not null group by c.parent_id
  ));
  return null;
end
$function$;

-- Updates follower_count and following_count.
CREATE OR REPLACE FUNCTION private.count_follows()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  step constant integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform private.count_on_profiles(array(
    select (c.following_id, 'followers', step * count(*))::private.count_change from changed c group by c.following_id
    union all
    select (c.follower_id, 'following', step * count(*))::private.count_change from changed c group by c.follower_id
  ));
  return null;
end
$function$;

-- Updates posts.like_count.
CREATE OR REPLACE FUNCTION private.count_likes()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  step constant integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform private.count_on_posts(array(
    select (c.post_id, 'likes', step * count(*))::private.count_change from changed c group by c.post_id
  ));
  return null;
end
$function$;

-- As count_on_posts(), for the likes and replies of comments.
CREATE OR REPLACE FUNCTION private.count_on_comments(changes private.count_change[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
declare
  free uuid[];
begin
  free := array(
    select o.id from public.comments o where o.id = any (array(select c.item from unnest(changes) as c))
    for no key update skip locked
  );
  insert into private.count_changes (item, counter, change)
    select c.item, c.counter, c.change from unnest(changes) as c
    where c.change <> 0 and c.item <> all (free)
      and exists (select from public.comments o where o.id = c.item);
  if cardinality(free) = 0 then
    return;
  end if;
  with added as (
    select a.item,
      coalesce(sum(a.change) filter (where a.counter = 'comment_likes'), 0)::integer as likes,
      coalesce(sum(a.change) filter (where a.counter = 'replies'), 0)::integer as replies
    from (
      select w.item, w.counter, w.change from private.take_changes(free, array['comment_likes', 'replies']) as w
      union all
      select c.item, c.counter, c.change from unnest(changes) as c where c.item = any (free)
    ) as a
    group by a.item
  )
  update public.comments o
    set like_count = greatest(0, o.like_count + a.likes), reply_count = greatest(0, o.reply_count + a.replies)
    from added a where o.id = a.item;
end
$function$;

-- Adds changes, and those that wait, to the likes and comments of posts whose row is free; writes them down for the others. Never waits.
CREATE OR REPLACE FUNCTION private.count_on_posts(changes private.count_change[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
declare
  free uuid[];
begin
  free := array(
    select p.id from public.posts p where p.id = any (array(select c.item from unnest(changes) as c))
    for no key update skip locked
  );
  insert into private.count_changes (item, counter, change)
    select c.item, c.counter, c.change from unnest(changes) as c
    where c.change <> 0 and c.item <> all (free)
      -- Not for a post that is deleted with its likes.
      and exists (select from public.posts p where p.id = c.item);
  if cardinality(free) = 0 then
    return;
  end if;
  -- A statement of its own: it sees all that was written down before the row was locked.
  with added as (
    select a.item,
      coalesce(sum(a.change) filter (where a.counter = 'likes'), 0)::integer as likes,
      coalesce(sum(a.change) filter (where a.counter = 'comments'), 0)::integer as comments
    from (
      select w.item, w.counter, w.change from private.take_changes(free, array['likes', 'comments']) as w
      union all
      select c.item, c.counter, c.change from unnest(changes) as c where c.item = any (free)
    ) as a
    group by a.item
  )
  update public.posts p
    set like_count = greatest(0, p.like_count + a.likes), comment_count = greatest(0, p.comment_count + a.comments)
    from added a where p.id = a.item;
end
$function$;

-- As count_on_posts(), for the posts, followers and followed members of profiles.
CREATE OR REPLACE FUNCTION private.count_on_profiles(changes private.count_change[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
declare
  free uuid[];
begin
  free := array(
    select p.id from public.profiles p where p.id = any (array(select c.item from unnest(changes) as c))
    for no key update skip locked
  );
  insert into private.count_changes (item, counter, change)
    select c.item, c.counter, c.change from unnest(changes) as c
    where c.change <> 0 and c.item <> all (free)
      and exists (select from public.profiles p where p.id = c.item);
  if cardinality(free) = 0 then
    return;
  end if;
  with added as (
    select a.item,
      coalesce(sum(a.change) filter (where a.counter = 'posts'), 0)::integer as posts,
      coalesce(sum(a.change) filter (where a.counter = 'followers'), 0)::integer as followers,
      coalesce(sum(a.change) filter (where a.counter = 'following'), 0)::integer as following
    from (
      select w.item, w.counter, w.change
        from private.take_changes(free, array['posts', 'followers', 'following']) as w
      union all
      select c.item, c.counter, c.change from unnest(changes) as c where c.item = any (free)
    ) as a
    group by a.item
  )
  update public.profiles p
    set post_count = greatest(0, p.post_count + a.posts),
        follower_count = greatest(0, p.follower_count + a.followers),
        following_count = greatest(0, p.following_count + a.following)
    from added a where p.id = a.item;
end
$function$;

-- Updates post_count when a post becomes one that nobody but its author sees, or is such a post no longer.
CREATE OR REPLACE FUNCTION private.count_post_state()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.count_on_profiles(array[
    (new.user_id, 'posts', case new.audience when 'nobody' then -1 else 1 end)::private.count_change
  ]);
  return null;
end
$function$;

-- Updates post_count, which leaves out what nobody but its author sees.
CREATE OR REPLACE FUNCTION private.count_posts()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  step constant integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform private.count_on_profiles(array(
    select (c.user_id, 'posts', step * count(*))::private.count_change from changed c
    where c.audience <> 'nobody' group by c.user_id
  ));
  return null;
end
$function$;

-- Counts a new or changed row of the caller, or a statement, against the quota of the given kind: one index look-up for the limit and one for the counter. Runs before the row is written, so that a refused video takes no space; of statements on rows that others have a right to end, last: docs/decisions/0111-short-writes.md.
CREATE OR REPLACE FUNCTION private.count_quota()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  most record;
  used record;
begin
  perform private.require_active();
  select q.per_minute, q.per_day into most from private.quotas q where q.kind = tg_argv[0];
  if num_nonnulls(most.per_minute, most.per_day) = 0 then
    return new;
  end if;
  insert into private.quota_usage as u (member_id, kind) values ((select auth.uid()), tg_argv[0])
    on conflict (member_id, kind) do update set
      minute_since = case when u.minute_since <= now() - interval '1 minute' then now() else u.minute_since end,
      in_minute = case when u.minute_since <= now() - interval '1 minute' then 1 else u.in_minute + 1 end,
      day_since = case when u.day_since <= now() - interval '1 day' then now() else u.day_since end,
      in_day = case when u.day_since <= now() - interval '1 day' then 1 else u.in_day + 1 end
    returning u.in_minute, u.in_day into used;
  if used.in_minute > most.per_minute then
    perform private.raise_quota_exceeded(tg_argv[0], true);
  elsif used.in_day > most.per_day then
    perform private.raise_quota_exceeded(tg_argv[0], false);
  end if;
  return new;
end
$function$;

-- Creates the policies of the private channels. Call it again if Realtime was set up after the migrations.
CREATE OR REPLACE FUNCTION private.create_channel_policies()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if to_regclass('realtime.messages') is null or to_regprocedure('realtime.topic()') is null then
    raise warning 'Realtime is not set up: realtime.messages is missing'
      using hint = 'Once it is there, run: select private.create_channel_policies();';
    return;
  end if;
  drop policy if exists conversation_channels_receive on realtime.messages;
  -- Of an earlier version: only the database sends there.
  drop policy if exists conversation_channels_send on realtime.messages;
  create policy conversation_channels_receive on realtime.messages for select to authenticated
    using (
      extension = 'broadcast'
      and (select realtime.topic()) like 'conversation:%'
      and (select private.may_join((select realtime.topic())))
    );
  drop policy if exists room_channels_receive on realtime.messages;
  create policy room_channels_receive on realtime.messages for select to authenticated
    using (
      extension in ('broadcast', 'presence')
      and (select realtime.topic()) like 'room:%'
      and (select private.may_join((select realtime.topic())))
    );
  drop policy if exists room_channels_send on realtime.messages;
  create policy room_channels_send on realtime.messages for insert to authenticated
    with check (
      extension in ('broadcast', 'presence')
      and (select realtime.topic()) like 'room:%'
      and (select private.may_join((select realtime.topic())))
    );
  drop policy if exists member_channel_receive on realtime.messages;
  create policy member_channel_receive on realtime.messages for select to authenticated
    using (
      extension = 'broadcast'
      and (select realtime.topic()) = 'member:' || (select auth.uid())
      and (select private.is_member())
    );
  -- Row security of posts decides who may read it.
  drop policy if exists post_channels_receive on realtime.messages;
  create policy post_channels_receive on realtime.messages for select to authenticated
    using (
      extension = 'broadcast'
      and (select private.is_member())
      and exists (
        select 1 from public.posts p
        where p.id = case
          when (select realtime.topic()) ~ '^post:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
            then substr((select realtime.topic()), 6)::uuid
        end
      )
    );
end
$function$;

-- Creates the bucket `media`, its policies and its trigger. Call it again if Storage was set up after the migrations.
CREATE OR REPLACE FUNCTION private.create_media_bucket()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform private.create_media_policies();
  -- A project has the table before Storage itself completes it.
  if not exists (
    select from pg_catalog.pg_attribute where attrelid = to_regclass('storage.objects') and attname = 'version'
  ) then
    return;
  end if;
  begin
    create or replace trigger media_refuse_replacement before update of version on storage.objects
      for each row when (old.bucket_id = 'media' and new.version is distinct from old.version)
      execute function private.refuse_replacement();
  exception when insufficient_privilege then
    raise warning 'Members can replace pictures for as long as an upload takes: %', sqlerrm
      using hint = 'Update Storage, then run: select private.create_media_bucket();';
  end;
end
$function$;

-- Creates the bucket `media` and its policies, or warns that Storage is not set up.
CREATE OR REPLACE FUNCTION private.create_media_policies()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  look_ups constant text := (
    select string_agg(
      format('exists (select 1 from public.%I t where t.%I = objects.name offset 0)', c.of_table, c.of_column),
      ' or ' order by c.number
    )
    from private.media_columns() with ordinality as c (of_table, of_column, owner_column, side, pixels, number)
  );
begin
  -- A project has the tables before Storage itself completes them.
  if not exists (
    select from pg_catalog.pg_attribute where attrelid = to_regclass('storage.buckets') and attname = 'allowed_mime_types'
  ) then
    raise warning 'Storage is not set up: clients store pictures and videos in rows'
      using hint = 'Once it is there, run: select private.create_media_bucket();';
    return;
  end if;
  insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
    values (
      'media', 'media', false, private.media_object_bytes(), private.media_object_types()
    )
    on conflict (id) do update set
      public = excluded.public,
      file_size_limit = excluded.file_size_limit,
      allowed_mime_types = excluded.allowed_mime_types;

  drop policy if exists media_session on storage.objects;
  create policy media_session on storage.objects as restrictive for all to authenticated
    using (
      bucket_id is distinct from 'media'
      or nullif((select private.is_member()), false) is not null
      -- Who is suspended downloads and deletes the own objects.
      or split_part(name, '/', 1) = (select auth.uid())::text and nullif((select private.has_account()), false) is not null
    )
    with check (bucket_id is distinct from 'media' or nullif((select private.is_member()), false) is not null);

  -- One look-up by a unique index for each column that holds keys.
  drop policy if exists media_select on storage.objects;
  execute format($policy$
    create policy media_select on storage.objects for select to authenticated
      using (
        bucket_id = 'media'
        and (
          split_part(name, '/', 1) = (select auth.uid())::text
          or %s
          or name in (select private.my_blocked_avatars())
        )
      )
  $policy$, look_ups);

  -- Not under a key that a row uses: otherwise a member could replace a picture that others have seen.
  drop policy if exists media_insert on storage.objects;
  create policy media_insert on storage.objects for insert to authenticated
    with check (
      bucket_id = 'media'
      and (
        private.is_object_key(name, (select auth.uid()), 'image')
        or private.is_object_key(name, (select auth.uid()), 'video')
      )
      and not private.is_object_used(name)
      -- Storage checks this row before an upload, with the length that the client declares, and knows the size when it ends.
      and private.has_upload_room(
        name, coalesce((metadata ->> 'size')::bigint, (metadata ->> 'contentLength')::bigint)
      )
    );

  -- Rows first, then their objects.
  drop policy if exists media_delete on storage.objects;
  create policy media_delete on storage.objects for delete to authenticated
    using (
      bucket_id = 'media'
      and split_part(name, '/', 1) = (select auth.uid())::text
      and (select private.media_columns_match())
      and not private.is_object_used(name)
    );
end
$function$;

-- Deletes the caller's auth user, with e-mail address, password, identities and sessions. Profile, posts, likes, messages and all other data disappear for everybody. PT428 unless the caller signed in recently, PT503.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.delete_account()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET lock_timeout TO '200ms'
AS $function$
declare
  me constant uuid := private.require_recent_sign_in();
begin
  loop
    begin
      delete from auth.users where id = me;
      exit;
    exception when lock_not_available then
      -- Only what the member's other devices do.
      perform private.give_way();
    end;
  end loop;
  -- Never waits: a transaction that holds one of these rows waits for the account and then fails.
  delete from private.quota_usage where ctid = any (array(
    select ctid from private.quota_usage where member_id = me for update skip locked
  ));
end
$function$;

-- Removes those of the given comments that the caller wrote or that are on the caller's posts, with their replies. As delete_posts(). PT401, PT422.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.delete_comments(ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET lock_timeout TO '200ms'
AS $function$
declare
  me constant uuid := (select auth.uid());
begin
  perform private.check_ids(ids);
  perform private.remove_items('public.comments', array(
    select c.id from public.comments c
    where c.id = any (ids) and c.user_id not in (select private.removed_member_ids())
      and (c.user_id = me or exists (select from public.posts p where p.id = c.post_id and p.user_id = me))
  ));
end
$function$;

-- Deletes a batch of pg_cron's own log that is older than a week; pg_cron never does. Returns how many.
CREATE OR REPLACE FUNCTION private.delete_cron_log(max_rows integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  removed integer := 0;
begin
  if to_regclass('cron.job_run_details') is null then
    return 0;
  end if;
  execute 'delete from cron.job_run_details where runid in (
      select runid from cron.job_run_details where coalesce(end_time, start_time) < now() - interval ''7 days'' order by runid limit $1
    )' using max_rows;
  get diagnostics removed = row_count;
  return removed;
exception when insufficient_privilege then
  return 0;
end
$function$;

-- Deletes up to max_rows stories that expired a week ago, those with very many viewers by a job, and returns how many. Waits at most 200 ms for a row.
CREATE OR REPLACE FUNCTION private.delete_expired_stories(max_rows integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET lock_timeout TO '200ms'
AS $function$
declare
  old uuid[] := array(
    select id from public.stories
    where expires_at <= now() - interval '7 days' and user_id not in (select private.removed_member_ids())
    order by expires_at limit max_rows for update skip locked
  );
  large uuid[] := array(select id from unnest(old) as id where private.weigh('public.stories', array[id], 200) >= 200);
begin
  perform private.hold_items('public.stories', large);
  begin
    delete from public.stories where id = any (old) and id <> all (large);
  exception when lock_not_available then
    -- Somebody marks notifications of these stories as read, for as long as they like.
    return cardinality(large);
  end;
  return cardinality(old);
end
$function$;

-- Deletes up to max_rows usernames of deleted accounts that are no longer held, and returns how many.
CREATE OR REPLACE FUNCTION private.delete_expired_usernames(max_rows integer)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with removed as (
    -- An array is evaluated once; a plan may evaluate a subquery per row, with different results.
    delete from private.deleted_usernames where ctid = any (array(
      select ctid from private.deleted_usernames where since <= now() - interval '30 days'
      order by since limit max_rows for update skip locked
    ))
    returning 1
  )
  select count(*)::integer from removed
$function$;

-- Deletes the photo of an unsent message.
CREATE OR REPLACE FUNCTION private.delete_message_media()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from public.message_media where id = old.media_id;
  return null;
end
$function$;

-- Deletes the reactions to an unsent message.
CREATE OR REPLACE FUNCTION private.delete_message_reactions()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from public.message_reactions where message_id = new.id;
  return null;
end
$function$;

-- Deletes at most max_rows sign-ins and max_rows changes of accounts from more than 30 days ago. Returns how many.
CREATE OR REPLACE FUNCTION private.delete_old_sign_ins(max_rows integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  removed integer;
  step integer;
begin
  delete from private.sign_ins where session_id in (
    select session_id from private.sign_ins where ended_at < now() - interval '30 days' limit max_rows
  );
  get diagnostics removed = row_count;
  delete from private.account_changes where id in (
    select id from private.account_changes where changed_at < now() - interval '30 days' limit max_rows
  );
  get diagnostics step = row_count;
  return removed + step;
end
$function$;

-- Removes those of the given posts that the caller wrote, at once and for everybody. Waits for no statement of another member. PT401, PT422.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.delete_posts(ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET lock_timeout TO '200ms'
AS $function$
begin
  perform private.check_ids(ids);
  perform private.remove_items('public.posts', array(
    select p.id from public.posts p where p.id = any (ids) and p.user_id = (select auth.uid())
  ));
end
$function$;

-- Deletes at most max_rows counters whose day is over; returns how many.
CREATE OR REPLACE FUNCTION private.delete_quota_usage(max_rows integer)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with removed as (
    delete from private.quota_usage where ctid = any (array(
      select ctid from private.quota_usage where day_since <= now() - interval '1 day'
      order by day_since limit max_rows for update skip locked
    ))
    returning 1
  )
  select count(*)::integer from removed
$function$;

-- Once a day: deletes a batch of read notifications that are older than 90 days, of members with more than 2,000 the oldest read ones, and beyond 5,000 the oldest, read or not; open requests and notices of moderators stay. Looks at as many members. Not broadcast. Returns how many it deleted, and 1 if it only has not looked at everybody yet.
CREATE OR REPLACE FUNCTION private.delete_read_notifications(max_rows integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  walk private.cleanups;
  member uuid;
  wanted bigint;
  too_old timestamptz;
  step integer;
  removed integer := 0;
  has_more boolean := true;
begin
  select * into walk from private.cleanups;
  if walk.reached_id is null and walk.walked_at > now() - interval '1 day' then
    return 0;
  end if;
  perform set_config('vignette.is_cleaning', 'on', true);
  for visited in 1..max_rows loop
    select n.user_id into member from public.notifications n
      where n.user_id > coalesce(walk.reached_id, '00000000-0000-0000-0000-000000000000') order by n.user_id limit 1;
    has_more := found;
    exit when not has_more;
    -- Both remove the oldest ones first.
    wanted := greatest(
      (select count(*) - 2000 from public.notifications n where n.user_id = member),
      (
        select count(*) from public.notifications n
        where n.user_id = member and n.read and (n.type <> 'other' or n.about = 'follow_accepted')
          and n.created_at < now() - interval '90 days'
      )
    );
    if wanted > 0 then
      too_old := (
        select n.created_at from public.notifications n where n.user_id = member
        order by n.created_at desc, n.id desc offset 5000 limit 1
      );
      with oldest as materialized (
        select n.id from public.notifications n
          where n.user_id = member and (n.read or n.created_at <= too_old) and (n.type <> 'other' or n.about = 'follow_accepted')
          order by n.created_at, n.id limit least(wanted, max_rows - removed)
      )
      -- A member who holds some keeps them until the next day.
      delete from public.notifications where id = any (array(
        select n.id from public.notifications n where n.id in (select o.id from oldest o) for update skip locked
      ));
      get diagnostics step = row_count;
      removed := removed + step;
      -- The rest of this member's in the next batch.
      exit when removed >= max_rows;
    end if;
    walk.reached_id := member;
  end loop;
  perform set_config('vignette.is_cleaning', '', true);
  update private.cleanups
    set reached_id = case when has_more then walk.reached_id end,
      walked_at = case when has_more then walk.walked_at else now() end;
  return case when has_more then greatest(1, removed) else removed end;
end
$function$;

-- Removes those of the given stories that the caller shared. As delete_posts(). PT401, PT422.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.delete_stories(ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET lock_timeout TO '200ms'
AS $function$
begin
  perform private.check_ids(ids);
  perform private.remove_items('public.stories', array(
    select s.id from public.stories s where s.id = any (ids) and s.user_id = (select auth.uid())
  ));
end
$function$;

-- Deletes at most max_rows photos that no message used within a day; returns how many.
CREATE OR REPLACE FUNCTION private.delete_unsent_media(max_rows integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Examines up to max_rows removed topics and deletes the words of those without posts. Returns how many it examined: none while a post is being written.
CREATE OR REPLACE FUNCTION private.delete_unused_topics(max_rows integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  examined integer;
begin
  if not exists (select from private.removed_topics) then
    return 0;
  end if;
  -- A post that is being written may have found the words that would be removed now.
  begin
    lock table public.post_topics in share row exclusive mode nowait;
  exception when lock_not_available then
    return 0;
  end;
  with taken as (
    delete from private.removed_topics where ctid = any (array(select ctid from private.removed_topics limit max_rows))
    returning kind, audience, topic
  ), deleted as (
    delete from private.topic_words w using taken t
    where w.kind = t.kind and w.audience = t.audience and w.topic = t.topic
      and not exists (
        select from public.post_topics p where p.kind = t.kind and p.audience = t.audience and p.topic = t.topic
      )
  )
  select count(*) into examined from taken;
  return examined;
end
$function$;

-- Deletes at most max_rows withdrawn notifications that are more than a day old; returns how many.
CREATE OR REPLACE FUNCTION private.delete_withdrawn_notifications(max_rows integer)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with removed as (
    -- An array is evaluated once; a plan may evaluate a subquery per row, with different results.
    delete from private.withdrawn_notifications where ctid = any (array(
      select ctid from private.withdrawn_notifications where notified_at <= now() - interval '1 day'
      order by notified_at limit max_rows for update skip locked
    ))
    returning 1
  )
  select count(*)::integer from removed
$function$;

-- The columns that refer to rows of a table, whether members see the table, whether its rows go with them or only lose the reference, and whether others refer to these in turn.
CREATE OR REPLACE FUNCTION private.dependents(items regclass)
 RETURNS TABLE(child regclass, is_seen boolean, refers_by name, goes boolean, has_dependents boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select c.conrelid::regclass, n.nspname = 'public', a.attname, c.confdeltype = 'c',
    exists (
      select from pg_catalog.pg_constraint d
      where d.contype = 'f' and d.confrelid = c.conrelid and d.confdeltype in ('c', 'n')
    )
  from pg_catalog.pg_constraint c
  join pg_catalog.pg_class t on t.oid = c.conrelid
  join pg_catalog.pg_namespace n on n.oid = t.relnamespace
  join pg_catalog.pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
  where c.contype = 'f' and c.confrelid = items and c.confdeltype in ('c', 'n')
  -- What others see first.
  order by array_position(
    array['conversations', 'conversation_members', 'follows', 'likes', 'comments', 'comment_likes', 'notifications'], t.relname::text), c.conname
$function$;

-- The request of a blocked member leaves the list.
CREATE OR REPLACE FUNCTION private.drop_blocked_request()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.conversation_views m
    set folder = 'none', unread = false
    from public.conversations c
    where least(c.participant_1, c.participant_2) = least(new.blocker_id, new.blocked_id)
      and greatest(c.participant_1, c.participant_2) = greatest(new.blocker_id, new.blocked_id)
      and m.conversation_id = c.id and m.member_id = new.blocker_id and m.folder = 'requests';
  return null;
end
$function$;

-- Changes the text of an own message, as an update of messages does. PT404 if there is no such message.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.edit_message(message uuid, content text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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
$function$;

-- Looks at the folders of max_rows closed accounts, those first that it looked at longest ago, and ends the jobs of those that have no object left; returns how many.
CREATE OR REPLACE FUNCTION private.end_empty_folders(max_rows integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  looked_at uuid[] := array(
    select j.subject_id from private.jobs j where j.kind = 'objects'
    order by j.not_before limit max_rows for update skip locked
  );
  ended integer;
begin
  delete from private.jobs j where j.kind = 'objects' and j.subject_id = any (looked_at) and not private.has_objects(j.subject_id);
  get diagnostics ended = row_count;
  -- The others first the next time.
  update private.jobs set not_before = clock_timestamp() where kind = 'objects' and subject_id = any (looked_at);
  return ended;
end
$function$;

-- Ends one of the caller's sessions.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.end_session(session uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  delete from auth.sessions s
  where s.id = session and s.user_id = (select auth.uid()) and (select private.has_session())
$function$;

-- Ends at most max_rows sessions that were not used for 30 days. Returns how many.
CREATE OR REPLACE FUNCTION private.end_unused_sessions(max_rows integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  removed integer;
begin
  delete from auth.sessions where id in (
    -- refreshed_at has no time zone; Auth writes UTC. The app refreshes its token every hour.
    select s.id from auth.sessions s
    where greatest(s.created_at, s.refreshed_at at time zone 'utc') < now() - interval '30 days'
    limit max_rows
  );
  get diagnostics removed = row_count;
  return removed;
end
$function$;

-- The next objects after a key, in the order of their keys, and whether to remove them: no row has used them for a day, or their member has deleted the account. Start after ''; there are no more once it returns fewer than max_rows.
CREATE OR REPLACE FUNCTION private.examine_objects(after_name text, max_rows integer)
 RETURNS TABLE(id uuid, name text, is_unused boolean)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  is_complete constant boolean := private.media_columns_match();
begin
  return query
    select o.id, o.name, (
        is_complete
        and (o.created_at <= now() - interval '1 day' or not exists (
          select from public.profiles p where p.id::text = split_part(o.name, '/', 1)
        ))
        and not private.is_object_used(o.name)
      )
      from storage.objects o
      where o.bucket_id = 'media' and o.name collate "C" > after_name
      order by o.name collate "C" limit max_rows;
end
$function$;

-- Removes up to max_rows of what is left of unfinished_blocks, until others hold something; returns for how many of them it went on.
CREATE OR REPLACE FUNCTION private.finish_blocks(max_rows integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  unfinished private.unfinished_blocks;
  pair uuid[];
  is_alone boolean;
  step integer;
  removed integer := 0;
  went_on integer := 0;
begin
  -- In any order, so that one that is held does not keep the others waiting each time.
  for unfinished in select u.* from private.unfinished_blocks u order by random() limit max_rows for update skip locked loop
    pair := array[unfinished.blocker_id, unfinished.blocked_id];
    -- Whoever has unblocked the other meanwhile keeps what is left.
    if exists (
      select from public.blocks b where b.blocker_id = unfinished.blocker_id and b.blocked_id = unfinished.blocked_id
    ) then
      -- Who shares it may have begun before the block, and still write.
      is_alone := pg_catalog.pg_try_advisory_xact_lock(private.pair_key(unfinished.blocker_id, unfinished.blocked_id));
      step := private.part_some(pair, max_rows - removed);
      removed := removed + step;
      if not is_alone or private.weigh_traces(pair, 1) > 0 or not private.close_room(unfinished.blocker_id, unfinished.blocked_id) then
        exit when step = 0;
        went_on := went_on + 1;
        exit when removed >= max_rows;
        continue;
      end if;
    end if;
    delete from private.unfinished_blocks u where u.blocker_id = unfinished.blocker_id and u.blocked_id = unfinished.blocked_id;
    went_on := went_on + 1;
    exit when removed >= max_rows;
  end loop;
  return went_on;
end
$function$;

-- The text in lower case, letter by letter, the same in databases of all locales, in steps that grow with its length. Topics are compared in it.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.fold_case(written text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE STRICT
 SET search_path TO ''
AS $function$
declare
  folded constant text := replace(lower(translate(written, 'Iİ', 'ii')), 'ς', 'σ');
  upper_case constant text := private.upper_letters();
begin
  if folded ~ ('[' || upper_case || ']') then
    declare
      -- PostgreSQL computes it once for each session.
      lower_case constant jsonb := jsonb_object(
        string_to_array(private.upper_letters(), null), string_to_array(private.lower_letters(), null)
      );
    begin
      return (
        select string_agg(coalesce(lower_case ->> part[1], part[1]), '' order by number)
        from regexp_matches(folded, '[' || upper_case || ']|[^' || upper_case || ']+', 'g') with ordinality as found (part, number)
      );
    end;
  end if;
  return folded;
end
$function$;

-- Proposes the newest public posts with a hashtag that the caller follows. Leaves out what the policy would, because a shorter page is the last one.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.followed_hashtag_post_ids(before_at timestamp with time zone, before_id uuid)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 8
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
declare
  me constant uuid := (select auth.uid());
  most constant integer := 8;
  from_at constant timestamptz := coalesce(before_at, 'infinity');
  from_id constant uuid := coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  followed constant text[] := array(
    select f.tag from public.hashtag_follows f where f.follower_id = me order by f.created_at desc limit 200
  );
  walked integer;
  found_ids uuid[];
begin
  if not private.is_member() then
    return;
  end if;
  -- Copies that are older than their post take places: then more of each hashtag, as many as 10,000 of all together.
  foreach walked in array array[most, least(1000, 10000 / greatest(cardinality(followed), 1))] loop
    found_ids := array(
      select c.post_id
      from (
        select latest.post_id, latest.created_at
        from unnest(followed) as tag
        cross join lateral (
          select t.post_id, t.created_at from public.post_topics t
          where t.kind = 'hashtag' and t.topic = tag and (t.created_at, t.post_id) < (from_at, from_id)
            and t.audience = 'public' and t.user_id not in (select private.my_hidden_ids())
          order by t.created_at desc, t.post_id desc limit walked
        ) as latest
        group by latest.post_id, latest.created_at
        order by latest.created_at desc, latest.post_id desc limit walked
      ) as c
      where exists (select from public.posts p where p.id = c.post_id and p.audience = 'public' offset 0)
      order by c.created_at desc, c.post_id desc limit most
    );
    exit when cardinality(found_ids) = most;
  end loop;
  return query select unnest(found_ids);
end
$function$;

-- Proposes the caller's newest own posts and those of members they follow. Leaves out what the policy would, because a shorter page is the last one.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.following_post_ids(before_at timestamp with time zone, before_id uuid)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 8
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
declare
  me constant uuid := (select auth.uid());
  most constant integer := 8;
  followed constant bigint := (select count(*) from public.follows f where f.follower_id = me);
  passed_over constant integer := 500;
  missing integer := most;
  from_at timestamptz := coalesce(before_at, 'infinity');
  from_id uuid := coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
begin
  if not private.is_member() then
    return;
  end if;

  -- The newest posts of all members contain those of a member who follows many. Reads at most 500.
  if followed > 50 then
    return query
      select recent.id
      from (
        select p.id, p.user_id, p.audience, p.created_at from public.posts p
        where (p.created_at, p.id) < (from_at, from_id)
        order by p.created_at desc, p.id desc limit passed_over
      ) as recent
      where recent.user_id = me
        or recent.audience <> 'nobody' and recent.user_id not in (select private.my_hidden_ids()) and exists (
          select from public.follows f where f.follower_id = me and f.following_id = recent.user_id offset 0
        )
      order by recent.created_at desc, recent.id desc limit most;
    get diagnostics missing = row_count;
    missing := most - missing;
    if missing > 0 then
      select p.created_at, p.id into from_at, from_id from public.posts p
        where (p.created_at, p.id) < (from_at, from_id)
        order by p.created_at desc, p.id desc offset passed_over - 1 limit 1;
      if not found then
        return;
      end if;
    end if;
  end if;

  -- The newest post of each followed member; the posts searched for are by the authors of the newest among these.
  if missing > 0 then
    return query
      with newest as (
        select author.id as author_id, latest.created_at, latest.id
        from (
          select f.following_id from public.follows f
          where f.follower_id = me and f.following_id not in (select private.my_hidden_ids())
          union all
          select me
        ) as author (id)
        cross join lateral (
          select p.created_at, p.id from public.posts p
          where p.user_id = author.id and (p.created_at, p.id) < (from_at, from_id)
            and (p.audience <> 'nobody' or p.user_id = me)
          order by p.created_at desc, p.id desc limit 1
        ) as latest
        order by latest.created_at desc, latest.id desc limit missing
      )
      select post.id
      from newest
      cross join lateral (
        select p.created_at, p.id from public.posts p
        where p.user_id = newest.author_id and (p.created_at, p.id) < (from_at, from_id)
          and (p.audience <> 'nobody' or p.user_id = me)
        order by p.created_at desc, p.id desc limit missing
      ) as post
      order by post.created_at desc, post.id desc limit missing;
  end if;
end
$function$;

-- The account that had this e-mail in the last seven days, for which the address is held; null if it is in use.
CREATE OR REPLACE FUNCTION private.former_email_owner(address text)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select c.member_id from private.account_changes c
  where c.former_email = address and c.changed_at > now() - interval '7 days'
    and not exists (select from auth.users u where u.email = address)
  order by c.id desc
  limit 1
$function$;

-- Proposes the newest thousand posts whose texts have words that begin with each word of the query.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.found_post_ids(query text, before_at timestamp with time zone, before_id uuid)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET jit TO 'off'
AS $function$
declare
  most_words constant integer := 8;
  most_endings constant integer := 20;
  most_posts constant integer := 1000;
  most_hidden constant integer := 2000;
  most_follows constant integer := 1000;
  most_authors constant integer := 100;
  most_private constant integer := 100;
  me constant uuid := (select auth.uid());
  from_at constant timestamptz := coalesce(before_at, 'infinity');
  from_id constant uuid := coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  last_character constant text := U&'\+10FFFF';
  hidden constant uuid[] := array(
    select private.my_hidden_ids() union all select m.muted_id from public.mutes m where m.muter_id = me
  );
  wanted constant text[] := array(
    select distinct left(word, 20) from unnest((private.words_of(query))[:most_words]) as word where word <> ''
  );
  rarest text;
  others text[];
  endings text[];
  authors uuid[];
begin
  if cardinality(wanted) = 0 or not private.is_member() then
    return;
  end if;
  select t.term into rarest
    from unnest(wanted) as t (term)
    order by (
      select count(*)
      from (
        select from private.post_words w
        where w.audience = 'public' and w.word >= t.term collate "C" and w.word <= t.term || last_character collate "C"
        limit most_posts
      ) as counted
    ), t.term collate "C" limit 1;
  others := array_remove(wanted, rarest);
  endings := array(
    with recursive ending (word) as (
      (
        select w.word from private.post_words w
        where w.audience = 'public' and w.word >= rarest collate "C" and w.word <= rarest || last_character collate "C"
        order by w.word limit 1
      )
      union all
      select (
        select w.word from private.post_words w
        where w.audience = 'public' and w.word > e.word and w.word <= rarest || last_character collate "C"
        order by w.word limit 1
      )
      from ending e where e.word is not null
    )
    select e.word from ending e where e.word is not null limit most_endings
  );
  -- Private posts: from their authors to the words, so that posts that the caller may not see change nothing.
  authors := me || array(
    select p.id
    from (
      select f.following_id as member_id, f.created_at from public.follows f
      where f.follower_id = me order by f.created_at desc, f.following_id desc limit most_follows
    ) as followed
    -- A join may be planned as a scan of all profiles.
    cross join lateral (
      select m.id from public.profiles m where m.id = followed.member_id and m.is_private offset 0
    ) as p
    where p.id <> all (hidden)
    order by followed.created_at desc, followed.member_id desc limit most_authors
  );
  return query
    with candidates as (
      (
        select distinct latest.created_at, latest.post_id
        from unnest(endings) as ending (word)
        cross join lateral (
          select walked.created_at, walked.post_id
          from (
            select w.created_at, w.post_id, w.user_id from private.post_words w
            where w.audience = 'public' and w.word = ending.word and (w.created_at, w.post_id) < (from_at, from_id)
            order by w.created_at desc, w.post_id desc limit most_hidden
          ) as walked
          where walked.user_id <> all (hidden)
          limit most_posts
        ) as latest
        order by latest.created_at desc, latest.post_id desc limit most_posts
      )
      union
      (
        select own.created_at, own.post_id
        from unnest(authors) as author (id)
        cross join lateral (
          select w.created_at, w.post_id from private.post_words w
          where w.audience = 'followers' and w.user_id = author.id
            and w.word >= rarest collate "C" and w.word <= rarest || last_character collate "C"
            and (w.created_at, w.post_id) < (from_at, from_id)
          order by w.word, w.created_at desc, w.post_id desc limit most_private
        ) as own
        order by own.created_at desc, own.post_id desc limit most_posts
      )
    )
    select c.post_id
    -- In order, so that the thousandth found one is the last whose words are looked up.
    from (select * from candidates order by created_at desc, post_id desc offset 0) as c
    where not exists (
      select from unnest(others) as other (word)
      where not exists (
        select from private.post_words w
        where w.post_id = c.post_id and w.word >= other.word collate "C" and w.word <= other.word || last_character collate "C"
        offset 0
      )
    )
    order by c.created_at desc, c.post_id desc limit most_posts;
end
$function$;

-- Proposes ten hashtags and ten places with words that begin with those of the query, and for each the posts that may show it, those of most readers first.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.found_topics(query text)
 RETURNS TABLE(kind text, topic text, post_ids uuid[])
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 20
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
#variable_conflict use_column
declare
  most constant integer := 10;
  most_names constant integer := 100;
  most_posts constant integer := 10;
  most_follows constant integer := 1000;
  most_authors constant integer := 100;
  most_topics constant integer := 10;
  me constant uuid := (select auth.uid());
  wanted constant text := array_to_string(private.words_of(query), ' ');
  last_wanted constant text := wanted || U&'\+10FFFF';
  kinds constant text[] := case when btrim(query) like '#%' then '{hashtag}' else '{hashtag,place}' end;
  hidden constant uuid[] := array(
    select private.my_hidden_ids() union all select m.muted_id from public.mutes m where m.muter_id = me
  );
  authors uuid[];
  searched text;
  at_start boolean;
  seen_by text;
  names text[];
  -- Of private accounts: the latest topics with their posts, and of those that the query begins, their words.
  own_latest text[];
  own_posts uuid[];
  own_words text[];
  own_topics text[];
  own_starts boolean[];
  candidate record;
begin
  if wanted = '' or wanted is null or not private.is_member() then
    return;
  end if;
  -- Private posts: from their authors to the names, so that posts that the caller may not see change nothing.
  authors := me || array(
    select p.id
    from (
      select f.following_id as member_id, f.created_at from public.follows f
      where f.follower_id = me order by f.created_at desc, f.following_id desc limit most_follows
    ) as followed
    -- A join may be planned as a scan of all profiles.
    cross join lateral (
      select m.id from public.profiles m where m.id = followed.member_id and m.is_private offset 0
    ) as p
    where p.id <> all (hidden)
    order by followed.created_at desc, followed.member_id desc limit most_authors
  );
  foreach searched in array kinds loop
    names := '{}';
    select array_agg(latest.topic order by latest.created_at desc), array_agg(latest.post_id order by latest.created_at desc)
      into own_latest, own_posts
      from unnest(authors) as author (id)
      cross join lateral (
        select t.topic, t.post_id, t.created_at from public.post_topics t
        where t.user_id = author.id and t.kind = searched and t.audience = 'followers'
        order by t.created_at desc limit most_topics
      ) as latest;
    select array_agg(w.words), array_agg(seen.topic), array_agg(w.is_start) into own_words, own_topics, own_starts
      from (select distinct latest.topic from unnest(own_latest) as latest (topic)) as seen
      -- By the topic: many names of accounts that the caller does not follow may begin with the words.
      cross join lateral (
        select w.words, w.is_start from private.topic_words w
        where w.topic = seen.topic and w.kind = searched and w.audience = 'followers'
          and w.words >= wanted collate "C" and w.words <= last_wanted collate "C"
        offset 0
      ) as w;
    for at_start, seen_by in
      values (true, 'public'), (true, 'followers'), (false, 'public'), (false, 'followers')
    loop
      exit when cardinality(names) = most;
      for candidate in
        (
          select n.topic, array(
              select t.post_id
              from (
                select t.post_id, t.user_id from public.post_topics t
                where t.kind = searched and t.topic = n.topic and t.audience = 'public'
                order by t.created_at desc, t.post_id desc limit most_posts
              ) as t
              where t.user_id = me or t.user_id <> all (hidden)
            ) as posts
          from (
            select w.words, w.topic from private.topic_words w
            where w.kind = searched and w.audience = 'public' and w.is_start = at_start
              and w.words >= wanted collate "C" and w.words <= last_wanted collate "C"
            order by w.words, w.topic limit most_names
          ) as n
          where seen_by = 'public'
        )
        union all
        (
          select own.topic, '{}'
          from unnest(own_words, own_topics, own_starts) as own (words, topic, is_start)
          where seen_by = 'followers' and own.is_start = at_start
          order by own.words, own.topic
        )
      loop
        continue when candidate.topic = any (names);
        kind := searched;
        topic := candidate.topic;
        post_ids := candidate.posts;
        if candidate.topic = any (own_topics) then
          post_ids := post_ids || array(
            select own.post_id from unnest(own_latest, own_posts) as own (topic, post_id) where own.topic = candidate.topic
          );
        end if;
        continue when cardinality(post_ids) = 0;
        names := names || topic;
        return next;
        exit when cardinality(names) = most;
      end loop;
    end loop;
  end loop;
end
$function$;

-- Writes visible_objects(), is_object_used() and used_objects() from media_columns(): one look-up by a unique index for each column.
CREATE OR REPLACE FUNCTION private.generate_media()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  visible text;
  used text;
  own text;
begin
  select
    string_agg(format($body$
  return query select %2$I from public.%1$I where %2$I = any (keys);
  if found and is_single then return; end if;$body$, c.of_table, c.of_column), '' order by c.number),
    string_agg(format('exists (select from public.%I where %I = key)', c.of_table, c.of_column), E'\n    or ' order by c.number)
    into visible, used
    from private.media_columns() with ordinality as c (of_table, of_column, owner_column, side, pixels, number);
  select string_agg(format(
      E'select t.key from (select unnest(array[%s]) as key from public.%I where %I = member) as t where t.key is not null',
      c.columns, c.of_table, c.owner_column
    ), E'\n    union all\n    ' order by c.of_table)
    into own
    from (
      select m.of_table, m.owner_column, string_agg(quote_ident(m.of_column), ', ') as columns
      from private.media_columns() as m group by m.of_table, m.owner_column
    ) as c;

  execute format($define$
    create or replace function private.visible_objects(keys text[]) returns setof text
      language plpgsql stable set search_path = '' set plan_cache_mode = 'force_generic_plan'
    as %L$define$, $body$
declare
  is_single constant boolean := cardinality(keys) = 1;
begin
  -- Written by private.generate_media().
  if not private.has_account() then
    return;
  end if;
  return query select key from unnest(keys) as key where split_part(key, '/', 1) = (select auth.uid())::text;
  if found and is_single or not private.is_member() then return; end if;$body$ || visible || $body$
  return query select avatar from private.my_blocked_avatars() as avatar where avatar = any (keys);
end
$body$);

  execute format($define$
    create or replace function private.is_object_used(key text) returns boolean
      language plpgsql stable security definer set search_path = ''
    as %L$define$, $body$
begin
  -- Written by private.generate_media().
  return $body$ || used || $body$;
end
$body$);

  execute format($define$
    create or replace function private.used_objects(member uuid) returns setof text
      language plpgsql stable security definer set search_path = ''
    as %L$define$, $body$
begin
  -- Written by private.generate_media().
  return query
    $body$ || own || $body$;
end
$body$);
end
$function$;

-- For a statement that has given back its locks because it waited for a row: lets others end, for at most two seconds together. PT503 after that.
CREATE OR REPLACE FUNCTION private.give_way()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if clock_timestamp() > statement_timestamp() + interval '2 seconds' then
    raise sqlstate 'PT503' using message = 'Others are using this at the moment.', hint = 'Try again.';
  end if;
  perform pg_catalog.pg_sleep(0.02 + 0.08 * random());
end
$function$;

-- Refuses a conversation with a member that the caller does not see; sets started_by.
CREATE OR REPLACE FUNCTION private.guard_conversation()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if not pg_catalog.row_security_active('public.conversations') then
    return new;
  end if;
  if new.participant_1 is null or new.participant_2 is null then
    raise sqlstate 'PT422' using message = 'A conversation needs two members.';
  end if;
  if not (
    exists (select 1 from public.profiles where id = new.participant_1)
    and exists (select 1 from public.profiles where id = new.participant_2)
  ) then
    raise sqlstate 'PT403' using message = 'You cannot write to this member.';
  end if;
  new.started_by := (select auth.uid());
  return new;
end
$function$;

-- Moving a conversation to the inbox accepts it. Setting cleared_at deletes it for the member, at the database's time, and empties a group that they are in, which stays where it is listed. A group is listed where its state says, for those who are not in it.
CREATE OR REPLACE FUNCTION private.guard_conversation_view()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if not pg_catalog.row_security_active('public.conversation_views') then
    return new;
  end if;
  if new.cleared_at is distinct from old.cleared_at then
    -- The latest message that exists, not the current time: a message that is being sent at this moment arrives.
    new.cleared_at := coalesce(
      (
        select m.created_at from public.messages m
        where m.conversation_id = old.conversation_id
        order by m.created_at desc, m.id desc limit 1
      ),
      now()
    );
    -- No message would bring a group back.
    new.folder := case when old.is_group and old.writes then old.folder else 'none' end;
    new.pinned_at := case when old.is_group then old.pinned_at end;
    new.unread := false;
    return new;
  end if;
  if not old.writes and (new.folder <> old.folder or new.pinned_at is not null) then
    raise sqlstate 'PT403' using message = 'You are not in this group.';
  end if;
  if new.folder is distinct from old.folder then
    if new.folder not in ('inbox', 'archived') then
      raise sqlstate 'PT422' using
        message = 'A conversation cannot be moved there.',
        hint = 'Set cleared_at to delete it.';
    end if;
    if new.folder = 'archived' and old.folder <> 'inbox' then
      raise sqlstate 'PT409' using message = 'Only a conversation of the list can be archived.';
    end if;
    new.accepted := true;
    if new.folder = 'archived' then
      new.pinned_at := null;
    end if;
  end if;
  if new.pinned_at is not null and new.pinned_at is distinct from old.pinned_at then
    if new.folder <> 'inbox' then
      raise sqlstate 'PT409' using message = 'Only a conversation of the list can be pinned.';
    end if;
    if old.pinned_at is null and (
      select count(*) from public.conversation_views m where m.member_id = old.member_id and m.pinned_at is not null
    ) >= 5 then
      raise sqlstate 'PT409' using message = 'You can pin up to five conversations.';
    end if;
    new.pinned_at := now();
  end if;
  return new;
end
$function$;

-- Refuses to follow a private account without its consent, or an account that the caller does not see.
CREATE OR REPLACE FUNCTION private.guard_follow()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- Row security applies to clients only; accept_follow_request and going public run as the owner of the tables.
  if not pg_catalog.row_security_active('public.follows') then
    return new;
  end if;
  if not exists (select 1 from public.profiles where id = new.following_id) then
    raise sqlstate 'PT404' using message = 'There is no such account.';
  end if;
  if exists (select 1 from public.profiles where id = new.following_id and is_private) then
    raise sqlstate 'PT403' using
      message = 'This account is private.',
      hint = 'Insert into follow_requests and wait until it is accepted.';
  end if;
  return new;
end
$function$;

-- Refuses requests that nobody could answer, and requests to an account that the caller does not see.
CREATE OR REPLACE FUNCTION private.guard_follow_request()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if pg_catalog.row_security_active('public.follow_requests')
    and not exists (select 1 from public.profiles where id = new.target_id)
  then
    raise sqlstate 'PT404' using message = 'There is no such account.';
  end if;
  if exists (select 1 from public.profiles where id = new.target_id and not is_private) then
    raise sqlstate 'PT409' using
      message = 'This account is public.',
      hint = 'Insert into follows; nobody would answer the request.';
  end if;
  if exists (
    select 1 from public.follows where follower_id = new.requester_id and following_id = new.target_id
  ) then
    raise sqlstate 'PT409' using message = 'You already follow this account.';
  end if;
  return new;
end
$function$;

-- Its sender edits the text of a message within fifteen minutes, by the database's clock, unless the conversation is closed or the sender has left it.
CREATE OR REPLACE FUNCTION private.guard_message_edit()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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
$function$;

-- The recipient marks a message as read, at the database's time; messages of a request stay unread, those of a group, and all while the recipient's receipts are off.
CREATE OR REPLACE FUNCTION private.guard_message_read()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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
$function$;

-- The sender unsends. A message is unsent once, at the database's time, and loses all its content.
CREATE OR REPLACE FUNCTION private.guard_message_update()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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
$function$;

-- Sets the conversation of a reaction. PT403 in a request that the member has not accepted and in a closed conversation, PT409 for an unsent message.
CREATE OR REPLACE FUNCTION private.guard_reaction()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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
$function$;

-- Refuses a reply to a comment that the caller does not see, or of another post; a reply to a reply joins its thread.
CREATE OR REPLACE FUNCTION private.guard_reply()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  answered record;
begin
  select c.post_id, coalesce(c.parent_id, c.id) as thread into answered
    from public.comments c where c.id = new.parent_id;
  if answered.post_id is distinct from new.post_id then
    raise sqlstate 'PT404' using message = 'This comment was deleted.';
  end if;
  new.parent_id := answered.thread;
  return new;
end
$function$;

-- Whether the caller has a session and a profile, whatever their state.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.has_account()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (
    select from auth.sessions s
    join public.profiles p on p.id = s.user_id
    where s.id = ((select auth.jwt()) ->> 'session_id')::uuid
      and s.user_id = (select auth.uid())
      and (s.not_after is null or s.not_after > now())
  );
end
$function$;

-- Whether the folder of a member has objects.
CREATE OR REPLACE FUNCTION private.has_objects(member uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return to_regclass('storage.objects') is not null and exists (
    select from storage.objects o
    where o.bucket_id = 'media'
      -- The folder; '0' follows '/'. Storage has an index in this collation.
      and o.name collate "C" >= member::text || '/' and o.name collate "C" < member::text || '0'
  );
end
$function$;

-- Whether the session of the caller's token still exists: sign-out, a new password and deleting the account delete it.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.has_session()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (
    select from auth.sessions s
    where s.id = ((select auth.jwt()) ->> 'session_id')::uuid
      and s.user_id = (select auth.uid())
      and (s.not_after is null or s.not_after > now())
  );
end
$function$;

-- Whether a row of this table refers to a picture of more than 5 MB, one with more pixels than its column allows, one whose content the server has found harmful, or a story to a video of more than 45 MB. Objects without a size in their metadata are not compared.
CREATE OR REPLACE FUNCTION private.has_unfit_picture(table_name text, written jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- Ten times what the app makes.
  picture_bytes constant integer := 5000000;
  -- Readers load the video of a story to its end. The bucket has the limit of others.
  story_video_bytes constant integer := 45000000;
begin
  if to_regclass('storage.objects') is null then
    return false;
  end if;
  return exists (
    select from private.media_columns() u
    join storage.objects o on o.bucket_id = 'media' and o.name = written ->> u.of_column
    where u.of_table = has_unfit_picture.table_name
      and case when o.name ~ '\.(mp4|webm)$' then
        u.of_table = 'stories' and (o.metadata ->> 'size')::bigint > story_video_bytes
      else
        (o.metadata ->> 'size')::bigint > picture_bytes
        or greatest((o.metadata ->> 'width')::bigint, (o.metadata ->> 'height')::bigint) > u.side
        or (o.metadata ->> 'width')::bigint * (o.metadata ->> 'height')::bigint > u.pixels
        or o.metadata -> 'checked' = 'false'
      end
  );
end
$function$;

-- Whether the caller may upload an object of this size under this key: at most 1,000 that no row uses, and of videos `video_upload_bytes`, of pictures `upload_bytes` of the quotas. Reads the caller's folder and rows: about a millisecond for 500 photos.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.has_upload_room(key text, new_bytes bigint)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me constant uuid := (select auth.uid());
  most_uploads constant integer := 1000;
  is_video constant boolean := coalesce(key ~ '\.(mp4|webm)$', false);
  most_bytes constant bigint := (
    select q.per_day from private.quotas q
    where q.kind = case when is_video then 'video_upload_bytes' else 'upload_bytes' end
  );
begin
  return most_bytes is null or (
    select count(*) < most_uploads
      and coalesce(sum((o.metadata ->> 'size')::bigint) filter (where (o.name ~ '\.(mp4|webm)$') = is_video), 0)
        + coalesce(new_bytes, 0) <= most_bytes
    from storage.objects o
    where o.bucket_id = 'media'
      -- The folder; '0' follows '/'. Storage has an index in this collation.
      and o.name collate "C" >= me::text || '/' and o.name collate "C" < me::text || '0'
      and o.name not in (select private.used_objects(me))
  );
end
$function$;

-- Finds #word, whose characters are letters, marks, digits and _, with joiners and the middle dot inside. Not inside a word or an address.
CREATE OR REPLACE FUNCTION private.hashtag_pattern()
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select format(
    '(?<!%1$s|[#\uff03&/@])[#\uff03](%1$s+(?:%2$s+%1$s+)*)',
    private.word_character(), '[\u00b7\u180b-\u180d\u180f\u200c\u200d\U000e0100-\U000e01ef]'
  )
$function$;

-- A pattern for characters that draw nothing or change the direction of others.
CREATE OR REPLACE FUNCTION private.hidden_characters()
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]'
$function$;

-- From the statement on that turns receipts off, no mark of the member is shown. It clears 200 of the shown ones; further ones, and those that others hold, are a job.
CREATE OR REPLACE FUNCTION private.hide_marks()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- Marks that are being set are there before this, or are not shown.
  perform pg_catalog.pg_advisory_xact_lock(private.receipts_key(new.id));
  perform private.clear_shown_marks(new.id, 200);
  if exists (select from public.conversation_members m where m.member_id = new.id and m.read_at is not null) then
    insert into private.jobs (kind, subject_id) values ('receipts', new.id) on conflict do nothing;
  end if;
  return null;
end
$function$;

-- Stores the username of an account that is being deleted, and the former ones that are held for it.
CREATE OR REPLACE FUNCTION private.hold_deleted_usernames()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- The name of a holder was nobody's.
  if exists (select from private.jobs j where j.kind = 'account' and j.subject_id = old.id and j.items is not null) then
    return old;
  end if;
  insert into private.deleted_usernames (username, since)
    select f.username, f.since from private.former_usernames f
      where f.member_id = old.id and private.is_held_username(f.username, null)
    union all
    select old.username, now()
    on conflict (username) do update set since = excluded.since;
  -- For servers without a scheduler.
  perform private.delete_expired_usernames(20);
  return old;
end
$function$;

-- Gives posts, comments or stories to a new member without an account, the holder, whom everybody's lists leave out, and frees their objects. What refers to them waits for work_job().
CREATE OR REPLACE FUNCTION private.hold_items(items regclass, ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET lock_timeout TO '10s'
AS $function$
declare
  holder constant uuid := gen_random_uuid();
  held uuid[];
begin
  -- The order in which a change of privacy takes them. Those who count hold them for milliseconds; no member's filter does.
  if items = 'public.posts'::regclass then
    perform 1 from public.profiles where id in (select p.user_id from public.posts p where p.id = any (ids)) order by id for no key update;
  end if;
  execute format('select array(select id from %s where id = any ($1) order by id for no key update)', items) into held using ids;
  if cardinality(held) = 0 then
    return;
  end if;
  perform private.tell_removed(items, held);
  insert into private.jobs (kind, subject_id, items) values ('account', holder, held);
  insert into public.profiles (id, username, is_private)
    values (holder, 'removed.' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 22), true);
  if items = 'public.posts'::regclass then
    update public.profiles p set post_count = p.post_count - c.posts
      from (
        select user_id, count(*)::integer as posts from public.posts
        where id = any (held) and audience <> 'nobody' group by user_id
      ) as c
      where p.id = c.user_id;
    update public.profiles set post_count = cardinality(held) where id = holder;
    -- Nobody follows a holder, so the audience alone hides them too. A picture keeps a post from being empty.
    update public.posts set user_id = holder, audience = 'followers', image_url = 'data:image/webp;base64,', thumbnail_url = null where id = any (held);
    delete from public.post_media where post_id = any (held);
    delete from public.post_topics where post_id = any (held);
    delete from private.post_words where post_id = any (held);
  elsif items = 'public.comments'::regclass then
    update public.comments set user_id = holder where id = any (held);
    -- Tells their recipients. What one of them holds is hidden, and left to work_job().
    delete from public.notifications where id = any (array(
      select id from public.notifications
      where comment_id = any (held) and type in ('comment', 'reply', 'mention')
      for update skip locked
    ));
  else
    update public.stories set user_id = holder, audience = 'followers', media_path = null, poster_path = null, thumbhash = null, thumbnail_url = null,
        media_url = case media_type when 'image' then 'data:image/webp;base64,' else 'data:video/webm;base64,' end
      where id = any (held);
  end if;
end
$function$;

-- Whether one of two members has blocked the other or is about to. If not, a block of the two waits for the end of this transaction. Never waits.
CREATE OR REPLACE FUNCTION private.is_apart(one uuid, other uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if one = other then
    return false;
  end if;
  if not pg_catalog.pg_try_advisory_xact_lock_shared(private.pair_key(one, other)) then
    return true;
  end if;
  -- A statement of its own: it sees the block whose lock was just released.
  return exists (
    select from public.blocks b
    where (b.blocker_id = one and b.blocked_id = other) or (b.blocker_id = other and b.blocked_id = one)
  );
end
$function$;

-- Whether a value has only details of a camera, as texts: never a location or a serial number, which have no key.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.is_camera(details jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE STRICT
 SET search_path TO ''
AS $function$
  select case when jsonb_typeof(details) = 'object' then
    details <> '{}' and not exists (
      select from jsonb_each(details) as detail (name, value)
      where name not in ('camera', 'lens', 'focal_length', 'aperture', 'exposure_time', 'iso', 'flash', 'film')
        or jsonb_typeof(value) <> 'string'
        or char_length(value #>> '{}') > 100
        or (value #>> '{}') !~ '\S'
    )
  else false end
$function$;

-- Whether a member's privacy is about to change. If not, a change waits for the end of this transaction. Never waits.
CREATE OR REPLACE FUNCTION private.is_changing_privacy(member uuid)
 RETURNS boolean
 LANGUAGE sql
 STRICT
 SET search_path TO ''
AS $function$
  select not pg_catalog.pg_try_advisory_xact_lock_shared(private.privacy_key(member))
$function$;

-- Whether a free username is held for 30 days: the last two of a member for that member, those of a deleted account for nobody.
CREATE OR REPLACE FUNCTION private.is_held_username(name text, taker uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (
      select 1 from private.deleted_usernames d where d.username = name and d.since > now() - interval '30 days'
    )
    or exists (
      select 1 from private.former_usernames f
      where f.username = name and f.since > now() - interval '30 days' and f.member_id is distinct from taker
        and (
          select count(*) from private.former_usernames later
          where later.member_id = f.member_id and (later.since, later.username) > (f.since, f.username)
        ) < 2
    )
$function$;

-- Whether the caller has a session and a profile, and is neither pending nor suspended. Policies call it once per statement, as (select private.is_member()).
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.is_member()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return private.has_account() and not exists (
    select from private.member_states m
    where m.member_id = (select auth.uid()) and m.state <> 'limited' and (m.until is null or m.until > now())
  );
end
$function$;

-- Whether a text is the key of a picture or a video in the folder of this member. Without this check, a member could post another member's key and so get access to the object.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.is_object_key(key text, owner uuid, media_type text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  -- A pattern with the owner in it would be compiled for each row.
  select left(key, 36) = owner::text and case media_type
    when 'image' then substr(key, 37) ~ '^/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.(webp|avif|jpg|png)$'
    when 'video' then substr(key, 37) ~ '^/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.(mp4|webm)$'
  end
$function$;

-- Whether any row refers to this object.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.is_object_used(key text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- Written by private.generate_media().
  return exists (select from public.post_media where feed_path = key)
    or exists (select from public.post_media where grid_path = key)
    or exists (select from public.post_media where middle_path = key)
    or exists (select from public.post_media where full_path = key)
    or exists (select from public.post_media where media_path = key)
    or exists (select from public.profiles where avatar_path = key)
    or exists (select from public.message_media where poster_path = key)
    or exists (select from public.message_media where media_path = key)
    or exists (select from public.stories where poster_path = key)
    or exists (select from public.stories where media_path = key)
    or exists (select from public.conversations where picture_path = key);
end
$function$;

-- Whether a session began at most ten minutes ago. Refreshing the token does not extend this.
CREATE OR REPLACE FUNCTION private.is_recent_session(session uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (
    select from auth.sessions s where s.id = session and s.created_at > now() - interval '10 minutes'
  )
$function$;

-- Whether a text is a ThumbHash, a picture of about 30 bytes, in base64.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.is_thumbhash(hash text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select char_length(hash) <= 64 and hash ~ '^[A-Za-z0-9+/]+={0,2}$'
$function$;

-- Whether a text has a character that draws something: not only spaces, control and zero-width characters, fillers and other blanks.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.is_visible(written text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select written ~ '[^\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f-\u1160\u1680\u17b4-\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U00013430-\U0001343f\U00013441-\U00013442\U00016fe4\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff]'
$function$;

-- Keeps the time of the latest message, whatever a client sends.
CREATE OR REPLACE FUNCTION private.keep_last_message_at()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.last_message_at := old.last_message_at;
  return new;
end
$function$;

-- Which of these usernames, separated by spaces, lead to a member that the caller may see, now or by a former name; at most 100.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.known_usernames(names text)
 RETURNS TABLE(username text)
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 20
 SET search_path TO ''
AS $function$
  select distinct wanted.name
  from unnest((string_to_array(lower(names), ' '))[1:100]) as wanted (name)
  where (select private.is_member())
    and (
      exists (
        select 1 from public.profiles p
        where p.username = wanted.name and p.id not in (select private.my_hidden_ids())
      )
      or exists (
        select 1 from private.former_usernames f
        where f.username = wanted.name and f.member_id not in (select private.my_hidden_ids())
      )
    )
$function$;

-- Pairs of the caller with an account that waits to be cleaned up. A set, hashed once per statement; empty at once if nothing waits.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.lost_conversation_ids()
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER COST 1 ROWS 10
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
declare
  me constant uuid := (select auth.uid());
begin
  return query
    select pair.id from private.removed_member_ids() as removed (id)
    cross join lateral (
      select c.id from public.conversations c
      where least(c.participant_1, c.participant_2) = least(removed.id, me)
        and greatest(c.participant_1, c.participant_2) = greatest(removed.id, me)
      offset 0
    ) as pair;
end
$function$;

-- Notifications of the caller about something that waits to be cleaned up, or about a comment below it. A set, hashed once per statement; empty at once if nothing waits. Of a caller with a thousand notifications it looks for those about what is removed, if that is not as much.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.lost_notification_ids()
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER COST 1 ROWS 10
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
declare
  most constant integer := 1000;
  me constant uuid := (select auth.uid());
  removed constant uuid[] := array(select private.removed_member_ids());
  posts uuid[];
  stories uuid[];
  comments uuid[];
  is_little boolean := false;
begin
  if cardinality(removed) = 0 then
    return;
  end if;
  -- From the smaller side: the notifications of the caller, or what is removed.
  if cardinality(removed) <= most and exists (
    select from public.notifications n where n.user_id = me order by n.created_at desc, n.id desc offset most
  ) then
    posts := array(
      select p.id from unnest(removed) as r (id)
      cross join lateral (select x.id from public.posts x where x.user_id = r.id offset 0) as p limit most + 1
    );
    stories := array(
      select s.id from unnest(removed) as r (id)
      cross join lateral (select x.id from public.stories x where x.user_id = r.id offset 0) as s limit most + 1
    );
    comments := array(
      (
        select c.id from unnest(removed) as r (id)
        cross join lateral (select x.id from public.comments x where x.user_id = r.id offset 0) as c limit most + 1
      )
      union all
      (
        select c.id from unnest(posts) as p (id)
        cross join lateral (select x.id from public.comments x where x.post_id = p.id offset 0) as c limit most + 1
      )
    );
    comments := comments || array(
      select c.id from unnest(comments) as thread (id)
      cross join lateral (select x.id from public.comments x where x.parent_id = thread.id offset 0) as c limit most + 1
    );
    is_little := greatest(cardinality(posts), cardinality(stories), cardinality(comments)) <= most;
  end if;
  if not is_little then
    return query
      select n.id from public.notifications n
      left join public.comments c on c.id = n.comment_id
      left join public.comments thread on thread.id = c.parent_id
      left join public.posts p on p.id = n.post_id
      left join public.stories s on s.id = n.story_id
      where n.user_id = (select auth.uid())
        and (
          c.user_id in (select unnest(removed)) or thread.user_id in (select unnest(removed))
          or p.user_id in (select unnest(removed)) or s.user_id in (select unnest(removed))
        );
    return;
  end if;
  return query
    select n.id
    from (
      select kind || ' ' || p.id as key from unnest(posts) as p (id), unnest(array['like', 'comment', 'reply', 'mention']) as kind
      union all
      select kind || ' ' || s.id from unnest(stories) as s (id), unnest(array['mention', 'story_view']) as kind
    ) as groups
    cross join lateral (select x.id from public.notifications x where x.user_id = me and x.group_key = groups.key offset 0) as n
    union all
    select n.id from unnest(comments) as c (id)
    cross join lateral (select x.id from public.notifications x where x.comment_id = c.id and x.user_id = me offset 0) as n;
end
$function$;

-- The lower case of each of upper_letters().
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.lower_letters()
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select 'àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþāăąćĉċčďđēĕėęěĝğġģĥħĩīĭįĳĵķĺļľŀłńņňŋōŏőœŕŗřśŝşšţťŧũūŭůűųŵŷÿźżžɓƃƅɔƈɖɗƌǝəɛƒɠɣɩɨƙɯɲɵơƣƥʀƨʃƭʈưʊʋƴƶʒƹƽǆǆǉǉǌǌǎǐǒǔǖǘǚǜǟǡǣǥǧǩǫǭǯǳǳǵƕƿǹǻǽǿȁȃȅȇȉȋȍȏȑȓȕȗșțȝȟƞȣȥȧȩȫȭȯȱȳⱥȼƚⱦɂƀʉʌɇɉɋɍɏͱͳͷϳάέήίόύώαβγδεζηθικλμνξοπρστυφχψωϊϋϗϙϛϝϟϡϣϥϧϩϫϭϯθϸϲϻͻͼͽѐёђѓєѕіїјљњћќѝўџабвгдежзийклмнопрстуфхцчшщъыьэюяѡѣѥѧѩѫѭѯѱѳѵѷѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏӂӄӆӈӊӌӎӑӓӕӗәӛӝӟӡӣӥӧөӫӭӯӱӳӵӷӹӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆⴀⴁⴂⴃⴄⴅⴆⴇⴈⴉⴊⴋⴌⴍⴎⴏⴐⴑⴒⴓⴔⴕⴖⴗⴘⴙⴚⴛⴜⴝⴞⴟⴠⴡⴢⴣⴤⴥⴧⴭꭰꭱꭲꭳꭴꭵꭶꭷꭸꭹꭺꭻꭼꭽꭾꭿꮀꮁꮂꮃꮄꮅꮆꮇꮈꮉꮊꮋꮌꮍꮎꮏꮐꮑꮒꮓꮔꮕꮖꮗꮘꮙꮚꮛꮜꮝꮞꮟꮠꮡꮢꮣꮤꮥꮦꮧꮨꮩꮪꮫꮬꮭꮮꮯꮰꮱꮲꮳꮴꮵꮶꮷꮸꮹꮺꮻꮼꮽꮾꮿᏸᏹᏺᏻᏼᏽᲊაბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰჱჲჳჴჵჶჷჸჹჺჽჾჿḁḃḅḇḉḋḍḏḑḓḕḗḙḛḝḟḡḣḥḧḩḫḭḯḱḳḵḷḹḻḽḿṁṃṅṇṉṋṍṏṑṓṕṗṙṛṝṟṡṣṥṧṩṫṭṯṱṳṵṷṹṻṽṿẁẃẅẇẉẋẍẏẑẓẕßạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹỻỽỿἀἁἂἃἄἅἆἇἐἑἒἓἔἕἠἡἢἣἤἥἦἧἰἱἲἳἴἵἶἷὀὁὂὃὄὅὑὓὕὗὠὡὢὣὤὥὦὧᾀᾁᾂᾃᾄᾅᾆᾇᾐᾑᾒᾓᾔᾕᾖᾗᾠᾡᾢᾣᾤᾥᾦᾧᾰᾱὰάᾳὲέὴήῃῐῑὶίῠῡὺύῥὸόὼώῳωkåⅎⅰⅱⅲⅳⅴⅵⅶⅷⅸⅹⅺⅻⅼⅽⅾⅿↄⓐⓑⓒⓓⓔⓕⓖⓗⓘⓙⓚⓛⓜⓝⓞⓟⓠⓡⓢⓣⓤⓥⓦⓧⓨⓩⰰⰱⰲⰳⰴⰵⰶⰷⰸⰹⰺⰻⰼⰽⰾⰿⱀⱁⱂⱃⱄⱅⱆⱇⱈⱉⱊⱋⱌⱍⱎⱏⱐⱑⱒⱓⱔⱕⱖⱗⱘⱙⱚⱛⱜⱝⱞⱟⱡɫᵽɽⱨⱪⱬɑɱɐɒⱳⱶȿɀⲁⲃⲅⲇⲉⲋⲍⲏⲑⲓⲕⲗⲙⲛⲝⲟⲡⲣⲥⲧⲩⲫⲭⲯⲱⲳⲵⲷⲹⲻⲽⲿⳁⳃⳅⳇⳉⳋⳍⳏⳑⳓⳕⳗⳙⳛⳝⳟⳡⳣⳬⳮⳳꙁꙃꙅꙇꙉꙋꙍꙏꙑꙓꙕꙗꙙꙛꙝꙟꙡꙣꙥꙧꙩꙫꙭꚁꚃꚅꚇꚉꚋꚍꚏꚑꚓꚕꚗꚙꚛꜣꜥꜧꜩꜫꜭꜯꜳꜵꜷꜹꜻꜽꜿꝁꝃꝅꝇꝉꝋꝍꝏꝑꝓꝕꝗꝙꝛꝝꝟꝡꝣꝥꝧꝩꝫꝭꝯꝺꝼᵹꝿꞁꞃꞅꞇꞌɥꞑꞓꞗꞙꞛꞝꞟꞡꞣꞥꞧꞩɦɜɡɬɪʞʇʝꭓꞵꞷꞹꞻꞽꞿꟁꟃꞔʂᶎꟈꟊɤꟍ꟏ꟑꟓꟕꟗꟙꟛƛꟶａｂｃｄｅｆｇｈｉｊｋｌｍｎｏｐｑｒｓｔｕｖｗｘｙｚ𐐨𐐩𐐪𐐫𐐬𐐭𐐮𐐯𐐰𐐱𐐲𐐳𐐴𐐵𐐶𐐷𐐸𐐹𐐺𐐻𐐼𐐽𐐾𐐿𐑀𐑁𐑂𐑃𐑄𐑅𐑆𐑇𐑈𐑉𐑊𐑋𐑌𐑍𐑎𐑏𐓘𐓙𐓚𐓛𐓜𐓝𐓞𐓟𐓠𐓡𐓢𐓣𐓤𐓥𐓦𐓧𐓨𐓩𐓪𐓫𐓬𐓭𐓮𐓯𐓰𐓱𐓲𐓳𐓴𐓵𐓶𐓷𐓸𐓹𐓺𐓻𐖗𐖘𐖙𐖚𐖛𐖜𐖝𐖞𐖟𐖠𐖡𐖣𐖤𐖥𐖦𐖧𐖨𐖩𐖪𐖫𐖬𐖭𐖮𐖯𐖰𐖱𐖳𐖴𐖵𐖶𐖷𐖸𐖹𐖻𐖼𐳀𐳁𐳂𐳃𐳄𐳅𐳆𐳇𐳈𐳉𐳊𐳋𐳌𐳍𐳎𐳏𐳐𐳑𐳒𐳓𐳔𐳕𐳖𐳗𐳘𐳙𐳚𐳛𐳜𐳝𐳞𐳟𐳠𐳡𐳢𐳣𐳤𐳥𐳦𐳧𐳨𐳩𐳪𐳫𐳬𐳭𐳮𐳯𐳰𐳱𐳲𐵰𐵱𐵲𐵳𐵴𐵵𐵶𐵷𐵸𐵹𐵺𐵻𐵼𐵽𐵾𐵿𐶀𐶁𐶂𐶃𐶄𐶅𑣀𑣁𑣂𑣃𑣄𑣅𑣆𑣇𑣈𑣉𑣊𑣋𑣌𑣍𑣎𑣏𑣐𑣑𑣒𑣓𑣔𑣕𑣖𑣗𑣘𑣙𑣚𑣛𑣜𑣝𑣞𑣟𖹠𖹡𖹢𖹣𖹤𖹥𖹦𖹧𖹨𖹩𖹪𖹫𖹬𖹭𖹮𖹯𖹰𖹱𖹲𖹳𖹴𖹵𖹶𖹷𖹸𖹹𖹺𖹻𖹼𖹽𖹾𖹿𖺻𖺼𖺽𖺾𖺿𖻀𖻁𖻂𖻃𖻄𖻅𖻆𖻇𖻈𖻉𖻊𖻋𖻌𖻍𖻎𖻏𖻐𖻑𖻒𖻓𞤢𞤣𞤤𞤥𞤦𞤧𞤨𞤩𞤪𞤫𞤬𞤭𞤮𞤯𞤰𞤱𞤲𞤳𞤴𞤵𞤶𞤷𞤸𞤹𞤺𞤻𞤼𞤽𞤾𞤿𞥀𞥁𞥂𞥃'
$function$;

-- Reports to the senders of the caller's new messages that they have arrived, in the latest two hundred conversations with some among the newest thousand. Requests, closed conversations, and conversations in which one of the two has Activity Status off report nothing. Takes no lock if there is nothing to report, and leaves what somebody holds to a later call.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.mark_delivered()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_sort TO 'off'
AS $function$
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
$function$;

-- Sets edited_at when the text, location or alternative text of a post changes.
CREATE OR REPLACE FUNCTION private.mark_edited()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if (new.content, new.location, new.alt_text) is distinct from (old.content, old.location, old.alt_text) then
    new.edited_at := now();
  end if;
  return new;
end
$function$;

-- Keeps a photo for as long as its message.
CREATE OR REPLACE FUNCTION private.mark_media_sent()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.message_media p set sent = true from changed c where p.id = c.media_id;
  return null;
end
$function$;

-- Sets edited_at when the alternative text of a photo changes, as mark_edited() does for the post's own columns.
CREATE OR REPLACE FUNCTION private.mark_post_edited()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.posts set edited_at = now() where id = new.post_id;
  return null;
end
$function$;

-- Raises the caller's mark of a conversation, never beyond the newest message that they may read; others see it if receipts are on and the request is accepted. Then up to 100 messages of a pair get read, the oldest first; returns whether more may be left. PT401, PT403, PT429.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.mark_read(conversation uuid, until_at timestamp with time zone, until_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  most constant integer := 100;
  me constant uuid := (select auth.uid());
  mine public.conversation_views;
  is_shown boolean;
  has_moved boolean;
  last_at timestamptz;
  last_id uuid;
  from_at timestamptz;
  from_id uuid;
  shown_at timestamptz;
  shown_id uuid;
  held_at timestamptz;
  held_id uuid;
  read_ids uuid[];
begin
  perform private.require_active();
  if not private.is_member() then
    raise sqlstate 'PT401' using message = 'Sign in first.';
  end if;
  select * into mine from public.conversation_views v where v.member_id = me and v.conversation_id = conversation;
  if mine.reads_after is null or mine.reads_after = 'infinity' or num_nulls(until_at, until_id) > 0 then
    return false;
  end if;
  select m.created_at, m.id into last_at, last_id from public.messages m
    where m.conversation_id = conversation
      and m.created_at >= mine.reads_after and m.created_at > coalesce(mine.cleared_at, '-infinity')
    order by m.created_at desc, m.id desc limit 1;
  if last_at is null then
    return false;
  end if;
  if (until_at, until_id) < (last_at, last_id) then
    last_at := until_at;
    last_id := until_id;
  end if;
  -- A block ends what one of the two learns of the other's activity.
  is_shown := mine.accepted and not coalesce(private.is_apart(me, private.other_participant(conversation, me)), false)
    and private.shows_reading(me);

  shown_at := last_at;
  shown_id := last_id;
  -- Messages, the row of the member, the view: the order of all writers.
  if is_shown and not mine.is_group then
    -- Those up to the shown mark are read already.
    select coalesce(m.read_at, '-infinity'), coalesce(m.read_id, '00000000-0000-0000-0000-000000000000') into from_at, from_id
      from public.conversation_members m where m.conversation_id = conversation and m.member_id = me;
    read_ids := array(
      select m.id from public.messages m
      where m.conversation_id = conversation and m.sender_id <> me and not m.read
        and (m.created_at, m.id) > (from_at, from_id) and (m.created_at, m.id) <= (last_at, last_id)
      order by m.created_at, m.id limit most for no key update skip locked
    );
    -- One that its sender holds, by a slow edit, is shown as read by a later call, and those after it too.
    select m.created_at, m.id into held_at, held_id from public.messages m
      where m.conversation_id = conversation and m.sender_id <> me and not m.read
        and (m.created_at, m.id) > (from_at, from_id) and (m.created_at, m.id) <= (last_at, last_id)
        and m.id <> all (read_ids)
      order by m.created_at, m.id limit 1;
    if held_id is not null then
      read_ids := array(
        select m.id from public.messages m
        where m.id = any (read_ids) and (m.created_at, m.id) < (held_at, held_id) order by m.created_at, m.id
      );
      -- Null if the first one is held.
      select m.created_at, m.id into shown_at, shown_id from public.messages m where m.id = read_ids[cardinality(read_ids)];
    end if;
  end if;
  if is_shown and shown_id is not null then
    update public.conversation_members m set read_at = shown_at, read_id = shown_id
      where m.conversation_id = conversation and m.member_id = me and m.state = 'in'
        and (m.read_at is null or (m.read_at, m.read_id) < (shown_at, shown_id));
  end if;
  update public.conversation_views v set mark_at = last_at, mark_id = last_id
    where v.member_id = me and v.conversation_id = conversation and v.reads_after < 'infinity'
      and (v.mark_at is null or (v.mark_at, v.mark_id) < (last_at, last_id));
  has_moved := found;
  -- After the marks, which its triggers would raise without counting.
  if cardinality(read_ids) > 0 then
    update public.messages m set read = true where m.id = any (read_ids) and not m.read;
  end if;
  -- A message that arrives meanwhile waits for this lock, or is seen by the next statement.
  perform 1 from public.conversation_views v
    where v.member_id = me and v.conversation_id = conversation for no key update;
  update public.conversation_views v set unread = false, undelivered = false
    where v.member_id = me and v.conversation_id = conversation and v.unread
      and not exists (
        select from public.messages m
        where m.conversation_id = conversation and m.sender_id <> me and m.deleted_at is null
          and (m.created_at, m.id) > (v.mark_at, v.mark_id) and m.created_at > coalesce(v.cleared_at, '-infinity')
      );
  if (found or has_moved) and coalesce(cardinality(read_ids), 0) in (0, most) then
    -- Other devices of the member learn it from the messages that got read, unless there are none, or not all of them are.
    perform private.broadcast_change('conversation_views', 'UPDATE', me, array[conversation]);
  end if;
  return coalesce(cardinality(read_ids), 0) = most;
end
$function$;

-- Takes the turn to broadcast likes and follows to a member: false if somebody else has it, or had it within two seconds. Never waits.
CREATE OR REPLACE FUNCTION private.may_announce(member uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform from private.announcements a
    where a.member_id = member and a.sent_at <= clock_timestamp() - interval '2 seconds'
    for no key update skip locked;
  if not found then
    return false;
  end if;
  update private.announcements set sent_at = clock_timestamp() where member_id = member;
  return true;
end
$function$;

-- Whether the caller may join conversation:<id>:<epoch> of a group that they are in, or room:<id>:<epoch> of a group or of an open pair in which the other has written, while their Activity Status is on. No other epoch than the present one.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.may_join(topic text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  parts constant text[] := regexp_match(
    topic, '^(conversation|room):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):(0|[1-9][0-9]{0,8})$'
  );
begin
  return parts is not null and private.is_member() and exists (
    select from public.conversation_views v
    join public.conversations c on c.id = v.conversation_id
    where v.member_id = (select auth.uid()) and v.conversation_id = parts[2]::uuid and v.reads_after < 'infinity'
      and c.epoch = parts[3]::integer
      and case
        when parts[1] = 'conversation' then v.is_group
        when v.is_group then private.shows_activity()
        else private.shows_activity() and exists (select from private.my_correspondents() w where w.conversation_id = c.id)
      end
  );
end
$function$;

-- Whether what an actor wrote may notify a member: they may see the owner's post or story and what the actor writes, and have not muted the actor.
CREATE OR REPLACE FUNCTION private.may_notify(recipient uuid, actor uuid, owner uuid, audience text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select recipient <> actor
    and private.may_read(recipient, owner, audience)
    and not exists (
      select from public.blocks b
      where (b.blocker_id = recipient and b.blocked_id = actor) or (b.blocker_id = actor and b.blocked_id = recipient)
    )
    and not exists (select from public.mutes m where m.muter_id = recipient and m.muted_id = actor)
$function$;

-- Whether a member may see a post or story of this author and audience: the rule of posts_select, for a reader who is not the caller.
CREATE OR REPLACE FUNCTION private.may_read(reader uuid, author uuid, audience text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select reader = author
    or (
      audience = 'public'
      or audience = 'followers'
        and exists (select from public.follows f where f.follower_id = reader and f.following_id = author)
    )
    and not exists (
      select from public.blocks b
      where (b.blocker_id = reader and b.blocked_id = author) or (b.blocker_id = author and b.blocked_id = reader)
    )
    and not exists (select from private.jobs j where j.kind = 'account' and j.subject_id = author)
$function$;

-- Whether the bucket `media` is private, with the limit and types of the app: right, changed, missing or no-storage.
CREATE OR REPLACE FUNCTION private.media_bucket_state()
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  is_right boolean;
begin
  -- A project has the tables before Storage itself completes them.
  if not exists (
    select from pg_catalog.pg_attribute where attrelid = to_regclass('storage.buckets') and attname = 'allowed_mime_types'
  ) then
    return 'no-storage';
  end if;
  select not b.public
      and coalesce(b.file_size_limit, 0) = private.media_object_bytes()
      and coalesce(b.allowed_mime_types, '{}') @> private.media_object_types()
      and b.allowed_mime_types <@ private.media_object_types()
    into is_right
    from storage.buckets b where b.id = 'media';
  return case is_right when true then 'right' when false then 'changed' else 'missing' end;
end
$function$;

-- Bytes that a member has stored within a day and not deleted: of videos in Storage, or of pictures there and of both in rows. Sums the rows, so that deleting frees the quota; other quotas limit their number.
CREATE OR REPLACE FUNCTION private.media_bytes_of_day(member uuid, of_videos boolean)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
    select key from public.posts p join public.post_media h on h.post_id = p.id,
      unnest(array[h.full_path, h.middle_path, h.feed_path, h.grid_path, h.media_path]) as key
      where p.user_id = member and p.created_at > now() - interval '1 day' and key is not null
    union all
    select key from public.stories, unnest(array[media_path, poster_path]) as key
      where user_id = member and expires_at > now() and key is not null
    union all
    select key from public.message_media, unnest(array[media_path, poster_path]) as key
      where sender_id = member and created_at > now() - interval '1 day' and key is not null
  );
begin
  return case when of_videos then 0 else inline_bytes end + (
    select s.bytes from private.stored_objects(array(
      select key from unnest(keys) as key where (key ~ '\.(mp4|webm)$') = of_videos
    )) s
  );
end
$function$;

-- The columns that hold keys of objects: whose folder they are in, and the longest side and most pixels of a picture there. A migration that changes it calls generate_media() and, in the next file, create_media_bucket().
CREATE OR REPLACE FUNCTION private.media_columns()
 RETURNS TABLE(of_table text, of_column text, owner_column text, side integer, pixels integer)
 LANGUAGE sql
 IMMUTABLE ROWS 10
 SET search_path TO ''
AS $function$
  values
    ('post_media', 'feed_path', 'user_id', 4096, 2 * 1080 * 2048),
    ('post_media', 'grid_path', 'user_id', 4096, 2 * 640 * 2048),
    ('post_media', 'middle_path', 'user_id', 4096, 4096 * 4096),
    ('post_media', 'full_path', 'user_id', 12288, 4096 * 4096),
    -- Only videos, which has_unfit_picture() does not measure.
    ('post_media', 'media_path', 'user_id', null, null),
    ('profiles', 'avatar_path', 'id', 1024, 1024 * 1024),
    ('message_media', 'poster_path', 'sender_id', 4096, 2 * 640 * 2048),
    ('message_media', 'media_path', 'sender_id', 12288, 4096 * 4096),
    ('stories', 'poster_path', 'user_id', 4096, 2 * 640 * 2048),
    ('stories', 'media_path', 'user_id', 4096, 4096 * 4096),
    ('conversations', 'picture_path', 'pictured_by', 1024, 1024 * 1024)
$function$;

-- Whether each column that holds keys of objects is looked up. Otherwise nothing may be deleted.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.media_columns_match()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return cardinality(private.unmatched_media_columns()) = 0;
end
$function$;

-- Whether the bucket `media` exists. False without a session.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.media_in_storage()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if to_regclass('storage.buckets') is null or not private.has_session() then
    return false;
  end if;
  return exists (select from storage.buckets where id = 'media');
end
$function$;

-- The most bytes of an object that the bucket `media` takes; null without it, and without a session. A project may have a lower limit, which only Storage knows.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.media_limit()
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.has_session() or private.media_bucket_state() = 'no-storage' then
    return null;
  end if;
  return (select coalesce(b.file_size_limit, private.media_object_bytes()) from storage.buckets b where b.id = 'media');
end
$function$;

-- The largest object in the bucket `media`, in bytes.
CREATE OR REPLACE FUNCTION private.media_object_bytes()
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select 200000000
$function$;

-- The types of objects in the bucket `media`.
CREATE OR REPLACE FUNCTION private.media_object_types()
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select array['image/webp', 'image/jpeg', 'image/png', 'image/avif', 'video/mp4', 'video/webm']
$function$;

-- Members that a text mentions and may notify: the first twenty, so that nobody can notify hundreds at once.
CREATE OR REPLACE FUNCTION private.mentioned_members(body text, actor uuid, owner uuid, audience text)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 5
 SET search_path TO ''
AS $function$
  select p.id
  from private.mentions(body) as name
  join public.profiles p on p.username = name
  where private.may_notify(p.id, actor, owner, audience)
  order by strpos(lower(body), '@' || name)
  limit 20
$function$;

-- Usernames that a text mentions as @username. Ignores words, e-mail addresses, paths and name@server; a full stop after a name is not part of it.
CREATE OR REPLACE FUNCTION private.mentions(body text)
 RETURNS SETOF text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select distinct rtrim(lower(found[1]), '.')
  from regexp_matches(body, '(?<![A-Za-z0-9._%+@/-])@([A-Za-z0-9._]+)(?![A-Za-z0-9._@])', 'g') as found
$function$;

-- Continues what changes of privacy have left to the cleanup, for about as long as it takes to change the given number of words. Returns what it cost.
CREATE OR REPLACE FUNCTION private.move_posts(max_cost integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  cost integer := 0;
  member uuid;
begin
  for member in select m.member_id from private.post_moves m for update skip locked loop
    cost := cost + private.move_posts_of(member, max_cost - cost);
    exit when cost >= max_cost;
  end loop;
  return cost;
end
$function$;

-- Gives the words and topics of a member's posts, the newest first, the audience of their post, and ends after the post with which it has cost as much as changing the given number of words. Returns what it cost.
CREATE OR REPLACE FUNCTION private.move_posts_of(member uuid, max_cost integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
declare
  -- Of one topic, with its indexes and the words of its name, in words of a text.
  topic_cost constant integer := 10;
  move private.post_moves;
  post record;
  changed integer;
  cost integer := 0;
begin
  select m.* into move from private.post_moves m where m.member_id = member for update;
  for post in
    select p.id, p.created_at, p.audience from public.posts p
    -- Those of `nobody` have no words and topics.
    where p.user_id = member and p.audience <> 'nobody' and (p.created_at, p.id) < (move.before_at, move.before_id)
    order by p.created_at desc, p.id desc
  loop
    update public.post_topics t set audience = post.audience
      where t.post_id = post.id and t.audience <> post.audience;
    get diagnostics changed = row_count;
    cost := cost + 1 + changed * topic_cost;
    update private.post_words w set audience = post.audience
      where w.post_id = post.id and w.audience <> post.audience;
    get diagnostics changed = row_count;
    cost := cost + changed;
    if cost >= max_cost then
      update private.post_moves m set before_at = post.created_at, before_id = post.id where m.member_id = member;
      return cost;
    end if;
  end loop;
  delete from private.post_moves m where m.member_id = member;
  return cost;
end
$function$;

-- The pictures that blocked_members() returns: profiles of blocked members are hidden.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.my_blocked_avatars()
 RETURNS SETOF text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query
    select p.avatar_path
    from public.blocks mine
    join public.profiles p on p.id = mine.blocked_id
    where mine.blocker_id = (select auth.uid()) and p.avatar_path is not null
      and not exists (
        select from public.blocks theirs where theirs.blocker_id = mine.blocked_id and theirs.blocked_id = mine.blocker_id
      );
end
$function$;

-- Members who have written to the caller and are not hidden from them.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.my_correspondent_ids()
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query select member_id from private.my_correspondents();
end
$function$;

-- Members who have written to the caller and are not hidden from them, each with their conversation.
CREATE OR REPLACE FUNCTION private.my_correspondents()
 RETURNS TABLE(conversation_id uuid, member_id uuid)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 100
 SET search_path TO ''
AS $function$
#variable_conflict use_column
begin
  return query
    select theirs.conversation_id, theirs.member_id
    from (
      select id, participant_2 from public.conversations
        where participant_1 = (select auth.uid()) and participant_2_wrote
      union all
      select id, participant_1 from public.conversations
        where participant_2 = (select auth.uid()) and participant_1_wrote
    ) as theirs (conversation_id, member_id)
    where theirs.member_id not in (select private.my_hidden_ids());
end
$function$;

-- Members that the caller follows. A set, so that policies hash it once per statement instead of querying it per row.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.my_following_ids()
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query select following_id from public.follows where follower_id = (select auth.uid());
end
$function$;

-- Members that the caller has blocked or who have blocked the caller, and removed accounts and holders. A set, hashed once per statement; never returned to clients, because it would show them who blocked them.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.my_hidden_ids()
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER COST 1 ROWS 10
 SET search_path TO ''
AS $function$
begin
  return query
    select blocked_id from public.blocks where blocker_id = (select auth.uid())
    union all
    select blocker_id from public.blocks where blocked_id = (select auth.uid())
    union all
    select j.subject_id from private.jobs j where j.kind = 'account';
end
$function$;

-- The caller's sessions. Clients cannot read auth.sessions otherwise.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.my_sessions()
 RETURNS TABLE(id uuid, created_at timestamp with time zone, last_used_at timestamp with time zone, user_agent text, is_current boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select
    s.id,
    s.created_at,
    -- refreshed_at has no time zone; GoTrue writes UTC.
    greatest(s.created_at, s.refreshed_at at time zone 'utc'),
    s.user_agent,
    s.id = ((select auth.jwt()) ->> 'session_id')::uuid
  from auth.sessions s
  where s.user_id = (select auth.uid())
    and (s.not_after is null or s.not_after > now())
    and (select private.has_session())
  order by 5 desc, 3 desc, s.id
  limit 100
$function$;

-- As public.my_state(), which is the invoker function around it.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.my_state()
 RETURNS TABLE(state text, until timestamp with time zone, reason text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query
    select coalesce(m.state, 'active'), m.until, m.reason
    from (select) as caller
    left join private.member_states m on m.member_id = (select auth.uid()) and (m.until is null or m.until > now())
    where private.has_account();
end
$function$;

-- Objects in the caller's folder that no row has used for a day, at most 1,000: as many as Storage removes at once.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.my_unused_objects()
 RETURNS TABLE(name text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me constant uuid := (select auth.uid());
begin
  if to_regclass('storage.objects') is null or not private.has_account() or not private.media_columns_match() then
    return;
  end if;
  return query
    select o.name from storage.objects o
    where o.bucket_id = 'media'
      -- The folder; '0' follows '/'. Storage has an index in this collation.
      and o.name collate "C" >= me::text || '/' and o.name collate "C" < me::text || '0'
      and o.created_at <= now() - interval '1 day'
      and o.name not in (select private.used_objects(me))
    limit 1000;
end
$function$;

-- A new id: UUIDv7 (RFC 9562, section 5.7). Nothing may rely on the time in an id. Not for object keys, links and codes: it says when it was made.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.new_id()
 RETURNS uuid
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  -- Version 4 has the bits 0100, and setting 52 and 53 makes 0111. PostgreSQL has uuidv7() from version 18 on.
  select encode(set_bit(set_bit(overlay(
    uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6
  ), 52, 1), 53, 1), 'hex')::uuid
$function$;

-- The ten latest sign-ins that the caller has to be asked about.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.new_sign_ins()
 RETURNS TABLE(id uuid, created_at timestamp with time zone, user_agent text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select n.session_id, n.created_at, coalesce(n.user_agent, s.user_agent)
  from private.unanswered_sign_ins() n
  left join auth.sessions s on s.id = n.session_id
  order by n.created_at desc, n.session_id
  limit 10
$function$;

-- The 2,000 newest messages before (before_at, before_id) that the caller may read in the groups they are in, own ones from joining on too. Reads some of each group, then more of those that have newer ones.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.newest_in_groups(before_at timestamp with time zone, before_id uuid)
 RETURNS TABLE(id uuid, conversation_id uuid, sender_id uuid, content text, created_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 2000
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_memoize TO 'off'
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
#variable_conflict use_column
-- Generic: for a member with many conversations, few of them groups, a plan of their own may read an index from end to end.
declare
  most constant integer := 2000;
  me constant uuid := (select auth.uid());
  removed constant uuid[] := array(select private.removed_member_ids());
  -- Groups that may have more of the newest messages, since when the member reads them, and the last message that was read there.
  chats uuid[];
  since timestamptz[];
  last_at timestamptz[];
  last_id uuid[];
  -- The newest messages among those read, and their places in the table.
  times timestamptz[] := '{}';
  ids uuid[] := '{}';
  places tid[] := '{}';
  bound timestamptz := '-infinity';
  block integer;
begin
  -- Others' messages are not for a suspended member.
  if not private.is_member() then
    return;
  end if;
  select array_agg(v.conversation_id), array_agg(greatest(v.reads_after, v.cleared_at + interval '1 microsecond')),
      array_agg(before_at), array_agg(before_id)
    into chats, since, last_at, last_id
    from public.conversation_views v
    where v.member_id = me and v.is_group and v.reads_after < 'infinity';
  -- A round costs more than reading some messages too many.
  block := greatest(4, 3 * most / 2 / greatest(1, cardinality(chats)));
  while cardinality(chats) > 0 loop
    with read as materialized (
      select g.chat, g.since, m.*
      from unnest(chats, since, last_at, last_id) as g (chat, since, last_at, last_id)
      cross join lateral (
        select array_agg(r.created_at) as times, array_agg(r.id) as ids, array_agg(r.ctid) as places
        from (
          select x.created_at, x.id, x.ctid from public.messages x
          where x.conversation_id = g.chat and (x.created_at, x.id) < (g.last_at, g.last_id)
            and x.created_at >= greatest(g.since, bound) and x.sender_id <> all (removed)
          order by x.created_at desc, x.id desc limit block
        ) as r
      ) as m
    ), newest as (
      select array_agg(k.at) as times, array_agg(k.id) as ids, array_agg(k.place) as places
      from (
        select u.* from unnest(times, ids, places) as u (at, id, place)
        union all
        select u.* from read r cross join lateral unnest(r.times, r.ids, r.places) as u (at, id, place)
        order by at desc, id desc limit most
      ) as k
    )
    select n.*, o.* into times, ids, places, chats, since, last_at, last_id
      from newest n
      cross join lateral (
        select array_agg(r.chat), array_agg(r.since), array_agg(r.times[block]), array_agg(r.ids[block])
        from read r where r.times[block] >= coalesce(n.times[most], '-infinity')
      ) as o;
    bound := coalesce(times[most], '-infinity');
    block := 8 * block;
  end loop;
  -- A statement that only reads sees each row where it was.
  return query
    select x.id, x.conversation_id, x.sender_id, x.content, x.created_at
    from public.messages x where x.ctid = any (places);
end
$function$;

-- The newest of these messages for each member of a pair who received them.
CREATE OR REPLACE FUNCTION private.newest_read(ids uuid[])
 RETURNS TABLE(conversation_id uuid, member_id uuid, created_at timestamp with time zone, id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select m.conversation_id, case m.sender_id when c.participant_1 then c.participant_2 else c.participant_1 end, m.created_at, m.id
  from (
    select n.*, row_number() over (partition by n.conversation_id, n.sender_id order by n.created_at desc, n.id desc) as place
    from public.messages n where n.id = any (ids)
  ) as m
  join public.conversations c on c.id = m.conversation_id
  where m.place = 1 and c.kind = 'pair'
$function$;

-- Tells the cleanup which topics may have no post any more.
CREATE OR REPLACE FUNCTION private.note_removed_topics()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.removed_topics select distinct kind, audience, topic from removed;
  return null;
end
$function$;

-- The latest notification of each of the caller's next twenty groups, older than a given notification, without those of muted and hidden members. Reads at most 5,000 notifications; if there are more but not twenty groups among them, the last row is the last visible one of these, which is no group.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.notification_heads(before_at timestamp with time zone, before_id uuid)
 RETURNS TABLE(id uuid, is_group boolean)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 20
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
 SET enable_bitmapscan TO 'off'
 SET jit TO 'off'
AS $function$
#variable_conflict use_column
declare
  most constant integer := 20;
  me constant uuid := (select auth.uid());
  left_out constant uuid[] :=
    array(select private.my_hidden_ids()) || array(select m.muted_id from public.mutes m where m.muter_id = me);
  lost constant uuid[] := array(select private.lost_notification_ids());
  from_at constant timestamptz := coalesce(before_at, 'infinity');
  from_id constant uuid := coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  heads uuid[];
  depth integer;
  last_at timestamptz;
  last_id uuid;
begin
  if not private.is_member() then
    return;
  end if;
  -- Most members have twenty groups among few notifications; a popular post can have thousands that follow each other.
  foreach depth in array array[200, 1000, 5000] loop
    heads := array(
      select head.id
      from (
        select walked.group_key, min(walked.place) as place
        from (
          select n.id, n.group_key, n.actor_id, row_number() over (order by n.created_at desc, n.id desc) as place
          from public.notifications n
          where n.user_id = me and (n.created_at, n.id) < (from_at, from_id)
          order by n.created_at desc, n.id desc limit depth
        ) as walked
        where walked.actor_id <> all (left_out) and walked.id <> all (lost)
        group by walked.group_key
        order by min(walked.place)
      ) as latest
      cross join lateral (
        select n.id from public.notifications n
        where n.user_id = me and n.group_key = latest.group_key
          and (n.created_at, n.id) < (from_at, from_id) and n.actor_id <> all (left_out)
          and n.id <> all (lost)
        order by n.created_at desc, n.id desc limit 1
      ) as head
      -- A group with a later notification is on an earlier page.
      where before_at is null or not exists (
        select from public.notifications n
        where n.user_id = me and n.group_key = latest.group_key
          and (n.created_at, n.id) >= (from_at, from_id) and n.actor_id <> all (left_out)
          and n.id <> all (lost)
        offset 0
      )
      order by latest.place limit most
    );
    exit when cardinality(heads) = most;
  end loop;
  return query select head, true from unnest(heads) as head;
  if cardinality(heads) < most then
    select n.created_at, n.id into last_at, last_id
      from public.notifications n
      where n.user_id = me and (n.created_at, n.id) < (from_at, from_id)
      order by n.created_at desc, n.id desc offset depth - 1 limit 1;
    if found then
      return query
        select n.id, false
        from public.notifications n
        where n.user_id = me and (n.created_at, n.id) < (from_at, from_id)
          and (n.created_at, n.id) >= (last_at, last_id) and n.actor_id <> all (left_out)
          and n.id <> all (lost)
        order by n.created_at, n.id limit 1;
    end if;
  end if;
end
$function$;

-- For triggers: adds notifications when a row is inserted and withdraws them when it is deleted.
CREATE OR REPLACE FUNCTION private.notify(operation text, events private.notification_event[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if operation = 'INSERT' then
    perform private.add_notifications(events);
  else
    perform private.withdraw_notifications(events);
  end if;
end
$function$;

-- Notifies the author of the comment that a reply answers, the members that a comment mentions, and the post's author: each once, of the most specific event. The foreign key deletes the notifications with the comment.
CREATE OR REPLACE FUNCTION private.notify_comment()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.notifications (user_id, actor_id, type, post_id, comment_id)
    select distinct on (c.id, concerned.member) concerned.member, c.user_id, concerned.type, c.post_id, c.id
    from changed c
    join public.posts p on p.id = c.post_id
    cross join lateral (
      select answered.user_id, 'reply', 1
        from public.comments answered
        where answered.id = c.parent_id
          and private.may_notify(answered.user_id, c.user_id, p.user_id, p.audience)
      union all
      select member, 'mention', 2 from private.mentioned_members(c.content, c.user_id, p.user_id, p.audience) as member
      union all
      select p.user_id, 'comment', 3
    ) as concerned (member, type, place)
    where concerned.member <> c.user_id
    order by c.id, concerned.member, concerned.place;
  return null;
end
$function$;

-- Notifies a comment's author of a like, at most once a day for the same member.
CREATE OR REPLACE FUNCTION private.notify_comment_like()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.notify(tg_op, array(
    select (c.user_id, o.user_id, 'comment_like', c.comment_id, c.created_at)::private.notification_event
    from changed c
    join public.comments o on o.id = c.comment_id
    join public.posts p on p.id = o.post_id
    where o.user_id <> c.user_id
      and (tg_op = 'DELETE' or private.may_notify(o.user_id, c.user_id, p.user_id, p.audience))
  ));
  return null;
end
$function$;

-- Notifies a member of a new follower, at most once a day for the same follower. Deleting a follow also withdraws the notification that its request was accepted.
CREATE OR REPLACE FUNCTION private.notify_follow()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.notify(tg_op, array(
    select (c.follower_id, c.following_id, 'follow', c.following_id, c.created_at)::private.notification_event from changed c
    union all
    select (c.following_id, c.follower_id, 'follow_accepted', c.follower_id, c.created_at)::private.notification_event from changed c
    where tg_op = 'DELETE'
  ));
  return null;
end
$function$;

-- Notifies a private account of a request, at most once a day for the same requester. Withdrawn when the request is withdrawn or answered.
CREATE OR REPLACE FUNCTION private.notify_follow_request()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.notify(tg_op, array(
    select (c.requester_id, c.target_id, 'follow_request', c.target_id, c.created_at)::private.notification_event from changed c
  ));
  return null;
end
$function$;

-- Notifies a post's author of a like, at most once a day for the same member.
CREATE OR REPLACE FUNCTION private.notify_like()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.notify(tg_op, array(
    select (c.user_id, p.user_id, 'like', c.post_id, c.created_at)::private.notification_event
    from changed c join public.posts p on p.id = c.post_id
    where p.user_id <> c.user_id
  ));
  return null;
end
$function$;

-- Notifies the members that a post, or an edit of it, newly mentions. Each member is notified once per post.
CREATE OR REPLACE FUNCTION private.notify_post_mentions()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.notifications (user_id, actor_id, type, post_id)
    select member, new.user_id, 'mention', new.id
    from private.mentioned_members(new.content, new.user_id, new.user_id, new.audience) as member
    join public.profiles p on p.id = member
    where p.username not in (select private.mentions(old.content))
    on conflict do nothing;
  return null;
end
$function$;

-- Notifies the members that the caption of a new story mentions.
CREATE OR REPLACE FUNCTION private.notify_story_mentions()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.notifications (user_id, actor_id, type, story_id)
    select member, new.user_id, 'mention', new.id
    from private.mentioned_members(new.content, new.user_id, new.user_id, new.audience) as member
    on conflict do nothing;
  return null;
end
$function$;

-- Notifies a story's owner of a view.
CREATE OR REPLACE FUNCTION private.notify_story_view()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.notifications (user_id, actor_id, type, story_id)
    select s.user_id, c.viewer_id, 'story_view', c.story_id
    from changed c join public.stories s on s.id = c.story_id
    where s.user_id <> c.viewer_id
    on conflict do nothing;
  return null;
end
$function$;

-- Separates the two members of a new block. What is 200 rows or more, what others hold, and what the two are still writing is left to batches: a block never fails because of it.
CREATE OR REPLACE FUNCTION private.on_block()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  pair constant uuid[] := array[new.blocker_id, new.blocked_id];
  is_alone constant boolean := pg_catalog.pg_try_advisory_xact_lock(private.pair_key(new.blocker_id, new.blocked_id));
  is_closed constant boolean := private.close_room(new.blocker_id, new.blocked_id);
begin
  for attempt in 1..5 loop
    -- Of many blocks in one statement, which ends after three seconds.
    exit when clock_timestamp() > statement_timestamp() + interval '2 seconds';
    if private.weigh_traces(pair, 200) >= 200 then
      perform private.part_some(pair, 500);
      exit;
    elsif private.part(new.blocker_id, new.blocked_id) then
      exit when not is_alone or not is_closed;
      return null;
    end if;
    perform pg_catalog.pg_sleep(0.02 + 0.08 * random());
  end loop;
  insert into private.unfinished_blocks (blocker_id, blocked_id) values (new.blocker_id, new.blocked_id) on conflict do nothing;
  return null;
end
$function$;

-- The other of a pair; null in groups, so that rules of pairs do nothing there.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.other_participant(conversation uuid, member uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return (
    select case member when c.participant_1 then c.participant_2 when c.participant_2 then c.participant_1 end
    from public.conversations c where c.id = conversation
  );
end
$function$;

-- The advisory lock of two members. A block holds it exclusively, and what one of them does to the other shared, so that they see each other.
CREATE OR REPLACE FUNCTION private.pair_key(one uuid, other uuid)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE STRICT
 SET search_path TO ''
AS $function$
  select pg_catalog.hashtextextended(least(one, other)::text || greatest(one, other)::text, 7246003)
$function$;

-- Removes all traces of two members. Waits at most 200 ms for a row; returns false, and has deleted nothing, if that was not enough.
CREATE OR REPLACE FUNCTION private.part(one uuid, other uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET lock_timeout TO '200ms'
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
declare
  trace record;
begin
  for trace in select * from private.traces() loop
    execute format('delete from %s t where %s', trace.place, trace.rule) using array[one, other];
  end loop;
  return true;
exception when lock_not_available then
  return false;
end
$function$;

-- Removes up to `most` traces of two members, without those that somebody holds; a holder takes their comments, which so disappear for everybody with all replies. Returns how many.
CREATE OR REPLACE FUNCTION private.part_some(pair uuid[], most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET lock_timeout TO '200ms'
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
declare
  trace record;
  found uuid[];
  step integer;
  removed integer := 0;
begin
  for trace in select * from private.traces() loop
    if trace.place = 'public.comments'::regclass then
      execute format(
        'select array(select t.id from %s t where %s limit $2 for no key update of t skip locked)', trace.place, trace.rule
      ) into found using pair, most - removed;
      perform private.hold_items(trace.place, found);
      step := cardinality(found);
    else
      execute format(
        'delete from %1$s where ctid = any (array(select t.ctid from %1$s t where %2$s limit $2 for update of t skip locked))',
        trace.place, trace.rule
      ) using pair, most - removed;
      get diagnostics step = row_count;
    end if;
    removed := removed + step;
    exit when removed >= most;
  end loop;
  return removed;
exception when lock_not_available then
  return 0;
end
$function$;

-- At most twenty public accounts that the caller does not follow: first those followed by the latest thirty members that the caller follows, then authors of the latest public posts, then new accounts. Reads at most 900 follows, 200 posts and 60 new accounts.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.people_to_follow()
 RETURNS TABLE(id uuid, username text, full_name text, avatar_url text, avatar_path text, followed_by text, followed_by_count integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
 SET jit TO 'off'
AS $function$
declare
  me constant uuid := (select auth.uid());
  most constant integer := 20;
  muted constant uuid[] := array(select m.muted_id from public.mutes m where m.muter_id = me);
  left_out constant uuid[] := array(select private.my_hidden_ids()) || muted || me;
begin
  if not private.is_member() then
    return;
  end if;
  return query
    -- Only the latest follows of each member, so that the number of rows read has a bound.
    with followed as (
      select f.following_id, f.created_at
      from public.follows f
      where f.follower_id = me and f.following_id <> all (muted)
      order by f.created_at desc, f.following_id desc limit 30
    ),
    known as (
      select theirs.following_id as member_id, (array_agg(f.following_id order by f.created_at desc))[1] as followed_by,
        count(*)::integer as followed_by_count
      from followed f
      cross join lateral (
        select t.following_id from public.follows t
        where t.follower_id = f.following_id
        order by t.created_at desc, t.following_id desc limit 30
      ) as theirs
      group by theirs.following_id
    ),
    others as (
      select recent.member_id, max(recent.posted_at) as posted_at, max(recent.joined_at) as joined_at
      from (
        (
          select p.user_id as member_id, p.created_at as posted_at, null as joined_at from public.posts p
          where p.audience = 'public'
          order by p.created_at desc, p.id desc limit 200
        )
        union all
        (
          select p.id, null, p.created_at from public.profiles p
          where not p.is_private
          order by p.created_at desc limit 60
        )
      ) as recent
      group by recent.member_id
    )
    select p.id, p.username, p.full_name, p.avatar_url, p.avatar_path, by_whom.username, coalesce(k.followed_by_count, 0)
    from known k
    full join others o using (member_id)
    -- Looks each candidate up instead of reading all profiles.
    cross join lateral (
      select c.id, c.username, c.full_name, c.avatar_url, c.avatar_path from public.profiles c
      where c.id = member_id and not c.is_private
      offset 0
    ) as p
    left join lateral (select f.username from public.profiles f where f.id = k.followed_by offset 0) as by_whom on true
    where member_id <> all (left_out)
      and not exists (
        select 1 from public.follows f where f.follower_id = me and f.following_id = member_id offset 0
      )
    order by k.followed_by_count desc nulls last, o.posted_at desc nulls last, o.joined_at desc nulls last, p.id
    limit most;
end
$function$;

-- The advisory lock of a member's privacy. A change holds it exclusively, and follows and requests shared, so that they see each other.
CREATE OR REPLACE FUNCTION private.privacy_key(member uuid)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE STRICT
 SET search_path TO ''
AS $function$
  select private.pair_key(member, member)
$function$;

-- Raises PT429, which the API answers with status 429.
CREATE OR REPLACE FUNCTION private.raise_quota_exceeded(kind text, per_minute boolean)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  raise sqlstate 'PT429' using
    message = 'You are doing this too fast',
    detail = kind,
    hint = case when per_minute then 'Try again in a minute.' else 'Try again tomorrow.' end;
end
$function$;

-- The advisory lock of a change of the member's receipts.
CREATE OR REPLACE FUNCTION private.receipts_key(member uuid)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE STRICT
 SET search_path TO ''
AS $function$
  select pg_catalog.hashtextextended(member::text, 7246006)
$function$;

-- Checks again what the guards of follows and requests have checked, while no change of privacy can end: an account that is private, or about to be, gets no follow, and one that is public no request.
CREATE OR REPLACE FUNCTION private.recheck_privacy()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  is_changing boolean;
begin
  if tg_table_name = 'follows' then
    select bool_or(private.is_changing_privacy(c.following_id)) into is_changing from changed c;
    -- A statement of its own: it sees a change whose lock was just released.
    if is_changing or exists (
      select from changed c join public.profiles p on p.id = c.following_id where p.is_private
    ) then
      raise sqlstate 'PT403' using
        message = 'This account is private.',
        hint = 'Insert into follow_requests and wait until it is accepted.';
    end if;
    return null;
  end if;
  select bool_or(private.is_changing_privacy(c.target_id)) into is_changing from changed c;
  if is_changing or exists (
    select from changed c join public.profiles p on p.id = c.target_id where not p.is_private
  ) then
    raise sqlstate 'PT409' using
      message = 'This account is public.',
      hint = 'Insert into follows; nobody would answer the request.';
  end if;
  return null;
end
$function$;

-- Stores a new password or e-mail. A former e-mail that comes back ends the right of those since to recover the account. An address that was confirmed by mail ends all sessions of the account.
CREATE OR REPLACE FUNCTION private.record_account_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if new.encrypted_password is distinct from old.encrypted_password then
    -- Only the latest says why sessions end. There may be very many from before this.
    delete from private.account_changes where id = any (array(
      select c.id from private.account_changes c where c.member_id = new.id and c.kind = 'password' limit 100
    ));
    insert into private.account_changes (member_id, kind) values (new.id, 'password');
  end if;
  if new.email is distinct from old.email then
    insert into private.account_changes (member_id, kind, former_email) values (new.id, 'email', old.email);
    -- Only an address that may still recover the account.
    update private.account_changes set former_email = null
      where member_id = new.id and former_email is not null and id >= (
        select min(c.id) from private.account_changes c
        where c.member_id = new.id and c.former_email = new.email and c.changed_at > now() - interval '7 days'
      );
    -- A link in a mail has confirmed the address. Which session asked for it is not known.
    if old.email_change = new.email then
      delete from auth.sessions where user_id = new.id;
    end if;
  end if;
  return null;
end
$function$;

-- Stores when a session ended. If the account was changed in the minute before, that is the reason.
CREATE OR REPLACE FUNCTION private.record_session_end()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update private.sign_ins
    set
      ended_at = now(),
      user_agent = old.user_agent,
      -- Auth ends the sessions just after the change, in the same transaction or in the next request.
      end_reason = (
        select c.kind from private.account_changes c
        where c.member_id = old.user_id and c.changed_at > now() - interval '1 minute'
        order by c.id desc limit 1
      )
    where session_id = old.id;
  return null;
end
$function$;

-- Stores a sign-in, and broadcasts it to the member's other devices. Ends those of more than three hundred sessions that were not used for longest, and forgets those of more than two thousand ended ones that began first.
CREATE OR REPLACE FUNCTION private.record_sign_in()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  surplus uuid[];
begin
  insert into private.sign_ins (session_id, member_id) values (new.id, new.user_id);
  if exists (select from auth.sessions s where s.user_id = new.user_id and s.id <> new.id) then
    perform private.broadcast_change('sign_ins', 'INSERT', new.user_id, array[new.id]);
  end if;
  -- A hundred at once: earlier versions kept more. Two sign-ins at once end different ones.
  surplus := array(
    select s.id from auth.sessions s where s.user_id = new.user_id and s.id <> new.id
    order by greatest(s.created_at, s.refreshed_at at time zone 'utc') desc offset 299 limit 100
  );
  if cardinality(surplus) > 0 then
    surplus := array(select s.id from auth.sessions s where s.id = any (surplus) for update skip locked);
    delete from auth.sessions where id = any (surplus);
  end if;
  surplus := array(
    select s.session_id from private.sign_ins s where s.member_id = new.user_id and s.ended_at is not null
    order by s.created_at desc offset 2000 limit 100
  );
  if cardinality(surplus) > 0 then
    surplus := array(select s.session_id from private.sign_ins s where s.session_id = any (surplus) for update skip locked);
    delete from private.sign_ins where session_id = any (surplus);
  end if;
  return null;
end
$function$;

-- For the operator: sets the counters of these posts, comments and members to what their rows are. Nothing calls it.
CREATE OR REPLACE FUNCTION private.recount(ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- The lock first, then one statement: its snapshot has every change either in the rows that it counts or, uncommitted, not in the queue.
  perform 1 from public.posts p where p.id = any (ids) order by p.id for no key update;
  with waiting as (
    delete from private.count_changes w where w.item = any (ids) and w.counter in ('likes', 'comments')
  )
  update public.posts p set
    like_count = (select count(*) from public.likes l where l.post_id = p.id),
    comment_count = (select count(*) from public.comments c where c.post_id = p.id)
    where p.id = any (ids);
  perform 1 from public.comments o where o.id = any (ids) order by o.id for no key update;
  with waiting as (
    delete from private.count_changes w where w.item = any (ids) and w.counter in ('comment_likes', 'replies')
  )
  update public.comments o set
    like_count = (select count(*) from public.comment_likes l where l.comment_id = o.id),
    reply_count = (select count(*) from public.comments r where r.parent_id = o.id)
    where o.id = any (ids);
  perform 1 from public.profiles p where p.id = any (ids) order by p.id for no key update;
  with waiting as (
    delete from private.count_changes w where w.item = any (ids) and w.counter in ('posts', 'followers', 'following')
  )
  update public.profiles p set
    post_count = (select count(*) from public.posts o where o.user_id = p.id and o.audience <> 'nobody'),
    follower_count = (select count(*) from public.follows f where f.following_id = p.id),
    following_count = (select count(*) from public.follows f where f.follower_id = p.id)
    where p.id = any (ids);
end
$function$;

-- Raises the marks of those who marked messages as read, and updates whether a conversation has unread messages after some were read or unsent.
CREATE OR REPLACE FUNCTION private.recount_unread()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Refuses what a member does to another while one blocks the other, and edits of who was removed from a group, which the policy or the first triggers of the table could not see yet. At the end of the statement: its answer may be slow.
CREATE OR REPLACE FUNCTION private.refuse_apart()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  apart boolean;
begin
  case tg_table_name
    when 'likes', 'comments', 'saved_posts' then
      select bool_or(private.is_apart(c.user_id, p.user_id)) into apart
        from changed c join public.posts p on p.id = c.post_id;
    when 'comment_likes' then
      select bool_or(private.is_apart(c.user_id, o.user_id) or private.is_apart(c.user_id, p.user_id)) into apart
        from changed c join public.comments o on o.id = c.comment_id join public.posts p on p.id = o.post_id;
    when 'story_views' then
      select bool_or(private.is_apart(c.viewer_id, s.user_id)) into apart
        from changed c join public.stories s on s.id = c.story_id;
    when 'follows' then
      select bool_or(private.is_apart(c.follower_id, c.following_id)) into apart from changed c;
    when 'follow_requests' then
      select bool_or(private.is_apart(c.requester_id, c.target_id)) into apart from changed c;
    when 'messages' then
      -- Of an update only edits, which have the time of this transaction. Who sends has the group locked, and was looked up then.
      select bool_or(
        private.is_apart(s.sender_id, private.other_participant(s.conversation_id, s.sender_id))
        or tg_op = 'UPDATE' and not exists (
          select from public.conversation_views v
          where v.member_id = s.sender_id and v.conversation_id = s.conversation_id and v.writes offset 0
        )
      ) into apart
        from (
          select distinct c.sender_id, c.conversation_id from changed c where tg_op = 'INSERT' or c.edited_at = now()
        ) as s;
    when 'message_reactions' then
      select bool_or(private.is_apart(c.member_id, private.other_participant(c.conversation_id, c.member_id))) into apart
        from changed c;
  end case;
  if apart and tg_table_name in ('follows', 'follow_requests') then
    raise sqlstate 'PT404' using message = 'There is no such account.';
  elsif apart and tg_table_name in ('messages', 'message_reactions') then
    raise sqlstate 'PT403' using message = 'This conversation is closed.';
  elsif apart then
    -- As the policy does that did not see the block yet.
    raise insufficient_privilege using
      message = format('new row violates row-level security policy for table "%s"', tg_table_name);
  end if;
  return null;
end
$function$;

-- Refuses a text with the error of a check constraint, whose name is the argument: one of invisible characters, which only that check calls blank, or one so long that it must not be composed before it is checked.
CREATE OR REPLACE FUNCTION private.refuse_blank()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  raise check_violation using
    message = format('new row for relation "%s" violates check constraint "%s"', tg_table_name, tg_argv[0]),
    schema = tg_table_schema, table = tg_table_name, constraint = tg_argv[0];
end
$function$;

-- Refuses details of a camera that have only invisible characters, as blank ones.
CREATE OR REPLACE FUNCTION private.refuse_blank_detail()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if exists (select from jsonb_each_text(new.camera) as detail where not private.is_visible(detail.value)) then
    raise check_violation using
      message = 'new row for relation "post_media" violates check constraint "post_media_camera"',
      schema = 'public', table = 'post_media', constraint = 'post_media_camera';
  end if;
  return new;
end
$function$;

-- Refuses a website that can look like another address. Not a check constraint: rows from before stay as they are.
CREATE OR REPLACE FUNCTION private.refuse_disguised_website()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if new.website ~ private.hidden_characters() or new.website ~* '^https?://[^/?#\\]*@' then
    raise sqlstate 'PT422' using message = 'A website cannot have invisible characters or a user name.';
  end if;
  return new;
end
$function$;

-- Refuses a post without text, picture and photos.
CREATE OR REPLACE FUNCTION private.refuse_empty_post()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  checked constant uuid := to_jsonb(old) ->> 'post_id';
begin
  if exists (
    select from public.posts p
    where p.id = coalesce(checked, new.id) and not private.is_visible(p.content) and p.image_url is null
      and not exists (select from public.post_media h where h.post_id = p.id)
  ) then
    raise check_violation using
      message = 'A post needs a text or a photo.',
      schema = 'public', table = 'posts', constraint = 'posts_not_empty';
  end if;
  return null;
end
$function$;

-- Closes the conversation when one participant has blocked the other: existing messages stay, new ones are refused.
CREATE OR REPLACE FUNCTION private.refuse_hidden_recipient()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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
$function$;

-- Refuses to replace the content of an object: rows may use it.
CREATE OR REPLACE FUNCTION private.refuse_replacement()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- Storage answers 409, as to an upload that begins under the key of an object.
  raise unique_violation using message = 'Objects in this bucket cannot be replaced.';
end
$function$;

-- Refuses a statement of a member that changes several rows: quotas of the table count statements.
CREATE OR REPLACE FUNCTION private.refuse_several()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if (select count(*) from changed) > 1 then
    raise sqlstate 'PT422' using message = 'Change one row at a time.';
  end if;
  return null;
end
$function$;

-- Refuses a statement of a member that writes messages of several conversations, before it locks one of them and waits for another.
CREATE OR REPLACE FUNCTION private.refuse_several_conversations()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if (select count(distinct conversation_id) from changed) > 1 then
    raise sqlstate 'PT422' using message = 'Write to one conversation at a time.';
  end if;
  return null;
end
$function$;

-- Refuses a statement whose quota is used up before it writes anything, and waits for nobody: count_quota() counts it last.
CREATE OR REPLACE FUNCTION private.refuse_spent()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  spent record;
begin
  perform private.require_active();
  select u.in_minute >= q.per_minute and u.minute_since > now() - interval '1 minute' as minute,
      u.in_day >= q.per_day and u.day_since > now() - interval '1 day' as day into spent
    from private.quota_usage u join private.quotas q on q.kind = u.kind
    where u.member_id = (select auth.uid()) and u.kind = tg_argv[0];
  if spent.minute then
    perform private.raise_quota_exceeded(tg_argv[0], true);
  elsif spent.day then
    perform private.raise_quota_exceeded(tg_argv[0], false);
  end if;
  return null;
end
$function$;

-- A stranger can write three messages until the recipient accepts; deleting the request does not allow more. Refuses members that new_messages_from of the recipient leaves out.
CREATE OR REPLACE FUNCTION private.refuse_unwanted_message()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Stores on which device the caller's session is, once. The other devices are asked at once about a new one.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.register_device(device uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  mine private.sign_ins;
begin
  perform private.require_active();
  update private.sign_ins s set device = register_device.device
    where s.session_id = ((select auth.jwt()) ->> 'session_id')::uuid and s.device is null
      and (select private.has_session())
    returning * into mine;
  if found
    and exists (select from auth.sessions s where s.user_id = mine.member_id and s.id <> mine.session_id)
    and not exists (
      select from private.sign_ins k
      where k.member_id = mine.member_id and k.device = mine.device and k.created_at < mine.created_at
    )
  then
    perform private.broadcast_change('sign_ins', 'INSERT', mine.member_id, array[mine.session_id]);
  end if;
end
$function$;

-- Refuses a username that is held for another member, stores the one that a member gives up, and deletes former uses of the one that is taken.
CREATE OR REPLACE FUNCTION private.remember_former_username()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if private.is_held_username(new.username, new.id) then
    -- As for a username that is in use: the caller does not learn who holds it.
    raise unique_violation using
      message = 'duplicate key value violates unique constraint "profiles_username_key"',
      schema = 'public', table = 'profiles', constraint = 'profiles_username_key';
  end if;
  -- A username that is in use leads to its member, not to a former one.
  delete from private.former_usernames where username = new.username;
  if tg_op = 'UPDATE' then
    insert into private.former_usernames (username, member_id) values (old.username, new.id)
      on conflict (username) do update set member_id = excluded.member_id, since = excluded.since;
  end if;
  return null;
end
$function$;

-- Removes about `most` rows that refer to these, the deepest first, without those that somebody holds. Returns how many; 0 if none is left that is free.
CREATE OR REPLACE FUNCTION private.remove_dependents(items regclass, ids uuid[], most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
declare
  dependent record;
  found uuid[];
  step integer;
  removed integer := 0;
begin
  for dependent in select * from private.dependents(items) loop
    if dependent.goes and dependent.has_dependents then
      -- A story may have a video of 28 MB in its row, which takes 75 ms.
      execute format(
        'select array(select id from %s where %I = any ($1) limit %s for update skip locked)',
        dependent.child, dependent.refers_by, case when dependent.child = 'public.stories'::regclass then 2 else 20 end
      ) into found using ids;
      if cardinality(found) = 0 then
        step := 0;
      elsif private.weigh(dependent.child, found, most) < most then
        execute format('delete from %s where id = any ($1)', dependent.child) using found;
        step := cardinality(found);
      else
        step := private.remove_dependents(dependent.child, found, most - removed);
      end if;
    else
      execute format(
        '%1$s where ctid = any (array(select ctid from %2$s where %3$I = any ($1) limit $2 for update skip locked))',
        case when dependent.goes then format('delete from %s', dependent.child)
          else format('update %s set %I = null', dependent.child, dependent.refers_by) end,
        dependent.child, dependent.refers_by
      ) using ids, most - removed;
      get diagnostics step = row_count;
    end if;
    removed := removed + step;
    exit when removed >= most;
  end loop;
  return removed;
end
$function$;

-- Removes posts, comments or stories for everybody: deletes them if fewer than 200 rows depend on them and nobody holds one for longer than the lock_timeout of the caller, otherwise by a holder.
CREATE OR REPLACE FUNCTION private.remove_items(items regclass, ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if cardinality(ids) = 0 then
    return;
  end if;
  if private.weigh(items, ids, 200) < 200 then
    begin
      execute format('delete from %s where id = any ($1)', items) using ids;
      return;
    exception when lock_not_available then
      -- Somebody holds rows of them, for as long as they like.
      null;
    end;
  end if;
  perform private.hold_items(items, ids);
end
$function$;

-- Comments that wait to be cleaned up, without those of closed accounts. A set, hashed once per statement; never returned to clients.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.removed_comment_ids()
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER COST 1 ROWS 10
 SET search_path TO ''
AS $function$
begin
  return query
    select c.id from private.jobs j join public.comments c on c.id = any (j.items) and c.user_id = j.subject_id
    where j.items is not null;
end
$function$;

-- Accounts and holders that wait to be cleaned up. A set, hashed once per statement; never returned to clients.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.removed_member_ids()
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER COST 1 ROWS 10
 SET search_path TO ''
AS $function$
begin
  return query select j.subject_id from private.jobs j where j.kind = 'account';
end
$function$;

-- Posts that wait to be cleaned up, without those of closed accounts. A set, hashed once per statement; never returned to clients.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.removed_post_ids()
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER COST 1 ROWS 10
 SET search_path TO ''
AS $function$
begin
  return query
    select p.id from private.jobs j join public.posts p on p.id = any (j.items) and p.user_id = j.subject_id
    where j.items is not null;
end
$function$;

-- As removed_post_ids(), of stories.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.removed_story_ids()
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER COST 1 ROWS 10
 SET search_path TO ''
AS $function$
begin
  return query
    select s.id from private.jobs j join public.stories s on s.id = any (j.items) and s.user_id = j.subject_id
    where j.items is not null;
end
$function$;

-- The current username of the last member who had this one; null if the name is in use, nobody had it, or the two members are hidden from each other.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.renamed_to(name text)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select p.username
  from private.former_usernames f
  join public.profiles p on p.id = f.member_id
  where f.username = lower(name)
    and (select private.is_member())
    and p.id not in (select private.my_hidden_ids())
$function$;

-- A profile needs an account, whose row it locks as a foreign key does. It has no foreign key, because an account goes before its profile.
CREATE OR REPLACE FUNCTION private.require_account()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- Holders have none.
  if new.id in (select private.removed_member_ids()) then
    return null;
  end if;
  perform 1 from auth.users where id = new.id for key share;
  if not found then
    raise foreign_key_violation using
      message = 'insert or update on table "profiles" violates foreign key constraint "profiles_id_fkey"',
      schema = 'public', table = 'profiles', constraint = 'profiles_id_fkey';
  end if;
  return null;
end
$function$;

-- PT403, with the time until which as detail, for a caller who is pending or suspended. Returns for everybody else, also without a session: what that gets stays as it is.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.require_active()
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  held record;
begin
  select m.state, m.until into held from private.member_states m
    where m.member_id = (select auth.uid()) and m.state <> 'limited' and (m.until is null or m.until > now());
  if found and private.has_account() then
    raise sqlstate 'PT403' using
      message = case held.state when 'pending' then 'Your account waits to be admitted.' else 'Your account is suspended.' end,
      detail = coalesce(held.until::text, '');
  end if;
end
$function$;

-- The caller. PT401 without a session, PT428 unless the caller signed in recently.
CREATE OR REPLACE FUNCTION private.require_recent_sign_in()
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.has_session() then
    raise sqlstate 'PT401' using message = 'Sign in first.';
  end if;
  if not private.signed_in_recently() then
    raise sqlstate 'PT428' using message = 'Enter your password again.';
  end if;
  return (select auth.uid());
end
$function$;

-- Gives an account its former e-mail back after a recovery with it: the password and the other sessions end, and no address that the account had after the first change of this one can recover it.
CREATE OR REPLACE FUNCTION private.restore_email(address text, kept_session uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  owner_id constant uuid := private.former_email_owner(address);
  first_change constant bigint := (
    select min(id) from private.account_changes where member_id = owner_id and former_email = address
  );
begin
  update auth.users
    set
      email = address, email_change = null, email_change_token_new = null, email_change_token_current = null,
      -- Somebody else may know it.
      encrypted_password = null
    where id = owner_id;
  update auth.identities set identity_data = identity_data || jsonb_build_object('email', address)
    where user_id = owner_id and provider = 'email';
  -- Otherwise the person who changed the address could recover the account too. New passwords are not limited, and have none.
  update private.account_changes set former_email = null
    where member_id = owner_id and id >= first_change and former_email is not null;
  delete from auth.sessions where user_id = owner_id and id <> kept_session;
end
$function$;

-- Schedules with pg_cron the hourly cleanup, which goes on until nothing is left; again after pg_cron was enabled later. Returns whether there is a pg_cron.
CREATE OR REPLACE FUNCTION private.schedule_cleanup()
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if exists (select from pg_catalog.pg_available_extensions where name = 'pg_cron') then
    begin
      create extension if not exists pg_cron with schema pg_catalog;
    exception when others then
      raise notice 'pg_cron is not available: %', sqlerrm;
    end;
  end if;
  if to_regprocedure('cron.schedule(text,text,text)') is null then
    return false;
  end if;
  -- Each batch is a transaction of its own, so nobody waits for all of them. Hosted projects end a statement after two minutes.
  perform cron.schedule('cleanup', '17 * * * *', $job$do $batches$
declare
  last constant timestamptz := clock_timestamp() + interval '90 seconds';
begin
  while private.cleanup(100) > 0 and clock_timestamp() < last loop
    commit;
  end loop;
end
$batches$ $job$);
  return true;
end
$function$;

-- Lets pg_cron call settle_waiting() each minute until nothing is left. Returns whether there is a pg_cron.
CREATE OR REPLACE FUNCTION private.schedule_settle()
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if to_regprocedure('cron.schedule(text,text,text)') is null then
    return false;
  end if;
  -- Not needed: apps call settle(). It does what clients leave that know only the specification.
  perform cron.schedule('settle', '* * * * *', $job$do $turns$
declare
  last constant timestamptz := clock_timestamp() + interval '50 seconds';
  pause integer;
begin
  loop
    pause := private.settle_waiting();
    commit;
    exit when pause is null or clock_timestamp() > last;
    perform pg_catalog.pg_sleep(pause / 1000.0);
  end loop;
end
$turns$ $job$);
  return true;
end
$function$;

-- What two texts have in common that differ only in marks, case and compatible forms. Empty if nothing else is in the text. Of its first 4,000 characters: no column has more.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.search_key(written text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE STRICT
 SET search_path TO ''
AS $function$
begin
  if octet_length(written) = char_length(written) then
    return lower(written collate "C");
  end if;
  written := left(written, 4000);
  -- U+034F keeps Korean letters apart that are written one by one, and voicing marks of half-width kana, which become
  -- combining marks, after their letter: sorting them among thousands of other marks takes seconds.
  return translate(
    replace(replace(replace(
      private.fold_case(normalize(
        regexp_replace(
          normalize(regexp_replace(written, '([\u3131-\u318e\uff9e-\uffdc])', U&'\\1\034f', 'g'), nfkd),
          '[\u00ad\u0300-\u034e\u0350-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7\u0610-\u061a\u061c\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7-\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u0897-\u089f\u08ca-\u08e1\u08e3-\u08ff\u0951-\u0954\u115f-\u1160\u17b4-\u17b5\u180b-\u180f\u1ab0-\u1abd\u1abf-\u1aeb\u1cd0-\u1cd2\u1cd4-\u1ce0\u1ce2-\u1ce8\u1ced\u1cf4\u1cf8-\u1cf9\u1dc0-\u1dff\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20d0-\u20dc\u20e1\u20e5-\u20f0\u2de0-\u2dff\u302a-\u302d\u3164\ua66f\ua674-\ua67d\ua69e-\ua69f\ufb1e\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\uffa0\ufff0-\ufff8\U000101fd\U000102e0\U00010efa-\U00010eff\U0001133b\U0001bca0-\U0001bca3\U0001cf00-\U0001cf46\U0001d167-\U0001d169\U0001d173-\U0001d182\U0001d185-\U0001d18b\U0001d1aa-\U0001d1ad\U0001d242-\U0001d244\U0001e08f\U000e0000-\U000e0fff]+',
          '', 'g'
        ),
        nfc
      )),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
    U&'ðđħıłø\034f', 'ddhilo'
  );
end
$function$;

-- At most ten members whose username or full name contains the query, ignoring marks and case: followed members with this prefix first, then usernames with this prefix, then full names with this prefix, then the others. Stops at ten; reads every member only for one or two characters with fewer prefix hits.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.search_profiles(query text)
 RETURNS TABLE(id uuid, username text, full_name text, avatar_url text, avatar_path text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
declare
  most constant integer := 10;
  left_out constant uuid[] := array(select private.my_hidden_ids()) || (select auth.uid());
  key constant text := private.search_key(btrim(query));
  wanted constant text := regexp_replace(key, '([\\%_])', '\\\1', 'g');
  found_ids uuid[];
begin
  if wanted = '' or wanted is null or not private.is_member() then
    return;
  end if;
  found_ids := array(
    select p.id
    from (
      select f.following_id as member_id from public.follows f
      where f.follower_id = (select auth.uid()) order by f.created_at desc, f.following_id desc limit 1000
    ) as followed
    join public.profiles p on p.id = followed.member_id
    where (p.username like wanted || '%' or private.search_key(p.full_name) like wanted || '%')
      and p.id <> all (left_out)
    order by p.username collate "C" limit most
  );
  if cardinality(found_ids) < most then
    found_ids := found_ids || array(
      select p.id from public.profiles p
      where p.username collate "C" like wanted || '%' and p.id <> all (left_out || found_ids)
      order by p.username collate "C" limit most - cardinality(found_ids)
    );
  end if;
  if cardinality(found_ids) < most then
    found_ids := found_ids || array(
      select p.id from public.profiles p
      where private.search_key(p.full_name) collate "C" like wanted || '%' and p.id <> all (left_out || found_ids)
      order by private.search_key(p.full_name) collate "C" limit most - cardinality(found_ids)
    );
  end if;
  if cardinality(found_ids) < most and key ~ '[a-z0-9]{3}' then
    found_ids := found_ids || array(
      select p.id from public.profiles p
      where (p.username like '%' || wanted || '%' or private.search_key(p.full_name) like '%' || wanted || '%')
        and p.id <> all (left_out || found_ids)
      limit most - cardinality(found_ids)
    );
  elsif cardinality(found_ids) < most then
    found_ids := found_ids || array(
      select p.id from public.profiles p
      where (strpos(p.username, key) > 0 or strpos(private.search_key(p.full_name), key) > 0)
        and p.id <> all (left_out || found_ids)
      limit most - cardinality(found_ids)
    );
  end if;
  return query
    select p.id, p.username, p.full_name, p.avatar_url, p.avatar_path
    from unnest(found_ids) with ordinality as hits (id, place)
    join public.profiles p on p.id = hits.id
    order by hits.place;
end
$function$;

-- The first 500 words of a text, each once and its first twenty characters. In scripts without spaces between words, a word begins at each character.
CREATE OR REPLACE FUNCTION private.searched_words(written text)
 RETURNS SETOF text
 LANGUAGE sql
 IMMUTABLE ROWS 20
 SET search_path TO ''
AS $function$
  select found.word collate "C"
  from (
    select substr(w.word, start.place, 20) as word, min(w.number) as number, min(start.place) as place
    from unnest(private.words_of(written)) with ordinality as w (word, number)
    cross join lateral (
      select 1
      union all
      select place from generate_series(2, least(char_length(w.word), 500)) as place
      -- Thai, Lao, Myanmar, Khmer, kana, ideographs.
      where octet_length(w.word) > char_length(w.word)
        and substr(w.word, place, 1) ~ '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]'
    ) as start (place)
    where w.word <> ''
    group by 1
  ) as found
  order by found.number, found.place limit 500
$function$;

-- One broadcast to a member, whose turn the caller has taken, of these changes and those that wait: the first with the others in `also`, each with at most 100 ids.
CREATE OR REPLACE FUNCTION private.send_announcement(member uuid, changed_table text, operation text, ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
declare
  notices jsonb;
begin
  with waiting as (
    delete from private.waiting_broadcasts w where w.member_id = member returning w.*
  ), changes as (
    select w.id as number, w.changed_table, w.operation, w.ids from waiting w
    union all
    select null, send_announcement.changed_table, send_announcement.operation, send_announcement.ids
      where send_announcement.ids is not null
  ), latest as (
    -- Of what was done and undone, only the last.
    select distinct on (c.changed_table, row_id) c.changed_table, c.operation, row_id, c.number
    from changes c cross join unnest(c.ids) as row_id
    order by c.changed_table, row_id, c.number desc nulls first
  )
  select jsonb_agg(told.notice order by told.changed_table desc, told.operation desc) into notices from (
    select l.changed_table, l.operation, jsonb_build_object(
      'table', l.changed_table,
      'type', l.operation,
      'ids', to_jsonb((array_agg(l.row_id order by l.number desc nulls first))[1:100]),
      'own', l.changed_table = 'likes'
    ) as notice
    from latest l group by l.changed_table, l.operation
  ) as told;
  if notices is null then
    return;
  end if;
  begin
    perform realtime.send(
      (notices -> 0) || case when jsonb_array_length(notices) > 1 then jsonb_build_object('also', notices - 0) else '{}' end,
      'change', 'member:' || member, true
    );
  exception when others then
    -- The client sees the changes when it refetches.
    raise warning 'A change of % was not broadcast: %', changed_table, sqlerrm;
  end;
end
$function$;

-- Broadcasts the ids of changed rows in a private channel, with new_rows, an array, if they are small. Never fails: a write does not depend on Realtime.
CREATE OR REPLACE FUNCTION private.send_change(channel text, changed_table text, operation text, ids uuid[], own boolean DEFAULT NULL::boolean, new_rows jsonb DEFAULT NULL::jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET lock_timeout TO '1s'
AS $function$
declare
  payload jsonb;
begin
  if to_regprocedure('realtime.send(jsonb, text, text, boolean)') is null then
    return;
  end if;
  -- Embedded servers broadcast at most 8,000 bytes at once, with up to 200 around the payload.
  for start in 1..cardinality(ids) by 100 loop
    payload := jsonb_strip_nulls(jsonb_build_object(
      'table', changed_table, 'type', operation, 'ids', ids[start : start + 99], 'own', own
    ));
    if octet_length(payload::text) + octet_length(new_rows::text) < 7500 then
      payload := payload || jsonb_build_object('rows', new_rows);
    end if;
    perform realtime.send(payload, 'change', channel, true);
  end loop;
exception when others then
  -- The client sees the change when it refetches; a write that fails would be lost.
  raise warning 'A change of % was not broadcast: %', changed_table, sqlerrm;
end
$function$;

-- The oldest schema version of an app that this server still serves. The migration that takes something away raises it.
CREATE OR REPLACE FUNCTION private.serves()
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select '20261128041500'
$function$;

-- Why and when a session ended. Session ids are random, so only the device that had the session can ask.
-- Callable by anon, authenticated.
CREATE OR REPLACE FUNCTION private.session_end(session uuid)
 RETURNS TABLE(reason text, ended_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select s.end_reason, s.ended_at from private.sign_ins s
  where s.session_id = session and s.ended_at > now() - interval '30 days'
$function$;

-- Sets the audience of a new post or story, or of one whose state changes, from its author's privacy and its state.
CREATE OR REPLACE FUNCTION private.set_audience()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- The lock serializes a new post, or a new state of one, with a change of privacy.
  select private.audience_of(p.is_private, new.state) into new.audience
    from public.profiles p where p.id = new.user_id for no key update;
  new.audience := coalesce(new.audience, private.audience_of(true, new.state));
  return new;
end
$function$;

-- Gives posts or stories this state. Triggers set their audience, and remove or restore the words and topics of a post and its place in post_count.
CREATE OR REPLACE FUNCTION private.set_item_state(items regclass, ids uuid[], new_state text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- As a change of privacy: the author, then posts in the order of their ids.
  execute format('select from public.profiles where id in (select user_id from %s where id = any ($1)) order by id for no key update', items)
    using ids;
  execute format('select from %s where id = any ($1) order by id for no key update', items) using ids;
  execute format('update %s set state = $2 where id = any ($1) and state <> $2', items) using ids, new_state;
end
$function$;

-- Clients can report that they are active now, but not another time.
CREATE OR REPLACE FUNCTION private.set_last_active()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if pg_catalog.row_security_active('public.activity') then
    new.last_active_at := now();
  end if;
  return new;
end
$function$;

-- Keeps the words of a new or changed post, or of one whose photos change. One that nobody but its author sees has none.
CREATE OR REPLACE FUNCTION private.set_post_words()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  changed public.posts;
begin
  if tg_table_name = 'posts' then
    changed := new;
  else
    select p.* into changed from public.posts p
      where p.id = case when tg_op = 'DELETE' then old.post_id else new.post_id end;
  end if;
  if changed.id is null then
    return null;
  end if;
  if tg_op <> 'INSERT' then
    delete from private.post_words w
      where w.post_id = changed.id
        and (changed.audience = 'nobody' or w.word not in (select private.words_of_post(changed)));
  end if;
  if changed.audience = 'nobody' then
    return null;
  end if;
  insert into private.post_words (post_id, word, user_id, audience, created_at)
    select changed.id, word, changed.user_id, changed.audience, changed.created_at
    from private.words_of_post(changed) as word
    on conflict (post_id, word) do nothing;
  return null;
end
$function$;

-- Keeps the hashtags and the place of a new or changed post. One that nobody but its author sees has none.
CREATE OR REPLACE FUNCTION private.set_topics()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'UPDATE' then
    delete from public.post_topics t where t.post_id = new.id and (new.audience = 'nobody' or not exists (
      select from private.topics_of(new.content, new.location) as kept where kept.kind = t.kind and kept.topic = t.topic
    ));
  end if;
  if new.audience = 'nobody' then
    return null;
  end if;
  insert into public.post_topics (user_id, post_id, kind, topic, label, audience, created_at)
    select new.user_id, new.id, found.kind, found.topic, found.label, new.audience, new.created_at
    from private.topics_of(new.content, new.location) as found
    on conflict (post_id, kind, topic) do update set label = excluded.label where post_topics.label <> excluded.label;
  return null;
end
$function$;

-- Writes what a state of a member means into that member's own view: what it reads and writes, and where it is listed. Nothing else knows.
CREATE OR REPLACE FUNCTION private.set_views()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  conversation public.conversations;
  is_in boolean;
  is_invited boolean;
  readable_from timestamptz;
begin
  -- The member may hold the own view. Whoever waits for it must not hold the group, for which everybody's messages wait.
  perform from public.conversation_views v
    where v.conversation_id = coalesce(new.conversation_id, old.conversation_id)
      and v.member_id = coalesce(new.member_id, old.member_id) and v.is_group
    for update;
  if tg_op = 'DELETE' then
    perform private.change_members(old.conversation_id, old.state = 'in');
    delete from public.conversation_views v
      where v.conversation_id = old.conversation_id and v.member_id = old.member_id and v.is_group;
    return null;
  end if;
  is_in := new.state = 'in';
  is_invited := new.state = 'invited';
  perform private.change_members(new.conversation_id, coalesce(old.state = 'in', false) and not is_in);
  select * into strict conversation from public.conversations where id = new.conversation_id;
  readable_from := case when not is_in then 'infinity' when conversation.kind = 'pair' or conversation.from_start then '-infinity' else new.joined_at end;
  -- Pairs are listed when they are made, and moved by what their members write.
  insert into public.conversation_views as v
    (member_id, conversation_id, is_group, reads_after, writes, sees_members, folder, accepted, last_message_at, listed_at)
    values (new.member_id, new.conversation_id, conversation.kind = 'group', readable_from, is_in, is_in or is_invited,
      case when is_in then 'inbox' when is_invited then 'requests' else 'none' end, not is_invited,
      conversation.last_message_at, conversation.last_message_at)
    on conflict (member_id, conversation_id) do update
      set reads_after = excluded.reads_after,
          writes = excluded.writes,
          sees_members = excluded.sees_members,
          folder = case when is_in and v.folder = 'archived' then 'archived' else excluded.folder end,
          accepted = excluded.accepted,
          pinned_at = case when is_in then v.pinned_at end,
          unread = is_in and v.unread
      where v.is_group;
  return null;
end
$function$;

-- settle_waiting() for members.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.settle()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_active();
  return case when private.is_member() then private.settle_waiting() end;
end
$function$;

-- Sends what waits for up to 200 members whose two seconds are over. Never waits. Returns in how many milliseconds the next one is due; null if none waits.
CREATE OR REPLACE FUNCTION private.settle_announcements()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
declare
  members uuid[] := private.waiting_members(gen_random_uuid());
  member uuid;
begin
  if cardinality(members) < 100 then
    members := members || private.waiting_members('00000000-0000-0000-0000-000000000000');
  end if;
  -- Of members who were added without triggers, as some copies of a database are. `on conflict` alone waits for who has the turn.
  insert into private.announcements (member_id, sent_at) select w.id, '-infinity' from unnest(members) as w (id)
    where not exists (select from private.announcements a where a.member_id = w.id)
    on conflict do nothing;
  foreach member in array members loop
    if private.may_announce(member) then
      perform private.send_announcement(member, null, null, null);
    end if;
  end loop;
  -- The next turn of those that are left; soon for those that somebody else sends now, whose last turn may be long ago.
  return (
    select ceil(1000 * extract(epoch from greatest(
      min(a.sent_at) + interval '2 seconds', clock_timestamp() + interval '0.2 seconds'
    ) - clock_timestamp()))::integer
    from private.announcements a
    where a.member_id = any (members)
      and exists (select from private.waiting_broadcasts b where b.member_id = a.member_id)
    having count(*) > 0
  );
end
$function$;

-- Adds up what waits for up to 200 posts, comments and members whose row is free; returns whether something is left.
CREATE OR REPLACE FUNCTION private.settle_counts()
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
declare
  -- From a random one on, so that rows that somebody holds do not keep the others waiting.
  items uuid[] := private.waiting_items(gen_random_uuid());
begin
  if cardinality(items) < 100 then
    items := items || private.waiting_items('00000000-0000-0000-0000-000000000000');
  end if;
  if cardinality(items) = 0 then
    return false;
  end if;
  perform private.count_on_posts(array(select (i, 'likes', 0)::private.count_change from unnest(items) as i));
  perform private.count_on_comments(array(select (i, 'replies', 0)::private.count_change from unnest(items) as i));
  perform private.count_on_profiles(array(select (i, 'posts', 0)::private.count_change from unnest(items) as i));
  -- Of rows that were deleted meanwhile. A second caller leaves them to the first.
  delete from private.count_changes w where w.ctid = any (array(
    select o.ctid from private.count_changes o
    where o.item = any (items) and not case
      when o.counter in ('likes', 'comments') then exists (select from public.posts p where p.id = o.item)
      when o.counter in ('comment_likes', 'replies') then exists (select from public.comments c where c.id = o.item)
      else exists (select from public.profiles m where m.id = o.item)
    end
    for update skip locked
  ));
  return exists (select from private.count_changes);
end
$function$;

-- Does what writers have written down instead of waiting for each other, and for some 150 ms a batch of each kind of what is removed, unless another call does. Returns after how many milliseconds to call it again; null if nothing is left that is free.
CREATE OR REPLACE FUNCTION private.settle_waiting()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- A member's request has 500 ms.
  last constant timestamptz := clock_timestamp() + interval '150 milliseconds';
  kind text;
  is_cleaning boolean := false;
  is_counting boolean;
begin
  -- One at a time: a second one would find held what the first adds up, and hold the rest from their writers.
  if not pg_catalog.pg_try_advisory_xact_lock(7246005) then
    return 1000 + (1000 * random())::integer;
  end if;
  -- First, because it takes longest: counters are held at the end only.
  for kind in select k from unnest(array['account', 'blocks', 'requests', 'receipts']) as k order by random() loop
    if clock_timestamp() > last then
      is_cleaning := true;
      exit;
    end if;
    is_cleaning := case kind
      when 'account' then private.work_job(50)
      when 'blocks' then private.finish_blocks(50)
      when 'requests' then private.accept_left_requests(50)
      else private.clear_left_marks(200)
    end > 0 or is_cleaning;
  end loop;
  is_counting := private.settle_counts();
  -- Least ignores what is null.
  return least(case when is_cleaning or is_counting then 200 end, private.settle_announcements());
end
$function$;

-- The newest migration, the oldest app that the server serves, whether Realtime can broadcast changes, whether the policies of the private channels exist, the state of the bucket for pictures and videos, whether each column with keys of objects is described, whether the server has an owner, whether the hourly cleanup is scheduled, whether PostgREST calls private.before_request(), and of how many closed accounts objects wait, up to a thousand.
-- Callable by anon, authenticated.
CREATE OR REPLACE FUNCTION private.setup_status()
 RETURNS json
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  version text;
begin
  select max(m.version) into version from supabase_migrations.schema_migrations m;
  return json_build_object(
    'version', version,
    'serves', private.serves(),
    -- What neither an older database nor a history that was only repaired reports: docs/upgrading.md.
    'shape', '0.2',
    'changes', to_regprocedure('realtime.send(jsonb, text, text, boolean)') is not null,
    'channels', (
      select count(*) = 5 from pg_catalog.pg_policies
      where schemaname = 'realtime' and tablename = 'messages' and policyname in (
        'conversation_channels_receive', 'member_channel_receive', 'post_channels_receive', 'room_channels_receive',
        'room_channels_send'
      )
    ),
    'bucket', private.media_bucket_state(),
    -- Not which columns: visitors may call this.
    'media_columns', private.media_columns_match(),
    'owner', exists (select from private.staff s where s.role = 'owner'),
    'cleanup', private.cleanup_state(),
    -- PostgREST connects with this role; the embedded server calls nothing before a request, and has one connection.
    'before_request', current_setting('vignette.before_request', true) is not distinct from 'called'
      or not exists (select from pg_catalog.pg_roles r where r.rolname = 'authenticator'),
    'objects', (select count(*) from (select from private.jobs j where j.kind = 'objects' limit 1000) as waiting)
  );
end
$function$;

-- Whether the caller has Activity Status on, and so may also see the activity of others.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.shows_activity()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (select from public.profiles p where p.id = (select auth.uid()) and p.show_activity_status);
end
$function$;

-- Whether others may see a mark that the caller sets for this member now. Until its transaction ends, receipts are not turned off.
CREATE OR REPLACE FUNCTION private.shows_reading(member uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- It waits for nobody: a mark that comes while receipts are being turned off is not shown.
  if not pg_catalog.pg_try_advisory_xact_lock_shared(private.receipts_key(member)) then
    return false;
  end if;
  -- A statement of its own: it sees the change whose lock was just released.
  return exists (select from public.profiles p where p.id = member and p.read_receipts);
end
$function$;

-- Whether the caller's own session began at most ten minutes ago.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.signed_in_recently()
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.has_session() and private.is_recent_session(((select auth.jwt()) ->> 'session_id')::uuid)
$function$;

-- Leaves out a notification or tag between two members of whom one blocks the other, although what causes it is allowed, as a comment on the post of a third member. Takes the lock of the two for the first twenty tags of a post.
CREATE OR REPLACE FUNCTION private.skip_apart()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_table_name = 'notifications' then
    return case when private.is_apart(new.actor_id, new.user_id) then null else new end;
  end if;
  if (select count(*) from (select from public.post_tags t where t.post_id = new.post_id limit 20) as tagged) < 20
    and private.is_apart(new.tagged_user_id, (select p.user_id from public.posts p where p.id = new.post_id))
  then
    return null;
  end if;
  return new;
end
$function$;

-- Leaves a row as it is.
CREATE OR REPLACE FUNCTION private.skip_update()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  return null;
end
$function$;

-- owner or moderator, or null: also for a member who is pending or suspended.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.staff_role()
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return (select s.role from private.staff s where s.member_id = (select auth.uid()) and private.is_member());
end
$function$;

-- How many of these objects exist, and their bytes.
CREATE OR REPLACE FUNCTION private.stored_objects(keys text[], OUT objects bigint, OUT bytes bigint)
 RETURNS record
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  objects := 0;
  bytes := 0;
  if to_regclass('storage.objects') is not null then
    select count(*), coalesce(sum((o.metadata ->> 'size')::bigint), 0) into objects, bytes
      from storage.objects o where o.bucket_id = 'media' and o.name = any (keys);
  end if;
end
$function$;

-- Tags the members that a post newly mentions and who may see it; untags members that it no longer mentions. A tag that its member deleted does not come back while the text keeps the mention.
CREATE OR REPLACE FUNCTION private.tag_mentioned()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from public.post_tags t using public.profiles p
    where t.post_id = new.id and p.id = t.tagged_user_id
      and p.username in (select private.mentions(old.content) except select private.mentions(new.content));
  insert into public.post_tags (post_id, tagged_user_id)
    select new.id, p.id
    from (select private.mentions(new.content) except select private.mentions(old.content)) as added (name)
    join public.profiles p on p.username = added.name
    where private.may_read(p.id, new.user_id, new.audience)
    order by strpos(lower(new.content), '@' || added.name)
    on conflict do nothing;
  return null;
end
$function$;

-- Removes up to 10,000 of the changes that wait for these counters, the oldest of each, and returns them. Only for who has locked the rows.
CREATE OR REPLACE FUNCTION private.take_changes(items uuid[], counters text[])
 RETURNS SETOF private.count_change
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
begin
  return query
    delete from private.count_changes w where w.ctid = any (array(
      select o.place from unnest(items) as i (item) cross join lateral (
        select c.ctid as place from private.count_changes c
        where c.item = i.item and c.counter = any (counters) order by c.counter, c.id limit 10000
      ) as o limit 10000
    ))
    returning w.item, w.counter, w.change;
end
$function$;

-- Broadcasts the deletion of posts and comments that a holder takes over, as the triggers of a deletion do.
CREATE OR REPLACE FUNCTION private.tell_removed(items regclass, ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if to_regprocedure('realtime.send(jsonb, text, text, boolean)') is null then
    return;
  end if;
  if items = 'public.posts'::regclass then
    perform realtime.send(
      jsonb_build_object('table', 'posts', 'type', 'DELETE', 'ids', jsonb_build_array(id)), 'change', 'post:' || id, true
    ) from unnest(ids) as id;
  elsif items = 'public.comments'::regclass then
    perform realtime.send(
      jsonb_build_object(
        'table', 'comments', 'type', 'DELETE', 'ids', jsonb_agg(c.id),
        'threads', coalesce(jsonb_agg(c.parent_id) filter (where c.parent_id is not null), '[]')
      ) || case when private.broadcasts_carry_rows() then jsonb_build_object('author', c.user_id) else '{}' end,
      'change', 'post:' || c.post_id, true
    ) from public.comments c where c.id = any (ids) group by c.post_id, c.user_id;
  end if;
exception when others then
  -- The client sees the change when it refetches; a deletion that fails would be lost.
  raise warning 'A removal was not broadcast: %', sqlerrm;
end
$function$;

-- The first thirty hashtags of a text, without those of more than fifty characters or of digits only, and its place.
CREATE OR REPLACE FUNCTION private.topics_of(content text, location text)
 RETURNS TABLE(kind text, topic text, label text)
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  (
    select 'hashtag', tag.topic, (array_agg(tag.label order by tag.number))[1]
    from (
      select private.fold_case(found.words[1]) as topic, found.words[1] as label, found.number
      from regexp_matches(private.composed(content), private.hashtag_pattern(), 'g')
        with ordinality as found (words, number)
    ) as tag
    where char_length(tag.topic) <= 50
      and tag.topic !~ '^(?:[\u0030-\u0039\u005f\u0660-\u0669\u06f0-\u06f9\u07c0-\u07c9\u0966-\u096f\u09e6-\u09ef\u0a66-\u0a6f\u0ae6-\u0aef\u0b66-\u0b6f\u0be6-\u0bef\u0c66-\u0c6f\u0ce6-\u0cef\u0d66-\u0d6f\u0de6-\u0def\u0e50-\u0e59\u0ed0-\u0ed9\u0f20-\u0f29\u1040-\u1049\u1090-\u1099\u17e0-\u17e9\u1810-\u1819\u1946-\u194f\u19d0-\u19d9\u1a80-\u1a89\u1a90-\u1a99\u1b50-\u1b59\u1bb0-\u1bb9\u1c40-\u1c49\u1c50-\u1c59\ua620-\ua629\ua8d0-\ua8d9\ua900-\ua909\ua9d0-\ua9d9\ua9f0-\ua9f9\uaa50-\uaa59\uabf0-\uabf9\uff10-\uff19\U000104a0-\U000104a9\U00010d30-\U00010d39\U00010d40-\U00010d49\U00011066-\U0001106f\U000110f0-\U000110f9\U00011136-\U0001113f\U000111d0-\U000111d9\U000112f0-\U000112f9\U00011450-\U00011459\U000114d0-\U000114d9\U00011650-\U00011659\U000116c0-\U000116c9\U000116d0-\U000116e3\U00011730-\U00011739\U000118e0-\U000118e9\U00011950-\U00011959\U00011bf0-\U00011bf9\U00011c50-\U00011c59\U00011d50-\U00011d59\U00011da0-\U00011da9\U00011de0-\U00011de9\U00011f50-\U00011f59\U00016130-\U00016139\U00016a60-\U00016a69\U00016ac0-\U00016ac9\U00016b50-\U00016b59\U00016d70-\U00016d79\U0001ccf0-\U0001ccf9\U0001d7ce-\U0001d7ff\U0001e140-\U0001e149\U0001e2f0-\U0001e2f9\U0001e4f0-\U0001e4f9\U0001e5f1-\U0001e5fa\U0001e950-\U0001e959\U0001fbf0-\U0001fbf9]|[\u00b7\u180b-\u180d\u180f\u200c\u200d\U000e0100-\U000e01ef])+$'
    group by tag.topic order by min(tag.number) limit 30
  )
  union all
  select 'place', private.fold_case(place.name), place.name
  from (select regexp_replace(btrim(private.composed(location)), '\s+', ' ', 'g') as name) as place
  where place.name <> ''
$function$;

-- Moves last_message_at to the latest message, never back, and records who has written. A message that another has overtaken gets a later time. For the recipient, a message of a stranger waits as a request; writing, and following the sender, accepts. Every message brings a conversation back that was archived or deleted. Of a group it moves no view. PT403 if the sender was removed meanwhile.
CREATE OR REPLACE FUNCTION private.touch_conversations()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Sets updated_at whatever time the client sent; counters do not change it.
CREATE OR REPLACE FUNCTION private.touch_profile()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.updated_at := now();
  return new;
end
$function$;

-- What two members leave with each other, and a block removes: the tables, and conditions of their rows t; $1 has the ids of the two. Their conversation stays.
CREATE OR REPLACE FUNCTION private.traces()
 RETURNS TABLE(place regclass, rule text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  values
    -- An acceptance that is under way holds the request: its follow is there once the request is gone.
    ('public.follow_requests'::regclass, 't.requester_id = any ($1) and t.target_id = any ($1)'),
    ('public.follows', 't.follower_id = any ($1) and t.following_id = any ($1)'),
    ('public.comments', 't.user_id = any ($1) and exists (
      select from public.posts p where p.id = t.post_id and p.user_id = any ($1) and p.user_id <> t.user_id)'),
    ('public.likes', 't.user_id = any ($1) and exists (
      select from public.posts p where p.id = t.post_id and p.user_id = any ($1) and p.user_id <> t.user_id)'),
    ('public.comment_likes', 't.user_id = any ($1) and exists (
      select from public.comments c where c.id = t.comment_id and c.user_id = any ($1) and c.user_id <> t.user_id)'),
    ('public.comment_likes', 't.user_id = any ($1) and exists (
      select from public.comments c join public.posts p on p.id = c.post_id
      where c.id = t.comment_id and p.user_id = any ($1) and p.user_id <> t.user_id)'),
    ('public.saved_posts', 't.user_id = any ($1) and exists (
      select from public.posts p where p.id = t.post_id and p.user_id = any ($1) and p.user_id <> t.user_id)'),
    ('public.post_tags', 't.tagged_user_id = any ($1) and exists (
      select from public.posts p where p.id = t.post_id and p.user_id = any ($1) and p.user_id <> t.tagged_user_id)'),
    ('public.story_views', 't.viewer_id = any ($1) and exists (
      select from public.stories s where s.id = t.story_id and s.user_id = any ($1))'),
    ('public.notifications', 't.user_id = any ($1) and t.actor_id = any ($1)')
$function$;

-- Sign-ins to the caller's account after the caller's own first one, on devices that had not signed in before, about which no device has answered.
CREATE OR REPLACE FUNCTION private.unanswered_sign_ins()
 RETURNS SETOF private.sign_ins
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select (t.sign_in).*
  from (
    select
      n as sign_in, mine.session_id as my_session, mine.device as my_device,
      min(n.created_at) over (partition by n.device) as device_since,
      min(n.created_at) filter (where n.session_id = mine.session_id or n.device = mine.device) over () as my_since
    from private.sign_ins mine
    join private.sign_ins n on n.member_id = mine.member_id
    where mine.session_id = ((select auth.jwt()) ->> 'session_id')::uuid and (select private.has_session())
  ) as t
  where (t.sign_in).session_id <> t.my_session
    and (t.sign_in).answered_at is null
    and ((t.sign_in).device = t.my_device) is not true
    -- A device is asked about later ones only: the newest cannot answer for itself.
    and (t.sign_in).created_at > t.my_since
    and case
      -- The app registers its device right after it has signed in.
      when (t.sign_in).device is null then (t.sign_in).created_at < now() - interval '1 minute'
      else (t.sign_in).created_at = t.device_since
    end
$function$;

-- Columns that hold keys of objects by their name or check and are not described by media_columns(), or are described and missing. While there are any, no object counts as unused.
CREATE OR REPLACE FUNCTION private.unmatched_media_columns()
 RETURNS text[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return array(
    with found as (
      -- A column whose check was forgotten is found by its name.
      select format('%s.%s', r.relname, a.attname) as name
      from pg_catalog.pg_class r join pg_catalog.pg_attribute a on a.attrelid = r.oid
      where r.relnamespace in (to_regnamespace('public'), to_regnamespace('private')) and r.relkind in ('r', 'p')
        and a.attnum > 0 and not a.attisdropped and a.attname like '%\_path'
      union
      select format('%s.%s', r.relname, checked[1])
      from pg_catalog.pg_depend d
      join pg_catalog.pg_constraint k on k.oid = d.objid
      join pg_catalog.pg_class r on r.oid = k.conrelid
      cross join regexp_matches(pg_catalog.pg_get_constraintdef(k.oid), 'is_object_key\(\(?"?(\w+)', 'g') as checked
      where d.classid = to_regclass('pg_catalog.pg_constraint') and d.refclassid = to_regclass('pg_catalog.pg_proc')
        and d.refobjid = to_regprocedure('private.is_object_key(text, uuid, text)') and k.conrelid <> 0
    ),
    described as (
      select format('%s.%s', c.of_table, c.of_column) as name from private.media_columns() c
    )
    select coalesce(f.name, d.name) from found f full join described d on d.name = f.name
    where f.name is null or d.name is null
    order by 1
  );
end
$function$;

-- Up to that many of these groups of the caller, with a message after their mark: of another member whom they have not blocked, and not unsent. Looks at the newest hundred after the mark.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.unread_groups(of_groups uuid[], most integer)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE ROWS 10
 SET search_path TO ''
AS $function$
begin
  return query
    select v.conversation_id from public.conversation_views v
    where v.member_id = (select auth.uid()) and v.conversation_id = any (of_groups) and v.is_group and v.reads_after < 'infinity'
      and exists (
        select from (
          select m.sender_id, m.deleted_at from public.messages m
          where m.conversation_id = v.conversation_id
            -- The policies say so too, but not where to start.
            and m.created_at >= greatest(v.reads_after, v.cleared_at)
            -- Not coalesce(), which no index is asked with behind policies.
            and (m.created_at, m.id)
              > (greatest(v.mark_at, '-infinity'), greatest(v.mark_id, '00000000-0000-0000-0000-000000000000'))
          order by m.created_at desc, m.id desc limit 100
        ) as newest
        where newest.sender_id <> v.member_id and newest.deleted_at is null
          and newest.sender_id not in (select b.blocked_id from public.blocks b where b.blocker_id = (select auth.uid()))
      )
    limit most;
end
$function$;

-- Unsends an own message, as an update of messages does. PT404 if there is no such message.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.unsend_message(message uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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
$function$;

-- Untags members whose former usernames a post no longer mentions, unless it mentions their current one.
CREATE OR REPLACE FUNCTION private.untag_former_names()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from public.post_tags t using private.former_usernames f
    where t.post_id = new.id and f.member_id = t.tagged_user_id
      and f.username in (select private.mentions(old.content) except select private.mentions(new.content))
      and not exists (
        select 1 from public.profiles p
        where p.id = t.tagged_user_id and p.username in (select private.mentions(new.content))
      );
  return null;
end
$function$;

-- All letters that have a lower case, except those of ASCII and İ, in the order of lower_letters().
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.upper_letters()
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select 'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞĀĂĄĆĈĊČĎĐĒĔĖĘĚĜĞĠĢĤĦĨĪĬĮĲĴĶĹĻĽĿŁŃŅŇŊŌŎŐŒŔŖŘŚŜŞŠŢŤŦŨŪŬŮŰŲŴŶŸŹŻŽƁƂƄƆƇƉƊƋƎƏƐƑƓƔƖƗƘƜƝƟƠƢƤƦƧƩƬƮƯƱƲƳƵƷƸƼǄǅǇǈǊǋǍǏǑǓǕǗǙǛǞǠǢǤǦǨǪǬǮǱǲǴǶǷǸǺǼǾȀȂȄȆȈȊȌȎȐȒȔȖȘȚȜȞȠȢȤȦȨȪȬȮȰȲȺȻȽȾɁɃɄɅɆɈɊɌɎͰͲͶͿΆΈΉΊΌΎΏΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΪΫϏϘϚϜϞϠϢϤϦϨϪϬϮϴϷϹϺϽϾϿЀЁЂЃЄЅІЇЈЉЊЋЌЍЎЏАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯѠѢѤѦѨѪѬѮѰѲѴѶѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӁӃӅӇӉӋӍӐӒӔӖӘӚӜӞӠӢӤӦӨӪӬӮӰӲӴӶӸӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖႠႡႢႣႤႥႦႧႨႩႪႫႬႭႮႯႰႱႲႳႴႵႶႷႸႹႺႻႼႽႾႿჀჁჂჃჄჅჇჍᎠᎡᎢᎣᎤᎥᎦᎧᎨᎩᎪᎫᎬᎭᎮᎯᎰᎱᎲᎳᎴᎵᎶᎷᎸᎹᎺᎻᎼᎽᎾᎿᏀᏁᏂᏃᏄᏅᏆᏇᏈᏉᏊᏋᏌᏍᏎᏏᏐᏑᏒᏓᏔᏕᏖᏗᏘᏙᏚᏛᏜᏝᏞᏟᏠᏡᏢᏣᏤᏥᏦᏧᏨᏩᏪᏫᏬᏭᏮᏯᏰᏱᏲᏳᏴᏵᲉᲐᲑᲒᲓᲔᲕᲖᲗᲘᲙᲚᲛᲜᲝᲞᲟᲠᲡᲢᲣᲤᲥᲦᲧᲨᲩᲪᲫᲬᲭᲮᲯᲰᲱᲲᲳᲴᲵᲶᲷᲸᲹᲺᲽᲾᲿḀḂḄḆḈḊḌḎḐḒḔḖḘḚḜḞḠḢḤḦḨḪḬḮḰḲḴḶḸḺḼḾṀṂṄṆṈṊṌṎṐṒṔṖṘṚṜṞṠṢṤṦṨṪṬṮṰṲṴṶṸṺṼṾẀẂẄẆẈẊẌẎẐẒẔẞẠẢẤẦẨẪẬẮẰẲẴẶẸẺẼẾỀỂỄỆỈỊỌỎỐỒỔỖỘỚỜỞỠỢỤỦỨỪỬỮỰỲỴỶỸỺỼỾἈἉἊἋἌἍἎἏἘἙἚἛἜἝἨἩἪἫἬἭἮἯἸἹἺἻἼἽἾἿὈὉὊὋὌὍὙὛὝὟὨὩὪὫὬὭὮὯᾈᾉᾊᾋᾌᾍᾎᾏᾘᾙᾚᾛᾜᾝᾞᾟᾨᾩᾪᾫᾬᾭᾮᾯᾸᾹᾺΆᾼῈΈῊΉῌῘῙῚΊῨῩῪΎῬῸΌῺΏῼΩKÅℲⅠⅡⅢⅣⅤⅥⅦⅧⅨⅩⅪⅫⅬⅭⅮⅯↃⒶⒷⒸⒹⒺⒻⒼⒽⒾⒿⓀⓁⓂⓃⓄⓅⓆⓇⓈⓉⓊⓋⓌⓍⓎⓏⰀⰁⰂⰃⰄⰅⰆⰇⰈⰉⰊⰋⰌⰍⰎⰏⰐⰑⰒⰓⰔⰕⰖⰗⰘⰙⰚⰛⰜⰝⰞⰟⰠⰡⰢⰣⰤⰥⰦⰧⰨⰩⰪⰫⰬⰭⰮⰯⱠⱢⱣⱤⱧⱩⱫⱭⱮⱯⱰⱲⱵⱾⱿⲀⲂⲄⲆⲈⲊⲌⲎⲐⲒⲔⲖⲘⲚⲜⲞⲠⲢⲤⲦⲨⲪⲬⲮⲰⲲⲴⲶⲸⲺⲼⲾⳀⳂⳄⳆⳈⳊⳌⳎⳐⳒⳔⳖⳘⳚⳜⳞⳠⳢⳫⳭⳲꙀꙂꙄꙆꙈꙊꙌꙎꙐꙒꙔꙖꙘꙚꙜꙞꙠꙢꙤꙦꙨꙪꙬꚀꚂꚄꚆꚈꚊꚌꚎꚐꚒꚔꚖꚘꚚꜢꜤꜦꜨꜪꜬꜮꜲꜴꜶꜸꜺꜼꜾꝀꝂꝄꝆꝈꝊꝌꝎꝐꝒꝔꝖꝘꝚꝜꝞꝠꝢꝤꝦꝨꝪꝬꝮꝹꝻꝽꝾꞀꞂꞄꞆꞋꞍꞐꞒꞖꞘꞚꞜꞞꞠꞢꞤꞦꞨꞪꞫꞬꞭꞮꞰꞱꞲꞳꞴꞶꞸꞺꞼꞾꟀꟂꟄꟅꟆꟇꟉꟋꟌ꟎Ꟑ꟒꟔ꟖꟘꟚꟜꟵＡＢＣＤＥＦＧＨＩＪＫＬＭＮＯＰＱＲＳＴＵＶＷＸＹＺ𐐀𐐁𐐂𐐃𐐄𐐅𐐆𐐇𐐈𐐉𐐊𐐋𐐌𐐍𐐎𐐏𐐐𐐑𐐒𐐓𐐔𐐕𐐖𐐗𐐘𐐙𐐚𐐛𐐜𐐝𐐞𐐟𐐠𐐡𐐢𐐣𐐤𐐥𐐦𐐧𐒰𐒱𐒲𐒳𐒴𐒵𐒶𐒷𐒸𐒹𐒺𐒻𐒼𐒽𐒾𐒿𐓀𐓁𐓂𐓃𐓄𐓅𐓆𐓇𐓈𐓉𐓊𐓋𐓌𐓍𐓎𐓏𐓐𐓑𐓒𐓓𐕰𐕱𐕲𐕳𐕴𐕵𐕶𐕷𐕸𐕹𐕺𐕼𐕽𐕾𐕿𐖀𐖁𐖂𐖃𐖄𐖅𐖆𐖇𐖈𐖉𐖊𐖌𐖍𐖎𐖏𐖐𐖑𐖒𐖔𐖕𐲀𐲁𐲂𐲃𐲄𐲅𐲆𐲇𐲈𐲉𐲊𐲋𐲌𐲍𐲎𐲏𐲐𐲑𐲒𐲓𐲔𐲕𐲖𐲗𐲘𐲙𐲚𐲛𐲜𐲝𐲞𐲟𐲠𐲡𐲢𐲣𐲤𐲥𐲦𐲧𐲨𐲩𐲪𐲫𐲬𐲭𐲮𐲯𐲰𐲱𐲲𐵐𐵑𐵒𐵓𐵔𐵕𐵖𐵗𐵘𐵙𐵚𐵛𐵜𐵝𐵞𐵟𐵠𐵡𐵢𐵣𐵤𐵥𑢠𑢡𑢢𑢣𑢤𑢥𑢦𑢧𑢨𑢩𑢪𑢫𑢬𑢭𑢮𑢯𑢰𑢱𑢲𑢳𑢴𑢵𑢶𑢷𑢸𑢹𑢺𑢻𑢼𑢽𑢾𑢿𖹀𖹁𖹂𖹃𖹄𖹅𖹆𖹇𖹈𖹉𖹊𖹋𖹌𖹍𖹎𖹏𖹐𖹑𖹒𖹓𖹔𖹕𖹖𖹗𖹘𖹙𖹚𖹛𖹜𖹝𖹞𖹟𖺠𖺡𖺢𖺣𖺤𖺥𖺦𖺧𖺨𖺩𖺪𖺫𖺬𖺭𖺮𖺯𖺰𖺱𖺲𖺳𖺴𖺵𖺶𖺷𖺸𞤀𞤁𞤂𞤃𞤄𞤅𞤆𞤇𞤈𞤉𞤊𞤋𞤌𞤍𞤎𞤏𞤐𞤑𞤒𞤓𞤔𞤕𞤖𞤗𞤘𞤙𞤚𞤛𞤜𞤝𞤞𞤟𞤠𞤡'
$function$;

-- Keys of the objects to which rows of this member refer.
CREATE OR REPLACE FUNCTION private.used_objects(member uuid)
 RETURNS SETOF text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- Written by private.generate_media().
  return query
    select t.key from (select unnest(array[picture_path]) as key from public.conversations where pictured_by = member) as t where t.key is not null
    union all
    select t.key from (select unnest(array[poster_path, media_path]) as key from public.message_media where sender_id = member) as t where t.key is not null
    union all
    select t.key from (select unnest(array[feed_path, grid_path, middle_path, full_path, media_path]) as key from public.post_media where user_id = member) as t where t.key is not null
    union all
    select t.key from (select unnest(array[avatar_path]) as key from public.profiles where id = member) as t where t.key is not null
    union all
    select t.key from (select unnest(array[poster_path, media_path]) as key from public.stories where user_id = member) as t where t.key is not null;
end
$function$;

-- Whether a username is well formed, free, and not held for another member.
-- Callable by anon, authenticated.
CREATE OR REPLACE FUNCTION private.username_available(name text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select lower(name) ~ '^(?!\.)[a-z0-9._]{3,30}(?<!\.)$'
    and not exists (select 1 from public.profiles where username = lower(name))
    and not private.is_held_username(lower(name), (select auth.uid()))
$function$;

-- Which of these keys are in the caller's folder or in a row that the caller may see; a key may appear twice. One look-up by a unique index for each column that holds keys.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.visible_objects(keys text[])
 RETURNS SETOF text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  is_single constant boolean := cardinality(keys) = 1;
begin
  -- Written by private.generate_media().
  if not private.has_account() then
    return;
  end if;
  return query select key from unnest(keys) as key where split_part(key, '/', 1) = (select auth.uid())::text;
  if found and is_single or not private.is_member() then return; end if;
  return query select feed_path from public.post_media where feed_path = any (keys);
  if found and is_single then return; end if;
  return query select grid_path from public.post_media where grid_path = any (keys);
  if found and is_single then return; end if;
  return query select middle_path from public.post_media where middle_path = any (keys);
  if found and is_single then return; end if;
  return query select full_path from public.post_media where full_path = any (keys);
  if found and is_single then return; end if;
  return query select media_path from public.post_media where media_path = any (keys);
  if found and is_single then return; end if;
  return query select avatar_path from public.profiles where avatar_path = any (keys);
  if found and is_single then return; end if;
  return query select poster_path from public.message_media where poster_path = any (keys);
  if found and is_single then return; end if;
  return query select media_path from public.message_media where media_path = any (keys);
  if found and is_single then return; end if;
  return query select poster_path from public.stories where poster_path = any (keys);
  if found and is_single then return; end if;
  return query select media_path from public.stories where media_path = any (keys);
  if found and is_single then return; end if;
  return query select picture_path from public.conversations where picture_path = any (keys);
  if found and is_single then return; end if;
  return query select avatar from private.my_blocked_avatars() as avatar where avatar = any (keys);
end
$function$;

-- The sum of the changes that still have to be added to a counter.
-- Callable by authenticated.
CREATE OR REPLACE FUNCTION private.waiting_count(item uuid, counter text)
 RETURNS integer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(sum(w.change), 0)::integer from private.count_changes w
  where w.item = waiting_count.item and w.counter = waiting_count.counter
$function$;

-- Up to 100 posts, comments and members with waiting counts, from the given id on. Reads one entry of the index for each.
CREATE OR REPLACE FUNCTION private.waiting_items(after uuid)
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
  with recursive found (item, number) as (
    (select w.item, 1 from private.count_changes w where w.item >= after order by w.item limit 1)
    union all
    (
      select next.item, f.number + 1 from found f
      cross join lateral (
        select w.item from private.count_changes w where w.item > f.item order by w.item limit 1
      ) as next
      where f.number < 100
    )
  )
  select array(select f.item from found f)
$function$;

-- Up to 100 members for whom broadcasts wait, whose ids are above the given one. Reads one entry of the index for each.
CREATE OR REPLACE FUNCTION private.waiting_members(after uuid)
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
  with recursive found (member, number) as (
    (select w.member_id, 1 from private.waiting_broadcasts w where w.member_id > after order by w.member_id limit 1)
    union all
    (
      select next.member_id, f.number + 1 from found f
      cross join lateral (
        select w.member_id from private.waiting_broadcasts w where w.member_id > f.member order by w.member_id limit 1
      ) as next
      where f.number < 100
    )
  )
  select array(select f.member from found f)
$function$;

-- At most `most` keys of objects that closed accounts have left and nothing refers to. Ends the jobs whose folders are empty. For the operator's command only.
CREATE OR REPLACE FUNCTION private.waiting_objects(most integer)
 RETURNS TABLE(name text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.end_empty_folders(1000);
  if to_regclass('storage.objects') is null or not private.media_columns_match() then
    return;
  end if;
  return query
    select waiting.name
    from private.jobs j
    cross join lateral (
      select o.name from storage.objects o
      where o.bucket_id = 'media'
        and o.name collate "C" >= j.subject_id::text || '/' and o.name collate "C" < j.subject_id::text || '0'
        and not private.is_object_used(o.name)
      limit most
    ) as waiting
    where j.kind = 'objects' and not exists (select from auth.users u where u.id = j.subject_id)
    limit most;
end
$function$;

-- How many rows would be removed or changed with these, at most `most`.
CREATE OR REPLACE FUNCTION private.weigh(items regclass, ids uuid[], most integer)
 RETURNS integer
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
declare
  dependent record;
  found uuid[];
  counted integer;
  weight integer := 0;
begin
  for dependent in select * from private.dependents(items) where is_seen loop
    if dependent.goes and dependent.has_dependents then
      execute format('select array(select id from %s where %I = any ($1) limit $2)', dependent.child, dependent.refers_by)
        into found using ids, most - weight;
      weight := weight + cardinality(found);
      if weight < most and cardinality(found) > 0 then
        weight := weight + private.weigh(dependent.child, found, most - weight);
      end if;
    else
      execute format('select count(*) from (select from %s where %I = any ($1) limit $2) as counted', dependent.child, dependent.refers_by)
        into counted using ids, most - weight;
      weight := weight + counted;
    end if;
    exit when weight >= most;
  end loop;
  return weight;
end
$function$;

-- How many rows would be removed if these two members were separated, with the replies to their comments; at most `most`.
CREATE OR REPLACE FUNCTION private.weigh_traces(pair uuid[], most integer)
 RETURNS integer
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
declare
  trace record;
  found uuid[];
  counted integer;
  weight integer := 0;
begin
  for trace in select * from private.traces() loop
    if trace.place = 'public.comments'::regclass then
      execute format('select array(select t.id from %s t where %s limit $2)', trace.place, trace.rule)
        into found using pair, most - weight;
      weight := weight + cardinality(found);
      if weight < most and cardinality(found) > 0 then
        weight := weight + private.weigh(trace.place, found, most - weight);
      end if;
    else
      execute format('select count(*) from (select from %s t where %s limit $2) as counted', trace.place, trace.rule)
        into counted using pair, most - weight;
      weight := weight + counted;
    end if;
    exit when weight >= most;
  end loop;
  return weight;
end
$function$;

-- Deletes the notifications of events that were undone, and remembers them for a day. Deletes twice as many outdated ones, so that the table stays small on a server without a scheduler.
CREATE OR REPLACE FUNCTION private.withdraw_notifications(events private.notification_event[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with deleted as (
    delete from public.notifications n using unnest(events) as e
      where n.actor_id = e.actor_id
        and coalesce(n.about, nullif(n.type, 'other')) = e.kind
        and coalesce(n.comment_id, n.story_id, n.post_id, n.user_id) = e.subject_id
      returning e.actor_id, e.kind, e.subject_id, n.id, n.read, n.created_at
  )
  insert into private.withdrawn_notifications
    select e.actor_id, e.recipient_id, e.kind, e.subject_id, d.id, coalesce(d.read, true), coalesce(d.created_at, e.since)
    from unnest(events) as e
    left join deleted d using (actor_id, kind, subject_id)
    -- Skips accounts that are being deleted.
    join public.profiles actor on actor.id = e.actor_id
    join public.profiles recipient on recipient.id = e.recipient_id
    -- Each acceptance notifies: it answers a new request, and the requester is waiting for it.
    where actor.id not in (select private.removed_member_ids()) and recipient.id not in (select private.removed_member_ids())
      and e.kind <> 'follow_accepted' and coalesce(d.created_at, e.since) > now() - interval '1 day'
    order by e.actor_id, e.kind, e.subject_id
  on conflict (actor_id, kind, subject_id) do update set
    notification_id = excluded.notification_id,
    read = excluded.read,
    notified_at = case
      when excluded.notification_id is null and withdrawn_notifications.notified_at > now() - interval '1 day'
        then least(withdrawn_notifications.notified_at, excluded.notified_at)
      else excluded.notified_at
    end;
  select private.delete_withdrawn_notifications(greatest(20, 2 * cardinality(events)));
$function$;

-- A pattern for the letters, marks and digits of all scripts, and _. Code points that Unicode has not assigned may be among them.
CREATE OR REPLACE FUNCTION private.word_character()
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select '[\u0030-\u0039\u0041-\u005a\u005f\u0061-\u007a\u00aa\u00b5\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02c1\u02c6-\u02d1\u02e0-\u02e4\u02ec\u02ee\u0300-\u034e\u0350-\u0374\u0376-\u037d\u037f\u0386\u0388-\u03f5\u03f7-\u0481\u0483-\u0487\u048a-\u0559\u0560-\u0588\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7-\u05f2\u0610-\u061a\u0620-\u0669\u066e-\u06d3\u06d5-\u06dc\u06df-\u06e8\u06ea-\u06fc\u06ff\u0710-\u07f5\u07fa-\u07fd\u0800-\u082d\u0840-\u085b\u0860-\u0887\u0889-\u088f\u0897-\u08e1\u08e3-\u0963\u0966-\u096f\u0971-\u09f1\u09fc\u09fe-\u0a75\u0a81-\u0aef\u0af9-\u0b6f\u0b71\u0b82-\u0bef\u0c00-\u0c6f\u0c80-\u0c83\u0c85-\u0d4e\u0d54-\u0d57\u0d5f-\u0d6f\u0d7a-\u0df3\u0e01-\u0e3a\u0e40-\u0e4e\u0e50-\u0e59\u0e81-\u0f00\u0f18-\u0f19\u0f20-\u0f29\u0f35\u0f37\u0f39\u0f3e-\u0f84\u0f86-\u0fbc\u0fc6\u1000-\u1049\u1050-\u109d\u10a0-\u10fa\u10fc-\u115e\u1161-\u135f\u1380-\u138f\u13a0-\u13fd\u1401-\u166c\u166f-\u167f\u1681-\u169a\u16a0-\u16ea\u16ee-\u1734\u1740-\u17b3\u17b6-\u17d3\u17d7\u17dc-\u17e9\u1810-\u193b\u1946-\u19d9\u1a00-\u1a1b\u1a20-\u1a99\u1aa7\u1ab0-\u1abd\u1abf-\u1b4c\u1b50-\u1b59\u1b6b-\u1b73\u1b80-\u1bf3\u1c00-\u1c37\u1c40-\u1c7d\u1c80-\u1cbf\u1cd0-\u1cd2\u1cd4-\u1fbc\u1fbe\u1fc2-\u1fcc\u1fd0-\u1fdb\u1fe0-\u1fec\u1ff2-\u1ffc\u2071\u207f\u2090-\u209c\u20d0-\u20dc\u20e1\u20e5-\u20f0\u2102\u2107\u210a-\u2113\u2115\u2119-\u211d\u2124\u2126\u2128\u212a-\u212d\u212f-\u2139\u213c-\u213f\u2145-\u2149\u214e\u2160-\u2188\u2c00-\u2ce4\u2ceb-\u2cf3\u2d00-\u2d6f\u2d7f-\u2dff\u2e2f\u3005-\u3007\u3021-\u302f\u3031-\u3035\u3038-\u303c\u3041-\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u3163\u3165-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\ua48c\ua4d0-\ua4fd\ua500-\ua60c\ua610-\ua66f\ua674-\ua67d\ua67f-\ua6f1\ua717-\ua71f\ua722-\ua788\ua78b-\ua827\ua82c\ua840-\ua873\ua880-\ua8c5\ua8d0-\ua8f7\ua8fb\ua8fd-\ua92d\ua930-\ua953\ua960-\ua9c0\ua9cf-\ua9d9\ua9e0-\uaa59\uaa60-\uaa76\uaa7a-\uaadd\uaae0-\uaaef\uaaf2-\uab5a\uab5c-\uab69\uab70-\uabea\uabec-\ud7fb\uf900-\ufb28\ufb2a-\ufbb1\ufbd3-\ufd3d\ufd50-\ufd8f\ufd92-\ufdc7\ufdf0-\ufdfb\ufe20-\ufe2f\ufe70-\ufefc\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uff9f\uffa1-\uffdc\U00010000-\U000100fa\U00010140-\U00010174\U000101fd-\U000102e0\U00010300-\U0001031f\U0001032d-\U0001039d\U000103a0-\U000103cf\U000103d1-\U00010563\U00010570-\U00010855\U00010860-\U00010876\U00010880-\U0001089e\U000108e0-\U000108f5\U00010900-\U00010915\U00010920-\U00010939\U00010940-\U000109b7\U000109be-\U000109bf\U00010a00-\U00010a3f\U00010a60-\U00010a7c\U00010a80-\U00010a9c\U00010ac0-\U00010ac7\U00010ac9-\U00010ae6\U00010b00-\U00010b35\U00010b40-\U00010b55\U00010b60-\U00010b72\U00010b80-\U00010b91\U00010c00-\U00010cf2\U00010d00-\U00010d6d\U00010d6f-\U00010d85\U00010e80-\U00010eac\U00010eb0-\U00010ec7\U00010efa-\U00010f1c\U00010f27-\U00010f50\U00010f70-\U00010f85\U00010fb0-\U00010fc4\U00010fe0-\U00011046\U00011066-\U000110ba\U000110c2\U000110d0-\U0001113f\U00011144-\U00011173\U00011176-\U000111c4\U000111c9-\U000111cc\U000111ce-\U000111da\U000111dc\U00011200-\U00011237\U0001123e-\U000112a8\U000112b0-\U000113d3\U000113e1-\U0001144a\U00011450-\U00011459\U0001145e-\U000114c5\U000114c7-\U000115c0\U000115d8-\U00011640\U00011644-\U00011659\U00011680-\U000116b8\U000116c0-\U00011739\U00011740-\U0001183a\U000118a0-\U000118e9\U000118ff-\U00011943\U00011950-\U000119e1\U000119e3-\U00011a3e\U00011a47-\U00011a99\U00011a9d\U00011ab0-\U00011af8\U00011b60-\U00011be0\U00011bf0-\U00011c40\U00011c50-\U00011c59\U00011c72-\U00011ef6\U00011f00-\U00011f42\U00011f50-\U00011fb0\U00012000-\U0001246e\U00012480-\U00012ff0\U00013000-\U0001342f\U00013440-\U00016a69\U00016a70-\U00016af4\U00016b00-\U00016b36\U00016b40-\U00016b43\U00016b50-\U00016b59\U00016b63-\U00016d6c\U00016d70-\U00016e7f\U00016ea0-\U00016fe1\U00016fe3-\U0001bc99\U0001bc9d-\U0001bc9e\U0001ccf0-\U0001ccf9\U0001cf00-\U0001cf46\U0001d165-\U0001d169\U0001d16d-\U0001d172\U0001d17b-\U0001d182\U0001d185-\U0001d18b\U0001d1aa-\U0001d1ad\U0001d242-\U0001d244\U0001d400-\U0001d6c0\U0001d6c2-\U0001d6da\U0001d6dc-\U0001d6fa\U0001d6fc-\U0001d714\U0001d716-\U0001d734\U0001d736-\U0001d74e\U0001d750-\U0001d76e\U0001d770-\U0001d788\U0001d78a-\U0001d7a8\U0001d7aa-\U0001d7c2\U0001d7c4-\U0001d7ff\U0001da00-\U0001da36\U0001da3b-\U0001da6c\U0001da75\U0001da84\U0001da9b-\U0001e14e\U0001e290-\U0001e2f9\U0001e4d0-\U0001e5fa\U0001e6c0-\U0001e8c4\U0001e8d0-\U0001e959\U0001ee00-\U0001eebb\U0001fbf0-\U0001fbf9\U00020000-\U00033479]'
$function$;

-- The rows of a topic in topic_words: from each of its first eight words on.
CREATE OR REPLACE FUNCTION private.word_rows(kind text, audience text, topic text)
 RETURNS SETOF private.topic_words
 LANGUAGE sql
 IMMUTABLE ROWS 3
 SET search_path TO ''
AS $function$
  select kind, audience, place = 1, array_to_string(words[place:], ' '), topic
  from private.words_of(topic) as words, generate_subscripts(words[:8], 1) as place
$function$;

-- The words of a name as search keys, without underscores, punctuation and symbols. A name of symbols only is one word.
CREATE OR REPLACE FUNCTION private.words_of(name text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select coalesce(array_agg(found.words[1] order by found.number), array[private.search_key(btrim(name))])
  from regexp_matches(translate(private.search_key(name), '_', ' '), private.word_character() || '+', 'g')
    with ordinality as found (words, number)
$function$;

-- The words of a post's caption, place and alternative texts.
CREATE OR REPLACE FUNCTION private.words_of_post(post posts)
 RETURNS SETOF text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select private.searched_words(concat_ws(
    ' ', post.content, post.location, post.alt_text,
    (select string_agg(h.alt_text, ' ' order by h.position) from public.post_media h where h.post_id = post.id)
  ))
$function$;

-- Removes one batch of what waited longest and is free, for about 100 ms. It waits 200 ms for a row that others count with, and for no other. Nothing is remembered between batches: what is gone is gone. Returns how many rows it removed, 1 if it only found what is held and others are due, 0 if nothing is left that is free.
CREATE OR REPLACE FUNCTION private.work_job(max_rows integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET lock_timeout TO '200ms'
AS $function$
declare
  last constant timestamptz := clock_timestamp() + interval '100 milliseconds';
  job private.jobs;
  step integer;
  removed integer := 0;
begin
  loop
    select * into job from private.jobs
      where kind = 'account' and not_before <= now()
      order by not_before limit 1 for update skip locked;
    if not found then
      return 0;
    end if;
    begin
      perform set_config('vignette.is_cleaning', 'on', true);
      loop
        step := private.remove_dependents('public.profiles', array[job.subject_id], max_rows);
        removed := removed + step;
        if step = 0 and private.weigh('public.profiles', array[job.subject_id], 1) = 0 then
          delete from public.profiles where id = job.subject_id;
          delete from private.jobs where kind = job.kind and subject_id = job.subject_id;
          removed := removed + 1;
        end if;
        exit when step = 0 or clock_timestamp() > last;
      end loop;
      perform set_config('vignette.is_cleaning', '', true);
      -- The others first. What somebody holds is tried again a minute later.
      update private.jobs
        set not_before = case when removed = 0 then now() + interval '1 minute' else clock_timestamp() end,
          tries = case when removed = 0 then tries + 1 else 0 end, error = null
        where kind = job.kind and subject_id = job.subject_id;
    exception when others then
      removed := 0;
      update private.jobs
        set not_before = now() + least(tries + 1, 60) * interval '1 minute', tries = tries + 1, error = sqlerrm
        where kind = job.kind and subject_id = job.subject_id;
    end;
    if removed > 0 then
      return removed;
    end if;
    if clock_timestamp() > last then
      -- 1: the caller goes on if others are due.
      perform from private.jobs where kind = 'account' and not_before <= now() limit 1 for update skip locked;
      return found::integer;
    end if;
  end loop;
end
$function$;
