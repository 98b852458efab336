import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  desktopObstacle,
  explainDownloadFailure,
  explainStartFailure,
  isUsernsRestricted,
} from '../../scripts/lib/desktop.mjs'
import { userDataFolder } from '../../scripts/lib/paths.mjs'
import { openCommand } from '../../scripts/lib/system-browser.mjs'
import { freePort } from '../../scripts/lib/web-server.mjs'

const URL = 'http://127.0.0.1:4173'

test.each([
  ['Linux with X', { platform: 'linux', uid: 1000, env: { DISPLAY: ':0' } }, null],
  ['Linux with Wayland', { platform: 'linux', uid: 1000, env: { WAYLAND_DISPLAY: 'wayland-0' } }, null],
  [
    'Linux without a display',
    { platform: 'linux', uid: 1000, env: { DISPLAY: '' } },
    'there is no display here',
  ],
  ['root on Linux', { platform: 'linux', uid: 0, env: { DISPLAY: ':0' } }, 'Electron does not run as root'],
  ['root on macOS', { platform: 'darwin', uid: 0, env: {} }, null],
  ['Windows', { platform: 'win32', env: {} }, null],
] as const)('%s: %o has the obstacle %o', (_, machine, obstacle) => {
  expect(desktopObstacle(machine)).toBe(obstacle)
})

test.each([
  ['RequestError: getaddrinfo ENOTFOUND github.com\n    at ClientRequest…', /cannot be reached/],
  ['TypeError: fetch failed\n  cause: ECONNREFUSED', /cannot be reached/],
  ['HTTPError: Response code 403 (Forbidden)', /answered 403/],
  ['Error: ENOSPC: no space left on device, write', /disk is full/],
  [
    'Error: something else\n    at Object.<anonymous> (/x/y.js:1:2)',
    /^Electron's runtime could not be installed$/,
  ],
])('explains a failed download without the stack trace: %s', (output, expected) => {
  const explanation = explainDownloadFailure(output)
  expect(explanation).toMatch(expected)
  expect(explanation).not.toMatch(/\n|at Object/)
})

test('explains a failed start of Electron with AppArmor if it restricts user namespaces', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vignette-start-'))
  try {
    const file = join(folder, 'restriction')
    expect(isUsernsRestricted(file)).toBe(false)
    await writeFile(file, '0\n')
    expect(isUsernsRestricted(file)).toBe(false)
    await writeFile(file, '1\n')
    expect(isUsernsRestricted(file)).toBe(true)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  expect(explainStartFailure({ code: null, isRestricted: false })).toBe(
    'Electron could not start on this system (crashed)',
  )
  expect(explainStartFailure({ code: 133, isRestricted: true })).toMatch(/\(133\); AppArmor .*Ubuntu 24\.04/)
})

test.each([
  ['linux', {}, '/home/ada/.config/Vignette'],
  ['linux', { XDG_CONFIG_HOME: '/data/config' }, '/data/config/Vignette'],
  ['darwin', {}, '/home/ada/Library/Application Support/Vignette'],
] as const)('on %s with %o the data folder is %s', (platform, env, folder) => {
  expect(userDataFolder(env, platform, '/home/ada').replaceAll('\\', '/')).toBe(folder)
})

test('on Windows the data folder is in APPDATA', () => {
  const folder = userDataFolder({ APPDATA: 'C:/Users/ada/AppData/Roaming' }, 'win32', 'C:/Users/ada')
  expect(folder.replaceAll('\\', '/')).toBe('C:/Users/ada/AppData/Roaming/Vignette')
})

test.each([
  ['macOS', { platform: 'darwin', env: {} }, 'open'],
  ['Windows', { platform: 'win32', env: {} }, 'rundll32'],
  ['Linux', { platform: 'linux', env: { DISPLAY: ':0' } }, 'xdg-open'],
  ['Linux without a display', { platform: 'linux', env: {} }, undefined],
  ['CI', { platform: 'darwin', env: { CI: 'true' } }, undefined],
  ['BROWSER=none', { platform: 'darwin', env: { BROWSER: 'none' } }, undefined],
] as const)('%s opens a URL with its own command', (_, machine, command) => {
  const opener = openCommand(URL, machine)
  expect(opener?.command).toBe(command)
  if (opener) expect(opener.args.at(-1)).toBe(URL)
})

test('returns the next free port', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  try {
    const { port } = other.address() as AddressInfo
    const free = await freePort(port)
    expect(free).toBeGreaterThan(port)
    expect(await freePort(free)).toBe(free)
  } finally {
    other.close()
  }
})

test('with hot reload, the page reaches every part of the server', () => {
  const paths = ['/auth/v1', '/rest/v1', '/realtime/v1', '/storage/v1', '/config.json']
  const script = readFileSync('scripts/dev.mjs', 'utf8')
  expect(paths.filter((path) => !script.includes(`'${path}'`))).toEqual([])
})
