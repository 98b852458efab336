import type { Cast, Name } from './cast'

/** Sends a raw request; signed out without a token. */
export async function curl(
  { server }: Cast,
  path: string,
  init: RequestInit = {},
  token?: string,
): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set('apikey', server.publishableKey)
  if (init.body !== undefined) headers.set('content-type', 'application/json')
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
  return server.fetch(`${server.url}${path}`, { ...init, headers })
}

export async function tokenOf(cast: Cast, name: Name): Promise<string> {
  const { data } = await cast.members[name].client.auth.getSession()
  return data.session?.access_token ?? ''
}
