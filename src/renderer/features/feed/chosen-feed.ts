import { readItem, storageKeyPrefix, storeItem } from '#/renderer/lib/local-storage'
import type { FeedKind } from './keys'

const storageKey = (me: string) => `${storageKeyPrefix('feed', me)}kind`

/** The feed that the member last chose on this device; everybody's by default (FEED-13). */
export function chosenFeed(me: string): FeedKind {
  return readItem(storageKey(me)) === 'following' ? 'following' : 'everyone'
}

export function chooseFeed(me: string, kind: FeedKind): void {
  storeItem(storageKey(me), kind === 'everyone' ? null : kind)
}
