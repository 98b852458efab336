import { access, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createLoginItem, desktopEntry, isHiddenStart } from '#/main/launch/login-item'

let configHome: string
beforeEach(async () => {
  configHome = await mkdtemp(join(tmpdir(), 'vignette-login-'))
})
afterEach(() => rm(configHome, { recursive: true, force: true }))

function createTestLoginItem(
  platform: NodeJS.Platform,
  isPackaged = true,
  settings: Partial<Electron.LoginItemSettings> = {},
) {
  const applied: unknown[] = []
  const asked: unknown[] = []
  const item = createLoginItem({
    app: {
      isPackaged,
      setLoginItemSettings: (given) => applied.push(given),
      getLoginItemSettings: (options) => {
        asked.push(options)
        return settings as Electron.LoginItemSettings
      },
    },
    platform,
    program: '/opt/Vignette/vignette',
    configHome,
  })
  return { item, applied, asked }
}

test('SET-06 adds and removes an autostart entry on Linux', async () => {
  const { item } = createTestLoginItem('linux')
  const entry = join(configHome, 'autostart', 'app.vignette.desktop')
  await item.set(false)
  await item.set(true)
  expect(await readFile(entry, 'utf8')).toContain('Exec="/opt/Vignette/vignette" --hidden\n')
  await item.set(false)
  await expect(access(entry)).rejects.toThrow('ENOENT')
})

test('SET-06 sets the login item on Windows and macOS, on Windows with a hidden start', async () => {
  const windows = createTestLoginItem('win32')
  await windows.item.set(true)
  expect(windows.applied).toEqual([{ openAtLogin: true, args: ['--hidden'] }])
  const mac = createTestLoginItem('darwin')
  await mac.item.set(false)
  expect(mac.applied).toEqual([{ openAtLogin: false }])
})

test('DESK-12 on Linux the setting is on while the entry exists and is not disabled', async () => {
  const { item } = createTestLoginItem('linux')
  const entry = join(configHome, 'autostart', 'app.vignette.desktop')
  expect(await item.isOn()).toBe(false)
  await item.set(true)
  expect(await item.isOn()).toBe(true)
  const text = await readFile(entry, 'utf8')
  await writeFile(entry, text.replace('enabled=true', 'enabled=false'))
  expect(await item.isOn()).toBe(false)
  await writeFile(entry, `${text}Hidden=true\n`)
  expect(await item.isOn()).toBe(false)
  await item.set(true)
  expect(await item.isOn()).toBe(true)
  await item.set(false)
  expect(await item.isOn()).toBe(false)
})

test('DESK-12 on Windows the setting is off for an entry disabled in Task Manager', async () => {
  const disabled = { openAtLogin: true, executableWillLaunchAtLogin: false }
  const { item, asked } = createTestLoginItem('win32', true, disabled)
  expect(await item.isOn()).toBe(false)
  expect(asked).toEqual([{ args: ['--hidden'] }])
  const enabled = { openAtLogin: true, executableWillLaunchAtLogin: true }
  expect(await createTestLoginItem('win32', true, enabled).item.isOn()).toBe(true)
})

test.each([true, false])(
  'DESK-12 on macOS the setting mirrors the login item of the system: %s',
  async (openAtLogin) => {
    expect(await createTestLoginItem('darwin', true, { openAtLogin }).item.isOn()).toBe(openAtLogin)
    // A development run is not a login item.
    expect(await createTestLoginItem('darwin', false, { openAtLogin }).item.isOn()).toBe(false)
  },
)

test('is not available in development', async () => {
  const { item, applied } = createTestLoginItem('win32', false)
  await item.set(true)
  expect(item.isAvailable).toBe(false)
  expect(applied).toEqual([])
})

test('the entry uses the icon that the installer adds to the icon theme', async () => {
  const config = await readFile(resolve(import.meta.dirname, '../../../electron-builder.yml'), 'utf8')
  const installed = /^ {2}executableName: (\S+)$/m.exec(config)?.[1]
  expect(installed).toBeDefined()
  expect(desktopEntry('/opt/Vignette/vignette')).toContain(`Icon=${installed}\n`)
})

describe('DESK-15 an entry to start at login', () => {
  const autostart = () => join(configHome, 'autostart', 'app.vignette.desktop')
  const write = async (entry: string) => {
    await mkdir(join(configHome, 'autostart'))
    await writeFile(autostart(), entry)
  }

  test('whose program is missing starts this one, and stays disabled', async () => {
    const { item } = createTestLoginItem('linux')
    const before = `${desktopEntry(join(configHome, 'Vignette-0.1.0 "old".AppImage'))}Hidden=true\n`
    await write(before)
    await item.repair()
    expect(await readFile(autostart(), 'utf8')).toBe(`${desktopEntry('/opt/Vignette/vignette')}Hidden=true\n`)
    expect(await item.isOn()).toBe(false)
  })

  test.each([
    ['exists', () => desktopEntry(process.execPath)],
    ['the session finds', () => '[Desktop Entry]\nExec=env LANG=C vignette\n'],
    ['is not named', () => '[Desktop Entry]\nType=Link\n'],
  ])('whose program %s stays as it is', async (_, entry) => {
    await write(entry())
    await createTestLoginItem('linux').item.repair()
    expect(await readFile(autostart(), 'utf8')).toBe(entry())
  })

  test('is not made for a member who has none, nor changed by a development run', async () => {
    await createTestLoginItem('linux').item.repair()
    await expect(access(autostart())).rejects.toThrow('ENOENT')
    const missing = desktopEntry('/missing')
    await write(missing)
    await createTestLoginItem('linux', false).item.repair()
    expect(await readFile(autostart(), 'utf8')).toBe(missing)
  })
})

test('quotes special characters in a path', () => {
  expect(desktopEntry('/home/a b/100%/$x"`\\.AppImage')).toContain(
    'Exec=env "/home/a b/100%%/\\\\$x\\\\"\\\\`\\\\\\\\.AppImage" --hidden',
  )
})

test.each([
  ['darwin', [], true, false, true],
  ['darwin', ['--hidden'], false, true, false],
  ['win32', ['--hidden'], false, true, true],
  ['linux', ['--hidden'], false, false, false],
  ['linux', [], false, true, false],
] as const)(
  'DESK-04 on %s with %j, opened at login %s, kept running %s: hidden %s',
  (platform, argv, wasOpenedAtLogin, keepsRunning, isQuiet) => {
    const app = { getLoginItemSettings: () => ({ wasOpenedAtLogin }) as Electron.LoginItemSettings }
    expect(isHiddenStart(app, { platform, argv, keepsRunning })).toBe(isQuiet)
  },
)
