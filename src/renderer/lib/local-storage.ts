import { useServerInfo } from './server-info'

/** The prefix of a member's localStorage keys of one kind. Includes the server, so that servers do not share data. */
export function storageKeyPrefix(kind: string, me: string): string {
  const { server, storageKey } = useServerInfo.getState()
  return `vignette.${kind}.${server?.storageKey ?? storageKey}.${me}.`
}

/** The localStorage keys with this prefix. */
export function storedKeys(prefix: string): string[] {
  const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '')
  return keys.filter((key) => key.startsWith(prefix))
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
