import type { WebContents } from 'electron'
import type { HandlersOf } from '#/main/ipc'
import { type AppRoute, routePath } from '#/shared/routes'

export interface RouteOpenerParts {
  /** Shows the window. */
  show(): void
  navigate(path: string): void
  /** Called when a signed-in member's page starts to listen. */
  memberSignedIn(): void
}

export interface RouteOpener {
  /**
   * Shows the window at the route, now or as soon as a signed-in member's page listens. A later call replaces a pending
   * route.
   */
  open(route: AppRoute): void
  /** Whether a member is signed in and the page listens. */
  isListening(): boolean
  /** The page was unloaded or crashed. Later routes wait for the next one. */
  pageLeft(): void
  handlers: HandlersOf<'navigation'>
}

/** Opens routes requested from outside the page: notifications, tray, menu and links. */
export function createRouteOpener({ show, navigate, memberSignedIn }: RouteOpenerParts): RouteOpener {
  let isListening = false
  let pending: string | null = null
  return {
    open: (route) => {
      show()
      if (isListening) navigate(routePath(route))
      else pending = routePath(route)
    },
    isListening: () => isListening,
    pageLeft: () => {
      isListening = false
    },
    handlers: {
      'navigation.listen': (listens) => {
        isListening = listens
        if (!listens) return null
        memberSignedIn()
        const route = pending
        pending = null
        return route
      },
    },
  }
}

/** Calls back when the page is unloaded or crashes, but not for navigation within the app. */
export function onPageLeft(contents: Pick<WebContents, 'on'>, onLeft: () => void): void {
  contents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
    if (isMainFrame && !isSameDocument) onLeft()
  })
  contents.on('render-process-gone', onLeft)
}
