import { supabase, unwrap } from '#/renderer/lib/supabase'

/** Marks all that the other wrote up to this time as read, with one update. Throws an `AppError`. */
export function markConversationRead(me: string, conversationId: string, until: string) {
  return unwrap(
    supabase()
      .from('messages')
      .update({ read: true })
      .eq('conversation_id', conversationId)
      .eq('recipient_id', me)
      .eq('read', false)
      .lte('created_at', until),
  )
}
