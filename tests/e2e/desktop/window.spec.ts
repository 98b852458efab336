import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron, expect, test } from '@playwright/test'

test('the window shows the app from its own protocol, with the bridge and nothing of Node', async () => {
  const userData = await mkdtemp(join(tmpdir(), 'vignette-desktop-'))
  const app = await _electron.launch({ args: ['.', `--user-data-dir=${userData}`] })
  try {
    const page = await app.firstWindow()
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
    expect(new URL(page.url()).protocol).toBe('app:')
    const reach = await page.evaluate(() => ({
      host: window.desktop?.host,
      hasRequire: 'require' in window,
      hasProcess: 'process' in window,
    }))
    expect(reach).toEqual({ host: 'electron', hasRequire: false, hasProcess: false })
  } finally {
    await app.close()
    await rm(userData, { recursive: true, force: true, maxRetries: 5 })
  }
})
