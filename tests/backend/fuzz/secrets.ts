import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SupabaseClient } from '@supabase/supabase-js'
import type { Backend } from '#/backend/start/start-backend'
import { discard, PASSWORD, signUpMember, startUnmanagedBackend } from '#tests/backend/support/backend'
import { copyPreparedDatabase } from '#tests/backend/support/prepared'

/** Part of every private text in this community; a response to the stranger must not contain it. */
export const SECRET = 'nobody else may read this #hushhush'
/** The hashtag in SECRET, which no other post has. */
export const HIDDEN_TAG = 'hushhush'
/** The place of a private post. */
export const HIDDEN_PLACE = 'Hidden Harbour'

const PICTURE = 'data:image/png;base64,AAAA'

/** Two members with private data, and a stranger that must not read it. */
export interface PrivateCommunity {
  /** Has a public post and a conversation. */
  stranger: { client: SupabaseClient; id: string; token: string; post: string; conversation: string }
  /** Reads the private posts that a follower may read, and returns their texts. */
  readAsFriend(): Promise<string[]>
  /** Ids of private rows, which the stranger knows. */
  ids: string[]
  /** All private rows, as stored. */
  storedRows(): Promise<string>
}

async function done(work: PromiseLike<{ error: { message: string } | null }>): Promise<void> {
  const { error } = await work
  if (error !== null) throw new Error(error.message)
}

export interface PrivateCommunityBackend {
  backend: Backend
  community: PrivateCommunity
  /** Stops the backend and deletes its folder. */
  dispose(): Promise<void>
}

/** Starts a backend with the members of `createPrivateCommunity`, for the tests of a file. */
export async function startWithPrivateCommunity(): Promise<PrivateCommunityBackend> {
  const folder = await mkdtemp(join(tmpdir(), 'vignette-community-'))
  await copyPreparedDatabase(folder)
  const backend = await startUnmanagedBackend(folder)
  return {
    backend,
    community: await createPrivateCommunity(backend),
    dispose: async () => {
      await discard(backend)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Creates a private account with posts, a story, comments and a conversation, and with saves, blocks and reports. */
export async function createPrivateCommunity(backend: Backend): Promise<PrivateCommunity> {
  const ada = await signUpMember(backend, 'ada')
  const ben = await signUpMember(backend, 'ben')
  const eve = await signUpMember(backend, 'eve')
  const mal = await signUpMember(backend, 'mal')
  const [post, comment, story, conversation, message, photo] = Array.from({ length: 6 }, () => randomUUID())
  await done(ada.client.from('profiles').update({ is_private: true }).eq('id', ada.id))
  await done(ben.client.from('follow_requests').insert({ requester_id: ben.id, target_id: ada.id }))
  await done(ada.client.rpc('accept_follow_request', { requester: ben.id }))
  await done(
    ada.client
      .from('posts')
      .insert({ id: post, user_id: ada.id, content: SECRET, image_url: PICTURE, location: HIDDEN_PLACE }),
  )
  await done(
    ben.client.from('comments').insert({ id: comment, post_id: post, user_id: ben.id, content: SECRET }),
  )
  const reply = { post_id: post, parent_id: comment, user_id: ada.id, content: `@eve ${SECRET}` }
  await done(ada.client.from('comments').insert(reply))
  await done(ada.client.from('comment_likes').insert({ comment_id: comment, user_id: ada.id }))
  await done(ben.client.from('likes').insert({ post_id: post, user_id: ben.id }))
  await done(ben.client.from('saved_posts').insert({ post_id: post, user_id: ben.id }))
  await done(
    ada.client
      .from('stories')
      .insert({ id: story, user_id: ada.id, media_url: PICTURE, media_type: 'image', content: SECRET }),
  )
  await done(
    ada.client
      .from('conversations')
      .insert({ id: conversation, participant_1: ada.id, participant_2: ben.id }),
  )
  await done(
    ada.client
      .from('message_media')
      .insert({ id: photo, sender_id: ada.id, conversation_id: conversation, image_url: PICTURE }),
  )
  await done(
    ada.client
      .from('messages')
      .insert({ id: message, conversation_id: conversation, sender_id: ada.id, content: SECRET }),
  )
  await done(
    ben.client.from('messages').insert({ conversation_id: conversation, sender_id: ben.id, content: SECRET }),
  )
  await done(ada.client.rpc('block_members', { ids: [mal.id] }))
  await done(ada.client.from('mutes').insert({ muter_id: ada.id, muted_id: eve.id }))
  await done(
    ada.client
      .from('reports')
      .insert({ reporter_id: ada.id, member_id: mal.id, reason: 'spam', details: SECRET }),
  )

  const [ownPost, ownConversation] = [randomUUID(), randomUUID()]
  await done(
    eve.client.from('posts').insert({ id: ownPost, user_id: eve.id, content: 'x', image_url: PICTURE }),
  )
  await done(
    eve.client
      .from('conversations')
      .insert({ id: ownConversation, participant_1: eve.id, participant_2: mal.id }),
  )
  const { data } = await eve.client.auth.signInWithPassword({ email: eve.email, password: PASSWORD })
  if (data.session === null) throw new Error('The stranger cannot sign in')
  return {
    stranger: {
      client: eve.client,
      id: eve.id,
      token: data.session.access_token,
      post: ownPost,
      conversation: ownConversation,
    },
    readAsFriend: async () => {
      const { data, error } = await ben.client.from('posts').select('content').eq('user_id', ada.id)
      if (error !== null) throw new Error(error.message)
      return data.map(({ content }) => content)
    },
    ids: [ada.id, ben.id, post, comment, story, conversation, message, photo].map(String),
    storedRows: () => backend.exclusive(() => keptBy(backend, [ada.id, ben.id])),
  }
}

const STORED_TABLES = `
  select json_build_object(
    'posts', (select json_agg(p order by id) from posts p where user_id = any ($1)),
    'comments', (select json_agg(c order by id) from comments c where user_id = any ($1)),
    'comment likes', (select json_agg(l) from comment_likes l where user_id = any ($1)),
    'likes', (select json_agg(l) from likes l where user_id = any ($1)),
    'saved', (select json_agg(s) from saved_posts s where user_id = any ($1)),
    'stories', (select json_agg(s order by id) from stories s where user_id = any ($1)),
    'messages', (select json_agg(m order by id) from messages m where sender_id = any ($1)),
    'reactions', (select json_agg(r) from message_reactions r where member_id = any ($1)),
    'photos', (select json_agg(m order by id) from message_media m where sender_id = any ($1)),
    'blocks', (select json_agg(b) from blocks b where blocker_id = any ($1)),
    'mutes', (select json_agg(m) from mutes m where muter_id = any ($1)),
    'reports', (select json_agg(r order by id) from reports r where reporter_id = any ($1)),
    'names', (select json_agg(username order by id) from profiles where id = any ($1))
  )::text as stored_rows`

async function keptBy({ pg }: Backend, members: string[]): Promise<string> {
  const { rows } = await pg.query<{ stored_rows: string }>(STORED_TABLES, [members])
  return rows[0]?.stored_rows ?? ''
}
