import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import bcrypt from 'bcryptjs'
import { expect, test } from 'vitest'
import { createHashThreads } from '#/backend/database/start-hash-thread'
import { scratchFolder } from '#tests/backend/support/backend'
import { bundledThread } from '#tests/backend/support/bundled-thread'

const PASSWORD = 'a good password'

test('hashes and compares passwords like bcryptjs, and goes on after a malformed hash', async () => {
  const computeHash = createHashThreads(join(dirname(await bundledThread()), 'hash-thread.mjs'))
  const compare = (password: string, hash: string) => computeHash({ kind: 'compare', password, hash })
  const stored = bcrypt.hashSync(PASSWORD, 4)
  const [hash, ...compared] = await Promise.all([
    computeHash({ kind: 'hash', password: PASSWORD, cost: 5 }),
    compare(PASSWORD, stored),
    compare('a wrong password', stored),
    compare(PASSWORD, 'x'.repeat(60)).catch((error: unknown) => error),
    compare(PASSWORD, stored),
  ])
  expect(compared).toEqual([true, false, expect.any(Error), true])
  expect(bcrypt.getRounds(String(hash))).toBe(5)
  expect(bcrypt.compareSync(PASSWORD, String(hash))).toBe(true)
})

test('rejects the hash of a thread that ends without a result', async () => {
  const file = join(await scratchFolder(), 'empty.mjs')
  await writeFile(file, '')
  const hash = createHashThreads(file)({ kind: 'hash', password: PASSWORD, cost: 4 })
  await expect(hash).rejects.toThrow('The thread of a password hash ended')
})
