import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import WebSocket from 'ws'
import type { TestServer } from '#tests/backend/support/server'

export interface Member {
  id: string
  username: string
  email: string
  password: string
  client: SupabaseClient
}

/** A supabase-js client without a session. */
export function visitor(server: TestServer): SupabaseClient {
  return makeClient(server, {})
}

/** A client that sends this token, valid or not. */
export function clientWithToken(server: TestServer, token: string): SupabaseClient {
  return makeClient(server, { Authorization: `Bearer ${token}` })
}

function makeClient(server: TestServer, headers: Record<string, string>): SupabaseClient {
  return createClient(server.url, server.publishableKey, {
    global: { fetch: server.fetch, headers },
    auth: { persistSession: false, autoRefreshToken: false },
    // supabase-js needs a WebSocket when it is created, and Node 20 has no WebSocket.
    realtime: { transport: WebSocket as unknown as typeof globalThis.WebSocket },
  })
}

/** Signs up a member like the app: the account first, then the profile unless `profile` is false. */
export async function signUp(server: TestServer, username: string, { profile = true } = {}): Promise<Member> {
  const client = visitor(server)
  const account = { email: `${username}@example.com`, password: `a passphrase of ${username}` }
  const { data, error } = await client.auth.signUp(account)
  if (error || !data.user) throw new Error(`${username} cannot sign up: ${error?.message}`)
  const member = { id: data.user.id, username, client, ...account }
  if (!profile) return member
  const full_name = `${username.charAt(0).toUpperCase()}${username.slice(1)} Example`
  const inserted = await client.from('profiles').insert({ id: member.id, username, full_name })
  if (inserted.error) throw new Error(`${username} cannot make a profile: ${inserted.error.message}`)
  return member
}
