import { expect, test } from 'vitest'
import { isDamage, isMachineError } from '#/backend/database/open-errors'

const withCode = (code: string) => Object.assign(new Error('refused'), { code })

test.each(['53100', '53200', '58000', '58030', 'ENOSPC', 'EACCES', 'EIO'])(
  '%s is the fault of the machine, not of the data',
  (code) => {
    expect([isMachineError(withCode(code)), isDamage(withCode(code))]).toEqual([true, false])
  },
)

test.each(['XX000', 'XX001', '58P01'])('%s is damage to the data', (code) => {
  expect([isMachineError(withCode(code)), isDamage(withCode(code))]).toEqual([false, true])
})

test.each(['42601', '23505', 'ENOENT'])('%s is neither: the statement is wrong', (code) => {
  expect([isMachineError(withCode(code)), isDamage(withCode(code))]).toEqual([false, false])
})

test('an error without a code counts as damage only if PostgreSQL crashed', () => {
  expect(isDamage(new Error('refused'))).toBe(false)
  expect(isDamage(new WebAssembly.RuntimeError('unreachable'))).toBe(true)
})
