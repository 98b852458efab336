import { setTimeout as wait } from 'node:timers/promises'
import type { Exclusive } from '#/backend/base/queue'
import type { Queries } from '#/backend/database/queries'
import { checkContent } from './check-content'
import type { ObjectFiles } from './object-files'
import { BUCKET, parseObjectKey } from './object-key'
import { StorageError } from './storage-error'

/** Pause before each file, in ms, so that the check is not noticed: 100 files take two seconds. */
const PAUSE_MS = 20

// The partial index of setup-objects.ts finds the next one among any number of objects.
const NEXT_SQL = `
  select id, name from storage.objects
  where bucket_id = $1 and not metadata ? 'checked' and id > $2 order by id limit 1`

const CHECKED_SQL = 'update storage.objects set metadata = metadata || $2::jsonb where id = $1'

/**
 * Checks the objects that were stored before their content was, in order of their ids; a later run continues. One that passes gets its
 * size, one that fails stays with `checked: false`; one without a file stays as it is. Resolves with how many of them passed and failed.
 */
export async function checkStoredObjects(
  { pg, exclusive, files }: { pg: Queries; exclusive: Exclusive; files: ObjectFiles },
  isStopped: () => boolean,
): Promise<{ passed: number; failed: number }> {
  const total = { passed: 0, failed: 0 }
  const query = <Row>(sql: string, parameters: unknown[]) =>
    exclusive(async () => (isStopped() ? [] : (await pg.query<Row>(sql, parameters)).rows))
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const [row] = await query<{ id: string; name: string }>(NEXT_SQL, [BUCKET, after])
    if (row === undefined) return total
    after = row.id
    await wait(PAUSE_MS, undefined, { ref: false })
    const file = await files.find(row.id)
    const key = parseObjectKey(row.name)
    if (file === null) continue
    const size = key === null ? false : await checkContent(file, key).catch(refusal)
    await query(CHECKED_SQL, [
      row.id,
      JSON.stringify(size === false ? { checked: false } : { ...size, checked: true }),
    ])
    total[size === false ? 'failed' : 'passed'] += 1
  }
}

function refusal(error: unknown): false {
  if (error instanceof StorageError) return false
  throw error
}
