import { expect, test } from 'vitest'
import { createPendingWork } from '#/main/window/pending-work'
import { manualClock } from '../support/manual-clock'
import { recordingLog } from '../support/recording-log'

function createParts(isSignedIn = true) {
  const clock = manualClock()
  const log = recordingLog()
  const done: string[] = []
  const pendingWork = createPendingWork({
    isSignedIn: () => isSignedIn,
    ask: () => done.push('asked'),
    wait: clock.wait,
    log,
  })
  const agree = () => pendingWork.handlers['quit.agree']()
  const finish = () => pendingWork.finish().then(() => done.push('over'))
  return { clock, log, done, pendingWork, agree, finish }
}

test('stops waiting after a timeout and logs it', async () => {
  const { clock, done, finish, log } = createParts()
  void finish()
  await clock.advance(5_000)
  await clock.advance(0)
  expect(done).toEqual(['asked', 'over'])
  expect(log.lines.join()).toContain('did not finish')
})

test('stops waiting when the page crashes or is unloaded', async () => {
  const { pendingWork, done, finish } = createParts()
  const over = finish()
  pendingWork.pageLeft()
  await over
  expect(done).toEqual(['asked', 'over'])
})

test('asks nobody while no member is signed in', async () => {
  const { done, finish } = createParts(false)
  await finish()
  expect(done).toEqual(['over'])
})

test('asks again on the next quit', async () => {
  const { clock, done, agree, finish } = createParts()
  // Agreeing without being asked has no effect.
  await agree()
  const first = finish()
  await agree()
  await first
  const second = finish()
  await clock.advance(4_900)
  expect(done).toEqual(['asked', 'over', 'asked'])
  await agree()
  await second
})

test('tracks whether the page reports pending work, until the page is unloaded', async () => {
  const { pendingWork } = createParts()
  expect(pendingWork.isPending()).toBe(false)
  await pendingWork.handlers['quit.setBusy'](true)
  expect(pendingWork.isPending()).toBe(true)
  pendingWork.pageLeft()
  expect(pendingWork.isPending()).toBe(false)
})
