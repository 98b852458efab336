import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { checkServer } from '#/shared/server-check'

const SETTINGS = { external: { email: true }, disable_signup: false, mailer_autoconfirm: true }
const ADDRESS = { url: 'https://photos.example.com', publishableKey: 'sb_publishable_1' }

interface Answer {
  status: number
  body: unknown
}

/** A server that gives these answers and remembers what it was asked. */
function server(answers: { settings?: Answer | 'none'; username?: Answer | 'none' } = {}) {
  const asked: { url: string; init: RequestInit | undefined }[] = []
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    const url = String(input)
    asked.push({ url, init })
    const answer = url.includes('/auth/')
      ? (answers.settings ?? { status: 200, body: SETTINGS })
      : (answers.username ?? { status: 200, body: true })
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

test('a Supabase with our schema gives its address in the normal form', async () => {
  const { fetch, asked } = server()
  const result = await checkServer(
    { url: ' Photos.Example.com/ ', publishableKey: ' sb_publishable_1 ' },
    fetch,
  )
  expect(result).toEqual({ ok: true, address: ADDRESS })
  expect(asked.map(({ url }) => url)).toEqual([
    'https://photos.example.com/auth/v1/settings',
    'https://photos.example.com/rest/v1/rpc/username_available',
  ])
  for (const { init } of asked) {
    expect(new Headers(init?.headers).get('apikey')).toBe('sb_publishable_1')
    expect(init?.redirect).toBe('manual')
  }
})

describe('an address that is none of ours is asked nothing', () => {
  test.each([
    ['ftp://photos.example.com', 'url'],
    ['https://user:secret@photos.example.com', 'url'],
    ['https://photos.example.com/path', 'url'],
    ['http://photos.example.com', 'insecure'],
  ])('%s', async (url, problem) => {
    const { fetch, asked } = server()
    expect(await checkServer({ ...ADDRESS, url }, fetch)).toEqual({ ok: false, problem })
    expect(asked).toEqual([])
  })

  test('a key that no header takes', async () => {
    const { fetch, asked } = server()
    const result = await checkServer({ ...ADDRESS, publishableKey: 'sb key\nHost: x' }, fetch)
    expect(result).toEqual({ ok: false, problem: 'key' })
    expect(asked).toEqual([])
  })
})

test('http is for this machine', async () => {
  const result = await checkServer({ ...ADDRESS, url: 'http://127.0.0.1:54321' }, server().fetch)
  expect(result).toEqual({ ok: true, address: { ...ADDRESS, url: 'http://127.0.0.1:54321' } })
})

describe('what is wrong is told apart', () => {
  test.each<[string, Answer | 'none', string]>([
    ['no answer', 'none', 'unreachable'],
    ['a paused project', { status: 540, body: '' }, 'unreachable'],
    ['a refused key', { status: 401, body: { message: 'Invalid API key' } }, 'key'],
    ['a web page', { status: 200, body: '<!doctype html>' }, 'not-supabase'],
    ['a redirect', { status: 302, body: '' }, 'not-supabase'],
    ['nothing there', { status: 404, body: '' }, 'not-supabase'],
    ['other JSON', { status: 200, body: { hello: 'world' } }, 'not-supabase'],
    ['JSON null', { status: 200, body: null }, 'not-supabase'],
  ])('%s, asked for its settings', async (_, settings, problem) => {
    expect(await problemWith({ settings })).toBe(problem)
  })

  test.each<[string, Answer | 'none', string]>([
    ['no answer', 'none', 'unreachable'],
    ['a broken server', { status: 503, body: '' }, 'unreachable'],
    ['no such function', { status: 404, body: { code: 'PGRST202' } }, 'schema'],
    ['a function that is not granted', { status: 401, body: { code: '42501' } }, 'schema'],
    ['a function of another kind', { status: 200, body: { available: true } }, 'schema'],
    ['a refused key', { status: 401, body: { message: 'Invalid API key' } }, 'key'],
  ])('%s, asked for a username', async (_, username, problem) => {
    expect(await problemWith({ username })).toBe(problem)
  })
})

describe('a response that never ends is given up', () => {
  /** Checks a server on this machine that answers so. */
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
    // What the system buffers on the way is read by nobody.
    expect(sent).toBeLessThan(16_000_000)
  })

  test('after its time, however slowly it comes', async () => {
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
