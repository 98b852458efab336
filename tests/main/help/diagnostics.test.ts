import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type DiagnosticsParts,
  type Environment,
  readDiagnostics,
  redactPersonalData,
} from '#/main/help/diagnostics'
import { helpHandlers } from '#/main/help/help'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vignette-diagnostics-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function parts(logFile: string, environment: Partial<Environment> = {}): DiagnosticsParts {
  return {
    versions: { app: '1.2.3', electron: '45.4.1', chrome: '156', node: '24' },
    system: { platform: 'linux', release: '6.1', arch: 'x64', language: 'en-GB' },
    environment: async () => ({
      package: 'AppImage',
      desktop: 'GNOME',
      session: 'wayland',
      hasSandbox: false,
      isAccelerated: true,
      graphics: { gpu_compositing: 'enabled', webgl: 'unavailable' },
      keyStore: 'gnome_libsecret',
      ...environment,
    }),
    serverKind: () => 'chosen',
    backend: () => ({ state: 'ready' }) as const,
    updates: () => ({ state: 'off' }) as const,
    logFile,
    home: '/home/ana',
  }
}

test('a report has versions, states and the last complete lines of the log', async () => {
  const logFile = join(folder, 'main.log')
  const lines = Array.from({ length: 2_000 }, (_, n) => `line ${n} of the log`)
  await writeFile(logFile, lines.join('\n'))
  const text = await readDiagnostics(parts(logFile))
  expect(text).toContain('Vignette 1.2.3')
  expect(text).toContain('Server: chosen, backend ready')
  expect(text).toContain('line 1999 of the log')
  expect(text).not.toContain('line 0 of')
  const [first = ''] = text.slice(text.indexOf('\n\n') + 2).split('\n')
  expect(first).toMatch(/^line \d+ of the log$/)
})

test('DESK-19 a report names package, desktop, session, sandbox, graphics and key store', async () => {
  const text = await readDiagnostics(parts(''))
  expect(text).toContain('Package: AppImage, sandbox off\nDesktop: GNOME, session wayland\n')
  expect(text).toContain('Graphics: acceleration on; gpu_compositing enabled, webgl unavailable\n')
  expect(text).toContain('Key store: gnome_libsecret\n')
  const onMac = { desktop: '', session: '', hasSandbox: true, isAccelerated: false, graphics: {} }
  const other = await readDiagnostics(parts('', onMac))
  expect(other).toContain('sandbox on\nGraphics: acceleration off')
  expect(await readDiagnostics(parts('', { session: '' }))).toContain('Desktop: GNOME, session unknown\n')
})

test('creates a report without a log', async () => {
  expect(await readDiagnostics(parts(join(folder, 'missing.log')))).toContain('Electron 45.4.1')
})

test('contains neither the identity of the member nor their server', () => {
  const text = redactPersonalData(
    'ENOENT /home/ana/.config/vignette, mail ana@example.com, https://secret.supabase.co/rest/v1/posts?id=1, http://127.0.0.1:5001/x, Bearer abc.def.ghi, {"refresh_token":"r3fr3sh"}',
    '/home/ana',
  )
  for (const secret of ['/home/ana', 'ana@', 'secret.supabase', 'abc.def', 'r3fr3sh']) {
    expect(text).not.toContain(secret)
  }
  expect(text).toContain('~/.config/vignette')
  expect(text).toContain('http://127.0.0.1:5001/x')
  expect(redactPersonalData('C:\\\\Users\\\\ana\\\\log and C:/Users/ana/x', 'C:\\Users\\ana')).toBe(
    '~\\\\log and ~/x',
  )
})

test('help copies the report and opens log and folder; a failure to open is an error', async () => {
  const did: string[] = []
  const help = helpHandlers({
    diagnostics: async () => 'the report',
    writeClipboard: async (text) => void did.push(`copied ${text}`),
    openPath: async (path) => {
      did.push(`opened ${path}`)
      return path === '/data' ? 'No program for it' : ''
    },
    logFile: '/logs/main.log',
    dataFolder: '/data',
  })
  await help['help.copyDiagnostics']()
  await help['help.openLog']()
  await expect(help['help.showDataFolder']()).rejects.toThrow('No program for it')
  expect(did).toEqual(['copied the report', 'opened /logs/main.log', 'opened /data'])
})
