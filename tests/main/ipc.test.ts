import fc from 'fast-check'
import { beforeEach, describe, expect, expectTypeOf, test } from 'vitest'
import { type BridgeHandlers, registerHandlers } from '#/main/ipc'
import { createPageOrigin } from '#/main/server/origin'
import { type BridgeChannel, type BridgeReply, bridgeCalls } from '#/shared/bridge'
import { BridgeError } from '#/shared/bridge-error'
import { words } from '#tests/words'
import { recordingLog } from './support/recording-log'

const CHANNELS = Object.keys(bridgeCalls) as BridgeChannel[]
const HOME = { parent: null, origin: 'app://bundle' }

type Invoke = (event: { senderFrame: unknown }, ...args: unknown[]) => Promise<BridgeReply<unknown>>

let registered: Map<string, Invoke>
let calls: { channel: BridgeChannel; args: unknown[] }[]
let log: ReturnType<typeof recordingLog>
/**
 * The clock of the rate limits, in milliseconds. Each call is one hour after the previous one, unless a test sets it.
 */
let time: number
let pause: number

/** Handlers that record their calls; `answers` overrides single ones. */
function recordingHandlers(answers: Partial<Record<BridgeChannel, () => unknown>> = {}): BridgeHandlers {
  const entries = CHANNELS.map((channel) => [
    channel,
    (...args: unknown[]) => {
      calls.push({ channel, args })
      return answers[channel]?.()
    },
  ])
  return Object.fromEntries(entries) as BridgeHandlers
}

function register(handlers = recordingHandlers()): void {
  registered = new Map()
  const ipc = {
    handle: (channel: string, listener: unknown) => {
      registered.set(channel, listener as Invoke)
    },
  }
  registerHandlers(ipc, handlers, { isOrigin: createPageOrigin(undefined).isOrigin, now: () => time, log })
}

async function invoke(channel: BridgeChannel, args: unknown[], senderFrame: unknown = HOME) {
  const listener = registered.get(channel)
  if (listener === undefined) throw new Error(`${channel} is not handled`)
  time += pause
  return listener({ senderFrame }, ...args)
}

beforeEach(() => {
  calls = []
  time = 0
  pause = 3_600_000
  log = recordingLog()
  register()
})

const webOrigin = fc
  .tuple(fc.constantFrom('https', 'http', 'file', 'app', 'apps'), fc.stringMatching(/^[a-z0-9.:-]{0,20}$/))
  .map(([scheme, host]) => `${scheme}://${host}`)

/** Malicious values that structured clone supports. */
function hostileValues(): unknown[] {
  const cyclic: Record<string, unknown> = { theme: 'dark' }
  cyclic.self = cyclic
  const cyclicList: unknown[] = []
  cyclicList.push(cyclicList)
  return [
    cyclic,
    cyclicList,
    JSON.parse('{"__proto__":{"theme":"dark"}}'),
    JSON.parse('{"theme":"dark","__proto__":{"polluted":true}}'),
    JSON.parse('{"constructor":{"prototype":{"polluted":true}}}'),
    'x'.repeat(1_000_000),
    new Uint8Array(20_000),
    new Map([['theme', 'dark']]),
    new Date(0),
    Number.NaN,
    10n,
    null,
    undefined,
  ]
}

describe('DESK-07 callers', () => {
  const strangers: [string, unknown][] = [
    ['a frame that no longer exists', null],
    ['a subframe of ours', { parent: HOME, origin: 'app://bundle' }],
    ['a web page', { parent: null, origin: 'https://example.com' }],
    ['a page without an origin', { parent: null, origin: 'null' }],
    ['another host of the scheme', { parent: null, origin: 'app://bundle.evil' }],
    ['a file', { parent: null, origin: 'file://' }],
  ]

  test.each(strangers)('refuses %s on every channel', async (_who, frame) => {
    for (const channel of CHANNELS) {
      expect(await invoke(channel, [], frame)).toMatchObject({ ok: false, error: { code: 'refused' } })
    }
    expect(calls).toEqual([])
  })

  test('refuses every other origin', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(webOrigin, fc.string()), async (origin) => {
        fc.pre(origin.replace(/\/$/, '') !== 'app://bundle')
        const reply = await invoke('preferences.get', [], { parent: null, origin })
        expect(reply).toMatchObject({ ok: false, error: { code: 'refused' } })
      }),
    )
    expect(calls).toEqual([])
  })

  test('checks the frame before any await', () => {
    const reads: string[] = []
    const event = {
      get senderFrame() {
        reads.push('frame')
        return null
      },
    }
    const pending = registered.get('preferences.get')?.(event)
    expect(reads).toEqual(['frame'])
    return pending
  })
})

describe('DESK-07 arguments', () => {
  test('every channel has a handler and passes arguments that match its schema', async () => {
    const address = { url: 'https://example.supabase.co', publishableKey: 'sb_publishable_x' }
    const good: { [C in BridgeChannel]: unknown[] } = {
      'server.storageKey': [],
      'server.current': [],
      'server.check': [address],
      'server.connect': [address],
      'server.useEmbedded': [],
      'session.getItem': ['key'],
      'session.setItem': ['key', 'value'],
      'session.removeItem': ['key'],
      'session.persistence': [],
      'session.keepAnyway': [],
      'system.restart': [],
      'files.pick': ['photo'],
      'files.pickPhotos': [],
      'files.readPicked': [0],
      'preferences.get': [],
      'preferences.set': [{ theme: 'dark' }],
      'shell.openExternal': ['https://example.com'],
      'shell.showMailFile': [],
      'backend.state': [],
      'backend.retry': [],
      'backend.restore': [],
      'files.takeOpened': [],
      'files.takeOpenedVideo': [],
      'files.forgetOpened': [],
      'files.savePicture': [{ author: 'ana', date: '2026-11-26', bytes: new Uint8Array(3) }],
      'notifications.show': [{ kind: 'like', id: '1', title: 'Ana', body: 'likes it', route: '/messages' }],
      'notifications.dismiss': [['1', '2']],
      'notifications.shown': [],
      'notifications.takeAnswers': [],
      'badge.set': [{ unread: 3 }],
      'uploads.show': [{ fraction: 0.5, isWaiting: false }],
      'navigation.listen': [true],
      'authLinks.take': [],
      'serverLinks.take': [],
      'find.search': ['light', { isForward: true, isNew: true }],
      'find.stop': ['keepSelection'],
      'quit.agree': [],
      'quit.setBusy': [true],
      'window.state': [],
      'system.abilities': [],
      'updates.state': [],
      'updates.check': [],
      'updates.download': [],
      'updates.install': [],
      'help.copyDiagnostics': [],
      'help.openLog': [],
      'help.showDataFolder': [],
      'recovery.take': [],
      'log.write': ['info', 'hello'],
    }
    for (const channel of CHANNELS) {
      expect(await invoke(channel, good[channel])).toEqual({ ok: true, value: undefined })
    }
    expect(calls).toEqual(CHANNELS.map((channel) => ({ channel, args: good[channel] })))
  })

  test('malicious values reach no handler whose schema rejects them, and pollute no prototype', async () => {
    for (const value of hostileValues()) {
      for (const channel of CHANNELS) {
        for (const args of [[value], [value, value], ['key', value], [value, 'x']]) {
          await invoke(channel, args)
        }
      }
    }
    for (const { channel, args } of calls) {
      expect(bridgeCalls[channel].args.safeParse(args).success).toBe(true)
    }
    expect(
      calls.every(({ args }) => args.every((arg) => typeof arg !== 'object' || !('self' in Object(arg)))),
    ).toBe(true)
    expect(Object.prototype).not.toHaveProperty('polluted')
    expect(Object.prototype).not.toHaveProperty('theme')
  })

  test('any other arguments are answered with `invalid`', async () => {
    const argument = fc.oneof(
      fc.anything({ withBigInt: true, withDate: true, withMap: true, withTypedArray: true }),
      fc.string(),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...CHANNELS),
        fc.array(argument, { maxLength: 4 }),
        async (channel, args) => {
          calls = []
          const reply = await invoke(channel, args)
          const fits = bridgeCalls[channel].args.safeParse(args).success
          expect(calls).toHaveLength(fits ? 1 : 0)
          expect(reply.ok).toBe(fits)
          if (!reply.ok) expect(reply.error.code).toBe('invalid')
        },
      ),
      { numRuns: 1_000 },
    )
  })

  test('does not log rejected arguments', async () => {
    await invoke('session.setItem', ['key', 42, 'refresh-token-in-the-wrong-place'])
    expect(log.lines.join('\n')).toContain('session.setItem')
    expect(log.lines.join('\n')).not.toContain('refresh-token')
  })
})

test('DESK-07 a missing handler or a wrong result type does not compile', () => {
  expectTypeOf<Omit<BridgeHandlers, 'files.pick'>>().not.toExtend<BridgeHandlers>()
  expectTypeOf<
    Omit<BridgeHandlers, 'log.write'> & { 'log.write': () => string }
  >().not.toExtend<BridgeHandlers>()
  expectTypeOf<keyof BridgeHandlers>().toEqualTypeOf<BridgeChannel>()
})

describe('errors', () => {
  test('returns a BridgeError with its code and text', async () => {
    register(
      recordingHandlers({
        'files.pick': () => {
          throw new BridgeError('file-too-large', 'Too large.')
        },
      }),
    )
    expect(await invoke('files.pick', ['photo'])).toEqual({
      ok: false,
      error: { code: 'file-too-large', message: 'Too large.' },
    })
  })

  test('logs an unexpected error and returns none of its details', async () => {
    register(
      recordingHandlers({ 'preferences.get': () => Promise.reject(new Error('ENOENT /home/ana/secret')) }),
    )
    const reply = await invoke('preferences.get', [])
    expect(reply).toMatchObject({ ok: false, error: { code: 'failed' } })
    expect(JSON.stringify(reply)).not.toContain('ana')
    expect(log.lines.join('\n')).toContain('ENOENT /home/ana/secret')
  })
})

describe('DESK-07 rate limits', () => {
  const limited = CHANNELS.filter((channel) => bridgeCalls[channel].limit !== null)

  test('limits every call that opens, shows, writes or contacts another server', () => {
    const free = CHANNELS.filter((channel) => bridgeCalls[channel].limit === null)
    expect(free.sort()).toEqual(
      words(`
      authLinks.take backend.state files.forgetOpened files.readPicked files.takeOpened files.takeOpenedVideo find.search
      find.stop navigation.listen notifications.shown notifications.takeAnswers preferences.get quit.agree
      quit.setBusy recovery.take server.current server.storageKey serverLinks.take session.getItem
      session.persistence system.abilities updates.state window.state
    `),
    )
  })

  test.each(limited)('%s: refuses calls above the limit until some time has passed', async (channel) => {
    const { calls: max, everyMs } = bridgeCalls[channel].limit ?? { calls: 0, everyMs: 0 }
    pause = 0
    // Calls with invalid arguments count too, because parsing them costs time.
    const wrong = [Symbol.iterator.toString(), 'one too many', 'and another']
    for (let call = 0; call < max; call++) {
      expect(await invoke(channel, wrong)).toMatchObject({ ok: false, error: { code: 'invalid' } })
    }
    for (let call = 0; call < 3; call++) {
      expect(await invoke(channel, wrong)).toMatchObject({ ok: false, error: { code: 'too-often' } })
    }
    expect(log.lines.filter((line) => line.includes('too often'))).toEqual([
      `warn ${channel}: called too often`,
    ])
    time += everyMs
    expect(await invoke(channel, wrong)).toMatchObject({ error: { code: 'invalid' } })
    expect(await invoke(channel, wrong)).toMatchObject({ error: { code: 'too-often' } })
    expect(calls).toEqual([])
  })

  test('refused callers do not use up the limit', async () => {
    pause = 0
    for (let call = 0; call < 20; call++)
      await invoke('help.openLog', [], { parent: {}, origin: 'app://bundle' })
    expect(await invoke('help.openLog', [])).toEqual({ ok: true, value: undefined })
  })
})
