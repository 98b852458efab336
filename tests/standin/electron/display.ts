import { type Asked, askedThrough } from '../wire'
import { testWire } from './test-wire'

/** The options of a window. */
export interface Look {
  width: number
  height: number
  /** Absolute path of its preload script. */
  preload: string | undefined
  /** The platform that the app sees. */
  platform: NodeJS.Platform
}

export interface FindOptions {
  isForward: boolean
  /** Chromium's `new_session`, Electron's `findNext`. */
  isNewSession: boolean
}

export type FindResult = Pick<Electron.FoundInPageResult, 'matches' | 'activeMatchOrdinal' | 'selectionArea'>

/** Shows windows as pages (windows.ts, in the test process). Windows are identified by the id of their WebContents. */
export interface Display {
  open(id: number, look: Look): Promise<void>
  /** Resolves when the document has loaded; rejects with Chromium's error. */
  load(id: number, url: string): Promise<void>
  reload(id: number): Promise<void>
  /** Does nothing at the end of the page's history. */
  go(id: number, way: 'back' | 'forward'): Promise<void>
  send(id: number, channel: string, args: unknown[]): Promise<void>
  focus(id: number, isFocused: boolean): Promise<void>
  find(id: number, text: string, options: FindOptions): Promise<FindResult>
  stopFinding(id: number, action: 'clearSelection' | 'keepSelection'): Promise<void>
  resize(id: number, size: { width: number; height: number }): Promise<void>
  close(id: number): Promise<void>
}

/** The properties of a frame that main reads. */
export interface CallingFrame {
  parent: unknown
  origin: string
}

/** Calls from the display about a window. URLs use the app's scheme. */
export interface PageQuestions {
  /** Requests a URL from the app's protocol. */
  answer(request: { url: string; method: string; headers: Record<string, string> }): Promise<{
    status: number
    headers: Record<string, string>
    body: Uint8Array
  }>
  /** ipcRenderer.invoke from this frame; null if it is gone. */
  call(id: number, channel: string, args: unknown[], frame: CallingFrame | null): Promise<unknown>
  /** A frame is about to navigate; returns whether it may. */
  leaving(id: number, to: { url: string; isMainFrame: boolean; isByApp: boolean }): boolean
  /** A page requests a new window. */
  opening(id: number, url: string): 'allow' | 'deny'
  /** The main frame has navigated to this URL. */
  moved(id: number, url: string, isSameDocument: boolean): void
  loaded(id: number): void
  crashed(id: number): void
  /** Returns whether the download is allowed. */
  downloading(url: string, filename: string): boolean
  /** The download has finished or failed. */
  downloaded(url: string): void
  /** The page has entered or left full screen; returns whether it may. */
  fillsScreen(id: number, url: string, fills: boolean): boolean
  /** The permissions that the app grants to a main frame at this URL. */
  granted(permissions: string[], url: string): string[]
}

/** Null if windows are not shown: then pages are only requested from the app's protocol. */
export const display: Asked<Display> | null =
  process.env.STANDIN_WINDOWS === 'shown' ? askedThrough<Display>(testWire) : null

/** For calls that the app does not wait for. Ignores a window that has been closed. */
export function inPassing(done: Promise<unknown> | undefined): void {
  done?.catch(() => undefined)
}
