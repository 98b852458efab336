import { chmod, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { openDatabase } from '#/backend/database/connection'
import { listSnapshots } from '#/backend/storage/snapshots'
import { processorMs } from '#tests/backend/support/processor-time'
import { HOSTILE_SQL } from '../database/hostile-statements'
import { clientOf, scratchFolder, startedFolder } from '../support/backend'
import { buildBackend, runBackend, runCli, runUtility } from '../support/processes'

beforeAll(buildBackend)

/** SIGINT and SIGTERM are handled the same way. On Windows every signal kills the process. */
const SIGNALS =
  process.platform === 'win32'
    ? []
    : ([
        ['SIGTERM', []],
        ['SIGINT', ['long']],
      ] as const)

/** Invalid command lines. */
const USAGE_ERRORS = [
  [['web', '--port', 'eighty'], []],
  [[], ['long']],
  [['serve'], ['long']],
  [['web', '--colour'], ['long']],
  [['web', 'more'], ['long']],
] as const

/** Files and folders that other users of the machine can read. */
async function openToOthers(folder: string): Promise<string[]> {
  const paths = ['.', ...(await readdir(folder, { recursive: true }))]
  const modes = await Promise.all(paths.map(async (path) => (await stat(join(folder, path))).mode & 0o077))
  return paths.filter((_, index) => modes[index] !== 0)
}

describe('npm run backend', () => {
  for (const [signal, tags] of SIGNALS) {
    test(`serves, and ${signal} stops it cleanly with a snapshot, if there is time for one`, {
      tags: [...tags],
    }, async () => {
      const dataDir = await scratchFolder()
      await chmod(dataDir, 0o755)
      const backend = await runBackend(dataDir)
      expect(backend.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
      const { data } = await clientOf(backend).rpc('username_available', { name: 'ada' })
      expect(data).toBe(true)
      const signalledAt = performance.now()
      backend.process.child.kill(signal)
      expect(await backend.process.ended).toBe(0)
      const isLate = backend.process.output().includes('did not stop in time')
      const snapshots = await listSnapshots(join(dataDir, 'snapshots'))
      // On a busy machine the shutdown may exceed the time limit of the server.
      if (isLate) expect(performance.now() - signalledAt).toBeGreaterThan(4_500)
      else expect(snapshots).toHaveLength(1)
      expect(await readdir(dataDir)).not.toContain('lock.json')
      expect(await openToOthers(dataDir)).toEqual([])
    })

    test(`${signal} stops it within five seconds while a statement hangs`, { tags: 'long' }, async () => {
      const dataDir = await startedFolder()
      const prepared = await openDatabase(join(dataDir, 'postgres'))
      await prepared.driver.exec(HOSTILE_SQL)
      await prepared.close()
      const backend = await runBackend(dataDir)
      const attacker = clientOf(backend)
      const pid = backend.process.child.pid ?? 0
      const before = await processorMs(pid)
      const hung = attacker.rpc('username_available', { name: 'hang' }).then(({ status }) => status)
      // The statement has no start event, but only a hanging one uses that much processor time.
      await vi.waitFor(async () => expect(await processorMs(pid)).toBeGreaterThan(before + 300))
      let used = 0
      backend.process.child.kill(signal)
      while (backend.process.child.exitCode === null) {
        used = await processorMs(pid).then(
          (ms) => ms - before,
          () => used,
        )
        await pause(50)
      }
      expect(await backend.process.ended).toBe(0)
      expect(used).toBeLessThan(5_000)
      expect([0, 504]).toContain(await hung)
      expect(await readdir(dataDir)).not.toContain('lock.json')
    })
  }

  test('prints its usage on --help', async () => {
    const help = runCli('--help')
    expect(await help.ended).toBe(0)
    expect(help.output()).toMatch(/^Usage:/)
  })

  test('refuses --host, and says what to use for other devices', async () => {
    for (const args of [['--host', '0.0.0.0'], ['--host=0.0.0.0']]) {
      const refused = runCli('web', ...args)
      expect(await refused.ended).toBe(2)
      expect(refused.output()).toMatch(
        /^There is no option --host: the server listens on this machine only\./,
      )
      expect(refused.output()).toContain('docs/self-hosting.md')
    }
  })

  for (const [args, tags] of USAGE_ERRORS) {
    test(`explains the error for ${JSON.stringify(args)}`, { tags: [...tags] }, async () => {
      const process = runCli(...args)
      expect(await process.ended).toBe(2)
      expect(process.output()).toContain('Usage:')
    })
  }
})

describe('the utility process', () => {
  test('starts, serves and shuts down by messages, and meanwhile nothing else starts on its folder or port', async () => {
    const dataDir = await scratchFolder()
    const utility = runUtility()
    utility.send({ type: 'start', dataDir, port: 0, allowedOrigins: ['app://bundle'], demo: false })
    const ready = await utility.next()
    if (ready.type !== 'ready') throw new Error(`It said ${JSON.stringify(ready)}`)
    expect(ready).toMatchObject({ demo: [], restoredFrom: null, mailFile: join(dataDir, 'mails.txt') })
    const settings = await fetch(`${ready.url}/auth/v1/settings`, {
      headers: { apikey: ready.publishableKey, origin: 'app://bundle' },
    })
    expect(settings.headers.get('access-control-allow-origin')).toBe('app://bundle')

    const second = runUtility()
    second.send({ type: 'start', dataDir, port: 0, allowedOrigins: [], demo: false })
    expect(await second.next()).toMatchObject({ type: 'failed', code: 'locked' })
    expect(await second.ended).toBe(1)
    const third = runCli('backend', '--port', '0', '--data', dataDir, '--empty')
    expect(await third.ended).toBe(1)
    expect(third.output()).toMatch(/^Another Vignette is already using this data folder \(process \d+\)\./)
    const { port } = new URL(ready.url)
    const fourth = runCli('web', '--port', port, '--data', await scratchFolder(), '--empty')
    expect(await fourth.ended).toBe(1)
    expect(fourth.output()).toContain(`Port ${port} is already in use.`)

    utility.send({ type: 'shutdown' })
    expect(await utility.next()).toEqual({ type: 'stopped' })
    expect(await utility.ended).toBe(0)
    expect(await listSnapshots(join(dataDir, 'snapshots'))).toHaveLength(1)
    expect(await readdir(dataDir)).not.toContain('lock.json')
  })

  test('exits when its parent process exits', async () => {
    const dataDir = await startedFolder()
    const utility = runUtility()
    utility.send({ type: 'start', dataDir, port: 0, allowedOrigins: [], demo: false })
    expect(await utility.next()).toMatchObject({ type: 'ready' })
    utility.child.disconnect()
    expect(await utility.ended).toBe(0)
  })
})
