import { vi } from 'vitest'

/** Replaces localStorage and `storage` events with those of the test, and returns the stored items. */
export function stubLocalStorage() {
  const disk = new Map<string, string>()
  const listeners: ((event: Partial<StorageEvent>) => void)[] = []
  vi.stubGlobal('addEventListener', (_type: string, listener: (event: Partial<StorageEvent>) => void) =>
    listeners.push(listener),
  )
  vi.stubGlobal('localStorage', {
    get length() {
      return disk.size
    },
    key: (index: number) => [...disk.keys()][index] ?? null,
    getItem: (key: string) => disk.get(key) ?? null,
    setItem: (key: string, value: string) => disk.set(key, value),
    removeItem: (key: string) => disk.delete(key),
  })
  const tellOthers = (event: Partial<StorageEvent>) => {
    for (const each of listeners) each(event)
  }
  return { disk, tellOthers }
}
