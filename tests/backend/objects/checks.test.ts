import { randomUUID } from 'node:crypto'
import { setImmediate as nextRound } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Tokens } from '#/backend/access/tokens'
import { createQueue } from '#/backend/base/queue'
import type { LinkTokens } from '#/backend/objects/link-tokens'
import type { ObjectFiles } from '#/backend/objects/object-files'
import type { ObjectRows } from '#/backend/objects/object-rows'
import { createObjectsHandler } from '#/backend/objects/objects-handler'
import { callerOf } from '#tests/backend/support/caller'

test('MEDIA-07 uploads are checked one at a time, in turns of their members', async () => {
  const checked: string[] = []
  let received = 0
  let running = 0
  let most = 0
  const handle = createObjectsHandler({
    rows: { insert: async () => undefined } as unknown as ObjectRows,
    files: {
      write: async (id: string) => {
        received += 1
        return { path: id, size: 1 }
      },
      publish: (_id: string, _path: string, insertRow: () => Promise<void>) => insertRow(),
      discard: async () => undefined,
    } as unknown as ObjectFiles,
    links: {} as LinkTokens,
    tokens: {
      verify: async (sub: string) => ({ role: 'authenticated', sub, session_id: sub }),
    } as unknown as Tokens,
    exclusive: createQueue(),
    check: async (_file, key) => {
      checked.push(key.owner)
      running += 1
      most = Math.max(most, running)
      // All others wait for their check when it ends.
      while (received < 4) await nextRound()
      await nextRound()
      running -= 1
      return null
    },
    isLiveSession: async () => true,
    copyTimes: async () => [],
    onWrite: () => undefined,
  })
  const upload = async (member: string) => {
    const url = new URL(`http://127.0.0.1/storage/v1/object/media/${member}/${randomUUID()}.webp`)
    const headers = { authorization: `Bearer ${member}`, 'content-type': 'image/webp' }
    const request = new Request(url, { method: 'POST', headers, body: 'x' })
    expect((await handle(request, url, callerOf({ member }))).status).toBe(200)
  }
  const [ada, ben] = [randomUUID(), randomUUID()]
  await Promise.all([ada, ada, ada, ben].map(upload))
  expect(most).toBe(1)
  expect(checked).toEqual([ada, ben, ada, ada])
})
