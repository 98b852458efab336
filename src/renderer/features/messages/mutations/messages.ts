import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { useMe } from '#/renderer/features/auth'
import { removeMedia } from '#/renderer/lib/media-store'
import { isKnownOffline } from '#/renderer/lib/queries/offline'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import { texts } from '#/renderer/lib/texts'
import { MESSAGES_MARKED, type REACTIONS } from '#/shared/limits'
import { failSaving, finishSaving, type SavedEdit } from '../editing-store'
import { messageKeys, reactionKey } from '../keys'
import { MESSAGE_COLUMNS, type Message } from '../message'
import { withRead } from '../model/history'
import { applyToList, showAsRead } from '../queries/conversations'
import { refetchUnread } from '../queries/live'
import { changeHistory, type PhotoRow, upsertMessage } from '../queries/messages'

/** Updates of one conversation: a server may take marks and keep the messages unread. */
const MARKS_MOST = 200

/**
 * Marks messages of the other member up to this time as read, the oldest first. One update takes five hundred, because each row
 * takes time and there may be thousands. Throws an `AppError`.
 * @param count of these messages, if known; spares the question whether one update is enough
 */
export async function markConversationRead(
  me: string,
  conversationId: string,
  until: string,
  count = Number.POSITIVE_INFINITY,
): Promise<void> {
  const unread = { conversation_id: conversationId, recipient_id: me, read: false }
  const mark = (upTo: string) =>
    unwrap(supabase().from('messages').update({ read: true }).match(unread).lte('created_at', upTo))
  if (count > MESSAGES_MARKED) {
    let marked: string | undefined = new Date(0).toISOString()
    for (let marks = 0; marked !== undefined && marks < MARKS_MOST; marks += 1) {
      const [last]: { created_at: string }[] = await unwrap(
        supabase()
          .from('messages')
          .select('created_at')
          .match(unread)
          .gt('created_at', marked)
          .lte('created_at', until)
          .order('created_at')
          .range(MESSAGES_MARKED - 1, MESSAGES_MARKED - 1),
      )
      marked = last?.created_at
      if (marked !== undefined) await mark(marked)
    }
  }
  await mark(until)
}

export interface Unread {
  /** The unread messages, all of them unless they are a thousand (`UNREAD_MOST`). */
  ids: ReadonlySet<string>
  newest: Message
}

/** Marks messages of a conversation up to the newest as read, on the server and on screen. */
export function useMarkReadMutation(conversationId: string) {
  const client = useQueryClient()
  const { id: me } = useMe()
  return useMutation({
    mutationFn: ({ ids, newest }: Unread) =>
      markConversationRead(me, conversationId, newest.created_at, ids.size),
    onSuccess: (_answer, { ids, newest }) => {
      changeHistory(client, conversationId, (current) => withRead(current, ids))
      showAsRead(client, newest)
      refetchUnread(client)
    },
    meta: { action: 'mark messages as read', isAutomatic: true },
  })
}

export type Reaction = (typeof REACTIONS)[number]

/** The reaction of a member as stored on the server; null for none. */
export function reactionOf(message: Message, memberId: string): string | null {
  return message.sender_id === memberId ? message.sender_reaction : message.recipient_reaction
}

/** Sets or removes the reaction to a message: optimistic, with a rollback. */
export function useReactMutation(message: Message) {
  const client = useQueryClient()
  const { id: me } = useMe()
  return useMutation({
    mutationKey: reactionKey(message.id),
    // In order: the last press wins.
    scope: { id: `react ${message.id}` },
    mutationFn: (reaction: Reaction | null) =>
      unwrap(
        supabase()
          .from('messages')
          .update(message.sender_id === me ? { sender_reaction: reaction } : { recipient_reaction: reaction })
          .eq('id', message.id)
          .select(MESSAGE_COLUMNS)
          .single(),
      ),
    onSuccess: (changed) => upsertMessage(client, changed),
    meta: { action: 'react to message' },
  })
}

/** The member's own reaction, including a pending change. */
export function useOwnReaction(message: Message): string | null {
  const { id: me } = useMe()
  const pending = useMutationState<string | null>({
    filters: { mutationKey: reactionKey(message.id), status: 'pending' },
    select: ({ state }) => (typeof state.variables === 'string' ? state.variables : null),
  })
  const latest = pending.at(-1)
  return latest === undefined ? reactionOf(message, me) : latest
}

const EDIT_KEY = ['edit message']

/** Returns a function that says whether an edit is being saved. */
export function useIsSavingEdit(): () => boolean {
  const client = useQueryClient()
  return () => client.isMutating({ mutationKey: EDIT_KEY }) > 0
}

function reasonOf(error: Error): string {
  return isKnownOffline(error) ? texts.connection.needed : error.message
}

/** Changes the text of an own message. The form is closed meanwhile, and a failure returns the text. */
export function useEditMutation() {
  const client = useQueryClient()
  const { id: me } = useMe()
  return useMutation({
    mutationKey: EDIT_KEY,
    // One after the other: the last text of a message stays.
    scope: { id: 'edit message' },
    mutationFn: ({ message: { id }, content }: SavedEdit) =>
      unwrap(supabase().from('messages').update({ content }).eq('id', id).select(MESSAGE_COLUMNS).single()),
    onSuccess: (message, saved) => {
      upsertMessage(client, message)
      applyToList(client, message, me)
      finishSaving(saved)
    },
    onError: (error, saved) => failSaving(saved, reasonOf(error)),
    meta: { action: 'edit message' },
  })
}

/** Unsends an own message: deletes its content for both members. */
export function useUnsendMutation() {
  const client = useQueryClient()
  const { id: me } = useMe()
  return useMutation({
    mutationFn: ({ id }: Message) =>
      unwrap(
        supabase()
          .from('messages')
          .update({ deleted_at: new Date().toISOString() })
          .eq('id', id)
          .select(MESSAGE_COLUMNS)
          .single(),
      ),
    onSuccess: (message, { media_id }) => {
      const photo = client.getQueryData<PhotoRow | null>(messageKeys.photo(media_id ?? ''))
      void removeMedia([photo?.media_path, photo?.poster_path])
      upsertMessage(client, message)
      applyToList(client, message, me)
    },
    meta: { action: 'unsend message' },
  })
}
