import { randomUUID } from 'node:crypto'
import type { SupabaseClient } from '@supabase/supabase-js'
import { CONVERSATIONS_PAGE, NOTIFICATIONS_PAGE } from '#/shared/limits'
import { feedRequest } from '#tests/backend/load/feed-request'
import { acceptConversation } from '#tests/backend/support/accept-conversation'

export interface ActivityOptions {
  /** Stops after this many actions per member, or after this many seconds. */
  until: { actions: number } | { seconds: number }
  /** Size of a posted picture in bytes. */
  pictureBytes: number
}

export interface Activity {
  /** Failed requests, with the action and the error. */
  errors: string[]
  /** Result times in ms, by action. */
  times: Map<string, number[]>
  written: Written
}

interface LoadMember {
  id: string
  client: SupabaseClient
  conversation: string
}

type Result = { data: unknown; error: { message: string } | null }

/** The ids of written rows, by table. */
export type Written = Map<'posts' | 'comments' | 'messages', string[]>

/** A picture of a size in bytes; its content is never decoded. */
const picture = (bytes: number): string => `data:image/webp;base64,${'AAAA'.repeat(Math.ceil(bytes / 3))}`

/** Lets members, each in a conversation with the next one, read and write concurrently like the app. */
export async function beActive(
  accounts: readonly { id: string; client: SupabaseClient }[],
  { until, pictureBytes }: ActivityOptions,
): Promise<Activity> {
  const members: LoadMember[] = accounts.map(({ id, client }) => ({ id, client, conversation: randomUUID() }))
  for (const [at, member] of members.entries()) {
    const other = members[(at + 1) % members.length] ?? member
    const row = { id: member.conversation, participant_1: member.id, participant_2: other.id }
    const { error } = await member.client.from('conversations').insert(row)
    if (error !== null) throw new Error(error.message)
    await acceptConversation(other, row.id)
  }
  const activity: Activity = { errors: [], times: new Map(), written: new Map() }
  const actions = actionsOf(activity.written, picture(8_000), picture(pictureBytes))
  const isOver = stopCondition(until)
  const act = async (member: LoadMember, at: number) => {
    for (let round = 0; !isOver(round); round += 1) {
      const action = actions[(round * 7 + at) % actions.length]
      if (action === undefined) throw new Error('There are no actions')
      const start = performance.now()
      const { error } = await action.run(member)
      if (error !== null) activity.errors.push(`${action.name}: ${error.message}`)
      const times = activity.times.get(action.name) ?? []
      times.push(performance.now() - start)
      activity.times.set(action.name, times)
    }
  }
  await Promise.all(members.map(act))
  return activity
}

function stopCondition(until: ActivityOptions['until']): (round: number) => boolean {
  if ('actions' in until) return (round) => round >= until.actions
  const end = performance.now() + until.seconds * 1_000
  return () => performance.now() >= end
}

/** The actions of a member, most of them reads. */
function actionsOf(written: Written, thumbnail: string, image: string) {
  const recordId = async (
    table: 'posts' | 'comments' | 'messages',
    id: string,
    request: PromiseLike<Result>,
  ) => {
    const response = await request
    if (response.error === null) written.set(table, [...(written.get(table) ?? []), id])
    return response
  }
  const latestPost = () => written.get('posts')?.at(-1)
  const feed = ({ client, id }: LoadMember): PromiseLike<Result> => feedRequest(client, id)
  const noRequest: PromiseLike<Result> = Promise.resolve({ data: null, error: null })
  const post = (member: LoadMember) => {
    const row = { id: randomUUID(), user_id: member.id, content: 'Evening light' }
    const media = { image_url: image, thumbnail_url: thumbnail, image_width: 1440, image_height: 1080 }
    return recordId('posts', row.id, member.client.from('posts').insert({ ...row, ...media }))
  }
  const comment = (member: LoadMember) => {
    const postId = latestPost()
    if (postId === undefined) return noRequest
    const row = { id: randomUUID(), user_id: member.id, post_id: postId, content: 'Lovely light' }
    return recordId('comments', row.id, member.client.from('comments').insert(row))
  }
  const send = (member: LoadMember) => {
    const row = {
      id: randomUUID(),
      conversation_id: member.conversation,
      sender_id: member.id,
      content: 'Hello',
    }
    return recordId('messages', row.id, member.client.from('messages').insert(row))
  }
  const like = ({ client, id }: LoadMember): PromiseLike<Result> => {
    const postId = latestPost()
    if (postId === undefined) return noRequest
    return client.from('likes').upsert({ post_id: postId, user_id: id }, { ignoreDuplicates: true })
  }
  const loadPicture = (member: LoadMember): PromiseLike<Result> => {
    const postId = latestPost()
    if (postId === undefined) return noRequest
    return member.client.from('posts').select('id,image_url').eq('id', postId)
  }
  const notifications = ({ client, id }: LoadMember): PromiseLike<Result> =>
    client
      .from('notifications')
      .select('id,type,actor:profiles!notifications_actor_id_fkey(username)')
      .eq('user_id', id)
      .order('created_at', { ascending: false })
      .limit(NOTIFICATIONS_PAGE)
  const conversations = ({ client }: LoadMember): PromiseLike<Result> =>
    client.rpc('my_conversations').select('id,last_message_at').limit(CONVERSATIONS_PAGE)
  const search = ({ client }: LoadMember): PromiseLike<Result> =>
    client.rpc('search_profiles', { query: 'load1' })
  const reads = [
    { name: 'read the feed', run: feed },
    { name: 'read the feed', run: feed },
    { name: 'read a picture', run: loadPicture },
    { name: 'read notifications', run: notifications },
    { name: 'read conversations', run: conversations },
    { name: 'search', run: search },
  ]
  const writes = [
    { name: 'like', run: like },
    { name: 'comment', run: comment },
    { name: 'send a message', run: send },
    { name: 'post a photo', run: post },
  ]
  return [...reads, ...writes]
}
