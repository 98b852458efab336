import { noteServerTime } from './server-time'

/** Hosted ends a statement after 8 s: an answer that has not begun by then will not come. In milliseconds. */
const ANSWER_MS = 10_000
/** Signing up or asking for a code sends a mail before it is answered. In milliseconds. */
const MAIL_MS = 30_000
/** What is sent has to arrive first: one millisecond for so many characters, as on a line of 0.8 Mbit/s. */
const UPLOAD_PER_MS = 100
/** How long nothing may come of an answer that has begun, in milliseconds: a slow line takes minutes for a video. */
const STALL_MS = 30_000
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

/** Statuses whose answers have no body; a `Response` cannot even be made with one. */
const BODILESS: ReadonlySet<number> = new Set([101, 204, 205, 304])

function timedOut(): DOMException {
  return new DOMException('signal timed out', 'TimeoutError')
}

/** The same answer; `stall` is called when its body stops coming. */
function watched(response: Response, stall: () => void): Response {
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
 * A `fetch` that ends: a server that accepts and never answers must not leave anybody waiting for ever. A request that
 * is given up rejects with a `TimeoutError`.
 *
 * @param onDoubt called when an answer takes so long that the connection may be gone
 */
export function timedFetch(onDoubt: () => void): typeof fetch {
  return async (input, init) => {
    const patience = patienceFor(input instanceof Request ? input.url : String(input), init?.body)
    const givenUp = new AbortController()
    const giveUp = () => givenUp.abort(timedOut())
    const end = setTimeout(giveUp, patience.end)
    const doubt = setTimeout(onDoubt, patience.doubt)
    const signals = [givenUp.signal]
    if (init?.signal) signals.push(init.signal)
    try {
      const response = await fetch(input, { ...init, signal: AbortSignal.any(signals) })
      noteServerTime(response)
      return watched(response, giveUp)
    } finally {
      clearTimeout(end)
      clearTimeout(doubt)
    }
  }
}
