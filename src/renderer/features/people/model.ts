import type { InfiniteData } from '@tanstack/react-query'
import type { Cursor } from '#/renderer/lib/queries/keyset'
import type { Tables } from '#/shared/database.types'

/** A member in a list of people. */
export type Person = Pick<
  Tables<'profiles'>,
  'id' | 'username' | 'full_name' | 'avatar_url' | 'avatar_path' | 'is_private'
>

/** The signed-in member's relation to another member. */
export type Relation = 'none' | 'requested' | 'following'

export interface Counted {
  id: string
  follower_count: number
  following_count: number
}

/** The profile after `follower` followed (step 1) or unfollowed (step -1) `followed`. */
export function withStep<P extends Counted>(profile: P, follower: string, followed: string, step: 1 | -1): P {
  if (profile.id === followed)
    return { ...profile, follower_count: Math.max(0, profile.follower_count + step) }
  if (profile.id === follower)
    return { ...profile, following_count: Math.max(0, profile.following_count + step) }
  return profile
}

export interface PeoplePage {
  people: Person[]
  next: Cursor | undefined
}

export type PeoplePages = InfiniteData<PeoplePage, Cursor>

/** A removed member and their position in the list. */
interface RemovedPerson {
  person: Person
  page: number
  index: number
}

export function findPerson(data: PeoplePages | undefined, id: string): RemovedPerson | undefined {
  for (const [page, { people }] of data?.pages.entries() ?? []) {
    const index = people.findIndex((person) => person.id === id)
    const person = people[index]
    if (person !== undefined) return { person, page, index }
  }
  return undefined
}

export function withoutPerson(data: PeoplePages, id: string): PeoplePages {
  return {
    ...data,
    pages: data.pages.map((page) => ({ ...page, people: page.people.filter((person) => person.id !== id) })),
  }
}

/** The list with the member restored, unless a refetch has brought them back. */
export function withRestored(data: PeoplePages, { person, page: from, index }: RemovedPerson): PeoplePages {
  if (findPerson(data, person.id) !== undefined) return data
  return {
    ...data,
    pages: data.pages.map((page, at) =>
      at === from ? { ...page, people: page.people.toSpliced(index, 0, person) } : page,
    ),
  }
}
