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
  /** Response times in ms, by action. */
  times: Map<string, number[]>
  written: Written
}

interface LoadMember {
  id: string
  client: SupabaseClient
  conversation: string
}

type Answer = { data: unknown; error: { message: string } | null }

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
  const isOver = stopper(until)
  const act = async (member: LoadMember, at: number) => {
    for (let round = 0; !isOver(round); round += 1) {
      const action = actions[(round * 7 + at) % actions.length]
      if (action === undefined) throw new Error('Nothing to do')
      const begun = performance.now()
      const { error } = await action.run(member)
      if (error !== null) activity.errors.push(`${action.name}: ${error.message}`)
      const times = activity.times.get(action.name) ?? []
      times.push(performance.now() - begun)
      activity.times.set(action.name, times)
    }
  }
  await Promise.all(members.map(act))
  return activity
}

function stopper(until: ActivityOptions['until']): (round: number) => boolean {
  if ('actions' in until) return (round) => round >= until.actions
  const end = performance.now() + until.seconds * 1_000
  return () => performance.now() >= end
}

/** The actions of a member, most of them reads. */
function actionsOf(written: Written, thumbnail: string, image: string) {
  const note = async (table: 'posts' | 'comments' | 'messages', id: string, request: PromiseLike<Answer>) => {
    const answer = await request
    if (answer.error === null) written.set(table, [...(written.get(table) ?? []), id])
    return answer
  }
  const aPost = () => written.get('posts')?.at(-1)
  const feed = ({ client, id }: LoadMember): PromiseLike<Answer> => feedRequest(client, id)
  const nothing: PromiseLike<Answer> = Promise.resolve({ data: null, error: null })
  const post = (member: LoadMember) => {
    const row = { id: randomUUID(), user_id: member.id, content: 'Evening light' }
    const shown = { image_url: image, thumbnail_url: thumbnail, image_width: 1440, image_height: 1080 }
    return note('posts', row.id, member.client.from('posts').insert({ ...row, ...shown }))
  }
  const comment = (member: LoadMember) => {
    const on = aPost()
    if (on === undefined) return nothing
    const row = { id: randomUUID(), user_id: member.id, post_id: on, content: 'What a light!' }
    return note('comments', row.id, member.client.from('comments').insert(row))
  }
  const send = (member: LoadMember) => {
    const row = {
      id: randomUUID(),
      conversation_id: member.conversation,
      sender_id: member.id,
      content: 'Hello',
    }
    return note('messages', row.id, member.client.from('messages').insert(row))
  }
  const like = ({ client, id }: LoadMember): PromiseLike<Answer> => {
    const on = aPost()
    if (on === undefined) return nothing
    return client.from('likes').upsert({ post_id: on, user_id: id }, { ignoreDuplicates: true })
  }
  const look = (member: LoadMember): PromiseLike<Answer> => {
    const on = aPost()
    if (on === undefined) return nothing
    return member.client.from('posts').select('id,image_url').eq('id', on)
  }
  const bell = ({ client, id }: LoadMember): PromiseLike<Answer> =>
    client
      .from('notifications')
      .select('id,type,actor:profiles!notifications_actor_id_fkey(username)')
      .eq('user_id', id)
      .order('created_at', { ascending: false })
      .limit(NOTIFICATIONS_PAGE)
  const conversations = ({ client }: LoadMember): PromiseLike<Answer> =>
    client.rpc('my_conversations').select('id,last_message_at').limit(CONVERSATIONS_PAGE)
  const search = ({ client }: LoadMember): PromiseLike<Answer> =>
    client.rpc('search_profiles', { query: 'load1' })
  const reads = [
    { name: 'read the feed', run: feed },
    { name: 'read the feed', run: feed },
    { name: 'read a picture', run: look },
    { name: 'read the bell', run: bell },
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
