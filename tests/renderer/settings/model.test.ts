import { expect, test } from 'vitest'
import { deviceName } from '#/renderer/features/settings/model'

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36'

test.each([
  [`Mozilla/5.0 (X11; Linux x86_64) ${CHROME} Vignette/0.1.0 Electron/45.4.1`, 'Vignette app on Linux'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Edg/146.0.0.0`, 'Edge on Windows'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} OPR/120.0`, 'Opera on Windows'],
  [`Mozilla/5.0 (Linux; Android 16) ${CHROME}`, 'Chrome on Android'],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROME}`, 'Chrome on ChromeOS'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 15.6; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on macOS'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 Version/19.1 Mobile/15E148 Safari/604.1',
    'Safari on iOS',
  ],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Unknown/1.0', 'Windows'],
  ['Firefox/145.0', 'Firefox'],
  ['curl/8.5.0', 'Unknown device'],
  ['', 'Unknown device'],
  [null, 'Unknown device'],
])('AUTH-15 the user agent %s shows as %s', (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name)
})
