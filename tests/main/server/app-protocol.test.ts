import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAppHandler, registerAppScheme } from '#/main/server/app-protocol'

const POLICY = "default-src 'none'; connect-src http://127.0.0.1:4321"
const SECRET = 'outside the bundle'

let folder: string
let handler: (request: Request) => Promise<Response>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vignette-protocol-'))
  const root = join(folder, 'renderer')
  await mkdir(join(root, 'assets', 'fonts'), { recursive: true })
  await writeFile(join(folder, 'secret.txt'), SECRET)
  await writeFile(join(root, 'secret.txt'), SECRET)
  await writeFile(join(root, 'index.html'), 'the index')
  await writeFile(join(root, 'favicon.svg'), '<svg/>')
  await writeFile(join(root, 'assets', 'index-abc123.js'), 'the script')
  await writeFile(join(root, 'assets', 'fonts', 'inter.woff2'), 'the font')
  await writeFile(join(folder, 'libheif.mjs'), SECRET)
  await mkdir(join(folder, 'libheif'))
  await writeFile(join(folder, 'libheif', 'libheif.mjs'), 'the decoder')
  await writeFile(join(root, 'assets', 'decoder.worker-A1_b.js'), 'the worker')
  handler = createAppHandler(folders(), () => POLICY, answerVideo)
})

const answerVideo = async ({ url, method }: Request) => new Response(`a video: ${method} ${url}`)

const folders = () => ({ renderer: join(folder, 'renderer'), libheif: join(folder, 'libheif') })

afterAll(() => rm(folder, { recursive: true, force: true }))

const get = (path: string, init?: RequestInit) => handler(new Request(`app://bundle${path}`, init))

describe('served paths', () => {
  test.each([
    ['/assets/index-abc123.js', 'the script', 'text/javascript; charset=utf-8'],
    ['/assets/fonts/inter.woff2', 'the font', 'font/woff2'],
    ['/favicon.svg', '<svg/>', 'image/svg+xml; charset=utf-8'],
    ['/', 'the index', 'text/html; charset=utf-8'],
    ['/profile/ana.b', 'the index', 'text/html; charset=utf-8'],
    ['/profile/index.js', 'the index', 'text/html; charset=utf-8'],
    ['/messages?c=1', 'the index', 'text/html; charset=utf-8'],
  ])('%s', async (path, body, type) => {
    const response = await get(path)
    expect(response.status).toBe(200)
    expect(await response.text()).toBe(body)
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('content-security-policy')).toBe(POLICY)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('CREATE-11 serves libheif from its own folder, where members can replace it', async () => {
    const response = await get('/assets/libheif/libheif.mjs')
    expect(await response.text()).toBe('the decoder')
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect((await get('/assets/libheif/gone.mjs')).status).toBe(404)
  })

  test('CREATE-11 only the script of the decoder may compile WebAssembly, and it may not connect', async () => {
    const response = await get('/assets/decoder.worker-A1_b.js')
    expect(await response.text()).toBe('the worker')
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'",
    )
  })

  test('STORY-08 videos that the app was opened with are answered by what serves them', async () => {
    expect(await (await get('/opened/1')).text()).toBe('a video: GET app://bundle/opened/1')
    expect((await get('/opened/1', { method: 'POST', body: 'x' })).status).toBe(405)
    expect((await handler(new Request('app://elsewhere/opened/1'))).status).toBe(404)
  })

  test('responds 404 to a missing asset, never with the index', async () => {
    expect((await get('/assets/gone.js')).status).toBe(404)
  })

  test('responds to HEAD with headers and no body', async () => {
    const response = await get('/', { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('')
  })

  test('rejects other methods, hosts and schemes', async () => {
    expect((await get('/', { method: 'POST', body: 'x' })).status).toBe(405)
    expect((await handler(new Request('app://elsewhere/'))).status).toBe(404)
    expect((await handler(new Request('https://bundle/'))).status).toBe(404)
  })

  test('evaluates the policy per response, because the server may change', async () => {
    let server = 'one'
    const changing = createAppHandler(folders(), () => server, answerVideo)
    const policyOf = async () =>
      (await changing(new Request('app://bundle/'))).headers.get('content-security-policy')
    expect(await policyOf()).toBe('one')
    server = 'two'
    expect(await policyOf()).toBe('two')
  })
})

describe('rejected paths', () => {
  test.each([
    '/assets/../../secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/assets/..%2fsecret.txt',
    '/assets/%2e%2e/%2e%2e/secret.txt',
    '/assets/..%5c..%5csecret.txt',
    '/assets/%00/../secret.txt',
    '/assets//secret.txt',
    '/assets/libheif/../libheif.mjs',
    '/assets/libheif/..%2flibheif.mjs',
    '/assets/libheif%2f..%2flibheif.mjs',
    '/assets/C:%5csecret.txt',
    '/assets/C:/secret.txt',
    '/assets/.%2e/secret.txt',
    '/assets/index-abc123.js::$DATA',
    '/assets/',
    '/secret.txt',
    '/%2e%2e/secret.txt',
  ])('%s', async (path) => {
    const response = await get(path)
    expect(await response.text()).not.toContain(SECRET)
    expect([200, 400, 403, 404]).toContain(response.status)
  })

  test('responds 400 to a path that cannot be decoded', async () => {
    expect((await get('/assets/%E0%A4%A')).status).toBe(400)
  })

  test('never serves a file outside the bundle, for any path', async () => {
    const part = fc.oneof(
      fc.constantFrom(
        '..',
        '.',
        '%2e%2e',
        '%2E.',
        '..%2f',
        '..%5c',
        '%00',
        '/',
        '\\',
        '//',
        'secret.txt',
        'assets',
        'C:',
      ),
      fc.string({ maxLength: 8 }),
    )
    const path = fc.array(part, { maxLength: 8 }).map((parts) => parts.join('/'))
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('/assets/', '/', '/assets/fonts/'), path, async (start, rest) => {
        let request: Request
        try {
          request = new Request(`app://bundle${start}${rest}`)
        } catch {
          return
        }
        const body = await (await handler(request)).text()
        expect(['', 'the index', 'the script', 'the font', '<svg/>']).toContain(body)
      }),
      { numRuns: 500 },
    )
  })
})

test('the scheme is standard and secure, and does not bypass CSP', () => {
  const registered: Electron.CustomScheme[] = []
  registerAppScheme({ registerSchemesAsPrivileged: (schemes) => registered.push(...schemes) })
  expect(registered).toEqual([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ])
})
