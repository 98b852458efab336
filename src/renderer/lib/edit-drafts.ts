import { createDraftStore } from './draft-store'

type Texts<T> = Record<keyof T & string, string>

/**
 * Unsaved changes to texts that the server already stores. They survive a restart until they are saved or discarded.
 */
export interface EditDrafts<T> {
  /** Returns the stored texts with the unsaved changes applied. */
  use(me: string, name: string, stored: T): EditDraft<T>
  /** Call after a save. Changes typed while it was in flight are kept. */
  markSaved(me: string, name: string, saved: T): void
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
  }
}
