import { randomUUID } from 'node:crypto'
import type { Tx } from './sessions'

/** A statement in a transaction of a member. */
export type Action = (tx: Tx) => Promise<unknown>

export const follow = (follower: string, following: string) => (tx: Tx) =>
  tx`insert into follows (follower_id, following_id) values (${follower}, ${following})`
export const setPrivate = (member: string, isPrivate: boolean) => (tx: Tx) =>
  tx`update profiles set is_private = ${isPrivate} where id = ${member}`

export const ask = (requester: string, target: string) => (tx: Tx) =>
  tx`insert into follow_requests (requester_id, target_id) values (${requester}, ${target})`
export const publish =
  (id: string, author: string, content = 'just now') =>
  (tx: Tx) =>
    tx`insert into posts (id, user_id, content) values (${id}, ${author}, ${content})`
export const share = (id: string, author: string) => (tx: Tx) =>
  tx`insert into stories (id, user_id, media_type, media_url)
    values (${id}, ${author}, 'image', 'data:image/webp;base64,AAAA')`
export const comment = (member: string, id: string) => (tx: Tx) =>
  tx`insert into comments (user_id, post_id, content) values (${member}, ${id}, 'hm')`
export const view = (member: string, story: string) => (tx: Tx) =>
  tx`insert into story_views (viewer_id, story_id) values (${member}, ${story})`
export const like = (member: string, id: string) => (tx: Tx) =>
  tx`insert into likes (user_id, post_id) values (${member}, ${id})`
export const unlike = (member: string) => (tx: Tx) => tx`delete from likes where user_id = ${member}`
export const uncomment = (member: string) => (tx: Tx) =>
  tx`select delete_comments(array(select id from comments where user_id = ${member}))`
export const unfollow = (member: string) => (tx: Tx) => tx`delete from follows where follower_id = ${member}`
export const withdraw = (member: string) => (tx: Tx) =>
  tx`delete from follow_requests where requester_id = ${member}`
export const leave = () => (tx: Tx) => tx`select delete_account()`
export const block = (blocked: string) => (tx: Tx) => tx`select block_members(${[blocked]}::uuid[])`
export const remove = (post: string) => (tx: Tx) => tx`select delete_posts(${[post]}::uuid[])`

/** A random number generator: the result is an integer from 0 to `limit` - 1. */
export function seededRandom(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

export interface Crowd {
  members: string[]
  /** Ids of posts, newest last, including deleted ones. */
  posts: string[]
  /** Ids of stories, newest last, including deleted ones. */
  stories: string[]
}

/** A random action of a member. All members use the same few posts, to provoke conflicts. */
export function nextAction(
  random: (limit: number) => number,
  me: string,
  { members, posts, stories }: Crowd,
) {
  const others = members.filter((member) => member !== me)
  const other = others[random(others.length)] ?? me
  const recent = posts.slice(-12)
  const [post, second] = [recent[random(recent.length)] ?? me, recent[random(recent.length)] ?? me]
  const recentStories = stories.slice(-12)
  const story = recentStories[random(recentStories.length)] ?? me
  const actions: ((tx: Tx) => Promise<unknown>)[] = [
    (tx) =>
      tx`insert into likes (user_id, post_id) values (${me}, ${post}), (${me}, ${second}) on conflict do nothing`,
    unlike(me),
    comment(me, post),
    uncomment(me),
    follow(me, other),
    unfollow(me),
    block(other),
    (tx) => tx`delete from blocks where blocker_id = ${me}`,
    ask(me, other),
    (tx) => tx`select accept_follow_request(requester_id) from follow_requests where target_id = ${me}`,
    async (tx) => {
      const id = randomUUID()
      await publish(id, me, '@crowd.1 and @crowd.2')(tx)
      posts.push(id)
    },
    (tx) => tx`select delete_posts(array(select id from posts where user_id = ${me} limit 1))`,
    async (tx) => {
      const id = randomUUID()
      await share(id, me)(tx)
      stories.push(id)
    },
    view(me, story),
    (tx) => tx`select delete_stories(array(select id from stories where user_id = ${me} limit 1))`,
    setPrivate(me, random(2) === 0),
    (tx) => tx`insert into conversations (participant_1, participant_2) values (${me}, ${other})`,
    (tx) =>
      tx`insert into messages (conversation_id, sender_id, content)
        select id, ${me}, 'hi' from conversations where ${me} in (participant_1, participant_2)`,
  ]
  return actions[random(actions.length)] ?? setPrivate(me, true)
}
