import type { SupabaseClient } from '@supabase/supabase-js'

/** Accepts a conversation as its recipient; before that a stranger can write only a few messages. */
export async function acceptConversation(
  { client, id }: { client: SupabaseClient; id: string },
  conversationId: string,
): Promise<void> {
  await client
    .from('conversation_views')
    .update({ folder: 'inbox' })
    .eq('member_id', id)
    .eq('conversation_id', conversationId)
    .throwOnError()
}
