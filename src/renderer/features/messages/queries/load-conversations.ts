import type { Cursor } from '#/renderer/lib/queries/keyset'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import { trimText } from '#/shared/visible-text'
import { type Conversation, readsFromOf } from '../model/conversation'
import { type Folder, toFolderOrNone } from '../model/folders'

const PERSON = 'id,username,full_name,avatar_url,avatar_path'
const COLUMNS =
  `id,epoch,participant_1,participant_2,participant_1_wrote,participant_2_wrote,kind,name,picture_path,last_message_at,mine:conversation_views!conversation_views_conversation_id_fkey(folder,unread,writes,mark_at,mark_id,pinned_at,delivered_at,cleared_at,reads_after),one:profiles!conversations_participant_1_fkey(${PERSON}),two:profiles!conversations_participant_2_fkey(${PERSON}),latest:messages!messages_conversation_id_fkey(id,sender_id,content,created_at,deleted_at,media_id,answers_story,shared_kind)` as const

interface EmbeddingQuery<Q> {
  limit(count: number, options: { referencedTable: string }): Q
  order(column: string, options: { referencedTable: string; ascending: boolean }): Q
}

/** Adds the last message of each conversation. */
function withLatest<Q extends EmbeddingQuery<Q>>(query: Q): Q {
  return query
    .order('created_at', { referencedTable: 'latest', ascending: false })
    .order('id', { referencedTable: 'latest', ascending: false })
    .limit(1, { referencedTable: 'latest' })
}

type Row = Awaited<ReturnType<typeof loadConversationPage>>[number]

/** What a row says of a pair; the groups among them are asked, because no message writes the own view of a group. */
async function withUnread<R extends { id: string; kind: string; mine: { unread: boolean }[] }>(rows: R[]) {
  const groups = rows.filter(({ kind }) => kind === 'group').map(({ id }) => id)
  const unread =
    groups.length === 0 ? [] : await unwrap(supabase().rpc('unread_groups', { of_groups: groups }))
  const unreadIds = new Set(unread.map(({ conversation_id }) => conversation_id))
  return rows.map((row) => ({
    ...row,
    isUnread: row.kind === 'group' ? unreadIds.has(row.id) : row.mine[0]?.unread === true,
  }))
}

/** A page of a folder, latest first; the first page has the pinned conversations too. Throws an `AppError`. */
export async function loadConversationPage(folder: Folder, after: Cursor) {
  const from = after !== null && { before_at: after.createdAt, before_id: after.id }
  const page = supabase()
    .rpc('my_conversations', { in_folder: folder, ...from })
    .select(COLUMNS)
  const inOrder = withLatest(page)
    .order('last_message_at', { ascending: false })
    .order('id', { ascending: false })
  return withUnread(await unwrap(inOrder))
}

/** These conversations, as far as they exist and are visible. Throws an `AppError`. */
export async function loadConversations(ids: readonly string[]) {
  return withUnread(await unwrap(withLatest(supabase().from('conversations').select(COLUMNS)).in('id', ids)))
}

/** A row as its member sees it. */
export function toConversation(row: Row, me: string): Conversation {
  const isFirst = row.participant_1 === me
  const [mine] = row.mine
  const listed = {
    id: row.id,
    epoch: row.epoch,
    lastMessageAt: row.last_message_at,
    latest: row.latest[0] ?? null,
    isUnread: row.isUnread,
    mark: { mark_at: mine?.mark_at ?? null, mark_id: mine?.mark_id ?? null },
    readsFrom: readsFromOf(mine),
    folder: toFolderOrNone(mine?.folder),
    isPinned: mine?.pinned_at != null,
    isGone: false,
  }
  if (row.kind === 'group') {
    const writes = mine?.writes === true
    return { ...listed, kind: 'group', name: trimText(row.name ?? ''), picturePath: row.picture_path, writes }
  }
  return {
    ...listed,
    kind: 'pair',
    other: isFirst ? row.two : row.one,
    otherId: (isFirst ? row.participant_2 : row.participant_1) ?? '',
    hasOtherWritten: isFirst ? row.participant_2_wrote : row.participant_1_wrote,
    deliveredAt: mine?.delivered_at ?? null,
  }
}
