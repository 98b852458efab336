import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import vm from 'node:vm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BRIDGE_EVENTS, type BridgeChannel, bridgeCalls, type DesktopBridge } from '#/shared/bridge'
import { bridgeErrorCode } from '#/shared/bridge-error'
import { buildShell } from '#tests/standin/build'

/** The globals of a sandboxed preload (Electron 45, lib/sandboxed_renderer/preload.ts): no __dirname, no import. */
const PARAMETERS = [
  'require',
  'process',
  'exports',
  'module',
  'Buffer',
  'global',
  'setImmediate',
  'clearImmediate',
]
/** The modules that it may require. */
const MODULES = ['electron', 'electron/common', 'electron/renderer', 'events', 'timers', 'url']

let folder: string
let files: { name: string; code: string }[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vignette-preload-'))
  await buildShell(folder, ['preload'])
  const names = (await readdir(join(folder, 'preload'), { recursive: true })).filter((name) =>
    /\.[cm]?js$/.test(name),
  )
  files = await Promise.all(
    names.map(async (name) => ({ name, code: await readFile(join(folder, 'preload', name), 'utf8') })),
  )
}, 60_000)

afterAll(() => rm(folder, { recursive: true, force: true }))

type Listener = (event: unknown, ...args: unknown[]) => void

/** Applies contextBridge's conversion: an error keeps only its message. */
function throughContextBridge(error: unknown): unknown {
  return error instanceof Error || vmError(error)
    ? new Error((error as Error).message)
    : structuredClone(error)
}

function vmError(value: unknown): boolean {
  return Object.prototype.toString.call(value) === '[object Error]'
}

/** Runs a built preload as the sandbox does; returns what it exposed and how it used ipcRenderer. */
function run(
  code: string,
  name: string,
  invoke: (channel: string, args: unknown[]) => unknown = () => undefined,
) {
  const exposed = new Map<string, unknown>()
  const listeners: { channel: string; listener: Listener }[] = []
  const electron = {
    contextBridge: { exposeInMainWorld: (key: string, api: unknown) => exposed.set(key, api) },
    ipcRenderer: {
      invoke: async (channel: string, ...args: unknown[]) =>
        structuredClone(await invoke(channel, structuredClone(args))),
      on: (channel: string, listener: Listener) => listeners.push({ channel, listener }),
      removeListener: (channel: string, listener: Listener) => {
        const index = listeners.findIndex((entry) => entry.channel === channel && entry.listener === listener)
        if (index >= 0) listeners.splice(index, 1)
      },
    },
  }
  const require = (id: string) => {
    if (!MODULES.includes(id.replace(/^node:/, ''))) throw new Error(`module not found: ${id}`)
    return id.startsWith('electron') ? electron : {}
  }
  const compiled = vm.compileFunction(code, PARAMETERS, {
    filename: name,
    parsingContext: vm.createContext({}),
  })
  const sandboxProcess = { type: 'renderer', platform: process.platform, versions: {}, env: {} }
  compiled(require, sandboxProcess, {}, { exports: {} }, Buffer, {}, setImmediate, clearImmediate)
  return { exposed, listeners, desktop: exposed.get('desktop') as DesktopBridge }
}

/** All functions of the bridge by path. */
function functionsOf(value: object, path = ''): [string, (...args: unknown[]) => unknown][] {
  return Object.entries(value).flatMap(([name, member]) => {
    if (typeof member === 'function') return [[`${path}${name}`, member]]
    return typeof member === 'object' && member !== null ? functionsOf(member, `${path}${name}.`) : []
  })
}

const isSubscription = (path: string) => /(^|\.)on[A-Z]/.test(path)

describe('every built preload', () => {
  test('is a single CommonJS file', () => {
    expect(files.map(({ name }) => name)).toEqual(['index.cjs'])
  })

  test('runs in the sandbox and requires no other module', () => {
    for (const { name, code } of files) expect(() => run(code, name)).not.toThrow()
  })

  test('the check rejects a foreign module, __dirname and ESM', () => {
    expect(() => run("require('node:path')", 'path.cjs')).toThrow('module not found: node:path')
    expect(() => run("require('./chunks/shared.cjs')", 'chunk.cjs')).toThrow('module not found')
    expect(() => run('__dirname', 'dirname.cjs')).toThrow('__dirname is not defined')
    expect(() => run("import 'electron'", 'esm.cjs')).toThrow('import')
  })
})

describe('the bridge', () => {
  let code: string
  beforeEach(() => {
    const index = files.find(({ name }) => name === 'index.cjs')
    if (index === undefined) throw new Error('no index.cjs')
    code = index.code
  })

  test('is the only exposed API and does not contain ipcRenderer', () => {
    const { exposed, desktop } = run(code, 'index.cjs')
    expect([...exposed.keys()]).toEqual(['desktop'])
    expect(desktop.host).toBe('electron')
    expect(functionsOf(desktop).map(([path]) => path)).not.toContain('invoke')
  })

  test('DESK-07 calls each channel once by its name, with its arguments', async () => {
    const called: string[] = []
    const { desktop } = run(code, 'index.cjs', (channel, args) => {
      called.push(channel)
      return { ok: true, value: args }
    })
    for (const [path, call] of functionsOf(desktop)) {
      if (isSubscription(path)) continue
      expect(await call('a', 'b')).toEqual(['a', 'b'])
      expect(called.at(-1)).toBe(path)
    }
    expect(called.sort()).toEqual((Object.keys(bridgeCalls) as BridgeChannel[]).sort())
  })

  test('throws an error whose code survives contextBridge when main refuses a call', async () => {
    const { desktop } = run(code, 'index.cjs', () => ({
      ok: false,
      error: { code: 'file-too-large', message: 'This picture is too large.' },
    }))
    const thrown = await desktop.files.pick('photo').then(
      () => undefined,
      (error: unknown) => throughContextBridge(error),
    )
    expect(bridgeErrorCode(thrown)).toBe('file-too-large')
    expect((thrown as Error).message).toContain('This picture is too large.')
  })

  test('subscriptions cover every event, pass only the value, and end on unsubscribe', () => {
    const { desktop, listeners } = run(code, 'index.cjs')
    const subscriptions = functionsOf(desktop).filter(([path]) => isSubscription(path))
    for (const [, subscribe] of subscriptions) {
      const heard: unknown[][] = []
      const unsubscribe = subscribe((...args: unknown[]) => heard.push(args)) as () => void
      const [entry] = listeners
      entry?.listener({ sender: 'ipcRenderer' }, 'value')
      expect(heard).toEqual([['value']])
      expect(BRIDGE_EVENTS).toContain(entry?.channel)
      unsubscribe()
      expect(listeners).toEqual([])
    }
    expect(subscriptions).toHaveLength(BRIDGE_EVENTS.length)
  })
})
