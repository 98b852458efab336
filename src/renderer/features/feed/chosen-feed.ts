import { storageKeyPrefix } from '#/renderer/lib/local-storage'
import type { FeedKind } from './keys'

const storageKey = (me: string) => `${storageKeyPrefix('feed', me)}kind`

/** The feed that the member last chose on this device; everybody's by default (FEED-13). */
export function chosenFeed(me: string): FeedKind {
  return localStorage.getItem(storageKey(me)) === 'following' ? 'following' : 'everyone'
}

export function chooseFeed(me: string, kind: FeedKind): void {
  if (kind === 'everyone') localStorage.removeItem(storageKey(me))
  else localStorage.setItem(storageKey(me), kind)
}
