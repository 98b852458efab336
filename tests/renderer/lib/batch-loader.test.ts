import { describe, expect, test, vi } from 'vitest'
import { createBatchLoader } from '#/renderer/lib/batch-loader'

/** Answers each key with itself in upper case, but for those it is told to miss. */
function upperCase(missing: string[] = []) {
  return vi.fn(
    async (keys: string[]) =>
      new Map(keys.filter((key) => !missing.includes(key)).map((key) => [key, key.toUpperCase()])),
  )
}

describe('what is asked for together is loaded together', () => {
  test('one call for one turn of the event loop, each key in it once', async () => {
    const load = upperCase()
    const get = createBatchLoader(load, 10)
    expect(await Promise.all([get('a'), get('b'), get('a')])).toEqual(['A', 'B', 'A'])
    expect(load.mock.calls).toEqual([[['a', 'b']]])
  })

  test('a later turn is a call of its own', async () => {
    const load = upperCase()
    const get = createBatchLoader(load, 10)
    await get('a')
    await get('a')
    expect(load.mock.calls).toEqual([[['a']], [['a']]])
  })

  test('no call is larger than its size', async () => {
    const load = upperCase()
    const get = createBatchLoader(load, 2)
    const values = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(get))
    expect(values).toEqual(['A', 'B', 'C', 'D', 'E'])
    expect(load.mock.calls).toEqual([[['a', 'b']], [['c', 'd']], [['e']]])
  })

  test('a key without an answer is null', async () => {
    const get = createBatchLoader(upperCase(['b']), 10)
    expect(await Promise.all([get('a'), get('b')])).toEqual(['A', null])
  })

  test('a call that fails rejects its own keys only', async () => {
    const failure = new Error('refused')
    const load = vi.fn(async (keys: string[]) => {
      if (keys.includes('c')) throw failure
      return new Map(keys.map((key) => [key, key]))
    })
    const get = createBatchLoader(load, 2)
    const results = await Promise.allSettled(['a', 'b', 'c', 'd'].map(get))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected'])
    await expect(get('c')).rejects.toBe(failure)
    expect(await get('a')).toBe('a')
  })
})
