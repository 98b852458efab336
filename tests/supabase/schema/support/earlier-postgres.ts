import postgres from 'postgres'
import { startPostgres } from '#tests/backend/support/postgres-server'
import { asQuery } from '#tests/statement'
import { asMembers, CLAIMS, claimsOf } from './community'
import { type EarlierDatabase, readChanges } from './earlier-database'
import { setUp } from './sessions'

/** Opens a separate PostgreSQL with the migrations of 0.1 before a version. */
export async function openEarlierPostgres(version: string): Promise<EarlierDatabase> {
  const server = await startPostgres()
  const sql = postgres(server.url, { max: 1, onnotice: () => undefined })
  const migrations = await readChanges()
  const apply = async (isMeant: (version: string) => boolean) => {
    for (const each of migrations) if (isMeant(each.version)) await sql.unsafe(each.sql)
  }
  await setUp(server.url, sql)
  await apply((each) => each < version)
  return {
    sql: asQuery(async (text, parameters) => [...(await sql.unsafe(text, parameters as never[]))]),
    as: asMembers((member, text, parameters) =>
      sql.begin(async (tx) => {
        await tx.unsafe(CLAIMS, [claimsOf(member), member])
        return [...(await tx.unsafe(text, parameters as never[]))]
      }),
    ),
    upgrade: () => apply((each) => each >= version),
    async close() {
      await sql.end()
      await server.stop()
    },
  }
}
