import type { WebContents } from 'electron'
import { type AppRoute, routePath } from '#/shared/routes'
import type { HandlersOf } from './ipc'

export interface RouteOpenerParts {
  /** Brings the window up. */
  show(): void
  /** Tells the page to go there. */
  navigate(path: string): void
  /** A member signed in, or was signed in already, and the page listens. */
  memberArrived(): void
}

export interface RouteOpener {
  /** Brings the window up and leads to the route: now, or as soon as a signed-in member's page listens. */
  open(route: AppRoute): void
  /** Whether a member is signed in and the page listens. */
  isListening(): boolean
  /** The page was left or died: what comes from now on waits for the next one. */
  pageLeft(): void
  handlers: HandlersOf<'navigation'>
}

/** Leads to a place in the app from outside of the page; the last wish counts. */
export function createRouteOpener({ show, navigate, memberArrived }: RouteOpenerParts): RouteOpener {
  let isListening = false
  let waiting: string | null = null
  return {
    open: (route) => {
      show()
      if (isListening) navigate(routePath(route))
      else waiting = routePath(route)
    },
    isListening: () => isListening,
    pageLeft: () => {
      isListening = false
    },
    handlers: {
      'navigation.listen': (listens) => {
        isListening = listens
        if (!listens) return null
        memberArrived()
        const route = waiting
        waiting = null
        return route
      },
    },
  }
}

/** Tells when the page in the window is another one from now on, or dead; moving within the app is neither. */
export function followPage(contents: Pick<WebContents, 'on'>, left: () => void): void {
  contents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
    if (isMainFrame && !isSameDocument) left()
  })
  contents.on('render-process-gone', left)
}
