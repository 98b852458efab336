import { afterAll, beforeAll, expect, test } from 'vitest'
import { FULL } from '#tests/backend/reads/fill'
import { type Costs, type GrowingCommunity, openGrowingCommunity } from '#tests/backend/reads/measure'
import { printTable } from './table'

const SIZES = [10_000, 100_000, 1_000_000] as const
const [SMALLEST, , LARGEST] = SIZES

/** Most milliseconds of one read at a million posts, planning included (design, what is measured). */
const READ_BUDGET_MS = 20
/** How often each read is run for the median of its time. */
const ROUNDS = 7
/** Reads that find nothing, on purpose. */
const EMPTY = new Set(['SEARCH-01 nobody'])
/**
 * At a hundred times the size a read may look at less than twice as much; and a few pages more, since every index has
 * grown by a level or two.
 */
const GROWTH = { times: 2, pages: 40 } as const

/** As a small hosted project has it; not safe against a crash, which nothing here would survive anyway. */
const SETTINGS = {
  shared_buffers: '256MB',
  autovacuum: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '4GB',
}

/** Filling a million posts takes minutes. */
const FILL_LIMIT_MS = 3_600_000

let community: GrowingCommunity
const costs = new Map<number, Costs>()

beforeAll(async () => {
  community = await openGrowingCommunity(FULL, SETTINGS)
  for (const size of SIZES) {
    await community.growTo(size)
    costs.set(size, await community.measure(ROUNDS))
  }
  const sizes = SIZES.map((size) => size.toLocaleString('en'))
  printTable(
    ['read', ...sizes.map((size) => `ms at ${size}`), ...sizes.map((size) => `pages at ${size}`)],
    [...at(LARGEST).keys()].map((name) => [
      name,
      ...SIZES.map((size) => at(size).get(name)?.ms.toFixed(2) ?? ''),
      ...SIZES.map((size) => String(at(size).get(name)?.pages ?? '')),
    ]),
  )
}, FILL_LIMIT_MS)
afterAll(() => community.close())

function at(size: number): Costs {
  const found = costs.get(size)
  if (found === undefined) throw new Error(`Nothing was measured at ${size} posts`)
  return found
}

test(`every read of the client takes at most ${READ_BUDGET_MS} ms at a million posts`, () => {
  for (const [name, { ms }] of at(LARGEST)) expect.soft(ms, name).toBeLessThanOrEqual(READ_BUDGET_MS)
})

test('at a million posts every read finds something, and none reads a large table from end to end', () => {
  for (const [name, { answered, wholeTables }] of at(LARGEST)) {
    expect
      .soft({ name, answered, wholeTables })
      .toEqual({ name, answered: !EMPTY.has(name), wholeTables: [] })
  }
})

test('from 10,000 posts to a million the cost of every read stays flat', () => {
  for (const [name, { pages }] of at(LARGEST)) {
    const before = at(SMALLEST).get(name)?.pages ?? 0
    expect.soft(pages, `pages read for ${name}`).toBeLessThan(before * GROWTH.times + GROWTH.pages)
  }
})
