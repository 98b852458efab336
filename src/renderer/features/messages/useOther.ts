import { useBlockedMemberQuery } from '#/renderer/features/safety'
import { texts } from '#/renderer/lib/texts'
import type { Conversation } from './conversation'

/**
 * How the other one of a conversation is shown: also whom one has blocked, and sees nowhere else; 'Member' when one does
 * not know who it is.
 */
export function useOther({ other, otherId, isGone }: Conversation) {
  const { data: blocked = null } = useBlockedMemberQuery(other === null && !isGone ? otherId : null)
  const shown = other ?? blocked
  return {
    name: shown?.username || texts.messages.member,
    avatar: shown?.avatar_url ?? null,
    /** The member as one whom this one has blocked. */
    blocked: other === null ? blocked : null,
  }
}
