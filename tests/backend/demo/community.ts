import { randomUUID } from 'node:crypto'
import { openDatabase } from '#/backend/database/connection'
import { createLiteApp } from '#/backend/database/lite-app'
import { migrate, readMigrations } from '#/backend/database/migrations'
import { SETUP_SQL } from '#/backend/database/setup'
import type { DemoContext, NewDemoMember } from '#/backend/demo-context'
import { demoAssetsFolder, migrationsFolder } from '#/backend/paths'
import { randomSecret } from '#/backend/storage/secrets'

export interface EmptyCommunity {
  context: DemoContext
  /** Everything `createMember` was called with. */
  created: NewDemoMember[]
  rows<Row>(sql: string, parameters?: unknown[]): Promise<Row[]>
  close(): Promise<void>
}

/** A migrated PGlite in memory and a context whose members are bare auth users, without lite's slow passwords. */
export async function openEmptyCommunity(): Promise<EmptyCommunity> {
  const connection = await openDatabase('memory://')
  const pg = connection.driver
  const secrets = {
    jwtSecret: randomSecret(48),
    publishableKey: `sb_publishable_${randomSecret(24)}`,
    secretKey: `sb_secret_${randomSecret(24)}`,
    demo: [],
  }
  const email = { send: async () => undefined }
  await createLiteApp(connection, { secrets, email, siteUrl: 'http://127.0.0.1' }).ensureSystemSchema()
  await pg.exec(SETUP_SQL)
  await migrate(pg, await readMigrations(migrationsFolder()))
  const created: NewDemoMember[] = []
  return {
    context: {
      pg,
      createMember: async (member) => {
        created.push(member)
        const id = member.id ?? randomUUID()
        await pg.query('insert into auth.users (id, email) values ($1, $2)', [id, member.email])
        return id
      },
      assetsDir: demoAssetsFolder(),
      now: new Date(),
      log: () => undefined,
    },
    created,
    rows: async <Row>(sql: string, parameters: unknown[] = []) => (await pg.query<Row>(sql, parameters)).rows,
    close: () => connection.close(),
  }
}
