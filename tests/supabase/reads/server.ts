import { WebSocket } from 'ws'
import { connectSupabase, supabase } from '#/renderer/lib/server/supabase'
import type { Member } from '#tests/backend/support/members'
import { startPostgres } from '#tests/backend/support/postgres-server'
import { openPostgres, type Statement, serve, type TestServer } from '#tests/backend/support/server'

/** A Supabase on a separate PostgreSQL that serves the queries of the renderer. */
export interface ReadsServer extends TestServer {
  databaseUrl: string
  /** Stops PostgreSQL; call `close` first. */
  stop(): Promise<void>
  /** Makes the renderer act as this member. */
  actAs(member: Member): Promise<void>
  /** Records the queries that lite sends during `work`, without settings and transaction statements. */
  record(work: () => Promise<unknown>): Promise<{ answer: unknown; queries: Statement[] }>
}

export async function startReadsServer(settings?: Record<string, string>): Promise<ReadsServer> {
  const postgres = await startPostgres(settings)
  let statements: Statement[] = []
  const server = await serve(await openPostgres(postgres, (statement) => statements.push(statement)))
  const { fetch, WebSocket: none } = globalThis
  Object.assign(globalThis, { fetch: server.fetch, WebSocket })
  return {
    ...server,
    databaseUrl: postgres.url,
    async stop() {
      Object.assign(globalThis, { fetch, WebSocket: none })
      await postgres.stop()
    },
    async actAs(member) {
      const { data } = await member.client.auth.getSession()
      if (data.session === null) throw new Error(`${member.username} is not signed in`)
      connectSupabase(
        { ...server, kind: 'embedded', storageKey: 'reads', demo: [], mailFile: null },
        memory(),
        {
          onSocketClosed: ignore,
          onSlowResponse: ignore,
          onSessionRefused: ignore,
          onOthersSession: ignore,
          onSignedOut: ignore,
          onVersions: ignore,
        },
      )
      const { error } = await supabase().auth.setSession(data.session)
      if (error !== null) throw error
      await supabase().auth.stopAutoRefresh()
    },
    async record(work) {
      statements = []
      const answer = await work()
      return { answer, queries: statements.filter(({ sql }) => isQuery(sql)) }
    },
  }
}

/** Whether a statement is the client's query: lite also sets the claims and reads the account. */
const isQuery = (sql: string) => /^\s*(select|with)\b/i.test(sql) && !/set_config\(|\bauth"?\./i.test(sql)

const ignore = () => undefined

function memory() {
  const items = new Map<string, string>()
  return {
    getItem: async (key: string) => items.get(key) ?? null,
    setItem: async (key: string, value: string) => void items.set(key, value),
    removeItem: async (key: string) => void items.delete(key),
    persistence: async () => 'memory' as const,
    keepAnyway: async () => undefined,
  }
}
