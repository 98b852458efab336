import { setTimeout as pause } from 'node:timers/promises'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { decodeJwt, type JWTPayload, SignJWT } from 'jose'
import { WebSocket } from 'ws'
import { mergeRows } from '#/renderer/lib/live/merge'

export interface SoakServer {
  url: string
  publishableKey: string
  jwtSecret: string
}

interface MessageRow {
  id: string
  conversation_id: string
  sender_id: string
  content: string
  created_at: string
}

const COLUMNS = 'id,conversation_id,sender_id,content,created_at'
const PAGE = 500
/** A unique key is there already: an earlier try was kept, though its answer was lost. */
const UNIQUE_VIOLATION = '23505'

/** A member's app as far as messages go: what is told live, merged with what is read again after every gap. */
export interface SoakMember {
  id: string
  /** Messages as shown, oldest first. */
  shown(): readonly MessageRow[]
  /** Tries until the server has acknowledged it. */
  send(conversation: string, content: string): Promise<void>
  /** Cuts the connection, as a lost network does. */
  cut(): void
  counts: { toldLive: number; readAgain: number; closings: number }
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

  // The session of a member whose tokens last seconds: renewed when it is asked for with less than one left.
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

  let shown: MessageRow[] = []
  let isHere = true
  const counts = { toldLive: 0, readAgain: 0, closings: 0 }

  const catchUp = async (): Promise<void> => {
    const since = shown.at(-1)?.created_at ?? '2000-01-01'
    for (let from = 0; isHere; ) {
      const { data, error } = await client
        .from('messages')
        .select(COLUMNS)
        .or(`sender_id.eq.${id},recipient_id.eq.${id}`)
        .gte('created_at', since)
        .order('created_at')
        .order('id')
        .range(from, from + PAGE - 1)
      if (error !== null) {
        await pause(100)
        continue
      }
      counts.readAgain += 1
      shown = mergeRows(shown, data)
      if (data.length < PAGE) return
      from += PAGE
    }
  }

  const follow = async (): Promise<void> => {
    await client.realtime.setAuth()
    const channel = client.channel(`member:${crypto.randomUUID()}`)
    for (const side of ['recipient_id', 'sender_id']) {
      const binding = {
        event: 'INSERT',
        schema: 'public',
        table: 'messages',
        filter: `${side}=eq.${id}`,
      } as const
      channel.on<MessageRow>('postgres_changes', binding, ({ new: row }) => {
        counts.toldLive += 1
        shown = mergeRows(shown, [row])
      })
    }
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
    shown: () => shown,
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
      await client.removeAllChannels()
    },
  }
}

/** Makes the account and its profile; gives the claims of its tokens. */
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
