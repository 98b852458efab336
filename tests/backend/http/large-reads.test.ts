import { expect, test, vi } from 'vitest'
import { createLargeReads, ResponsesFullError } from '#/backend/http/large-reads'
import { RowsTooLargeError } from '#/backend/http/read-in-parts'

const callerNamed = (member: string) => ({
  member,
  isGone: () => false,
  reserve: () => true,
})

const request = new Request('http://127.0.0.1/rest/v1/posts', { headers: { accept: 'application/json' } })

/** Memory for one response at a time. */
function openMemory() {
  let holder: string | null = null
  const waiting: (() => void)[] = []
  const readLarge = createLargeReads(() => new Promise((resolve) => waiting.push(resolve)))
  const held: string[] = []
  const read = (member: string) =>
    readLarge(callerNamed(member), request, async () => {
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
  const broken = readLarge(callerNamed('ada'), request, () => Promise.reject(new Error('broken')))
  await expect(broken).rejects.toThrow('broken')
})

test('reads one request in parts at a time, whose parts wait for memory before other reads that wait', async () => {
  const { read, free, held, readLarge } = openMemory()
  const started: string[] = []
  const readPosts = (member: string) =>
    readLarge(callerNamed(member), request, async ({ url }, heldBytes) => {
      if (!url.includes('select=id')) {
        if (!url.includes('in.')) throw new RowsTooLargeError()
        // Another response holds the memory.
        if (heldBytes === 0 && member === 'ada' && held.length > 0 && started.at(-1) !== 'ada part') {
          started.push('ada part')
          throw new ResponsesFullError()
        }
        return Response.json([{ id: 'a' }])
      }
      started.push(`${member} keys`)
      return Response.json([{ id: 'a' }])
    })
  await read('cleo')
  const waiting = read('dov')
  const answers = [readPosts('ada'), readPosts('ben')]
  await vi.waitFor(() => expect(started).toEqual(['ada keys', 'ada part']))
  await free()
  await free()
  const rows = await Promise.all(answers.map(async (answer): Promise<unknown> => (await answer)?.json()))
  expect(rows).toEqual(Array(2).fill([{ id: 'a' }]))
  expect(started).toEqual(['ada keys', 'ada part', 'ben keys'])
  await waiting
})

test('passes on the refusal of rows that cannot be read in parts', async () => {
  const { readLarge } = openMemory()
  const single = new Request(request, { headers: { accept: 'application/vnd.pgrst.object+json' } })
  const refused = readLarge(callerNamed('ada'), single, () => Promise.reject(new RowsTooLargeError()))
  await expect(refused).rejects.toThrow(RowsTooLargeError)
})
