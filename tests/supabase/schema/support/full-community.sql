-- A community that fills every table and column. {ada} is an id, {ben/face.webp} is the key of a file in ben's folder.
-- 'as ada' begins what ada's app sends, 'since VERSION' what earlier schemas do not have.

-- as owner
insert into auth.users (id, email, encrypted_password) values
  ({ada}, 'ada@example.com', 'a'), ({ben}, 'ben@example.com', 'b'), ({cleo}, 'cleo@example.com', 'c'), ({dora}, 'dora@example.com', 'd'),
  ({emil}, 'emil@example.com', 'e'), ({fay}, 'fay@example.com', 'f'), ({gus}, 'gus@example.com', 'g'), ({hana}, 'hana@example.com', 'h'),
  ({ivo}, 'ivo@example.com', 'i'), ({jon}, 'jon@example.com', 'j');
insert into auth.sessions (id, user_id) select id, id from auth.users;
insert into profiles (id, username, full_name) select id, 'first.' || split_part(email, '@', 1), initcap(split_part(email, '@', 1)) from auth.users;
insert into storage.objects (bucket_id, name, owner_id, metadata)
  select 'media', key, split_part(key, '/', 1)::uuid, '{"size": 1000, "mimetype": "image/webp"}' from unnest(array[
    {ada/one full.webp}, {ada/one middle.webp}, {ada/one feed.webp}, {ada/one grid.webp},
    {ada/two full.webp}, {ada/two middle.webp}, {ada/two feed.webp}, {ada/two grid.webp},
    {cleo/full.webp}, {cleo/middle.webp}, {cleo/feed.webp}, {cleo/grid.webp}, {cleo/story.webp}, {cleo/poster.webp},
    {ben/face.webp}, {fay/face.webp}, {gus/face.webp}, {ben/story.mp4}, {ben/poster.webp}, {emil/story.webp}, {emil/poster.webp},
    {ada/sent.webp}, {ada/sent small.webp}, {ada/kept.webp}, {ada/kept small.webp}, {ada/unused.webp}, {jon/unused.webp}
  ]) as key;

-- as ada
update profiles set username = 'ada', bio = 'Fog and light', website = 'https://ada.example.com', avatar_url = 'data:image/png;base64,AAAA' where id = {ada};
insert into follows (follower_id, following_id) values ({ada}, {ben}), ({ada}, {cleo}), ({ada}, {gus}), ({ada}, {fay});
-- as ben
update profiles set username = 'ben', avatar_path = {ben/face.webp} where id = {ben};
insert into follows (follower_id, following_id) values ({ben}, {ada}), ({ben}, {cleo}), ({ben}, {hana}), ({ben}, {emil}), ({ben}, {ivo});
-- as cleo
insert into follows (follower_id, following_id) values ({cleo}, {ada}), ({cleo}, {dora}), ({cleo}, {ivo});
update profiles set username = 'cleo', is_private = true where id = {cleo};
-- as dora
insert into follows (follower_id, following_id) values ({dora}, {ada}), ({dora}, {emil});
update profiles set username = 'dora', is_private = true where id = {dora};
-- as emil
insert into follows (follower_id, following_id) values ({emil}, {ben}), ({emil}, {ada});
update profiles set username = 'emil', new_messages_from = 'followers' where id = {emil};
-- as fay
update profiles set username = 'fay', avatar_path = {fay/face.webp}, new_messages_from = 'nobody' where id = {fay};
-- as gus
select touch_activity();
update profiles set username = 'gus', avatar_path = {gus/face.webp}, show_activity_status = false, allow_story_replies = false where id = {gus};
insert into follow_requests (requester_id, target_id) values ({gus}, {cleo});
-- as hana
update profiles set username = 'hana', new_messages_from = 'following' where id = {hana};
insert into follows (follower_id, following_id) values ({hana}, {ben});
insert into follow_requests (requester_id, target_id) values ({hana}, {dora});
-- as ada
insert into follow_requests (requester_id, target_id) values ({ada}, {dora});
-- as dora
select accept_follow_request({hana});

-- as ada
select create_post({fog}, 'Morning #fog with @ben and @cleo', 'Lisbon', jsonb_build_array(
  jsonb_build_object('full_path', {ada/one full.webp}, 'middle_path', {ada/one middle.webp}, 'feed_path', {ada/one feed.webp}, 'grid_path', {ada/one grid.webp},
    'width', 40, 'height', 30, 'thumbhash', 'AAAA', 'alt_text', 'A harbour', 'camera', '{"camera": "Box", "iso": "400"}'),
  jsonb_build_object('full_path', {ada/two full.webp}, 'middle_path', {ada/two middle.webp}, 'feed_path', {ada/two feed.webp}, 'grid_path', {ada/two grid.webp},
    'width', 30, 'height', 40, 'thumbhash', 'BBBB')));
insert into posts (id, user_id, content, location, alt_text, image_url, thumbnail_url, image_width, image_height)
  values ({inline}, {ada}, 'From the #quay', 'Porto', 'A quay', 'data:image/png;base64,AAAA', 'data:image/webp;base64,BBBB', 4, 3);
-- as ben
insert into posts (id, user_id, content, location) values ({light}, {ben}, 'Evening #light and #fog', 'Lisbon');
update posts set content = 'Evening #light over the harbour' where id = {light};
-- as cleo
select create_post({garden}, 'My #garden', 'Berlin', jsonb_build_array(jsonb_build_object('full_path', {cleo/full.webp}, 'middle_path', {cleo/middle.webp},
  'feed_path', {cleo/feed.webp}, 'grid_path', {cleo/grid.webp}, 'width', 40, 'height', 30, 'thumbhash', 'CCCC')));
-- as dora
insert into posts (id, user_id, content, location) values ({secret}, {dora}, 'A #secret with @hana and @ada', 'Berlin');
-- as emil
insert into posts (id, user_id, content) values ({kite}, {emil}, 'A #kite');
-- as fay
insert into posts (id, user_id, content, location) values ({lamp}, {fay}, 'A #lamp with @ada', 'Porto');
-- as gus
insert into posts (id, user_id, content, location) values ({river}, {gus}, 'A #river with @ada', 'Lisbon');
-- as hana
insert into posts (id, user_id, content) values ({hill}, {hana}, 'A hill in the #fog'), ({taken}, {hana}, 'Taken back with @ben #fog');
-- as ivo
insert into posts (id, user_id, content, location) values ({leaving}, {ivo}, 'I am leaving the #fog with @ben', 'Porto');

-- as ada
insert into likes (post_id, user_id) values ({light}, {ada}), ({garden}, {ada}), ({river}, {ada}), ({leaving}, {ada}), ({taken}, {ada});
insert into saved_posts (post_id, user_id) values ({light}, {ada}), ({garden}, {ada}), ({leaving}, {ada}), ({hill}, {ada});
insert into hashtag_follows (follower_id, tag) values ({ada}, 'fog'), ({ada}, 'garden');
insert into comments (id, user_id, post_id, content) values ({first}, {ada}, {light}, 'So calm, @hana'), ({under garden}, {ada}, {garden}, 'Green'),
  ({under leaving}, {ada}, {leaving}, 'Stay'), ({under taken}, {ada}, {taken}, 'Keep it');
-- as ben
insert into likes (post_id, user_id) values ({fog}, {ben}), ({inline}, {ben}), ({hill}, {ben}), ({garden}, {ben});
insert into saved_posts (post_id, user_id) values ({fog}, {ben}), ({taken}, {ben});
insert into hashtag_follows (follower_id, tag) values ({ben}, 'fog');
insert into comments (id, user_id, post_id, parent_id, content) values ({reply}, {ben}, {light}, {first}, 'It was'), ({thread}, {ben}, {fog}, null, 'Where?');
insert into comment_likes (comment_id, user_id) values ({first}, {ben});
-- as cleo
insert into likes (post_id, user_id) values ({fog}, {cleo});
insert into comments (id, user_id, post_id, parent_id, content) values ({answer}, {cleo}, {fog}, {thread}, 'At the quay, @ada');
insert into comment_likes (comment_id, user_id) values ({thread}, {cleo}), ({under garden}, {cleo});
-- as emil
insert into likes (post_id, user_id) values ({light}, {emil});
insert into comments (id, user_id, post_id, content) values ({of emil}, {emil}, {light}, 'Hm');
insert into comment_likes (comment_id, user_id) values ({reply}, {emil});
-- as fay
insert into likes (post_id, user_id) values ({light}, {fay}), ({fog}, {fay});
-- as hana
insert into likes (post_id, user_id) values ({fog}, {hana}), ({secret}, {hana}), ({inline}, {hana});
delete from likes where post_id = {inline};
insert into comments (id, user_id, post_id, parent_id, content) values ({of hana}, {hana}, {fog}, null, 'Mine'), ({gone}, {hana}, {light}, null, 'Gone with @ada');
insert into mutes (muter_id, muted_id) values ({hana}, {ben});
-- as ivo
insert into likes (post_id, user_id) values ({fog}, {ivo}), ({light}, {ivo});
insert into comments (id, user_id, post_id, content) values ({of ivo}, {ivo}, {fog}, 'Bye');
insert into follows (follower_id, following_id) values ({ivo}, {ada});
insert into follow_requests (requester_id, target_id) values ({ivo}, {cleo});
update profiles set username = 'ivo', is_private = true where id = {ivo};
-- as dora
insert into follow_requests (requester_id, target_id) values ({dora}, {ivo});
-- as ben
insert into comments (id, user_id, post_id, parent_id, content) values ({under gone}, {ben}, {light}, {gone}, 'Why?'), ({under bye}, {ben}, {fog}, {of ivo}, 'Bye');
insert into comment_likes (comment_id, user_id) values ({gone}, {ben}), ({of ivo}, {ben});
-- as gus
insert into likes (post_id, user_id) values ({fog}, {gus});

-- as ada
insert into stories (id, user_id, media_type, media_url, content, thumbnail_url, media_width, media_height)
  values ({inline story}, {ada}, 'image', 'data:image/png;base64,AAAA', 'Fog for @ben', 'data:image/webp;base64,BBBB', 4, 3),
    ({own}, {ada}, 'video', 'data:video/mp4;base64,AAAA', null, null, null, null), ({older}, {ada}, 'image', 'data:image/png;base64,CCCC', null, null, null, null);
-- as ben
insert into stories (id, user_id, media_type, media_path, poster_path, thumbhash, media_width, media_height, duration_ms)
  values ({film}, {ben}, 'video', {ben/story.mp4}, {ben/poster.webp}, 'AAAA', 40, 30, 5000);
insert into stories (id, user_id, media_type, media_url) values ({over}, {ben}, 'image', 'data:image/png;base64,BBBB');
-- as cleo
insert into stories (id, user_id, media_type, media_path, poster_path, thumbhash, media_width, media_height)
  values ({closed story}, {cleo}, 'image', {cleo/story.webp}, {cleo/poster.webp}, 'BBBB', 40, 30);
-- as emil
insert into stories (id, user_id, media_type, media_path, poster_path, thumbhash) values ({of stranger}, {emil}, 'image', {emil/story.webp}, {emil/poster.webp}, 'CCCC');
-- as gus
insert into stories (id, user_id, media_type, media_url) values ({quiet}, {gus}, 'image', 'data:image/png;base64,DDDD');
-- as hana
insert into stories (id, user_id, media_type, media_url) values ({taken story}, {hana}, 'image', 'data:image/png;base64,EEEE');
insert into story_views (viewer_id, story_id) values ({hana}, {inline story}), ({hana}, {film});
-- as ada
insert into story_views (viewer_id, story_id) values ({ada}, {film}), ({ada}, {closed story}), ({ada}, {taken story});
-- as ben
insert into story_views (viewer_id, story_id) values ({ben}, {inline story}), ({ben}, {closed story});
-- as emil
insert into story_views (viewer_id, story_id) values ({emil}, {inline story}), ({emil}, {film});

-- as ada
insert into conversations (id, participant_1, participant_2) values ({with ben}, {ada}, {ben}), ({with cleo}, {ada}, {cleo}), ({with emil}, {ada}, {emil}),
  ({with gus}, {ada}, {gus}), ({with hana}, {ada}, {hana});
-- as fay
insert into conversations (id, participant_1, participant_2) values ({with fay}, {fay}, {ada}), ({empty}, {fay}, {dora}), ({asked}, {fay}, {ben});
insert into messages (conversation_id, sender_id, content) values ({with fay}, {fay}, 'Hello Ada'), ({asked}, {fay}, 'A request');
-- as ivo
insert into conversations (id, participant_1, participant_2) values ({with ivo}, {ivo}, {cleo});
insert into messages (conversation_id, sender_id, content) values ({with ivo}, {ivo}, 'I am leaving');
-- as ben
insert into conversations (id, participant_1, participant_2) values ({ben and hana}, {ben}, {hana}), ({ben and gus}, {ben}, {gus}), ({ben and ivo}, {ben}, {ivo});
-- as ada
insert into messages (id, conversation_id, sender_id, content) values ({hello}, {with ben}, {ada}, 'Hello Ben'), ({for cleo}, {with cleo}, {ada}, 'Before'),
  ({typo}, {with ben}, {ada}, 'Goof morning'), ({mistake}, {with ben}, {ada}, 'A mistake'), ({for emil}, {with emil}, {ada}, 'Hello Emil'),
  ({for gus}, {with gus}, {ada}, 'Hello Gus');
update messages set content = 'Good morning' where id = {typo};
update messages set deleted_at = now() where id = {mistake};
insert into message_photos (id, sender_id, conversation_id, image_path, thumbnail_path) values
  ({sent}, {ada}, {with ben}, {ada/sent.webp}, {ada/sent small.webp}), ({kept}, {ada}, {with ben}, {ada/kept.webp}, {ada/kept small.webp});
insert into message_photos (id, sender_id, conversation_id, image_url) values ({sent inline}, {ada}, {with ben}, 'data:image/png;base64,AAAA');
insert into messages (id, conversation_id, sender_id, content, photo_id, image_width, image_height, thumbhash) values ({photo}, {with ben}, {ada}, '', {sent}, 40, 30, 'AAAA');
insert into messages (id, conversation_id, sender_id, content, photo_id, image_width, image_height, thumbnail_url)
  values ({inline photo}, {with ben}, {ada}, 'Look', {sent inline}, 4, 3, 'data:image/webp;base64,BBBB');
insert into messages (conversation_id, sender_id, content, story_id) values ({with ben}, {ada}, 'Nice film', {film});
insert into messages (conversation_id, sender_id, content, shared_post_id) values ({with ben}, {ada}, '', {garden}), ({with ben}, {ada}, 'This one', {fog});
insert into messages (conversation_id, sender_id, content, shared_story_id) values ({with ben}, {ada}, '', {closed story});
insert into messages (conversation_id, sender_id, content, shared_profile_id) values ({with ben}, {ada}, '', {emil});
-- as ben
update messages set read = true where conversation_id = {with ben} and sender_id = {ada};
insert into messages (id, conversation_id, sender_id, content, reply_to_id) values ({quoting}, {with ben}, {ben}, 'Good morning, harbour', {typo});
insert into messages (conversation_id, sender_id, content, forwarded) values ({with ben}, {ben}, 'Passed on', true);
update messages set recipient_reaction = '❤️' where id = {hello};
update messages set sender_reaction = '🔥' where id = {quoting};
insert into messages (conversation_id, sender_id, content) values ({ben and hana}, {ben}, 'Hello Hana'), ({ben and gus}, {ben}, 'Hello Gus');
select touch_activity();
select mark_delivered();
-- as ada
update messages set sender_reaction = '👍' where id = {hello};
update messages set recipient_reaction = '😂' where id = {quoting};
update conversation_members set pinned_at = now() where member_id = {ada} and conversation_id = {with ben};
update conversation_members set cleared_at = now() where member_id = {ada} and conversation_id = {with cleo};
select touch_activity();
-- as cleo
select touch_activity();
select mark_delivered();
update conversation_members set folder = 'archived' where member_id = {cleo} and conversation_id = {with cleo};
insert into messages (conversation_id, sender_id, content) values ({with cleo}, {cleo}, 'After');
insert into messages (conversation_id, sender_id, content) values ({with ivo}, {cleo}, 'Farewell');
update conversation_members set folder = 'archived' where member_id = {cleo} and conversation_id = {with cleo};
-- as emil
insert into messages (conversation_id, sender_id, content) values ({with emil}, {emil}, 'Hello Ada');
select touch_activity();
-- as gus
insert into messages (conversation_id, sender_id, content) values ({ben and gus}, {gus}, 'Hello Ben'), ({with gus}, {gus}, 'Hello Ada');
-- as ben
update conversation_members set folder = 'archived' where member_id = {ben} and conversation_id = {ben and gus};
update conversation_members set cleared_at = now() where member_id = {ben} and conversation_id = {ben and hana};

-- as ada
update notifications set read = true where user_id = {ada} and type = 'like';
insert into mutes (muter_id, muted_id) values ({ada}, {gus}), ({ada}, {emil});
insert into reports (reporter_id, member_id, post_id, reason, details) values ({ada}, {emil}, {kite}, 'spam', 'Too many kites');
-- as owner
insert into conversations (id, participant_1, participant_2) values ({imported}, {dora}, {hana});
insert into messages (id, conversation_id, sender_id, content) values ({from elsewhere}, {imported}, {dora}, 'From another server');
insert into notifications (user_id, actor_id, type, message) values ({dora}, {hana}, 'other', 'Welcome');
insert into blocks (blocker_id, blocked_id) values ({emil}, {ada}), ({ada}, {fay}), ({gus}, {fay}), ({fay}, {gus});
update stories set created_at = now() - interval '2 days', expires_at = now() - interval '1 day' where id in ({own}, {over});
update stories set created_at = now() - interval '9 days', expires_at = now() - interval '8 days' where id = {older};
update storage.objects set created_at = now() - interval '2 days';
update private.quotas set per_day = 99 where kind = 'reports';
delete from auth.users where id = {jon};

-- as owner since 20261127203200
insert into auth.sessions (id, user_id, user_agent) values ({tablet}, {ada}, 'Tablet'), ({phone}, {ada}, 'Phone');
update private.sign_ins set created_at = now() - interval '1 hour' where session_id = {ada};
update private.sign_ins set created_at = now() - interval '10 minutes' where session_id in ({tablet}, {phone});
-- as ada since 20261127203200
select register_device({desk});
select answer_sign_in({tablet}, true);
-- as owner since 20261127203200
update auth.users set email = 'ada@new.example.com', encrypted_password = 'new' where id = {ada};
delete from auth.sessions where id = {tablet};
select private.hold_items('public.posts', array[{taken}]::uuid[]), private.hold_items('public.comments', array[{gone}]::uuid[]),
  private.hold_items('public.stories', array[{taken story}]::uuid[]);
insert into private.jobs (kind, subject_id) values ('account', {ivo}), ('requests', {ben});
update private.jobs set tries = 2, error = 'A lock was not available' where kind = 'objects';
insert into private.count_changes (item, counter, change) values ({fog}, 'likes', 2), ({fog}, 'comments', 1), ({thread}, 'comment_likes', 1),
  ({thread}, 'replies', -1), ({ada}, 'posts', 1), ({ada}, 'followers', -1), ({ada}, 'following', 1);
insert into private.cleanups (called_at, reached_id, walked_at) values (now(), {fog}, now());
update private.announcements set sent_at = now() where member_id = {ada};
insert into private.waiting_broadcasts (member_id, changed_table, operation, ids) values ({ada}, 'likes', 'INSERT', array[{fog}]::uuid[]);
insert into private.unfinished_blocks (blocker_id, blocked_id) values ({emil}, {ada});
insert into story_views (viewer_id, story_id) values ({emil}, {inline story});
insert into private.post_moves (member_id) values ({dora});
update post_topics set audience = 'public' where post_id = {secret};
