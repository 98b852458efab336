import { composeText } from '#/shared/composed-text'
import { QUERY_MAX } from '#/shared/limits'
import { foldCase } from '#/shared/search-key'

/** A hashtag or a place of posts. */
export type TopicKind = 'hashtag' | 'place'

/** The name by which the database compares a hashtag or place, from one as somebody wrote it. */
export function topicName(label: string): string {
  return foldCase(composeText(label))
}

/** What `/` shows instead of the feed: Explore, the posts with a hashtag or of a place, or the results of a search. */
export type ExploreRoute =
  | { page: 'explore' }
  | { page: 'hashtag'; name: string }
  | { page: 'place'; name: string }
  | { page: 'search'; name: string }

export const EXPLORE_PATH = '/?explore'

/** @param tag without '#' */
export function hashtagPath(tag: string): string {
  return `/?${new URLSearchParams({ tag })}`
}

export function placePath(place: string): string {
  return `/?${new URLSearchParams({ place })}`
}

/** The page of everything that a search finds (FEED-22). */
export function searchPath(query: string): string {
  return `/?${new URLSearchParams({ q: query })}`
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
  const query = parameters.get('q')?.trim().slice(0, QUERY_MAX).trimEnd()
  if (query) return { page: 'search', name: query }
  return parameters.has('explore') ? { page: 'explore' } : null
}
