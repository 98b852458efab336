import { afterAll, beforeAll, expect, test } from 'vitest'
import { SMALL } from './fill'
import { type Costs, type GrowingCommunity, openGrowingCommunity } from './measure'
import { EMPTY_READS } from './reads'

/**
 * The allowed growth at four times the size, as a factor plus a few pages: an index that is one level deeper costs one more
 * page per lookup.
 */
const GROWTH = { times: 1.5, pages: 40 } as const

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

test('FEED-09 every client read returns data and none scans a whole large table', () => {
  expect(large.size).toBeGreaterThan(60)
  for (const [name, { answered, wholeTables }] of large) {
    expect
      .soft({ name, answered, wholeTables })
      .toEqual({ name, answered: !EMPTY_READS.has(name), wholeTables: [] })
  }
})

test('FEED-09 every client read reads about as many pages with four times the data', () => {
  for (const [name, { pages }] of large) {
    const before = small.get(name)?.pages ?? 0
    expect.soft(pages, `pages read for ${name}`).toBeLessThanOrEqual(before * GROWTH.times + GROWTH.pages)
  }
})

test('FEED-16 a page far down Explore starts in the index, like its first page', () => {
  const rows = (page: string) => large.get(`FEED-16 recent photos, ${page}`)?.rows ?? Number.NaN
  expect(rows('far down')).toBeLessThan(2 * rows('first page'))
})
