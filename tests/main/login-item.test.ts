import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLoginItem, desktopEntry, isHiddenStart } from '#/main/login-item'

let configHome: string
beforeEach(async () => {
  configHome = await mkdtemp(join(tmpdir(), 'vignette-login-'))
})
afterEach(() => rm(configHome, { recursive: true, force: true }))

function loginItemOn(
  platform: NodeJS.Platform,
  isPackaged = true,
  settings: Partial<Electron.LoginItemSettings> = {},
) {
  const told: unknown[] = []
  const asked: unknown[] = []
  const item = createLoginItem({
    app: {
      isPackaged,
      setLoginItemSettings: (given) => told.push(given),
      getLoginItemSettings: (options) => {
        asked.push(options)
        return settings as Electron.LoginItemSettings
      },
    },
    platform,
    program: '/opt/Vignette/vignette',
    configHome,
  })
  return { item, told, asked }
}

test('SET-06 on Linux an autostart entry comes and goes', async () => {
  const { item } = loginItemOn('linux')
  const entry = join(configHome, 'autostart', 'app.vignette.desktop')
  await item.set(false)
  await item.set(true)
  expect(await readFile(entry, 'utf8')).toContain('Exec="/opt/Vignette/vignette" --hidden\n')
  await item.set(false)
  await expect(access(entry)).rejects.toThrow('ENOENT')
})

test('SET-06 Windows and macOS are told, Windows to start it quietly', async () => {
  const windows = loginItemOn('win32')
  await windows.item.set(true)
  expect(windows.told).toEqual([{ openAtLogin: true, args: ['--hidden'] }])
  const mac = loginItemOn('darwin')
  await mac.item.set(false)
  expect(mac.told).toEqual([{ openAtLogin: false }])
})

test('DESK-12 on Linux the app starts at login while its entry exists and no desktop has turned it off', async () => {
  const { item } = loginItemOn('linux')
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

test('DESK-12 on Windows an entry that Task Manager disabled does not start the app', async () => {
  const disabled = { openAtLogin: true, executableWillLaunchAtLogin: false }
  const { item, asked } = loginItemOn('win32', true, disabled)
  expect(await item.isOn()).toBe(false)
  expect(asked).toEqual([{ args: ['--hidden'] }])
  const enabled = { openAtLogin: true, executableWillLaunchAtLogin: true }
  expect(await loginItemOn('win32', true, enabled).item.isOn()).toBe(true)
})

test.each([true, false])(
  'DESK-12 on macOS the login item of the system settings counts: %s',
  async (openAtLogin) => {
    expect(await loginItemOn('darwin', true, { openAtLogin }).item.isOn()).toBe(openAtLogin)
    // A run from the project is none of the system's login items.
    expect(await loginItemOn('darwin', false, { openAtLogin }).item.isOn()).toBe(false)
  },
)

test('while developing there is nothing to start', async () => {
  const { item, told } = loginItemOn('win32', false)
  await item.set(true)
  expect(item.isAvailable).toBe(false)
  expect(told).toEqual([])
})

test('the entry names the icon that the installer puts into the icon theme', async () => {
  const config = await readFile(resolve(import.meta.dirname, '../../electron-builder.yml'), 'utf8')
  const installed = /^ {2}executableName: (\S+)$/m.exec(config)?.[1]
  expect(installed).toBeDefined()
  expect(desktopEntry('/opt/Vignette/vignette')).toContain(`Icon=${installed}\n`)
})

test('a path with signs of its own is quoted for the entry', () => {
  expect(desktopEntry('/home/a b/100%/$x"`\\.AppImage')).toContain(
    'Exec="/home/a b/100%%/\\\\$x\\\\"\\\\`\\\\\\\\.AppImage" --hidden',
  )
})

test.each([
  ['darwin', [], true, false, true],
  ['darwin', ['--hidden'], false, true, false],
  ['win32', ['--hidden'], false, true, true],
  ['linux', ['--hidden'], false, false, false],
  ['linux', [], false, true, false],
] as const)(
  'DESK-04 on %s with %j, opened at login %s, kept running %s: quiet %s',
  (platform, argv, wasOpenedAtLogin, keepsRunning, isQuiet) => {
    const app = { getLoginItemSettings: () => ({ wasOpenedAtLogin }) as Electron.LoginItemSettings }
    expect(isHiddenStart(app, { platform, argv, keepsRunning })).toBe(isQuiet)
  },
)
