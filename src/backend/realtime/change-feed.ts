import * as z from 'zod'
import { loggableError } from '#/backend/database/database-error'
import type { Session } from '#/backend/database/queries'
import { groupBy } from '#/backend/group-by'
import type { BackendLog } from '#/backend/log'
import type { Exclusive } from '#/backend/mutex'
import type { Identity } from './identity'
import type { Subscription } from './join-config'
import { createColumnReader, type PublishedColumns, type RowRecord, readRowsAs } from './published-rows'
import { CHANGES_CHANNEL } from './setup-sql'

/** Changes of a batch share their reads. */
const BATCH_MAX = 200
/** Identities whose rows are read while the database is locked; requests may run in between. */
const IDENTITIES_PER_TURN = 20

const changeSchema = z
  .tuple([z.string(), z.literal('INSERT'), z.string(), z.array(z.string().nullable()), z.string()])
  .transform(([table, event, id, members, at]) => ({ table, event, id, members: new Set(members), at }))

/** A new row. `members` may see it, subject to row security; `at` is an ISO time. */
type Change = z.infer<typeof changeSchema>

/** A joined channel that receives changes. */
export interface Subscriber {
  identity(): Identity
  deliver(message: object): void
  /** Makes the client rejoin and refetch, because it may have missed changes. */
  restart(): void
}

export interface ChangeFeed {
  /** Replaces a subscriber's subscriptions and identity. */
  subscribe(subscriber: Subscriber, subscriptions: readonly Subscription[]): void
  unsubscribe(subscriber: Subscriber): void
  /** Resolves when all changes announced so far have been handled. */
  settled(): Promise<void>
  close(): Promise<void>
}

interface ChangeFeedOptions {
  pg: Session
  exclusive: Exclusive
  log: BackendLog
}

/** A change that a subscriber may be allowed to see. */
interface Candidate {
  change: Change
  subscriber: Subscriber
  identity: Identity
}

/**
 * Listens to the database's change triggers. Reads each row with row security as the members named in it, and only then
 * applies the subscribers' filters.
 */
export async function openChangeFeed({ pg, exclusive, log }: ChangeFeedOptions): Promise<ChangeFeed> {
  const subscribers = new Map<Subscriber, readonly Subscription[]>()
  const byMember = new Map<string, Set<Subscriber>>()
  const readColumns = createColumnReader(pg, exclusive)
  const pending: string[] = []
  let work: Promise<void> | null = null

  const unsubscribe = (subscriber: Subscriber) => {
    if (!subscribers.delete(subscriber)) return
    for (const [member, own] of byMember) {
      if (own.delete(subscriber) && own.size === 0) byMember.delete(member)
    }
  }

  const candidatesOf = (change: Change): Candidate[] =>
    [...change.members].flatMap((member) =>
      [...(byMember.get(member ?? '') ?? [])]
        .filter((subscriber) =>
          subscribers.get(subscriber)?.some(({ binding }) => binding.table === change.table),
        )
        .map((subscriber) => ({ change, subscriber, identity: subscriber.identity() })),
    )

  const drain = async () => {
    while (pending.length > 0) {
      const batch = pending.splice(0, BATCH_MAX)
      try {
        await publish(batch.map((payload) => changeSchema.parse(JSON.parse(payload))))
      } catch (error) {
        log('error', `Changes could not be published: ${loggableError(error)}`)
        for (const subscriber of [...subscribers.keys()]) subscriber.restart()
      }
    }
    work = null
  }

  const publish = async (changes: readonly Change[]) => {
    const columns = await readColumns()
    const candidates = changes.flatMap(candidatesOf)
    const groups = [...groupBy(candidates, ({ identity }) => identity.key).values()]
    for (let at = 0; at < groups.length; at += IDENTITIES_PER_TURN) {
      await exclusive(async () => {
        for (const group of groups.slice(at, at + IDENTITIES_PER_TURN)) await publishTo(group, columns)
      })
    }
  }

  /** Delivers changes to the subscribers of one identity. */
  const publishTo = async (candidates: readonly Candidate[], columns: PublishedColumns) => {
    const [first] = candidates
    if (first === undefined) return
    const recipients = new Set(candidates.map(({ subscriber }) => subscriber))
    const tables = groupBy(candidates, ({ change }) => change.table)
    const ids = new Map([...tables].map(([table, own]) => [table, own.map(({ change }) => change.id)]))
    let rows: ReadonlyMap<string, RowRecord>
    try {
      rows = await readRowsAs(pg, first.identity, ids, columns)
    } catch (error) {
      log('warn', `A change could not be read for a subscriber: ${loggableError(error)}`)
      for (const subscriber of recipients) if (subscribers.has(subscriber)) subscriber.restart()
      return
    }
    // The token may have changed during the read, even to another member's.
    for (const subscriber of recipients) {
      if (subscribers.has(subscriber) && subscriber.identity().key !== first.identity.key)
        subscriber.restart()
    }
    for (const { change, subscriber } of candidates) {
      const row = rows.get(change.id)
      const matching = (subscribers.get(subscriber) ?? []).filter(
        ({ binding, column, value }) => binding.table === change.table && value === row?.[column],
      )
      if (row === undefined || matching.length === 0) continue
      const ids = matching.map(({ id }) => id)
      subscriber.deliver({ ids, data: changeData(change, row, columns) })
    }
  }

  const stop = await exclusive(() =>
    pg.listen(CHANGES_CHANNEL, (payload) => {
      if (subscribers.size === 0) return
      pending.push(payload)
      // Deferred, so that the statements of one request share a batch.
      work ??= Promise.resolve().then(drain)
    }),
  )

  return {
    unsubscribe,
    subscribe: (subscriber, subscriptions) => {
      unsubscribe(subscriber)
      const member = subscriber.identity().claims.sub
      if (subscriptions.length === 0 || member === undefined) return
      subscribers.set(subscriber, subscriptions)
      byMember.set(member, (byMember.get(member) ?? new Set()).add(subscriber))
    },
    settled: async () => {
      await work
    },
    close: async () => {
      subscribers.clear()
      byMember.clear()
      await work
      await exclusive(() => stop())
    },
  }
}

/** The `data` of a postgres_changes message. */
function changeData({ table, event, at }: Change, row: RowRecord, columns: PublishedColumns): object {
  return {
    schema: 'public',
    table,
    type: event,
    commit_timestamp: at,
    columns: columns.get(table),
    record: row,
    errors: null,
  }
}
