import { serverNow } from '#/renderer/lib/clock-store'
import type { Cursor } from '#/renderer/lib/keyset'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import type { LatestMessage } from './preview'

/** The other one of a conversation. */
export interface Correspondent {
  id: string
  username: string
  full_name: string
  avatar_url: string | null
}

/** A conversation as one of its two sees it. */
export interface Conversation {
  id: string
  /** Null while one does not see the other: then nobody can write. */
  other: Correspondent | null
  otherId: string
  /** The other has ever written here: until then one learns nothing of when they are there, nor may join the channel. */
  hasOtherWritten: boolean
  lastMessageAt: string
  latest: LatestMessage | null
  isUnread: boolean
  /** The other's account was deleted, and the conversation with it: what is known of it from before is all there is. */
  isGone: boolean
}

/** Whether the two can write to each other. */
export function isOpen({ other, isGone }: Pick<Conversation, 'other' | 'isGone'>): boolean {
  return other !== null && !isGone
}

const PERSON = 'id,username,full_name,avatar_url'
const COLUMNS =
  `id,participant_1,participant_2,participant_1_wrote,participant_2_wrote,last_message_at,one:profiles!conversations_participant_1_fkey(${PERSON}),two:profiles!conversations_participant_2_fkey(${PERSON}),latest:messages!messages_conversation_id_fkey(id,sender_id,content,created_at,deleted_at,photo_id,answers_story),unread:messages!messages_conversation_id_fkey(id)` as const

interface EmbeddingQuery<Q> {
  eq(column: string, value: unknown): Q
  is(column: string, value: boolean | null): Q
  limit(count: number, options: { referencedTable: string }): Q
  order(column: string, options: { referencedTable: string; ascending: boolean }): Q
}

/** Of each conversation's messages the last, and one that is unread, if there is one. */
function withMessages<Q extends EmbeddingQuery<Q>>(query: Q, me: string): Q {
  return query
    .order('created_at', { referencedTable: 'latest', ascending: false })
    .order('id', { referencedTable: 'latest', ascending: false })
    .limit(1, { referencedTable: 'latest' })
    .eq('unread.recipient_id', me)
    .is('unread.read', false)
    .is('unread.deleted_at', null)
    .limit(1, { referencedTable: 'unread' })
}

type Row = Awaited<ReturnType<typeof loadRows>>[number]

/** A page of one's conversations, latest first. Throws an `AppError`. */
export function loadRows(me: string, after: Cursor) {
  const page = supabase()
    .rpc('my_conversations', after === null ? {} : { before_at: after.createdAt, before_id: after.id })
    .select(COLUMNS)
  return unwrap(
    withMessages(page, me).order('last_message_at', { ascending: false }).order('id', { ascending: false }),
  )
}

/** Of these conversations those that there are, and that one sees. Throws an `AppError`. */
export function loadRowsOf(me: string, ids: readonly string[]) {
  return unwrap(withMessages(supabase().from('conversations').select(COLUMNS), me).in('id', ids))
}

export function toConversation(row: Row, me: string): Conversation {
  const isFirst = row.participant_1 === me
  return {
    id: row.id,
    other: isFirst ? row.two : row.one,
    otherId: isFirst ? row.participant_2 : row.participant_1,
    hasOtherWritten: isFirst ? row.participant_2_wrote : row.participant_1_wrote,
    lastMessageAt: row.last_message_at,
    latest: row.latest[0] ?? null,
    isUnread: row.unread.length > 0,
    isGone: false,
  }
}

/** A conversation that the server does not have any more, by what was known of it: that it went is its last news. */
export function goneConversation(id: string, known: Conversation | null | undefined): Conversation {
  const nothing = { other: null, otherId: '', hasOtherWritten: false, latest: null }
  if (known?.isGone) return known
  const lastMessageAt = new Date(serverNow()).toISOString()
  return { ...nothing, ...known, id, lastMessageAt, isUnread: false, isGone: true }
}
