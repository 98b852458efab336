import { setTimeout as wait } from 'node:timers/promises'
import type { Exclusive } from '#/backend/base/queue'
import type { Queries } from '#/backend/database/queries'
import { checkContent } from './check-content'
import type { ObjectFiles } from './object-files'
import { BUCKET, parseObjectKey } from './object-key'
import { type CheckedContent, checkedContent } from './object-metadata'
import { StorageError } from './storage-error'

/** Rows that are read and written in one turn at the database. */
const BATCH = 50
/** Pause after each file, in ms, so that the check is not noticed: 100 files take two seconds. */
const PAUSE_MS = 20

/** Checks the contents of objects that were stored before uploads were checked. */
export interface StoredCheck {
  /** Resolves with how many it has checked, and how many of them failed. Continues where an earlier run was stopped. */
  run(isStopped: () => boolean): Promise<{ checked: number; failed: number }>
}

export interface StoredCheckOptions {
  pg: Queries
  exclusive: Exclusive
  files: ObjectFiles
  /** Waits after each file; 20 ms when left out. */
  pause?: () => Promise<void>
}

interface UncheckedRow {
  id: string
  name: string
}

// The partial index of setup-objects.ts finds them among any number of objects.
const UNCHECKED_SQL = `
  select id, name from storage.objects
  where bucket_id = $1 and not metadata ? 'checked' and id > $2
  order by id limit $3`

const CHECKED_SQL = `
  update storage.objects o set metadata = o.metadata || found.content
  from jsonb_to_recordset($1) as found (id uuid, content jsonb)
  where o.id = found.id`

const FIRST_ID = '00000000-0000-0000-0000-000000000000'

export function createStoredCheck({
  pg,
  exclusive,
  files,
  pause = () => wait(PAUSE_MS, undefined, { ref: false }),
}: StoredCheckOptions): StoredCheck {
  /** Null if the file is missing. */
  const check = async ({ id, name }: UncheckedRow): Promise<CheckedContent | null> => {
    const file = await files.find(id)
    const key = parseObjectKey(name)
    if (file === null) return null
    if (key === null) return { checked: false }
    try {
      return checkedContent(await checkContent(file, key))
    } catch (error) {
      if (error instanceof StorageError) return { checked: false }
      throw error
    }
  }

  return {
    run: async (isStopped) => {
      const total = { checked: 0, failed: 0 }
      for (let after: string | undefined = FIRST_ID; after !== undefined && !isStopped(); ) {
        const found: UncheckedRow[] = await exclusive(async () =>
          isStopped() ? [] : (await pg.query<UncheckedRow>(UNCHECKED_SQL, [BUCKET, after, BATCH])).rows,
        )
        const contents: { id: string; content: CheckedContent }[] = []
        for (const row of found) {
          if (isStopped()) break
          const content = await check(row)
          if (content !== null) contents.push({ id: row.id, content })
          await pause()
        }
        if (contents.length > 0) {
          await exclusive(async () => {
            if (!isStopped()) await pg.query(CHECKED_SQL, [JSON.stringify(contents)])
          })
        }
        total.checked += contents.length
        total.failed += contents.filter(({ content }) => !content.checked).length
        after = found.at(-1)?.id
      }
      return total
    },
  }
}
