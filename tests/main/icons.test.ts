import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { overlayIconPath, trayIconPath } from '#/main/installation/app-paths'
import { badgeLabel } from '#/shared/badge'

const folder = resolve(import.meta.dirname, '../../resources/icons')

/** Width and height of a PNG, from its first chunk. */
async function sizeOf(path: string): Promise<[number, number]> {
  const png = await readFile(path)
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  return [png.readUInt32BE(16), png.readUInt32BE(20)]
}

const doubled = (path: string) => path.replace(/\.png$/, '@2x.png')

describe('DESK-04 the icons', () => {
  test.each(['darwin', 'linux'] as const)(
    'the tray icons for %s exist, also at double resolution',
    async (platform) => {
      for (const hasUnread of [false, true]) {
        const path = trayIconPath(platform, hasUnread, folder)
        const [width, height] = await sizeOf(path)
        expect(height).toBe(width)
        expect(await sizeOf(doubled(path))).toEqual([2 * width, 2 * height])
      }
    },
  )

  test('macOS recognizes the template image by its name', () => {
    expect(trayIconPath('darwin', true, folder)).toMatch(/Template\.png$/)
  })

  test('the Windows tray icon has every required size', async () => {
    for (const hasUnread of [false, true]) {
      const ico = await readFile(trayIconPath('win32', hasUnread, folder))
      const sizes = Array.from({ length: ico.readUInt16LE(4) }, (_, n) => ico.readUInt8(6 + 16 * n))
      expect(sizes).toEqual([16, 20, 24, 32])
    }
  })

  test('there is an overlay icon for every count', async () => {
    for (let unread = 1; unread <= 10; unread++) {
      const path = overlayIconPath(badgeLabel(unread), folder)
      expect(await sizeOf(path)).toEqual([16, 16])
      expect(await sizeOf(doubled(path))).toEqual([32, 32])
    }
  })
})
