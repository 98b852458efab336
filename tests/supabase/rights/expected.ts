/**
 * The access rights, derived from the specification only. Each table has one row in the test community (cast.ts), described
 * in the line above its cells, and five roles: the owner of the row; `follower`, an accepted follower of Ada; `stranger`, without
 * any relation; `other`, the second party of the row, if any; `out`, signed out.
 *
 *   yes      the row is shown, or the write changes exactly this row
 *   no       nothing is shown or changed (signed out, there must also be an error), also if the request succeeds, as the
 *            participants' update of `last_message_at`
 *   yes/no   with Ada's account public / private
 *   -        not applicable
 *
 * `insert` creates a similar row as the member in that role, `forge` creates it as the owner. `update` lists its columns.
 */
export const EXPECTED = `
profiles: Ada's profile                                            owner=ada
                                                                   owner   follower  stranger  other     out
  select                                                           yes     yes       yes       -         no
  forge                                                            -       no        no        -         no
  update username full_name bio website avatar_url is_private      yes     no        no        -         no
  update show_activity_status allow_story_replies updated_at       yes     no        no        -         no
  update new_messages_from                                         yes     no        no        -         no
  update avatar_path read_receipts                                 yes     no        no        -         no
  update id created_at post_count follower_count following_count   no      no        no        -         no
  delete                                                           no      no        no        -         no

activity: when Ada was last active; she writes with Max            owner=ada other=max
                                                                   owner   follower  stranger  other     out
  select                                                           yes     no        no        yes       no
  insert                                                           yes     yes       yes       yes       no
  forge                                                            -       no        no        no        no
  update last_active_at                                            yes     no        no        no        no
  update user_id                                                   no      no        no        no        no
  delete                                                           no      no        no        no        no

posts: Ada's post, in which she names Tim                          owner=ada other=tim
                                                                   owner   follower  stranger  other     out
  select                                                           yes     yes       yes/no    yes/no    no
  insert                                                           yes     yes       yes       yes       no
  forge                                                            -       no        no        no        no
  update content location alt_text                                 yes     no        no        no        no
  update id user_id audience like_count comment_count created_at   no      no        no        no        no
  update image_url thumbnail_url image_width image_height          no      no        no        no        no
  update edited_at state                                           no      no        no        no        no
  delete                                                           yes     no        no        no        no

post_media: a video of Ada's second post                           owner=ada
                                                                   owner   follower  stranger  other     out
  select                                                           yes     yes       yes/no    -         no
  insert                                                           no      no        no        -         no
  forge                                                            -       no        no        -         no
  update alt_text                                                  yes     no        no        -         no
  update id user_id post_id position full_path feed_path grid_path no      no        no        -         no
  update middle_path kind media_path duration_ms has_sound         no      no        no        -         no
  update color_space captions has_captions                         no      no        no        -         no
  update width height thumbhash camera                             no      no        no        -         no
  delete                                                           no      no        no        -         no

likes: Ben's like of Ada's post                                    owner=ben other=ada
                                                                   owner   follower  stranger  other     out
  select                                                           yes     yes       yes/no    yes       no
  insert                                                           yes     yes       yes/no    yes       no
  forge                                                            -       no        no        no        no
  update post_id user_id created_at                                no      no        no        no        no
  delete                                                           yes     no        no        no        no

saved_posts: Ben saved Ada's post                                  owner=ben other=ada
                                                                   owner   follower  stranger  other     out
  select                                                           yes     no        no        no        no
  insert                                                           yes     yes       yes/no    yes       no
  forge                                                            -       no        no        no        no
  update post_id user_id created_at                                no      no        no        no        no
  delete                                                           yes     no        no        no        no

comments: Ben's comment on Ada's post                              owner=ben other=ada
                                                                   owner   follower  stranger  other     out
  select                                                           yes     yes       yes/no    yes       no
  insert                                                           yes     yes       yes/no    yes       no
  forge                                                            -       no        no        no        no
  update id post_id user_id content created_at                     no      no        no        no        no
  update parent_id like_count reply_count                          no      no        no        no        no
  delete                                                           yes     no        no        yes       no

comment_likes: Ada's like of Ben's comment                         owner=ada other=ben
                                                                   owner   follower  stranger  other     out
  select                                                           yes     yes       yes/no    yes       no
  insert                                                           yes     yes       yes/no    yes       no
  forge                                                            -       no        no        no        no
  update comment_id user_id created_at                             no      no        no        no        no
  delete                                                           yes     no        no        no        no

post_tags: Tim is named in Ada's post                              owner=ada other=tim
                                                                   owner   follower  stranger  other     out
  select                                                           yes     yes       yes/no    yes       no
  insert                                                           no      no        no        no        no
  update post_id tagged_user_id created_at                         no      no        no        no        no
  delete                                                           no      no        no        yes       no

follows: Ben follows Ada                                           owner=ben other=ada
                                                                   owner   follower  stranger  other     out
  select                                                           yes     yes       yes/no    yes       no
  insert                                                           yes/no  yes/no    yes/no    -         no
  forge                                                            -       no        no        no        no
  update follower_id following_id created_at                       no      no        no        no        no
  delete                                                           yes     no        no        yes       no

follow_requests: Rae asked to follow Ada                           owner=rae other=ada
                                                                   owner   follower  stranger  other     out
  select                                                           -/yes   -/no      -/no      -/yes     -/no
  insert                                                           no/yes  no/yes    no/yes    -         no
  forge                                                            -       no        no        no        no
  update requester_id target_id created_at                         -/no    -/no      -/no      -/no      -/no
  delete                                                           -/yes   -/no      -/no      -/yes     -/no

stories: Ada's story                                               owner=ada
                                                                   owner   follower  stranger  other     out
  select                                                           yes     yes       yes/no    -         no
  insert                                                           yes     yes       yes       -         no
  forge                                                            -       no        no        -         no
  update id user_id media_url media_type content audience          no      no        no        -         no
  update created_at expires_at thumbnail_url duration_ms           no      no        no        -         no
  update has_sound color_space                                     no      no        no        -         no
  update media_width media_height media_path poster_path thumbhash no      no        no        -         no
  update state                                                     no      no        no        -         no
  delete                                                           yes     no        no        -         no

story_views: Ben saw Ada's story                                   owner=ben other=ada
                                                                   owner   follower  stranger  other     out
  select                                                           yes     no        no        yes       no
  insert                                                           yes     yes       yes/no    no        no
  forge                                                            -       no        no        no        no
  update story_id viewer_id created_at                             no      no        no        no        no
  delete                                                           no      no        no        no        no

notifications: Ada is notified of a like by Ben                    owner=ada other=ben
                                                                   owner   follower  stranger  other     out
  select                                                           yes     no        no        no        no
  insert                                                           no      no        no        no        no
  forge                                                            -       no        no        no        no
  update read                                                      yes     no        no        no        no
  update id user_id type actor_id post_id comment_id story_id      no      no        no        no        no
  update message about created_at group_key                         no      no        no        no        no
  delete                                                           yes     no        no        no        no

conversations: of Ada and Max                                      owner=ada other=max
                                                                   owner   follower  stranger  other     out
  select                                                           yes     no        no        yes       no
  insert                                                           yes     yes       yes       yes       no
  forge                                                            -       no        no        no        no
  update id participant_1 participant_2 last_message_at created_at no      no        no        no        no
  update started_by participant_1_wrote participant_2_wrote        no      no        no        no        no
  update kind name version epoch from_start                        no      no        no        no        no
  update picture_path pictured_by                                   no      no        no        no        no
  delete                                                           no      no        no        no        no

conversation_members: Ada as a member of that conversation         owner=ada other=max
                                                                   owner   follower  stranger  other     out
  select                                                           yes     no        no        yes       no
  insert                                                           no      no        no        no        no
  forge                                                            -       no        no        no        no
  update member_id invited_by conversation_id role state           no      no        no        no        no
  update joined_at left_at read_at read_id                         no      no        no        no        no
  delete                                                           no      no        no        no        no

conversation_views: Ada's view of that conversation                owner=ada other=max
                                                                   owner   follower  stranger  other     out
  select                                                           yes     no        no        no        no
  insert                                                           no      no        no        no        no
  forge                                                            -       no        no        no        no
  update folder pinned_at cleared_at                               yes     no        no        no        no
  update member_id conversation_id accepted unread last_message_at no      no        no        no        no
  update undelivered delivered_at listed_at                        no      no        no        no        no
  update is_group reads_after writes sees_members mark_at mark_id  no      no        no        no        no
  update muted_until                                               no      no        no        no        no
  delete                                                           no      no        no        no        no

messages: from Ada to Max                                          owner=ada other=max
                                                                   owner   follower  stranger  other     out
  select                                                           yes     no        no        yes       no
  insert                                                           yes     no        no        yes       no
  forge                                                            -       no        no        no        no
  update read                                                      no      no        no        yes       no
  update content                                                   yes     no        no        no        no
  update id conversation_id sender_id recipient_id created_at      no      no        no        no        no
  update edited_at read_at reply_to_id media_id thumbnail_url      no      no        no        no        no
  update image_width image_height story_id answers_story thumbhash no      no        no        no        no
  update shared_kind shared_post_id shared_story_id                no      no        no        no        no
  update shared_profile_id forwarded                               no      no        no        no        no
  update deleted_at                                                yes     no        no        no        no
  delete                                                           no      no        no        no        no

message_media: in that message                                     owner=ada other=max
                                                                   owner   follower  stranger  other     out
  select                                                           yes     no        no        yes       no
  insert                                                           yes     no        no        yes       no
  forge                                                            -       no        no        no        no
  update id sender_id conversation_id image_url sent created_at    no      no        no        no        no
  update media_path poster_path kind name media_type bytes         no      no        no        no        no
  update duration_ms peaks                                         no      no        no        no        no
  delete                                                           no      no        no        no        no

message_reactions: Ada's own reaction to it                        owner=ada other=max
                                                                   owner   follower  stranger  other     out
  select                                                           yes     no        no        yes       no
  insert                                                           yes     no        no        yes       no
  forge                                                            -       no        no        no        no
  update emoji                                                     yes     no        no        no        no
  update message_id conversation_id member_id created_at           no      no        no        no        no
  delete                                                           yes     no        no        no        no

blocks: Tim has blocked Max                                        owner=tim other=max
                                                                   owner   follower  stranger  other     out
  select                                                           yes     no        no        no        no
  insert                                                           yes     yes       yes       yes       no
  forge                                                            -       no        no        no        no
  update blocker_id blocked_id created_at                          no      no        no        no        no
  delete                                                           yes     no        no        no        no

post_topics: the place of Ada's post                               owner=ada
                                                                   owner   follower  stranger  other     out
  select                                                           yes     yes       yes/no    -         no
  insert                                                           no      no        no        -         no
  update user_id post_id kind topic label audience created_at      no      no        no        -         no
  delete                                                           no      no        no        -         no

hashtag_follows: Tim follows #fog                                  owner=tim
                                                                   owner   follower  stranger  other     out
  select                                                           yes     no        no        -         no
  insert                                                           yes     yes       yes       -         no
  forge                                                            -       no        no        -         no
  update follower_id tag created_at                                no      no        no        -         no
  delete                                                           yes     no        no        -         no

mutes: Tim has muted Rae                                           owner=tim other=rae
                                                                   owner   follower  stranger  other     out
  select                                                           yes     no        no        no        no
  insert                                                           yes     yes       yes       yes       no
  forge                                                            -       no        no        no        no
  update muter_id muted_id created_at                              no      no        no        no        no
  delete                                                           yes     no        no        no        no

reports: Tim has reported Ada's post                               owner=tim other=rae
                                                                   owner   follower  stranger  other     out
  select                                                           no      no        no        no        no
  insert                                                           yes/no  yes       yes/no    yes/no    no
  forge                                                            -       no        no        no        no
  update id reporter_id member_id post_id reason details           no      no        no        no        no
  update post_content created_at                                   no      no        no        no        no
  delete                                                           no      no        no        no        no
`
