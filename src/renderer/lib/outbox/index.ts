import type { NewRow, OutboxKind, OutboxRow } from './row'

export { onPendingIds, usePending, useUploadProgress } from './pending'
export type { OutboxKind, OutboxRow, SendTools } from './row'
export { followUploads } from './upload-total'

// The first load of the app does not contain the outbox.
const load = () => import('./active')

/** Sends a row through the member's outbox; see `Outbox.submit`. */
export async function submit<P>(kind: OutboxKind<P>, row: NewRow<P>): Promise<'sent' | 'waiting'> {
  return (await load()).submit(kind, row)
}

/** Sends a refused row again. */
export async function retryRow(id: string): Promise<void> {
  return (await load()).retryRow(id)
}

/** Stops the upload of a row's files; see `Outbox.cancel`. */
export async function cancelRow(id: string): Promise<void> {
  ;(await load()).cancelRow(id)
}

/** Removes a row that waits or was refused. Returns it; null when there is none, or it is being sent. */
export async function discardRow(id: string): Promise<OutboxRow | null> {
  return (await load()).discardRow(id)
}
