import { AppError } from '#/renderer/lib/core/errors'
import { loadObject } from '#/renderer/lib/media-store/load-object'
import { type Cursor, newestFirst } from '#/renderer/lib/queries/keyset'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import type { Json } from '#/shared/database.types'
import { type Row, readAll, withRetry } from './read-all'

/** Rows per page for tables without media. */
const PAGE = 500
/** The same for rows with lists of other rows. */
const PAGE_WITH_LISTS = 100
/** The same for messages, whose lists of reactions are short. */
const MESSAGES_PAGE = 150

/** Context of one step of the export. */
export interface Reading {
  me: string
  signal: AbortSignal
  /** Receives the number of rows read so far. */
  onRead: (count: number) => void
  /** Receives each page. Throws if the download becomes too large. */
  countRows?: (rows: readonly unknown[]) => void
}

type Paged<R> = (page: { after: Cursor; size: number }) => Promise<R[]>

function all<R extends Row>(
  { signal, onRead, countRows }: Reading,
  load: Paged<R>,
  pageSize: number = PAGE,
): Promise<R[]> {
  const loadPage = async (after: Cursor, size: number) => {
    const rows = await load({ after, size })
    countRows?.(rows)
    return rows
  }
  return readAll({ signal, size: pageSize, load: loadPage }, onRead)
}

export type OwnProfileRow = Awaited<ReturnType<typeof readProfile>>

/** The profile row, including settings and counts. */
export function readProfile({ me, signal }: Reading) {
  return withRetry(signal, () =>
    unwrap(
      supabase()
        .from('profiles')
        .select(
          'id,username,full_name,bio,website,avatar_url,avatar_path,is_private,show_activity_status,allow_story_replies,new_messages_from,post_count,follower_count,following_count,created_at,updated_at',
        )
        .eq('id', me)
        .abortSignal(signal)
        .single(),
    ),
  )
}

/** The posts without their pictures. */
export function readPosts(reading: Reading) {
  return all(reading, (page) =>
    unwrap(
      newestFirst(
        supabase()
          .from('posts')
          .select('id,content,location,alt_text,like_count,comment_count,created_at,edited_at')
          .eq('user_id', reading.me)
          .abortSignal(reading.signal),
        { ...page, idColumn: 'id' },
      ),
    ),
  )
}

/** Where a picture or video is: a path in Storage or a data URL. */
export interface MediaColumns {
  path: string | null
  url: string | null
  /** Of a photo in Storage. */
  altText?: string | null
  /** Of a photo in Storage: what the member shows of how it was taken. */
  camera?: Json | null
  /** Of a post's picture, in pixels; null if it is unknown. */
  width?: number | null
  height?: number | null
  /** Of a video of a post, whose cover is the picture: its path in Storage. */
  video?: string | null
  hasCaptions?: boolean
}

/** Full pictures by post id. */
export async function readPictures({ signal }: Reading, ids: string[]): Promise<Map<string, MediaColumns[]>> {
  const rows = await withRetry(signal, () =>
    unwrap(
      supabase()
        .from('posts')
        .select(
          'id,image_url,image_width,image_height,media:post_media(full_path,media_path,has_captions,alt_text,camera,width,height)',
        )
        .in('id', ids)
        .order('position', { referencedTable: 'media' })
        .abortSignal(signal),
    ),
  )
  return new Map(
    rows.map(({ id, image_url: url, image_width, image_height, media }) => [
      id,
      media.length === 0
        ? [{ path: null, url, width: image_width, height: image_height }]
        : media.map(
            ({
              full_path: path,
              media_path: video,
              has_captions: hasCaptions,
              alt_text: altText,
              ...photo
            }) => ({
              path,
              url: null,
              video,
              hasCaptions,
              altText,
              ...photo,
            }),
          ),
    ]),
  )
}

/** The captions of a video as WebVTT; null if its post has been deleted. */
export async function readCaptions({ signal }: Reading, path: string): Promise<string | null> {
  const media = supabase().from('post_media').select('captions').eq('media_path', path)
  const row = await withRetry(signal, () => unwrap(media.abortSignal(signal).maybeSingle()))
  return row?.captions ?? null
}

/** Downloads an object; null if it does not exist, or is another member's photo that must not be shown. */
export async function readObject({ me, signal }: Reading, path: string): Promise<Blob | null> {
  const use = path.startsWith(`${me}/`) ? null : 'message'
  try {
    return await withRetry(signal, () => loadObject(path, use, signal))
  } catch (cause) {
    if (cause instanceof AppError && cause.code === 'invalid') return null
    throw cause
  }
}

/** The stories without their media, including expired ones. */
export function readStories(reading: Reading) {
  return all(reading, (page) =>
    unwrap(
      newestFirst(
        supabase()
          .from('stories')
          .select('id,content,media_type,created_at,expires_at')
          .eq('user_id', reading.me)
          .abortSignal(reading.signal),
        { ...page, idColumn: 'id' },
      ),
    ),
  )
}

/** A story's picture or video; null if the story has been deleted. */
export async function readStoryMedia({ signal }: Reading, id: string): Promise<MediaColumns | null> {
  const stories = supabase().from('stories').select('media_url,media_path').eq('id', id)
  const row = await withRetry(signal, () => unwrap(stories.abortSignal(signal).maybeSingle()))
  return row && { path: row.media_path, url: row.media_url }
}

/** The post of a row and its author; null if the post is hidden. */
const POST_OF = 'author:profiles!posts_user_id_fkey(username)'

export function readComments(reading: Reading) {
  return all(reading, (page) =>
    unwrap(
      newestFirst(
        supabase()
          .from('comments')
          .select(`id,parent_id,content,created_at,post_id,post:posts!comments_post_id_fkey(${POST_OF})`)
          .eq('user_id', reading.me)
          .abortSignal(reading.signal),
        { ...page, idColumn: 'id' },
      ),
    ),
  )
}

export function readLikes(reading: Reading) {
  return all(reading, (page) =>
    unwrap(
      newestFirst(
        supabase()
          .from('likes')
          .select(`id:post_id,created_at,post:posts!likes_post_id_fkey(${POST_OF})`)
          .eq('user_id', reading.me)
          .abortSignal(reading.signal),
        { ...page, idColumn: 'post_id' },
      ),
    ),
  )
}

export function readCommentLikes(reading: Reading) {
  return all(reading, (page) =>
    unwrap(
      newestFirst(
        supabase()
          .from('comment_likes')
          .select(
            'id:comment_id,created_at,comment:comments!comment_likes_comment_id_fkey(author:profiles!comments_user_id_fkey(username))',
          )
          .eq('user_id', reading.me)
          .abortSignal(reading.signal),
        { ...page, idColumn: 'comment_id' },
      ),
    ),
  )
}

export function readSaved(reading: Reading) {
  return all(reading, (page) =>
    unwrap(
      newestFirst(
        supabase()
          .from('saved_posts')
          .select(`id:post_id,created_at,post:posts!saved_posts_post_id_fkey(${POST_OF})`)
          .eq('user_id', reading.me)
          .abortSignal(reading.signal),
        { ...page, idColumn: 'post_id' },
      ),
    ),
  )
}

const PERSON = 'username,full_name'

export function readFollowers(reading: Reading) {
  return all(reading, (page) =>
    unwrap(
      newestFirst(
        supabase()
          .from('follows')
          .select(`id:follower_id,created_at,person:profiles!follows_follower_id_fkey(${PERSON})`)
          .eq('following_id', reading.me)
          .abortSignal(reading.signal),
        { ...page, idColumn: 'follower_id' },
      ),
    ),
  )
}

export function readFollowing(reading: Reading) {
  return all(reading, (page) =>
    unwrap(
      newestFirst(
        supabase()
          .from('follows')
          .select(`id:following_id,created_at,person:profiles!follows_following_id_fkey(${PERSON})`)
          .eq('follower_id', reading.me)
          .abortSignal(reading.signal),
        { ...page, idColumn: 'following_id' },
      ),
    ),
  )
}

/** The hashtags that the member follows, newest first. */
export function readHashtags({ me, signal }: Reading) {
  const hashtags = supabase().from('hashtag_follows').select('tag,created_at').eq('follower_id', me)
  return withRetry(signal, () =>
    unwrap(hashtags.order('created_at', { ascending: false }).abortSignal(signal)),
  )
}

/** Pending follow requests of the member. */
export function readRequests(reading: Reading) {
  return all(reading, (page) =>
    unwrap(
      newestFirst(
        supabase()
          .from('follow_requests')
          .select(`id:target_id,created_at,person:profiles!follow_requests_target_id_fkey(${PERSON})`)
          .eq('requester_id', reading.me)
          .abortSignal(reading.signal),
        { ...page, idColumn: 'target_id' },
      ),
    ),
  )
}

/** Blocked or muted members. */
export async function readHidden(reading: Reading, list: 'blocked_members' | 'muted_members') {
  const rows = await all(reading, (page) =>
    unwrap(
      newestFirst(
        supabase().rpc(list).select('id,username,full_name,created_at').abortSignal(reading.signal),
        { ...page, idColumn: 'id' },
      ),
    ),
  )
  return rows.map(({ username, full_name, created_at }) => ({
    // The name is empty if they have blocked this member too.
    person: username === '' ? null : { username, full_name },
    created_at,
  }))
}

/** The conversations and the other member; null if the two are no longer visible to each other. */
export async function readConversations(reading: Reading) {
  const rows = await all(
    reading,
    (page) =>
      unwrap(
        newestFirst(
          supabase()
            .from('conversations')
            .select(
              `id,created_at,participant_1,mine:conversation_views!conversation_views_conversation_id_fkey(folder,pinned_at,cleared_at),first:profiles!conversations_participant_1_fkey(${PERSON}),second:profiles!conversations_participant_2_fkey(${PERSON})`,
            )
            .or(`participant_1.eq.${reading.me},participant_2.eq.${reading.me}`)
            .abortSignal(reading.signal),
          { ...page, idColumn: 'id' },
        ),
      ),
    PAGE_WITH_LISTS,
  )
  return rows.map(({ id, created_at, participant_1, mine: [mine], first, second }) => ({
    id,
    created_at,
    folder: mine?.folder ?? 'none',
    pinned_at: mine?.pinned_at ?? null,
    cleared_at: mine?.cleared_at ?? null,
    other: participant_1 === reading.me ? second : first,
  }))
}

/** Photos of messages by id, without unsent ones. */
export async function readMessagePhotos(
  { signal }: Reading,
  ids: string[],
): Promise<Map<string, MediaColumns>> {
  const photos = supabase().from('message_media').select('id,image_url,media_path').in('id', ids)
  const rows = await withRetry(signal, () => unwrap(photos.abortSignal(signal)))
  return new Map(rows.map(({ id, image_url: url, media_path: path }) => [id, { path, url }]))
}

export function readMessages(reading: Reading, conversationId: string) {
  return all(
    reading,
    (page) =>
      unwrap(
        newestFirst(
          supabase()
            .from('messages')
            .select(
              'id,sender_id,content,created_at,edited_at,deleted_at,forwarded,media_id,reply_to_id,answers_story,shared_kind,shared_post_id,shared_story_id,shared_profile_id,reactions:message_reactions(member_id,emoji)',
            )
            .eq('conversation_id', conversationId)
            .abortSignal(reading.signal),
          { ...page, idColumn: 'id' },
        ),
      ),
    MESSAGES_PAGE,
  )
}
