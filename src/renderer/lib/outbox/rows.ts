import type { StoreApi } from 'zustand'
import { logFailure } from '#/renderer/lib/core/logger'
import type { StartedUpload } from '#/renderer/lib/media-store/upload/upload-object'
import { inOrder, type OutboxRow } from './row'
import type { OutboxStore } from './store'

export interface RowsParts {
  store: OutboxStore
  /** The rows that screens show. */
  shown: StoreApi<readonly OutboxRow[]>
  /** Called after stored rows have changed. */
  onChange: () => void
}

/** The rows of an outbox: on disk, in memory, and on screen. */
export interface Rows {
  /** The current time, later than that of all other rows even if the clock was set back: rows are ordered by it. */
  stamp: () => string
  /** All rows, oldest first. */
  load: () => Promise<OutboxRow[]>
  /** Shows the stored rows. */
  reload: () => Promise<OutboxRow[]>
  show: (row: OutboxRow) => void
  /** Stores a new row. If the disk refuses it, rejects and keeps the row in memory. */
  add: (row: OutboxRow) => Promise<void>
  /** Records an uploaded file of a row that is being sent. */
  keepUpload: (id: string, name: string, path: string) => Promise<void>
  /** Records a resumable upload that was started, of a row that is being sent. */
  keepStarted: (id: string, name: string, started: StartedUpload) => Promise<void>
  /** Records that no file of the row is uploaded. */
  forgetUploads: (id: string) => Promise<void>
  /** Changes a row that has been added. A change that the disk refuses is kept in memory. */
  save: (row: OutboxRow) => Promise<void>
  /** Stops showing a row, and removes it from the disk. */
  remove: (id: string) => Promise<void>
  /** Removes a row from the disk, then stops showing it. If the disk refuses, rejects and keeps the row. */
  discard: (id: string) => Promise<void>
  /** Whether a row left the outbox, and was not added again. */
  isRemoved: (id: string) => boolean
  /** Rows that are being discarded. The promises never reject. */
  discarding: Map<string, Promise<void>>
  /** Rows whose text is still in its form: neither stored nor shown. */
  inForm: Map<string, OutboxRow>
  /** Rows that this window is sending. */
  inFlight: Set<string>
  /** Stops showing rows. */
  close: () => void
}

export function createRows({ store, shown, onChange }: RowsParts): Rows {
  let isClosed = false
  let latest = 0
  /** Rows that are not stored yet, or cannot be because the disk is full. */
  const unsaved = new Map<string, OutboxRow>()
  /** The attempts to store new rows; they never reject. */
  const saving = new Map<string, Promise<void>>()
  const discarding = new Map<string, Promise<void>>()
  const inForm = new Map<string, OutboxRow>()
  const inFlight = new Set<string>()
  /** Rows that left the outbox: a load that started before must not show them again. */
  const removed = new Set<string>()

  const set = (rows: readonly OutboxRow[]) => {
    if (isClosed) return
    const visible = rows
      .filter(({ id }) => !removed.has(id) && !inForm.has(id))
      .map((row): OutboxRow => (inFlight.has(row.id) ? { ...row, state: 'sending' } : row))
    shown.setState(inOrder(visible), true)
  }
  const show = (row: OutboxRow) => set([...shown.getState().filter(({ id }) => id !== row.id), row])
  const load = async (): Promise<OutboxRow[]> => {
    const stored = await store.load()
    for (const { createdAt } of stored) latest = Math.max(latest, Date.parse(createdAt))
    const elsewhere = [...unsaved.values(), ...inForm.values()]
    const ids = new Set(elsewhere.map(({ id }) => id))
    return inOrder([...stored.filter(({ id }) => !ids.has(id)), ...elsewhere])
  }

  const save = async (row: OutboxRow) => {
    const keepInMemory = (cause: unknown) => {
      logFailure('persist outbox row', cause)
      unsaved.set(row.id, row)
    }
    if (unsaved.has(row.id)) unsaved.set(row.id, row)
    else await store.save(row).catch(keepInMemory)
    show(row)
    onChange()
  }

  const erase = async (id: string) => {
    // A row that is still being stored would come back with the next load.
    await saving.get(id)
    const isInMemory = unsaved.delete(id)
    // The disk may have an earlier state of a row in memory. If it keeps that, the row is sent again under the same id.
    await store.remove(id).catch((cause: unknown) => {
      if (!isInMemory) throw cause
      logFailure('outbox', cause)
    })
  }

  const change = async (id: string, changed: (row: OutboxRow) => OutboxRow) => {
    // Read the row again: it may have left its form since its upload began.
    const row = (await load()).find((each) => each.id === id)
    if (row === undefined) return
    if (inForm.has(id)) inForm.set(id, changed(row))
    else await save(changed(row))
  }

  return {
    inForm,
    inFlight,
    stamp: () => {
      latest = Math.max(Date.now(), latest + 1)
      return new Date(latest).toISOString()
    },
    load,
    reload: async () => {
      const rows = await load()
      set(rows)
      return rows
    },
    show,
    add: async (row) => {
      removed.delete(row.id)
      unsaved.set(row.id, row)
      show(row)
      const saved = store.save(row).then(() => void unsaved.delete(row.id))
      saving.set(
        row.id,
        saved.catch(() => undefined),
      )
      await saved.finally(() => saving.delete(row.id))
      onChange()
    },
    save,
    keepUpload: (id, name, path) =>
      change(id, ({ started: { [name]: _done, ...started } = {}, ...row }) => ({
        ...row,
        uploads: { ...row.uploads, [name]: path },
        ...(Object.keys(started).length > 0 && { started }),
      })),
    keepStarted: (id, name, started) =>
      change(id, (row) => ({ ...row, started: { ...row.started, [name]: started } })),
    forgetUploads: (id) => change(id, ({ uploads: _uploads, started: _started, ...row }) => row),
    remove: async (id) => {
      if (inForm.delete(id)) return
      removed.add(id)
      set(shown.getState())
      await erase(id)
    },
    discard: async (id) => {
      const discarded = erase(id).then(() => void removed.add(id))
      discarding.set(
        id,
        discarded.catch(() => undefined),
      )
      await discarded.finally(() => discarding.delete(id))
      set(shown.getState())
    },
    isRemoved: (id) => removed.has(id),
    discarding,
    close: () => {
      isClosed = true
    },
  }
}
