/** Followers or followed members of a member, or likers of a post. */
type ListKind = 'followers' | 'following' | 'likes'

/** `id` is a member's, or for likes a post's. */
export interface PeopleList {
  kind: ListKind
  id: string
}

/** Prefix of the query key of every profile; the username follows. */
export const PROFILE_KEY = ['profile'] as const

/** Prefix of the queries of the feed with the posts of followed members. */
export const FOLLOWING_FEED_KEY = ['feed', 'following'] as const
/** Prefix of the queries that tell whether it has newer posts. */
export const NEWEST_FOLLOWED_KEY = ['newest post', 'following'] as const

export const relationKeys = {
  of: (id: string) => ['relation', id] as const,
}

export const PEOPLE_TO_FOLLOW_KEY = ['people to follow'] as const

export const peopleKey = ({ kind, id }: PeopleList) => ['people', kind, id] as const
