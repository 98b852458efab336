import type { SupabaseClient } from '@supabase/supabase-js'
import { expect, onTestFinished, test, vi } from 'vitest'
import { mustSubscribe, startWithMembers } from '#tests/backend/realtime/support'

/**
 * Section 7 of the specification, by a client that knows nothing else: no column, table or function that Vignette added. Other tests cover what the
 * server refuses.
 */

const { server, ada, bea } = await startWithMembers()

const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

type Row = Record<string, unknown>

/** The rows of an answer, which must have no error. */
async function rowsOf(call: PromiseLike<{ data: unknown; error: unknown }>): Promise<Row[]> {
  const { data, error } = await call
  expect(error).toBeNull()
  return data as Row[]
}

async function succeeds(call: PromiseLike<{ error: unknown }>): Promise<void> {
  expect((await call).error).toBeNull()
}

async function signUp(username: string): Promise<{ id: string; client: SupabaseClient }> {
  const client = server.client()
  const account = { email: `${username}@example.com`, password: `a password of ${username}` }
  const { data } = await client.auth.signUp(account)
  const id = data.user?.id ?? ''
  await succeeds(client.from('profiles').insert({ id, username, full_name: `The other ${username}` }))
  return { id, client }
}

/** Receives the rows that the subscription of the specification gets, until the test ends. */
async function subscribe(client: SupabaseClient, table: string, filter: string): Promise<Row[]> {
  const received: Row[] = []
  const channel = client.channel(`${table}:${filter}`)
  onTestFinished(() => client.removeChannel(channel).then(() => undefined))
  const change = { event: 'INSERT', schema: 'public', table, filter } as const
  channel.on<Row>('postgres_changes', change, (event) => received.push(event.new))
  await mustSubscribe(channel)
  return received
}

test('a member signs up, changes the profile and settings, and is found', async () => {
  const { id, client } = await signUp('dora')
  const updated_at = new Date().toISOString()
  const texts = { full_name: 'Dora Day', bio: 'By the sea', website: 'https://dora.example' }
  await succeeds(
    client
      .from('profiles')
      .update({ ...texts, avatar_url: PICTURE, updated_at })
      .eq('id', id),
  )
  await succeeds(client.from('profiles').update({ is_private: true }).eq('id', id))
  const own = await client.from('profiles').select('*').eq('id', id).maybeSingle()
  expect(own.data).toMatchObject({ username: 'dora', ...texts, avatar_url: PICTURE, is_private: true })
  expect((await bea.client.from('profiles').select('*').eq('username', 'dora').single()).data).toMatchObject({
    id,
    bio: 'By the sea',
  })
  const found = bea.client
    .from('profiles')
    .select('*')
    .or('username.ilike.%DORA%,full_name.ilike.%DORA%')
    .neq('id', bea.id)
    .limit(10)
  expect(await rowsOf(found)).toEqual([expect.objectContaining({ id })])
})

test('a post with an inline picture is read, counted, liked, saved and commented on', async () => {
  const post = { user_id: ada.id, content: 'Low tide', image_url: PICTURE, location: 'Étretat' }
  await succeeds(ada.client.from('posts').insert(post))
  const feed = bea.client.from('posts').select('*, profiles(*)').order('created_at', { ascending: false })
  const [read] = await rowsOf(feed)
  expect(read).toMatchObject({ ...post, profiles: { id: ada.id, username: 'ada' } })
  const post_id = String(read?.id)
  const { count } = await bea.client
    .from('posts')
    .select('*', { count: 'exact', head: true })
    .eq('user_id', ada.id)
  expect(count).toBe(1)

  await succeeds(bea.client.from('likes').insert({ post_id, user_id: bea.id }))
  await succeeds(bea.client.from('saved_posts').insert({ post_id, user_id: bea.id }))
  await succeeds(bea.client.from('comments').insert({ post_id, user_id: bea.id, content: 'Lovely' }))
  expect(await rowsOf(ada.client.from('likes').select('*').eq('post_id', post_id))).toHaveLength(1)
  const saved = bea.client
    .from('saved_posts')
    .select('*, posts(id, content, image_url, profiles(username))')
    .eq('user_id', bea.id)
    .order('created_at', { ascending: false })
  expect(await rowsOf(saved)).toMatchObject([
    { posts: { id: post_id, content: 'Low tide', image_url: PICTURE, profiles: { username: 'ada' } } },
  ])
  const comments = ada.client
    .from('comments')
    .select('*, profiles(*)')
    .eq('post_id', post_id)
    .order('created_at', { ascending: true })
  expect(await rowsOf(comments)).toMatchObject([{ content: 'Lovely', profiles: { username: 'bea' } }])
  await succeeds(bea.client.from('likes').delete().eq('post_id', post_id).eq('user_id', bea.id))
  await succeeds(bea.client.from('saved_posts').delete().eq('post_id', post_id).eq('user_id', bea.id))
  expect(await rowsOf(ada.client.from('likes').select('*').eq('post_id', post_id))).toEqual([])
})

test('a follow is counted and arrives as a notification, live, which is read', async () => {
  const received = await subscribe(bea.client, 'notifications', `user_id=eq.${bea.id}`)
  await succeeds(ada.client.from('follows').insert({ follower_id: ada.id, following_id: bea.id }))
  await vi.waitFor(() => expect(received).toMatchObject([{ type: 'follow', actor_id: ada.id }]))
  const followers = bea.client
    .from('follows')
    .select('*', { count: 'exact', head: true })
    .eq('following_id', bea.id)
  expect((await followers).count).toBe(1)
  const list = bea.client
    .from('notifications')
    .select(
      '*, actor:profiles!notifications_actor_id_fkey(username, avatar_url), post:posts(id, content), comment:comments(id, content)',
    )
    .eq('user_id', bea.id)
    .order('created_at', { ascending: false })
    .limit(20)
  expect(await rowsOf(list)).toContainEqual(
    expect.objectContaining({ type: 'follow', actor: { username: 'ada', avatar_url: null }, read: false }),
  )
  const unread = bea.client
    .from('notifications')
    .update({ read: true })
    .eq('user_id', bea.id)
    .eq('read', false)
  await succeeds(unread)
  expect((await rowsOf(list)).map(({ read }) => read)).not.toContain(false)
  const both = { follower_id: ada.id, following_id: bea.id }
  expect(await rowsOf(ada.client.from('follows').select('*').match(both))).toHaveLength(1)
  await succeeds(ada.client.from('follows').delete().match(both))
})

test('an inline story is read with its author until it expires, and viewed', async () => {
  const story = { user_id: ada.id, media_url: PICTURE, media_type: 'image', content: 'Today' }
  await succeeds(ada.client.from('stories').insert(story))
  const strip = bea.client
    .from('stories')
    .select('*, profiles(username, avatar_url)')
    .gt('expires_at', new Date().toISOString())
    .order('created_at', { ascending: false })
  const [read] = await rowsOf(strip)
  expect(read).toMatchObject({ ...story, profiles: { username: 'ada', avatar_url: null } })
  await succeeds(bea.client.from('story_views').insert({ story_id: read?.id, viewer_id: bea.id }))
})

test('two members write to each other, live, and read what they got', async () => {
  const emil = await signUp('emil')
  const fay = await signUp('fay')
  const pair = { participant_1: emil.id, participant_2: fay.id }
  const [conversation] = await rowsOf(emil.client.from('conversations').insert(pair).select())
  expect(conversation).toMatchObject(pair)
  const conversation_id = String(conversation?.id)
  const between = fay.client
    .from('conversations')
    .select('*')
    .or(
      `and(participant_1.eq.${fay.id},participant_2.eq.${emil.id}),and(participant_1.eq.${emil.id},participant_2.eq.${fay.id})`,
    )
  expect(await rowsOf(between)).toMatchObject([{ id: conversation_id }])

  const received = await subscribe(fay.client, 'messages', `conversation_id=eq.${conversation_id}`)
  const first = { conversation_id, sender_id: emil.id, content: 'Are you there?' }
  const [sent] = await rowsOf(emil.client.from('messages').insert(first).select())
  expect(sent).toMatchObject({ ...first, read: false })
  await succeeds(
    emil.client
      .from('conversations')
      .update({ last_message_at: new Date().toISOString() })
      .eq('id', conversation_id),
  )
  await vi.waitFor(() => expect(received).toMatchObject([{ id: sent?.id, content: 'Are you there?' }]))
  await succeeds(fay.client.from('messages').insert({ conversation_id, sender_id: fay.id, content: 'Yes' }))

  const thread = fay.client
    .from('messages')
    .select('*, sender:profiles!messages_sender_id_fkey(*)')
    .eq('conversation_id', conversation_id)
    .order('created_at', { ascending: true })
  expect(await rowsOf(thread)).toMatchObject([
    { content: 'Are you there?', read: false, sender: { username: 'emil' } },
    { content: 'Yes', read: false, sender: { username: 'fay' } },
  ])
  const others = { conversation_id, read: false }
  await succeeds(fay.client.from('messages').update({ read: true }).match(others).neq('sender_id', fay.id))
  expect((await rowsOf(thread)).map(({ read }) => read)).toEqual([true, false])
  await succeeds(emil.client.from('messages').update({ read: true }).match(others).neq('sender_id', emil.id))
  expect((await rowsOf(thread)).map(({ read }) => read)).toEqual([true, true])

  const list = fay.client
    .from('conversations')
    .select(
      '*, one:profiles!conversations_participant_1_fkey(*), other:profiles!conversations_participant_2_fkey(*), messages(content, created_at)',
    )
    .or(`participant_1.eq.${fay.id},participant_2.eq.${fay.id}`)
    .order('last_message_at', { ascending: false })
    .order('created_at', { referencedTable: 'messages', ascending: false })
    .limit(1, { referencedTable: 'messages' })
  expect(await rowsOf(list)).toMatchObject([
    {
      id: conversation_id,
      one: { username: 'emil' },
      other: { username: 'fay' },
      messages: [{ content: 'Yes' }],
    },
  ])
})
