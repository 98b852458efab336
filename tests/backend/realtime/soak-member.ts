import { setTimeout as pause } from 'node:timers/promises'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { decodeJwt, type JWTPayload, SignJWT } from 'jose'
import { WebSocket } from 'ws'
import { MESSAGE_COLUMNS, type Message } from '#/renderer/features/messages/message'
import { type History, hasGap, withNewest, withUpdates } from '#/renderer/features/messages/model/history'
import type { ChangeNotice } from '#/renderer/lib/live/changes'
import { createRowReader } from '#/renderer/lib/live/row-reader'
import { type Cursor, newestFirst } from '#/renderer/lib/queries/keyset'

export interface SoakServer {
  url: string
  publishableKey: string
  jwtSecret: string
}

/** Small, so that a gap needs several pages. */
const PAGE = 20
/** An earlier attempt succeeded although its response was lost. */
const UNIQUE_VIOLATION = '23505'

/**
 * Simulates the app's open conversations: live events, and refetching after every gap, merged by the app's `history.ts`.
 */
export interface SoakMember {
  id: string
  /** Opens a conversation. */
  open(conversation: string): void
  /** The shown messages of a conversation, oldest first. */
  shown(conversation: string): readonly Message[]
  /** Retries until the server acknowledges the message. */
  send(conversation: string, content: string): Promise<void>
  /** Cuts the connection like a lost network. */
  cut(): void
  counts: { receivedLive: number; readAgain: number; closings: number }
  leave(): Promise<void>
}

export async function openSoakMember(
  server: SoakServer,
  username: string,
  tokenSeconds: () => number,
): Promise<SoakMember & { client: SupabaseClient }> {
  const claims = await signUp(server, username)
  const id = claims.sub ?? ''
  let socket: WebSocket | null = null
  class OwnSocket extends WebSocket {
    constructor(...args: ConstructorParameters<typeof WebSocket>) {
      super(...args)
      socket = this
    }
  }

  // The tokens last seconds, so a token is renewed with less than one second left.
  let token = { text: '', exp: 0 }
  const accessToken = async () => {
    const now = Math.floor(Date.now() / 1000)
    if (token.exp <= now + 1) {
      const exp = now + tokenSeconds()
      const text = await new SignJWT({ ...claims, exp })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .sign(new TextEncoder().encode(server.jwtSecret))
      token = { text, exp }
    }
    return token.text
  }
  const client = createClient(server.url, server.publishableKey, {
    accessToken,
    realtime: {
      transport: OwnSocket as unknown as typeof globalThis.WebSocket,
      reconnectAfterMs: () => 250,
    },
  })

  const histories = new Map<string, History>()
  /** Events during a read, whose result may be older. */
  const reads = new Set<Message[]>()
  let isHere = true
  const counts = { receivedLive: 0, readAgain: 0, closings: 0 }

  const onMessage = (row: Message) => {
    counts.receivedLive += 1
    for (const buffer of reads) buffer.push(row)
    const history = histories.get(row.conversation_id)
    if (history !== undefined) histories.set(row.conversation_id, withUpdates(history, [row]))
  }

  const reader = createRowReader<Message>({
    load: async (ids) => {
      const { data, error } = await client.from('messages').select(MESSAGE_COLUMNS).in('id', ids)
      if (error !== null) throw new Error(error.message)
      return data
    },
    emit: (_, row) => onMessage(row),
    onDropped: () => {
      throw new Error('changes were dropped')
    },
  })

  const readPage = async (conversation: string, after: Cursor): Promise<Message[]> => {
    while (isHere) {
      const query = client.from('messages').select(MESSAGE_COLUMNS).eq('conversation_id', conversation)
      const { data, error } = await newestFirst(query, { after, size: PAGE, idColumn: 'id' })
      counts.readAgain += 1
      if (error === null) return data
      await pause(100)
    }
    return []
  }

  /** Reads from the newest message down to the shown ones. */
  const read = async (conversation: string): Promise<void> => {
    const known = histories.get(conversation)
    const buffer: Message[] = []
    reads.add(buffer)
    const newest: Message[] = []
    let isWhole = false
    do {
      const last = newest.at(-1)
      const page = await readPage(conversation, last ? { createdAt: last.created_at, id: last.id } : null)
      newest.push(...page)
      isWhole = page.length < PAGE
    } while (hasGap(known, newest, isWhole))
    reads.delete(buffer)
    const own = buffer.filter((row) => row.conversation_id === conversation)
    histories.set(conversation, withUpdates(withNewest(histories.get(conversation), newest, isWhole), own))
  }

  const catchUp = () => Promise.all([...histories.keys()].map(read))

  const follow = async (): Promise<void> => {
    await client.realtime.setAuth()
    const channel = client.channel(`member:${id}`, { config: { private: true } })
    channel.on<ChangeNotice<Message>>('broadcast', { event: 'change' }, ({ payload }) => {
      if (payload.table === 'messages') reader.add('insert', payload)
    })
    channel.subscribe((state) => {
      if (state === 'SUBSCRIBED') void catchUp()
      if (state !== 'CLOSED' || !isHere) return
      counts.closings += 1
      void pause(100).then(follow)
    })
  }
  await follow()

  return {
    id,
    client,
    counts,
    open: (conversation) => {
      // The conversation is empty, so there are no older messages.
      histories.set(conversation, { messages: [], hasOlder: false })
    },
    shown: (conversation) => histories.get(conversation)?.messages ?? [],
    cut: () => socket?.terminate(),
    send: async (conversation, content) => {
      const row = { id: crypto.randomUUID(), conversation_id: conversation, sender_id: id, content }
      for (;;) {
        const { error } = await client.from('messages').insert(row)
        if (error === null || error.code === UNIQUE_VIOLATION) return
        await pause(100)
      }
    },
    leave: async () => {
      isHere = false
      reader.stop()
      await client.removeAllChannels()
    },
  }
}

/** Creates an account with a profile and returns the claims of its tokens. */
async function signUp({ url, publishableKey }: SoakServer, username: string): Promise<JWTPayload> {
  const client = createClient(url, publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false, storageKey: username },
    realtime: { transport: WebSocket as unknown as typeof globalThis.WebSocket },
  })
  const { data, error } = await client.auth.signUp({
    email: `${username}@example.com`,
    password: `a passphrase of ${username}`,
  })
  if (error !== null || data.session === null)
    throw new Error(`${username} could not sign up`, { cause: error })
  const claims = decodeJwt(data.session.access_token)
  const profile = await client.from('profiles').insert({ id: claims.sub, username, full_name: username })
  if (profile.error !== null) throw new Error(profile.error.message)
  return claims
}
