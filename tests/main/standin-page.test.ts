import { afterEach, describe, expect, test, vi } from 'vitest'
import { pageWorld, preloadWorld } from '#tests/standin/page/worlds.js'
import { decode, encode } from '#tests/standin/values'

describe('main world and isolated world of a page', () => {
  type Api = Record<string, (...args: unknown[]) => unknown>
  type Preload = (require: (id: string) => Record<string, Api>, process: Record<string, unknown>) => void

  /** Starts the main world, then a preload with these lines; `sent` records the messages to main. */
  function open(preload: Preload) {
    class Document extends EventTarget {
      hasFocus(): boolean {
        return true
      }
    }
    const window = new EventTarget() as EventTarget & Record<string, unknown>
    const sent: { id: number; channel: string; args: unknown }[] = []
    vi.stubGlobal('Document', Document)
    vi.stubGlobal('document', new Document())
    vi.stubGlobal('window', window)
    vi.stubGlobal('standinToMain', (text: string) => sent.push(JSON.parse(text)))
    pageWorld()
    preloadWorld(preload as never, { platform: 'linux' })
    const fromMain = (globalThis as unknown as { standinFromMain: Api }).standinFromMain
    return { window, sent, fromMain }
  }
  const exposing = (api: unknown) =>
    open((require) => require('electron').contextBridge?.exposeInMainWorld?.('desktop', api))

  afterEach(() => {
    vi.unstubAllGlobals()
  })

  test('exposed objects are frozen: functions by reference, other values copied', () => {
    const inside = { list: [1, 2], bytes: new Uint8Array([1]) }
    const { window } = exposing({ inside, twice: (value: number) => value * 2 })
    const { desktop } = window as { desktop?: { inside: typeof inside; twice(value: number): number } }
    expect(desktop?.inside).toEqual(inside)
    expect(desktop?.inside).not.toBe(inside)
    expect(desktop?.twice(21)).toBe(42)
    expect([desktop, desktop?.inside, desktop?.inside.list].map(Object.isFrozen)).toEqual([true, true, true])
  })

  test('promises stay promises, errors keep only their message', async () => {
    class OwnError extends Error {
      override name = 'OwnError'
      code = 'secret'
    }
    const { window } = exposing({
      later: async () => ({ answer: 42 }),
      refuse: () => Promise.reject(new OwnError('refused: no')),
      fail: () => {
        throw new OwnError('failed')
      },
    })
    const desktop = window.desktop as Api
    expect(await desktop.later?.()).toEqual({ answer: 42 })
    const refusal = await Promise.resolve(desktop.refuse?.()).catch((cause: unknown) => cause)
    expect(refusal).toMatchObject({ name: 'Error', message: 'refused: no' })
    expect(refusal).not.toHaveProperty('code')
    expect(() => desktop.fail?.()).toThrow(/^failed$/)
  })

  test('rejects duplicate, too deep and uncloneable exposed values', () => {
    const twice = () =>
      open((require) => {
        require('electron').contextBridge?.exposeInMainWorld?.('desktop', {})
        require('electron').contextBridge?.exposeInMainWorld?.('desktop', {})
      })
    expect(twice).toThrow('Cannot bind an API on top of an existing property on the window object')
    let deep: unknown = {}
    for (let level = 0; level < 1_001; level++) deep = { deep }
    expect(() => exposing(deep)).toThrow('recursion depth exceeded')
    expect(() => exposing({ weak: new WeakMap() })).toThrow('could not be cloned')
  })

  test.each([
    ['a module outside of the sandbox', (require) => require('node:path'), 'module not found: node:path'],
    ['a chunk', (load) => load('./chunks/x.cjs'), 'module not found'],
    ['an unknown module of electron', (require) => require('electron').clipboard, 'has no module.clipboard'],
    [
      'ipcRenderer.sendSync',
      (require) => require('electron').ipcRenderer?.sendSync?.('x'),
      'has no ipcRenderer.sendSync',
    ],
    ['process.cwd', (_require, process) => process.cwd, 'has no process.cwd'],
  ] satisfies [string, Preload, string][])('a preload has no %s', (_what, preload, message) => {
    expect(() => open(preload)).toThrow(message)
  })

  test('calls pass copies of their arguments to main, and return or fail with the messages of Electron', async () => {
    const { window, sent, fromMain } = open((require) => {
      const { contextBridge, ipcRenderer } = require('electron')
      contextBridge?.exposeInMainWorld?.('desktop', {
        ask: (...args: unknown[]) => ipcRenderer?.invoke?.('badge.set', ...args),
      })
    })
    const desktop = window.desktop as Api
    const [first, second] = [desktop.ask?.({ unread: 1 }), desktop.ask?.(undefined)]
    expect(sent.map(({ channel, args }) => [channel, decode(args as never)])).toEqual([
      ['badge.set', [{ unread: 1 }]],
      ['badge.set', [undefined]],
    ])
    fromMain.answer?.(sent[0]?.id, { ok: true, value: encode({ shown: true }) })
    fromMain.answer?.(sent[1]?.id, { ok: false, message: "Error: No handler registered for 'badge.set'" })
    expect(await first).toEqual({ shown: true })
    await expect(second).rejects.toThrow(
      "Error invoking remote method 'badge.set': Error: No handler registered for 'badge.set'",
    )
    await expect(desktop.ask?.(new Map())).rejects.toThrow('plain values and bytes only')
    expect(sent).toHaveLength(2)
  })

  test('listeners receive events until they unsubscribe; focus follows the window', () => {
    const heard: unknown[] = []
    const { window, fromMain } = open((require) => {
      const { ipcRenderer } = require('electron')
      const listener = (_event: unknown, value: unknown) => {
        heard.push(value)
        ipcRenderer?.removeListener?.('navigate', listener)
      }
      ipcRenderer?.on?.('navigate', listener)
    })
    fromMain.send?.('navigate', encode(['/create']))
    fromMain.send?.('navigate', encode(['/settings']))
    expect(heard).toEqual(['/create'])

    const seen: string[] = []
    for (const event of ['focus', 'blur']) window.addEventListener(event, () => seen.push(event))
    expect(document.hasFocus()).toBe(false)
    for (const isFocused of [true, true, false]) fromMain.focus?.(isFocused)
    expect(seen).toEqual(['focus', 'blur'])
    expect(document.hasFocus()).toBe(false)
  })
})
