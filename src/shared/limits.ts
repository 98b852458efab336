/**
 * Business constants and limits. The database keeps the same ones as check constraints
 * (supabase/migrations); tests/backend/schema/limits.test.ts compares the two.
 */

/** Longest texts, in Unicode code points, as PostgreSQL's `char_length` counts them. */
export const TEXT_LIMITS = {
  post: 2_200,
  caption: 500,
  comment: 1_000,
  message: 4_000,
  bio: 500,
  location: 100,
  fullName: 80,
  website: 200,
  altText: 1_000,
  reportDetails: 500,
} as const

/** Stored media as data URLs: the most characters a column takes, and what that is in bytes. */
export const MEDIA_LIMITS = {
  image: { characters: 2_100_000, bytes: 1_500_000 },
  thumbnail: { characters: 28_000, bytes: 20_000 },
  avatar: { characters: 16_000, bytes: 10_000 },
  video: { characters: 28_000_000, bytes: 20_000_000 },
} as const

/** What a member may choose on their machine, before it is made smaller. */
export const SOURCE_LIMITS = {
  imageBytes: 25 * 1024 * 1024,
  imagePixels: 64_000_000,
  videoBytes: 20 * 1024 * 1024,
  videoSeconds: 60,
} as const

/** What a post's picture is made into: longest side and target size in bytes; longest side of its thumbnail. */
export const PICTURE = { side: 1440, targetBytes: 300_000, thumbnailSide: 320, avatarSide: 160 } as const

/** Longest side, in pixels, of a stored picture (posts, messages) and of a story's picture or video. */
export const MEDIA_SIDES = { picture: 4_096, story: 8_192 } as const

/**
 * The most pixels of a stored picture that are decoded: as many as its columns can declare, and for what is shown small
 * and often (thumbnails, profile pictures) ten times what this app makes.
 */
export const STORED_PIXELS = { picture: 4_096 * 4_096, story: 64_000_000, small: 1_024 * 1_024 } as const

/** What a message can be reacted with; the same six as the checks of messages. */
export const REACTIONS = ['❤️', '👍', '😂', '😮', '😢', '🔥'] as const

/** How a story is shown: how long each kind, how often progress moves, and the share of it that a tap jumps. */
export const STORY = { imageMs: 5_000, videoMs: 15_000, tickMs: 100, tapShare: 0.2 } as const

export const USERNAME = { min: 3, max: 30 } as const

/** Lower-case letters, digits, dot and underscore; no dot first or last. The same pattern as profiles' check. */
export const USERNAME_PATTERN = /^(?!\.)[a-z0-9._]{3,30}(?<!\.)$/

export const PASSWORD_MIN = 8

/** Longest e-mail address that can be delivered to (RFC 5321, 4.5.3.1); GoTrue's column takes one more. */
export const EMAIL_MAX = 254

export const FEED_PAGE = 8
export const COMMENTS_PAGE = 20
export const GRID_PAGE = 30
export const PEOPLE_PAGE = 30
export const STORIES_PAGE = 100
export const SEARCH_LIMIT = 10
/** As many as `my_conversations` gives. */
export const CONVERSATIONS_PAGE = 30
export const MESSAGES_PAGE = 50
export const NOTIFICATIONS_SHOWN = 20
/** The badge counts up to this; above it reads '9+'. */
export const BADGE_MAX = 9
export const GRID_TEXT_PREVIEW = 50

/** How long 'Account Created!' stands before the feed opens, in milliseconds. */
export const SIGNUP_REDIRECT_MS = 2_000
