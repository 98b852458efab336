import type { Queries } from '#/backend/database/queries'
import { DEMO_MEMBERS } from './community'
import { insertRows } from './insert-rows'
import { demoPictures, readDemoManifest } from './pictures'
import { communityRows } from './rows'
import { createStoredMedia } from './stored-media'

/** How many of a member's latest notifications are left unread. */
const UNREAD_NOTIFICATIONS = 3

export interface NewDemoMember {
  username: string
  fullName: string
  /** An `example.com` address. */
  email: string
  /** Whether the sign-in screen offers 'Look around as …' for this member. */
  isOffered: boolean
}

export interface SeedOptions {
  /** The embedded database as its superuser: row security does not apply, triggers and checks do. Nothing is served meanwhile. */
  pg: Queries & { transaction<T>(work: (tx: Queries) => Promise<T>): Promise<T> }
  /** Creates the auth user and resolves with its id; its profile follows. The sign-in screen lists members in the order of the calls. */
  createMember(member: NewDemoMember): Promise<string>
  /** Folder with the demo's pictures (resources/demo). */
  assetsDir: string
  /** The data folder's folder of objects. */
  objectsFolder: string
  now: Date
}

const usernames = DEMO_MEMBERS.map(({ username }) => username)
const emailOf = (username: string) => `${username}@example.com`

/** Stores who belongs to the demo, also if their address or username has changed: their passwords are public. */
export async function markDemoMembers(pg: Queries): Promise<void> {
  await pg.query(
    `insert into private.demo_members (member_id)
      select p.id from public.profiles p join auth.users u on u.id = p.id where p.username = any ($1) or u.email = any ($2)
      on conflict do nothing`,
    [usernames, usernames.map(emailOf)],
  )
}

/** Inserts the demo community into an empty server. Does nothing if one of its members already exists. */
export async function seedDemo(options: SeedOptions): Promise<void> {
  const { pg, createMember, assetsDir, objectsFolder, now } = options
  const sql = 'select 1 from public.profiles where username = any($1) limit 1'
  if ((await pg.query(sql, [usernames])).rows.length > 0) return
  const manifest = await readDemoManifest(assetsDir)
  const ids = new Map<string, string>()
  for (const { username, fullName, isOffered } of DEMO_MEMBERS) {
    const email = emailOf(username)
    ids.set(username, await createMember({ username, fullName, email, isOffered }))
  }
  const media = createStoredMedia(assetsDir, objectsFolder)
  const memberId = (username: string): string => {
    const id = ids.get(username)
    if (id === undefined) throw new Error(`The demo community has no member named ${username}`)
    return id
  }
  const tables = communityRows({ ...demoPictures(manifest), memberId, media }, now)
  await media.copyFiles()
  await pg.transaction(async (tx) => {
    await media.insertObjects(tx)
    for (const [name, rows] of tables) await insertRows(tx, `public.${name}`, rows)
    await markDemoMembers(tx)
    await tx.exec(BACKDATE_SQL)
    await tx.query(READ_SQL, [UNREAD_NOTIFICATIONS])
  })
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
