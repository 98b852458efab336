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

/** Returns the same response, and calls `stall` if its body stops arriving. */
function withStallTimeout(response: Response, stall: () => void): Response {
  const { body, status, statusText, headers } = response
  if (body === null || BODILESS.has(status)) return response
  let timer = setTimeout(stall, STALL_MS)
  const watch = new TransformStream<Uint8Array, Uint8Array>({
    transform: (part, controller) => {
      clearTimeout(timer)
      timer = setTimeout(stall, STALL_MS)
      controller.enqueue(part)
    },
    flush: () => clearTimeout(timer),
  })
  return new Response(body.pipeThrough(watch), { status, statusText, headers })
}

/**
 * A `fetch` with a timeout, in case the server accepts a request and never responds. Rejects with a `TimeoutError`.
 *
 * @param onDoubt called when a response is so slow that the connection may be lost
 */
export function timedFetch(onDoubt: () => void): typeof fetch {
  return async (input, init) => {
    const timeouts = timeoutsFor(input instanceof Request ? input.url : String(input), init?.body)
    const timeout = new AbortController()
    const handleTimeout = () => timeout.abort(timedOut())
    const end = setTimeout(handleTimeout, timeouts.end)
    const doubt = setTimeout(onDoubt, timeouts.doubt)
    const signals = [timeout.signal]
    if (init?.signal) signals.push(init.signal)
    try {
      const response = await fetch(input, { ...init, signal: AbortSignal.any(signals) })
      recordServerTime(response)
      return withStallTimeout(response, handleTimeout)
    } finally {
      clearTimeout(end)
      clearTimeout(doubt)
    }
  }
}
