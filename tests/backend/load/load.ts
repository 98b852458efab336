import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { type Activity, type ActivityOptions, beActive, type Written } from '#tests/backend/load/activity'
import { signUpMember } from '#tests/backend/support/backend'
import { runBackend } from '#tests/backend/support/processes'
import { watchPeakMemory } from '#tests/backend/support/resident-memory'

export interface LoadOptions extends ActivityOptions {
  members: number
}

export interface LoadResult extends Omit<Activity, 'written'> {
  /** The number of acknowledged writes, and which of them were lost when the server was killed. */
  acknowledged: number
  lost: string[]
  /** Maximum resident memory of the server process in MB; null if unknown. */
  memoryMB: number | null
}

/** Lets members read and write concurrently like the app, then kills the server and checks its data. */
export async function load(dataDir: string, options: LoadOptions): Promise<LoadResult> {
  const backend = await runBackend(dataDir)
  const accounts: Awaited<ReturnType<typeof signUpMember>>[] = []
  for (let number = 0; number < options.members; number += 1) {
    accounts.push(await signUpMember(backend, `load${number}`))
  }
  const stopWatching = watchPeakMemory(backend.process.child.pid ?? 0)
  const { written, ...activity } = await beActive(accounts, options)
  const memoryMB = await stopWatching()
  backend.process.child.kill('SIGKILL')
  await backend.process.ended
  return { ...activity, memoryMB, ...(await compare(dataDir, written)) }
}

/** Compares the acknowledged rows with the database after the crash, without the API. */
async function compare(
  dataDir: string,
  written: Written,
): Promise<Pick<LoadResult, 'acknowledged' | 'lost'>> {
  const pg = await PGlite.create({ dataDir: join(dataDir, 'postgres'), extensions: { pg_trgm } })
  try {
    const lost: string[] = []
    let acknowledged = 0
    for (const [table, ids] of written) {
      acknowledged += ids.length
      const { rows } = await pg.query<{ id: string }>(
        `select id from unnest($1::uuid[]) as id where id not in (select id from public.${table})`,
        [ids],
      )
      lost.push(...rows.map(({ id }) => `${table} ${id}`))
    }
    return { acknowledged, lost }
  } finally {
    await pg.close()
  }
}
