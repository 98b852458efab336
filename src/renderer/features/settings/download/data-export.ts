import type { Json } from '#/shared/database.types'
export interface Person {
  username: string
  full_name: string
}

/** A member and a date; the member is null if they are no longer visible. */
export interface Since {
  person: Person | null
  created_at: string
}

export interface AboutPost {
  post_id: string
  created_at: string
  /** The author's username; null if the post is hidden. */
  post_by: string | null
}

/** The content of a download. Pictures and videos are paths in the archive. */
export interface DataExport {
  profile: Person & {
    email: string
    bio: string
    website: string | null
    picture: string | null
    post_count: number
    follower_count: number
    following_count: number
    created_at: string
  }
  posts: {
    id: string
    content: string
    location: string | null
    like_count: number
    comment_count: number
    created_at: string
    edited_at: string | null
    photos: {
      /** A photo, or the cover of a video; null if the cover is missing. */
      picture: string | null
      /** Only of a video. */
      video?: string
      /** Only of a video that has some. */
      captions?: string
      alt_text: string | null
      camera: Json | null
      /** In pixels; null if it is unknown. */
      width: number | null
      height: number | null
    }[]
  }[]
  stories: {
    id: string
    content: string | null
    media_type: string
    created_at: string
    media: string | null
  }[]
  /** A reply has the id of the comment that starts its thread. */
  comments: (AboutPost & { id: string; parent_id: string | null; content: string })[]
  lists: {
    likes: AboutPost[]
    comment_likes: {
      comment_id: string
      created_at: string
      /** The username of its author; null if the comment is hidden. */
      comment_by: string | null
    }[]
    saved: AboutPost[]
    followers: Since[]
    following: Since[]
    hashtags: { tag: string; created_at: string }[]
    requested: Since[]
    blocked: Since[]
    muted: Since[]
  }
  conversations: {
    id: string
    with: Person | null
    /** Where the member lists it: inbox, requests, archived or none. */
    folder: string
    pinned_at: string | null
    /** Up to when the member deleted its messages for themselves. */
    cleared_at: string | null
    messages: {
      id: string
      content: string
      created_at: string
      edited_at: string | null
      forwarded: boolean
      photo: string | null
      /** It has a photo, but the photo cannot be shown. */
      is_photo_missing: boolean
      is_mine: boolean
      is_unsent: boolean
      answers_story: boolean
      /** What the message shares; the id is null after it was deleted. */
      shared: { kind: string; id: string | null } | null
      my_reaction: string | null
      their_reaction: string | null
    }[]
  }[]
}
