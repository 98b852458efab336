import { randomUUID } from 'node:crypto'
import type { Member } from './member'

/** Starts a conversation that the other member has accepted, and returns its id. */
export async function startConversation(starter: Member, other: Member): Promise<string> {
  const id = await startRequest(starter, other)
  await other.api
    .from('conversation_views')
    .update({ folder: 'inbox' })
    .eq('conversation_id', id)
    .eq('member_id', other.id)
    .throwOnError()
  return id
}

/** Starts a conversation as a stranger to the other member, and returns its id. */
export async function startRequest(starter: Member, other: Member): Promise<string> {
  const id = randomUUID()
  const { error } = await starter.api
    .from('conversations')
    .insert({ id, participant_1: starter.id, participant_2: other.id })
  if (error) throw error
  return id
}

/** Sends a message as this member and returns its id. */
export async function write(sender: Member, conversation_id: string, content: string): Promise<string> {
  const id = randomUUID()
  const { error } = await sender.api
    .from('messages')
    .insert({ id, conversation_id, sender_id: sender.id, content })
  if (error) throw error
  return id
}
