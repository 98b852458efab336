import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RealtimeChannel } from '@supabase/supabase-js'
import { WebSocket } from 'ws'
import { MESSAGE_COLUMNS, type Message } from '#/renderer/features/messages/message'
import type { ChangeNotice } from '#/renderer/lib/live/changes'
import { createRowReader } from '#/renderer/lib/live/row-reader'
import type { ServerInfo } from '#/shared/server'
import { createMember, type Member } from '#tests/e2e/support/member'
import { startWebServer } from '../scripts/lib/web-server.mjs'
import { type Child, startChild } from './lib/child'
import { summarize, type Times } from './lib/measure'
import { type Report, type Row, timesRow } from './lib/report'
import type { EchoMethods } from './live/echo'

const CONVERSATIONS = 20
const MEMBERS = 50
const WARM_UP = 20
const ROUNDS = 200
const BURSTS = 10
/** Maximum 95th percentile from send to received, in ms (docs/measurements.md). */
const P95_BUDGET = 100

/** Two members that both have their conversation open. */
interface Pair {
  id: string
  sender: Member
  recipient: Member
}

/** Callbacks for the arrival of a message, by its id. */
type Arrivals = Map<string, () => void>

/**
 * The time from the sender's insert to the recipient's Realtime event on the embedded server, compared with a bare WebSocket
 * server that relays the same text. The rounds alternate, so that the load of the machine affects both.
 */
export async function measure(): Promise<Report> {
  const data = await mkdtemp(join(tmpdir(), 'vignette-bench-'))
  const server = await startWebServer({ data, empty: true, quotas: ['all=-/-'] })
  const echo = await startChild<EchoMethods>('live/echo.ts')
  try {
    const info: ServerInfo = await (await fetch(`${server.url}/config.json`)).json()
    const arrivals: Arrivals = new Map()
    const pairs: Pair[] = []
    for (let number = 0; number < CONVERSATIONS; number += 1) pairs.push(await openPair(info, arrivals))
    const bare = await openEcho(echo)

    const open = await sendInSequence(pairs, arrivals, bare.relay)
    const burst = await sendAtOnce(pairs, arrivals)
    for (let number = CONVERSATIONS * 2; number < MEMBERS; number += 1) {
      await goOnline(await createMember(info), arrivals)
    }
    const crowd = await sendInSequence(pairs, arrivals, bare.relay)
    bare.close()
    return {
      name: 'live',
      rows: [
        ...rowsOf(`${CONVERSATIONS} open conversations`, open),
        timesRow(`${CONVERSATIONS} messages at once: send to received`, burst),
        ...rowsOf(`${MEMBERS} connected members`, crowd),
      ],
    }
  } finally {
    await echo.close()
    await server.stop()
    await rm(data, { recursive: true, force: true })
  }
}

interface Measured {
  received: Times
  inserted: Times
  echoed: Times
}

function rowsOf(where: string, { received, inserted, echoed }: Measured): Row[] {
  return [
    timesRow(`${where}: send to received`, received),
    { what: `${where}: 95th percentile`, p50: received.p95, unit: 'ms', budget: P95_BUDGET },
    timesRow(`${where}: insert only`, inserted),
    timesRow(`${where}: bare WebSocket echo`, echoed),
  ]
}

async function subscribe(channel: RealtimeChannel): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    channel.subscribe((state, error) =>
      state === 'SUBSCRIBED' ? resolve() : reject(error ?? new Error(state)),
    )
  })
}

/** Subscribes to everything the app subscribes to after signing in, and reads the rows that a broadcast lists. */
async function goOnline({ api, id }: Member, arrivals: Arrivals): Promise<void> {
  const reader = createRowReader<Message>({
    load: async (ids) =>
      (await api.from('messages').select(MESSAGE_COLUMNS).in('id', ids).throwOnError()).data ?? [],
    emit: (_, row) => {
      if (row.sender_id !== id) arrivals.get(row.id)?.()
    },
    onDropped: () => {
      throw new Error('changes were dropped')
    },
  })
  const channel = api.channel(`member:${id}`, { config: { private: true } })
  channel.on<ChangeNotice<Message>>('broadcast', { event: 'change' }, ({ payload }) => {
    if (payload.table === 'messages') reader.add('insert', payload)
  })
  await subscribe(channel)
}

async function openPair(info: ServerInfo, arrivals: Arrivals): Promise<Pair> {
  const [sender, recipient] = [await createMember(info), await createMember(info)]
  const id = randomUUID()
  const { error } = await sender.api
    .from('conversations')
    .insert({ id, participant_1: sender.id, participant_2: recipient.id })
  if (error !== null) throw error
  for (const { id: sender_id, api } of [sender, recipient]) {
    const { error: messageError } = await api
      .from('messages')
      .insert({ conversation_id: id, sender_id, content: 'Hello' })
    if (messageError !== null) throw messageError
  }
  for (const member of [sender, recipient]) {
    await goOnline(member, arrivals)
    const config = { private: true, presence: { key: member.id } }
    const channel = member.api.channel(`room:${id}:0`, { config })
    channel.on('presence', { event: 'sync' }, () => undefined)
    await subscribe(channel)
    await channel.track({})
  }
  return { id, sender, recipient }
}

/** Sends a message. Returns the time in ms until the insert has finished, and until the recipient has received it. */
async function send(pair: Pair, arrivals: Arrivals): Promise<{ received: number; inserted: number }> {
  const id = randomUUID()
  const startedAt = performance.now()
  const arrived = new Promise<number>((resolve) => {
    arrivals.set(id, () => resolve(performance.now() - startedAt))
  })
  const { error } = await pair.sender.api.from('messages').insert({
    id,
    conversation_id: pair.id,
    sender_id: pair.sender.id,
    content: 'How is the light over there?',
  })
  if (error !== null) throw error
  const inserted = performance.now() - startedAt
  const received = await arrived
  arrivals.delete(id)
  return { received, inserted }
}

async function sendInSequence(
  pairs: readonly Pair[],
  arrivals: Arrivals,
  relay: () => Promise<number>,
): Promise<Measured> {
  const times = { received: [] as number[], inserted: [] as number[], echoed: [] as number[] }
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const pair = pairs[(round + WARM_UP) % pairs.length]
    if (pair === undefined) throw new Error('No conversations')
    const { received, inserted } = await send(pair, arrivals)
    const echoed = await relay()
    if (round < 0) continue
    times.received.push(received)
    times.inserted.push(inserted)
    times.echoed.push(echoed)
  }
  return {
    received: summarize(times.received),
    inserted: summarize(times.inserted),
    echoed: summarize(times.echoed),
  }
}

async function sendAtOnce(pairs: readonly Pair[], arrivals: Arrivals): Promise<Times> {
  const received: number[] = []
  for (let burst = 0; burst < BURSTS; burst += 1) {
    const sent = await Promise.all(pairs.map((pair) => send(pair, arrivals)))
    received.push(...sent.map((one) => one.received))
  }
  return summarize(received)
}

async function openEcho(echo: Child<EchoMethods>): Promise<{ relay(): Promise<number>; close(): void }> {
  const { url } = await echo.call('start', null)
  const [from, to] = [new WebSocket(url), new WebSocket(url)]
  await Promise.all([once(from, 'open'), once(to, 'open')])
  return {
    relay: async () => {
      const startedAt = performance.now()
      const arrived = once(to, 'message')
      from.send(JSON.stringify({ id: randomUUID(), content: 'How is the light over there?' }))
      await arrived
      return performance.now() - startedAt
    },
    close: () => {
      from.terminate()
      to.terminate()
    },
  }
}
