import { dirname, join } from 'node:path'
import bcrypt from 'bcryptjs'
import { expect, onTestFinished, test } from 'vitest'
import { createHashThread } from '#/backend/database/start-hash-thread'
import { bundledThread } from '#tests/backend/support/bundled-thread'

const PASSWORD = 'a good password'

async function startedThread() {
  const hashes = createHashThread(join(dirname(await bundledThread()), 'hash-thread.mjs'))
  onTestFinished(() => hashes.stop())
  return hashes
}

test('hashes and compares passwords like bcryptjs, and goes on after a malformed hash', async () => {
  const hashes = await startedThread()
  const compare = (password: string, hash: string) => hashes.compute({ kind: 'compare', password, hash })
  const stored = bcrypt.hashSync(PASSWORD, 4)
  const [hash, ...compared] = await Promise.all([
    hashes.compute({ kind: 'hash', password: PASSWORD, cost: 5 }),
    compare(PASSWORD, stored),
    compare('a wrong password', stored),
    compare(PASSWORD, 'x'.repeat(60)).catch((error: unknown) => error),
    compare(PASSWORD, stored),
  ])
  expect(compared).toEqual([true, false, expect.any(Error), true])
  expect(bcrypt.getRounds(String(hash))).toBe(5)
  expect(bcrypt.compareSync(PASSWORD, String(hash))).toBe(true)
})

test('rejects the hashes of a thread that ended, and starts another one for the next hash', async () => {
  const hashes = await startedThread()
  const task = { kind: 'hash', password: PASSWORD, cost: 12 } as const
  const pending = [hashes.compute(task), hashes.compute(task)].map((hash) => hash.catch(String))
  await hashes.stop()
  expect(await Promise.all(pending)).toEqual(Array(2).fill('Error: The thread for password hashes ended'))
  expect(await hashes.compute({ ...task, cost: 4 })).toMatch(/^\$2b\$04\$/)
})
