import { readdir } from 'node:fs/promises'
import type { Exclusive } from '#/backend/base/queue'
import type { Queries } from '#/backend/database/queries'
import type { DataFolder } from '#/backend/storage/data-folder'
import { listSnapshots } from '#/backend/storage/snapshots'
import type { ObjectFiles } from './object-files'

/** Rows that are examined, and ids that are looked up, in one turn at the database. */
const EXAMINED = 100
const LOOKED_UP = 500

const DAMAGED = /\.damaged-(\d+)$/

/**
 * When copies of the database were taken, in ms since 1970: a snapshot can be restored, and the operator can repair a database that was
 * set aside. Objects of these times keep their files.
 */
export async function copyTimes({ root, snapshots }: DataFolder): Promise<number[]> {
  const setAside = (await readdir(root)).flatMap((name) => DAMAGED.exec(name)?.[1] ?? [])
  const taken = (await listSnapshots(snapshots)).map(({ takenAt }) => Date.parse(takenAt))
  return [...setAside.map(Number), ...taken]
}

export interface ObjectSweep {
  /** Moves back the files that a restored snapshot needs. Call before members can read. */
  restoreFiles(): Promise<void>
  /** Deletes objects that nothing refers to, and files without a row. Resolves with the number of objects. */
  sweep(isStopped: () => boolean): Promise<number>
}

export interface ObjectSweepOptions {
  pg: Queries
  exclusive: Exclusive
  files: ObjectFiles
  copyTimes: () => Promise<number[]>
}

export function createObjectSweep({
  pg,
  exclusive,
  files,
  copyTimes: heldAt,
}: ObjectSweepOptions): ObjectSweep {
  /** Which of these ids have a row. */
  const findRows = async (ids: readonly string[]): Promise<Set<string>> => {
    const found = new Set<string>()
    for (let at = 0; at < ids.length; at += LOOKED_UP) {
      const some = ids.slice(at, at + LOOKED_UP)
      const sql = 'select id from storage.objects where id = any ($1::uuid[])'
      const { rows } = await exclusive(() => pg.query<{ id: string }>(sql, [some]))
      for (const { id } of rows) found.add(id)
    }
    return found
  }

  /** Deletes the unused objects among the next rows. Resolves with the last name, or null after the last row. */
  const sweepRows = (after: string) =>
    exclusive(async () => {
      const { rows } = await pg.query<{ id: string; name: string; is_unused: boolean }>(
        'select id, name, is_unused from private.examine_objects($1, $2)',
        [after, EXAMINED],
      )
      const unused = rows.filter(({ is_unused }) => is_unused).map(({ id }) => id)
      if (unused.length > 0)
        await pg.query('delete from storage.objects where id = any ($1::uuid[])', [unused])
      return { last: rows.length < EXAMINED ? null : (rows.at(-1)?.name ?? null), removed: unused.length }
    })

  return {
    restoreFiles: async () => {
      const deleted = await files.listDeleted()
      const rows = await findRows(deleted.map(({ id }) => id))
      for (const file of deleted) if (rows.has(file.id)) await files.restore(file)
    },
    sweep: async (isStopped) => {
      let removed = 0
      for (let after: string | null = ''; after !== null && !isStopped(); ) {
        const result: Awaited<ReturnType<typeof sweepRows>> = await sweepRows(after)
        removed += result.removed
        after = result.last
      }
      if (isStopped()) return removed
      const times = await heldAt()
      const ids = await files.list()
      const rows = await findRows(ids)
      for (const id of ids) if (!rows.has(id)) await files.remove(id, times)
      for (const file of await files.listDeleted()) await files.purge(file, times)
      return removed
    },
  }
}
