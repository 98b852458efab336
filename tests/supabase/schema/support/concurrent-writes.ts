import { randomUUID } from 'node:crypto'
import {
  type Action,
  ask,
  comment,
  follow,
  like,
  publish,
  share,
  uncomment,
  unfollow,
  unlike,
  view,
  withdraw,
} from './actions'

/** Rows with an audience, created before and after each switch of their author's privacy. */
export const SWITCHES = (['before', 'after'] as const).flatMap((order) =>
  (['followers', 'public'] as const).flatMap((audience) => [
    ['post', order, audience, publish, 'posts'] as const,
    ['story', order, audience, share, 'stories'] as const,
  ]),
)

export interface Target {
  id: string
  username: string
  post: string
  story: string
}

/** Actions whose rows a block removes, and their table. */
export const REMOVED_BY_BLOCK: [what: string, table: string, act: (me: string, other: Target) => Action][] = [
  ['likes a post', 'likes', (me, { post }) => like(me, post)],
  ['comments on a post', 'comments', (me, { post }) => comment(me, post)],
  ['views a story', 'story_views', (me, { story }) => view(me, story)],
  ['mentions', 'post_tags', (me, { username }) => publish(randomUUID(), me, `@${username}`)],
  ['follows', 'follows', (me, { id }) => follow(me, id)],
  ['requests to follow', 'follow_requests', (me, { id }) => ask(me, id)],
]

/** Actions on a post or member that can be undone, with the table of the post or member. */
export const UNDONE_WRITES = [
  ['like', 'posts', like, unlike],
  ['comment', 'posts', comment, uncomment],
  ['follow', 'profiles', follow, unfollow],
  ['request', 'profiles', ask, withdraw],
] as const
