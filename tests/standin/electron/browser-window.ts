import { EventEmitter } from 'node:events'
import type { BrowserWindow as RealWindow, WebContents, WindowOpenHandlerResponse } from 'electron'
import { app, PreventableEvent } from './app'
import { knowsOnly, requireReady, strict, type Unknown } from './life'
import { answerFor } from './protocol'
import { record } from './record'

const windows = new Set<StandinWindow>()
let lastId = 0

export function openWindows(): StandinWindow[] {
  return [...windows]
}

class StandinContents extends EventEmitter {
  readonly id = ++lastId
  readonly #window: StandinWindow
  url = ''
  openHandler: ((details: { url: string }) => WindowOpenHandlerResponse) | null = null

  constructor(window: StandinWindow) {
    super()
    this.#window = window
  }

  isDestroyed(): boolean {
    return this.#window.isDestroyed()
  }

  send(channel: string, ...args: unknown[]): void {
    if (this.isDestroyed()) throw new TypeError('Object has been destroyed')
    record.sent.push({ channel, args: structuredClone(args) })
  }

  getURL(): string {
    return this.url
  }

  reload(): void {
    void this.#window.loadURL(this.url)
  }

  setWindowOpenHandler(handler: (details: { url: string }) => WindowOpenHandlerResponse): void {
    this.openHandler = handler
  }
}

class StandinWindow extends EventEmitter {
  readonly webContents: StandinContents
  readonly options: Electron.BrowserWindowConstructorOptions
  loads = 0
  isVisibleNow = false
  isFocusedNow = false
  #isDestroyed = false

  constructor(options: Electron.BrowserWindowConstructorOptions = {}) {
    super()
    requireReady('BrowserWindow')
    if (
      openWindows().some((other) => other.options.name !== undefined && other.options.name === options.name)
    ) {
      throw new Error(`Window name '${options.name}' is already in use`)
    }
    this.options = options
    this.webContents = strict('webContents', new StandinContents(this))
    windows.add(this)
    app.emit('web-contents-created', new PreventableEvent(), this.webContents)
  }

  #alive(): void {
    if (this.#isDestroyed) throw new TypeError('Object has been destroyed')
  }

  isDestroyed(): boolean {
    return this.#isDestroyed
  }

  async loadURL(url: string): Promise<void> {
    this.#alive()
    this.webContents.emit('did-start-navigation', { url, isMainFrame: true, isSameDocument: false })
    const answer = await answerFor(url)
    this.webContents.url = url
    this.loads += 1
    if (!answer.ok) {
      this.webContents.emit('did-fail-load', new PreventableEvent(), -6, 'ERR_FILE_NOT_FOUND', url, true)
      throw new Error(`ERR_FILE_NOT_FOUND (-6) loading '${url}'`)
    }
    if (this.loads === 1) this.emit('ready-to-show')
    this.webContents.emit('did-finish-load')
  }

  show(): void {
    this.#alive()
    this.isVisibleNow = true
    this.isFocusedNow = true
    record.shown += 1
    this.emit('show')
  }

  hide(): void {
    this.#alive()
    this.isVisibleNow = false
    this.isFocusedNow = false
    this.emit('hide')
  }

  focus(): void {
    this.#alive()
  }

  isVisible(): boolean {
    this.#alive()
    return this.isVisibleNow
  }

  isFocused(): boolean {
    this.#alive()
    return this.isFocusedNow
  }

  setOverlayIcon(_image: unknown, description: string): void {
    this.#alive()
    record.badge = description
  }

  isMinimized(): boolean {
    this.#alive()
    return false
  }

  restore(): void {
    this.#alive()
  }

  setBackgroundColor(color: string): void {
    this.#alive()
    this.options.backgroundColor = color
  }

  close(): void {
    if (this.#isDestroyed) return
    const event = new PreventableEvent()
    this.emit('close', event)
    if (event.defaultPrevented) return
    this.#isDestroyed = true
    windows.delete(this)
    this.emit('closed')
  }
}

knowsOnly<Unknown<StandinWindow, RealWindow, 'options' | 'loads' | 'isVisibleNow' | 'isFocusedNow'>>()
knowsOnly<Unknown<StandinContents, WebContents, 'url' | 'openHandler'>>()

export { StandinWindow as BrowserWindow }
