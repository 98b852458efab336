import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findProblem, packagedProgram, tryPackagedApp } from '../../scripts/lib/packaged-app.mjs'

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

/** Leaves in the data folder what the app does that shows this page and whose server answers with this status. */
async function imitateApp(url: string, status: number): Promise<void> {
  const pages = await serve((_request, response) => response.end(JSON.stringify([{ url }])))
  const lastPort = await serve((_request, response) => response.writeHead(status).end())
  await writeFile(join(folder, 'DevToolsActivePort'), `${pages}\n/devtools/browser/1`)
  await writeFile(join(folder, 'server.json'), JSON.stringify({ lastPort }))
}

/** Runs a line of JavaScript in place of the packaged app. */
const run = (script: string) =>
  tryPackagedApp(process.execPath, { userData: folder, args: ['-e', script, '--'] })

describe('the packaged app works', () => {
  test('once its page shows the sign-in and its server answers', async () => {
    await imitateApp('app://bundle/login?next=%2F', 401)
    const { problem } = await run('setInterval(() => {}, 1000)')
    expect(problem).toBeNull()
  })

  test.each([
    ['app://bundle/', 401, 'The page does not show the sign-in but app://bundle/.'],
    ['app://bundle/login', 500, 'The server answers with 500.'],
  ])('not on %s with a server that answers %i', async (url, status, problem) => {
    await imitateApp(url, status)
    expect(await findProblem(folder)).toBe(problem)
  })

  test('not before it has a page', async () => {
    expect(await findProblem(folder)).toContain('The page cannot be found')
  })

  test('not when it ends by itself, and its output says why', async () => {
    expect(await run('console.error(process.argv.slice(1).join(" ")); process.exit(3)')).toEqual({
      problem: 'It ended with 3.',
      output: `--user-data-dir=${folder} --remote-debugging-port=0\n`,
    })
  })

  test('not when it is missing', async () => {
    const { problem } = await tryPackagedApp(join(folder, 'vignette'), { userData: folder })
    expect(problem).toContain('It could not be started')
  })
})

test.each([
  ['win32', 'x64', 'win-unpacked/Vignette.exe'],
  ['win32', 'arm64', 'win-arm64-unpacked/Vignette.exe'],
  ['darwin', 'x64', 'mac/Vignette.app/Contents/MacOS/Vignette'],
  ['darwin', 'arm64', 'mac-arm64/Vignette.app/Contents/MacOS/Vignette'],
  ['linux', 'x64', 'linux-unpacked/vignette'],
] as const)('the packaged program is found on %s %s', (platform, arch, path) => {
  expect(packagedProgram('release', { platform, arch })).toBe(join('release', path))
})
