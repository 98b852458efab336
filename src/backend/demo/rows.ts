import { randomUUID } from 'node:crypto'
import { type DemoClock, demoClock } from './clock'
import {
  commentsOf,
  DEMO_CONVERSATIONS,
  DEMO_FOLLOW_REQUESTS,
  DEMO_MEMBERS,
  DEMO_POSTS,
  DEMO_STORIES,
  type DemoMessage,
  type DemoPost,
} from './community'
import type { Row } from './insert-rows'
import type { demoPictures } from './pictures'
import type { StoredMedia } from './stored-media'

/** Resolves names in the demo data. Throws on an unknown name. */
export interface DemoLookup extends ReturnType<typeof demoPictures> {
  memberId(username: string): string
  media: StoredMedia
}

type Table = [name: string, rows: Row[]]

/** All rows of the community, in an order in which they can be inserted. */
export function communityRows(lookup: DemoLookup, now: Date): Table[] {
  const clock = demoClock(now)
  const { idByPicture, tables } = postRows(lookup, clock)
  return [
    ['profiles', profileRows(lookup, clock)],
    ['follows', followRows(lookup, clock)],
    ['follow_requests', followRequestRows(lookup, clock)],
    ...tables,
    ...storyRows(lookup, clock),
    ...conversationRows(lookup, clock, idByPicture),
    ['activity', activityRows(lookup, clock)],
  ]
}

function profileRows(lookup: DemoLookup, clock: DemoClock): Row[] {
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
function followRows(lookup: DemoLookup, clock: DemoClock): Row[] {
  const joined = new Map(DEMO_MEMBERS.map(({ username, joinedDaysAgo }) => [username, joinedDaysAgo]))
  return DEMO_MEMBERS.flatMap(({ username, joinedDaysAgo, follows }) =>
    follows.map((followed, i) => ({
      follower_id: lookup.memberId(username),
      following_id: lookup.memberId(followed),
      created_at: clock.daysAgo(Math.max(1, Math.min(joinedDaysAgo, joined.get(followed) ?? 0) - 1 - i)),
    })),
  )
}

function followRequestRows(lookup: DemoLookup, clock: DemoClock): Row[] {
  return DEMO_FOLLOW_REQUESTS.map(({ requester, target, hoursAgo }) => ({
    requester_id: lookup.memberId(requester),
    target_id: lookup.memberId(target),
    created_at: clock.hoursAgo(hoursAgo),
  }))
}

/** Names of a post's pictures. */
export function pictureNames({ picture, morePictures = [] }: DemoPost): readonly string[] {
  return picture === undefined ? [] : [picture, ...morePictures]
}

/** Posts, oldest first, with their photos, likes, saves and comments, and the ids of posts by the names of their pictures. */
function postRows({ memberId, media, photo }: DemoLookup, clock: DemoClock) {
  const idByPicture = new Map<string, string>()
  const [posts, photos, likes, saves]: [Row[], Row[], Row[], Row[]] = [[], [], [], []]
  const [comments, replies, commentLikes]: [Row[], Row[], Row[]] = [[], [], []]
  for (const post of DEMO_POSTS.toReversed()) {
    const { author, content, location = null, picture, camera = null, saves: savers = [] } = post
    const minutes = post.hoursAgo * 60
    const [id, user_id] = [randomUUID(), memberId(author)]
    const stored = media.post({ id, user_id }, pictureNames(post).map(photo))
    posts.push({ id, user_id, content, location, created_at: clock.minutesAgo(minutes) })
    photos.push(...stored.map((row, i) => ({ ...row, camera: i === 0 ? camera : null })))
    if (picture !== undefined) idByPicture.set(picture, id)
    for (const [username, created_at] of clock.reactions(post.likes, minutes, 6))
      likes.push({ post_id: id, user_id: memberId(username), created_at })
    for (const [username, created_at] of clock.reactions(savers, minutes, 15))
      saves.push({ user_id: memberId(username), post_id: id, created_at })
    const idByText = new Map<string, string>()
    for (const [comment, created_at] of clock.reactions(commentsOf(post), minutes, 9)) {
      const { author: username, text, answers, likes: likers = [] } = comment
      const comment_id = randomUUID()
      const parent_id = answers === undefined ? null : idByText.get(answers)
      if (parent_id === undefined) throw new Error(`No earlier comment has the text '${answers}'`)
      const row = { id: comment_id, post_id: id, user_id: memberId(username), content: text }
      const rows = parent_id === null ? comments : replies
      rows.push({ ...row, parent_id, created_at })
      idByText.set(text, comment_id)
      for (const liker of likers) commentLikes.push({ comment_id, user_id: memberId(liker), created_at })
    }
  }
  const tables: Table[] = [
    ['posts', posts],
    ['post_media', photos],
    ['likes', likes],
    ['saved_posts', saves],
    ['comments', comments],
    ['comments', replies],
    ['comment_likes', commentLikes],
  ]
  return { idByPicture, tables }
}

/** Stories and their views. */
function storyRows({ memberId, media, photo }: DemoLookup, clock: DemoClock): Table[] {
  const stories = DEMO_STORIES.map((story) => {
    const user_id = memberId(story.author)
    const picture = photo(story.picture)
    const { width, height, durationMs } = picture
    return {
      id: story.id,
      user_id,
      ...media.story(user_id, picture),
      media_type: durationMs === undefined ? 'image' : 'video',
      content: story.content ?? null,
      media_width: width,
      media_height: height,
      duration_ms: durationMs ?? null,
      created_at: clock.hoursAgo(story.hoursAgo),
      expires_at: clock.hoursAgo(story.hoursAgo - 24),
    }
  })
  const views = DEMO_STORIES.flatMap(({ id, hoursAgo, seenBy }) =>
    clock.reactions<string>(seenBy, hoursAgo * 60, 12).map(([username, created_at]) => ({
      story_id: id,
      viewer_id: memberId(username),
      created_at,
    })),
  )
  return [
    ['stories', stories],
    ['story_views', views],
  ]
}

function conversationRows(
  lookup: DemoLookup,
  clock: DemoClock,
  idByPicture: ReadonlyMap<string, string>,
): Table[] {
  const [conversations, photos, sent, reactions]: [Row[], Row[], Row[], Row[]] = [[], [], [], []]
  for (const { first, second, isRequest, messages } of DEMO_CONVERSATIONS) {
    const id = randomUUID()
    const startedAt = clock.minutesAgo(Math.max(...messages.map(({ minutesAgo }) => minutesAgo)))
    const [participant_1, participant_2] = [lookup.memberId(first), lookup.memberId(second)]
    const times = { created_at: startedAt, last_message_at: startedAt }
    const started_by = isRequest ? participant_1 : null
    conversations.push({ id, participant_1, participant_2, started_by, ...times })
    const idByText = new Map<string, string>()
    for (const message of messages) {
      const { photo, row } = messageRows(lookup, clock, message, id)
      const reply_to_id = message.answers === undefined ? null : idByText.get(message.answers)
      if (reply_to_id === undefined) throw new Error(`No earlier message has the text '${message.answers}'`)
      const shared_post_id = message.shares === undefined ? null : idByPicture.get(message.shares)
      if (shared_post_id === undefined) throw new Error(`No post has the picture '${message.shares}'`)
      if (photo !== null) photos.push(photo)
      sent.push({ ...row, reply_to_id, shared_post_id })
      idByText.set(message.text, row.id)
      const [reader, emoji] = [message.from === first ? participant_2 : participant_1, message.reaction]
      if (emoji !== undefined) reactions.push({ message_id: row.id, member_id: reader, emoji })
    }
  }
  return [
    ['conversations', conversations],
    ['message_media', photos],
    ['messages', sent],
    ['message_reactions', reactions],
  ]
}

/** A message, and its photo if it has one. */
function messageRows(
  lookup: DemoLookup,
  clock: DemoClock,
  { from, minutesAgo, text, unread, story, picture: name }: DemoMessage,
  conversation_id: string,
) {
  const sender_id = lookup.memberId(from)
  const created_at = clock.minutesAgo(minutesAgo)
  const picture = name === undefined ? null : lookup.photo(name)
  const photo = picture && {
    id: randomUUID(),
    conversation_id,
    sender_id,
    ...lookup.media.message(sender_id, picture),
    // An old photo that is not marked as sent would be deleted as an orphan before its message is inserted.
    sent: true,
    created_at,
  }
  const row = {
    id: randomUUID(),
    conversation_id,
    sender_id,
    content: text,
    media_id: photo?.id ?? null,
    thumbhash: picture?.thumbhash ?? null,
    image_width: picture?.width ?? null,
    image_height: picture?.height ?? null,
    story_id: story ?? null,
    read: unread !== true,
    read_at: unread === true ? null : clock.minutesAgo(minutesAgo - 1),
    created_at,
  }
  return { photo, row }
}

function activityRows(lookup: DemoLookup, clock: DemoClock): Row[] {
  return DEMO_MEMBERS.map(({ username }, i) => ({
    user_id: lookup.memberId(username),
    last_active_at: clock.minutesAgo(4 + 23 * i),
  }))
}
