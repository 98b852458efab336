import type { QueryClient } from '@tanstack/react-query'
import type { AppError } from '#/renderer/lib/core/errors'
import type { StartedUpload } from '#/renderer/lib/media-store/upload/upload-object'

/** Something a member wrote that the server has not confirmed yet. */
export interface OutboxRow<P = unknown> {
  /** Generated here: however often the row is sent, the server stores it once. */
  id: string
  /** Rows of one scope are sent in order, e.g. the messages of one conversation. */
  scope: string
  /** The name of its `OutboxKind`. */
  kind: string
  payload: P
  /** Time on this machine's clock; the server sets its own time. */
  createdAt: string
  /**
   * `sending`: sent for the first time, so that a refusal returns it to the field. `waiting`: queued, because the connection is
   * lost or the response was. `refused`: refused after it was queued.
   */
  state: 'sending' | 'waiting' | 'refused'
  /** The server's message about the refusal, which may be empty. A row that waits for Storage has the app's sentence about it. */
  reason?: string
  /** How often sending it has failed for an unknown reason. */
  failures?: number
  /** Paths of the files that are already uploaded, by name. */
  uploads?: Readonly<Record<string, string>>
  /** Resumable uploads of files that are not complete, by name. */
  started?: Readonly<Record<string, StartedUpload>>
}

/** The tools that a kind gets to send a row. */
export interface SendTools {
  /** Aborted when the member cancels or signs out. */
  signal: AbortSignal
  /** Records that a file of the row is uploaded. */
  keepUpload(name: string, path: string): Promise<void>
  /** Records that a resumable upload of a file of the row was started. */
  keepStarted(name: string, started: StartedUpload): Promise<void>
  /** Shows how many bytes of the row's files are uploaded. */
  onProgress(sent: number, total: number): void
}

/** A row to submit. A caller that may repeat it passes its own id. */
export interface NewRow<P> {
  id?: string
  scope: string
  payload: P
}

/** How rows of one kind are sent. Each feature defines its own; `src/renderer/app/outbox.ts` registers it. */
export interface OutboxKind<P = unknown> {
  name: string
  /** What the log calls it, e.g. 'send message'. */
  action: string
  /** Whether this build can show and send a stored payload, which another build may have written. By default any. */
  accepts?(payload: unknown): boolean
  /** Resolves when the server has stored the row, now or earlier. Rejects with an `AppError`. */
  send(row: OutboxRow<P>, me: string, client: QueryClient, tools: SendTools): Promise<void>
  /**
   * Puts rows that the server refused at their first attempt back to where they were written, in this order. Rows of a kind
   * without it stay in their form until the server answers, and are stored only while the connection is lost.
   */
  onRefused?(rows: readonly OutboxRow<P>[], error: AppError): void
}

/** Oldest first. */
export function inOrder(rows: readonly OutboxRow[]): OutboxRow[] {
  return [...rows].sort((a, b) => (a.createdAt < b.createdAt ? -1 : Number(a.createdAt > b.createdAt)))
}
