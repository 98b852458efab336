/** A comment on a post. */
export type DemoComment = readonly [username: string, text: string, extras?: DemoCommentExtras]

interface DemoCommentExtras {
  /** The text of the earlier comment whose thread it joins. */
  answers?: string
  /** Usernames of the members who like it. */
  likes?: readonly string[]
}

export interface DemoMemberData {
  username: string
  fullName: string
  bio: string
  website?: string
  /** Name of the avatar in the pictures' manifest. */
  avatar: string
  isPrivate?: boolean
  /** Whether the sign-in screen offers 'Look around as …' for this member. */
  isOffered: boolean
  joinedDaysAgo: number
  /** Usernames of public accounts, or of private ones that have accepted. */
  follows: readonly string[]
}

export interface DemoPost {
  author: string
  hoursAgo: number
  /** Name of the picture in the manifest; missing for a post of text only. */
  picture?: string
  /** Names of its further pictures. */
  morePictures?: readonly string[]
  /** How its first picture was taken; see `post_photos.camera`. */
  camera?: Readonly<Record<string, string>>
  content: string
  location?: string
  likes: readonly string[]
  saves?: readonly string[]
  comments?: readonly DemoComment[]
}

export interface DemoStory {
  /** Fixed, so that a later start finds the story and refreshes it. */
  id: string
  author: string
  picture: string
  /** Below 12, so that a refreshed story has more than 12 hours left. */
  hoursAgo: number
  content?: string
  seenBy: readonly string[]
}

export interface DemoConversation {
  between: readonly [string, string]
  /** Whether the first member, a stranger to the second, waits for them to accept. */
  isRequest?: true
  /** Oldest first. */
  messages: readonly DemoMessage[]
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

export interface DemoFollowRequest {
  requester: string
  target: string
  hoursAgo: number
}
