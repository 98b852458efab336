import { randomUUID } from 'node:crypto'
import { type DemoClock, reactionTimes } from './clock'
import { DEMO_CONVERSATIONS } from './data/conversations'
import { DEMO_FOLLOW_REQUESTS, DEMO_MEMBERS } from './data/members'
import { POSTS_EARLIER } from './data/posts-earlier'
import { POSTS_THIS_WEEK } from './data/posts-this-week'
import { DEMO_STORIES } from './data/stories'
import type { DemoMessage, DemoPost } from './data/types'
import type { DemoMedia, Row } from './media'
import type { DemoPictures } from './pictures'

/** Resolves names in the demo data. Throws on an unknown name. */
export interface DemoLookup extends DemoPictures {
  memberId(username: string): string
  media: DemoMedia
}

export const DEMO_POSTS: readonly DemoPost[] = [...POSTS_THIS_WEEK, ...POSTS_EARLIER]

export function profileRows(lookup: DemoLookup, clock: DemoClock): Row[] {
  return DEMO_MEMBERS.map((member) => {
    const id = lookup.memberId(member.username)
    return {
      id,
      username: member.username,
      full_name: member.fullName,
      bio: member.bio,
      website: member.website ?? null,
      ...lookup.media.avatar(id, lookup.avatar(member.avatar)),
      is_private: member.isPrivate ?? false,
      created_at: clock.daysAgo(member.joinedDaysAgo),
    }
  })
}

/** A member follows one account a day, starting when the newer of the two accounts was created. */
export function followRows(lookup: DemoLookup, clock: DemoClock): Row[] {
  const joined = new Map(DEMO_MEMBERS.map(({ username, joinedDaysAgo }) => [username, joinedDaysAgo]))
  return DEMO_MEMBERS.flatMap(({ username, joinedDaysAgo, follows }) =>
    follows.map((followed, i) => ({
      follower_id: lookup.memberId(username),
      following_id: lookup.memberId(followed),
      created_at: clock.daysAgo(Math.max(1, Math.min(joinedDaysAgo, joined.get(followed) ?? 0) - 1 - i)),
    })),
  )
}

export function followRequestRows(lookup: DemoLookup, clock: DemoClock): Row[] {
  return DEMO_FOLLOW_REQUESTS.map(({ requester, target, hoursAgo }) => ({
    requester_id: lookup.memberId(requester),
    target_id: lookup.memberId(target),
    created_at: clock.hoursAgo(hoursAgo),
  }))
}

export interface PostRows {
  posts: Row[]
  /** Of posts with a picture in Storage. */
  photos: Row[]
  likes: Row[]
  saves: Row[]
  comments: Row[]
  commentLikes: Row[]
  /** Ids of posts by the names of their pictures. */
  idByPicture: ReadonlyMap<string, string>
}

/** Names of a post's pictures. */
export function pictureNames({ picture, morePictures = [] }: DemoPost): readonly string[] {
  return picture === undefined ? [] : [picture, ...morePictures]
}

/** Posts, oldest first, with their photos, likes, saves and comments. */
export function postRows(lookup: DemoLookup, clock: DemoClock): PostRows {
  const idByPicture = new Map<string, string>()
  const rows: PostRows = {
    posts: [],
    photos: [],
    likes: [],
    saves: [],
    comments: [],
    commentLikes: [],
    idByPicture,
  }
  for (const post of DEMO_POSTS.toReversed()) {
    const id = randomUUID()
    const minutes = post.hoursAgo * 60
    const user_id = lookup.memberId(post.author)
    const { columns, photos } = lookup.media.post({ id, user_id }, pictureNames(post).map(lookup.photo))
    const likedAfter = reactionTimes(post.likes.length, minutes, 6)
    const savedAfter = reactionTimes(post.saves?.length ?? 0, minutes, 15)
    const commentedAfter = reactionTimes(post.comments?.length ?? 0, minutes, 9)
    const after = (delays: number[], i: number) => clock.minutesAgo(minutes - (delays[i] ?? 0))
    rows.posts.push({
      id,
      user_id,
      content: post.content,
      location: post.location ?? null,
      ...columns,
      created_at: clock.minutesAgo(minutes),
    })
    rows.photos.push(...photos.map((photo, i) => ({ ...photo, camera: (i === 0 && post.camera) || null })))
    if (post.picture !== undefined) idByPicture.set(post.picture, id)
    post.likes.forEach((username, i) => {
      rows.likes.push({ post_id: id, user_id: lookup.memberId(username), created_at: after(likedAfter, i) })
    })
    post.saves?.forEach((username, i) => {
      rows.saves.push({ user_id: lookup.memberId(username), post_id: id, created_at: after(savedAfter, i) })
    })
    const idByText = new Map<string, string>()
    post.comments?.forEach(([username, content, { answers, likes = [] } = {}], i) => {
      const comment = { id: randomUUID(), post_id: id, user_id: lookup.memberId(username), content }
      const parent_id = answers === undefined ? null : idByText.get(answers)
      if (parent_id === undefined) throw new Error(`No earlier comment has the text '${answers}'`)
      const created_at = after(commentedAfter, i)
      rows.comments.push({ ...comment, parent_id, created_at })
      idByText.set(content, comment.id)
      for (const liker of likes) {
        rows.commentLikes.push({ comment_id: comment.id, user_id: lookup.memberId(liker), created_at })
      }
    })
  }
  return rows
}

/** Stories and their views. */
export function storyRows(lookup: DemoLookup, clock: DemoClock): { stories: Row[]; views: Row[] } {
  const stories = DEMO_STORIES.map((story) => {
    const user_id = lookup.memberId(story.author)
    const picture = lookup.photo(story.picture)
    const { width, height, durationMs } = picture
    return {
      id: story.id,
      user_id,
      ...lookup.media.story(user_id, picture),
      media_type: durationMs === undefined ? 'image' : 'video',
      content: story.content ?? null,
      media_width: width,
      media_height: height,
      duration_ms: durationMs ?? null,
      created_at: clock.hoursAgo(story.hoursAgo),
      expires_at: clock.hoursAgo(story.hoursAgo - 24),
    }
  })
  const views = DEMO_STORIES.flatMap(({ id, hoursAgo, seenBy }) => {
    const delays = reactionTimes(seenBy.length, hoursAgo * 60, 12)
    return seenBy.map((username, i) => ({
      story_id: id,
      viewer_id: lookup.memberId(username),
      created_at: clock.minutesAgo(hoursAgo * 60 - (delays[i] ?? 0)),
    }))
  })
  return { stories, views }
}

export interface ConversationRows {
  conversations: Row[]
  photos: Row[]
  messages: Row[]
}

export function conversationRows(
  lookup: DemoLookup,
  clock: DemoClock,
  { idByPicture }: Pick<PostRows, 'idByPicture'>,
): ConversationRows {
  const rows: ConversationRows = { conversations: [], photos: [], messages: [] }
  for (const { between, isRequest, messages } of DEMO_CONVERSATIONS) {
    const id = randomUUID()
    const startedAt = clock.minutesAgo(Math.max(...messages.map(({ minutesAgo }) => minutesAgo)))
    rows.conversations.push({
      id,
      participant_1: lookup.memberId(between[0]),
      participant_2: lookup.memberId(between[1]),
      started_by: isRequest ? lookup.memberId(between[0]) : null,
      created_at: startedAt,
      last_message_at: startedAt,
    })
    const idByText = new Map<string, string>()
    for (const message of messages) {
      const { photo, row } = messageRows(lookup, clock, message, id)
      const reply_to_id = message.answers === undefined ? null : idByText.get(message.answers)
      if (reply_to_id === undefined) throw new Error(`No earlier message has the text '${message.answers}'`)
      const shared_post_id = message.shares === undefined ? null : idByPicture.get(message.shares)
      if (shared_post_id === undefined) throw new Error(`No post has the picture '${message.shares}'`)
      if (photo !== null) rows.photos.push(photo)
      rows.messages.push({ ...row, reply_to_id, shared_post_id })
      idByText.set(message.text, row.id)
    }
  }
  return rows
}

/** A message, and its photo if it has one. */
function messageRows(
  lookup: DemoLookup,
  clock: DemoClock,
  { from, minutesAgo, text, unread, story, picture: name, reaction }: DemoMessage,
  conversation_id: string,
) {
  const sender_id = lookup.memberId(from)
  const created_at = clock.minutesAgo(minutesAgo)
  const picture = name === undefined ? null : lookup.photo(name)
  const { columns, photoColumns } = lookup.media.message(sender_id, picture)
  const photo = picture && {
    id: randomUUID(),
    conversation_id,
    sender_id,
    ...photoColumns,
    // An old photo that is not marked as sent would be deleted as an orphan before its message is inserted.
    sent: true,
    created_at,
  }
  const row = {
    id: randomUUID(),
    conversation_id,
    sender_id,
    content: text,
    photo_id: photo?.id ?? null,
    ...columns,
    image_width: picture?.width ?? null,
    image_height: picture?.height ?? null,
    story_id: story ?? null,
    recipient_reaction: reaction ?? null,
    read: unread !== true,
    read_at: unread === true ? null : clock.minutesAgo(minutesAgo - 1),
    created_at,
  }
  return { photo, row }
}

export function activityRows(lookup: DemoLookup, clock: DemoClock): Row[] {
  return DEMO_MEMBERS.map(({ username }, i) => ({
    user_id: lookup.memberId(username),
    last_active_at: clock.minutesAgo(4 + 23 * i),
  }))
}
