import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SMALL } from './fill'
import { type Costs, type GrowingCommunity, openGrowingCommunity } from './measure'
import { EMPTY_READS } from './reads'

/**
 * The allowed growth at four times the size, as a factor plus a few pages: an index that is one level deeper costs one more
 * page per lookup.
 */
const GROWTH = { times: 1.5, pages: 40 } as const

/** Measures each read in a community that grows to these numbers of posts. */
function measured(...sizes: number[]): Costs[] {
  const costs: Costs[] = []
  let community: GrowingCommunity
  beforeAll(async () => {
    community = await openGrowingCommunity(SMALL)
    for (const size of sizes) {
      await community.growTo(size)
      costs.push(await community.measure(1))
    }
  })
  afterAll(() => community.close())
  return costs
}

function expectNoScans(costs: Costs | undefined): void {
  expect(costs?.size).toBeGreaterThan(60)
  for (const [name, { answered, wholeTables }] of costs ?? []) {
    expect
      .soft({ name, answered, wholeTables })
      .toEqual({ name, answered: !EMPTY_READS.has(name), wholeTables: [] })
  }
}

function expectStartInIndex(costs: Costs | undefined): void {
  const rows = (page: string) => costs?.get(`FEED-16 recent photos, ${page}`)?.rows ?? Number.NaN
  expect(rows('far down')).toBeLessThan(2 * rows('first page'))
}

describe('with more rows than a scan may read', () => {
  const costs = measured(6_000)

  test('FEED-09 every client read returns data and none scans a whole large table', () =>
    expectNoScans(costs[0]))

  test('FEED-16 a page far down Explore starts in the index, like its first page', () =>
    expectStartInIndex(costs[0]))

  test('FEED-22 the words of a thousand found posts are looked up, and not those of two thousand proposed ones', () =>
    expect(costs[0]?.get('FEED-22 posts by many words')?.pages).toBeLessThan(24_000))

  test('NOTE-01 NOTE-02 while twenty posts are cleaned up, the bell looks for what is about them, and not through 15,000 notifications', () => {
    for (const [name, { pages }] of costs[0] ?? []) {
      if (name.startsWith('NOTE-01 groups') || name.includes('likes of one post'))
        expect.soft({ name, pages: Math.max(pages, 4_000) }).toEqual({ name, pages: 4_000 })
    }
  })
})

describe('with four times the rows', { tags: 'long' }, () => {
  const costs = measured(4_000, 16_000)

  test('FEED-09 every client read reads about as many pages', () => {
    for (const [name, { pages }] of costs[1] ?? []) {
      const before = costs[0]?.get(name)?.pages ?? 0
      expect.soft(pages, `pages read for ${name}`).toBeLessThanOrEqual(before * GROWTH.times + GROWTH.pages)
    }
  })

  test('FEED-09 no client read scans a whole large table', () => expectNoScans(costs[1]))

  test('FEED-16 a page far down Explore starts in the index', () => expectStartInIndex(costs[1]))
})
