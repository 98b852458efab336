import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'
import { useMe } from '#/renderer/features/auth'
import { AppError } from '#/renderer/lib/core/errors'
import { showToast } from '#/renderer/lib/core/toasts'
import { isKnownOffline } from '#/renderer/lib/queries/offline'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import { texts } from '#/renderer/lib/texts'
import type { TablesUpdate } from '#/shared/database.types'
import { PINNED_MOST } from '#/shared/limits'
import { conversationPath, folderPath, useOpenConversation } from '../address'
import type { Conversation } from '../model/conversation'
import type { Folder, FolderOrNone } from '../model/folders'
import { moveConversation, refetchConversations, showAsPinned } from '../queries/conversations'
import { refetchUnread } from '../queries/live'
import { clearMessages } from '../queries/messages'

/** What a member does with a conversation of theirs; the other member does not learn of it. */
export type ConversationAction = 'accept' | 'archive' | 'unarchive' | 'pin' | 'unpin' | 'delete'

type Update = Pick<TablesUpdate<'conversation_views'>, 'folder' | 'pinned_at' | 'cleared_at'>

/** The database replaces the times by its own. */
function updateFor(action: ConversationAction): Update {
  switch (action) {
    case 'accept':
    case 'unarchive':
      return { folder: 'inbox' }
    case 'archive':
      return { folder: 'archived' }
    case 'pin':
      return { pinned_at: new Date().toISOString() }
    case 'unpin':
      return { pinned_at: null }
    case 'delete':
      return { cleared_at: new Date().toISOString() }
  }
}

const FOLDER_AFTER: Partial<Record<ConversationAction, FolderOrNone>> = {
  accept: 'inbox',
  unarchive: 'inbox',
  archive: 'archived',
  delete: 'none',
}

interface Chosen {
  conversation: Conversation
  action: ConversationAction
}

function failureText(action: ConversationAction, cause: Error): string {
  const isRefused = cause instanceof AppError && cause.code === 'conflict'
  return action === 'pin' && isRefused ? texts.messages.pinnedMost(PINNED_MOST) : texts.messages.actionFailed
}

/**
 * Accepts, pins, archives or deletes a conversation, for this member only (MSG-13, MSG-15).
 *
 * @param onMoved called when the conversation has left the list: the focus may have been in it
 */
export function useConversationActionMutation(onMoved: () => void) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { id: me } = useMe()
  const { id: openId, folder } = useOpenConversation()

  /** The open conversation stays open where it is listed now, or closes. */
  const follow = (id: string, listed: Folder, to: FolderOrNone | undefined) => {
    if (id !== openId || to === undefined) return
    const path = to === 'inbox' ? conversationPath(id) : folderPath(listed)
    void navigate(path, { replace: true })
  }

  const mutation = useMutation({
    mutationFn: ({ conversation, action }: Chosen) =>
      unwrap(
        supabase()
          .from('conversation_views')
          .update(updateFor(action))
          .eq('member_id', me)
          .eq('conversation_id', conversation.id)
          .select('cleared_at')
          .single(),
      ),
    onSuccess: ({ cleared_at }, { conversation: { id, isPinned }, action }) => {
      const to = FOLDER_AFTER[action]
      if (to !== undefined) moveConversation(client, id, to)
      else showAsPinned(client, id, action === 'pin')
      if (action === 'delete' && cleared_at !== null) clearMessages(client, id, cleared_at)
      follow(id, folder, to)
      if (to !== undefined) onMoved()
      if (action === 'archive')
        showToast({ text: texts.messages.archived, undo: () => restore(id, isPinned) })
      void refetchConversations(client)
      refetchUnread(client)
    },
    onError: (cause, { action }) => {
      if (!isKnownOffline(cause)) showToast({ text: failureText(action, cause) })
    },
    meta: { action: 'change conversation' },
  })

  const restoring = useMutation({
    mutationFn: ({ id, isPinned }: { id: string; isPinned: boolean }) =>
      unwrap(
        supabase()
          .from('conversation_views')
          .update({ folder: 'inbox', ...(isPinned && updateFor('pin')) })
          .eq('member_id', me)
          .eq('conversation_id', id),
      ),
    onSuccess: (_answer, { id }) => {
      moveConversation(client, id, 'inbox')
      void refetchConversations(client)
      refetchUnread(client)
    },
    onError: (cause) => {
      if (!isKnownOffline(cause)) showToast({ text: texts.messages.actionFailed })
    },
    meta: { action: 'change conversation' },
  })
  const restore = (id: string, isPinned: boolean) => restoring.mutate({ id, isPinned })
  return mutation
}
