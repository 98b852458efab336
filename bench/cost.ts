import { randomUUID } from 'node:crypto'
import { REST_LIMITS } from '#/backend/rest/rest-schema'
import { feedRequest } from '#tests/backend/load/feed-request'
import { createApi, createMember, type Member } from '#tests/e2e/support/member'
import type { FeedServerMethods } from './feed/server'
import { type Child, startChild } from './lib/child'
import { summarize } from './lib/measure'
import { type Report, type Row, timesRow } from './lib/report'

const POSTS = 3_200
const ROUNDS = 8
const LIMIT = 1_000
/**
 * Maximum time in ms that a request may keep others waiting (docs/measurements.md). Inline videos are excepted, and requests that
 * others have turns in between.
 */
const BUDGET_MS = 100

const mediaOf = (type: string, bytes: number) =>
  `data:${type};base64,${Buffer.alloc(bytes, 7).toString('base64')}`
const PICTURE = mediaOf('image/jpeg', 1_500_000)
const VIDEO = mediaOf('video/mp4', 2_000_000)

type Requests = Record<string, () => PromiseLike<unknown>>

/**
 * What one request costs others: the processor time of the database thread while it is answered, or of the main thread if
 * that is more. Requests take turns, so another member's small read waits that long if it arrives at the same moment. Other
 * work on the machine does not change processor time as much as waiting time.
 */
export async function measure(): Promise<Report> {
  const server = await startChild<FeedServerMethods>('feed/server.ts')
  try {
    const { url, publishableKey } = await server.call('start', null)
    await server.call('exec', 'update private.quotas set per_minute = null, per_day = null')
    const info = {
      url,
      publishableKey,
      storageKey: 'bench',
      kind: 'embedded' as const,
      demo: [],
      mailFile: null,
    }
    const viewer = await createMember(info, { username: 'viewer' })
    const author = await createMember(info, { username: 'author1' })
    // In parts, because a statement must end within the bounds of the database thread.
    for (let posts = 800; posts <= POSTS; posts += 800)
      await server.call('fill', { posts, viewer: viewer.id })
    const threads = await busiestThreads(server, () =>
      viewer.api.from('profiles').select('id').throwOnError(),
    )
    const inline = await createMember(info, { username: 'inline' })
    await server.call('exec', inlinePosts(inline.id))
    const { rows, excepted } = await requestsOf(viewer, author, inline.id, () => createApi(info))
    return {
      name: 'cost',
      rows: [
        ...(await measureEach(server, threads, rows, ROUNDS, BUDGET_MS)),
        ...(await measureEach(server, threads, excepted, 3)),
      ],
    }
  } finally {
    await server.close()
  }
}

/** Statements that insert 1,000 posts with pictures in their rows, 17 KB each, as on a server without Storage. */
const inlinePosts = (author: string) => `
  set session_replication_role = replica;
  insert into public.posts (user_id, content, image_url, thumbnail_url, image_width, image_height)
    select '${author}', 'Inline ' || n, url, url, 1440, 1080
    from generate_series(1, 1000) as n, lateral (
      select 'data:image/webp;base64,' || string_agg(md5(random()::text || n || part), '') as url
      from generate_series(1, 260) as part
    ) as picture;
  reset session_replication_role`

/** The two threads that a small read keeps busy: the database thread and the main thread, and not the one for password hashes. */
async function busiestThreads(
  server: Child<FeedServerMethods>,
  read: () => PromiseLike<unknown>,
): Promise<string[]> {
  const before = await server.call('threadTimes', null)
  for (let count = 0; count < 30; count += 1) await read()
  const after = Object.entries(await server.call('threadTimes', null))
  const spent = after.map(([thread, time]) => ({ thread, ms: time - (before[thread] ?? 0) }))
  return spent
    .sort((a, b) => b.ms - a.ms)
    .slice(0, 2)
    .map(({ thread }) => thread)
}

async function measureEach(
  server: Child<FeedServerMethods>,
  threads: readonly string[],
  requests: Requests,
  rounds: number,
  budget?: number,
): Promise<Row[]> {
  const measured: Row[] = []
  for (const [name, request] of Object.entries(requests)) {
    try {
      measured.push(timesRow(name, summarize(await measureOne(server, threads, request, rounds)), budget))
    } catch (error) {
      // A machine with much other work may exceed the limits of a request.
      console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return measured
}

async function measureOne(
  server: Child<FeedServerMethods>,
  threads: readonly string[],
  request: () => PromiseLike<unknown>,
  rounds: number,
): Promise<number[]> {
  const costs: number[] = []
  // The first one also reads the schema or compiles code.
  for (let round = -1; round < rounds; round += 1) {
    const before = await server.call('threadTimes', null)
    await request()
    if (round < 0) continue
    const after = await server.call('threadTimes', null)
    const spent = threads.map((thread) => (after[thread] ?? 0) - (before[thread] ?? 0))
    costs.push(Math.max(0, ...spent))
  }
  return costs
}

/** A request of each kind that the server serves, and the ones with the largest responses and bodies. */
async function requestsOf(
  { api, id, email, password }: Member,
  author: Member,
  inline: string,
  createClient: () => Member['api'],
): Promise<{ rows: Requests; excepted: Requests }> {
  const conversation_id = randomUUID()
  await api
    .from('conversations')
    .insert({ id: conversation_id, participant_1: id, participant_2: author.id })
    .throwOnError()
  // A stranger can write only a few messages.
  await author.api
    .from('conversation_views')
    .update({ folder: 'inbox' })
    .eq('member_id', author.id)
    .eq('conversation_id', conversation_id)
    .throwOnError()
  const { data: posts } = await api.from('posts').select('id').limit(LIMIT).throwOnError()
  const postIds = posts.map((post) => post.id)
  const [post_id = ''] = postIds
  const picture = await api
    .from('posts')
    .insert({ user_id: id, image_url: PICTURE, image_width: 4, image_height: 3 })
    .select('id')
    .single()
    .throwOnError()
  const video = await api
    .from('stories')
    .insert({ user_id: id, media_url: VIDEO, media_type: 'video' })
    .select('id')
    .single()
    .throwOnError()
  const signedOut = createClient()

  const rows: Requests = {
    'small read': () => api.from('profiles').select('id').eq('id', id).throwOnError(),
    'feed page': () => feedRequest(api, id).throwOnError(),
    'grid page': () =>
      api.from('posts').select('id,thumbnail_url').eq('user_id', author.id).limit(30).throwOnError(),
    search: () => api.rpc('search_profiles', { query: 'auth' }).throwOnError(),
    conversations: () => api.rpc('my_conversations').throwOnError(),
    'count of all posts': () => api.from('posts').select('id', { count: 'exact', head: true }).throwOnError(),
    '1,000 rows': () => api.from('posts').select('id,content,created_at').limit(LIMIT).throwOnError(),
    '1,000 rows with their author': () =>
      api.from('posts').select('id,content,profiles!posts_user_id_fkey(*)').limit(LIMIT).throwOnError(),
    '1,000 likes with their post and its author': () =>
      api
        .from('likes')
        .select('created_at,posts(id,content,profiles!posts_user_id_fkey(*))')
        .eq('user_id', id)
        .limit(LIMIT)
        .throwOnError(),
    'the most likes with two authors and their post': () =>
      api
        .from('likes')
        .select('created_at,profiles(*),posts(id,content,profiles!posts_user_id_fkey(*))')
        .eq('user_id', id)
        .limit(Math.floor(REST_LIMITS.embeddedRows / 3))
        .throwOnError(),
    'pictures of 3.4 MB, the limit of one turn': () =>
      api.from('posts').select('id,image_url,thumbnail_url').eq('user_id', inline).limit(200).throwOnError(),
    'picture of 2 MB': () => api.from('posts').select('image_url').eq('id', picture.data.id).throwOnError(),
    like: () => api.from('likes').upsert({ user_id: id, post_id }, { ignoreDuplicates: true }).throwOnError(),
    comment: () => api.from('comments').insert({ user_id: id, post_id, content: 'Fog' }).throwOnError(),
    'as many comments as one request may have': () =>
      api
        .from('comments')
        .insert(
          postIds.slice(0, REST_LIMITS.rows).map((post_id) => ({ user_id: id, post_id, content: 'Fog' })),
        )
        .throwOnError(),
    message: () =>
      api.from('messages').insert({ conversation_id, sender_id: id, content: 'Fog' }).throwOnError(),
    'insert of a picture of 2 MB': () =>
      api
        .from('posts')
        .insert({ user_id: id, image_url: PICTURE, image_width: 4, image_height: 3 })
        .throwOnError(),
    'sign-up': () => createClient().auth.signUp({ email: `${randomUUID()}@example.com`, password }),
    'sign-in': () => signedOut.auth.signInWithPassword({ email, password }),
    'sign-in with a wrong password': () => signedOut.auth.signInWithPassword({ email, password: 'wrong' }),
    'new password': () => author.api.auth.updateUser({ password: randomUUID() }),
    'token refresh': () => author.api.auth.refreshSession(),
    'live connection': () => joinMemberChannel(api, id),
  }
  const excepted: Requests = {
    '1,000 pictures (16 MB), in several turns': () =>
      api
        .from('posts')
        .select('id,image_url,thumbnail_url')
        .eq('user_id', inline)
        .limit(LIMIT)
        .throwOnError(),
    'video of 2 MB': () => api.from('stories').select('media_url').eq('id', video.data.id).throwOnError(),
    'insert of a video of 2 MB': () =>
      api.from('stories').insert({ user_id: id, media_url: VIDEO, media_type: 'video' }).throwOnError(),
  }
  return { rows, excepted }
}

async function joinMemberChannel(api: Member['api'], id: string): Promise<void> {
  const channel = api.channel(`member:${id}`, { config: { private: true } })
  await new Promise<void>((resolve, reject) => {
    channel.subscribe((state, error) => {
      if (state === 'SUBSCRIBED') resolve()
      else if (state !== 'CLOSED') reject(error ?? new Error(state))
    })
  })
  await api.removeChannel(channel)
}
