import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, onTestFinished, test, vi } from 'vitest'
import { CHROMIUM_FLAGS, findChromium } from '../../scripts/lib/chromium.mjs'
import { importTypeScript } from '../../scripts/lib/import-typescript.mjs'

test('CHROMIUM_PATH takes precedence over installed browsers', () => {
  expect(findChromium('linux', { CHROMIUM_PATH: '/my/chrome' }, () => true)).toBe('/my/chrome')
})

test.each([
  ['linux', {}, '/usr/bin/chromium'],
  ['linux', {}, '/usr/bin/chromium-headless-shell'],
  ['darwin', {}, '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'],
  [
    'win32',
    { 'PROGRAMFILES(X86)': 'C:/Program Files (x86)' },
    'C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe',
  ],
] as const)('finds an installed browser on %s', (platform, env, path) => {
  const found = findChromium(platform, env, (candidate) => candidate.replaceAll('\\', '/') === path)
  expect(found?.replaceAll('\\', '/')).toBe(path)
})

test('returns null if no browser is installed', () => {
  expect(findChromium('linux', {}, () => false)).toBeNull()
})

// Such a module can import nothing later.
test('a benchmark finds a browser after its modules were imported', async () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('CHROMIUM_PATH', '/my/chrome')
  const { ensureChromium } =
    await importTypeScript<typeof import('../../scripts/lib/chromium.mjs')>('scripts/lib/chromium.mjs')
  expect(await ensureChromium()).toBe('/my/chrome')
})

test("the disabled features include Playwright's", () => {
  const playwright = createRequire(import.meta.resolve('@playwright/test')).resolve(
    'playwright-core/lib/coreBundle',
  )
  const [, list = ''] = /disabledFeatures = \[(.*?)\]\.filter/s.exec(readFileSync(playwright, 'utf8')) ?? []
  const theirs = [...list.matchAll(/^\s*"(\w+)"/gm)].map(([, name]) => name)
  expect(theirs).toContain('PaintHolding')
  const ours = CHROMIUM_FLAGS.filter((flag) => flag.startsWith('--disable-features='))
  expect(ours).toHaveLength(1)
  expect(ours[0]?.replace('--disable-features=', '').split(',')).toEqual(expect.arrayContaining(theirs))
})
