import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NewDemoMember, SeedOptions } from '#/backend/demo/seed-demo'
import { demoAssetsFolder } from '#/backend/start/paths'
import { openMigrated } from '#tests/backend/support/prepared'

export interface EmptyCommunity {
  context: SeedOptions
  objectsFolder: string
  /** Everything `createMember` was called with. */
  created: NewDemoMember[]
  rows<Row>(sql: string, parameters?: unknown[]): Promise<Row[]>
  close(): Promise<void>
}

/** A migrated PGlite in memory and a context whose members are bare auth users, without lite's slow passwords. */
export async function openEmptyCommunity(): Promise<EmptyCommunity> {
  const pg = (await openMigrated()).driver
  const folder = await mkdtemp(join(tmpdir(), 'vignette-demo-'))
  const objectsFolder = join(folder, 'objects')
  const created: NewDemoMember[] = []
  return {
    context: {
      pg,
      createMember: async (member) => {
        created.push(member)
        const id = randomUUID()
        await pg.query('insert into auth.users (id, email) values ($1, $2)', [id, member.email])
        return id
      },
      assetsDir: demoAssetsFolder(),
      objectsFolder,
      now: new Date(),
    },
    objectsFolder,
    created,
    rows: async <Row>(sql: string, parameters: unknown[] = []) => (await pg.query<Row>(sql, parameters)).rows,
    close: async () => {
      await pg.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
