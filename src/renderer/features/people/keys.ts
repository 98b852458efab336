import type { PeopleList } from './model'

/** Prefix of the query key of every profile; the username follows. */
export const PROFILE_KEY = ['profile'] as const

export const relationKeys = {
  of: (id: string) => ['relation', id] as const,
}

export const PEOPLE_TO_FOLLOW_KEY = ['people to follow'] as const

export const peopleKey = ({ kind, id }: PeopleList) => ['people', kind, id] as const
