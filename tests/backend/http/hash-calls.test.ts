import { expect, test } from 'vitest'
import { HashNeededError } from '#/backend/database/password-hashes'
import { createHashCalls } from '#/backend/http/hash-calls'

const PASSWORD = 'a good password'
const isGone = () => false

/** Calls in front of a fake lite that knows these accounts, and the order in which sign-ins were answered. */
function openCalls(accounts: readonly string[]) {
  const hashed: string[] = []
  const answered: string[] = []
  const calls = createHashCalls(async (task) => {
    await new Promise((resolve) => setImmediate(resolve))
    hashed.push(task.password)
    return task.password === PASSWORD
  })
  const signIn = async (email: string, password: string) => {
    const task = { kind: 'compare', password, hash: 'stored' } as const
    const response = await calls.signIn(
      async (hashes) => {
        if (accounts.includes(email) && hashes.length === 0) throw new HashNeededError(task)
        const isRight = accounts.includes(email) && hashes[0]?.result === true
        return new Response(null, { status: isRight ? 200 : 400 })
      },
      email,
      isGone,
    )
    answered.push(email)
    return response.status
  }
  return { signIn, hashed, answered }
}

const floodOf = (signIn: (email: string, password: string) => Promise<number>, count: number) =>
  Array.from({ length: count }, (_, index) => signIn(`nobody${index}@example.com`, 'x'))

test('members sign in before a flood of made-up e-mails', async () => {
  const { signIn, answered } = openCalls(['ada@example.com', 'ben@example.com'])
  const flood = floodOf(signIn, 100)
  const members = ['ada@example.com', 'ben@example.com'].map((email) => signIn(email, PASSWORD))
  expect(await Promise.all(members)).toEqual([200, 200])
  expect(answered.length).toBeLessThan(10)
  expect(new Set(await Promise.all(flood))).toEqual(new Set([400]))
})

test('a wrong password of an account waits like a made-up e-mail', async () => {
  const { signIn, answered } = openCalls(['ada@example.com'])
  const flood = floodOf(signIn, 50)
  expect(await signIn('ada@example.com', 'wrong')).toBe(400)
  expect(answered.length).toBeGreaterThanOrEqual(50)
  await Promise.all(flood)
})

test('wrong passwords of one account at once are all answered', async () => {
  const { signIn, hashed } = openCalls(['ada@example.com'])
  const guesses = Array.from({ length: 10 }, () => signIn('ada@example.com', 'wrong'))
  expect(new Set(await Promise.all(guesses))).toEqual(new Set([400]))
  expect(hashed).toHaveLength(10)
})

test('every sign-in computes one hash', async () => {
  const { signIn, hashed } = openCalls(['ada@example.com'])
  for (const email of ['ada@example.com', 'nobody@example.com']) {
    hashed.length = 0
    await signIn(email, 'wrong')
    expect([email, hashed.length]).toEqual([email, 1])
  }
})

test('a call that needs a third hash fails', async () => {
  const { send } = createHashCalls(async () => 'a hash')
  const needing = async () => {
    throw new HashNeededError({ kind: 'hash', password: PASSWORD, cost: 4 })
  }
  await expect(send(needing, {})).rejects.toThrow('too many password hashes')
})
