import { create } from 'zustand'
import { useServerInfo } from '#/renderer/lib/core/server-info'
import { reportNotKept } from './not-kept-store'

/** The prefix of a member's localStorage keys of one kind. Includes the server, so that servers do not share data. */
export function storageKeyPrefix(kind: string, me: string): string {
  const { server, storageKey } = useServerInfo.getState()
  return `vignette.${kind}.${server?.storageKey ?? storageKey}.${me}.`
}

/** The items that localStorage does not take, because it is full or cannot be used, by key. They last as long as the page. */
const useUnstored = create<Readonly<Record<string, string | undefined>>>(() => ({}))

/** Calls localStorage, which throws where the browser does not allow it. */
function read<T>(from: (storage: Storage) => T, otherwise: T): T {
  try {
    return from(localStorage)
  } catch {
    return otherwise
  }
}

export function readItem(key: string): string | null {
  return useUnstored.getState()[key] ?? read((storage) => storage.getItem(key), null)
}

/**
 * Stores an item, or removes it if the value is null. Never throws: an item that localStorage does not take stays in memory.
 * @param what the action in the log
 */
export function storeItem(key: string, value: string | null, what = 'store item'): void {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
    if (useUnstored.getState()[key] !== undefined) useUnstored.setState({ [key]: undefined })
  } catch (cause) {
    useUnstored.setState({ [key]: value ?? undefined })
    reportNotKept(what, cause)
  }
}

/** The keys with this prefix. */
export function storedKeys(prefix: string): string[] {
  const stored = read(
    (storage) => Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? ''),
    [],
  )
  const unstored = Object.entries(useUnstored.getState()).flatMap(([key, value]) =>
    value === undefined ? [] : [key],
  )
  return [...new Set([...stored, ...unstored])].filter((key) => key.startsWith(prefix))
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
