import { AppError } from '#/renderer/lib/errors'
import { supabase, unwrap } from '#/renderer/lib/supabase'

/** The conversation of two members, whoever began it. */
export async function findConversation(me: string, other: string): Promise<string | null> {
  const found = await unwrap(
    supabase()
      .from('conversations')
      .select('id')
      .in('participant_1', [me, other])
      .in('participant_2', [me, other])
      .maybeSingle(),
  )
  return found?.id ?? null
}

/**
 * The id of one's conversation with another member: the one there is, or a new one. When both begin at once, the
 * second finds the first one's. Throws an `AppError`.
 */
export async function openConversation(me: string, otherId: string): Promise<string> {
  const existing = await findConversation(me, otherId)
  if (existing !== null) return existing
  const id = crypto.randomUUID()
  try {
    await unwrap(supabase().from('conversations').insert({ id, participant_1: me, participant_2: otherId }))
    return id
  } catch (cause) {
    if (!(cause instanceof AppError && cause.code === 'conflict')) throw cause
    const others = await findConversation(me, otherId)
    if (others === null) throw cause
    return others
  }
}
