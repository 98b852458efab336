import { lazyPart } from '#/renderer/lib/browser/lazy-component'
import { usePeopleToFollowQuery } from '../queries/suggestions'

// The empty feed is part of the first load; it shows its suggestions when they are there.
const Suggestions = lazyPart(() => import('./Suggestions'), 'Suggestions')

/** Suggests members to follow; nothing if there are none. */
export function PeopleToFollow({ most }: { most: number }) {
  const { data: people = [] } = usePeopleToFollowQuery()
  return people.length === 0 ? null : <Suggestions people={people.slice(0, most)} />
}
