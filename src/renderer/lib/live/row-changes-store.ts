import type { Database, Tables } from '#/shared/database.types'
import { createRowReader, type RowReader } from './row-reader'

type TableName = keyof Database['public']['Tables']

/** A row as it is read: `messages.recipient_id` is for the search of the server. */
type Row<T extends TableName> = Omit<Tables<T>, 'recipient_id'>

/** A row that was inserted or updated. A change can arrive more than once: merge rows by id. */
export interface RowChange<Row> {
  kind: 'insert' | 'update'
  row: Row
}

type Listener<T extends TableName> = (change: RowChange<Row<T>>) => void

/** Listeners by table; `onRowChange` and `emitRowChange` keep the types of table and row together. */
const listeners = new Map<TableName, Set<Listener<never>>>()

/** Calls back with changed rows of a table that the member may see. Returns an unsubscribe function. */
export function onRowChange<T extends TableName>(table: T, listener: Listener<T>): () => void {
  const registered = listeners.get(table) ?? new Set()
  listeners.set(table, registered)
  // A new function per call, because the same listener can be registered twice.
  const subscription: Listener<T> = (change) => listener(change)
  registered.add(subscription)
  return () => registered.delete(subscription)
}

export function emitRowChange<T extends TableName>(table: T, change: RowChange<Row<T>>): void {
  const registered: ReadonlySet<Listener<T>> = listeners.get(table) ?? new Set()
  for (const listener of registered) listener(change)
}

/** A table whose changes the server broadcasts to the member, and how to read its rows. */
export interface ChangeSource {
  table: string
  /** The columns that are read, as a `select`. */
  columns: string
  /** @param onDropped more changes arrived than are read */
  createReader(onDropped: () => void): RowReader<unknown>
}

/** @param load resolves with the rows that the member may see, in any order */
export function changeSource<T extends TableName>(
  table: T,
  columns: string,
  load: (ids: string[]) => Promise<readonly (Row<T> & { id: string })[]>,
): ChangeSource {
  return {
    table,
    columns,
    createReader: (onDropped) =>
      createRowReader({ load, emit: (kind, row) => emitRowChange(table, { kind, row }), onDropped }),
  }
}

/** Rows that are not read: deleted ones, and those of tables without a source. At most 100 ids, even if there are more. */
export interface IdsChange {
  type: 'INSERT' | 'UPDATE' | 'DELETE'
  ids: readonly string[]
}

type IdsTable = 'notifications' | 'conversations' | 'likes'

const idsListeners = new Map<string, Set<(change: IdsChange) => void>>()

/** Calls back with the ids of such rows: of `likes` with the ids of posts. Returns an unsubscribe function. */
export function onIdsChange(table: IdsTable, listener: (change: IdsChange) => void): () => void {
  const registered = idsListeners.get(table) ?? new Set()
  idsListeners.set(table, registered)
  const subscription = (change: IdsChange) => listener(change)
  registered.add(subscription)
  return () => registered.delete(subscription)
}

export function emitIdsChange(table: string, change: IdsChange): void {
  for (const listener of idsListeners.get(table) ?? []) listener(change)
}

const caughtUpListeners = new Set<() => void>()

export function emitCaughtUp(): void {
  for (const listener of caughtUpListeners) listener()
}

/**
 * Called when live changes start to arrive, also the first time. Earlier reads may have missed changes, so refetch.
 * Returns an unsubscribe function.
 */
export function onCaughtUp(listener: () => void): () => void {
  const subscription = () => listener()
  caughtUpListeners.add(subscription)
  return () => caughtUpListeners.delete(subscription)
}
