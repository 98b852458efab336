import { afterAll, beforeAll, expect, test } from 'vitest'
import { SMALL } from './fill'
import { type Costs, type GrowingCommunity, openGrowingCommunity } from './measure'

/**
 * Most pages that a read may take at a size four times as large, as a multiple, and a few more on top: an index that
 * has grown by a level costs one page more for each row that is looked up in it.
 */
const GROWTH = { times: 1.5, pages: 40 } as const

/** Reads that find nothing, on purpose. */
const EMPTY = new Set(['SEARCH-01 nobody'])

let community: GrowingCommunity
let small: Costs
let large: Costs

beforeAll(async () => {
  community = await openGrowingCommunity(SMALL)
  await community.growTo(4_000)
  small = await community.measure(1)
  await community.growTo(16_000)
  large = await community.measure(1)
})
afterAll(() => community.close())

test('FEED-09 every read of the client finds something, and reads no large table from end to end', () => {
  expect(large.size).toBeGreaterThan(60)
  for (const [name, { answered, wholeTables }] of large) {
    expect
      .soft({ name, answered, wholeTables })
      .toEqual({ name, answered: !EMPTY.has(name), wholeTables: [] })
  }
})

test('FEED-09 every read of the client looks at as much of the database when there is four times as much in it', () => {
  for (const [name, { pages }] of large) {
    const before = small.get(name)?.pages ?? 0
    expect.soft(pages, `pages read for ${name}`).toBeLessThanOrEqual(before * GROWTH.times + GROWTH.pages)
  }
})
