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
  /** Oldest first. `unread` ones have not been seen by their recipient. */
  messages: readonly {
    from: string
    minutesAgo: number
    text: string
    unread?: boolean
  }[]
}

export interface DemoFollowRequest {
  requester: string
  target: string
  hoursAgo: number
}
