import { readItem, storageKeyPrefix, storeItem } from '#/renderer/lib/local/local-storage'
import type { FeedKind } from './keys'

/** A feed, or the wall, which shows the last chosen feed. */
export type FeedTab = FeedKind | 'wall'

const storageKey = (me: string, name: 'kind' | 'wall') => `${storageKeyPrefix('feed', me)}${name}`

/** The feed that the member last chose on this device; everybody's by default (FEED-13). */
export function chosenFeed(me: string): FeedKind {
  return readItem(storageKey(me, 'kind')) === 'following' ? 'following' : 'everyone'
}

/** Whether the member last chose the wall on this device. Narrower windows show the feed. */
export function prefersWall(me: string): boolean {
  return readItem(storageKey(me, 'wall')) !== null
}

export function chooseFeed(me: string, tab: FeedTab): void {
  storeItem(storageKey(me, 'wall'), tab === 'wall' ? 'true' : null)
  if (tab !== 'wall') storeItem(storageKey(me, 'kind'), tab === 'everyone' ? null : tab)
}
