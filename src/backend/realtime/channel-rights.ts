import { randomUUID } from 'node:crypto'
import { fieldsOf } from '#/backend/database/database-error'
import type { Session, Transaction } from '#/backend/database/queries'
import type { Exclusive } from '#/backend/mutex'
import { actAs, type Identity } from './identity'

interface ReadWrite {
  read: boolean
  write: boolean
}

/** What an identity may do in a private channel. */
export interface ChannelRights {
  broadcast: ReadWrite
  presence: ReadWrite
}

/** The rights in a public channel: it carries nothing but changes. */
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
 * write one may send. The messages are made for the question and undone.
 */
export function createRightsQuestion(pg: Session, exclusive: Exclusive) {
  let asked = 0
  return (identity: Identity, topic: string): Promise<ChannelRights> =>
    exclusive(async () => {
      asked += 1
      if (asked % ASKED_PER_VACUUM === 0) await pg.exec('vacuum realtime.messages')
      return pg.transaction(async (tx) => {
        const rights = await ask(tx, identity, topic)
        await tx.rollback()
        return rights
      })
    })
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
    if (fieldsOf(error)?.code === INSUFFICIENT_PRIVILEGE) return false
    throw error
  } finally {
    await tx.exec('rollback to savepoint asked')
  }
}
