import { randomUUID } from 'node:crypto'
import {
  type Act,
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
} from './acts'

/** What has an audience, shared before and after each switch of its author's privacy. */
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

/** What one member does to another that a block removes, and the table that it is in. */
export const REMOVED_BY_BLOCK: [what: string, table: string, act: (me: string, other: Target) => Act][] = [
  ['likes a post', 'likes', (me, { post }) => like(me, post)],
  ['comments on a post', 'comments', (me, { post }) => comment(me, post)],
  ['watches a story', 'story_views', (me, { story }) => view(me, story)],
  ['mentions', 'post_tags', (me, { username }) => publish(randomUUID(), me, `@${username}`)],
  ['follows', 'follows', (me, { id }) => follow(me, id)],
  ['asks to follow', 'follow_requests', (me, { id }) => ask(me, id)],
]

/** What a member gives to a post or to its author and takes back, and the table of what they gave it to. */
export const TAKEN_BACK = [
  ['like', 'posts', like, unlike],
  ['comment', 'posts', comment, uncomment],
  ['follow', 'profiles', follow, unfollow],
  ['request', 'profiles', ask, withdraw],
] as const
