import { EventEmitter } from 'node:events'
import type { BrowserWindow as RealWindow, Rectangle } from 'electron'
import { app, PreventableEvent } from './app'
import { display, inPassing } from './display'
import { knowsOnly, requireReady, strict, strictClass, type Unknown } from './life'
import { record } from './record'
import { StandinContents } from './web-contents'
import { keepPlace, placeOf } from './window-places'

const windows = new Set<StandinWindow>()

export function openWindows(): StandinWindow[] {
  return [...windows]
}

class StandinWindow extends EventEmitter {
  readonly options: Electron.BrowserWindowConstructorOptions
  isVisibleNow = false
  isFocusedNow = false
  #isMinimizedNow = false
  #isDestroyed = false
  #bounds: Rectangle
  readonly #contents: StandinContents

  constructor(options: Electron.BrowserWindowConstructorOptions = {}) {
    super()
    requireReady('BrowserWindow')
    if (process.env.STANDIN_DISPLAY === 'none') throw new Error('Unable to open a display')
    if (
      openWindows().some((other) => other.options.name !== undefined && other.options.name === options.name)
    ) {
      throw new Error(`Window name '${options.name}' is already in use`)
    }
    this.options = options
    const { width = 800, height = 600, webPreferences } = options
    this.#bounds = placeOf(options) ?? { x: 0, y: 0, width, height }
    const contents = new StandinContents({ ...this.#bounds, preload: webPreferences?.preload })
    contents.once('did-finish-load', () => {
      record.order.push('page')
      this.emit('ready-to-show')
    })
    this.#contents = strict('webContents', contents)
    windows.add(this)
    record.order.push('window')
    app.emit('web-contents-created', new PreventableEvent(), this.webContents)
    if (options.show !== false) this.show()
  }

  get webContents(): StandinContents {
    this.#alive()
    return this.#contents
  }

  #alive(): void {
    if (this.#isDestroyed) throw new TypeError('Object has been destroyed')
  }

  /** Tells each change once, in Electron's words. */
  #become(visible: boolean, focused: boolean): void {
    const wasVisible = this.isVisibleNow
    const wasFocused = this.isFocusedNow
    this.isVisibleNow = visible
    this.isFocusedNow = focused
    if (visible !== wasVisible) this.emit(visible ? 'show' : 'hide')
    if (focused === wasFocused) return
    inPassing(display?.focus(this.webContents.id, focused))
    this.emit(focused ? 'focus' : 'blur')
  }

  isDestroyed(): boolean {
    return this.#isDestroyed
  }

  async loadURL(url: string): Promise<void> {
    this.#alive()
    await this.webContents.load(url)
  }

  show(): void {
    this.#alive()
    record.shown += 1
    this.#become(true, true)
  }

  hide(): void {
    this.#alive()
    this.#become(false, false)
  }

  focus(): void {
    this.#alive()
    if (this.isVisibleNow && !this.#isMinimizedNow) this.#become(true, true)
  }

  blur(): void {
    this.#alive()
    this.#become(this.isVisibleNow, false)
  }

  minimize(): void {
    this.#alive()
    if (this.#isMinimizedNow) return
    this.#isMinimizedNow = true
    this.emit('minimize')
    this.#become(this.isVisibleNow, false)
  }

  restore(): void {
    this.#alive()
    if (!this.#isMinimizedNow) return
    this.#isMinimizedNow = false
    this.emit('restore')
  }

  isVisible(): boolean {
    this.#alive()
    return this.isVisibleNow
  }

  isFocused(): boolean {
    this.#alive()
    return this.isFocusedNow
  }

  isMaximized(): boolean {
    this.#alive()
    return false
  }

  isFullScreen(): boolean {
    this.#alive()
    return false
  }

  isMinimized(): boolean {
    this.#alive()
    return this.#isMinimizedNow
  }

  getBounds(): Rectangle {
    this.#alive()
    return { ...this.#bounds }
  }

  setBounds(bounds: Partial<Rectangle>): void {
    this.#alive()
    this.#bounds = { ...this.#bounds, ...bounds }
    keepPlace(this.options, this.#bounds)
    inPassing(display?.resize(this.webContents.id, this.#bounds))
    this.emit('resize')
    this.emit('move')
  }

  setOverlayIcon(_image: unknown, description: string): void {
    this.#alive()
    record.badge = description
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
    this.#contents.isGone = true
    windows.delete(this)
    inPassing(display?.close(this.#contents.id))
    this.emit('closed')
  }
}

knowsOnly<Unknown<StandinWindow, RealWindow, 'options' | 'isVisibleNow' | 'isFocusedNow'>>()

export const BrowserWindow = strictClass('BrowserWindow', StandinWindow)
