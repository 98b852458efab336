import { mkdir, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { serveWeb } from '#/backend/start/serve-web'
import { chosenServerCookie } from '#/backend/web/chosen-server'
import { createWebRoutes, type EmbeddedServer, serverFromEnvironment } from '#/backend/web/web-routes'
import { contentSecurityPolicy } from '#/shared/csp'
import type { ServerAddress, ServerCheck } from '#/shared/server'
import { scratchFolder, startedFolder, startTestBackend } from '#tests/backend/support/backend'
import { bundledThread } from '#tests/backend/support/bundled-thread'
import { preparedTemplate } from '#tests/backend/support/prepared'

const PORT = 4173
const ORIGIN = `http://localhost:${PORT}`
const EMBEDDED: EmbeddedServer = {
  publishableKey: 'sb_publishable_embedded',
  demo: [{ username: 'mara', fullName: 'Mara', email: 'mara@example.com', password: 'secret' }],
  mailFile: '/data/mails.txt',
}
const CHOSEN: ServerAddress = { url: 'https://photos.example.com', publishableKey: 'sb_publishable_chosen' }
const SCRIPT = `console.log(${JSON.stringify('x'.repeat(5_000))})`

let rendererDir: string

beforeEach(async () => {
  rendererDir = await scratchFolder()
  await mkdir(join(rendererDir, 'assets'))
  await writeFile(join(rendererDir, 'index.html'), '<!doctype html><title>Vignette</title>')
  await writeFile(join(rendererDir, 'favicon.svg'), '<svg/>')
  await writeFile(join(rendererDir, 'assets/index-abc123.js'), SCRIPT)
  await writeFile(join(rendererDir, 'assets/photo-abc123.webp'), Buffer.alloc(5_000))
})

interface RouteOptions {
  fixed?: ServerAddress
  check?: (address: ServerAddress) => Promise<ServerCheck>
  signingKey?: Uint8Array
}

const SIGNING_KEY = new Uint8Array(32).fill(7)

function routes(options: RouteOptions = {}) {
  const answer = createWebRoutes({
    rendererDir,
    fixed: options.fixed ?? null,
    check: options.check ?? (async (address) => ({ ok: true, address })),
  })
  const { signingKey = SIGNING_KEY } = options
  return async (path: string, init: RequestInit = {}) => {
    const headers = { origin: ORIGIN, ...init.headers }
    const request = new Request(`${ORIGIN}${path}`, { ...init, headers })
    const response = await answer(request, PORT, EMBEDDED, signingKey)
    if (response === null) throw new Error(`${path} was left to Supabase`)
    return response
  }
}

describe('the app', () => {
  test.each(['/', '/login', '/profile/ada.l', '/messages?c=1', '/index.html'])(
    '%s is its page',
    async (path) => {
      const page = await routes()(path)
      expect(page.status).toBe(200)
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(page.headers.get('content-security-policy')).toBe(contentSecurityPolicy())
      expect(page.headers.get('link')).toBe('</config.json>; rel=preload; as=fetch; crossorigin')
      expect(page.headers.get('x-content-type-options')).toBe('nosniff')
      expect(page.headers.get('cache-control')).toBe('no-cache')
      expect(await page.text()).toContain('<title>Vignette</title>')
    },
  )

  test('CREATE-11 only the script of the decoder may compile WebAssembly, and it may not connect', async () => {
    await writeFile(join(rendererDir, 'assets/decoder.worker-A1_b.js'), SCRIPT)
    const policyOf = async (path: string) => (await routes()(path)).headers.get('content-security-policy')
    expect(await policyOf('/assets/decoder.worker-A1_b.js')).toBe(
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'",
    )
    // A worker has the policy of its script, not that of the page.
    expect(await policyOf('/assets/index-abc123.js')).toBe(contentSecurityPolicy())
  })

  test('CREATE-11 libheif is served from beside the renderer, and may be replaced', async () => {
    await mkdir(join(rendererDir, '../libheif'), { recursive: true })
    await writeFile(join(rendererDir, '../libheif/libheif.mjs'), SCRIPT)
    const get = routes()
    const file = await get('/assets/libheif/libheif.mjs')
    expect(await file.text()).toBe(SCRIPT)
    expect(file.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(file.headers.get('cache-control')).toBe('no-cache')
    await writeFile(join(rendererDir, '../libheif/libheif.mjs'), `${SCRIPT}//`)
    expect(await (await get('/assets/libheif/libheif.mjs')).text()).toBe(`${SCRIPT}//`)
    expect((await get('/assets/libheif/gone.mjs')).status).toBe(404)
  })

  test('assets are cached forever', async () => {
    const script = await routes()('/assets/index-abc123.js', { headers: { 'accept-encoding': 'br' } })
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(await script.text()).toBe(SCRIPT)
  })

  test('a top-level file is served, and a missing asset is not found', async () => {
    const get = routes()
    expect((await get('/favicon.svg')).headers.get('content-type')).toBe('image/svg+xml; charset=utf-8')
    expect((await get('/assets/gone-abc123.js')).status).toBe(404)
  })

  test('writes are rejected', async () => {
    expect((await routes()('/login', { method: 'POST', body: '' })).status).toBe(405)
  })

  test('explains what to do if there is no build', async () => {
    const empty = createWebRoutes({ rendererDir: join(rendererDir, 'none'), fixed: null })
    const answer = await empty(new Request(ORIGIN), PORT, EMBEDDED, SIGNING_KEY)
    expect(answer?.status).toBe(503)
    expect(await answer?.text()).toContain('npm run build')
  })
})

describe('GET /config.json', () => {
  test('contains the embedded server with the origin of the request', async () => {
    const answer = await routes()('/config.json')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await answer.json()).toEqual({
      kind: 'embedded',
      url: ORIGIN,
      storageKey: 'embedded',
      ...EMBEDDED,
    })
  })

  test('contains the server of the environment, even if another was chosen', async () => {
    const get = routes({
      fixed: { url: 'https://fixed.example.com', publishableKey: 'sb_publishable_fixed' },
    })
    const answer = await get('/config.json', { headers: { cookie: await cookieOfChoice() } })
    expect(await answer.json()).toEqual({
      kind: 'fixed',
      url: 'https://fixed.example.com',
      publishableKey: 'sb_publishable_fixed',
      storageKey: 'fixed.example.com',
      demo: [],
      mailFile: null,
    })
    const page = await get('/')
    expect(page.headers.get('content-security-policy')).toBe(
      contentSecurityPolicy('https://fixed.example.com'),
    )
  })
})

/** The cookie after a browser has chosen a server. */
async function cookieOfChoice(address = CHOSEN): Promise<string> {
  const answer = await routes()('/config.json', { method: 'POST', body: JSON.stringify(address) })
  return answer.headers.get('set-cookie')?.split(';')[0] ?? ''
}

describe('choosing a server', () => {
  test('stores a checked server in an HttpOnly, SameSite cookie', async () => {
    const answer = await routes()('/config.json', { method: 'POST', body: JSON.stringify(CHOSEN) })
    expect(await answer.json()).toEqual({ ok: true, address: CHOSEN })
    const cookie = answer.headers.get('set-cookie')
    expect(cookie).toMatch(
      /^vignette-server-4173=[\w-]+\.[\w-]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
    )
  })

  test('gives a host of the name `embedded` no key of the embedded server', async () => {
    const headers = { cookie: await cookieOfChoice({ ...CHOSEN, url: 'https://embedded' }) }
    expect(await (await routes()('/config.json', { headers })).json()).toMatchObject({
      kind: 'chosen',
      storageKey: 'https://embedded',
    })
  })

  test('makes it the current server, which the CSP allows', async () => {
    const get = routes()
    const headers = { cookie: `other=1; ${await cookieOfChoice()}` }
    expect(await (await get('/config.json', { headers })).json()).toEqual({
      ...CHOSEN,
      kind: 'chosen',
      storageKey: 'photos.example.com',
      demo: [],
      mailFile: null,
    })
    const page = await get('/', { headers })
    expect(page.headers.get('content-security-policy')).toBe(contentSecurityPolicy(CHOSEN.url))
  })

  test('finds the cookie among 60,000 others without a list of them', async () => {
    const chosen = await cookieOfChoice()
    const get = routes()
    const split = vi.spyOn(String.prototype, 'split')
    onTestFinished(() => split.mockRestore())
    const answer = await get('/config.json', { headers: { cookie: `${';'.repeat(60_000)} ${chosen}` } })
    const longest = Math.max(0, ...split.mock.results.map(({ value }) => value.length))
    expect(await answer.json()).toMatchObject(CHOSEN)
    expect(longest).toBeLessThan(100)
  })

  test('going back deletes the cookie', async () => {
    const answer = await routes()('/config.json', { method: 'DELETE' })
    expect(answer.headers.get('set-cookie')).toContain('vignette-server-4173=; Path=/; Max-Age=0')
  })

  test('stores nothing after a check only, or a failed check', async () => {
    const body = JSON.stringify(CHOSEN)
    const checked = await routes()('/config.json?check', { method: 'POST', body })
    expect(await checked.json()).toEqual({ ok: true, address: CHOSEN })
    expect(checked.headers.get('set-cookie')).toBeNull()
    const refusing = routes({ check: async () => ({ ok: false, problem: 'key' }) })
    const refused = await refusing('/config.json', { method: 'POST', body })
    expect(await refused.json()).toEqual({ ok: false, problem: 'key' })
    expect(refused.headers.get('set-cookie')).toBeNull()
  })

  test.each(['', '{', 'null', '{"url":"https://a.example"}', `"${'x'.repeat(20_000)}"`])(
    'a body that is no address is refused: %.20s',
    async (body) => {
      const answer = await routes()('/config.json', { method: 'POST', body })
      expect(await answer.json()).toEqual({ ok: false, problem: 'url' })
    },
  )

  test.each([
    'vignette-server-4173=%%%',
    'vignette-server-4173=e30',
    `vignette-server-4173=${encoded(CHOSEN)}`,
    `vignette-server-4173=${encoded(CHOSEN)}.${'A'.repeat(43)}`,
    chosenServerCookie({ ...CHOSEN, url: 'http://evil.example' }, PORT, SIGNING_KEY),
    chosenServerCookie({ ...CHOSEN, url: 'https://a.example; script-src *' }, PORT, SIGNING_KEY),
    chosenServerCookie(CHOSEN, PORT, new Uint8Array(32)),
    chosenServerCookie(CHOSEN, 9999, SIGNING_KEY).replace('-9999=', '-4173='),
  ])('a cookie that is not ours to trust changes nothing: %.40s', async (cookie) => {
    const get = routes()
    const answer = await get('/config.json', { headers: { cookie } })
    expect(await answer.json()).toMatchObject({ kind: 'embedded' })
    const page = await get('/', { headers: { cookie } })
    expect(page.headers.get('content-security-policy')).toBe(contentSecurityPolicy())
  })
})

function encoded(address: ServerAddress): string {
  return Buffer.from(JSON.stringify(address)).toString('base64url')
}

describe('checking a server', () => {
  const ask = { method: 'POST', body: JSON.stringify(CHOSEN) }

  test.each(['POST', 'DELETE'])(
    '%s is refused to pages of another origin and to requests without one',
    async (method) => {
      let checks = 0
      const get = routes({
        check: async (address) => {
          checks += 1
          return { ok: true, address }
        },
      })
      for (const origin of ['http://localhost:9999', 'null', '']) {
        const answer = await get('/config.json?check', { ...ask, method, headers: { origin } })
        expect(answer.status).toBe(403)
        expect(answer.headers.get('set-cookie')).toBeNull()
      }
      expect(checks).toBe(0)
    },
  )
})

test('the environment must contain a complete server or none', () => {
  expect(serverFromEnvironment({})).toBeNull()
  const url = 'https://photos.example.com'
  expect(serverFromEnvironment({ SUPABASE_URL: `${url}/`, SUPABASE_PUBLISHABLE_KEY: 'k' })).toEqual({
    url,
    publishableKey: 'k',
  })
  expect(() => serverFromEnvironment({ SUPABASE_URL: url })).toThrow(/SUPABASE_PUBLISHABLE_KEY/)
  expect(() =>
    serverFromEnvironment({ SUPABASE_URL: 'http://a.example', SUPABASE_PUBLISHABLE_KEY: 'k' }),
  ).toThrow(/https/)
})

/** The status of a request with any headers, which fetch would not send. */
function statusOf(url: string, headers: Record<string, string>, method = 'GET'): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { headers, method }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    request.on('error', reject)
    request.end()
  })
}

test('app, /config.json and Supabase share an origin, and reject others', async () => {
  const web = await serveWeb({
    dataDir: await startedFolder(),
    port: 0,
    fixed: null,
    rendererDir,
    templateDir: await preparedTemplate(),
    threadFile: await bundledThread(),
  })
  onTestFinished(() => web.stop())
  const config: { publishableKey: string } = await (await fetch(`${web.url}/config.json`)).json()
  const settings = await fetch(`${web.url}/auth/v1/settings`, { headers: { apikey: config.publishableKey } })
  expect(settings.status).toBe(200)
  expect(await (await fetch(`${web.url}/login`)).text()).toContain('Vignette')

  for (const path of ['/', '/config.json', '/auth/v1/settings', '/rest/v1/posts']) {
    expect(await statusOf(`${web.url}${path}`, { host: 'evil.example' })).toBe(403)
    expect(await statusOf(`${web.url}${path}`, { origin: 'https://evil.example' })).toBe(403)
    expect(await statusOf(`${web.url}${path}`, { origin: 'https://evil.example' }, 'OPTIONS')).toBe(403)
  }
  const upgrade = { connection: 'Upgrade', upgrade: 'websocket' }
  expect(await statusOf(`${web.url}/anything`, upgrade)).toBe(404)
  expect(await statusOf(`${web.url}/anything`, { ...upgrade, origin: 'https://evil.example' })).toBe(403)

  // Another Vignette on this machine can be chosen: the real check against a real server.
  const other = await startTestBackend(await startedFolder())
  const address = { url: other.url, publishableKey: other.publishableKey }
  const choose = (typed: ServerAddress) =>
    fetch(`${web.url}/config.json?check`, {
      method: 'POST',
      headers: { origin: web.url },
      body: JSON.stringify(typed),
    }).then((r) => r.json())
  expect(await choose(address)).toEqual({ ok: true, address })
  expect(await choose({ ...address, publishableKey: 'sb_publishable_wrong' })).toEqual({
    ok: false,
    problem: 'key',
  })
})

test('starts no embedded server if the environment contains one', async () => {
  const web = await serveWeb({
    dataDir: join(rendererDir, 'never-made'),
    port: 0,
    fixed: CHOSEN,
    rendererDir,
  })
  onTestFinished(() => web.stop())
  expect(await (await fetch(`${web.url}/config.json`)).json()).toMatchObject({ kind: 'fixed' })
  expect((await fetch(`${web.url}/auth/v1/settings`)).status).toBe(404)
  for (const origin of ['http://127.0.0.1:1', 'http://localhost', 'https://evil.example'])
    expect(await statusOf(`${web.url}/config.json`, { origin })).toBe(403)
})
