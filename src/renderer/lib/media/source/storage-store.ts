import { useEffect } from 'react'
import { create } from 'zustand'
import { AppError } from '#/renderer/lib/core/errors'
import { logFailure, logIfFails } from '#/renderer/lib/core/logger'
import { useServerInfo } from '#/renderer/lib/core/server-info'
import { clientFetch, storageRequest, supabase, unwrap } from '#/renderer/lib/server/supabase'
import { texts } from '#/renderer/lib/texts'
import { POST_VIDEO, STORED_VIDEO_BYTES, type VideoRules } from '#/shared/limits'
import { MediaError } from './media-error'

interface Answer {
  /** The most bytes of a file that the bucket of this page's server takes: null without Storage, undefined until it has answered. */
  bucket: number | null | undefined
  /** The size of the smallest file that it has refused. */
  refused: number
}

const useAnswer = create<Answer>(() => ({ bucket: undefined, refused: Number.POSITIVE_INFINITY }))

const isEmbedded = () => useServerInfo.getState().server?.kind === 'embedded'

async function askBucket(): Promise<number | null> {
  const bucket: number | null = await unwrap(supabase().rpc('media_limit'))
  useAnswer.setState({ bucket })
  return bucket
}

/** Whether this page's server can store pictures and videos. Asked until it can. Throws an `AppError`. */
export async function hasStorage(): Promise<boolean> {
  if (isEmbedded() || typeof useAnswer.getState().bucket === 'number') return true
  return (await askBucket()) !== null
}

/** A project may take less than its bucket: Storage says it where uploads in pieces begin. Infinity if it is unknown, e.g. because a proxy hides it. */
async function projectLimit(): Promise<number> {
  try {
    const { url, headers } = await storageRequest('/upload/resumable')
    const response = await clientFetch(url, { method: 'OPTIONS', headers })
    const text = response.headers.get('Tus-Max-Size') ?? ''
    return /^\d{1,15}$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY
  } catch (cause) {
    logFailure('ask for the largest upload', cause)
    return Number.POSITIVE_INFINITY
  }
}

/** The most bytes of a file that this page's server says to take. Throws an `AppError`: 'no-storage' if it takes none yet. */
async function saidLimit(): Promise<number> {
  if (isEmbedded()) return STORED_VIDEO_BYTES
  const [bucket, project] = await Promise.all([askBucket(), projectLimit()])
  if (bucket === null) throw noStorage()
  return Math.min(STORED_VIDEO_BYTES, bucket, project)
}

/** What is kept of a video for a post, as far as this page's server takes it: ask before it is converted. Throws an `AppError`. */
export async function postVideoRules(): Promise<VideoRules> {
  return { ...POST_VIDEO, bytes: Math.min(await saidLimit(), useAnswer.getState().refused - 1) }
}

/** Call when a file of this size was refused because of it. Returns the most bytes that the server takes; null if it does not say so. */
export async function limitAfterRefusal(size: number): Promise<number | null> {
  useAnswer.setState(({ refused }) => ({ refused: Math.min(refused, size) }))
  const limit = await saidLimit().catch(() => size)
  return limit < size ? limit : null
}

/**
 * Refuses a chosen file before it is prepared, on a server that cannot store it; one that cannot be asked now probably has Storage. Throws
 * MediaError.
 */
export async function checkStorage(): Promise<void> {
  if (!(await hasStorage().catch(() => true))) throw new MediaError('no-storage')
}

/** Throws an `AppError`: 'no-storage' if this page's server cannot store pictures and videos yet. */
export async function requireStorage(): Promise<void> {
  if (!(await hasStorage())) throw noStorage()
}

function noStorage(): AppError {
  return new AppError('no-storage', texts.media['no-storage'], 'no Storage')
}

/** Asks when a form opens whether it can take pictures and videos; true until the server has said no. */
export function useMayStoreMedia(): boolean {
  useEffect(() => void logIfFails('ask for Storage', hasStorage()), [])
  return useAnswer(({ bucket }) => bucket) !== null
}
