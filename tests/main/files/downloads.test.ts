import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { setupDownloads } from '#/main/files/downloads'
import { manualClock } from '../support/manual-clock'
import { recordingLog } from '../support/recording-log'

const OWN = 'blob:app://bundle/9d1f'

function createTestSession(name = 'app://bundle') {
  const session = new EventEmitter()
  const clock = manualClock()
  const log = recordingLog()
  setupDownloads({ session: session as unknown as Electron.Session, origin: { name }, now: clock.now, log })
  /** The download; null if it was refused. */
  const save = (url: string, filename = 'vignette.zip'): EventEmitter | null => {
    const item = Object.assign(new EventEmitter(), { getURL: () => url, getFilename: () => filename })
    let isPrevented = false
    const preventDefault = () => {
      isPrevented = true
    }
    session.emit('will-download', { preventDefault }, item)
    return isPrevented ? null : item
  }
  return { save, clock, log }
}

test('allows a zip that the page created', () => {
  const { save, log } = createTestSession()
  expect(save(OWN)).not.toBeNull()
  expect(save(OWN.replace('9d1f', '2'), 'again.zip')).toBeNull()
  expect(createTestSession('http://localhost:5173').save('blob:http://localhost:5173/1')).not.toBeNull()
  expect(log.lines).toEqual(['warn download refused'])
})

test.each([
  ['from a server', 'https://example.com/vignette.zip', 'vignette.zip'],
  ['of our pages themselves', 'app://bundle/vignette.zip', 'vignette.zip'],
  ['of a text in the link', 'data:application/zip,x', 'vignette.zip'],
  ['of a foreign page', 'blob:https://example.com/1', 'vignette.zip'],
  ['of a host that only begins like ours', 'blob:app://bundle.evil/1', 'vignette.zip'],
  ['of a page without an origin', 'blob:null/1', 'vignette.zip'],
  ['that is a program', OWN, 'vignette.zip.exe'],
  ['that starts programs', OWN, 'vignette.desktop'],
  ['without an extension', OWN, 'zip'],
])('refuses a download %s', (_what, url, filename) => {
  const { save, log } = createTestSession()
  expect(save(url, filename)).toBeNull()
  expect(log.lines).toEqual(['warn download refused'])
})

test('allows one download at a time, within the rate limit', async () => {
  const { save, clock } = createTestSession()
  const saveAll = () => {
    for (let count = 0; ; count += 1) {
      const item = save(OWN)
      if (item === null) return count
      // A second download while the first dialog is open.
      expect(save(OWN)).toBeNull()
      item.emit('done', {}, 'cancelled')
    }
  }
  expect(saveAll()).toBe(3)
  await clock.advance(10_000)
  expect(saveAll()).toBe(1)
})
