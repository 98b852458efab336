import * as z from 'zod'
import type { Session } from '#/backend/database/queries'
import { groupBy } from '#/backend/group-by'
import type { BackendLog } from '#/backend/log'
import type { Exclusive } from '#/backend/mutex'
import { errorName } from '#/backend/realtime/error-name'
import type { Identity } from '#/backend/realtime/identity'
import { CHANGES_CHANNEL } from '#/backend/realtime/setup-sql'
import { createColumnReader, type PublishedColumns, type RowRecord, readRowsAs } from './published-rows'
import type { Subscription } from './subscription'

/** Changes handled at once: those of a burst share their reads. */
const BATCH_MAX = 200
/** Subscribers read for in one turn at the database; others may come between two turns. */
const IDENTITIES_PER_TURN = 20

const changeSchema = z
  .tuple([z.string(), z.literal('INSERT'), z.string(), z.array(z.string().nullable()), z.string()])
  .transform(([table, event, id, members, at]) => ({ table, event, id, members: new Set(members), at }))

/** A new row. `members` may see it, subject to row security; `at` is the time in ISO 8601. */
type Change = z.infer<typeof changeSchema>

/** A joined channel that receives changes. */
export interface Subscriber {
  identity(): Identity
  deliver(message: object): void
  /** Something may have been missed: makes the client rejoin and refetch. */
  restart(): void
}

export interface ChangeFeed {
  /** Replaces the subscriptions of a subscriber, and the member whose changes it gets. */
  follow(subscriber: Subscriber, subscriptions: readonly Subscription[]): void
  unfollow(subscriber: Subscriber): void
  /** Resolves when every change announced so far has been handled. */
  settled(): Promise<void>
  close(): Promise<void>
}

interface ChangeFeedOptions {
  pg: Session
  exclusive: Exclusive
  log: BackendLog
}

/** A change of a row that a subscriber may be able to see. */
interface Candidate {
  change: Change
  subscriber: Subscriber
  identity: Identity
}

/**
 * Listens to the database's change triggers. Reads each changed row as the members named in it, with row security, and
 * only then compares the subscribers' filters with it.
 */
export async function openChangeFeed({ pg, exclusive, log }: ChangeFeedOptions): Promise<ChangeFeed> {
  const followers = new Map<Subscriber, readonly Subscription[]>()
  const byMember = new Map<string, Set<Subscriber>>()
  const readColumns = createColumnReader(pg, exclusive)
  const pending: string[] = []
  let work: Promise<void> | null = null

  const unfollow = (subscriber: Subscriber) => {
    if (!followers.delete(subscriber)) return
    for (const [member, own] of byMember) {
      if (own.delete(subscriber) && own.size === 0) byMember.delete(member)
    }
  }

  const candidatesOf = (change: Change): Candidate[] =>
    [...change.members].flatMap((member) =>
      [...(byMember.get(member ?? '') ?? [])]
        .filter((subscriber) => followers.get(subscriber)?.some((one) => isFor(one, change)))
        .map((subscriber) => ({ change, subscriber, identity: subscriber.identity() })),
    )

  const drain = async () => {
    while (pending.length > 0) {
      const batch = pending.splice(0, BATCH_MAX)
      try {
        await publish(batch.map((payload) => changeSchema.parse(JSON.parse(payload))))
      } catch (error) {
        log('error', `Changes could not be published: ${errorName(error)}`)
        for (const subscriber of [...followers.keys()]) subscriber.restart()
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
    const subscribers = new Set(candidates.map(({ subscriber }) => subscriber))
    const tables = groupBy(candidates, ({ change }) => change.table)
    const ids = new Map([...tables].map(([table, own]) => [table, own.map(({ change }) => change.id)]))
    let rows: ReadonlyMap<string, RowRecord>
    try {
      rows = await readRowsAs(pg, first.identity, ids, columns)
    } catch (error) {
      log('warn', `A change could not be read for a subscriber: ${errorName(error)}`)
      for (const subscriber of subscribers) if (followers.has(subscriber)) subscriber.restart()
      return
    }
    // The token may have changed during the read, and the new one may be another member's.
    for (const subscriber of subscribers) {
      if (followers.has(subscriber) && subscriber.identity().key !== first.identity.key) subscriber.restart()
    }
    for (const { change, subscriber } of candidates) {
      const row = rows.get(change.id)
      const met = (followers.get(subscriber) ?? []).filter(
        (one) => isFor(one, change) && one.value === row?.[one.column],
      )
      if (row === undefined || met.length === 0) continue
      const ids = met.map(({ id }) => id)
      subscriber.deliver({ ids, data: changeData(change, row, columns) })
    }
  }

  const stop = await exclusive(() =>
    pg.listen(CHANGES_CHANNEL, (payload) => {
      if (followers.size === 0) return
      pending.push(payload)
      // Not at once: the statements of one request should share a batch.
      work ??= Promise.resolve().then(drain)
    }),
  )

  return {
    unfollow,
    follow: (subscriber, subscriptions) => {
      unfollow(subscriber)
      const member = subscriber.identity().claims.sub
      if (subscriptions.length === 0 || member === undefined) return
      followers.set(subscriber, subscriptions)
      byMember.set(member, (byMember.get(member) ?? new Set()).add(subscriber))
    },
    settled: async () => {
      await work
    },
    close: async () => {
      followers.clear()
      byMember.clear()
      await work
      await exclusive(() => stop())
    },
  }
}

function isFor({ binding }: Subscription, change: Change): boolean {
  return binding.table === change.table
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
