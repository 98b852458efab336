import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Electron, ElectronApplication, Page } from '@playwright/test'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { electronRuntime } from '#tests/e2e/desktop/support/on-electron'
import { signalTree } from '../../scripts/lib/process.mjs'

// Windows has neither sh nor process groups.
if (process.platform !== 'win32') {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vignette-teardown-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  /** A program behind a shell that has its output's pipe, as Playwright starts Electron on Windows. Resolves when it runs. */
  async function startBehindShell(): Promise<ChildProcess> {
    const program = 'console.log("runs"); setInterval(() => {}, 1000)'
    const shell = spawn('sh', ['-c', '"$0" -e "$1"; true', process.execPath, program], {
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    await once(shell.stdout, 'data')
    shell.stdout.resume()
    return shell
  }

  /** Playwright's `_electron`, as far as a start and a kill use it: 'close' comes when the pipes have ended. */
  function playwright(child: ChildProcess, firstWindow: () => Promise<Page>): Electron {
    const closed = once(child, 'close')
    const app = { context: vi.fn(), process: () => child, waitForEvent: () => closed, firstWindow }
    return { launch: async () => app as unknown as ElectronApplication }
  }

  const openApp = async (electron: Electron) =>
    (await electronRuntime(electron).openProfile(folder, () => undefined)).start([], { isBackendHeld: false })

  describe('the teardown of the desktop tests on Electron', () => {
    test('ends the program behind the shell too', async () => {
      const shell = await startBehindShell()
      const app = await openApp(playwright(shell, async () => ({}) as Page))
      await app.kill()
      expect(await app.ended).toBeNull()
      // Once more: a test may have ended the app itself.
      await app.kill()
    })

    test('ends an app that shows no window, and says what went wrong', async () => {
      const shell = await startBehindShell()
      const closed = once(shell, 'close')
      const start = openApp(playwright(shell, () => Promise.reject(new Error('no window came'))))
      await expect(start).rejects.toThrow('no window came')
      await closed
    })

    test('on Windows kills the tree by the id of its root', async () => {
      const shell = await startBehindShell()
      const called = join(folder, 'called')
      const taskkill = join(folder, 'taskkill')
      await writeFile(taskkill, `#!/bin/sh\necho "$@" > '${called}'\nkill -KILL -"$2"\n`)
      await chmod(taskkill, 0o755)
      vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`)
      const closed = once(shell, 'close')
      signalTree(shell, 'SIGKILL', 'win32')
      vi.unstubAllEnvs()
      await closed
      expect(await readFile(called, 'utf8')).toBe(`/pid ${shell.pid} /T /F\n`)
    })
  })
}
