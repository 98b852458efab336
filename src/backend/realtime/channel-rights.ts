import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { actAs } from '#/backend/access/act-as'
import { callerKey } from '#/backend/access/caller'
import type { Claims } from '#/backend/access/tokens'
import type { Exclusive } from '#/backend/base/queue'
import { databaseErrorFields } from '#/backend/database/database-error'
import type { Session, Transaction } from '#/backend/database/queries'
import { POST_TOPIC } from './served'

interface ReadWrite {
  read: boolean
  write: boolean
}

/** The rights of a member in a private channel. */
export interface ChannelRights {
  broadcast: ReadWrite
  presence: ReadWrite
  /** The author of the post whose channel it is; null for other channels. */
  author: string | null
}

export interface RightsRequest {
  claims: Claims
  topic: string
  /** Whether the result is no longer needed: the database is not queried. */
  isGone: () => boolean
}

/**
 * A change that may have ended rights: of these members, to the posts of these authors. Deleted topics have ended for everybody.
 * A missing list stands for all.
 */
export const rightsChangeSchema = z.object({
  members: z.array(z.string()).optional(),
  authors: z.array(z.string()).optional(),
  deleted: z.array(z.string()).optional(),
})
export type RightsChange = z.infer<typeof rightsChangeSchema>

/** The rights in public channels, which carry postgres_changes only, and the rights of visitors. */
export const NO_RIGHTS: ChannelRights = {
  broadcast: { read: false, write: false },
  presence: { read: false, write: false },
  author: null,
}

const EXTENSIONS = ['broadcast', 'presence'] as const
/** Rolled back rows take space until a vacuum, and PGlite has no autovacuum. */
const READS_PER_VACUUM = 2_000
const INSUFFICIENT_PRIVILEGE = '42501'

/**
 * Tests the policies of realtime.messages, like hosted: a member who can read a message of the topic may receive messages,
 * a member who can insert one may send. Inserts test messages and rolls them back. Visitors have no rights, without a query.
 */
export function createRightsReader(pg: Session, exclusive: Exclusive) {
  let reads = 0

  return async ({ claims, topic, isGone }: RightsRequest): Promise<ChannelRights> => {
    const { role, sub } = claims
    if (role !== 'authenticated' || sub === undefined) return NO_RIGHTS
    const read = async () => {
      reads += 1
      if (reads % READS_PER_VACUUM === 0) await pg.exec('vacuum realtime.messages')
      return pg.transaction(async (tx) => {
        const rights = await readRights(tx, claims, topic)
        await tx.rollback()
        return rights
      })
    }
    return exclusive(read, { caller: callerKey(sub), isGone })
  }
}

async function readRights(tx: Transaction, claims: Claims, topic: string): Promise<ChannelRights> {
  const author = await findAuthor(tx, topic)
  const ids = EXTENSIONS.map(() => randomUUID())
  await tx.query(
    `insert into realtime.messages (id, topic, extension, private)
      select id, $2, extension, true from unnest($1::uuid[], $3::text[]) as probes (id, extension)`,
    [ids, topic, EXTENSIONS],
  )
  await actAs(tx, claims, topic)
  const { rows } = await tx.query<{ extension: string }>(
    'select extension from realtime.messages where id = any ($1::uuid[])',
    [ids],
  )
  const readable = new Set(rows.map(({ extension }) => extension))
  return {
    broadcast: { read: readable.has('broadcast'), write: await canWrite(tx, topic, 'broadcast') },
    presence: { read: readable.has('presence'), write: await canWrite(tx, topic, 'presence') },
    author,
  }
}

async function findAuthor(tx: Transaction, topic: string): Promise<string | null> {
  if (!topic.startsWith(POST_TOPIC)) return null
  const { rows } = await tx.query<{ user_id: string }>('select user_id from public.posts where id = $1', [
    topic.slice(POST_TOPIC.length),
  ])
  return rows[0]?.user_id ?? null
}

async function canWrite(tx: Transaction, topic: string, extension: string): Promise<boolean> {
  await tx.exec('savepoint probe')
  try {
    await tx.query('insert into realtime.messages (topic, extension, private) values ($1, $2, true)', [
      topic,
      extension,
    ])
    return true
  } catch (error) {
    if (databaseErrorFields(error)?.code === INSUFFICIENT_PRIVILEGE) return false
    throw error
  } finally {
    await tx.exec('rollback to savepoint probe')
  }
}
