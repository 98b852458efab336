import * as z from 'zod'
import type { Session } from '#/backend/database/queries'
import type { BackendLog } from '#/backend/log'
import type { Exclusive } from '#/backend/mutex'
import { errorName } from '#/backend/realtime/error-name'
import { actAs, type Identity } from '#/backend/realtime/identity'
import { CHANGES_CHANNEL } from '#/backend/realtime/setup-sql'
import { type ChangeMessage, changeMessage } from './change-message'
import type { Condition } from './filters'
import { groupBy } from './group-by'
import { type PublishedTable, type PublishedTables, readableColumns } from './published-tables'
import { meetConditions, type RowKey, type RowRecord, readRows, rowKey } from './read-rows'
import type { Subscription } from './subscriptions'

/** Changes handled at once: those of a burst share their reads. */
const BATCH_MAX = 200
/** Subscribers read for in one turn at the database; others may come between two turns. */
const IDENTITIES_PER_TURN = 20

const OPERATIONS = ['INSERT', 'UPDATE'] as const

const payloadSchema = z.tuple([
  z.string(),
  z.string(),
  z.enum(OPERATIONS),
  z.array(z.string().nullable()),
  z.string(),
])

export interface Change {
  table: PublishedTable
  operation: (typeof OPERATIONS)[number]
  key: RowKey
  /** When it was made, in ISO 8601. */
  at: string
}

/** Who hears of changes: a joined channel. */
export interface Subscriber {
  identity(): Identity
  deliver(message: ChangeMessage): void
  /** Something may have been missed: lets the client join anew and look for itself. */
  restart(): void
}

export interface ChangeFeed {
  /** Replaces what a subscriber follows. */
  follow(subscriber: Subscriber, subscriptions: readonly Subscription[]): void
  unfollow(subscriber: Subscriber): void
  /** Resolves when everything told so far has been handled. */
  settled(): Promise<void>
  close(): Promise<void>
}

interface ChangeFeedOptions {
  pg: Session
  exclusive: Exclusive
  tables: PublishedTables
  log: BackendLog
}

/** A subscriber's interest in a change, before row security was asked. */
interface Interest {
  change: Change
  subscriber: Subscriber
  subscription: Subscription
}

/** An interest whose filter is met, with whom to ask row security as. */
interface AskedInterest extends Interest {
  identity: Identity
}

/** Listens to the database's change triggers and tells each subscriber what they may see. */
export async function openChangeFeed(options: ChangeFeedOptions): Promise<ChangeFeed> {
  const { pg, exclusive, tables, log } = options
  const followers = new Map<Subscriber, readonly Subscription[]>()
  const pending: unknown[] = []
  let work: Promise<void> | null = null

  const drain = async () => {
    while (pending.length > 0) {
      const batch = pending.splice(0, BATCH_MAX)
      try {
        await tell(readChanges(batch, await tables.all()))
      } catch (error) {
        log('error', `Changes could not be told: ${errorName(error)}`)
        for (const subscriber of followers.keys()) subscriber.restart()
      }
    }
    work = null
  }

  const tell = async (changes: Change[]): Promise<void> => {
    const met = await match(interestsIn(changes, followers))
    const asked = met.map((interest) => ({ ...interest, identity: interest.subscriber.identity() }))
    const groups = [...groupBy(asked, ({ identity }) => identity.key).values()]
    for (let at = 0; at < groups.length; at += IDENTITIES_PER_TURN) {
      await exclusive(async () => {
        for (const group of groups.slice(at, at + IDENTITIES_PER_TURN)) await tellOne(group)
      })
    }
  }

  /** All subscribers at once; where that fails, half of them at a time, until it is known with whom it does. */
  const match = async (interests: readonly Interest[]): Promise<Interest[]> => {
    if (interests.length === 0) return []
    try {
      return await exclusive(() => matchFilters(pg, interests))
    } catch (error) {
      const bySubscriber = [...groupBy(interests, ({ subscriber }) => subscriber)]
      const [only] = bySubscriber
      if (only !== undefined && bySubscriber.length === 1) {
        log('error', `Changes could not be told: ${errorName(error)}`)
        only[0].restart()
        return []
      }
      const half = Math.ceil(bySubscriber.length / 2)
      const [first, second] = [bySubscriber.slice(0, half), bySubscriber.slice(half)]
      const matched = [
        ...(await match(first.flatMap(([, ofOne]) => ofOne))),
        ...(await match(second.flatMap(([, ofOne]) => ofOne))),
      ]
      const met = new Set(matched)
      return interests.filter((interest) => met.has(interest))
    }
  }

  /** Reads for one identity, and tells all its subscribers in the order of the changes. */
  const tellOne = async (interests: readonly AskedInterest[]): Promise<void> => {
    const identity = interests[0]?.identity
    if (identity === undefined) return
    const subscribers = new Set(interests.map(({ subscriber }) => subscriber))
    let rows: Map<PublishedTable, Map<RowKey, RowRecord>>
    try {
      rows = await readAs(pg, identity, interests)
    } catch (error) {
      // A policy that fails shows nothing; that something was not shown is said.
      log('warn', `A change could not be read for a subscriber: ${errorName(error)}`)
      for (const subscriber of subscribers) if (followers.has(subscriber)) subscriber.restart()
      return
    }
    // What was read is for whom they were: a token taken over meanwhile may be another member's.
    for (const subscriber of subscribers) {
      if (followers.has(subscriber) && subscriber.identity().key !== identity.key) subscriber.restart()
    }
    for (const [change, ofChange] of groupBy(interests, (interest) => interest.change)) {
      const row = rows.get(change.table)?.get(change.key)
      if (row === undefined) continue
      for (const [subscriber, ofSubscriber] of groupBy(ofChange, (interest) => interest.subscriber)) {
        if (followers.has(subscriber)) deliver(subscriber, change, row, ofSubscriber)
      }
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
    follow: (subscriber, subscriptions) => {
      if (subscriptions.length === 0) followers.delete(subscriber)
      else followers.set(subscriber, subscriptions)
    },
    unfollow: (subscriber) => {
      followers.delete(subscriber)
    },
    settled: async () => {
      await work
    },
    close: async () => {
      followers.clear()
      await work
      await exclusive(() => stop())
    },
  }
}

function readChanges(batch: readonly unknown[], tables: readonly PublishedTable[]): Change[] {
  return batch.flatMap((payload) => {
    const [schema, name, operation, key, at] = payloadSchema.parse(JSON.parse(String(payload)))
    const table = tables.find((one) => one.schema === schema && one.name === name)
    return table === undefined ? [] : [{ table, operation, key: rowKey(key), at }]
  })
}

function interestsIn(
  changes: readonly Change[],
  followers: ReadonlyMap<Subscriber, readonly Subscription[]>,
): Interest[] {
  const interests: Interest[] = []
  for (const change of changes) {
    for (const [subscriber, subscriptions] of followers) {
      for (const subscription of subscriptions) {
        const isWanted = subscription.event === '*' || subscription.event === change.operation
        if (isWanted && subscription.tables.has(change.table)) {
          interests.push({ change, subscriber, subscription })
        }
      }
    }
  }
  return interests
}

/** The interests whose filter the row meets: only their subscribers are asked about. */
async function matchFilters(pg: Session, interests: readonly Interest[]): Promise<Interest[]> {
  const kept = new Set<Interest>()
  await pg.transaction(async (tx) => {
    for (const [table, ofTable] of groupBy(interests, ({ change }) => change.table)) {
      const positions = new Map<string, number>()
      const conditions: Condition[] = []
      const needed = new Map<Subscription, number[]>()
      for (const { subscription } of ofTable) {
        if (needed.has(subscription)) continue
        const own = (subscription.tables.get(table) ?? []).map((condition) => {
          const name = JSON.stringify(condition)
          const position = positions.get(name) ?? conditions.push(condition) - 1
          positions.set(name, position)
          return position
        })
        needed.set(subscription, own)
      }
      const keys = new Set(ofTable.map(({ change }) => change.key))
      const met = await meetConditions(tx, table, keys, conditions)
      for (const interest of ofTable) {
        const rowMeets = met.get(interest.change.key)
        const isMet =
          rowMeets !== undefined && needed.get(interest.subscription)?.every((at) => rowMeets.has(at))
        if (isMet === true) kept.add(interest)
      }
    }
  })
  return interests.filter((interest) => kept.has(interest))
}

function readAs(
  pg: Session,
  identity: Identity,
  interests: readonly Interest[],
): Promise<Map<PublishedTable, Map<RowKey, RowRecord>>> {
  return pg.transaction(async (tx) => {
    await actAs(tx, identity)
    const { role } = identity.claims
    const rows = new Map<PublishedTable, Map<RowKey, RowRecord>>()
    for (const [table, ofTable] of groupBy(interests, ({ change }) => change.table)) {
      const readable = new Set(readableColumns(table, role).map(({ name }) => name))
      if (!table.key.every((name) => readable.has(name))) continue
      rows.set(table, await readRows(tx, table, new Set(ofTable.map(({ change }) => change.key)), role))
    }
    return rows
  })
}

/** One message for all bindings that show the same columns. */
function deliver(
  subscriber: Subscriber,
  change: Change,
  row: RowRecord,
  interests: readonly Interest[],
): void {
  const { role } = subscriber.identity().claims
  const bySelect = groupBy(interests, ({ subscription: { select } }) =>
    select === null ? null : JSON.stringify([...select].sort()),
  )
  for (const group of bySelect.values()) {
    const ids = [...new Set(group.map(({ subscription }) => subscription.id))]
    subscriber.deliver(changeMessage(ids, change, row, group[0]?.subscription.select ?? null, role))
  }
}
