import { noteServerTime } from './server-time'

/** Hosted ends a statement after 8 s: an answer that has not begun by then will not come. In milliseconds. */
const ANSWER_MS = 10_000
/** Signing up or asking for a code sends a mail before it is answered. In milliseconds. */
const MAIL_MS = 30_000
/** What is sent has to arrive first: one millisecond for so many characters, as on a line of 0.8 Mbit/s. */
const UPLOAD_PER_MS = 100
/** How long what comes may take once it has begun to, in milliseconds. */
const DOWNLOAD_MS = 60_000
/** Who waits longer than this for an answer to begin has reason to doubt the connection, in milliseconds. */
const DOUBT_MS = 3_000

/** Whether it is an auth request that may send a mail; a session's token is given without one. */
function maySendMail(address: string): boolean {
  return address.includes('/auth/v1/') && !address.includes('/auth/v1/token')
}

/** How long until the answer of a request may begin, in milliseconds: doubts come after `doubt`, its end after `end`. */
export function patienceFor(address: string, body: unknown): { doubt: number; end: number } {
  const upload = typeof body === 'string' ? Math.round(body.length / UPLOAD_PER_MS) : 0
  return { doubt: DOUBT_MS + upload, end: (maySendMail(address) ? MAIL_MS : ANSWER_MS) + upload }
}

/**
 * A `fetch` that ends: a server that accepts and never answers must not leave anybody waiting for ever. A request that
 * is given up rejects with a `TimeoutError`.
 *
 * @param onDoubt called when an answer takes so long that the connection may be gone
 */
export function timedFetch(onDoubt: () => void): typeof fetch {
  return async (input, init) => {
    const patience = patienceFor(input instanceof Request ? input.url : String(input), init?.body)
    const unanswered = new AbortController()
    const end = setTimeout(
      () => unanswered.abort(new DOMException('signal timed out', 'TimeoutError')),
      patience.end,
    )
    const doubt = setTimeout(onDoubt, patience.doubt)
    const signals = [unanswered.signal, AbortSignal.timeout(patience.end + DOWNLOAD_MS)]
    if (init?.signal) signals.push(init.signal)
    try {
      const response = await fetch(input, { ...init, signal: AbortSignal.any(signals) })
      noteServerTime(response)
      return response
    } finally {
      clearTimeout(end)
      clearTimeout(doubt)
    }
  }
}
