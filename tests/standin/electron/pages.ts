import { openWindows } from './browser-window'
import type { PageQuestions } from './display'
import { invoke } from './ipc-main'
import { PreventableEvent } from './life'
import { answerFor } from './protocol'
import { beginDownload, endDownload, permissionHandlers } from './session'
import type { StandinContents } from './web-contents'

function windowOf(id: number) {
  const window = openWindows().find(({ webContents }) => webContents.id === id)
  if (window === undefined) throw new Error('Object has been destroyed')
  return window
}

function contentsOf(id: number): StandinContents {
  return windowOf(id).webContents
}

/** Passes the display's page events to the listeners that Electron would call. */
export const pageQuestions: PageQuestions = {
  answer: async ({ url, method, headers }) => {
    const response = await answerFor(url, { method, headers })
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: new Uint8Array(await response.arrayBuffer()),
    }
  },
  call: (id, channel, args, frame) => {
    contentsOf(id)
    return invoke(channel, args, frame)
  },
  leaving: (id, to) => contentsOf(id).mayLeave(to),
  opening: (id, url) => contentsOf(id).openHandler?.({ url }).action ?? 'allow',
  moved: (id, url, isSameDocument) => contentsOf(id).hasMoved(url, isSameDocument),
  loaded: (id) => contentsOf(id).hasLoaded(),
  crashed: (id) => {
    contentsOf(id).emit('render-process-gone', new PreventableEvent(), { reason: 'crashed', exitCode: 5 })
  },
  downloading: beginDownload,
  downloaded: endDownload,
  // The permission is asked for, and the window fills the screen with the page: shell/browser/api/electron_api_web_contents.cc,
  // EnterFullscreenModeForTab and SetHtmlApiFullscreen.
  fillsScreen: (id, url, fills) => {
    const { request } = permissionHandlers
    let isGranted = request === null
    const answer = (answered: boolean) => {
      isGranted = answered
    }
    if (fills) {
      const details = { isMainFrame: true, requestingUrl: url }
      request?.(contentsOf(id) as never, 'fullscreen', answer, details as never)
      if (!isGranted) return false
    }
    windowOf(id).fillWithPage(fills)
    return true
  },
  granted: (permissions, url) => {
    const { check } = permissionHandlers
    const { protocol, host } = new URL(url)
    const details = { isMainFrame: true, requestingUrl: url }
    // Electron grants everything without a handler.
    return permissions.filter(
      (name) => check?.(null, name as never, `${protocol}//${host}/`, details) ?? true,
    )
  },
}
