import { randomUUID } from 'node:crypto'
import { databaseErrorFields } from '#/backend/database/database-error'
import type { Session, Transaction } from '#/backend/database/queries'
import { createFairQueue } from '#/backend/http/fair-queue'
import type { Exclusive } from '#/backend/mutex'
import { actAs, type Identity } from './identity'
import { JoinError } from './join-error'

interface ReadWrite {
  read: boolean
  write: boolean
}

/** What an identity may do in a private channel. */
export interface ChannelRights {
  broadcast: ReadWrite
  presence: ReadWrite
}

export interface RightsQuestion {
  identity: Identity
  topic: string
  /** Whether nobody waits for the answer any more: the database is not asked. */
  isGone: () => boolean
}

/** The rights in a public channel, which carries nothing but changes, and those of strangers in private channels. */
export const NO_RIGHTS: ChannelRights = {
  broadcast: { read: false, write: false },
  presence: { read: false, write: false },
}

const EXTENSIONS = ['broadcast', 'presence'] as const
/** Rows that were undone stay in the file until a vacuum, and PGlite does none by itself. */
const ASKED_PER_VACUUM = 2_000
const INSUFFICIENT_PRIVILEGE = '42501'

/**
 * Asks the policies of realtime.messages as hosted does: who could read a message of this topic may listen, who could
 * write one may send. The messages are made for the question and undone. Strangers have no rights, and cost no question.
 * Members take turns; a question is refused with a JoinError if `waitingMax` questions of its member wait already.
 */
export function createRightsQuestion(pg: Session, exclusive: Exclusive, waitingMax: number) {
  // The number of connections limits the total.
  const turns = createFairQueue({ perCaller: waitingMax, total: Number.POSITIVE_INFINITY })
  let asked = 0
  const askDatabase = (identity: Identity, topic: string) =>
    exclusive(async () => {
      asked += 1
      if (asked % ASKED_PER_VACUUM === 0) await pg.exec('vacuum realtime.messages')
      return pg.transaction(async (tx) => {
        const rights = await ask(tx, identity, topic)
        await tx.rollback()
        return rights
      })
    })

  return async ({ identity, topic, isGone }: RightsQuestion): Promise<ChannelRights> => {
    const { role, sub } = identity.claims
    if (role !== 'authenticated' || sub === undefined) return NO_RIGHTS
    const rights = await turns({ caller: sub, isGone, work: () => askDatabase(identity, topic) })
    if (rights === null) throw new JoinError('ClientJoinRateLimitReached: Too many joins of this member')
    return rights
  }
}

async function ask(tx: Transaction, identity: Identity, topic: string): Promise<ChannelRights> {
  const ids = EXTENSIONS.map(() => randomUUID())
  await tx.query(
    `insert into realtime.messages (id, topic, extension, private)
      select id, $2, extension, true from unnest($1::uuid[], $3::text[]) as asked (id, extension)`,
    [ids, topic, EXTENSIONS],
  )
  await actAs(tx, identity, topic)
  const { rows } = await tx.query<{ extension: string }>(
    'select extension from realtime.messages where id = any ($1::uuid[])',
    [ids],
  )
  const isRead = new Set(rows.map(({ extension }) => extension))
  return {
    broadcast: { read: isRead.has('broadcast'), write: await canWrite(tx, topic, 'broadcast') },
    presence: { read: isRead.has('presence'), write: await canWrite(tx, topic, 'presence') },
  }
}

async function canWrite(tx: Transaction, topic: string, extension: string): Promise<boolean> {
  await tx.exec('savepoint asked')
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
    await tx.exec('rollback to savepoint asked')
  }
}
