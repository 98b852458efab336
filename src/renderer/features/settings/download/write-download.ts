import { isoDay } from '#/renderer/lib/content/time'
import { type Archive, createArchive } from './archive'
import type { DataExport } from './data-export'
import { fileOf, mediaFile, mediaPath } from './media-file'
import { renderPage } from './page'
import {
  type MediaColumns,
  type OwnProfileRow,
  type Reading,
  readCaptions,
  readCommentLikes,
  readComments,
  readConversations,
  readFollowers,
  readFollowing,
  readHashtags,
  readHidden,
  readLikes,
  readMessagePhotos,
  readMessages,
  readObject,
  readPictures,
  readPosts,
  readProfile,
  readRequests,
  readSaved,
  readStories,
  readStoryMedia,
} from './queries'
import { createRowCount } from './read-all'

/** Steps of the export, in order. */
export type DownloadStep = 'profile' | 'posts' | 'stories' | 'comments' | 'lists' | 'messages' | 'page'

/** Progress of a step; the total is null if it is unknown. */
export interface DownloadProgress {
  step: DownloadStep
  done: number
  total: number | null
}

/** Full pictures per request, up to 1.5 MB each. */
const PICTURES_AT_ONCE = 4

interface DownloadOptions {
  me: string
  email: string
  signal: AbortSignal
  onProgress: (progress: DownloadProgress) => void
}

/** Starts a step, and returns its context. */
type Begin = (step: DownloadStep) => Reading

/** Reads a picture or video from Storage or from a data URL; null if there is none. */
async function readMedia(reading: Reading, media: MediaColumns | null | undefined) {
  if (media?.path != null) {
    const content = await readObject(reading, media.path)
    return content && fileOf(content)
  }
  return media?.url == null ? null : mediaFile(media.url)
}

/** Adds a picture or video as a file. Returns its path, or null if there is none. */
async function addMedia(
  archive: Archive,
  reading: Reading,
  media: MediaColumns | null | undefined,
  pathOf: (extension: string) => string,
) {
  const file = await readMedia(reading, media)
  if (file === null) return null
  const path = pathOf(file.extension)
  await archive.add(path, file.content)
  return path
}

/** Adds the files of a video. Their names are those of its cover, so that players find the captions. */
async function addVideo(
  archive: Archive,
  reading: Reading,
  { video, hasCaptions }: MediaColumns,
  pathOf: (extension: string) => string,
): Promise<{ video?: string; captions?: string }> {
  if (video == null) return {}
  const added = await addMedia(archive, reading, { path: video, url: null }, pathOf)
  if (added === null) return {}
  const words = hasCaptions === true ? await readCaptions(reading, video) : null
  if (words === null) return { video: added }
  const captions = pathOf('vtt')
  await archive.addText(captions, [words])
  return { video: added, captions }
}

async function addPosts(
  archive: Archive,
  reading: Reading,
  onProgress: (done: number, total: number) => void,
) {
  const rows = await readPosts({ ...reading, onRead: () => undefined })
  const posts: DataExport['posts'] = []
  onProgress(0, rows.length)
  while (posts.length < rows.length) {
    const some = rows.slice(posts.length, posts.length + PICTURES_AT_ONCE)
    const pictures = await readPictures(
      reading,
      some.map(({ id }) => id),
    )
    for (const { alt_text, ...row } of some) {
      const photos: DataExport['posts'][number]['photos'] = []
      for (const [index, photo] of (pictures.get(row.id) ?? []).entries()) {
        // The first photo has no number: most posts have only one.
        const id = index === 0 ? row.id : `${row.id}-${index + 1}`
        const pathOf = (extension: string) => mediaPath('posts', { ...row, id }, extension)
        const picture = await addMedia(archive, reading, photo, pathOf)
        const video = await addVideo(archive, reading, photo, pathOf)
        if (picture === null && video.video === undefined) continue
        const { altText, camera = null, width = null, height = null } = photo
        photos.push({ picture, ...video, alt_text: altText ?? alt_text, camera, width, height })
      }
      posts.push({ ...row, photos })
    }
    onProgress(posts.length, rows.length)
  }
  return posts
}

async function addStories(
  archive: Archive,
  reading: Reading,
  onProgress: (done: number, total: number) => void,
) {
  const rows = await readStories({ ...reading, onRead: () => undefined })
  const stories: DataExport['stories'] = []
  onProgress(0, rows.length)
  for (const row of rows) {
    const media = await addMedia(archive, reading, await readStoryMedia(reading, row.id), (extension) =>
      mediaPath('stories', row, extension),
    )
    stories.push({ ...row, media })
    onProgress(stories.length, rows.length)
  }
  return stories
}

type Conversation = DataExport['conversations'][number]

/** Adds a conversation, oldest message first, with its photos as files. */
async function addMessages(
  archive: Archive,
  reading: Reading,
  id: string,
): Promise<Conversation['messages']> {
  const rows = (await readMessages(reading, id)).reverse()
  const messages: Conversation['messages'] = []
  while (messages.length < rows.length) {
    // Batch the photos, because few messages contain a photo.
    const photoIds: string[] = []
    const from = messages.length
    let to = from
    while (to < rows.length && photoIds.length < PICTURES_AT_ONCE) {
      const photoId = rows[to]?.media_id ?? null
      if (photoId !== null) photoIds.push(photoId)
      to += 1
    }
    const photos =
      photoIds.length === 0 ? new Map<string, MediaColumns>() : await readMessagePhotos(reading, photoIds)
    for (const stored of rows.slice(from, to)) {
      const { sender_id, deleted_at, media_id, reactions, ...rest } = stored
      const { shared_kind: kind, shared_post_id, shared_story_id, shared_profile_id, ...row } = rest
      const isMine = sender_id === reading.me
      const photo = await addMedia(archive, reading, photos.get(media_id ?? ''), (extension) =>
        mediaPath('messages', row, extension),
      )
      messages.push({
        ...row,
        shared: kind === null ? null : { kind, id: shared_post_id ?? shared_story_id ?? shared_profile_id },
        is_mine: isMine,
        is_unsent: deleted_at !== null,
        photo,
        is_photo_missing: media_id !== null && photo === null && deleted_at === null,
        my_reaction: reactions.find(({ member_id }) => member_id === reading.me)?.emoji ?? null,
        their_reaction: reactions.find(({ member_id }) => member_id !== reading.me)?.emoji ?? null,
      })
    }
  }
  return messages
}

async function addConversations(archive: Archive, reading: Reading): Promise<Conversation[]> {
  const conversations: Conversation[] = []
  let before = 0
  for (const { id, other, folder, pinned_at, cleared_at } of await readConversations({
    ...reading,
    onRead: () => undefined,
  })) {
    const onRead = (count: number) => reading.onRead(before + count)
    const messages = await addMessages(archive, { ...reading, onRead }, id)
    before += messages.length
    conversations.push({ id, with: other, folder, pinned_at, cleared_at, messages })
  }
  return conversations
}

/** The author's username; null if the post or comment is hidden. */
function authorOf(post: { author: { username: string } } | null): string | null {
  return post?.author.username ?? null
}

async function readOwnComments(reading: Reading): Promise<DataExport['comments']> {
  return (await readComments(reading)).map(({ post, ...row }) => ({ ...row, post_by: authorOf(post) }))
}

function aboutPost({ id, created_at, post }: Awaited<ReturnType<typeof readLikes>>[number]) {
  return { post_id: id, created_at, post_by: authorOf(post) }
}

async function readLists(reading: Reading): Promise<DataExport['lists']> {
  return {
    likes: (await readLikes(reading)).map(aboutPost),
    comment_likes: (await readCommentLikes(reading)).map(({ id, created_at, comment }) => ({
      comment_id: id,
      created_at,
      comment_by: authorOf(comment),
    })),
    saved: (await readSaved(reading)).map(aboutPost),
    followers: (await readFollowers(reading)).map(since),
    following: (await readFollowing(reading)).map(since),
    hashtags: await readHashtags(reading),
    requested: (await readRequests(reading)).map(since),
    blocked: await readHidden(reading, 'blocked_members'),
    muted: await readHidden(reading, 'muted_members'),
  }
}

function since({ person, created_at }: Awaited<ReturnType<typeof readFollowers>>[number]) {
  return { person, created_at }
}

async function collect(
  archive: Archive,
  profile: OwnProfileRow,
  { email, onProgress }: DownloadOptions,
  begin: Begin,
): Promise<DataExport> {
  const { avatar_url: url, avatar_path: path, ...row } = profile
  const counted = (step: DownloadStep) => (done: number, total: number) => onProgress({ step, done, total })
  return {
    profile: {
      ...row,
      email,
      picture: await addMedia(
        archive,
        begin('profile'),
        { path, url },
        (extension) => `profile-picture.${extension}`,
      ),
    },
    posts: await addPosts(archive, begin('posts'), counted('posts')),
    stories: await addStories(archive, begin('stories'), counted('stories')),
    comments: await readOwnComments(begin('comments')),
    lists: await readLists(begin('lists')),
    conversations: await addConversations(archive, begin('messages')),
  }
}

/** Serializes JSON in parts, row by row for lists. */
function* json(content: unknown): Generator<string> {
  if (!Array.isArray(content)) {
    yield JSON.stringify(content, null, 2)
    return
  }
  for (const [index, row] of content.entries()) {
    yield `${index === 0 ? '[' : ','}\n${JSON.stringify(row, null, 2)}`
  }
  yield content.length === 0 ? '[]\n' : '\n]\n'
}

export interface WrittenFile {
  file: Blob
  name: string
}

/** Exports the member's data to a zip file with an HTML page to view it; to several if one cannot hold it. The page is in the last. */
export async function writeDownload(options: DownloadOptions): Promise<[WrittenFile, ...WrittenFile[]]> {
  const { me, signal, onProgress } = options
  const now = new Date()
  const archive = createArchive(now)
  const countRows = createRowCount()
  const begin: Begin = (step) => {
    onProgress({ step, done: 0, total: null })
    return { me, signal, countRows, onRead: (done) => onProgress({ step, done, total: null }) }
  }
  const profile = await readProfile(begin('profile'))
  const data = await collect(archive, profile, options, begin)

  begin('page')
  const { lists, ...parts } = data
  const { likes, comment_likes, saved, ...people } = lists
  const files = {
    profile: parts.profile,
    posts: parts.posts,
    stories: parts.stories,
    comments: parts.comments,
    likes,
    'comment-likes': comment_likes,
    saved,
    people,
    messages: parts.conversations,
  }
  for (const [name, content] of Object.entries(files)) {
    await archive.addText(`${name}.json`, json(content))
    signal.throwIfAborted()
  }
  await archive.addText('index.html', await renderPage(data, now))
  signal.throwIfAborted()
  const name = `vignette-${profile.username}-${isoDay(now)}`
  const [first, ...others] = archive.finish()
  if (others.length === 0) return [{ file: first, name: `${name}.zip` }]
  const rest = others.map((file, index) => ({ file, name: `${name}-${index + 2}.zip` }))
  return [{ file: first, name: `${name}-1.zip` }, ...rest]
}
