import type { SupabaseClient } from '@supabase/supabase-js'
import { type Member, signUp, visitor } from '#tests/backend/support/members'
import type { TestServer } from '#tests/backend/support/server'
import { addObjects, type ObjectKeys } from '#tests/supabase/objects'
import { LIFT_QUOTAS } from '#tests/supabase/schema/support/community'

/** Nia has an account but no profile yet. */
export const NAMES = ['ada', 'ben', 'fay', 'sid', 'tim', 'max', 'rae', 'nia'] as const
export type Name = (typeof NAMES)[number]
export type Privacy = 'public' | 'private'

/** A picture of one pixel, in the format that the client stores. */
export const PICTURE = `data:image/png;base64,${'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII='}`

/** The members and rows with which every cell is tried. Ada's account is public first, then private. */
export interface Cast {
  server: TestServer
  members: Record<Name, Member>
  out: SupabaseClient
  ids: Record<
    | 'post'
    | 'secondPost'
    | 'comment'
    | 'secondComment'
    | 'story'
    | 'secondStory'
    | 'notification'
    | 'conversation'
    | 'message'
    | 'photo'
    | 'report'
    | 'postVideo',
    string
  >
  /** Keys of Ada's objects: the sizes of her photo or of her video's cover, and objects that no row uses. The first of her videos is in her post. */
  keys: Record<'photo' | 'spare' | 'video', ObjectKeys>
  /** Restores all tables to the state when Ada's account got this privacy, or to one that `remember` saved. */
  restore(state: string): Promise<void>
  /** Saves all rows under a name for `restore`. */
  remember(state: string): Promise<void>
}

/** Inserts a row as a member and returns it; throws if the server rejects it. */
async function make(member: Member, table: string, row: Record<string, unknown>): Promise<void> {
  const { error } = await member.client.from(table).insert(row)
  if (error) throw new Error(`${member.username} into ${table}: ${error.code} ${error.message}`)
}

const id = () => crypto.randomUUID()

/** Signs up all members and creates the rows of expected.ts through the API. */
export async function assemble(server: TestServer): Promise<Cast> {
  await server.exec(LIFT_QUOTAS)
  const signedUp: [Name, Member][] = []
  for (const name of NAMES) signedUp.push([name, await signUp(server, name, { profile: name !== 'nia' })])
  const members = Object.fromEntries(signedUp) as Record<Name, Member>
  const { ada, ben, fay, max, rae, tim } = members

  const post = id()
  const secondPost = id()
  const comment = id()
  const secondComment = id()
  const story = id()
  const secondStory = id()
  const conversation = id()
  const message = id()
  const photo = id()
  const report = id()
  const postVideo = id()
  await make(ben, 'follows', { follower_id: ben.id, following_id: ada.id })
  await make(fay, 'follows', { follower_id: fay.id, following_id: ada.id })
  const picture = { image_url: PICTURE, thumbnail_url: PICTURE, image_width: 1, image_height: 1 }
  await make(ada, 'posts', {
    id: post,
    user_id: ada.id,
    content: 'Fog over the weir, with @tim',
    location: 'Weir',
    ...picture,
  })
  await make(ada, 'posts', { id: secondPost, user_id: ada.id, content: 'The same weir at noon' })
  await make(ben, 'likes', { post_id: post, user_id: ben.id })
  await make(ben, 'saved_posts', { post_id: post, user_id: ben.id })
  await make(ben, 'comments', { id: comment, post_id: post, user_id: ben.id, content: 'That light' })
  await make(ada, 'comments', {
    id: secondComment,
    post_id: secondPost,
    user_id: ada.id,
    content: 'At noon, then',
  })
  await make(ada, 'comment_likes', { comment_id: comment, user_id: ada.id })
  const keys = {
    photo: await addObjects(server.query, ada.id),
    spare: await addObjects(server.query, ada.id),
    video: await addObjects(server.query, ada.id, { extension: 'mp4' }),
  }
  await server.query(
    `insert into public.post_media
       (id, user_id, post_id, position, full_path, feed_path, grid_path, middle_path, width, height,
        thumbhash, kind, media_path, duration_ms, has_sound, captions, has_captions)
     values ($1, $2, $3, 0, $4, $5, $6, $7, 4, 3, 'AAAA', 'video', $8, 2000, true, 'WEBVTT', true)`,
    [postVideo, ada.id, secondPost, ...keys.photo, keys.video[0]],
  )
  for (const one of [story, secondStory]) {
    await make(ada, 'stories', { id: one, user_id: ada.id, media_url: PICTURE, media_type: 'image' })
  }
  await make(ben, 'story_views', { story_id: story, viewer_id: ben.id })
  await make(ada, 'conversations', { id: conversation, participant_1: ada.id, participant_2: max.id })
  await max.client
    .from('conversation_views')
    .update({ folder: 'inbox' })
    .eq('member_id', max.id)
    .eq('conversation_id', conversation)
    .throwOnError()
  const text = { conversation_id: conversation, sender_id: ada.id, content: 'Coffee on Friday?' }
  await make(ada, 'message_media', {
    id: photo,
    conversation_id: conversation,
    sender_id: ada.id,
    image_url: PICTURE,
  })
  const small = { thumbnail_url: PICTURE, image_width: 1, image_height: 1 }
  await make(ada, 'messages', { id: message, ...text, media_id: photo, ...small })
  await make(ada, 'message_reactions', { message_id: message, member_id: ada.id, emoji: '👍' })
  await make(ada, 'activity', { user_id: ada.id })
  await tim.client.rpc('block_members', { ids: [max.id] }).throwOnError()
  await make(tim, 'mutes', { muter_id: tim.id, muted_id: rae.id })
  await make(tim, 'hashtag_follows', { follower_id: tim.id, tag: 'fog' })
  const reported = { id: report, reporter_id: tim.id, member_id: ada.id, post_id: post, reason: 'other' }
  await make(tim, 'reports', { ...reported, details: 'Not her weir' })
  const [notification] = await server.query`select id from public.notifications where user_id = ${ada.id}
    and actor_id = ${ben.id} and type = 'like'`
  if (typeof notification?.id !== 'string') throw new Error('Ben’s like created no notification for Ada')

  const remembered = new Map([['public', await remember(server, 'public')]])
  const { error } = await ada.client.from('profiles').update({ is_private: true }).eq('id', ada.id)
  if (error) throw new Error(`Ada cannot make her account private: ${error.message}`)
  await make(rae, 'follow_requests', { requester_id: rae.id, target_id: ada.id })
  remembered.set('private', await remember(server, 'private'))
  let restored: { state: string; transaction: number } | null = null

  return {
    server,
    members,
    out: visitor(server),
    ids: {
      post,
      secondPost,
      comment,
      secondComment,
      story,
      secondStory,
      notification: notification.id,
      conversation,
      message,
      photo,
      report,
      postVideo,
    },
    keys,
    restore: async (state) => {
      const tables = remembered.get(state)
      if (tables === undefined) throw new Error(`No rows are remembered as ${state}`)
      const since = restored?.state === state ? restored.transaction : null
      const changed = since === null ? tables : await changedSince(server, tables, since)
      if (changed.length > 0) restored = { state, transaction: await putBack(server, changed) }
    },
    remember: async (state) => {
      remembered.set(state, await remember(server, state))
    },
  }
}

/** A table, with its schema, and its copy. */
interface Remembered {
  name: string
  columns: string
  copy: string
  rows: number
}

/** Copies all public tables, and the words of posts, which triggers keep. */
async function remember(server: TestServer, state: string): Promise<Remembered[]> {
  const schema = `remembered_${state}`
  const tables = await server.query(`
    select c.relname as name, n.nspname as schema, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where (n.nspname = 'public' or (n.nspname, c.relname) = ('private', 'post_words')) and c.relkind = 'r' and a.attgenerated = ''
    group by c.relname, n.nspname`)
  await server.exec(`create schema ${schema}`)
  const remembered: Remembered[] = []
  for (const { name: table, schema: of, columns } of tables) {
    const copy = `${schema}.${table}`
    const name = `${of}.${table}`
    await server.exec(`create table ${copy} as select ${columns} from ${name}`)
    const [counted] = await server.query(`select count(*)::integer as rows from ${copy}`)
    remembered.push({ name, columns: String(columns), copy, rows: Number(counted?.rows) })
  }
  return remembered
}

/** The tables that other transactions have changed since this one: they have newer rows or another number of rows. */
async function changedSince(server: TestServer, tables: Remembered[], transaction: number) {
  const looks = tables.map(
    ({ name, rows }) =>
      `select '${name}' as name from ${name} having count(*) <> ${rows} or max(xmin::text::bigint) > $1`,
  )
  const changed = new Set(
    (await server.query(looks.join(' union all '), [transaction])).map(({ name }) => name),
  )
  return tables.filter(({ name }) => changed.has(name))
}

/** Restores tables without triggers and foreign keys; returns the transaction id. */
async function putBack(server: TestServer, tables: Remembered[]): Promise<number> {
  const [row] = await server.exec(
    [
      'set local session_replication_role = replica',
      ...tables.map(({ name }) => `delete from ${name}`),
      ...tables.map(
        ({ name, columns, copy }) => `insert into ${name} (${columns}) select ${columns} from ${copy}`,
      ),
      'select pg_current_xact_id()::text::bigint as transaction',
    ].join(';'),
  )
  return Number(row?.transaction)
}
