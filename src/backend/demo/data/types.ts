/** Who says what under a post, in order. */
export type DemoComment = readonly [username: string, text: string]

export interface DemoMemberData {
  username: string
  fullName: string
  bio: string
  website?: string
  /** Name of the avatar in the pictures' manifest. */
  avatar: string
  isPrivate?: boolean
  /** Whether the sign-in screen offers to look around as this member. */
  isOffered: boolean
  /** How long ago the member joined. */
  joinedDaysAgo: number
  /** Public accounts, or private ones that have accepted. */
  follows: readonly string[]
}

export interface DemoPost {
  author: string
  hoursAgo: number
  /** Name of the picture in the manifest; a post without one is words only. */
  picture?: string
  content: string
  location?: string
  likes: readonly string[]
  saves?: readonly string[]
  comments?: readonly DemoComment[]
}

export interface DemoStory {
  /** Fixed, so that a later start finds the story and makes it fresh again. */
  id: string
  author: string
  picture: string
  /** Below 12, so that a fresh story has at least half its day left. */
  hoursAgo: number
  content?: string
  seenBy: readonly string[]
}

export interface DemoConversation {
  between: readonly [string, string]
  /** Oldest first. */
  messages: readonly DemoMessage[]
}

export interface DemoMessage {
  from: string
  minutesAgo: number
  text: string
  /** Not yet seen by its recipient. */
  unread?: boolean
  /** Text of an earlier message that this one answers. */
  answers?: string
  /** Id of the recipient's story that this one replies to. */
  story?: string
  /** Name of a picture in the manifest. */
  picture?: string
  /** What the recipient reacted with. */
  reaction?: string
}

export interface DemoFollowRequest {
  requester: string
  target: string
  hoursAgo: number
}
