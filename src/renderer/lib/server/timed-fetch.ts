import { recordServerTime } from '#/renderer/lib/core/clock-store'
import { countValues } from '#/shared/json-values'
import { MEDIA_LIMITS, STORED_VIDEO_BYTES } from '#/shared/limits'

/** Hosted Supabase cancels a statement after 8 s, so a later response will not come. In milliseconds. */
const ANSWER_MS = 10_000
/** Sign-up and code requests send a mail before they respond. In milliseconds. */
const MAIL_MS = 30_000
/** Time for the upload: one millisecond per this many characters, as on a connection of 0.8 Mbit/s. */
const UPLOAD_PER_MS = 100
/** How long a response that has started may pause, in milliseconds: a slow connection takes minutes for a video. */
const STALL_MS = 30_000
/** A response that takes longer to start raises doubt about the connection, in milliseconds. */
const DOUBT_MS = 3_000

/**
 * The bytes of a response that are read: a row with an inline video, and a page of texts beside it. A server that sends more, by
 * mistake or to fill the memory, is treated like one that fails.
 */
const ROWS_BYTES = MEDIA_LIMITS.video.characters + 4_000_000
/** The same for Auth, and for errors: a session and its account are a few kilobytes. */
const SMALL_BYTES = 1_000_000

/** The values of a response that is JSON: a thousand rows with what is embedded in them have some ten thousand. */
export const VALUES_MAX = 200_000

/** Whether the response is a stored file, not an error. */
function isFile(address: string, isOk: boolean): boolean {
  return isOk && address.includes('/storage/v1/object/sign/media/')
}

/** The largest response to this address, or the largest error, in bytes. */
export function responseLimit(address: string, isOk: boolean): number {
  if (isFile(address, isOk)) return STORED_VIDEO_BYTES
  return isOk && !address.includes('/auth/v1/') ? ROWS_BYTES : SMALL_BYTES
}

/** Whether this auth request may send a mail. Token requests never do. */
function maySendMail(address: string): boolean {
  return address.includes('/auth/v1/') && !address.includes('/auth/v1/token')
}

/**
 * Time until the response must have started, in milliseconds: doubt begins after `doubt`, the request is aborted after
 * `end`.
 */
export function timeoutsFor(address: string, body: unknown): { doubt: number; end: number } {
  const upload = typeof body === 'string' ? Math.round(body.length / UPLOAD_PER_MS) : 0
  return { doubt: DOUBT_MS + upload, end: (maySendMail(address) ? MAIL_MS : ANSWER_MS) + upload }
}

function timedOut(): DOMException {
  return new DOMException('signal timed out', 'TimeoutError')
}

function tooLarge(): TypeError {
  return new TypeError('the response is too large')
}

/** Reads a body to its end. Calls `end` with the reason if it stops arriving or exceeds what is read from this address. */
async function watchBody(
  body: ReadableStream<Uint8Array>,
  address: string,
  isOk: boolean,
  end: (reason: Error) => void,
) {
  const limit = responseLimit(address, isOk)
  const hasMore = isFile(address, isOk) ? () => false : countValues(VALUES_MAX)
  const stall = () => end(timedOut())
  let timer = setTimeout(stall, STALL_MS)
  let received = 0
  const reader = body.getReader()
  try {
    for (let part = await reader.read(); part.value !== undefined; part = await reader.read()) {
      clearTimeout(timer)
      received += part.value.byteLength
      if (received > limit || hasMore(part.value)) return end(tooLarge())
      timer = setTimeout(stall, STALL_MS)
    }
  } finally {
    clearTimeout(timer)
  }
}

/**
 * A `fetch` with a timeout, in case the server accepts a request and never responds, and a limit of the response's bytes.
 * Rejects with a `TimeoutError` or a `TypeError`, and so does reading the response. The body is received to its end unless the
 * request is aborted.
 *
 * @param onDoubt called when a response is so slow that the connection may be lost
 */
export function timedFetch(onDoubt: () => void): typeof fetch {
  return async (input, init) => {
    const address = input instanceof Request ? input.url : String(input)
    const timeouts = timeoutsFor(address, init?.body)
    const timeout = new AbortController()
    const end = setTimeout(() => timeout.abort(timedOut()), timeouts.end)
    const doubt = setTimeout(onDoubt, timeouts.doubt)
    const signals = [timeout.signal]
    if (init?.signal) signals.push(init.signal)
    try {
      const response = await fetch(input, { ...init, signal: AbortSignal.any(signals) })
      // Stored files are cached together with the date at which they were loaded.
      if (!address.includes('/storage/v1/')) recordServerTime(response)
      // Of a copy, also if nobody reads the response: Chromium reports a request as failed whose own body JavaScript reads part by
      // part, and keeps the connection of one whose body is not read.
      const { body } = response.clone()
      if (body === null) return response
      const watched = watchBody(body, address, response.ok, (reason) => timeout.abort(reason))
      // Reading the response fails in the same way. An error is short: nobody parses it before all of it has been counted.
      if (response.ok) watched.catch(() => undefined)
      else await watched
      timeout.signal.throwIfAborted()
      return response
    } finally {
      clearTimeout(end)
      clearTimeout(doubt)
    }
  }
}
