import { type Asked, askedThrough } from '../wire'
import { testWire } from './test-wire'

/** How a window is to look. */
export interface Look {
  width: number
  height: number
  /** Absolute path of its preload. */
  preload: string | undefined
}

/** What shows windows as pages: windows.ts, in the process of the test. Windows are named by their contents' ids. */
export interface Display {
  open(id: number, look: Look): Promise<void>
  /** Resolves when the document has loaded; rejects with what Chromium says. */
  load(id: number, url: string): Promise<void>
  reload(id: number): Promise<void>
  send(id: number, channel: string, args: unknown[]): Promise<void>
  focus(id: number, isFocused: boolean): Promise<void>
  resize(id: number, size: { width: number; height: number }): Promise<void>
  close(id: number): Promise<void>
}

/** A frame of a page, as far as main looks at it. */
export interface CallingFrame {
  parent: unknown
  origin: string
}

/** What the display asks and tells of a window; URLs are the app's own. */
export interface PageQuestions {
  /** The app's protocol answers. */
  answer(request: { url: string; method: string; headers: Record<string, string> }): Promise<{
    status: number
    headers: Record<string, string>
    body: Uint8Array
  }>
  /** ipcRenderer.invoke, from this frame; null when it is gone. */
  call(id: number, channel: string, args: unknown[], frame: CallingFrame | null): Promise<unknown>
  /** A frame is about to get another document; tells whether it may. */
  leaving(id: number, to: { url: string; isMainFrame: boolean; isByApp: boolean }): boolean
  /** A page asks for another window. */
  opening(id: number, url: string): 'allow' | 'deny'
  /** The main frame is at this URL now. */
  moved(id: number, url: string, isSameDocument: boolean): void
  loaded(id: number): void
  crashed(id: number): void
  /** Tells whether the download goes on. */
  downloading(url: string, filename: string): boolean
  /** The download is over, whichever way. */
  downloaded(url: string): void
  /** Those of the permissions that the app grants to a main frame at this URL. */
  granted(permissions: string[], url: string): string[]
}

/** Null when windows are not shown: the app's protocol is asked for their pages, and that is all. */
export const display: Asked<Display> | null =
  process.env.STANDIN_WINDOWS === 'shown' ? askedThrough<Display>(testWire) : null

/** For what the app does without waiting; a window that went away meanwhile hears of nothing. */
export function inPassing(done: Promise<unknown> | undefined): void {
  done?.catch(() => undefined)
}
