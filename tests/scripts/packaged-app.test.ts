import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import {
  findProblem,
  packagedExecutable,
  sealingProblem,
  tryPackagedApp,
} from '../../scripts/lib/packaged-app.mjs'

let folder: string
let servers: Server[]
beforeEach(async () => {
  servers = []
  folder = await mkdtemp(join(tmpdir(), 'vignette-packaged-test-'))
})
afterEach(async () => {
  for (const server of servers) {
    server.close()
    server.closeAllConnections()
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

async function serve(answer: RequestListener): Promise<{ server: Server; port: number }> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return { server, port: (server.address() as AddressInfo).port }
}

const sealed = (data: string) => ({ kind: 'sealed', data: Buffer.from(data, 'latin1').toString('base64') })
const sessions = (...entries: object[]) =>
  JSON.stringify({ keepPlain: false, entries: Object.fromEntries(entries.entries()) })
const SEALED = sessions(sealed('v11\x8f\x02'))

interface FakeApp {
  url?: string
  /** Of the embedded server. */
  status?: number
  /** Whether a click on the demo member signs in. */
  canSignIn?: boolean
  isSignedIn?: boolean
  persistence?: string
  stored?: string
}

/** Writes the files of a running app to the data folder, with a page that answers Chromium's debugger. */
async function fakeApp(app: FakeApp = {}) {
  const page = { canSignIn: true, isSignedIn: false, persistence: 'secure', stored: SEALED, ...app }
  const preferences: object[] = []
  const signIn = async () => {
    page.isSignedIn = page.canSignIn
    await writeFile(join(folder, 'sessions.json'), page.stored)
  }
  const globals = {
    document: {
      querySelector: (selector: string) => {
        if (selector === 'button[aria-label="Account menu"]') return page.isSignedIn ? {} : null
        if (selector !== 'button[aria-label^="Look around as "]:enabled') throw new Error(selector)
        return page.isSignedIn ? null : { click: signIn }
      },
    },
    window: {
      desktop: {
        session: { persistence: async () => page.persistence },
        preferences: { set: async (changes: object) => void preferences.push(changes) },
      },
    },
  }
  const { server, port } = await serve((_request, response) => {
    const webSocketDebuggerUrl = `ws://127.0.0.1:${port}/devtools/page/1`
    response.end(JSON.stringify([{ url: app.url ?? 'app://bundle/login?next=%2F', webSocketDebuggerUrl }]))
  })
  new WebSocketServer({ server }).on('connection', (socket) => {
    socket.on('message', async (data) => {
      const { id, method, params } = JSON.parse(String(data))
      expect(method).toBe('Runtime.evaluate')
      const value = await runInNewContext(params.expression, globals)
      socket.send(JSON.stringify({ method: 'Runtime.executionContextCreated', params: {} }))
      socket.send(JSON.stringify({ id, result: { result: { type: 'object', value } } }))
    })
  })
  const { port: lastPort } = await serve((_request, response) => response.writeHead(app.status ?? 401).end())
  const portFile = join(folder, 'port')
  await writeFile(portFile, `${port}\n/devtools/browser/1`)
  await writeFile(join(folder, 'server.json'), JSON.stringify({ lastPort }))
  return { page, preferences, port: portFile }
}

/** What the fake app's process does: it says where its page is, like Chromium, and stops when asked to. */
const RUNS = `
  require('node:fs').copyFileSync(process.argv.at(-2).replace('--user-data-dir=', '') + '/port',
    process.argv.at(-2).replace('--user-data-dir=', '') + '/DevToolsActivePort')
  setInterval(() => {}, 1000)`

/** Runs JavaScript instead of the packaged app. */
const run = (script: string) =>
  tryPackagedApp(process.execPath, { userData: folder, args: ['-e', script, '--'] })

describe('DESK-01 DESK-08 the try of a packaged app', () => {
  test('signs in as a demo member, restarts, and finds the member signed in with a sealed session', async () => {
    const { page, preferences } = await fakeApp()
    expect(await run(RUNS)).toMatchObject({ problem: null })
    expect(page.isSignedIn).toBe(true)
    // Windows quits the app by closing its window.
    expect(preferences).toContainEqual({ keepRunningInTray: false })
  })

  test.each<[string, FakeApp, string]>([
    ['an empty page', { url: 'about:blank' }, 'The page shows about:blank instead of the app.'],
    ['a broken server', { status: 500 }, 'The server responded with 500.'],
    ['a sign-in that fails', { canSignIn: false }, 'Signing in did not work: app://bundle/login?next=%2F'],
    [
      'no keyring',
      { isSignedIn: true, persistence: 'memory' },
      "The key store does not work: the session is kept as 'memory'.",
    ],
  ])('finds %s', async (_, app, problem) => {
    const { port } = await fakeApp(app)
    await symlink(port, join(folder, 'DevToolsActivePort'))
    expect(await findProblem(folder, { signIn: true })).toBe(problem)
  })

  test('finds a restart that signs the member out', async () => {
    const { port } = await fakeApp()
    await symlink(port, join(folder, 'DevToolsActivePort'))
    expect(await findProblem(folder, { signIn: false })).toMatch(/^Staying signed in did not work/)
  })

  test('fails before there is a page', async () => {
    expect(await findProblem(folder, { signIn: true })).toContain('The page was not found')
  })

  test('fails with the output if the app exits by itself', async () => {
    expect(await run('console.error(process.argv.slice(1).join(" ")); process.exit(3)')).toEqual({
      problem: 'The app exited with 3.',
      output: `--user-data-dir=${folder} --remote-debugging-port=0\n`,
    })
  })

  test('fails if the app is missing', async () => {
    const { problem } = await tryPackagedApp(join(folder, 'vignette'), { userData: folder })
    expect(problem).toContain('The app could not be started')
  })

  // Windows has no signals.
  if (process.platform !== 'win32') {
    test('finds an app that does not quit, and ends it', async () => {
      await fakeApp()
      const args = ['-e', `${RUNS}\nprocess.on('SIGTERM', () => {})`, '--']
      const { problem } = await tryPackagedApp(process.execPath, { userData: folder, args, quitTimeout: 300 })
      expect(problem).toBe('The app did not quit within 0.3 s.')
    })

    test('asks the app itself to quit, also behind a script', async () => {
      await fakeApp()
      // Chromium links to 'HOST-PID'.
      const app = `${RUNS}
        require('node:fs').rmSync('${folder}/SingletonLock', { force: true })
        require('node:fs').symlinkSync('some-host-' + process.pid, '${folder}/SingletonLock')
        process.on('SIGTERM', () => { require('node:fs').appendFileSync('${folder}/quits', '.'); process.exit() })`
      const script = `require('node:child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(app)}, '--', ...process.argv.slice(1)], { stdio: 'inherit' })`
      expect(await run(script)).toMatchObject({ problem: null })
      expect(await readFile(join(folder, 'quits'), 'utf8')).toBe('..')
    })
  }
})

describe('DESK-01 a stored session', () => {
  test.each([
    ['linux', SEALED, null],
    // Windows and macOS have no other key.
    ['darwin', sessions(sealed('v10\x8f\x02')), null],
    ['linux', sessions(sealed('v10\x8f\x02')), 'The session is sealed without a keyring.'],
    ['linux', sessions({ kind: 'plain', value: '{}' }), 'The session is stored as plain text.'],
    ['win32', SEALED.replace('false', 'true'), 'The session is stored as plain text.'],
    ['win32', sessions(sealed('{"access_token":"eyJ')), 'The session is readable.'],
    ['win32', sessions(sealed('')), 'The session is readable.'],
    ['linux', sessions(), 'No session is stored.'],
  ] as const)('on %s: %s', (platform, text, problem) => {
    expect(sealingProblem(text, platform)).toBe(problem)
  })
})

test.each([
  ['win32', 'x64', 'win-unpacked/Vignette.exe'],
  ['win32', 'arm64', 'win-arm64-unpacked/Vignette.exe'],
  ['darwin', 'x64', 'mac/Vignette.app/Contents/MacOS/Vignette'],
  ['darwin', 'arm64', 'mac-arm64/Vignette.app/Contents/MacOS/Vignette'],
  ['linux', 'x64', 'linux-unpacked/vignette'],
] as const)('finds the packaged executable on %s %s', (platform, arch, path) => {
  expect(packagedExecutable('release', { platform, arch })).toBe(join('release', path))
})
