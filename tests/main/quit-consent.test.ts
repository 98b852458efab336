import { expect, test } from 'vitest'
import { createQuitConsent } from '#/main/quit-consent'
import { manualClock } from './support/manual-clock'
import { recordingLog } from './support/recording-log'

function createParts(isMemberHere = true) {
  const clock = manualClock()
  const log = recordingLog()
  const done: string[] = []
  const consent = createQuitConsent({
    isMemberHere: () => isMemberHere,
    ask: () => done.push('asked'),
    wait: clock.wait,
    log,
  })
  const agree = () => consent.handlers['quit.agree']()
  const awaitPage = () => consent.await().then(() => done.push('over'))
  return { clock, log, done, consent, agree, awaitPage }
}

test('the page is asked, and waited for until it agrees', async () => {
  const { clock, done, agree, awaitPage, log } = createParts()
  const over = awaitPage()
  await clock.advance(4_900)
  expect(done).toEqual(['asked'])
  await agree()
  await over
  expect(done).toEqual(['asked', 'over'])
  expect(log.lines).toEqual([])
})

test('one that never answers holds nothing back for long, which is logged', async () => {
  const { clock, done, awaitPage, log } = createParts()
  void awaitPage()
  await clock.advance(5_000)
  await clock.advance(0)
  expect(done).toEqual(['asked', 'over'])
  expect(log.lines.join()).toContain('did not finish')
})

test('one that dies or goes elsewhere is not waited for', async () => {
  const { consent, done, awaitPage } = createParts()
  const over = awaitPage()
  consent.pageLeft()
  await over
  expect(done).toEqual(['asked', 'over'])
})

test('where no member is signed in nobody is asked', async () => {
  const { done, awaitPage } = createParts(false)
  await awaitPage()
  expect(done).toEqual(['over'])
})

test('consent is for once: the next quitting asks again', async () => {
  const { clock, done, agree, awaitPage } = createParts()
  // Nobody asked: it counts for nothing.
  await agree()
  const first = awaitPage()
  await agree()
  await first
  const second = awaitPage()
  await clock.advance(4_900)
  expect(done).toEqual(['asked', 'over', 'asked'])
  await agree()
  await second
})

test('the page says when something is being sent; a page that was left sends nothing', async () => {
  const { consent } = createParts()
  expect(consent.isSending()).toBe(false)
  await consent.handlers['quit.setBusy'](true)
  expect(consent.isSending()).toBe(true)
  consent.pageLeft()
  expect(consent.isSending()).toBe(false)
})
