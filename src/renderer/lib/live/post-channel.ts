import { isIdList, isObject } from '#/renderer/lib/server/checks/checked-values'
import { type RealtimeChannel, supabase } from '#/renderer/lib/server/supabase'
import { CHANGE_EVENT } from './changes'
import { onCaughtUp } from './row-changes-store'
import { keepSubscribed } from './subscription'

/** New or deleted comments of a post. The client reads the rows with the member's own rights. */
export interface CommentNotice {
  table: 'comments'
  type: 'INSERT' | 'DELETE'
  ids: string[]
  /** The comments that start their threads, if they are replies. */
  threads: string[] | null
}

function isCommentNotice(payload: unknown): payload is CommentNotice {
  if (!isObject(payload)) return false
  const { table, type, ids, threads } = payload
  return (
    table === 'comments' &&
    (type === 'INSERT' || type === 'DELETE') &&
    isIdList(ids) &&
    (threads === undefined || threads === null || isIdList(threads))
  )
}

function isDeletion(payload: unknown): boolean {
  return isObject(payload) && payload.table === 'posts' && payload.type === 'DELETE'
}

interface PostChannelParts {
  /** The post was deleted. */
  onDeleted: () => void
  onComments: (notice: CommentNotice) => void
  /** Changes arrive from now on; earlier ones may have been missed. */
  onJoined: () => void
}

/**
 * Joins the private channel of a post, on which the database broadcasts new and deleted comments, and the deletion of the post,
 * to everybody who may see the post. Returns a leave function.
 */
export function joinPost(id: string, { onDeleted, onComments, onJoined }: PostChannelParts): () => void {
  const prepare = (topic: string): RealtimeChannel =>
    supabase()
      .channel(topic, { config: { private: true } })
      .on<Record<string, unknown>>('broadcast', { event: CHANGE_EVENT }, ({ payload }) => {
        if (isCommentNotice(payload)) onComments(payload)
        else if (isDeletion(payload)) onDeleted()
      })
  const handleStatus = (isSubscribed: boolean) => {
    if (isSubscribed) onJoined()
  }
  // The server refuses the channel of a post that the member may no longer see.
  return keepSubscribed(`post:${id}`, prepare, handleStatus, onCaughtUp)
}
