import type { WebContents } from 'electron'
import type { HandlersOf } from '#/main/ipc'
import type { FoundInPage } from '#/shared/bridge'

type Contents = Pick<WebContents, 'on' | 'findInPage' | 'stopFindInPage'>

/** Searches in the page with Chromium's own find, which answers by an event. */
export function findHandlers(contents: Contents): HandlersOf<'find'> {
  let pending: { requestId: number; settle: (found: FoundInPage | null) => void } | null = null
  const settle = (found: FoundInPage | null) => {
    pending?.settle(found)
    pending = null
  }
  contents.on('found-in-page', (_event, { requestId, finalUpdate, activeMatchOrdinal, matches }) => {
    if (!finalUpdate || requestId !== pending?.requestId) return
    settle({ active: activeMatchOrdinal, matches })
  })
  return {
    'find.search': (text, { isForward, isNew }) => {
      settle(null)
      // `findNext` is Chromium's `new_session`: true begins a search, false goes on (electron_api_web_contents.cc).
      const requestId = contents.findInPage(text, { forward: isForward, findNext: isNew })
      return new Promise((resolve) => {
        pending = { requestId, settle: resolve }
      })
    },
    'find.stop': (action) => {
      settle(null)
      contents.stopFindInPage(action)
    },
  }
}
