import { useQueryClient } from '@tanstack/react-query'
import { MessageCircle } from 'lucide-react'
import { useEffect, useLayoutEffect } from 'react'

import { useLocation } from 'react-router-dom'
import { useMe } from '#/renderer/features/auth'
import { onCaughtUp, onIdsChange, onRowChange } from '#/renderer/lib/live'
import { refetch } from '#/renderer/lib/queries/query-client'
import { texts } from '#/renderer/lib/texts'
import { NOT_HERE, useOpenConversation } from './address'
import { Conversation } from './components/Conversation'
import { ConversationList } from './components/ConversationList'
import { openDrafts } from './drafts-store'
import { conversationKeys } from './keys'
import {
  applyToList,
  applyViewRow,
  refetchConversations,
  refetchConversationsSoon,
} from './queries/conversations'
import { spreadRead } from './queries/live'
import { clearMessages, createMessageBatch, refetchHistories } from './queries/messages'

/** /messages: the list and the open conversation; narrow windows show one of the two. */
export function MessagesScreen() {
  const { id: me } = useMe()
  useLayoutEffect(() => openDrafts(me), [me])
  useLiveMessages()
  const { folder, id, close } = useOpenConversation()
  return (
    <main id="content" className="mx-auto max-w-272 md:px-6 md:py-4 min-[1400px]:max-w-400">
      <div className="grid h-[calc(100dvh-var(--bar-height)-var(--banner-height)-var(--notice-height))] grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)] overflow-hidden bg-raised md:h-[calc(100dvh-2rem-var(--bar-height)-var(--banner-height)-var(--notice-height))] md:grid-cols-[330px_minmax(0,1fr)] md:rounded-lg md:border md:border-line md:shadow-card">
        <ConversationList folder={folder} openId={id} className={id === null ? '' : 'max-md:hidden'} />
        {id === null ? <NothingOpen /> : <Conversation key={id} id={id} onClose={close} />}
      </div>
    </main>
  )
}

function NothingOpen() {
  const { state } = useLocation()
  return (
    <section className="grid place-items-center p-6 text-center max-md:hidden">
      <div>
        <MessageCircle
          aria-hidden="true"
          className="mx-auto mb-3 size-8 -scale-x-100 stroke-[1.25] text-quiet"
        />
        <h2 className="font-display text-[24px]">{texts.messages.emptyTitle}</h2>
        <p className="mt-1.5 text-quiet">{texts.messages.emptyBody}</p>
        {state === NOT_HERE && (
          <p role="status" className="mt-4 text-[14px] text-quiet">
            {texts.messages.notHere}
          </p>
        )}
      </div>
    </section>
  )
}

/** Applies live changes to the list and the loaded conversations (MSG-05, MSG-08). */
function useLiveMessages(): void {
  const client = useQueryClient()
  const { id: me } = useMe()
  useEffect(() => {
    const messages = createMessageBatch(client)
    const ignoreMessages = onRowChange('messages', ({ row }) => {
      messages.add(row)
      applyToList(client, row, me)
    })
    const ignoreMoves = onRowChange('conversation_views', ({ row }) => {
      const { conversation_id: id, cleared_at: clearedAt } = row
      messages.apply()
      if (clearedAt !== null) clearMessages(client, id, clearedAt)
      applyViewRow(client, row)
    })
    let isMounted = true
    const ignoreChanges = onIdsChange('conversations', async ({ type, ids }) => {
      // All its members hear of a change.
      if (type === 'UPDATE') await spreadRead()
      if (!isMounted) return
      for (const id of ids) void refetch(client, conversationKeys.one(id))
      refetchConversationsSoon(client)
    })
    const ignoreGaps = onCaughtUp(() => {
      void refetchConversations(client)
      refetchHistories(client)
    })
    return () => {
      ignoreMessages()
      ignoreMoves()
      isMounted = false
      ignoreChanges()
      ignoreGaps()
    }
  }, [client, me])
}
