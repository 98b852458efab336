import type { MessageRow as Message } from '#/renderer/lib/live'

/** How many messages of the other came after the last one that was on screen. */
export function unseenCount(messages: readonly Message[], lastSeenId: string | null, me: string): number {
  const at = messages.findIndex(({ id }) => id === lastSeenId)
  return messages.slice(at + 1).filter((message) => message.sender_id !== me).length
}
