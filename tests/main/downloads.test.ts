import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { setupDownloads } from '#/main/downloads'
import { manualClock } from './support/manual-clock'
import { recordingLog } from './support/recording-log'

const OWN = 'blob:app://bundle/9d1f'

function sessionOf(name = 'app://bundle') {
  const session = new EventEmitter()
  const clock = manualClock()
  const log = recordingLog()
  setupDownloads({ session: session as unknown as Electron.Session, origin: { name }, now: clock.now, log })
  /** What is being saved; null when it is refused. */
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

test('a zip that our page made is saved', () => {
  const { save, log } = sessionOf()
  expect(save(OWN)).not.toBeNull()
  expect(save(OWN.replace('9d1f', '2'), 'again.zip')).toBeNull()
  expect(sessionOf('http://localhost:5173').save('blob:http://localhost:5173/1')).not.toBeNull()
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
])('nothing %s', (_what, url, filename) => {
  const { save, log } = sessionOf()
  expect(save(url, filename)).toBeNull()
  expect(log.lines).toEqual(['warn download refused'])
})

test('one at a time, and no more than a member wants in a while', async () => {
  const { save, clock } = sessionOf()
  const saveAll = () => {
    for (let count = 0; ; count += 1) {
      const item = save(OWN)
      if (item === null) return count
      // Another one while the first one's dialog is open.
      expect(save(OWN)).toBeNull()
      item.emit('done', {}, 'cancelled')
    }
  }
  expect(saveAll()).toBe(3)
  await clock.advance(10_000)
  expect(saveAll()).toBe(1)
})
