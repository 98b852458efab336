import { useLayoutEffect, useReducer, useSyncExternalStore } from 'react'
import { logFailure } from './logger'
import { isRecord, storageKeyPrefix, storedKeys } from './storage-key'

const KIND = 'words'

/** How long words wait for who began them, in milliseconds: what they were about may be long gone. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1_000

type Fields = Readonly<Record<string, unknown>>

const listeners = new Set<() => void>()
/** What was read of each kind, by its key, until another window changes it: React needs the same object each time. */
const caches: Map<string, unknown>[] = []

function changed(): void {
  for (const each of listeners) each()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/**
 * Draws a component anew when words change, from the moment it shows. `useSyncExternalStore` listens only some time
 * after that: what is typed in between reached the store, but not the field, which React set back to what it knew, and
 * the next letter took the place of those before.
 */
function useFirstLetters(): void {
  const [, drawAnew] = useReducer((count: number) => count + 1, 0)
  useLayoutEffect(() => subscribe(drawAnew), [])
}

function forgetCached(key: string | null): void {
  for (const cache of caches) {
    if (key === null) cache.clear()
    else cache.delete(key)
  }
  changed()
}

let isListening = false

/** Two windows show one field: what is typed in the other is there. */
function listenToOthers(): void {
  if (isListening) return
  isListening = true
  addEventListener('storage', ({ key }: StorageEvent) => forgetCached(key))
}

function parse(json: string | null): Fields | null {
  try {
    const value: unknown = JSON.parse(json ?? 'null')
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

function removeOld(): void {
  const oldest = Date.now() - KEPT_MS
  for (const key of storedKeys(`vignette.${KIND}.`)) {
    const at = parse(localStorage.getItem(key))?.keptAt
    if (typeof at !== 'number' || at < oldest) localStorage.removeItem(key)
  }
}

function store(key: string, words: object | null): void {
  try {
    if (words === null) localStorage.removeItem(key)
    else {
      if (localStorage.getItem(key) === null) removeOld()
      localStorage.setItem(key, JSON.stringify({ ...words, keptAt: Date.now() }))
    }
  } catch (cause) {
    // The disk is full: they are here as long as the page is.
    logFailure('keep words', cause)
  }
}

/** What members began to write in one kind of field: kept over a reload, by member, server and a name. */
export interface DraftStore<T> {
  read(me: string, name: string): T | null
  /** Null when nothing is begun any more. */
  write(me: string, name: string, words: T | null): void
  /** `read` for what is drawn. */
  use(me: string, name: string): T | null
}

/** @param toWords makes words of what was kept, by whichever version of the app; null of what cannot be any. */
export function createDraftStore<T extends object>(
  kind: string,
  toWords: (fields: Fields) => T | null,
): DraftStore<T> {
  const cache = new Map<string, T | null>()
  caches.push(cache)
  const keyOf = (me: string, name: string) => `${storageKeyPrefix(KIND, me)}${kind}.${name}`
  const find = (key: string): T | null => {
    listenToOthers()
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    const fields = parse(localStorage.getItem(key))
    const words = fields && toWords(fields)
    cache.set(key, words)
    return words
  }
  return {
    read: (me, name) => find(keyOf(me, name)),
    write: (me, name, words) => {
      const key = keyOf(me, name)
      cache.set(key, words)
      store(key, words)
      changed()
    },
    use: (me, name) => {
      const key = keyOf(me, name)
      useFirstLetters()
      return useSyncExternalStore(subscribe, () => find(key))
    },
  }
}

/** Removes all that a member began to write on the server in use: their account is gone. */
export function clearDrafts(me: string): void {
  for (const key of storedKeys(storageKeyPrefix(KIND, me))) localStorage.removeItem(key)
  forgetCached(null)
}
