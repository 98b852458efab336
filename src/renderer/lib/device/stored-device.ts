import { useServerInfo } from '#/renderer/lib/core/server-info'
import { isRecord, readItem, storeItem } from '#/renderer/lib/local/local-storage'

export interface Device {
  /** A random id of this installation, by which the server recognizes it at later sign-ins. */
  id: string
  /** The last session that the server knows to be on this device; null after Sign Out. */
  session: string | null
}

/** Each server gets another id. */
function storageKey(): string {
  return `vignette.device.${useServerInfo.getState().storageKey}`
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}

export function readDevice(): Device {
  const stored = parse(readItem(storageKey()))
  if (!isRecord(stored) || typeof stored.id !== 'string') return { id: crypto.randomUUID(), session: null }
  return { id: stored.id, session: typeof stored.session === 'string' ? stored.session : null }
}

export function storeDevice(device: Device): void {
  storeItem(storageKey(), JSON.stringify(device))
}

/** The member signs out here, so /login says nothing about the end of the session. */
export function forgetDeviceSession(): void {
  const device = readDevice()
  if (device.session !== null) storeDevice({ ...device, session: null })
}
