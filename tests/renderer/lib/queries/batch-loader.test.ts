import { describe, expect, test, vi } from 'vitest'
import { createBatchLoader } from '#/renderer/lib/queries/batch-loader'

/** Returns each key in upper case, except the missing ones. */
function upperCase(missing: string[] = []) {
  return vi.fn(
    async (keys: string[]) =>
      new Map(keys.filter((key) => !missing.includes(key)).map((key) => [key, key.toUpperCase()])),
  )
}

describe('a batch loader', () => {
  test('loads the keys of one turn of the event loop in one call, each once', async () => {
    const load = upperCase()
    const get = createBatchLoader(load, 10)
    expect(await Promise.all([get('a'), get('b'), get('a')])).toEqual(['A', 'B', 'A'])
    expect(load.mock.calls).toEqual([[['a', 'b']]])
  })

  test('makes another call for a later turn', async () => {
    const load = upperCase()
    const get = createBatchLoader(load, 10)
    await get('a')
    await get('a')
    expect(load.mock.calls).toEqual([[['a']], [['a']]])
  })

  test('splits calls at the maximum size', async () => {
    const load = upperCase()
    const get = createBatchLoader(load, 2)
    const values = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(get))
    expect(values).toEqual(['A', 'B', 'C', 'D', 'E'])
    expect(load.mock.calls).toEqual([[['a', 'b']], [['c', 'd']], [['e']]])
  })

  test('resolves missing keys to null', async () => {
    const get = createBatchLoader(upperCase(['b']), 10)
    expect(await Promise.all([get('a'), get('b')])).toEqual(['A', null])
  })

  test('rejects only the keys of the failed call', async () => {
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
