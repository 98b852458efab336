import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type RealtimeChannel, type SupabaseClient } from '@supabase/supabase-js'
import { SignJWT } from 'jose'
import { afterAll } from 'vitest'
import { WebSocket } from 'ws'
import type { Backend, BackendOptions } from '#/backend/start/start-backend'
import { loadSecrets, type Secrets } from '#/backend/storage/secrets'
import { discard, signUpMember, startUnmanagedBackend } from '#tests/backend/support/backend'
import { copyPreparedDatabase } from '#tests/backend/support/prepared'

export interface Member {
  id: string
  username: string
  client: SupabaseClient
}

/** An embedded server for a test file, with its keys. */
export interface RealtimeServer {
  backend: Backend
  secrets: Secrets
  log: string[]
  /** Creates a client with a separate connection. */
  client(options?: { heartbeatIntervalMs?: number; key?: string }): SupabaseClient
  member(username: string): Promise<Member>
  /** Signs a token with the key of the server. */
  token(claims: Record<string, unknown>, secondsLeft?: number): Promise<string>
  /** Cuts every client connection like a lost network. */
  terminateAll(): void
  /** Creates a conversation in which both members have written. */
  conversation(one: Member, other: Member): Promise<string>
  stop(): Promise<void>
}

export async function startRealtimeServer(
  options: Pick<BackendOptions, 'realtimeLimits'> = {},
): Promise<RealtimeServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'vignette-realtime-'))
  await copyPreparedDatabase(dataDir)
  const log: string[] = []
  const backend = await startUnmanagedBackend(dataDir, options, log)
  const secrets = await loadSecrets(join(dataDir, 'secrets.json'))

  const sockets = new Set<WebSocket>()
  class TrackedSocket extends WebSocket {
    constructor(...args: ConstructorParameters<typeof WebSocket>) {
      super(...args)
      sockets.add(this)
      this.on('close', () => sockets.delete(this))
    }
  }

  const client: RealtimeServer['client'] = ({ key = backend.publishableKey, ...realtime } = {}) =>
    createClient(backend.url, key, {
      auth: { persistSession: false, autoRefreshToken: false, storageKey: crypto.randomUUID() },
      realtime: { transport: TrackedSocket as unknown as typeof globalThis.WebSocket, ...realtime },
    })

  /** A session of the member; undefined if there is none. */
  const sessionOf = async (id: unknown) => {
    if (typeof id !== 'string') return undefined
    const { rows } = await backend.exclusive(() =>
      backend.pg.query<{ id: string }>('select id from auth.sessions where user_id = $1 limit 1', [id]),
    )
    return rows[0]?.id
  }

  return {
    backend,
    secrets,
    log,
    client,
    member: async (username) => {
      const own = client()
      const { id } = await signUpMember(backend, username, own)
      return { id, username, client: own }
    },
    token: async (claims, secondsLeft = 3600) =>
      new SignJWT({ role: 'authenticated', session_id: await sessionOf(claims.sub), ...claims })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setExpirationTime(Math.floor(Date.now() / 1000) + secondsLeft)
        .sign(new TextEncoder().encode(secrets.jwtSecret)),
    terminateAll: () => {
      for (const socket of sockets) socket.terminate()
    },
    conversation: async (one, other) => {
      const id = crypto.randomUUID()
      const { error } = await one.client
        .from('conversations')
        .insert({ id, participant_1: one.id, participant_2: other.id })
      if (error !== null) throw new Error(error.message)
      await sendMessage(one, id, 'Hello')
      await sendMessage(other, id, 'Hello to you')
      return id
    },
    stop: async () => {
      await discard(backend)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Starts a server with three members for a test file; the first two have written to each other. */
export async function startWithMembers(options: Pick<BackendOptions, 'realtimeLimits'> = {}) {
  const server = await startRealtimeServer(options)
  afterAll(() => server.stop())
  const ada = await server.member('ada')
  const bea = await server.member('bea')
  const cyd = await server.member('cyd')
  return { server, ada, bea, cyd, conversation: await server.conversation(ada, bea) }
}

/** The state of a subscription, with its reason if it failed. */
export function subscribed(channel: RealtimeChannel): Promise<{ state: string; reason: string }> {
  return new Promise((resolve) => {
    channel.subscribe((state, error) => resolve({ state, reason: error?.message ?? '' }))
  })
}

/** Joins a channel; throws with the reason if it fails. */
export async function mustSubscribe(channel: RealtimeChannel): Promise<RealtimeChannel> {
  const { state, reason } = await subscribed(channel)
  if (state !== 'SUBSCRIBED') throw new Error(`${channel.topic}: ${state} ${reason}`)
  return channel
}

/** Sends a message as a member and returns its id. */
export async function sendMessage(sender: Member, conversation: string, content: string): Promise<string> {
  const id = crypto.randomUUID()
  const { error } = await sender.client
    .from('messages')
    .insert({ id, conversation_id: conversation, sender_id: sender.id, content })
  if (error !== null) throw new Error(error.message)
  return id
}
