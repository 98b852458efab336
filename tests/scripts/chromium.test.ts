import { expect, test } from 'vitest'
import { findChromium } from '../../scripts/lib/chromium.mjs'

test('CHROMIUM_PATH comes first, whatever is installed', () => {
  expect(findChromium('linux', { CHROMIUM_PATH: '/my/chrome' }, () => true)).toBe('/my/chrome')
})

test.each([
  ['linux', {}, '/usr/bin/chromium'],
  ['darwin', {}, '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'],
  [
    'win32',
    { 'PROGRAMFILES(X86)': 'C:/Program Files (x86)' },
    'C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe',
  ],
] as const)('an installed browser is found on %s', (platform, env, path) => {
  const found = findChromium(platform, env, (place) => place.replaceAll('\\', '/') === path)
  expect(found?.replaceAll('\\', '/')).toBe(path)
})

test('nothing is made up where there is no browser', () => {
  expect(findChromium('linux', {}, () => false)).toBeNull()
})
