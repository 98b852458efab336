import type { BrowserWindow as RealWindow, Rectangle } from 'electron'
import { lacksDesktopEntry } from './desktop-entry'
import { display, inPassing } from './display'
import {
  knowsOnly,
  PreventableEvent,
  requireReady,
  StandinEmitter,
  strict,
  strictClass,
  type Unknown,
} from './life'
import { record } from './record'
import { StandinContents } from './web-contents'

const windows = new Set<StandinWindow>()

/** What X11's window manager draws to the left of and above a window. */
const FRAME = { x: 1, y: 37 }

/** How the app reacts to its windows. */
interface AppHooks {
  contentsCreated(contents: StandinContents): void
  /** A window refused to close, which cancels quitting. */
  closeRefused(): void
  lastWindowGone(): void
}

let appHooks: AppHooks = {
  contentsCreated: () => undefined,
  closeRefused: () => undefined,
  lastWindowGone: () => undefined,
}

/** Called by the app module, which imports this one. */
export function setAppHooks(hooks: AppHooks): void {
  appHooks = hooks
}

/** Window actions of the member or the system. */
export type WindowAct =
  | 'focus'
  | 'blur'
  | 'minimize'
  | 'restore'
  | 'maximize'
  | 'unmaximize'
  | 'enter-full-screen'
  | 'leave-full-screen'
  | 'enter-html-full-screen'
  | 'leave-html-full-screen'
  | 'unresponsive'
  | 'responsive'

export function openWindows(): StandinWindow[] {
  return [...windows]
}

class StandinWindow extends StandinEmitter {
  readonly options: Electron.BrowserWindowConstructorOptions
  isVisibleNow = false
  isFocusedNow = false
  #isMinimizedNow = false
  #isMaximizedNow = false
  #isFullScreenNow = false
  #wasFullBeforePage = false
  #isDestroyed = false
  #bounds: Rectangle
  #isFramed = process.platform !== 'linux'
  readonly #contents: StandinContents

  constructor(options: Electron.BrowserWindowConstructorOptions = {}) {
    super('BrowserWindow')
    requireReady('BrowserWindow')
    if (process.env.STANDIN_DISPLAY === 'none') throw new Error('Unable to open a display')
    if (
      openWindows().some((other) => other.options.name !== undefined && other.options.name === options.name)
    ) {
      throw new Error(`Window name '${options.name}' is already in use`)
    }
    this.options = options
    const { x = 0, y = 0, width = 800, height = 600, webPreferences } = options
    this.#bounds = { x, y, width, height }
    const contents = new StandinContents({ ...this.#bounds, preload: webPreferences?.preload })
    contents.once('did-finish-load', () => {
      record.order.push('page')
      // On Wayland it may never fire (electron#48859).
      if (process.env.STANDIN_READY_TO_SHOW !== 'never') this.emit('ready-to-show')
    })
    this.#contents = strict('webContents', contents)
    windows.add(this)
    record.order.push('window')
    appHooks.contentsCreated(this.webContents)
    if (options.show !== false) this.show()
  }

  get webContents(): StandinContents {
    this.#alive()
    return this.#contents
  }

  #alive(): void {
    if (this.#isDestroyed) throw new TypeError('Object has been destroyed')
  }

  /** Emits each change once, with Electron's event names. */
  #become(visible: boolean, focused: boolean): void {
    const wasVisible = this.isVisibleNow
    const wasFocused = this.isFocusedNow
    this.isVisibleNow = visible
    this.isFocusedNow = focused
    if (visible !== wasVisible) this.emit(visible ? 'show' : 'hide')
    if (visible && !this.#isFramed) this.#frame()
    if (focused === wasFocused) return
    inPassing(display?.focus(this.webContents.id, focused))
    this.emit(focused ? 'focus' : 'blur')
  }

  /**
   * On X11 the window manager puts the frame, with the title bar, where the app wanted the window; then the window reports
   * where its content is (electron#28128, vscode#117180).
   */
  #frame(): void {
    this.#isFramed = true
    setImmediate(() => {
      if (this.#isDestroyed) return
      this.#bounds = { ...this.#bounds, x: this.#bounds.x + FRAME.x, y: this.#bounds.y + FRAME.y }
      this.emit('move')
    })
  }

  isDestroyed(): boolean {
    return this.#isDestroyed
  }

  async loadURL(url: string): Promise<void> {
    this.#alive()
    await this.webContents.load(url)
  }

  /** The system may deny focus to a background program. */
  get #getsFocus(): boolean {
    return process.env.STANDIN_FOCUS !== 'refused'
  }

  show(): void {
    this.#alive()
    record.shown += 1
    this.#become(true, this.#getsFocus || this.isFocusedNow)
  }

  hide(): void {
    this.#alive()
    if (this.#isFullScreenNow && process.platform === 'darwin') record.hiddenInFullScreen = true
    // Hiding removes the taskbar button and its overlay: Electron restores only thumbnail buttons.
    if (process.platform === 'win32') Object.assign(record, { badge: '', progress: null })
    this.#become(false, false)
  }

  focus(): void {
    this.#alive()
    if (this.isVisibleNow && !this.#isMinimizedNow) this.#become(true, this.#getsFocus || this.isFocusedNow)
  }

  /** Actions of the member, with the window's buttons or the taskbar. */
  handle(act: WindowAct): void {
    switch (act) {
      case 'focus':
        this.#become(this.isVisibleNow, true)
        break
      case 'maximize':
      case 'unmaximize':
        this.#isMaximizedNow = act === 'maximize'
        this.emit(act)
        break
      case 'enter-full-screen':
      case 'leave-full-screen':
        this.setFullScreen(act === 'enter-full-screen')
        break
      case 'enter-html-full-screen':
      case 'leave-html-full-screen':
        this.fillWithPage(act === 'enter-html-full-screen')
        break
      case 'unresponsive':
      case 'responsive':
        this.#contents.emit(act)
        break
      default:
        this[act]()
    }
  }

  /** Completes after an animation, as on macOS. */
  setFullScreen(fills: boolean): void {
    this.#alive()
    if (fills === this.#isFullScreenNow) return
    setImmediate(() => {
      if (this.#isDestroyed) return
      this.#isFullScreenNow = fills
      this.emit(fills ? 'enter-full-screen' : 'leave-full-screen')
    })
  }

  /** A window that filled the screen before its page did stays so. */
  fillWithPage(fills: boolean): void {
    const wasFull = fills ? this.#isFullScreenNow : this.#wasFullBeforePage
    this.#wasFullBeforePage = wasFull
    if (!wasFull) this.setFullScreen(fills)
    this.emit(fills ? 'enter-html-full-screen' : 'leave-html-full-screen')
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
    return this.#isMaximizedNow
  }

  isFullScreen(): boolean {
    this.#alive()
    return this.#isFullScreenNow
  }

  isMinimized(): boolean {
    this.#alive()
    return this.#isMinimizedNow
  }

  getBounds(): Rectangle {
    this.#alive()
    return { ...this.#bounds }
  }

  /** Maximizing and full screen do not change the bounds here. */
  getNormalBounds(): Rectangle {
    return this.getBounds()
  }

  /** Also shows a hidden window. */
  maximize(): void {
    this.#alive()
    this.#become(true, this.isFocusedNow)
    this.handle('maximize')
  }

  setBounds(bounds: Partial<Rectangle>): void {
    this.#alive()
    this.#bounds = { ...this.#bounds, ...bounds }
    inPassing(display?.resize(this.webContents.id, this.#bounds))
    this.emit('resize')
    this.emit('move')
  }

  setOverlayIcon(_image: unknown, description: string): void {
    this.#alive()
    record.badge = description
  }

  /**
   * As taskbar_host.cc, native_window_mac.mm and launcher_entry.cc: only Windows has modes, and Linux shows no empty, full or
   * indeterminate bar.
   */
  setProgressBar(progress: number, options?: Electron.ProgressBarOptions): void {
    this.#alive()
    const mode = options?.mode ?? 'normal'
    const { platform } = process
    if (platform === 'linux') {
      if (!lacksDesktopEntry())
        record.progress = progress > 0 && progress < 1 ? { fraction: progress, mode: 'normal' } : null
    } else if (progress > 1 || (platform === 'win32' && mode === 'indeterminate')) {
      record.progress = 'indeterminate'
    } else if (progress < 0 || (platform === 'win32' && mode === 'none')) {
      record.progress = null
    } else {
      record.progress = {
        fraction: platform === 'win32' ? Math.round(progress * 100) / 100 : progress,
        mode: platform === 'win32' ? mode : 'normal',
      }
    }
  }

  flashFrame(flag: boolean): void {
    this.#alive()
    record.isFlashing = flag
  }

  setBackgroundColor(color: string): void {
    this.#alive()
    this.options.backgroundColor = color
  }

  /** Emits `close` synchronously; the page and the window end later. */
  close(): void {
    if (this.#isDestroyed) return
    const event = new PreventableEvent()
    this.emit('close', event)
    if (event.defaultPrevented) {
      appHooks.closeRefused()
      return
    }
    setImmediate(() => this.destroy())
  }

  destroy(): void {
    if (this.#isDestroyed) return
    this.#isDestroyed = true
    this.#contents.isGone = true
    windows.delete(this)
    inPassing(display?.close(this.#contents.id))
    this.emit('closed')
    if (windows.size === 0) appHooks.lastWindowGone()
  }
}

knowsOnly<
  Unknown<StandinWindow, RealWindow, 'options' | 'isVisibleNow' | 'isFocusedNow' | 'handle' | 'fillWithPage'>
>()

export const BrowserWindow = strictClass('BrowserWindow', StandinWindow)
