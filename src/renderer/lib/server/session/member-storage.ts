import { AppError } from '#/renderer/lib/core/errors'
import { logFailure } from '#/renderer/lib/core/logger'
import type { DesktopBridge } from '#/shared/bridge'
import { pageOwner } from './session-status-store'
import { parseJson, readSession, type UsableSession } from './stored-session'

export interface MemberStorage extends Pick<DesktopBridge['session'], 'getItem' | 'setItem' | 'removeItem'> {
  /** The stored session as `getItem` returns it. */
  session: () => Promise<UsableSession | null>
}

/**
 * The stored sessions, as the page may use them. Once a member has been signed in, the page is theirs (`owner`), and another window may
 * store the session of the next member before this page knows. What began under its member then finds no session here, at each request
 * anew, and replaces and removes none. A session that the app cannot use is removed.
 * @param onOthersSession the stored session is not of the page's member
 */
export function memberStorage(
  storage: DesktopBridge['session'],
  storageKey: string,
  onOthersSession: () => void,
): MemberStorage {
  const owner = () => pageOwner.getState().owner
  const isOthers = (session: UsableSession | null) =>
    session !== null && owner() !== null && session.user.id !== owner()

  async function stored(): Promise<UsableSession | null> {
    const text = await storage.getItem(storageKey)
    if (text === null) return null
    const session = readSession(parseJson(text))
    if (session === null) {
      await storage
        .removeItem(storageKey)
        .catch((cause: unknown) => logFailure('remove unusable session', cause))
    }
    return session
  }

  async function session(): Promise<UsableSession | null> {
    const found = await stored()
    if (!isOthers(found)) return found
    onOthersSession()
    return null
  }

  return {
    session,
    getItem: async (key) => {
      if (key !== storageKey) return storage.getItem(key)
      const found = await session()
      return found && JSON.stringify(found)
    },
    setItem: async (key, value) => {
      // A renewal, or the password given again, whose answer arrives after the member has signed out.
      const isLate = async () =>
        owner() !== null && ((await session()) === null || isOthers(readSession(parseJson(value))))
      if (key === storageKey && (await isLate()))
        throw new AppError('session-expired', '', 'the member has signed out')
      return storage.setItem(key, value)
    },
    removeItem: async (key) => {
      if (key === storageKey && isOthers(await stored().catch(() => null))) return
      await storage.removeItem(key)
    },
  }
}
