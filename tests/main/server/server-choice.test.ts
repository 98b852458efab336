import { describe, expect, test } from 'vitest'
import {
  createServerChoice,
  fixedServer,
  NO_SERVER,
  type ServerFile,
  serverFileSchema,
} from '#/main/server/server-choice'
import type { RunningBackend } from '#/shared/backend-messages'
import type { ServerAddress, ServerCheck } from '#/shared/server'
import { memoryDocument } from '../support/memory-document'
import { recordingLog } from '../support/recording-log'

const HOSTED: ServerAddress = { url: 'https://example.supabase.co', publishableKey: 'sb_publishable_x' }
const EMBEDDED: RunningBackend = {
  url: 'http://127.0.0.1:4321',
  port: 4_321,
  publishableKey: 'sb_publishable_embedded',
  demo: [{ username: 'ana', fullName: 'Ana', email: 'ana@example.com', password: 'random' }],
  mailFile: '/data/mails.txt',
  restoredFrom: null,
}

interface Given {
  fixed?: ServerAddress
  file?: ServerFile
  isDamaged?: boolean
  check?: (address: ServerAddress) => ServerCheck
}

function createTestChoice({ fixed, file: initial = NO_SERVER, isDamaged, check }: Given = {}) {
  const file = memoryDocument(initial, isDamaged)
  const did: string[] = []
  const choice = createServerChoice({
    fixed: fixed ?? null,
    file,
    check: async (address) => {
      did.push(`check ${address.url}`)
      return check?.(address) ?? { ok: true, address }
    },
    embedded: {
      prepare: async () => void did.push('prepare'),
      url: () => EMBEDDED.url,
      start: () => void did.push('start'),
      running: async () => EMBEDDED,
      stop: async () => void did.push('stop'),
    },
    loadHome: () => did.push(`home on ${choice.url()}`),
    log: recordingLog(),
  })
  return { choice, handlers: choice.handlers, file, did }
}

describe('the current server', () => {
  test('is still the chosen one if the file has a field of a newer version or a port that cannot be', () => {
    expect(serverFileSchema.parse({ chosen: HOSTED, lastPort: 0, added: true })).toEqual({
      chosen: HOSTED,
      lastPort: null,
    })
  })

  test.each<[string, Given, boolean]>([
    ['nothing was chosen', {}, false],
    ['the file could not be read', { isDamaged: true }, true],
    ['the address cannot be used', { file: { chosen: { ...HOSTED, url: 'ftp://x' }, lastPort: null } }, true],
    ['the chosen one is used', { file: { chosen: HOSTED, lastPort: null } }, false],
    ['the server is fixed', { fixed: HOSTED, isDamaged: true }, false],
  ])('knows whether the choice is lost: %s', (_, given, isLost) => {
    expect(createTestChoice(given).choice.isChoiceLost()).toBe(isLost)
  })

  test('uses and starts the embedded server by default, with its constant key', async () => {
    const { choice, handlers, did } = createTestChoice()
    await choice.start()
    expect(did).toEqual(['prepare', 'start'])
    expect(choice.url()).toBe(EMBEDDED.url)
    expect(choice.storageKey()).toBe('embedded')
    expect(await handlers['server.storageKey']()).toBe('embedded')
    expect(await handlers['server.current']()).toEqual({
      kind: 'embedded',
      storageKey: 'embedded',
      url: EMBEDDED.url,
      publishableKey: EMBEDDED.publishableKey,
      demo: EMBEDDED.demo,
      mailFile: EMBEDDED.mailFile,
    })
  })

  test('uses the chosen server without starting the embedded one', async () => {
    const { choice, handlers, did } = createTestChoice({ file: { ...NO_SERVER, chosen: HOSTED } })
    await choice.start()
    expect(did).toEqual([])
    expect(await handlers['server.current']()).toEqual({
      ...HOSTED,
      kind: 'chosen',
      storageKey: 'example.supabase.co',
      demo: [],
      mailFile: null,
    })
  })

  test.each([
    ['https://embedded', 'https://embedded'],
    ['https://embedded-user', 'https://embedded-user'],
    ['https://embedded:8443', 'embedded:8443'],
  ])('gives %s no key of the embedded server', async (url, storageKey) => {
    const { choice } = createTestChoice({ file: { ...NO_SERVER, chosen: { ...HOSTED, url } } })
    expect(choice.storageKey()).toBe(storageKey)
  })

  test('prefers the fixed server', async () => {
    const fixed = { ...HOSTED, url: 'https://fixed.example.com' }
    const { choice, handlers } = createTestChoice({ fixed, file: { ...NO_SERVER, chosen: HOSTED } })
    await choice.start()
    expect(choice.url()).toBe('https://fixed.example.com')
    expect(await handlers['server.current']()).toMatchObject({
      kind: 'fixed',
      storageKey: 'fixed.example.com',
    })
  })

  test.each(['http://example.com', 'https://a.co;script-src *', 'javascript:alert(1)', 'https://u:p@a.co'])(
    'ignores a stored address that is no longer valid (%s)',
    (url) => {
      const { choice } = createTestChoice({ file: { ...NO_SERVER, chosen: { ...HOSTED, url } } })
      expect(choice.url()).toBe(EMBEDDED.url)
    },
  )
})

describe('changing the server', () => {
  test('connecting checks, saves the normalized address, stops the embedded server and reloads the app', async () => {
    const normal = { ...HOSTED, url: 'https://normal.example.com' }
    const { choice, handlers, file, did } = createTestChoice({
      file: { chosen: null, lastPort: 4_321 },
      check: () => ({ ok: true, address: normal }),
    })
    expect(await handlers['server.connect'](HOSTED)).toEqual({ ok: true, address: normal })
    expect(file.read()).toEqual({ chosen: normal, lastPort: 4_321 })
    expect(did).toEqual([`check ${HOSTED.url}`, 'stop', 'home on https://normal.example.com'])
    expect(choice.storageKey()).toBe('normal.example.com')
  })

  test('a server that fails the check changes nothing', async () => {
    const { handlers, file, did } = createTestChoice({ check: () => ({ ok: false, problem: 'schema' }) })
    expect(await handlers['server.connect'](HOSTED)).toEqual({ ok: false, problem: 'schema' })
    expect(file.written).toEqual([])
    expect(did).toEqual([`check ${HOSTED.url}`])
  })

  test('checking alone changes nothing', async () => {
    const { handlers, file } = createTestChoice()
    expect(await handlers['server.check'](HOSTED)).toEqual({ ok: true, address: HOSTED })
    expect(file.written).toEqual([])
  })

  test('switching to the embedded server picks a port before the page loads', async () => {
    const { handlers, file, did } = createTestChoice({ file: { ...NO_SERVER, chosen: HOSTED } })
    await handlers['server.useEmbedded']()
    expect(file.read().chosen).toBeNull()
    expect(did).toEqual(['prepare', 'start', `home on ${EMBEDDED.url}`])
  })

  test('a fixed server cannot be changed', async () => {
    const { handlers, file, did } = createTestChoice({ fixed: HOSTED })
    await expect(handlers['server.connect'](HOSTED)).rejects.toMatchObject({ code: 'fixed-server' })
    await expect(handlers['server.useEmbedded']()).rejects.toMatchObject({ code: 'fixed-server' })
    expect(file.written).toEqual([])
    expect(did).toEqual([])
  })
})

describe('the fixed server', () => {
  const none = { url: undefined, publishableKey: undefined }
  const named = { url: HOSTED.url, publishableKey: HOSTED.publishableKey }

  test('prefers the environment to the build', () => {
    const environment = { url: 'https://environment.example.com', publishableKey: 'e' }
    expect(fixedServer([environment, named], recordingLog())?.url).toBe('https://environment.example.com')
    expect(fixedServer([none, named], recordingLog())).toEqual(HOSTED)
    expect(fixedServer([none, { url: '', publishableKey: '' }], recordingLog())).toBeNull()
  })

  test('normalizes its address', () => {
    expect(fixedServer([{ url: ' example.supabase.co/ ', publishableKey: ' k ' }], recordingLog())).toEqual({
      url: HOSTED.url,
      publishableKey: 'k',
    })
  })

  test.each([
    [{ url: HOSTED.url, publishableKey: undefined }, 'needs both'],
    [{ url: undefined, publishableKey: 'k' }, 'needs both'],
    [{ url: 'http://example.com', publishableKey: 'k' }, 'insecure'],
    [{ url: 'not a url', publishableKey: 'k' }, 'url'],
  ])('skips %j and logs the reason', (settings, why) => {
    const log = recordingLog()
    expect(fixedServer([settings, none], log)).toBeNull()
    expect(log.lines.join()).toContain(why)
  })
})
