import { AppError, toAppError } from '#/renderer/lib/core/errors'
import { isTransient } from '#/renderer/lib/core/failures'
import { logFailure } from '#/renderer/lib/core/logger'
import { BUCKET, removeObjects } from '#/renderer/lib/media-store/requests'
import { isKnownOffline } from '#/renderer/lib/queries/offline'
import { clientFetch, storageRequest } from '#/renderer/lib/server/supabase'
import { RESUMABLE_BYTES } from '#/shared/limits'
import {
  CACHE_SECONDS,
  type StartedUpload,
  sendUpload,
  type UploadOptions,
  type UploadResponse,
  uploadError,
} from './upload-object'

// Supabase Storage's resumable uploads: https://supabase.com/docs/guides/storage/uploads/resumable-uploads. Each piece has
// `RESUMABLE_BYTES`, except the last.

const ROOT = '/upload/resumable'
const PROTOCOL = { 'Tus-Resumable': '1.0.0' }

/** Pauses before an upload goes on after a failure, in milliseconds. A piece that arrives begins them again. */
const PAUSES_MS = [1_000, 3_000, 5_000, 10_000]

/**
 * Statuses after which the offset is read again: the upload no longer exists, has another offset because the response to a
 * piece was lost, or an earlier request of it is still running.
 */
const READ_AGAIN: ReadonlySet<number> = new Set([404, 409, 410, 423])

/**
 * Uploads a file in pieces, from where an earlier attempt was cut. Returns its path. Throws an `AppError` if it cannot go on for some
 * seconds, or the signal's reason; then what has arrived stays at the server for a day.
 * @param newPath a path that was never used
 */
export async function uploadResumable(
  newPath: () => string,
  content: Blob,
  options: UploadOptions = {},
): Promise<string> {
  const { signal, onProgress, keepStarted } = options
  let { started } = options
  /** Null if the server has to be asked. */
  let offset: number | null = null
  let failures = 0
  for (;;) {
    try {
      if (started !== undefined) offset ??= await readOffset(started, content, signal)
      if (started === undefined || offset === null) {
        signal?.throwIfAborted()
        // This request ignores the signal: an aborted request would lose the upload's id, and without it the upload cannot be ended.
        started = await createUpload(newPath(), content)
        offset = 0
        await keepStarted?.(started)
        signal?.throwIfAborted()
      }
      onProgress?.(offset / content.size)
      if (offset === content.size) return started.path
      offset = await sendPiece(started, content, offset, options)
      failures = 0
    } catch (cause) {
      signal?.throwIfAborted()
      const error = toAppError(cause)
      const pauseMs = PAUSES_MS[failures]
      if (pauseMs === undefined || !mayContinue(error)) throw error
      failures += 1
      offset = null
      await pause(pauseMs, signal)
    }
  }
}

/** Whether to go on after a pause. After other failures that pass, the outbox tries again, for example once the app is online. */
function mayContinue(error: AppError): boolean {
  const { code } = error
  return isTransient(error) && code !== 'rate-limited' && code !== 'session-expired' && !isKnownOffline(error)
}

/** The last part of an upload's address: on hosted projects, encoded names of about 200 characters. From its beginning, so that any text is read in one pass. */
const UPLOAD_ID = /^(?!\.\.?$)[\w.~%=-]{1,2000}$/

async function createUpload(path: string, content: Blob): Promise<StartedUpload> {
  const metadata = {
    bucketName: BUCKET,
    objectName: path,
    contentType: content.type,
    cacheControl: String(CACHE_SECONDS),
  }
  const response = await sendUpload({
    method: 'POST',
    path: ROOT,
    headers: {
      ...PROTOCOL,
      'Upload-Length': String(content.size),
      'Upload-Metadata': Object.entries(metadata)
        .map(([name, value]) => `${name} ${btoa(value)}`)
        .join(),
      'x-upsert': 'false',
    },
  })
  if (response.status !== 201) throw errorOf(response, content)
  // Only the last part is used: the rest may name another host, and an embedded server's changes.
  const id = (response.header('Location') ?? '').replace(/\/$/, '').split('/').at(-1) ?? ''
  if (!UPLOAD_ID.test(id)) throw new AppError('server', '', 'resumable upload without an address')
  return { path, id }
}

/** The offset at which an upload goes on; null if it no longer exists, or is not this file's. */
async function readOffset(
  { id }: StartedUpload,
  content: Blob,
  signal: AbortSignal | undefined,
): Promise<number | null> {
  const response = await sendUpload({ method: 'HEAD', path: `${ROOT}/${id}`, headers: PROTOCOL, signal })
  const { status } = response
  // A refusal has no reason here; creating another upload gets one.
  if ([400, 401, 403, 404, 410].includes(status)) return null
  if (status >= 300) throw pieceError(response, content)
  const offset = bytesIn(response, 'Upload-Offset')
  const isOurs = bytesIn(response, 'Upload-Length') === content.size && offset <= content.size
  return isOurs ? offset : null
}

/** Sends the next piece. Returns the offset after it. */
async function sendPiece(
  { id }: StartedUpload,
  content: Blob,
  start: number,
  { signal, onProgress }: Pick<UploadOptions, 'signal' | 'onProgress'>,
): Promise<number> {
  const response = await sendUpload({
    method: 'PATCH',
    path: `${ROOT}/${id}`,
    headers: {
      ...PROTOCOL,
      'Content-Type': 'application/offset+octet-stream',
      'Upload-Offset': String(start),
      'x-upsert': 'false',
    },
    body: content.slice(start, start + RESUMABLE_BYTES),
    signal,
    onSent: (sent) => onProgress?.((start + sent) / content.size),
  })
  if (response.status >= 300) throw pieceError(response, content)
  const offset = bytesIn(response, 'Upload-Offset')
  if (offset <= start || offset > content.size)
    throw new AppError('server', '', 'resumable upload without progress')
  return offset
}

function bytesIn({ header }: UploadResponse, name: string): number {
  const text = header(name) ?? ''
  if (!/^\d{1,15}$/.test(text)) throw new AppError('server', '', `resumable upload without ${name}`)
  return Number(text)
}

/** Storage answers with a text here, and with JSON elsewhere. */
function errorOf(response: UploadResponse, content: Blob): AppError {
  const { text } = response
  const body = text.startsWith('{') ? text : JSON.stringify({ message: text })
  return uploadError({ ...response, text: body }, content)
}

function pieceError(response: UploadResponse, content: Blob): AppError {
  return READ_AGAIN.has(response.status)
    ? new AppError('offline', '', `resumable upload ${response.status}`)
    : errorOf(response, content)
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}

/**
 * Ends uploads that are not continued: deletes at the server what has arrived, also if it was complete. Never rejects: the server
 * deletes it after a day.
 */
export async function endUploads(uploads: readonly StartedUpload[]): Promise<void> {
  try {
    for (const { id } of uploads) {
      const { url, headers } = await storageRequest(`${ROOT}/${id}`)
      await clientFetch(url, { method: 'DELETE', headers: { ...headers, ...PROTOCOL } })
    }
    await removeObjects(uploads.map(({ path }) => path))
  } catch (cause) {
    logFailure('end uploads', cause)
  }
}
