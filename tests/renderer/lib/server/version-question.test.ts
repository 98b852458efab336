import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { logFailure } from '#/renderer/lib/core/logger'
import { askVersions, connectSupabase } from '#/renderer/lib/server/supabase'
import { createVersionQuestion } from '#/renderer/lib/server/version-question'
import { NEEDED_VERSION, SCHEMA_VERSION } from '#/shared/schema-version'
import { gate } from '#tests/gate'
import { stopRefreshing } from '#tests/renderer/stop-refresh'

const URL_OF_SERVER = 'https://photos.example.com'
const POSTS = `${URL_OF_SERVER}/rest/v1/posts`
const OBJECT = `${URL_OF_SERVER}/storage/v1/object/media/me/1.webp`
const SIGN = `${URL_OF_SERVER}/storage/v1/object/sign/media`
const TOKEN = `${URL_OF_SERVER}/auth/v1/token?grant_type=password`
const WRITE = { method: 'POST', body: '{}' }

const FITS = { version: SCHEMA_VERSION, serves: SCHEMA_VERSION }
const NEWER = { version: '20991231000000', serves: '20991231000000' }
const OLDER = { version: '20261122002000' }

/** What the server answers; an error fails the request. */
let status: unknown
let others: () => Response
let sent: string[]
let answers: unknown[]

const asked = () => sent.filter((address) => address.endsWith('/rpc/setup_status')).length
const missing = (code: string) => Response.json({ code, message: 'no such column' }, { status: 404 })

async function send(input: RequestInfo | URL): Promise<Response> {
  sent.push(String(input))
  if (!String(input).endsWith('/rpc/setup_status')) return others()
  const answer = await status
  if (answer instanceof Error) throw answer
  return answer instanceof Response ? answer.clone() : Response.json(answer)
}

const start = () =>
  createVersionQuestion(send, { url: URL_OF_SERVER, publishableKey: 'key' }, (answer) => answers.push(answer))

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-12-01T12:00:00Z') })
  vi.mocked(logFailure).mockClear()
  status = FITS
  others = () => Response.json([])
  sent = []
  answers = []
})

afterEach(() => {
  vi.useRealTimers()
})

describe('MSG-09 a server', () => {
  test.each([
    ['of this build', FITS, null],
    [
      'whose operator pushed more than this app knows',
      { version: NEWER.version, serves: SCHEMA_VERSION },
      null,
    ],
    ['that no longer serves this app', NEWER, 'app'],
    ['that lacks what this app uses', OLDER, 'server'],
    ['from before the question, with all that this app uses', { version: NEEDED_VERSION }, null],
  ])('%s', async (_, answer, expected) => {
    status = answer
    await start().ask()
    expect(answers).toEqual([expected])
  })
})

test('MSG-09 while server and app do not fit, only Auth is asked, and links that the device has', async () => {
  status = NEWER
  const question = start()
  await question.ask()
  sent = []
  for (const [address, init] of [[POSTS], [POSTS, WRITE], [OBJECT, WRITE], [OBJECT], [SIGN, WRITE]] as const)
    await expect(question.send(address, init)).rejects.toThrow('fetch failed')
  expect(sent).toEqual([])
  expect((await question.send(TOKEN, WRITE)).ok).toBe(true)
  expect((await question.send(`${SIGN}/me/1.webp?token=t`)).ok).toBe(true)
  status = FITS
  await question.ask()
  expect((await question.send(POSTS, WRITE)).ok).toBe(true)
  expect(answers).toEqual(['app', null])
})

describe('MSG-09 no answer changes nothing:', () => {
  test.each([
    ['no network', new TypeError('Failed to fetch')],
    ['a web page', new Response('<!doctype html>')],
    ['a server that fails', Response.json({ message: 'busy' }, { status: 503 })],
    ['a server without the function', missing('PGRST202')],
    ['a project without migrations', { ...FITS, version: null }],
    ['something else', [SCHEMA_VERSION]],
  ])('%s', async (_, answer) => {
    status = answer
    const question = start()
    await question.ask()
    expect(answers).toEqual([])
    expect(vi.mocked(logFailure).mock.calls).toEqual([['ask for versions', expect.any(Error)]])
    expect((await question.send(POSTS)).ok).toBe(true)
    expect((await question.send(POSTS, WRITE)).ok).toBe(true)
    expect(asked()).toBe(1)
  })

  test('after an answer, the answer stays', async () => {
    status = NEWER
    const question = start()
    await question.ask()
    status = new TypeError('Failed to fetch')
    await question.ask()
    expect(answers).toEqual(['app'])
    await expect(question.send(POSTS)).rejects.toThrow()
  })
})

describe('MSG-09 at the start', () => {
  test('a write waits for the answer, reads and links do not', async () => {
    const { opened, open } = gate()
    status = opened.then(() => FITS)
    const question = start()
    void question.ask()
    const written = question.send(POSTS, WRITE)
    await question.send(POSTS)
    await question.send(SIGN, WRITE)
    expect(sent.slice(1)).toEqual([POSTS, SIGN])
    open()
    expect((await written).ok).toBe(true)
    expect(sent.slice(1)).toEqual([POSTS, SIGN, POSTS])
  })

  test('a write is not sent if the answer says that they do not fit', async () => {
    status = OLDER
    const question = start()
    void question.ask()
    await expect(question.send(POSTS, WRITE)).rejects.toThrow('fetch failed')
    expect(sent).not.toContain(POSTS)
  })

  test('an app that started without a network asks with a later write, at most once a minute', async () => {
    status = new TypeError('Failed to fetch')
    const question = start()
    await question.ask()
    await question.send(POSTS, WRITE)
    expect(asked()).toBe(1)
    vi.advanceTimersByTime(60_000)
    status = NEWER
    await expect(question.send(POSTS, WRITE)).rejects.toThrow('fetch failed')
    expect(asked()).toBe(2)
  })
})

describe('MSG-09 a running app whose server changes', () => {
  test.each(['42P01', '42703', '42883', 'PGRST200', 'PGRST202', 'PGRST204', 'PGRST205'])(
    'asks when an answer is %s, and the answer counts as none',
    async (code) => {
      const question = start()
      await question.ask()
      vi.advanceTimersByTime(60_000)
      others = () => missing(code)
      status = NEWER
      await expect(question.send(POSTS)).rejects.toThrow('fetch failed')
      expect(answers).toEqual([null, 'app'])
    },
  )

  test('does not ask when an answer is another refusal', async () => {
    const question = start()
    await question.ask()
    vi.advanceTimersByTime(60_000)
    others = () => missing('42501')
    expect((await question.send(POSTS, WRITE)).status).toBe(404)
    expect(asked()).toBe(1)
  })

  test('asks at most once a minute; if they fit, the refusal is one', async () => {
    const question = start()
    await question.ask()
    vi.advanceTimersByTime(60_000)
    others = () => missing('42703')
    const both = await Promise.all([question.send(POSTS, WRITE), question.send(POSTS)])
    expect(both.map((response) => response.status)).toEqual([404, 404])
    await question.send(POSTS, WRITE)
    expect(asked()).toBe(2)
  })

  test('a refused write is not refused while the question has no answer', async () => {
    const question = start()
    await question.ask()
    vi.advanceTimersByTime(60_000)
    others = () => missing('PGRST204')
    status = new TypeError('Failed to fetch')
    await expect(question.send(POSTS, WRITE)).rejects.toThrow('fetch failed')
    await expect(question.send(POSTS, WRITE)).rejects.toThrow('fetch failed')
    expect(asked()).toBe(2)
    vi.advanceTimersByTime(60_000)
    status = FITS
    expect((await question.send(POSTS, WRITE)).status).toBe(404)
  })
})

test('MSG-09 a chosen server is asked, the embedded one never', async () => {
  vi.stubGlobal('WebSocket', class {})
  vi.stubGlobal('fetch', send)
  others = () => missing('PGRST202')
  const ignore = () => undefined
  const stored = {
    getItem: async () => null,
    setItem: async () => ignore(),
    removeItem: async () => ignore(),
  }
  const storage = { ...stored, persistence: async () => 'browser' as const, keepAnyway: async () => ignore() }
  for (const [kind, times] of [
    ['embedded', 0],
    ['chosen', 1],
  ] as const) {
    const info = {
      kind,
      url: URL_OF_SERVER,
      publishableKey: 'key',
      storageKey: kind,
      demo: [],
      mailFile: null,
    }
    const client = connectSupabase(info, storage, {
      ...{
        onSocketClosed: ignore,
        onSlowResponse: ignore,
        onSessionRefused: ignore,
        onOthersSession: ignore,
        onSignedOut: ignore,
      },
      onVersions: (answer) => answers.push(answer),
    })
    await stopRefreshing(client.auth)
    await askVersions()
    expect((await client.from('posts').insert({ content: '' } as never)).error?.code).toBe('PGRST202')
    expect([kind, asked()]).toEqual([kind, times])
  }
  expect(answers).toEqual([null])
})
