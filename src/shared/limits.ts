/**
 * The business constants and limits that code uses. The database enforces its own copies: change the migration too.
 * tests/supabase/schema/limits.test.ts compares the check constraints, tests/shared/limits.test.ts everything else. Limits that
 * only the database knows are in its functions, and tests/shared/database-limits.ts lists them.
 */

/** Maximum text lengths in Unicode code points, like PostgreSQL's `char_length`. */
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
  cameraDetail: 100,
  reportDetails: 500,
} as const

/** Maximum characters of the data URLs in rows. */
export const MEDIA_LIMITS = {
  image: { characters: 2_100_000 },
  thumbnail: { characters: 28_000 },
  avatar: { characters: 16_000 },
  video: { characters: 28_000_000 },
} as const

/**
 * Largest object in Storage: a video of a post. The limit of the bucket `media` too; a free hosted project takes 50 MB. Larger
 * files than `RESUMABLE_BYTES` are uploaded in pieces of this size, which Supabase Storage requires, so that they can be resumed.
 */
export const STORED_VIDEO_BYTES = 200_000_000
export const RESUMABLE_BYTES = 6 * 1024 * 1024

/** Largest video of a story, and of all that a reader loads to its end and checks before it is played. Free hosted projects take it too. */
export const STORY_VIDEO_BYTES = 45_000_000

/** Limits on the files a member can choose, before they are resized. */
export const SOURCE_LIMITS = {
  imageBytes: 200 * 1024 * 1024,
  imagePixels: 120_000_000,
  /** The longest side, in pixels, of a canvas in Chromium. */
  imageSide: 65_535,
  /** What a decoder has to hold at once of a stored picture: all pixels with four bytes each. */
  imagePartBytes: 4 * 120_000_000,
  /** 8K, with some room. */
  videoPixels: 8_192 * 4_608,
  /** Of one picture: 8K in 8 bits and 4:2:0. A decoder, and the queue behind it, keep 25 and more. */
  videoPictureBytes: 8_192 * 4_608 * 1.5,
} as const

/**
 * What the app makes of a chosen video: at most so many sides in pixels, pictures and bits a second. A video of more than
 * `copiedBitsPerSecond`, and sound of more packets a second, are encoded again: each packet takes room in the tables of an MP4.
 */
export const VIDEO = {
  longSide: 1_920,
  shortSide: 1_080,
  framesPerSecond: 30,
  bitsPerSecond: 5_000_000,
  copiedBitsPerSecond: 10_000_000,
  soundBitsPerSecond: 128_000,
  soundPacketsPerSecond: 60,
} as const

/** What differs between the videos of stories and of posts. */
export interface VideoRules {
  /** The most that is kept. */
  seconds: number
  /** Most bytes of the result. A server may take fewer. */
  bytes: number
  /** The fewest bits a second of encoded pictures of 1080p; smaller ones need fewer. 0: as few as it takes. */
  leastBitsPerSecond: number
  /** Most bytes of the chosen file. */
  sourceBytes: number
}

export const STORY_VIDEO: VideoRules = {
  seconds: 60,
  bytes: STORY_VIDEO_BYTES,
  leastBitsPerSecond: 0,
  sourceBytes: 1024 ** 3,
}

/** Ten minutes of 53 Mbit/s, more than phones record, have less than 4 GB. */
export const POST_VIDEO: VideoRules = {
  seconds: 600,
  bytes: STORED_VIDEO_BYTES,
  leastBitsPerSecond: 2_000_000,
  sourceBytes: 4 * 1024 ** 3,
}

/** Larger chosen videos are not copied into the app's own data: they are to be chosen again if the app ends while they are converted. */
export const KEPT_VIDEO_BYTES = 200_000_000

/**
 * Output sizes of a picture in Storage, in pixels. The full picture: pixels, longest side, longest side if that is more than
 * `longRatio` times the shorter one (a tall screenshot, a panorama), and bytes. Then the longest side of the middle one, width in the
 * feed, shorter side in grids (also of story posters and message thumbnails), side of avatars.
 */
export const STORED_PICTURE = {
  fullPixels: 12_600_000,
  fullSide: 4_096,
  longSide: 12_288,
  longRatio: 3,
  fullBytes: 1_500_000,
  middleSide: 2_048,
  feedWidth: 1_080,
  gridSide: 640,
  avatarSide: 320,
} as const

/** Photos and videos of a post in Storage. */
export const POST_PHOTOS = 10

/**
 * Captions of a video: bytes and cues of the chosen file, code points of a cue, code points of the WebVTT in a row, and bytes of all in a post,
 * because one request has them.
 */
export const CAPTIONS = {
  fileBytes: 200_000,
  cues: 1_500,
  cueCharacters: 500,
  characters: 30_000,
  postBytes: 150_000,
} as const

/** Longest side, in pixels, of stored pictures, of the full pictures of posts and messages, and of stories. */
export const MEDIA_SIDES = { picture: 4_096, full: STORED_PICTURE.longSide, story: 8_192 } as const

/**
 * Maximum pixels of stored pictures and videos that are decoded: what their columns allow, and for small pictures shown often
 * (thumbnails, avatars) ten times what this app creates, of videos twice. A decoder of videos keeps up to twenty pictures, of up to six
 * bytes for a pixel.
 */
export const STORED_PIXELS = {
  picture: 4_096 * 4_096,
  video: 2 * VIDEO.longSide * VIDEO.shortSide,
  small: 1_024 * 1_024,
} as const

/** Largest picture that a column may refer to, in bytes: ten times what this app creates. */
export const PICTURE_BYTES = 5_000_000

/**
 * Longest side and pixels of the picture in each use: twice what this app creates, of any proportions, and what older versions and
 * other apps may have stored. private.media_columns() has the same numbers.
 */
export const PICTURE_USE = {
  avatar: { side: 1_024, pixels: 1_024 * 1_024 },
  grid: { side: MEDIA_SIDES.picture, pixels: 2 * 640 * 2_048 },
  feed: { side: MEDIA_SIDES.picture, pixels: 2 * 1_080 * 2_048 },
  middle: { side: MEDIA_SIDES.picture, pixels: STORED_PIXELS.picture },
  full: { side: MEDIA_SIDES.full, pixels: STORED_PIXELS.picture },
  poster: { side: MEDIA_SIDES.picture, pixels: 2 * 640 * 2_048 },
  story: { side: MEDIA_SIDES.picture, pixels: STORED_PIXELS.picture },
  message: { side: MEDIA_SIDES.full, pixels: STORED_PIXELS.picture },
  messageThumbnail: { side: MEDIA_SIDES.picture, pixels: 2 * 640 * 2_048 },
  group: { side: 1_024, pixels: 1_024 * 1_024 },
} as const

export type PictureUse = keyof typeof PICTURE_USE

/** Message reactions. The same six as in the check constraint of messages. */
export const REACTIONS = ['❤️', '👍', '😂', '😮', '😢', '🔥'] as const

/** Story playback: duration per kind, progress interval, and the share of the width that is a tap zone. */
export const STORY = { imageMs: 5_000, videoMs: 15_000, tickMs: 100, tapShare: 0.2 } as const

export const USERNAME = { min: 3, max: 30 } as const

/** How long nobody else can take a username that was given up. */
export const USERNAME_HOLD_DAYS = 30

/**
 * Lower-case letters, digits, dots and underscores; no dot at the start or end. Same pattern as the check constraint of
 * profiles.
 */
export const USERNAME_PATTERN = /^(?!\.)[a-z0-9._]{3,30}(?<!\.)$/

export const PASSWORD_MIN = 8

/** Bytes in UTF-8: bcrypt, with which GoTrue and the embedded server store passwords, ignores the rest. */
export const PASSWORD_BYTES_MAX = 72

/** Longest deliverable email address (RFC 5321, 4.5.3.1). GoTrue's column allows one more. */
export const EMAIL_MAX = 254

/** Others see a story for this time. */
export const STORY_HOURS = 24
/** The app registers its device by then; otherwise the session counts as a new device. */
export const DEVICE_REGISTERED_MINUTES = 1
/** The sender of a message can edit its text for this time. */
export const MESSAGE_EDIT_MINUTES = 15
/** GoTrue's links in recovery mails are valid for at most a day. */
export const RECOVERY_LINK_HOURS = 24
/** Drafts of comments, replies and forms are deleted: what they refer to may no longer exist. */
export const DRAFT_DAYS = 30

/**
 * Originals that are kept for 'Edit' while their posts wait in the outbox, per member, in bytes: two posts with ten large photos. Those of
 * further posts are not kept.
 */
export const QUEUED_ORIGINALS_BYTES = 2 * POST_PHOTOS * 25 * 1024 * 1024

/**
 * Limits of the cache on disk, per member and server: bytes in all and of one query, number of queries, and days until a query
 * is removed. `keep`: the share that stays when the oldest are evicted.
 */
export const DISK_CACHE = {
  bytes: 50_000_000,
  queryBytes: 4_000_000,
  queries: 3_000,
  days: 30,
  keep: 0.9,
} as const

/** Objects that a client reads because the server does not check them, and keeps in memory: bytes in all, and number. */
export const CHECKED_OBJECTS = { bytes: 64_000_000, count: 600 } as const

export const FEED_PAGE = 8
export const COMMENTS_PAGE = 20
export const GRID_PAGE = 30
export const PEOPLE_PAGE = 30
export const STORIES_PAGE = 100
/** Characters of a text to find in the page, in UTF-16 units. */
export const FIND_MAX = 1_000
/** Posts with a hashtag or of a place are counted up to this number. */
export const TOPIC_POSTS_COUNTED = 1_000
/** Most recipients of a share: well below the messages per minute. */
export const SHARE_RECIPIENTS = 20
export const CONVERSATIONS_PAGE = 30
/** Requests and archived conversations above this are shown as '99+'. */
export const FOLDER_COUNT_MAX = 99
/** Conversations that a member can pin. */
export const PINNED_MOST = 5
export const MESSAGES_PAGE = 50
/** `mark_read` marks at most this many messages per call. */
export const MESSAGES_MARKED = 100
/** Characters of a search, in any field. No name, place or hashtag is longer. */
export const QUERY_MAX = 100
/** Matches per page, messages per read, and characters of the shortest query. */
export const MESSAGE_SEARCH = { page: 20, read: 2_000, shortest: 2 } as const
/** Groups of notifications per page of the bell. */
export const NOTIFICATIONS_PAGE = 20
/** More other members than this are shown as '99+ others'. */
export const GROUP_ACTORS_MAX = 99
/** Counts above this are shown as '9+'. */
export const BADGE_MAX = 9
export const GRID_TEXT_PREVIEW = 50

/** How long 'Account Created!' is shown before the feed opens, in milliseconds. */
export const SIGNUP_REDIRECT_MS = 2_000
