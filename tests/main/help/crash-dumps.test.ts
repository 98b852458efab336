import { EventEmitter } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CrashReporterStartOptions } from 'electron'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { setupCrashDumps } from '#/main/help/crash-dumps'
import { eventually } from '../support/built-app'
import { manualClock } from '../support/manual-clock'
import { recordingLog } from '../support/recording-log'

const DAY = 24 * 60 * 60 * 1_000
const NOW = Date.parse('2026-11-26T12:00:00Z')

let home: string
let folder: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'vignette-crash-'))
  folder = join(home, 'Crashpad')
})
afterEach(() => rm(home, { recursive: true, force: true }))

function setup(isOn: boolean) {
  const app = Object.assign(new EventEmitter(), { getPath: () => folder })
  const started: CrashReporterStartOptions[] = []
  const choice = { isOn }
  const clock = manualClock()
  const log = recordingLog()
  const dumps = setupCrashDumps({
    app: app as unknown as Electron.App,
    crashReporter: { start: (options) => void started.push(options) },
    isWanted: () => choice.isOn,
    schedule: clock.schedule,
    now: () => NOW + clock.now(),
    log,
  })
  return { app, started, choice, clock, log, dumps }
}

/** Writes a dump as Crashpad does on Linux. */
async function addDump(name: string, daysAgo: number): Promise<void> {
  const pending = join(folder, 'pending')
  await mkdir(pending, { recursive: true })
  for (const ending of ['dmp', 'meta']) {
    const path = join(pending, `${name}.${ending}`)
    await writeFile(path, 'a message')
    const at = new Date(NOW - daysAgo * DAY)
    await utimes(path, at, at)
  }
}

const names = async () => (await readdir(join(folder, 'pending'))).sort()
const filesOf = (dumps: string[]) => dumps.flatMap((name) => [`${name}.dmp`, `${name}.meta`])

describe('DESK-19 crash dumps', () => {
  test('are not kept unless the member turned them on', async () => {
    const { started, dumps } = setup(false)
    expect([started, dumps.isKeeping]).toEqual([[], false])
    await expect(stat(folder)).rejects.toThrow('ENOENT')
  })

  test('are never uploaded, and lie in a folder of this user alone', async () => {
    await mkdir(folder)
    await chmod(folder, 0o755)
    const { started, dumps } = setup(true)
    expect([started, dumps.isKeeping]).toEqual([[{ uploadToServer: false }], true])
    if (process.platform !== 'win32') expect((await stat(folder)).mode & 0o777).toBe(0o700)
  })

  test('are at most five of the last seven days, from the start on', async () => {
    for (const [index, name] of ['a', 'b', 'c', 'd', 'e', 'f'].entries()) await addDump(name, 1 + index / 10)
    await writeFile(join(folder, 'settings.dat'), 'of Crashpad')
    setup(true)
    await eventually(names, (found) => found.length === 10)
    expect(await names()).toEqual(filesOf(['a', 'b', 'c', 'd', 'e']))
    expect(await readdir(folder)).toContain('settings.dat')
    await addDump('old', 8)
    setup(true)
    await eventually(names, (found) => !found.includes('old.dmp'))
    expect(await names()).toEqual(filesOf(['a', 'b', 'c', 'd', 'e']))
  })

  test('of a running app are deleted when they are too old, and after the next crash', async () => {
    await addDump('a', 6.99)
    const { app, clock } = setup(true)
    await clock.advance(60 * 60 * 1_000)
    await eventually(names, (found) => found.length === 0)
    for (const [index, name] of ['b', 'c', 'd', 'e', 'f', 'g'].entries()) await addDump(name, index / 10)
    app.emit('render-process-gone')
    await clock.advance(10_000)
    await eventually(names, (found) => found.length === 10)
    await addDump('h', -0.1)
    app.emit('child-process-gone')
    await clock.advance(10_000)
    await eventually(names, (found) => found.length === 10)
    expect(await names()).toEqual(filesOf(['b', 'c', 'd', 'e', 'h']))
  })

  test('are deleted when the member signs out', async () => {
    await addDump('a', 1)
    const { dumps } = setup(true)
    await dumps.deleteAll()
    expect(await names()).toEqual([])
  })

  test('of a run that still makes them are deleted once the member has turned them off, also at the next start', async () => {
    const { app, choice, clock } = setup(true)
    choice.isOn = false
    await addDump('a', 0)
    app.emit('render-process-gone')
    await clock.advance(10_000)
    await eventually(names, (found) => found.length === 0)
    await addDump('b', 0)
    setup(false)
    await eventually(names, (found) => found.length === 0)
  })

  test('that cannot be kept do not stop the app', async () => {
    await writeFile(folder, 'not a folder')
    const { started, log } = setup(true)
    expect(started).toEqual([])
    expect(log.lines.join()).toContain('warn could not keep crash dumps')
  })
})
