import { composeText } from '#/shared/composed-text'
import { foldCase } from '#/shared/search-key'

/** A hashtag or a place of posts. */
export type TopicKind = 'hashtag' | 'place'

/** The name by which the database compares a hashtag or place, from one as somebody wrote it. */
export function topicName(label: string): string {
  return foldCase(composeText(label))
}

/** What `/` shows instead of the feed: Explore, or the posts with a hashtag or of a place. */
export type ExploreRoute =
  | { page: 'explore' }
  | { page: 'hashtag'; name: string }
  | { page: 'place'; name: string }

export const EXPLORE_PATH = '/?explore'

/** @param tag without '#' */
export function hashtagPath(tag: string): string {
  return `/?${new URLSearchParams({ tag })}`
}

export function placePath(place: string): string {
  return `/?${new URLSearchParams({ place })}`
}

/** Reads the search parameters of `/`; null for the feed. */
export function exploreRoute(search: string): ExploreRoute | null {
  const parameters = new URLSearchParams(search)
  const tag = parameters
    .get('tag')
    ?.trim()
    .replace(/^[#＃]/, '')
  if (tag) return { page: 'hashtag', name: tag }
  const place = parameters.get('place')?.trim()
  if (place) return { page: 'place', name: place }
  return parameters.has('explore') ? { page: 'explore' } : null
}
