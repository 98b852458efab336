import { expect, test } from 'vitest'
import { createPendingWork } from '#/main/pending-work'
import { manualClock } from './support/manual-clock'
import { recordingLog } from './support/recording-log'

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

test('the page is asked, and waited for until it agrees', async () => {
  const { clock, done, agree, finish, log } = createParts()
  const over = finish()
  await clock.advance(4_900)
  expect(done).toEqual(['asked'])
  await agree()
  await over
  expect(done).toEqual(['asked', 'over'])
  expect(log.lines).toEqual([])
})

test('one that never answers holds nothing back for long, which is logged', async () => {
  const { clock, done, finish, log } = createParts()
  void finish()
  await clock.advance(5_000)
  await clock.advance(0)
  expect(done).toEqual(['asked', 'over'])
  expect(log.lines.join()).toContain('did not finish')
})

test('one that dies or goes elsewhere is not waited for', async () => {
  const { pendingWork, done, finish } = createParts()
  const over = finish()
  pendingWork.pageLeft()
  await over
  expect(done).toEqual(['asked', 'over'])
})

test('where no member is signed in nobody is asked', async () => {
  const { done, finish } = createParts(false)
  await finish()
  expect(done).toEqual(['over'])
})

test('pendingWork is for once: the next quitting asks again', async () => {
  const { clock, done, agree, finish } = createParts()
  // Nobody asked: it counts for nothing.
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

test('the page says when something is being sent; a page that was left sends nothing', async () => {
  const { pendingWork } = createParts()
  expect(pendingWork.isPending()).toBe(false)
  await pendingWork.handlers['quit.setBusy'](true)
  expect(pendingWork.isPending()).toBe(true)
  pendingWork.pageLeft()
  expect(pendingWork.isPending()).toBe(false)
})
