/** Auth requests whose response is a session or an account. */
const ACCOUNT = /\/auth\/v1\/(token|signup|verify|user)(\?|$)/

/**
 * A `fetch` that takes a session or an account of another form for a failure of the server: supabase-js would store it, and
 * ids become parts of addresses and topics.
 */
export function checkedAuthFetch(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init)
    if (!response.ok || !ACCOUNT.test(input instanceof Request ? input.url : String(input))) return response
    // Not in the first load: a stored session needs no such request.
    const { checkedAnswer } = await import('./auth-answer')
    return checkedAnswer(response)
  }
}
