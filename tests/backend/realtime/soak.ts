import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { loadSecrets } from '#/backend/storage/secrets'
import { openSoakMember, type SoakMember } from '#tests/backend/realtime/soak-member'
import { acceptConversation } from '#tests/backend/support/accept-conversation'
import { freePort } from '#tests/backend/support/postgres-server'
import { runBackend } from '#tests/backend/support/processes'

export interface SoakOptions {
  members: number
  messages: number
  /** How often the server is killed with SIGKILL and started again. */
  kills: number
  /** How long tokens last on an idle machine, in seconds. */
  tokenSeconds: readonly [least: number, most: number]
  /** Minimum number of channels closed because of an expired token before the last messages are sent. */
  closings: number
  /** How long to wait at the end until everything is shown, in ms. */
  timeoutMs: number
}

export interface SoakResult {
  /** Per member: the sent and the shown texts of their conversations, in order. */
  views: { of: string; sent: string[]; shown: string[] }[]
  /** Per conversation, the two members' views of it. */
  conversations: [string[], string[]][]
  receivedLive: number
  /** Members that received another message live after all interruptions had ended. */
  receivedLiveAfterwards: number
  /** Channels that the server closed because of an expired token. */
  closings: number
}

/** Share of each member's messages that is sent only after `SoakOptions.closings` channels were closed. */
const AFTER_EXPIRY = 1 / 4

/** A token lasts at least this many times as long as it takes to sign up and join. */
const JOINS_PER_TOKEN = 10

/** Lets members in a ring write to both neighbours while the server is killed and connections are cut. */
export async function soak(dataDir: string, options: SoakOptions): Promise<SoakResult> {
  const port = await freePort()
  let backend = await runBackend(dataDir, port)
  const { jwtSecret } = await loadSecrets(join(dataDir, 'secrets.json'))
  const { url, publishableKey } = backend
  const members: Awaited<ReturnType<typeof openSoakMember>>[] = []
  const [least, most] = options.tokenSeconds
  let factor = 1
  const seconds = () => Math.round(randomInt(least, most + 1) * factor)
  const startedAt = performance.now()
  for (let number = 0; number < options.members; number += 1) {
    members.push(await openSoakMember({ url, publishableKey, jwtSecret }, `soak${number}`, seconds))
    // On a busy machine, tokens must last longer than it takes to join and refetch.
    const secondsPerMember = (performance.now() - startedAt) / 1_000 / members.length
    factor = Math.max(1, (secondsPerMember * JOINS_PER_TOKEN) / least)
  }
  const ring = members.map((member, at) => [member, members[(at + 1) % members.length] ?? member] as const)
  const conversations = await Promise.all(
    ring.map(async ([one, other]) => {
      const id = crypto.randomUUID()
      const row = { id, participant_1: one.id, participant_2: other.id }
      const { error } = await one.client.from('conversations').insert(row)
      if (error !== null) throw new Error(error.message)
      await acceptConversation(other, id)
      for (const member of [one, other]) member.open(id)
      return { id, one, other, sent: new Set<string>() }
    }),
  )

  const ownOf = (member: SoakMember) =>
    conversations.filter(({ one, other }) => one === member || other === member)

  let acknowledged = 0
  const perMember = Math.floor(options.messages / options.members)
  const beforeExpiry = perMember - Math.ceil(perMember * AFTER_EXPIRY)
  const closings = () => members.reduce((sum, { counts }) => sum + counts.closings, 0)
  // A reconnect uses a new token, so tokens only expire while no connection is cut.
  const waitForExpiry = async () => {
    while (closings() < options.closings) await pause(20)
  }
  const write = async (member: SoakMember, at: number) => {
    const own = ownOf(member)
    for (let number = 0; number < perMember; number += 1) {
      const conversation = own[number % own.length]
      if (conversation === undefined) throw new Error('A member without a conversation')
      if (number === beforeExpiry) await waitForExpiry()
      const content = `message ${number} of member ${at}`
      await member.send(conversation.id, content)
      conversation.sent.add(content)
      acknowledged += 1
    }
  }
  const total = perMember * options.members
  const kill = async () => {
    for (let round = 1; round <= options.kills; round += 1) {
      while (acknowledged < (total * round) / (options.kills + 1)) await pause(5)
      await pause(randomInt(0, 30))
      backend.process.child.kill('SIGKILL')
      await backend.process.ended
      backend = await runBackend(dataDir, port)
    }
  }
  const cut = async () => {
    while (acknowledged < total) {
      await pause(randomInt(100, 400))
      if (acknowledged === beforeExpiry * options.members) await waitForExpiry()
      members[randomInt(members.length)]?.cut()
    }
  }
  await Promise.all([...members.map(write), kill(), cut()])

  const expected = (member: SoakMember) => ownOf(member).flatMap(({ sent }) => [...sent])
  const textsOf = (member: SoakMember, conversation: string) =>
    member.shown(conversation).map(({ content }) => content)
  const shown = (member: SoakMember) => ownOf(member).flatMap(({ id }) => textsOf(member, id))
  // From here on, only members that resubscribe refetch.
  const deadline = Date.now() + options.timeoutMs
  while (members.some((member) => shown(member).length < expected(member).length) && Date.now() < deadline) {
    await pause(50)
  }

  const result: SoakResult = {
    views: members.map((member, at) => ({
      of: `member ${at}`,
      sent: expected(member).sort(),
      shown: shown(member).sort(),
    })),
    conversations: conversations.map(({ id, one, other }) => [textsOf(one, id), textsOf(other, id)]),
    receivedLive: members.reduce((sum, { counts }) => sum + counts.receivedLive, 0),
    receivedLiveAfterwards: await sendUntilReceivedLive(conversations, options.timeoutMs),
    closings: closings(),
  }
  await Promise.all(members.map((member) => member.leave()))
  backend.process.child.kill('SIGKILL')
  await backend.process.ended
  return result
}

/**
 * Sends messages in every conversation until each member has received one live, and returns how many did. More than one may be
 * needed, because tokens keep expiring, and messages before a rejoin are refetched.
 */
async function sendUntilReceivedLive(
  conversations: readonly { id: string; one: SoakMember; other: SoakMember }[],
  timeoutMs: number,
): Promise<number> {
  const before = new Map(conversations.map(({ one }) => [one, one.counts.receivedLive]))
  const recipientCount = () =>
    [...before].filter(([member, count]) => member.counts.receivedLive > count).length
  const deadline = Date.now() + timeoutMs
  while (recipientCount() < before.size && Date.now() < deadline) {
    for (const { id, one } of conversations) await one.send(id, 'received live')
    await pause(200)
  }
  return recipientCount()
}

/** Whether the messages of each member are in the order in which they were sent. */
export function isInOrder(texts: readonly string[]): boolean {
  const last = new Map<string, number>()
  return texts.every((text) => {
    const [, number = '', member = ''] = /^message (\d+) of member (\d+)$/.exec(text) ?? []
    const isNext = Number(number) > (last.get(member) ?? -1)
    last.set(member, Number(number))
    return isNext
  })
}
