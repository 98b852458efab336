import { logFailure } from '#/renderer/lib/core/logger'
import { isLoopbackHost } from '#/shared/server'

/** Writes that others' counters count (docs/decisions/0096). A change to a public account accepts its requests. */
const COUNTED =
  /\/rest\/v1\/(likes|comment_likes|comments|follows|rpc\/(create_post|delete_posts|delete_comments|accept_follow_request|end_follow|block_members))$/
const PROFILES = /\/rest\/v1\/profiles$/

function isCounted(pathname: string, { method, body }: RequestInit): boolean {
  if (method === 'PATCH') return PROFILES.test(pathname) && String(body).includes('"is_private"')
  return (method === 'POST' || method === 'DELETE') && COUNTED.test(pathname)
}

const FIRST_MS = 1_000
const MOST_CALLS = 3

/**
 * A `fetch` that calls `settle` one to two seconds after such a write, and as often as it asks for, at most three times: on a busy
 * row the server has written down what the write counts instead of making it wait. Delays are random, at most doubled, so that the
 * apps of members who like the same post do not call at once.
 * @param settle returns after how many milliseconds to call it again; null if nothing is left
 */
export function settlingFetch(send: typeof fetch, settle: () => Promise<number | null>): typeof fetch {
  let timer: ReturnType<typeof setTimeout> | undefined
  const schedule = (after: number, calls: number) => {
    timer = setTimeout(
      () => {
        timer = undefined
        settle().then(
          (again) => {
            if (again !== null && calls < MOST_CALLS && timer === undefined) schedule(again, calls + 1)
          },
          // The next writer, or the next member's app, does it.
          (cause: unknown) => logFailure('add up counters', cause),
        )
      },
      after * (1 + Math.random()),
    )
  }
  return async (input, init) => {
    const response = await send(input, init)
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    if (response.ok && timer === undefined && init && isCounted(pathname, init)) schedule(FIRST_MS, 1)
    return response
  }
}

const COUNTERS = /\b(like|comment|reply|post|follower|following)_count\b/g

/**
 * The same columns, whose counters include what the server at this address has not added up yet. A server on this machine has few
 * members, and the embedded one, where nothing waits, has no such columns.
 */
export function withWaitingCounts<Columns extends string>(columns: Columns, url: string): Columns {
  if (isLoopbackHost(new URL(url).hostname)) return columns
  return columns.replaceAll(COUNTERS, '$&:shown_$&') as Columns
}
