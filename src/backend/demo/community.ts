import community from './community.json'

export interface DemoComment {
  author: string
  text: string
  /** The text of the earlier comment whose thread it joins. */
  answers?: string
  likes?: readonly string[]
}

export interface DemoMessage {
  from: string
  minutesAgo: number
  text: string
  unread?: boolean
  /** Text of the earlier message that this one replies to. */
  answers?: string
  /** Id of the recipient's story that this one replies to. */
  story?: string
  /** Name of a picture in the manifest. */
  picture?: string
  /** Name of the picture of a post that it shares. */
  shares?: string
  /** The recipient's reaction, an emoji. */
  reaction?: string
}

/**
 * Fictional people and what they have written. `likes`, `saves`, `follows` and `seenBy` are usernames; pictures are named as in their manifest. The sign-in screen
 * offers some of the members. The ids of stories are fixed, so that a later start finds and refreshes them; they are less than 12 hours old, so that more than 12 are left.
 */
export const {
  members: DEMO_MEMBERS,
  followRequests: DEMO_FOLLOW_REQUESTS,
  posts: DEMO_POSTS,
  stories: DEMO_STORIES,
} = community

/** The first member has started it. */
export const DEMO_CONVERSATIONS: readonly {
  first: string
  second: string
  /** Whether the first member, a stranger to the second, waits for them to accept. */
  isRequest?: boolean
  messages: readonly DemoMessage[]
}[] = community.conversations

export type DemoPost = (typeof DEMO_POSTS)[number]

export function commentsOf({ comments = [] }: DemoPost): readonly DemoComment[] {
  return comments
}
