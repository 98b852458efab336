import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { signUpMember, startedFolder } from '#tests/backend/support/backend'
import { buildBackend, runBackend } from '#tests/backend/support/processes'
import { processorMs } from '#tests/backend/support/processor-time'
import { residentMegabytes } from '#tests/backend/support/resident-memory'
import {
  binaryFrame,
  fragments,
  type HostileSocket,
  openHostile,
  pingFrame,
  textFrame,
} from './hostile-socket'
import { broadcastFrame } from './raw-client'

beforeAll(buildBackend)

/** Of floods on nearly all connections at once: mostly garbage that V8 has not collected yet. */
const GROWTH_MAX_MB = 150
/** Maximum processor time that the server spends before it answers another member's request during a flood, in ms. */
const DELAY_MAX_MS = 2_000
/** Nearly all connections of the server; the other member needs a few. */
const CONNECTIONS = { stranger: 120, member: 120 } as const

interface Flood {
  name: string
  /** Sent once a second on each connection. */
  data: Buffer
  /** Whether the client reads data; defaults to true. */
  reads?: boolean
  /** Sent first on each connection. */
  greeting?: Buffer
}

const many = (count: number, part: (index: number) => Buffer): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, index) => part(index)))
const join = (topic: string, payload: object) => textFrame(['1', '1', topic, 'phx_join', payload])
const heartbeat = (ref: string) => textFrame([null, ref, 'phoenix', 'heartbeat', {}])
const conversation = () => `realtime:room:${crypto.randomUUID()}:0`

const PRIVATE = { config: { private: true } }

/** Opens hostile connections. `send` first reopens the connections that the server closed. */
async function keepOpen(server: { url: string; publishableKey: string }, count: number, flood: Flood) {
  const sockets: HostileSocket[] = []
  const open = async (index: number) => {
    const opened = await openHostile(server, flood.reads)
    if (flood.greeting !== undefined) opened.write(flood.greeting)
    sockets[index] = opened
  }
  const reopen = () =>
    Promise.all(Array.from({ length: count }, (_, at) => (sockets[at]?.isOpen() === true ? null : open(at))))
  await reopen()
  return {
    send: async () => {
      await reopen()
      for (const socket of sockets) socket.write(flood.data)
    },
    close: () => {
      for (const socket of sockets) socket.close()
    },
  }
}

/** Starts a server in a child process, with a conversation of a hostile member and another one. */
async function startServer() {
  const backend = await runBackend(await startedFolder())
  const hostile = await signUpMember(backend, 'hostile')
  const other = await signUpMember(backend, 'other')
  const id = crypto.randomUUID()
  const row = { id, participant_1: hostile.id, participant_2: other.id }
  expect((await hostile.client.from('conversations').insert(row)).error).toBeNull()
  const { data } = await hostile.client.auth.getSession()
  const pid = backend.process.child.pid ?? 0
  const memory = async () => (await residentMegabytes(pid)) ?? 0

  const readAsOther = async () => {
    const before = await processorMs(pid)
    expect((await other.client.from('posts').select('id')).error).toBeNull()
    return (await processorMs(pid)) - before
  }

  /** The longest request of the other member in ms of processor time, and the growth of memory in MB. */
  const measureFlood = async (by: keyof typeof CONNECTIONS, flood: Flood, seconds: number) => {
    await readAsOther()
    const before = await memory()
    const connections = await keepOpen(backend, CONNECTIONS[by], flood)
    const endsAt = performance.now() + seconds * 1_000
    const worst = { delay: 0, growth: 0 }
    const attack = (async () => {
      while (performance.now() < endsAt) {
        await connections.send()
        await pause(1_050)
      }
    })()
    try {
      while (performance.now() < endsAt) {
        worst.delay = Math.max(worst.delay, await readAsOther())
        worst.growth = Math.max(worst.growth, (await memory()) - before)
        await pause(20)
      }
    } finally {
      await attack
      connections.close()
    }
    return worst
  }

  return {
    token: data.session?.access_token ?? '',
    conversation: `realtime:room:${id}:0`,
    /** Returns the floods that delay the other member or fill the memory. */
    findHarmfulFloods: async (by: keyof typeof CONNECTIONS, floods: readonly Flood[], seconds: number) => {
      const harmful: object[] = []
      for (const flood of floods) {
        const { delay, growth } = await measureFlood(by, flood, seconds)
        if (growth > GROWTH_MAX_MB || delay > DELAY_MAX_MS) harmful.push({ name: flood.name, delay, growth })
      }
      return harmful
    },
  }
}

type Server = Awaited<ReturnType<typeof startServer>>

const floodsOfStrangers = (): Flood[] => [
  { name: 'private joins', data: many(100, () => join(conversation(), PRIVATE)) },
  { name: 'public joins', data: many(100, (index) => join(`realtime:${index}`, {})) },
  {
    name: 'heartbeats with long references',
    data: many(300, () => heartbeat('r'.repeat(60_000))),
    reads: false,
  },
  { name: 'heartbeats', data: many(900, () => heartbeat('r'.repeat(64))), reads: false },
  { name: 'pings', data: many(10_000, () => pingFrame(125)), reads: false },
  { name: 'messages of 1-byte fragments', data: fragments(16_000), reads: false },
]

const floodsOfMembers = ({ token, conversation: own }: Server): Flood[] => {
  const config = { private: true, presence: { key: 'k', enabled: true } }
  const joinOwn = (key: string) =>
    join(own, { config: { ...config, presence: { key, enabled: true } }, access_token: token })
  const track = (mood: string) =>
    textFrame(['1', '2', own, 'presence', { event: 'track', payload: { mood } }])
  const message = { joinRef: '1', ref: '3', topic: own, event: 'typing', payload: 'x'.repeat(4_000) }
  const typing = binaryFrame(broadcastFrame(message))
  const greeting = joinOwn('k')
  const large = { ...PRIVATE, access_token: token, padding: Array(19_000).fill({}) }
  const waiting = conversation()
  return [
    {
      name: 'private joins',
      data: many(100, () => join(conversation(), { ...PRIVATE, access_token: token })),
    },
    { name: 'large joins that wait', data: many(60, () => join(waiting, large)) },
    { name: 'broadcasts', greeting, data: many(90, () => typing), reads: false },
    {
      name: 'presence after each join',
      data: many(15, (index) => Buffer.concat([joinOwn('k'), track(`${index}`)])),
      reads: false,
    },
    { name: 'long presence keys', data: many(2, () => joinOwn('k'.repeat(60_000))), reads: false },
  ]
}

/** Floods that differ in how the server handles them; the others only run for ten seconds. */
const SHORT_FLOODS = [
  'private joins',
  'pings',
  'messages of 1-byte fragments',
  'large joins that wait',
  'broadcasts',
]

async function findHarmfulFloods(seconds: number, isTried: (name: string) => boolean = () => true) {
  const server = await startServer()
  const tried = (floods: Flood[]) => floods.filter(({ name }) => isTried(name))
  return [
    ...(await server.findHarmfulFloods('stranger', tried(floodsOfStrangers()), seconds)),
    ...(await server.findHarmfulFloods('member', tried(floodsOfMembers(server)), seconds)),
  ]
}

// One second each: every connection sends once.
test('floods of strangers and of a member neither delay another member nor fill the memory', async () => {
  expect(await findHarmfulFloods(1, (name) => SHORT_FLOODS.includes(name))).toEqual([])
})

test('floods of ten seconds neither delay a member nor fill the memory', {
  tags: 'long',
}, async () => {
  expect(await findHarmfulFloods(10)).toEqual([])
})
