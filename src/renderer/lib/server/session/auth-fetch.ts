import type { sessionSenders } from './session-fetch'
import { renewalUnanswered } from './session-renewal-store'

/** Auth requests whose response may be a session. */
const SESSION = /\/auth\/v1\/(token|signup|verify)(\?|$)/
const REFRESH = '/auth/v1/token?grant_type=refresh_token'

/**
 * A `fetch` for the app's session. supabase-js ends the session after each answer to a refresh that is neither a new
 * session nor a 5xx, also after a proxy's page or a 429. Here only Auth's own refusals reach it. Everything else rejects,
 * as without a network, and the next refresh waits for Retry-After or a growing pause.
 */
export function authFetch(send: typeof fetch): typeof fetch {
  let loaded: ReturnType<typeof sessionSenders> | null = null

  return async (input, init) => {
    const address = input instanceof Request ? input.url : String(input)
    if (!SESSION.test(address)) return send(input, init)
    const isRefresh = address.includes(REFRESH)
    try {
      // Not in the first load: a stored session that has not expired needs no such request.
      const { sessionSenders } = await import('./session-fetch')
      loaded ??= sessionSenders()
      const sendForSession = isRefresh ? loaded.refresh : loaded.open
      return await sendForSession(() => send(input, init))
    } catch (cause) {
      if (isRefresh) renewalUnanswered()
      throw cause
    }
  }
}
