import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findProblem, packagedExecutable, smokeTest } from '../../scripts/lib/packaged-app.mjs'

let folder: string
let servers: Server[]
beforeEach(async () => {
  servers = []
  folder = await mkdtemp(join(tmpdir(), 'vignette-packaged-test-'))
})
afterEach(async () => {
  for (const server of servers) server.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

async function serve(answer: RequestListener): Promise<number> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return (server.address() as AddressInfo).port
}

/** Writes the files of a running app to the data folder; it shows `url`, and its server responds with `status`. */
async function fakeApp(url: string, status: number): Promise<void> {
  const pages = await serve((_request, response) => response.end(JSON.stringify([{ url }])))
  const lastPort = await serve((_request, response) => response.writeHead(status).end())
  await writeFile(join(folder, 'DevToolsActivePort'), `${pages}\n/devtools/browser/1`)
  await writeFile(join(folder, 'server.json'), JSON.stringify({ lastPort }))
}

/** Runs JavaScript instead of the packaged app. */
const run = (script: string) => smokeTest(process.execPath, { userData: folder, args: ['-e', script, '--'] })

describe('the smoke test', () => {
  test('succeeds once the page shows the sign-in screen and the server responds', async () => {
    await fakeApp('app://bundle/login?next=%2F', 401)
    const { problem } = await run('setInterval(() => {}, 1000)')
    expect(problem).toBeNull()
  })

  test.each([
    ['app://bundle/', 401, 'The page shows app://bundle/ instead of the sign-in screen.'],
    ['app://bundle/login', 500, 'The server responded with 500.'],
  ])('fails on %s with a server that responds with %i', async (url, status, problem) => {
    await fakeApp(url, status)
    expect(await findProblem(folder)).toBe(problem)
  })

  test('fails before there is a page', async () => {
    expect(await findProblem(folder)).toContain('The page was not found')
  })

  test('fails with the output if the app exits by itself', async () => {
    expect(await run('console.error(process.argv.slice(1).join(" ")); process.exit(3)')).toEqual({
      problem: 'The app exited with 3.',
      output: `--user-data-dir=${folder} --remote-debugging-port=0\n`,
    })
  })

  test('fails if the app is missing', async () => {
    const { problem } = await smokeTest(join(folder, 'vignette'), { userData: folder })
    expect(problem).toContain('The app could not be started')
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
