import { useMemo } from 'react'
import { create } from 'zustand'
import type { OutboxRow } from './row'

/** The unsent rows of the signed-in member. Separate from `active.ts`, which the first load of the app does not contain. */
export const pendingRows = create<readonly OutboxRow[]>(() => [])

interface UnreadableRows {
  rows: readonly { id: string; text: string }[]
  discard: (id: string) => Promise<void>
}

/** Stored rows that another build of the app has written, and that this one can neither show nor send. */
export const unreadableRows = create<UnreadableRows>(() => ({ rows: [], discard: async () => undefined }))

/** The upload of a row's files. */
export interface Upload {
  /** Bytes. */
  sent: number
  /** Bytes. */
  total: number
  /** `stopped`: cut off, cancelled or refused. */
  state: 'running' | 'done' | 'stopped'
}

/** Uploads of this run, by the ids of their rows. `followUploads` forgets finished ones. */
export const uploads = create<Readonly<Record<string, Upload>>>(() => ({}))

/** The fraction of the files of a row that is uploaded; null while none is being uploaded. */
export function useUploadProgress(id: string | null): number | null {
  return uploads((all) => {
    const upload = all[id ?? '']
    return upload?.state === 'running' ? upload.sent / upload.total : null
  })
}

/**
 * The unsent rows of one kind, oldest first; with `scope`, only of that scope.
 * @param name name of the kind; the kind itself is not in the first load of the app
 */
export function usePending<P>(name: string, scope?: string): OutboxRow<P>[] {
  const rows = pendingRows()
  return useMemo(
    () =>
      rows.filter(
        (row): row is OutboxRow<P> => row.kind === name && (scope === undefined || row.scope === scope),
      ),
    [rows, name, scope],
  )
}

/**
 * Calls back with the ids of the unsent rows of one kind, once the outbox has loaded them and whenever they have changed. Returns an
 * unsubscribe function.
 * @param name of the kind
 */
export function onPendingIds(name: string, listener: (ids: ReadonlySet<string>) => void): () => void {
  let last: string | null = null
  return pendingRows.subscribe((rows) => {
    const ids = rows.filter(({ kind }) => kind === name).map(({ id }) => id)
    if (ids.join() === last) return
    last = ids.join()
    listener(new Set(ids))
  })
}
