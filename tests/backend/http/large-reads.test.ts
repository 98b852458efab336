import { expect, test } from 'vitest'
import { createLargeReads, ResponsesFullError } from '#/backend/http/large-reads'

const callerNamed = (member: string) => ({
  address: '127.0.0.1',
  member,
  isGone: () => false,
  reserve: () => true,
})

/** Memory for one response at a time. */
function openMemory() {
  let holder: string | null = null
  const waiting: (() => void)[] = []
  const readLarge = createLargeReads(() => new Promise((resolve) => waiting.push(resolve)))
  const held: string[] = []
  const read = (member: string) =>
    readLarge(callerNamed(member), async () => {
      if (holder !== null) throw new ResponsesFullError()
      holder = member
      held.push(member)
      return new Response(member)
    })
  const free = async () => {
    holder = null
    waiting.shift()?.()
    await new Promise((resolve) => setTimeout(resolve))
  }
  return { read, free, held, readLarge }
}

test('retries a read that had no memory for its response, alternating between callers', async () => {
  const { read, free, held } = openMemory()
  const answers = ['ada', 'ada', 'ada', 'ada', 'ben'].map(read)
  for (let count = 0; count < 5; count += 1) await free()
  const texts = await Promise.all(answers.map(async (answer) => (await answer)?.text()))
  expect(texts).toEqual(['ada', 'ada', 'ada', 'ada', 'ben'])
  expect(held).toEqual(['ada', 'ada', 'ada', 'ben', 'ada'])
})

test('queues at most four reads per caller', async () => {
  const { read, free } = openMemory()
  await read('ada')
  const answers = Array.from({ length: 10 }, () => read('ada'))
  expect(await Promise.all(answers.slice(5))).toEqual(Array(5).fill(null))
  for (let count = 0; count < 5; count += 1) await free()
  const statuses = await Promise.all(answers.slice(0, 5).map(async (answer) => (await answer)?.status))
  expect(statuses).toEqual(Array(5).fill(200))
})

test('passes on other errors', async () => {
  const { readLarge } = openMemory()
  await expect(readLarge(callerNamed('ada'), () => Promise.reject(new Error('broken')))).rejects.toThrow(
    'broken',
  )
})
