import { useServerInfo } from './server-info'

/** How the keys begin under which a member's things of one kind are kept; what is theirs on another server is apart. */
export function storageKeyPrefix(kind: string, me: string): string {
  return `vignette.${kind}.${useServerInfo.getState().server?.storageKey}.${me}.`
}

/** The keys of localStorage that begin like this. */
export function storedKeys(prefix: string): string[] {
  const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '')
  return keys.filter((key) => key.startsWith(prefix))
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
