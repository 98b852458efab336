import { AppError } from '#/renderer/lib/core/errors'
import { showToast } from '#/renderer/lib/core/toasts'
import { BUCKET, storageError } from '#/renderer/lib/media-store/requests'
import { storageRequest } from '#/renderer/lib/server/supabase'
import { texts } from '#/renderer/lib/texts'

// Not in requests.ts, so that it is not in the first load.

/** A resumable upload that was started. */
export interface StartedUpload {
  /** The path that the object will have. */
  path: string
  /** The last part of the upload's address. */
  id: string
}

export interface UploadOptions {
  /** Aborts the upload; the promise rejects with the signal's reason. */
  signal?: AbortSignal
  /** Receives the fraction sent, from 0 to 1. */
  onProgress?: (fraction: number) => void
  /** What an earlier attempt has started with the same file. Only files of more than `RESUMABLE_BYTES` can be resumed. */
  started?: StartedUpload | undefined
  /** Records what this attempt has started. If the upload is not continued, end it with `endUploads`. */
  keepStarted?: (started: StartedUpload) => Promise<void>
}

/**
 * Whether the member has uploaded too much. Hosted Storage only says that a policy refused the row: the app uploads to new keys in
 * the member's folder, which no other rule of the policy refuses.
 */
function isOverUploadQuota({ code, message }: AppError): boolean {
  return code === 'rate-limited' || message.includes('row-level security')
}

/** How long an upload may pause, and the server may take to respond to it, in milliseconds. */
const STALL_MS = 30_000

/** How long an object may be cached, in seconds: its key is never used again. */
export const CACHE_SECONDS = 31_536_000

/** The bytes of the response to an upload that are read: it names the object, or an error. */
const ANSWER_BYTES = 64 * 1024

/** The error of a refused upload of this file. Shows a toast if the member has uploaded too much. */
export function uploadError({ status, text }: UploadResponse, content: Blob): AppError {
  const error = storageError(status, text)
  if (!isOverUploadQuota(error)) return error
  // Shown here for all uploads, as for all writes: the photo stays where it can be sent again.
  showToast({ text: isVideoType(content.type) ? texts.tooManyVideos : texts.tooFast })
  return new AppError('rate-limited', '', error.detail, { cause: error })
}

export function isVideoType(type: string): boolean {
  return type.startsWith('video/')
}

interface UploadRequest {
  method: 'POST' | 'HEAD' | 'PATCH'
  /** Below Storage's address. */
  path: string
  headers: Readonly<Record<string, string>>
  body?: Blob
  signal?: AbortSignal | undefined
  /** Receives the bytes sent, and how many there are. */
  onSent?: (sent: number, total: number) => void
}

export interface UploadResponse {
  status: number
  text: string
  header: (name: string) => string | null
}

/**
 * Sends a request of an upload as the signed-in member. With XMLHttpRequest, because `fetch` reports no progress. Rejects with an
 * `AppError` if there is no response, or with the signal's reason.
 */
export async function sendUpload(upload: UploadRequest): Promise<UploadResponse> {
  const { method, path, body, signal, onSent } = upload
  const { url, headers } = await storageRequest(path)
  signal?.throwIfAborted()
  const request = new XMLHttpRequest()
  return new Promise<UploadResponse>((resolve, reject) => {
    const handleStall = () => {
      reject(new AppError('offline', '', 'upload stalled'))
      request.abort()
    }
    let timer = setTimeout(handleStall, STALL_MS)
    const handleAbort = () => {
      reject(signal?.reason)
      request.abort()
    }
    signal?.addEventListener('abort', handleAbort)
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      clearTimeout(timer)
      timer = setTimeout(handleStall, STALL_MS)
      onSent?.(loaded, total)
    })
    request.addEventListener('progress', ({ loaded }) => {
      if (loaded <= ANSWER_BYTES) return
      reject(new AppError('server', '', 'the response to an upload is too large'))
      request.abort()
    })
    request.addEventListener('load', () => {
      const { status, responseText: text } = request
      resolve({ status, text, header: (name) => request.getResponseHeader(name) })
    })
    request.addEventListener('error', () => reject(new AppError('offline', '', 'upload')))
    request.addEventListener('loadend', () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', handleAbort)
    })
    request.open(method, url)
    for (const [name, value] of Object.entries({ ...headers, ...upload.headers }))
      request.setRequestHeader(name, value)
    request.send(body)
  })
}

/** Uploads an object in one request. Throws an `AppError`, or the signal's reason. */
export async function uploadObject(
  path: string,
  content: Blob,
  { signal, onProgress }: Pick<UploadOptions, 'signal' | 'onProgress'> = {},
): Promise<void> {
  const response = await sendUpload({
    method: 'POST',
    path: `/object/${BUCKET}/${path}`,
    headers: {
      'Content-Type': content.type,
      'Cache-Control': `max-age=${CACHE_SECONDS}`,
      'x-upsert': 'false',
    },
    body: content,
    signal,
    onSent: (sent, total) => {
      if (total > 0) onProgress?.(sent / total)
    },
  })
  if (response.status >= 300) throw uploadError(response, content)
}
