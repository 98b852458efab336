import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useMe } from '#/renderer/features/auth'
import { serverNow } from '#/renderer/lib/clock-store'
import { knownStories, type Story, useStoryQuery } from '../queries'
import { orderStrip, type StoryGroup } from '../strip/strip-order'

export type Opening =
  | { state: 'loading' | 'gone' | 'expired' }
  | { state: 'failed'; retry: () => void }
  /** Whose stories there are to watch: the opened one's member, and the others to go on to, in order. */
  | { state: 'ready'; groups: readonly StoryGroup<Story>[] }

/**
 * Finds out what there is to watch. Decided once: what expires, is shared or is deleted later does not change what a
 * viewer shows that is open.
 * @param members of the strip that the story was opened from.
 */
export function useOpening(id: string, members: readonly string[]): Opening {
  const client = useQueryClient()
  const { id: me } = useMe()
  const { data: story, isError, refetch } = useStoryQuery(id)
  const [decided, setDecided] = useState<Opening | null>(null)
  if (decided !== null) return decided
  if (story === undefined)
    return isError ? { state: 'failed', retry: () => void refetch() } : { state: 'loading' }
  const opening = open(story, members, knownStories(client), me)
  setDecided(opening)
  return opening
}

function open(story: Story | null, members: readonly string[], known: readonly Story[], me: string): Opening {
  if (story === null) return { state: 'gone' }
  const now = serverNow()
  if (Date.parse(story.expires_at) <= now) return { state: 'expired' }
  const all = known.some(({ id }) => id === story.id) ? known : [...known, story]
  const groups = new Map(
    orderStrip(all, { me, muted: new Set(), now }).map((group) => [group.memberId, group]),
  )
  const order = members.includes(story.user_id) ? members : [story.user_id]
  return { state: 'ready', groups: order.flatMap((memberId) => groups.get(memberId) ?? []) }
}
