import { logFailure } from '#/renderer/lib/core/logger'
import { createThrottle } from '#/renderer/lib/core/schedule'
import { connection, onCaughtUp, onRowChange } from '#/renderer/lib/live'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import { isActive } from '../active-conversation-store'

/**
 * Reports to the server that this device has received the member's new messages (MSG-14): once for each burst of messages,
 * when live changes start to arrive, and at once if they arrive already, because the member has turned Activity Status on. After a
 * failure the next report covers its messages. Returns a stop function.
 */
export function reportDelivery(me: string): () => void {
  let isOver = false
  const report = () => {
    // After a sign-out, the server would refuse it.
    if (isOver) return
    unwrap(supabase().rpc('mark_delivered')).catch((cause: unknown) => {
      if (!isOver) logFailure('report delivery', cause)
    })
  }
  const reportSoon = createThrottle(report)
  if (connection.getState().state === 'online') reportSoon()
  const unsubscribers = [
    onCaughtUp(reportSoon),
    onRowChange('messages', ({ kind, row }) => {
      // While the member is looking at the conversation, the message is marked as read instead.
      const isNew = kind === 'insert' && row.sender_id !== me && !row.read
      if (isNew && !isActive(row.conversation_id)) reportSoon()
    }),
    // Another device has accepted a request.
    onRowChange('conversation_views', ({ row }) => {
      if (row.undelivered && row.folder === 'inbox') reportSoon()
    }),
  ]
  return () => {
    isOver = true
    for (const unsubscribe of unsubscribers) unsubscribe()
  }
}
