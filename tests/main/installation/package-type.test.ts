import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readPackageType } from '#/main/installation/package-type'

test('DESK-19 knows how the app was installed', async () => {
  const resources = await mkdtemp(join(tmpdir(), 'vignette-package-'))
  const read = (platform: NodeJS.Platform, { isPackaged = true, isAppImage = false } = {}) =>
    readPackageType({ platform, isPackaged, isAppImage, resources })
  try {
    expect(await read('linux')).toBe('unpacked')
    // electron-builder writes it for packages of the system (FpmTarget.js).
    await writeFile(join(resources, 'package-type'), 'deb\n')
    expect(await read('linux')).toBe('deb')
    expect(await read('linux', { isAppImage: true })).toBe('AppImage')
    expect([await read('win32'), await read('darwin')]).toEqual(['nsis', 'app'])
    expect(await read('linux', { isPackaged: false })).toBe('development')
  } finally {
    await rm(resources, { recursive: true, force: true })
  }
})
