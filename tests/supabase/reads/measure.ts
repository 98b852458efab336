import postgres from 'postgres'
import { type Member, signUp } from '#tests/backend/support/members'
import { type Cost, costOf } from './explain'
import { type Cast, grow, type MainAccountAmounts } from './fill'
import { clientReads } from './reads'
import { type ReadsServer, startReadsServer } from './server'

/** The cost of each read, by name. */
export type Costs = Map<string, Cost & { answered: boolean }>

/** A growing community in which the client's reads are measured. */
export interface GrowingCommunity {
  growTo(posts: number): Promise<void>
  /** Measures each read `rounds` times; `ratio` compares it with reading the newest posts of 5,000 members by index, if wanted. */
  measure(rounds: number, isCompared?: boolean): Promise<Costs>
  /** The cost of any query of the viewer, compared. */
  measureOne(query: string, rounds: number): Promise<Cost>
  close(): Promise<void>
}

/** Passes the client's times, and the literal 'now', to the database unchanged. */
const TIMES_AS_TEXT = {
  to: 1184,
  from: [1082, 1114, 1184],
  serialize: (time: string) => time,
  parse: (time: string) => time,
}

/** Opens a filled community (see `grow`) on a separate PostgreSQL with these server settings. */
export async function openGrowingCommunity(
  amounts: MainAccountAmounts,
  settings?: Record<string, string>,
): Promise<GrowingCommunity> {
  const server = await startReadsServer(settings)
  const sql = postgres(server.databaseUrl, {
    max: 1,
    onnotice: () => undefined,
    types: { date: TIMES_AS_TEXT },
  })
  const members = {
    viewer: await signUp(server, 'viewer'),
    heavy: await signUp(server, 'heavy'),
    keen: await signUp(server, 'keen'),
    patient: await signUp(server, 'patient'),
    calm: await signUp(server, 'calm'),
  }
  const cast: Cast = {
    viewer: members.viewer.id,
    heavy: members.heavy.id,
    keen: members.keen.id,
    patient: members.patient.id,
    calm: members.calm.id,
  }
  let size = 0
  return {
    async growTo(posts) {
      await grow(sql, cast, amounts, size, posts)
      size = posts
    },
    measure: (rounds, isCompared = false) =>
      measureReads(server, sql, members, cast, rounds, isCompared ? LOOKUPS : undefined),
    measureOne: (query, rounds) =>
      costOf(sql, cast.viewer, [{ sql: query, parameters: [] }], rounds, LOOKUPS),
    async close() {
      await sql.end()
      await server.close()
      await server.stop()
    },
  }
}

async function measureReads(
  server: ReadsServer,
  sql: postgres.Sql,
  members: Record<keyof Cast, Member>,
  cast: Cast,
  rounds: number,
  comparedWith: string | undefined,
): Promise<Costs> {
  const costs: Costs = new Map()
  const reads = await clientReads({ sql, ...cast })
  let acting: keyof Cast | null = null
  for (const { name, as = 'viewer', load } of reads) {
    if (as !== acting) await server.actAs(members[as])
    acting = as
    const { answer, queries } = await server.record(load)
    costs.set(name, {
      ...(await costOf(sql, members[as].id, queries, rounds, comparedWith)),
      answered: queries.length > 0 && hasData(answer),
    })
  }
  return costs
}

const LOOKUPS = `
  select count(newest.id) from (select id from public.profiles order by id limit 5000) as member
  cross join lateral (
    select p.id from public.posts p where p.user_id = member.id order by p.created_at desc, p.id desc limit 1
  ) as newest`

/** Whether a result contains data: an empty read has no meaningful cost. */
function hasData(answer: unknown): boolean {
  if (answer instanceof Map || answer instanceof Set) return answer.size > 0
  if (Array.isArray(answer)) return answer.length > 0
  if (typeof answer !== 'object' || answer === null) return Boolean(answer)
  const [list] = Object.values(answer).filter(Array.isArray)
  return list === undefined || list.length > 0
}
