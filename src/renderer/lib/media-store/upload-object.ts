import { AppError } from '#/renderer/lib/errors'
import { storageRequest } from '#/renderer/lib/supabase'
import { texts } from '#/renderer/lib/texts'
import { showToast } from '#/renderer/lib/toasts'
import { BUCKET, storageError } from './requests'

// Not in requests.ts, so that it is not in the first load.

export interface UploadOptions {
  /** Aborts the upload; the promise rejects with the signal's reason. */
  signal?: AbortSignal
  /** Receives the fraction sent, from 0 to 1. */
  onProgress?: (fraction: number) => void
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

/** The bytes of the response to an upload that are read: it names the object, or an error. */
const ANSWER_BYTES = 64 * 1024

/** Uploads an object. With XMLHttpRequest, because `fetch` reports no progress. Throws an `AppError`. */
export async function uploadObject(
  path: string,
  content: Blob,
  { signal, onProgress }: UploadOptions = {},
): Promise<void> {
  const { url, headers } = await storageRequest(`/object/${BUCKET}/${path}`)
  signal?.throwIfAborted()
  const request = new XMLHttpRequest()
  await new Promise<void>((resolve, reject) => {
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
      if (total > 0) onProgress?.(loaded / total)
    })
    request.addEventListener('progress', ({ loaded }) => {
      if (loaded <= ANSWER_BYTES) return
      reject(new AppError('server', '', 'the response to an upload is too large'))
      request.abort()
    })
    request.addEventListener('load', () => {
      if (request.status < 300) return resolve()
      const error = storageError(request.status, request.responseText)
      if (!isOverUploadQuota(error)) return reject(error)
      // Shown here for all uploads, as for all writes: the photo stays where it can be sent again.
      showToast({ text: texts.tooFast })
      reject(new AppError('rate-limited', '', error.detail, { cause: error }))
    })
    request.addEventListener('error', () => reject(new AppError('offline', '', 'upload')))
    request.addEventListener('loadend', () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', handleAbort)
    })
    request.open('POST', url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.setRequestHeader('Content-Type', content.type)
    // Keys are never used again.
    request.setRequestHeader('Cache-Control', 'max-age=31536000')
    request.setRequestHeader('x-upsert', 'false')
    request.send(content)
  })
}
