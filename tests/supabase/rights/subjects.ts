import { type Cast, type Name, PICTURE } from './cast'
import type { Action } from './parse'

type Row = Record<string, unknown>

const NEW_ROW: Action['kind'][] = ['insert', 'forge']

/** The row of a table on which the cells are tried, and how to create a similar one. */
export interface Subject {
  key: Row
  /** A new row of the member with this id. */
  fresh: (memberId: string) => Row
  /** Removes rows that would conflict with the write or change with it. $1 is the member id of the write. */
  makeRoom?: { before: Action['kind'][]; sql: string }
}

/** One subject for each table of expected.ts. */
export function subjectsOf({ members, ids, keys }: Cast): Record<string, Subject> {
  const at = (name: Name) => members[name].id
  const onPost = { post_id: ids.post, user_id: at('ben') }
  const onSecondPost = (memberId: string) => ({ post_id: ids.secondPost, user_id: memberId })
  return {
    profiles: {
      key: { id: at('ada') },
      fresh: () => ({ id: at('nia'), username: 'nia', full_name: 'Nia Example' }),
      // Going public would accept the request and change the counters of the requester.
      makeRoom: { before: ['update'], sql: 'delete from public.follow_requests where target_id = $1' },
    },
    activity: {
      key: { user_id: at('ada') },
      fresh: (memberId) => ({ user_id: memberId }),
      makeRoom: { before: NEW_ROW, sql: 'delete from public.activity where user_id = $1' },
    },
    posts: {
      key: { id: ids.post },
      fresh: (memberId) => ({ user_id: memberId, content: 'A new post', image_url: PICTURE }),
    },
    post_media: {
      key: { id: ids.postVideo },
      fresh: (memberId) => ({
        user_id: memberId,
        post_id: ids.secondPost,
        position: 1,
        full_path: keys.spare[0],
        feed_path: keys.spare[1],
        grid_path: keys.spare[2],
        middle_path: keys.spare[3],
        width: 4,
        height: 3,
        thumbhash: 'AAAA',
        camera: '{"film":"Portra 400"}',
        kind: 'video',
        media_path: keys.video[1],
        duration_ms: 2_000,
        has_sound: true,
        captions: 'WEBVTT',
        has_captions: true,
      }),
    },
    likes: { key: onPost, fresh: onSecondPost },
    saved_posts: { key: onPost, fresh: onSecondPost },
    comments: {
      key: { id: ids.comment },
      fresh: (memberId) => ({ ...onSecondPost(memberId), content: 'A new comment' }),
    },
    comment_likes: {
      key: { comment_id: ids.comment, user_id: at('ada') },
      fresh: (memberId) => ({ comment_id: ids.secondComment, user_id: memberId }),
    },
    post_tags: {
      key: { post_id: ids.post, tagged_user_id: at('tim') },
      fresh: (memberId) => ({ post_id: ids.secondPost, tagged_user_id: memberId }),
    },
    follows: {
      key: { follower_id: at('ben'), following_id: at('ada') },
      fresh: (memberId) => ({ follower_id: memberId, following_id: at('ada') }),
      makeRoom: { before: NEW_ROW, sql: 'delete from public.follows where follower_id = $1' },
    },
    follow_requests: {
      key: { requester_id: at('rae'), target_id: at('ada') },
      fresh: (memberId) => ({ requester_id: memberId, target_id: at('ada') }),
      makeRoom: {
        before: NEW_ROW,
        sql: `with following as (delete from public.follows where follower_id = $1)
              delete from public.follow_requests where requester_id = $1`,
      },
    },
    stories: {
      key: { id: ids.story },
      fresh: (memberId) => ({ user_id: memberId, media_url: PICTURE, media_type: 'image' }),
    },
    story_views: {
      key: { story_id: ids.story, viewer_id: at('ben') },
      fresh: (memberId) => ({ story_id: ids.secondStory, viewer_id: memberId }),
    },
    notifications: {
      key: { id: ids.notification },
      fresh: (memberId) => ({
        user_id: memberId,
        type: 'other',
        actor_id: at('max'),
        message: 'You have won',
      }),
    },
    conversations: {
      key: { id: ids.conversation },
      fresh: (memberId) => ({ participant_1: memberId, participant_2: at('rae') }),
    },
    conversation_members: {
      key: { member_id: at('ada'), conversation_id: ids.conversation },
      fresh: (memberId) => ({
        member_id: memberId,
        conversation_id: ids.conversation,
        joined_at: '2001-02-03T04:05:06Z',
      }),
    },
    conversation_views: {
      key: { member_id: at('ada'), conversation_id: ids.conversation },
      fresh: (memberId) => ({
        member_id: memberId,
        conversation_id: ids.conversation,
        folder: 'inbox',
        accepted: true,
        last_message_at: '2001-02-03T04:05:06Z',
      }),
    },
    messages: {
      key: { id: ids.message },
      fresh: (memberId) => ({
        conversation_id: ids.conversation,
        sender_id: memberId,
        content: 'A new message',
      }),
    },
    message_media: {
      key: { id: ids.photo },
      fresh: (memberId) => ({
        conversation_id: ids.conversation,
        sender_id: memberId,
        image_url: PICTURE,
      }),
    },
    message_reactions: {
      key: { message_id: ids.message, member_id: at('ada') },
      fresh: (memberId) => ({ message_id: ids.message, member_id: memberId, emoji: '😂' }),
      makeRoom: { before: NEW_ROW, sql: 'delete from public.message_reactions where member_id = $1' },
    },
    blocks: {
      key: { blocker_id: at('tim'), blocked_id: at('max') },
      fresh: (memberId) => ({ blocker_id: memberId, blocked_id: at('rae') }),
    },
    post_topics: {
      key: { post_id: ids.post, kind: 'place', topic: 'weir' },
      fresh: (memberId) => ({
        user_id: memberId,
        post_id: ids.secondPost,
        kind: 'hashtag',
        topic: 'fog',
        label: 'fog',
        audience: 'public',
        created_at: '2001-02-03T04:05:06Z',
      }),
    },
    hashtag_follows: {
      key: { follower_id: at('tim'), tag: 'fog' },
      fresh: (memberId) => ({ follower_id: memberId, tag: 'rain' }),
    },
    mutes: {
      key: { muter_id: at('tim'), muted_id: at('rae') },
      fresh: (memberId) => ({ muter_id: memberId, muted_id: at('ben') }),
    },
    reports: {
      key: { id: ids.report },
      fresh: (memberId) => ({
        reporter_id: memberId,
        member_id: at('ada'),
        post_id: ids.post,
        reason: 'spam',
      }),
    },
  }
}

/** A valid value for this column that differs from the row's. */
export function otherValue(column: string, current: unknown, cast: Cast): unknown {
  if (typeof current === 'boolean') return !current
  switch (column) {
    case 'id':
      return crypto.randomUUID()
    case 'post_id':
      return cast.ids.secondPost
    case 'story_id':
      return cast.ids.secondStory
    case 'comment_id':
      return current === cast.ids.comment ? cast.ids.secondComment : cast.ids.comment
    case 'parent_id':
      return cast.ids.secondComment
    case 'conversation_id':
      return crypto.randomUUID()
    case 'audience':
      return current === 'public' ? 'followers' : 'public'
    case 'state':
      return 'hidden'
    case 'type':
      return 'follow'
    case 'media_type':
      return 'video'
    case 'kind':
      return 'hashtag'
    case 'has_sound':
      return current !== true
    case 'color_space':
      return 'p3'
    case 'peaks':
      return `{${Array(64).fill(5).join()}}`
    case 'bytes':
    case 'epoch':
    case 'position':
    case 'version':
    case 'width':
    case 'height':
      return 5
    case 'camera':
      return '{"film":"HP5"}'
    case 'avatar_path':
      return cast.keys.spare[0]
    case 'new_messages_from':
      return 'followers'
    case 'folder':
      return 'archived'
    case 'reason':
      return 'other'
    case 'username':
      return 'somebody.else'
    case 'website':
      return 'https://changed.example.com'
    case 'image_url':
    case 'thumbnail_url':
    case 'avatar_url':
    case 'media_url':
      return `${PICTURE.slice(0, -4)}AAAA`
    case 'emoji':
      return '🔥'
    default:
  }
  if (/_(at|after|until)$/.test(column)) return '2001-02-03T04:05:06Z'
  if (/_(id|by|1|2)$/.test(column)) return cast.members.sid.id
  if (/_(count|width|height|ms)$/.test(column)) return 999
  return 'Changed'
}
