import type { Message } from './message'

/** That of two messages which comes later; one that is null or not there comes before all. */
export function laterOf(
  messages: readonly Message[],
  one: string | null,
  other: string | null,
): string | null {
  const later = messages.findLast(({ id }) => id === one || id === other)
  return later?.id ?? null
}

/** What the other wrote after a message; all of it when that one is null or not there. */
export function othersAfter(messages: readonly Message[], id: string | null, me: string): Message[] {
  const at = messages.findIndex((message) => message.id === id)
  return messages.slice(at + 1).filter((message) => message.sender_id !== me)
}
