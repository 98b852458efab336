import type { WebContents, WindowOpenHandlerResponse } from 'electron'
import { display, inPassing, type Look } from './display'
import { knowsOnly, PreventableEvent, StandinEmitter, strict, type Unknown } from './life'
import { answerFor } from './protocol'
import { record } from './record'

type OpenHandler = (details: { url: string }) => WindowOpenHandlerResponse

/** Chromium's code for a load that another one replaced (ERR_ABORTED). */
const ABORTED = -3
const FAILED = -2

let lastId = 0

/** The page of a window, shown by the display or only requested from the app's protocol. */
export class StandinContents extends StandinEmitter {
  readonly id = ++lastId
  url = ''
  loads = 0
  openHandler: OpenHandler | null = null
  #finds = 0
  isGone = false
  /** Documents load once the display has the window. */
  readonly shown: Promise<void>

  constructor(look: Omit<Look, 'platform'>) {
    super('webContents')
    this.shown = display?.open(this.id, { ...look, platform: process.platform }) ?? Promise.resolve()
    inPassing(this.shown)
  }

  isDestroyed(): boolean {
    return this.isGone
  }

  #alive(): void {
    if (this.isGone) throw new TypeError('Object has been destroyed')
  }

  getURL(): string {
    this.#alive()
    return this.url
  }

  setWindowOpenHandler(handler: Parameters<WebContents['setWindowOpenHandler']>[0]): void {
    this.#alive()
    this.openHandler = handler as OpenHandler
  }

  send(channel: string, ...args: unknown[]): void {
    this.#alive()
    const values = structuredClone(args)
    record.sent.push({ channel, args: values })
    inPassing(display?.send(this.id, channel, values))
  }

  /** As WebContents::FindInPage and FindReply (shell/browser/api/electron_api_web_contents.cc): only the final result is an event. */
  findInPage(text: string, options: Electron.FindInPageOptions = {}): number {
    this.#alive()
    if (text === '') throw new Error('Must provide a non-empty search content')
    const { forward = true, findNext = false, matchCase = false } = options
    if (matchCase) throw new Error('the electron stand-in does not match case')
    this.#finds += 1
    const requestId = this.#finds
    const nothing = { matches: 0, activeMatchOrdinal: 0, selectionArea: { x: 0, y: 0, width: 0, height: 0 } }
    const found = Promise.resolve(
      display?.find(this.id, text, { isForward: forward, isNewSession: findNext }) ?? nothing,
    )
    inPassing(
      found.then((result) =>
        this.emit('found-in-page', new PreventableEvent(), { requestId, finalUpdate: true, ...result }),
      ),
    )
    return requestId
  }

  stopFindInPage(action: Parameters<WebContents['stopFindInPage']>[0]): void {
    this.#alive()
    if (action === 'activateSelection') throw new Error('the electron stand-in does not click what was found')
    inPassing(display?.stopFinding(this.id, action))
  }

  replaceMisspelling(word: string): void {
    this.#alive()
    record.editing.push(`replace ${word}`)
  }

  copyImageAt(x: number, y: number): void {
    this.#alive()
    record.editing.push(`copy picture at ${x},${y}`)
  }

  showDefinitionForSelection(): void {
    this.#alive()
    if (process.platform === 'darwin') record.editing.push('look up')
  }

  forcefullyCrashRenderer(): void {
    this.#alive()
    setImmediate(() =>
      this.emit('render-process-gone', new PreventableEvent(), { reason: 'killed', exitCode: 9 }),
    )
  }

  #go(way: 'back' | 'forward'): void {
    this.#alive()
    record.history.push(way)
    inPassing(display?.go(this.id, way))
  }

  readonly navigationHistory = strict('navigationHistory', {
    goBack: () => this.#go('back'),
    goForward: () => this.#go('forward'),
  } satisfies Partial<Electron.NavigationHistory>)

  reload(): void {
    this.#alive()
    if (display === null) inPassing(this.load(this.url))
    else inPassing(this.shown.then(() => display?.reload(this.id)))
  }

  async load(url: string): Promise<void> {
    await this.shown
    try {
      if (display === null) await this.#loadUnseen(url)
      else await display.load(this.id, url)
    } catch (cause) {
      const text = String(cause)
      const isReplaced = /ERR_ABORTED|interrupted by another navigation/.test(text)
      const name = /ERR_[A-Z_]+/.exec(text)?.[0] ?? (isReplaced ? 'ERR_ABORTED' : 'ERR_FAILED')
      const code = isReplaced ? ABORTED : FAILED
      this.emit('did-fail-load', new PreventableEvent(), code, name, url, true)
      throw new Error(`${name} (${code}) loading '${url}'`)
    }
  }

  async #loadUnseen(url: string): Promise<void> {
    this.emit('did-start-navigation', { url, isMainFrame: true, isSameDocument: false })
    const answer = await answerFor(url)
    this.url = url
    if (!answer.ok) throw new Error('ERR_FILE_NOT_FOUND')
    this.hasLoaded()
  }

  /** Calls the app's navigation listeners, as Electron does before a frame navigates. */
  mayLeave({ url, isMainFrame, isByApp }: { url: string; isMainFrame: boolean; isByApp: boolean }): boolean {
    const event = Object.assign(new PreventableEvent(), { url, isMainFrame, isSameDocument: false })
    if (!isByApp) {
      this.emit('will-frame-navigate', event)
      // Electron's navigation throttle stops after the first prevented event.
      if (isMainFrame && !event.defaultPrevented) this.emit('will-navigate', event)
    }
    if (!event.defaultPrevented)
      this.emit('did-start-navigation', { url, isMainFrame, isSameDocument: false })
    return !event.defaultPrevented
  }

  hasMoved(url: string, isSameDocument: boolean): void {
    this.url = url
    if (isSameDocument) this.emit('did-start-navigation', { url, isMainFrame: true, isSameDocument })
  }

  hasLoaded(): void {
    this.loads += 1
    this.emit('did-finish-load')
  }
}

knowsOnly<
  Unknown<
    StandinContents,
    WebContents,
    'url' | 'loads' | 'openHandler' | 'isGone' | 'shown' | 'load' | 'mayLeave' | 'hasMoved' | 'hasLoaded'
  >
>()
