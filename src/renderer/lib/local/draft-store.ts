import { useLayoutEffect, useReducer, useSyncExternalStore } from 'react'
import { trimText } from '#/shared/visible-text'
import { type DraftTimes, editStamp, removeOldItems } from './draft-age'
import { isRecord, readItem, storageKeyPrefix, storedKeys, storeItem } from './local-storage'

const KIND = 'words'

type Fields = Readonly<Record<string, unknown>>

const listeners = new Set<() => void>()
/**
 * Parsed drafts by storage key. React needs the same object for every snapshot, so entries stay until another window
 * changes them.
 */
const caches: Map<string, unknown>[] = []

function notify(): void {
  for (const each of listeners) each()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/**
 * Rerenders the component when a draft changes, from its first layout on. `useSyncExternalStore` subscribes later, in a
 * passive effect: a letter typed before that reached the store but not the field, and the next letter replaced it.
 */
function useEarlyUpdates(): void {
  const [, rerender] = useReducer((count: number) => count + 1, 0)
  useLayoutEffect(() => subscribe(rerender), [])
}

function invalidate(key: string | null): void {
  for (const cache of caches) {
    if (key === null) cache.clear()
    else cache.delete(key)
  }
  notify()
}

let isListening = false

/** Two windows can show the same field: apply changes made in the other one. */
function listenToOtherWindows(): void {
  if (isListening) return
  isListening = true
  addEventListener('storage', ({ key }: StorageEvent) => invalidate(key))
}

function parse(json: string | null): Fields | null {
  try {
    const value: unknown = JSON.parse(json ?? 'null')
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

function store(key: string, draft: object | null): void {
  storeItem(key, draft === null ? null : JSON.stringify({ ...draft, ...editStamp() }), 'store draft')
}

function draftPrefix(kind: string, me: string): string {
  return `${storageKeyPrefix(KIND, me)}${kind}.`
}

/** The names of a member's stored drafts of one kind. */
export function draftNames(kind: string, me: string): string[] {
  const prefix = draftPrefix(kind, me)
  return storedKeys(prefix).map((key) => key.slice(prefix.length))
}

/** Drafts of one kind of field. They survive a reload and are stored per member, server and name. */
export interface DraftStore<T> {
  read(me: string, name: string): T | null
  /** Null deletes the draft. */
  write(me: string, name: string, draft: T | null): void
  /** `read` as a hook. */
  use(me: string, name: string): T | null
}

/**
 * @param toDraft parses a stored draft, which another version of the app may have written; returns null if it is not
 * valid
 */
export function createDraftStore<T extends object>(
  kind: string,
  toDraft: (fields: Fields) => T | null,
): DraftStore<T> {
  const cache = new Map<string, T | null>()
  caches.push(cache)
  const keyOf = (me: string, name: string) => draftPrefix(kind, me) + name
  const find = (key: string): T | null => {
    listenToOtherWindows()
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    const fields = parse(readItem(key))
    const draft = fields && toDraft(fields)
    cache.set(key, draft)
    return draft
  }
  return {
    read: (me, name) => find(keyOf(me, name)),
    write: (me, name, draft) => {
      const key = keyOf(me, name)
      cache.set(key, draft)
      store(key, draft)
      notify()
    },
    use: (me, name) => {
      const key = keyOf(me, name)
      useEarlyUpdates()
      return useSyncExternalStore(subscribe, () => find(key))
    },
  }
}

/** Removes drafts of all members that nobody has edited for `DRAFT_DAYS`. */
export function removeOldDrafts(times: DraftTimes): void {
  removeOldItems(`vignette.${KIND}.`, times)
  invalidate(null)
}

/** Whether a member has drafts on the current server. One with an empty text, of which nothing is being sent, does not count. */
export function hasDrafts(me: string): boolean {
  return storedKeys(storageKeyPrefix(KIND, me)).some((key) => {
    const fields = parse(readItem(key))
    if (fields === null) return false
    const { text, left } = fields
    return typeof text !== 'string' || trimText(text) !== '' || (Array.isArray(left) && left.length > 0)
  })
}

/** Deletes all drafts of a member on the current server. */
export function clearDrafts(me: string): void {
  for (const key of storedKeys(storageKeyPrefix(KIND, me))) storeItem(key, null)
  invalidate(null)
}

type Texts<T> = Record<keyof T & string, string>

/**
 * Unsaved changes to texts that the server already stores. They survive a restart until they are saved or discarded.
 */
export interface EditDrafts<T> {
  /** Returns the stored texts with the unsaved changes applied. */
  use(me: string, name: string, stored: T): EditDraft<T>
  /** Call after a save. Changes typed while it was in flight are kept. */
  markSaved(me: string, name: string, saved: T): void
  /** Whether there are unsaved changes, e.g. typed while a save was in flight. */
  hasChanges(me: string, name: string): boolean
}

export interface EditDraft<T> {
  values: T
  isChanged: boolean
  change(patch: Partial<T>): void
  discard(): void
}

/** Returns an object with these fields, without the fields whose value is null. */
function pick<T>(
  fields: readonly (keyof T & string)[],
  textOf: (field: keyof T & string) => unknown,
): Partial<T> {
  const entries = fields.map((field) => [field, textOf(field)] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== null)) as Partial<T>
}

/** @param kind names the form; part of the storage key */
export function createEditDrafts<T extends Texts<T>>(
  kind: string,
  fields: readonly (keyof T & string)[],
): EditDrafts<T> {
  /** Only the changed fields are kept, so that a draft never overwrites what was changed elsewhere. */
  const changes = createDraftStore<Partial<T>>(kind, (record) =>
    pick<T>(fields, (field) => {
      const value = record[field]
      return typeof value === 'string' ? value : null
    }),
  )

  function keep(me: string, name: string, draft: Partial<T>, stored: T): void {
    const changed = pick<T>(fields, (field) => {
      const value = draft[field]
      return value === undefined || value === stored[field] ? null : value
    })
    changes.write(me, name, Object.keys(changed).length === 0 ? null : changed)
  }

  return {
    use: (me, name, stored) => {
      const draft = changes.use(me, name)
      const values = { ...stored, ...draft }
      return {
        values,
        isChanged: fields.some((field) => values[field] !== stored[field]),
        change: (patch) => keep(me, name, { ...changes.read(me, name), ...patch }, stored),
        discard: () => changes.write(me, name, null),
      }
    },
    markSaved: (me, name, saved) => keep(me, name, changes.read(me, name) ?? {}, saved),
    hasChanges: (me, name) => changes.read(me, name) !== null,
  }
}
