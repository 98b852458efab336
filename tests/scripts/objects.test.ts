import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { runScript } from '#tests/supabase/schema/support/command'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** Starts a fake project with these waiting objects, of which it removes at most so many at once, and runs the command against it. */
async function run({
  waiting,
  most = 2,
  key = 'sb_secret_1',
}: {
  waiting: string[]
  most?: number
  key?: string
}) {
  const left = [...waiting]
  const tokens = new Set<unknown>()
  const answer = async (request: IncomingMessage): Promise<[number, unknown]> => {
    tokens.add(request.headers.authorization)
    if (request.headers.apikey === 'sb_publishable_1') return [403, { message: 'permission denied' }]
    const body = JSON.parse(await text(request))
    if (request.method === 'POST' && request.url === '/rest/v1/rpc/waiting_objects')
      return [200, left.slice(0, body.most).map((name) => ({ name }))]
    if (request.method === 'DELETE' && request.url === '/storage/v1/object/media') {
      const gone = left.filter((name) => body.prefixes.includes(name)).slice(0, most)
      left.splice(0, gone.length)
      return [200, gone.map((name) => ({ name }))]
    }
    return [404, {}]
  }
  server = createServer((request, response) => {
    void answer(request).then(([status, body]) => response.writeHead(status).end(JSON.stringify(body)))
  })
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const result = await runScript('scripts/objects.mjs', [url], { SUPABASE_SECRET_KEY: key })
  return { ...result, left, tokens: [...tokens] }
}

test('SET-03 removes what waits, in several calls, and says how much', async () => {
  const { code, output, left, tokens } = await run({ waiting: ['a/1.webp', 'a/2.webp', 'b/1.mp4'] })
  expect([code, left, tokens]).toEqual([0, [], [undefined]])
  expect(output).toContain('3 objects of closed accounts were removed.')
})

test('SET-03 sends a key of the older kind as token too', async () => {
  expect(await run({ waiting: [], key: 'older.key.kind' })).toMatchObject({
    code: 0,
    tokens: ['Bearer older.key.kind'],
  })
})

test('SET-03 ends with an error when Storage removes nothing, the key is not the secret one, or an argument is missing', async () => {
  const stuck = await run({ waiting: ['a/1.webp'], most: 0 })
  expect([stuck.code, stuck.output]).toEqual([1, expect.stringContaining('Storage removed none')])
  const refused = await run({ waiting: ['a/1.webp'], key: 'sb_publishable_1' })
  expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('answered 403')])
  for (const args of [[], ['no address']])
    expect(await runScript('scripts/objects.mjs', args, { SUPABASE_SECRET_KEY: 'k' })).toMatchObject({
      code: 2,
    })
  expect(
    await runScript('scripts/objects.mjs', ['http://127.0.0.1:1'], { SUPABASE_SECRET_KEY: '' }),
  ).toMatchObject({
    code: 2,
  })
})
