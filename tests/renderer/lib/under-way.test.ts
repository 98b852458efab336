import { expect, test } from 'vitest'
import { allFinished, finishBeforeQuitting } from '#/renderer/lib/under-way'

const settle = () => new Promise<void>((resolve) => setTimeout(resolve, 0))

/** Work that ends when the test says so. */
function createWork() {
  let end: (cause?: Error) => void = () => undefined
  const promise = new Promise<void>((resolve, reject) => {
    end = (cause) => (cause === undefined ? resolve() : reject(cause))
  })
  return { promise, end }
}

/** Whether all is finished by now. */
function watch() {
  const watched = { isOver: false }
  void allFinished().then(() => {
    watched.isOver = true
  })
  return watched
}

test('with nothing under way all is finished at once', async () => {
  const watched = watch()
  await settle()
  expect(watched.isOver).toBe(true)
})

test('what is under way is waited for, and what begins meanwhile; what fails is over too', async () => {
  const [first, second] = [createWork(), createWork()]
  const failed = expect(finishBeforeQuitting(first.promise)).rejects.toThrow('refused')
  const watched = watch()
  const also = finishBeforeQuitting(second.promise)
  first.end(new Error('refused'))
  await failed
  await settle()
  expect(watched.isOver).toBe(false)
  second.end()
  await also
  await settle()
  expect(watched.isOver).toBe(true)
})
