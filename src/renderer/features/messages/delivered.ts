import { emitMessageEvent, MESSAGE_COLUMNS } from '#/renderer/lib/live'
import { supabase, unwrap } from '#/renderer/lib/supabase'

/** How long to look for a message that was sent without an answer, in milliseconds: its writer waits for its text. */
const LOOK_MS = 3_000

/** Whether the server has a message; if so, it is told of as the live connection would. Throws an `AppError`. */
export async function isDelivered(id: string): Promise<boolean> {
  const row = await unwrap(
    supabase()
      .from('messages')
      .select(MESSAGE_COLUMNS)
      .eq('id', id)
      .abortSignal(AbortSignal.timeout(LOOK_MS))
      .maybeSingle(),
  )
  if (row !== null) emitMessageEvent({ kind: 'insert', row })
  return row !== null
}
