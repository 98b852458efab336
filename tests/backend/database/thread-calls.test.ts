import { expect, test } from 'vitest'
import { BackendError } from '#/backend/base/backend-error'
import { deserializeError, serializeError } from '#/backend/database/thread-calls'

const afterTransfer = (error: unknown) => deserializeError(structuredClone(serializeError(error)))

test('an error of another thread keeps its name, code, fields, stack and cause', () => {
  const cause = Object.assign(new Error('disk full'), { code: 'ENOSPC' })
  const error = Object.assign(new Error('duplicate key', { cause }), {
    ...{ name: 'DatabaseError', code: '23505', detail: 'Key exists', hint: 'Choose another' },
  })
  const received = afterTransfer(error)
  expect(received).toMatchObject({
    ...{ name: 'DatabaseError', message: 'duplicate key', stack: error.stack },
    ...{ code: '23505', detail: 'Key exists', hint: 'Choose another' },
  })
  expect(received.cause).toMatchObject({ message: 'disk full', code: 'ENOSPC' })
  expect(afterTransfer('text').message).toBe('text')
})

test('a BackendError of another thread stays one', () => {
  const received = afterTransfer(new BackendError('locked', 'In use'))
  expect(received).toBeInstanceOf(BackendError)
  expect(received).toMatchObject({ code: 'locked', message: 'In use' })
})
