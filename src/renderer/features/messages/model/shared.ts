import type { ShareSource } from '#/renderer/features/sharing'
import type { AppError } from '#/renderer/lib/core/errors'
import { texts } from '#/renderer/lib/texts'
import type { Tables, TablesInsert } from '#/shared/database.types'

export type SharedKind = ShareSource['kind']

/** What a message shares: a reference, whose content each member reads with their own rights. */
export interface SharedItem {
  kind: SharedKind
  id: string
}

type SharedColumns = Pick<
  Tables<'messages'>,
  'shared_kind' | 'shared_post_id' | 'shared_story_id' | 'shared_profile_id'
>

/** The columns of a message that shares this item, as the server returns them. */
export function sharedColumns(item: SharedItem | undefined): SharedColumns {
  return {
    shared_kind: item?.kind ?? null,
    shared_post_id: item?.kind === 'post' ? item.id : null,
    shared_story_id: item?.kind === 'story' ? item.id : null,
    shared_profile_id: item?.kind === 'profile' ? item.id : null,
  }
}

/** The column that a client sets; the server sets the kind. */
export function sharedInsert({ kind, id }: SharedItem): Partial<TablesInsert<'messages'>> {
  if (kind === 'post') return { shared_post_id: id }
  return kind === 'story' ? { shared_story_id: id } : { shared_profile_id: id }
}

/** What a message shares; the id is null after the item was deleted. Null for other messages. */
export function sharedIn(message: SharedColumns): { kind: SharedKind; id: string | null } | null {
  switch (message.shared_kind) {
    case 'post':
      return { kind: 'post', id: message.shared_post_id }
    case 'story':
      return { kind: 'story', id: message.shared_story_id }
    case 'profile':
      return { kind: 'profile', id: message.shared_profile_id }
    default:
      return null
  }
}

/** Whether a message has something to forward: not only a card whose item was deleted. */
export function canForward(
  message: SharedColumns & Pick<Tables<'messages'>, 'content' | 'media_id'>,
): boolean {
  return message.content !== '' || message.media_id !== null || sharedIn(message)?.id != null
}

/** The usernames of members who did not get it, by reason, in words. */
export function byReason(
  failures: readonly { recipient: { username: string }; error: Pick<AppError, 'message'> }[],
): { reason: string; names: string[] }[] {
  const groups = new Map<string, string[]>()
  for (const { recipient, error } of failures) {
    // Only a lost connection has no message.
    const reason = error.message || texts.connection.needed
    groups.set(reason, [...(groups.get(reason) ?? []), recipient.username])
  }
  return [...groups].map(([reason, names]) => ({ reason, names }))
}
