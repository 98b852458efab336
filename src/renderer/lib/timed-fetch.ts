import { MEDIA_LIMITS } from '#/shared/limits'
import { recordServerTime } from './clock-store'

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
 * The bytes of a response that are read: a row with an inline video, and a page of texts beside it. Objects of Storage are
 * smaller. A server that sends more, by mistake or to fill the memory, is treated like one that fails.
 */
const ROWS_BYTES = MEDIA_LIMITS.video.characters + 4_000_000
/** The same for Auth: a session and its account are a few kilobytes. */
const AUTH_BYTES = 1_000_000

/** The largest response to this address, in bytes. */
export function responseLimit(address: string): number {
  return address.includes('/auth/v1/') ? AUTH_BYTES : ROWS_BYTES
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

/** Statuses without a body: the `Response` constructor throws if they have one. */
const BODILESS: ReadonlySet<number> = new Set([101, 204, 205, 304])

function timedOut(): DOMException {
  return new DOMException('signal timed out', 'TimeoutError')
}

function tooLarge(): TypeError {
  return new TypeError('the response is too large')
}

/** Returns the same response. Calls `end` with the reason if its body stops arriving or exceeds this limit. */
function boundedResponse(response: Response, limit: number, end: (reason: Error) => void): Response {
  const { body, status, statusText, headers } = response
  if (body === null || BODILESS.has(status)) return response
  const stall = () => end(timedOut())
  let timer = setTimeout(stall, STALL_MS)
  let received = 0
  const watch = new TransformStream<Uint8Array, Uint8Array>({
    transform: (part, controller) => {
      clearTimeout(timer)
      received += part.byteLength
      if (received > limit) {
        const reason = tooLarge()
        end(reason)
        controller.error(reason)
        return
      }
      timer = setTimeout(stall, STALL_MS)
      controller.enqueue(part)
    },
    flush: () => clearTimeout(timer),
  })
  return new Response(body.pipeThrough(watch), { status, statusText, headers })
}

/**
 * A `fetch` with a timeout, in case the server accepts a request and never responds, and a limit of the response's bytes.
 * Rejects with a `TimeoutError` or a `TypeError`.
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
      return boundedResponse(response, responseLimit(address), (reason) => timeout.abort(reason))
    } finally {
      clearTimeout(end)
      clearTimeout(doubt)
    }
  }
}
