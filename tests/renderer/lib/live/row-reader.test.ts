import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { logFailure } from '#/renderer/lib/core/logger'
import { createRowReader } from '#/renderer/lib/live/row-reader'

interface Row {
  id: string
  version: number
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.mocked(logFailure).mockClear()
})
afterEach(() => {
  expect(vi.getTimerCount(), 'timers left behind').toBe(0)
  vi.useRealTimers()
})

const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const [A, B, C] = [uuid(1), uuid(2), uuid(3)]

/** A reader of rows that all exist, unless `load` says otherwise. */
function openReader(load = async (ids: string[]): Promise<Row[]> => ids.map((id) => ({ id, version: 1 }))) {
  const reads: string[][] = []
  const emitted: [string, Row][] = []
  const onDropped = vi.fn()
  const reader = createRowReader<Row>({
    load: (ids) => {
      reads.push(ids)
      return load(ids)
    },
    emit: (kind, row) => emitted.push([kind, row]),
    onDropped,
  })
  return { reader, reads, emitted, onDropped, settle: () => vi.advanceTimersByTimeAsync(10) }
}

describe('MSG-05 changed rows', () => {
  test('of a burst are read at once and emitted in the order of their changes', async () => {
    const { reader, reads, emitted, settle } = openReader(async (ids) =>
      ids.map((id) => ({ id, version: 1 })).reverse(),
    )
    reader.add('insert', { ids: [B] })
    reader.add('insert', { ids: [A, C] })
    await settle()
    expect(reads).toEqual([[B, A, C]])
    expect(emitted.map(([kind, { id }]) => [kind, id])).toEqual([
      ['insert', B],
      ['insert', A],
      ['insert', C],
    ])
  })

  test('that are inserted and updated before the read are emitted once, as inserts', async () => {
    const { reader, reads, emitted, settle } = openReader()
    reader.add('insert', { ids: [A] })
    reader.add('update', { ids: [A, B] })
    await settle()
    expect(reads).toEqual([[A, B]])
    expect(emitted.map(([kind, { id }]) => [kind, id])).toEqual([
      ['insert', A],
      ['update', B],
    ])
  })

  test('are read again when they change during the read, after it', async () => {
    const answers: ((rows: Row[]) => void)[] = []
    const { reader, reads, emitted, settle } = openReader(
      () => new Promise((resolve) => answers.push(resolve)),
    )
    reader.add('insert', { ids: [A] })
    await settle()
    reader.add('update', { ids: [A] })
    await settle()
    expect(reads).toHaveLength(1)
    answers[0]?.([{ id: A, version: 1 }])
    await settle()
    answers[1]?.([{ id: A, version: 2 }])
    await settle()
    expect(emitted).toEqual([
      ['insert', { id: A, version: 1 }],
      ['update', { id: A, version: 2 }],
    ])
  })

  test('that the member changed are read a little later, or with the next one of another member', async () => {
    const { reader, reads, settle } = openReader()
    reader.add('insert', { ids: [A], own: true })
    await vi.advanceTimersByTimeAsync(249)
    expect(reads).toEqual([])
    await settle()
    expect(reads).toEqual([[A]])
    reader.add('update', { ids: [A], own: true })
    reader.add('insert', { ids: [B] })
    await settle()
    expect(reads).toEqual([[A], [A, B]])
  })

  test('that are included are emitted at once and not read', async () => {
    const { reader, reads, emitted, settle } = openReader()
    reader.add('insert', { ids: [A, B], rows: [{ id: A, version: 1 }] })
    expect(emitted).toEqual([['insert', { id: A, version: 1 }]])
    await settle()
    expect(reads).toEqual([[B]])
    reader.add('insert', { ids: [C], rows: [{ id: A, version: 2 }] })
    await settle()
    expect(reads).toEqual([[B], [C]])
    expect(emitted.map(([, { id }]) => id)).toEqual([A, B, C])
  })

  test('that are included are read while a read of the same row is pending or running', async () => {
    const answers: (() => void)[] = []
    const { reader, reads, emitted, settle } = openReader(
      (ids) => new Promise((resolve) => answers.push(() => resolve(ids.map((id) => ({ id, version: 2 }))))),
    )
    const included = { ids: [A], rows: [{ id: A, version: 1 }] }
    reader.add('update', { ids: [A] })
    reader.add('insert', included)
    await settle()
    reader.add('insert', included)
    answers[0]?.()
    await settle()
    answers[1]?.()
    await settle()
    expect(reads).toEqual([[A], [A]])
    expect(emitted.map(([, { version }]) => version)).toEqual([2, 2])
  })

  test('that are deleted or hidden are left out', async () => {
    const { reader, emitted, settle } = openReader(async () => [{ id: B, version: 1 }])
    reader.add('insert', { ids: [A, B] })
    await settle()
    expect(emitted.map(([, { id }]) => id)).toEqual([B])
  })

  test('are read in parts of at most a hundred', async () => {
    const { reader, reads, emitted } = openReader()
    reader.add('insert', { ids: Array.from({ length: 250 }, (_, number) => uuid(number)) })
    await vi.advanceTimersByTimeAsync(50)
    expect(reads.map(({ length }) => length)).toEqual([100, 100, 50])
    expect(emitted).toHaveLength(250)
  })

  test('MSG-08 are read again after a failed read, together with later ones', async () => {
    let failures = 2
    const { reader, reads, emitted, settle } = openReader(async (ids) => {
      failures -= 1
      if (failures >= 0) throw new Error('503')
      return ids.map((id) => ({ id, version: 1 }))
    })
    reader.add('insert', { ids: [A] })
    await settle()
    expect(emitted).toEqual([])
    reader.add('update', { ids: [A, B] })
    await vi.advanceTimersByTimeAsync(5_000)
    expect(reads).toEqual([[A], [A, B], [A, B]])
    expect(emitted.map(([kind, { id }]) => [kind, id])).toEqual([
      ['insert', A],
      ['update', B],
    ])
    expect(logFailure).toHaveBeenCalledTimes(2)
    expect(logFailure).toHaveBeenCalledWith('read changes', expect.any(Error))
  })

  test('are not read for an id that is no uuid, nor emitted after the end', async () => {
    const answers: ((rows: Row[]) => void)[] = []
    const { reader, reads, emitted, settle } = openReader(
      () => new Promise((resolve) => answers.push(resolve)),
    )
    reader.add('insert', { ids: ['1)&select=*'] })
    await settle()
    expect(reads).toEqual([])
    reader.add('insert', { ids: [A] })
    await settle()
    reader.add('insert', { ids: [B] })
    reader.stop()
    answers[0]?.([{ id: A, version: 1 }])
    await settle()
    expect([reads, emitted]).toEqual([[[A]], []])
    reader.add('insert', { ids: [B, C], rows: [{ id: C, version: 1 }] })
    await settle()
    expect([reads.length, emitted]).toEqual([1, []])
  })

  test('MSG-08 are dropped if more arrive than are read, which is said once, and later ones are read', async () => {
    const answers: (() => void)[] = []
    const { reader, reads, onDropped, settle } = openReader(
      () => new Promise((resolve) => answers.push(() => resolve([]))),
    )
    const add = (from: number) =>
      reader.add('update', { ids: Array.from({ length: 100 }, (_, number) => uuid(from + number)) })
    add(0)
    await settle()
    for (let part = 1; part <= 20; part++) add(part * 100)
    expect(onDropped).not.toHaveBeenCalled()
    add(2_100)
    expect(onDropped).toHaveBeenCalledTimes(1)
    add(2_200)
    answers[0]?.()
    await settle()
    expect(reads.map(([first, ...rest]) => [first, rest.length])).toEqual([
      [uuid(0), 99],
      [uuid(2_200), 99],
    ])
    reader.stop()
  })
})
