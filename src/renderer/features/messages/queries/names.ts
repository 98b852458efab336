import { useBlockedMemberQuery } from '#/renderer/features/safety'
import { texts } from '#/renderer/lib/texts'
import type { Conversation } from '../model/conversation'
import { useSharedProfileQuery } from './shared'

/**
 * The name and picture of a conversation: those of the group, or of the other member, including a blocked member, who is hidden
 * elsewhere; 'Member' if unknown.
 */
export function useTitle(conversation: Conversation) {
  const { isGone } = conversation
  const hidden =
    conversation.kind === 'pair' && conversation.other === null && !isGone ? conversation.otherId : null
  const { data: blocked = null } = useBlockedMemberQuery(hidden)
  if (conversation.kind === 'group') {
    const name = conversation.name || texts.messages.group
    const picture = { username: name, avatar_url: null, avatar_path: conversation.picturePath }
    return { name, picture, blocked: null }
  }
  const shown = conversation.other ?? blocked
  const name = shown?.username || texts.messages.member
  return {
    name,
    picture: {
      username: name,
      avatar_url: shown?.avatar_url ?? null,
      avatar_path: shown?.avatar_path ?? null,
    },
    /** The profile of the other member if the member has blocked them. */
    blocked: conversation.other === null ? blocked : null,
  }
}

/**
 * Who wrote in a group. Without a profile if they are hidden, e.g. by a block; the name is empty while it is loading.
 *
 * @param memberId null where nobody is looked up
 */
export function useWriter(memberId: string | null) {
  const { data: profile } = useSharedProfileQuery(memberId)
  const name = profile === undefined ? '' : (profile?.username ?? texts.messages.member)
  return { name, profile: profile ?? null }
}

/** The name of who wrote a message of others: of the other member in a pair, whose name is known. */
export function useWriterName(isGroup: boolean, memberId: string | null, otherName: string): string {
  const { name } = useWriter(isGroup ? memberId : null)
  return isGroup ? name : otherName
}
