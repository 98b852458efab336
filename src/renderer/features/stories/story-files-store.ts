import type { DBSchema } from 'idb'
import { logFailure } from '#/renderer/lib/core/logger'
import { createDraftStore } from '#/renderer/lib/local/draft-store'
import { storedObjects } from '#/renderer/lib/local/indexed-db'
import { isRecord, storageKeyPrefix } from '#/renderer/lib/local/local-storage'
import {
  blobOf,
  type ClipEdit,
  type MediaFile,
  type PreparedMedia,
  type VideoInfo,
} from '#/renderer/lib/media'

/**
 * How the part of a video is chosen: `whole` without the member, while the editor is open (`editing`), or by the member (`chosen`), who
 * returns to the editor by cancelling.
 */
export type ClipStep = 'whole' | 'editing' | 'chosen'

/** A chosen video without its file. */
export interface KeptClip {
  step: ClipStep
  name: string
  bytes: number
  info: VideoInfo
  edit: ClipEdit
}

/** The stored draft of a story, without its files. */
export interface KeptStory {
  id: string
  wasSent: boolean
  replaces: readonly string[]
  caption: string
  clip: KeptClip | null
  /** Whether `clip` is converted; else it was being converted when the app ended. */
  isReady: boolean
}

/** The files of a draft: what will be shared, and the chosen video, from which another part can be taken. */
export interface StoryFiles {
  media: PreparedMedia | null
  source: Blob | null
}

const STEPS: ReadonlySet<unknown> = new Set<ClipStep>(['whole', 'editing', 'chosen'])

function isClip(value: unknown): value is KeptClip {
  return (
    isRecord(value) &&
    STEPS.has(value.step) &&
    typeof value.name === 'string' &&
    typeof value.bytes === 'number' &&
    isRecord(value.info) &&
    isRecord(value.edit) &&
    [value.edit.from, value.edit.to, value.edit.cover].every((each) => typeof each === 'number')
  )
}

const words = createDraftStore<KeptStory>('story', ({ id, wasSent, replaces, caption, clip, isReady }) =>
  typeof id !== 'string' || typeof caption !== 'string'
    ? null
    : {
        id,
        wasSent: wasSent === true,
        replaces: Array.isArray(replaces) ? replaces.filter((each) => typeof each === 'string') : [],
        caption,
        clip: isClip(clip) ? clip : null,
        isReady: isReady === true,
      },
)

const NAME = 'new'
const FILES = 'files'

interface StorySchema extends DBSchema {
  [FILES]: { key: string; value: Blob | PreparedMedia }
}

const { database, write } = storedObjects<StorySchema, typeof FILES>('vignette.story', FILES, (created) => {
  created.createObjectStore(FILES)
})

const keyOf = (me: string, file: keyof StoryFiles) => `${storageKeyPrefix('story', me)}${file}`

/** Writes run in order, so that the last change stays. */
let last: Promise<void> = Promise.resolve()

function inTurn(work: () => Promise<void>): void {
  last = last.then(work).catch((cause: unknown) => logFailure('keep story draft', cause))
}

export function readStory(me: string): KeptStory | null {
  return words.read(me, NAME)
}

/** Stores a draft without its files; null removes it. */
export function keepStory(me: string, story: KeptStory | null): void {
  words.write(me, NAME, story)
}

/** Stores or, if null, removes files of a draft. Never rejects: what does not fit on the disk stays in memory. */
export function keepFiles(
  me: string,
  files: Partial<Pick<StoryFiles, 'media'> & { source: MediaFile | null }>,
): void {
  for (const file of ['media', 'source'] as const) {
    const content = files[file]
    if (content === undefined) continue
    const key = keyOf(me, file)
    inTurn(async () => {
      const stored = content !== null && 'url' in content ? await blobOf(content) : content
      await write((rows) => (stored === null ? rows.delete(key) : rows.put(stored, key)))
    })
  }
}

/** The files of a draft, as far as they can be read. Never rejects. */
export async function loadFiles(me: string): Promise<StoryFiles> {
  await last
  return readFiles(me).catch((cause: unknown) => {
    logFailure('restore story draft', cause)
    return { media: null, source: null }
  })
}

async function readFiles(me: string): Promise<StoryFiles> {
  const files = await database()
  const media = await files.get(FILES, keyOf(me, 'media'))
  const source = await files.get(FILES, keyOf(me, 'source'))
  return {
    media: media === undefined || media instanceof Blob ? null : media,
    source: source instanceof Blob ? source : null,
  }
}
