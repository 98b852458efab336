import { readdirSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { FIRST_SCHEMA_VERSION, SCHEMA_VERSION } from '#/shared/schema-version'
import { checkServer } from '#/shared/server-check'

const STATUS = { version: SCHEMA_VERSION, changes: true, channels: true }
const SETTINGS = { external: { email: true }, disable_signup: false, mailer_autoconfirm: true }
const ADDRESS = { url: 'https://photos.example.com', publishableKey: 'sb_publishable_1' }

interface Answer {
  status: number
  body: unknown
}

/** A fake server with canned responses that records requests. */
function server(
  answers: { settings?: Answer | 'none'; status?: Answer | 'none'; username?: Answer | 'none' } = {},
) {
  const asked: { url: string; init: RequestInit | undefined }[] = []
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    const url = String(input)
    asked.push({ url, init })
    const answer = {
      '/auth/v1/settings': answers.settings ?? { status: 200, body: SETTINGS },
      '/rest/v1/rpc/setup_status': answers.status ?? { status: 200, body: STATUS },
      '/rest/v1/rpc/username_available': answers.username ?? { status: 200, body: true },
    }[new URL(url).pathname]
    if (answer === undefined) throw new Error(`unexpected request: ${url}`)
    if (answer === 'none') throw new TypeError('fetch failed')
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
    return new Response(text, { status: answer.status })
  }
  return { fetch, asked }
}

const problemWith = async (answers: Parameters<typeof server>[0]) => {
  const result = await checkServer(ADDRESS, server(answers).fetch)
  return result.ok ? null : result.problem
}

test('a Supabase server with our schema returns its normalized address', async () => {
  const { fetch, asked } = server()
  const result = await checkServer(
    { url: ' Photos.Example.com/ ', publishableKey: ' sb_publishable_1 ' },
    fetch,
  )
  expect(result).toEqual({ ok: true, address: ADDRESS })
  expect(asked.map(({ url }) => url)).toEqual([
    'https://photos.example.com/auth/v1/settings',
    'https://photos.example.com/rest/v1/rpc/setup_status',
  ])
  for (const { init } of asked) {
    expect(new Headers(init?.headers).get('apikey')).toBe('sb_publishable_1')
    expect(init?.redirect).toBe('manual')
  }
})

describe('sends no request to an address that is not allowed', () => {
  test.each([
    ['ftp://photos.example.com', 'url'],
    ['https://user:secret@photos.example.com', 'url'],
    ['https://photos.example.com/path?x=1', 'url'],
    ['https://*;script-src', 'url'],
    ['<script>alert(1)</script>', 'url'],
    ['http://photos.example.com', 'insecure'],
  ])('%s', async (url, problem) => {
    const { fetch, asked } = server()
    expect(await checkServer({ ...ADDRESS, url }, fetch)).toEqual({ ok: false, problem })
    expect(asked).toEqual([])
  })

  test('rejects a key that cannot be sent in a header', async () => {
    const { fetch, asked } = server()
    const result = await checkServer({ ...ADDRESS, publishableKey: 'sb key\nHost: x' }, fetch)
    expect(result).toEqual({ ok: false, problem: 'key' })
    expect(asked).toEqual([])
  })
})

test('allows http only on this machine', async () => {
  const result = await checkServer({ ...ADDRESS, url: 'http://127.0.0.1:54321' }, server().fetch)
  expect(result).toEqual({ ok: true, address: { ...ADDRESS, url: 'http://127.0.0.1:54321' } })
})

describe('distinguishes the problems', () => {
  test.each<[string, Answer | 'none', string]>([
    ['no answer', 'none', 'unreachable'],
    ['a paused project', { status: 540, body: '' }, 'unreachable'],
    ['a refused key', { status: 401, body: { message: 'Invalid API key' } }, 'key'],
    ['a web page', { status: 200, body: '<!doctype html>' }, 'not-supabase'],
    ['a redirect', { status: 302, body: '' }, 'redirect'],
    ['no response', { status: 404, body: '' }, 'not-supabase'],
    ['other JSON', { status: 200, body: { hello: 'world' } }, 'not-supabase'],
    ['JSON null', { status: 200, body: null }, 'not-supabase'],
  ])('problem of the settings response: %s', async (_, settings, problem) => {
    expect(await problemWith({ settings })).toBe(problem)
  })

  test('a redirect that Electron rejects', async () => {
    const fetch = () => Promise.reject(new Error('Redirect was cancelled'))
    expect(await checkServer(ADDRESS, fetch)).toEqual({ ok: false, problem: 'redirect' })
  })

  test.each<[string, Answer | 'none', string | null]>([
    ['no answer', 'none', 'unreachable'],
    ['a broken server', { status: 503, body: '' }, 'unreachable'],
    ['a refused key', { status: 401, body: { message: 'Invalid API key' } }, 'key'],
    ['no migration', { status: 200, body: { ...STATUS, version: null } }, 'outdated'],
    ['an older migration', { status: 200, body: { ...STATUS, version: '20260101000000' } }, 'outdated'],
    [
      'an app that it no longer serves',
      { status: 200, body: { ...STATUS, serves: '99991231000000' } },
      'app',
    ],
    ['a newer migration', { status: 200, body: { ...STATUS, version: '20991231000000' } }, null],
    ['a database that cannot broadcast', { status: 200, body: { ...STATUS, changes: false } }, 'changes'],
    ['missing policies', { status: 200, body: { ...STATUS, channels: false } }, 'channels'],
  ])('DESK-08 problem of the setup status: %s', async (_, status, problem) => {
    expect(await problemWith({ status })).toBe(problem)
  })

  test.each(['missing', 'no-storage'])(
    'DESK-08 a server without Storage can be used (%s)',
    async (bucket) => {
      const status = { status: 200, body: { ...STATUS, bucket } }
      expect(await checkServer(ADDRESS, server({ status }).fetch)).toEqual({
        ok: true,
        address: ADDRESS,
        warning: 'storage',
      })
    },
  )

  const NO_FUNCTION = { status: 404, body: { code: 'PGRST202' } }

  test.each<[string, Answer | 'none', string]>([
    ['no answer', 'none', 'unreachable'],
    ['a broken server', { status: 503, body: '' }, 'unreachable'],
    ['a free username', { status: 200, body: true }, 'outdated'],
    ['no such function', NO_FUNCTION, 'schema'],
    ['a function that is not granted', { status: 401, body: { code: '42501' } }, 'schema'],
    ['a function of another kind', { status: 200, body: { available: true } }, 'schema'],
  ])(
    'DESK-08 without setup_status, %s decides between an older schema and none',
    async (_, username, problem) => {
      expect(await problemWith({ status: NO_FUNCTION, username })).toBe(problem)
      expect(await problemWith({ status: { status: 401, body: { code: '42501' } }, username })).toBe(problem)
    },
  )
})

test('the schema versions are the oldest and the newest migration of this repository', () => {
  const migrations = readdirSync(resolve(import.meta.dirname, '../../supabase/migrations')).sort()
  expect(migrations.at(-1)?.split('_')[0]).toBe(SCHEMA_VERSION)
  expect(migrations[0]?.split('_')[0]).toBe(FIRST_SCHEMA_VERSION)
})

describe('gives up on an endless response', () => {
  /** Checks a local HTTP server with this handler. */
  async function checkAgainst(listener: RequestListener) {
    const hostile = createServer(listener)
    await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      hostile.closeAllConnections()
      hostile.close()
    })
    const { port } = hostile.address() as AddressInfo
    return checkServer({ ...ADDRESS, url: `http://127.0.0.1:${port}` })
  }

  test('after 64 KB', async () => {
    const chunk = Buffer.alloc(256 * 1024, 'x')
    let sent = 0
    let wasCut = false
    const result = await checkAgainst((_, response) => {
      const send = () => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length
      }
      response.on('drain', send).on('close', () => {
        wasCut = true
      })
      send()
    })
    expect(result).toEqual({ ok: false, problem: 'not-supabase' })
    await vi.waitFor(() => expect(wasCut).toBe(true))
    // The system buffers some data that is never read.
    expect(sent).toBeLessThan(16_000_000)
  })

  test('after the timeout, however slowly it arrives', async () => {
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    const limits = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(300))
    onTestFinished(() => limits.mockRestore())
    const result = await checkAgainst((_, response) => {
      const drip = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(drip))
    })
    expect(result).toEqual({ ok: false, problem: 'unreachable' })
    expect(limits).toHaveBeenCalledExactlyOnceWith(10_000)
  })
})
