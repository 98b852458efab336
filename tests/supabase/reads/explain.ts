import type { Sql, TransactionSql } from 'postgres'
import * as z from 'zod'
import { median } from '#tests/backend/support/median'
import type { Statement } from '#tests/backend/support/server'

/** The database cost of a read, over all its queries. */
export interface Cost {
  /** Median of planning and execution, in milliseconds. */
  ms: number
  /** How many times as long it takes as the statement that it is compared with; 0 without one. */
  ratio: number
  /** Pages of 8 KB read, including those read by functions and policies. */
  pages: number
  /** Rows read from tables, with or without an index. */
  rows: number
  /** Tables of which a sequential scan read more than `LARGE` rows. */
  wholeTables: string[]
}

/** A sequential scan may read this many rows: a whole small table, or the start of a large one. */
const LARGE = 4_000

/** Runs that do not count, in which the session plans and compiles. */
const WARM_UP = 1

const explained = z.tuple([
  z.object({
    'QUERY PLAN': z.tuple([
      z.object({
        'Planning Time': z.number(),
        'Execution Time': z.number(),
        Plan: z.object({ 'Shared Hit Blocks': z.number(), 'Shared Read Blocks': z.number() }),
      }),
    ]),
  }),
])

/** The rows that this transaction has read of each table, including those read by functions and policies. */
const READ_SO_FAR = `
  select schemaname || '.' || relname as name, seq_tup_read as sequential, idx_tup_fetch as indexed
  from pg_stat_xact_user_tables`

const tables = z.array(
  z.object({ name: z.string(), sequential: z.coerce.number(), indexed: z.coerce.number() }),
)

async function readSoFar(tx: TransactionSql) {
  const rows = tables.parse([...(await tx.unsafe(READ_SO_FAR))])
  return new Map(rows.map((row) => [row.name, row]))
}

type OneCost = Omit<Cost, 'ratio'>

/**
 * Explains queries as the API runs them for a member: with row security, each in a transaction, repeated `rounds` times, and in
 * turns with a statement of the owner to compare them with. The fastest round of each is compared: other work on the machine
 * slows some rounds down, of both.
 */
export async function costOf(
  sql: Sql,
  member: string,
  queries: readonly Statement[],
  rounds: number,
  comparedWith?: string,
): Promise<Cost> {
  const times: number[] = []
  const compared: number[] = []
  let cost = emptyCost()
  for (let round = -WARM_UP; round < rounds; round += 1) {
    cost = emptyCost()
    for (const query of queries) {
      const { ms, pages, rows, wholeTables } = await explainOnce(sql, member, query)
      cost.ms += ms
      cost.pages += pages
      cost.rows += rows
      cost.wholeTables.push(...wholeTables)
    }
    if (round >= 0) times.push(cost.ms)
    if (comparedWith !== undefined)
      compared.push((await explainOnce(sql, null, { sql: comparedWith, parameters: [] })).ms)
  }
  const ratio = comparedWith === undefined ? 0 : Math.min(...times) / Math.min(...compared)
  return { ...cost, ms: median(times), ratio }
}

const emptyCost = (): OneCost => ({ ms: 0, pages: 0, rows: 0, wholeTables: [] })

function explainOnce(sql: Sql, member: string | null, query: Statement): Promise<OneCost> {
  return sql.begin(async (tx) => {
    const before = await readSoFar(tx)
    if (member !== null)
      await tx`select set_config('request.jwt.claims', json_build_object('sub', ${member}::text, 'role', 'authenticated',
          'session_id', (select id from auth.sessions where user_id = ${member} limit 1))::text, true),
        set_config('request.jwt.claim.sub', ${member}, true), set_config('role', 'authenticated', true)`
    const answer = await tx.unsafe(
      `explain (analyze, buffers, timing off, format json) ${query.sql}`,
      query.parameters as never[],
    )
    const [{ 'QUERY PLAN': plans }] = explained.parse([...answer])
    await tx`reset role`
    const read = [...(await readSoFar(tx))].map(([name, { sequential, indexed }]) => {
      const earlier = before.get(name)
      return {
        name,
        sequential: sequential - (earlier?.sequential ?? 0),
        indexed: indexed - (earlier?.indexed ?? 0),
      }
    })
    const [{ Plan: plan, ...times }] = plans
    return {
      ms: times['Planning Time'] + times['Execution Time'],
      pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
      rows: read.reduce((sum, { sequential, indexed }) => sum + sequential + indexed, 0),
      wholeTables: read.filter(({ sequential }) => sequential > LARGE).map(({ name }) => name),
    }
  }) as Promise<OneCost>
}
