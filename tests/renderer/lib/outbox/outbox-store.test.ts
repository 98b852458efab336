import { afterEach, expect, test } from 'vitest'
import {
  awaitOutbox,
  beginOpening,
  cancelOpening,
  endOpening,
  failOpening,
  type Opened,
} from '#/renderer/lib/outbox/outbox-store'

const OPENED = { owner: 'me' } as Opened

afterEach(cancelOpening)

test('MSG-09 a send before the outbox is open waits for it', async () => {
  const waiting = [awaitOutbox(), awaitOutbox()]
  endOpening(OPENED)
  expect(await Promise.all(waiting)).toEqual([OPENED, OPENED])
})

test('MSG-09 sends are rejected when the outbox cannot be loaded, until the next attempt to load it', async () => {
  const waiting = awaitOutbox()
  failOpening(new TypeError('not loaded'))
  await expect(waiting).rejects.toThrow('not loaded')
  await expect(awaitOutbox()).rejects.toThrow('not loaded')
  beginOpening()
  const next = awaitOutbox()
  endOpening(OPENED)
  expect(await next).toBe(OPENED)
})

test('MSG-09 sends that wait are rejected at sign-out', async () => {
  const waiting = awaitOutbox()
  cancelOpening()
  await expect(waiting).rejects.toMatchObject({ code: 'session-expired' })
})
