// Limits that only the database enforces. Code that needs one takes it from here into src/shared/limits.ts.

/** Its author sees an expired story for this time; then it is deleted. */
export const EXPIRED_STORY_DAYS = 7
/** A photo that no message uses is deleted. */
export const UNSENT_PHOTO_DAYS = 1
/** An uploaded file that no row uses is deleted. */
export const UNUSED_UPLOAD_DAYS = 1
/** Until a read notification is deleted. */
export const READ_NOTIFICATION_DAYS = 90
/** A like or follow that is undone and repeated within this time does not notify again. */
export const WITHDRAWN_NOTIFICATION_DAYS = 1
/** After this time, changing the e-mail address or password and deleting the account require the password. */
export const RECENT_SIGN_IN_MINUTES = 10
/** A session that was not used for so long ends, and the server says for as long why it ended. */
export const UNUSED_SESSION_DAYS = 30
/** How long the e-mail before a change can recover an account on the embedded server. */
export const FORMER_EMAIL_DAYS = 7
/** A session that ends so soon after a change of its account ended because of it. */
export const CHANGE_ENDS_SESSIONS_MINUTES = 1
/** While members are active, the recorded time of their last activity is at most this old. */
export const ACTIVITY_SECONDS = 30
/** Members that a search finds. */
export const SEARCH_LIMIT = 10
/** Hashtags, and places, that a search finds. */
export const TOPICS_FOUND = 5
/** Members that one text notifies by mentioning them. */
export const MENTIONS_NOTIFIED = 20
/** Devices in the list of sign-ins. */
export const SESSIONS_SHOWN = 100
/** Sign-ins on new devices about which a member is asked. */
export const NEW_SIGN_INS_ASKED = 10
/** Popular hashtags on Explore, of so many days. */
export const POPULAR_HASHTAGS = 12
export const POPULAR_DAYS = 7

/** Characters of the captions of a video in a post. */
export const CAPTION_CHARACTERS = 30_000

/**
 * How many rows of a kind one member may create or change; `media_bytes` and `video_bytes` count stored bytes. Defaults: the operator of a server can
 * change its table `private.quotas`.
 */
export const QUOTAS = {
  posts: { perMinute: null, perDay: 50 },
  stories: { perMinute: null, perDay: 100 },
  media_bytes: { perMinute: null, perDay: 500_000_000 },
  video_bytes: { perMinute: null, perDay: 2_000_000_000 },
  /** Uploaded bytes that no row uses yet, in at most 1,000 objects. */
  upload_bytes: { perMinute: null, perDay: 200_000_000 },
  video_upload_bytes: { perMinute: null, perDay: 2_500_000_000 },
  comments: { perMinute: 30, perDay: 1_000 },
  messages: { perMinute: 60, perDay: 5_000 },
  message_photos: { perMinute: 60, perDay: 5_000 },
  likes: { perMinute: 120, perDay: null },
  saved_posts: { perMinute: 120, perDay: null },
  /** Together with follow requests. */
  follows: { perMinute: 60, perDay: 500 },
  hashtag_follows: { perMinute: 60, perDay: 500 },
  conversations: { perMinute: 60, perDay: 500 },
  story_views: { perMinute: 240, perDay: null },
  blocks: { perMinute: 60, perDay: 500 },
  mutes: { perMinute: 60, perDay: 500 },
  reports: { perMinute: null, perDay: 20 },
  /** Changes of the username. */
  usernames: { perMinute: null, perDay: 20 },
  /** Changes of the account to private or public. */
  privacy_changes: { perMinute: null, perDay: 20 },
  profile_changes: { perMinute: 60, perDay: 1_000 },
  post_changes: { perMinute: 60, perDay: 1_000 },
  /** Edits and unsending. */
  message_changes: { perMinute: 120, perDay: null },
  /** To messages. */
  reactions: { perMinute: 120, perDay: null },
  /** Statements that mark messages or notifications as read. */
  read_marks: { perMinute: 240, perDay: null },
  removals: { perMinute: 600, perDay: null },
  conversation_changes: { perMinute: 120, perDay: null },
} as const
