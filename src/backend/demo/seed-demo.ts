import type { Queries } from '#/backend/database/queries'
import { demoClock } from './clock'
import type { DemoContext } from './context'
import { DEMO_MEMBERS } from './data/members'
import { loadInlineMedia } from './inline-media'
import { insertRows } from './insert-rows'
import type { Row } from './media'
import { demoPictures, readDemoManifest } from './pictures'
import {
  activityRows,
  conversationRows,
  type DemoLookup,
  followRequestRows,
  followRows,
  postRows,
  profileRows,
  storyRows,
} from './rows'
import { createStoredMedia } from './stored-media'

/** How many of a member's latest notifications are left unread. */
const UNREAD_NOTIFICATIONS = 3

/** Inserts the demo community into an empty server. Does nothing if one of its members already exists. */
export async function seedDemo(context: DemoContext): Promise<void> {
  const { pg, createMember, assetsDir, objectsFolder, now, log } = context
  const usernames = DEMO_MEMBERS.map(({ username }) => username)
  const { rows: found } = await pg.query('select 1 from public.profiles where username = any($1) limit 1', [
    usernames,
  ])
  if (found.length > 0) return
  const manifest = await readDemoManifest(assetsDir)
  const ids = new Map<string, string>()
  for (const { username, fullName, isOffered } of DEMO_MEMBERS) {
    const email = `${username}@example.com`
    ids.set(username, await createMember({ username, fullName, email, isOffered }))
  }
  const stored = objectsFolder === null ? null : createStoredMedia(assetsDir, objectsFolder)
  const community = communityRows(
    {
      ...demoPictures(manifest),
      memberId: (username) => findMember(ids, username),
      media: stored ?? (await loadInlineMedia(assetsDir, manifest)),
    },
    now,
  )
  await stored?.copyFiles()
  await pg.transaction(async (tx) => {
    await stored?.insertObjects(tx)
    await insertCommunity(tx, community)
  })
  log(`Added the demo community with ${ids.size} members.`)
}

function findMember(ids: ReadonlyMap<string, string>, username: string): string {
  const id = ids.get(username)
  if (id === undefined) throw new Error(`The demo community has no member named ${username}`)
  return id
}

function communityRows(lookup: DemoLookup, now: Date) {
  const clock = demoClock(now)
  const posts = postRows(lookup, clock)
  return {
    profiles: profileRows(lookup, clock),
    follows: followRows(lookup, clock),
    followRequests: followRequestRows(lookup, clock),
    posts,
    stories: storyRows(lookup, clock),
    conversations: conversationRows(lookup, clock, posts),
    activity: activityRows(lookup, clock),
  }
}

async function insertCommunity(tx: Queries, community: ReturnType<typeof communityRows>): Promise<void> {
  const { posts, photos, likes, saves, comments, commentLikes } = community.posts
  const { stories, views } = community.stories
  const { conversations, photos: sentPhotos, messages } = community.conversations
  await insertRows(tx, 'public.profiles', community.profiles)
  await insertRows(tx, 'public.follows', community.follows)
  await insertRows(tx, 'public.follow_requests', community.followRequests)
  await insertRows(tx, 'public.posts', posts)
  await insertRows(tx, 'public.post_photos', photos)
  await insertRows(tx, 'public.likes', likes)
  await insertRows(tx, 'public.saved_posts', saves)
  // Replies after the comments that they answer.
  const isReply = ({ parent_id }: Row) => parent_id !== null
  await insertRows(
    tx,
    'public.comments',
    comments.filter((row) => !isReply(row)),
  )
  await insertRows(tx, 'public.comments', comments.filter(isReply))
  await insertRows(tx, 'public.comment_likes', commentLikes)
  await insertRows(tx, 'public.stories', stories)
  await insertRows(tx, 'public.story_views', views)
  await insertRows(tx, 'public.conversations', conversations)
  await insertRows(tx, 'public.message_photos', sentPhotos)
  await insertRows(tx, 'public.messages', messages)
  await insertRows(tx, 'public.activity', community.activity)
  await tx.exec(BACKDATE_SQL)
  await tx.query(READ_SQL, [UNREAD_NOTIFICATIONS])
}

/** Triggers create tags and notifications with the current time: sets the time of their event instead. */
const BACKDATE_SQL = `
update public.post_tags t set created_at = p.created_at from public.posts p where p.id = t.post_id;
update public.notifications n set created_at = l.created_at from public.likes l
  where n.type = 'like' and l.post_id = n.post_id and l.user_id = n.actor_id;
update public.notifications n set created_at = c.created_at from public.comments c
  where n.type in ('comment', 'mention', 'reply') and c.id = n.comment_id;
update public.notifications n set created_at = l.created_at from public.comment_likes l
  where n.type = 'comment_like' and l.comment_id = n.comment_id and l.user_id = n.actor_id;
update public.notifications n set created_at = p.created_at from public.posts p
  where n.type = 'mention' and n.comment_id is null and p.id = n.post_id;
update public.notifications n set created_at = s.created_at from public.stories s
  where n.type = 'mention' and s.id = n.story_id;
update public.notifications n set created_at = f.created_at from public.follows f
  where n.type = 'follow' and f.follower_id = n.actor_id and f.following_id = n.user_id;
update public.notifications n set created_at = r.created_at from public.follow_requests r
  where n.type = 'other' and r.requester_id = n.actor_id and r.target_id = n.user_id;
update public.notifications n set created_at = v.created_at from public.story_views v
  where n.type = 'story_view' and v.story_id = n.story_id and v.viewer_id = n.actor_id;
`

const READ_SQL = `
update public.notifications n set read = true
from (
  select id, row_number() over (partition by user_id order by created_at desc, id) as age from public.notifications
) as ranked
where ranked.id = n.id and ranked.age > $1
`
