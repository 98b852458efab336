import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { APP_ID, TOAST_ACTIVATOR } from '#/main/app-identity'
import { isPhotoPath } from '#/main/file-dialogs'
import { PHOTO_EXTENSIONS } from '#/shared/photo-files'
import { LINK_SCHEME } from '#/shared/routes'

const root = resolve(import.meta.dirname, '../..')
const config = await readFile(resolve(root, 'electron-builder.yml'), 'utf8')
const pkg = JSON.parse(await readFile(resolve(root, 'package.json'), 'utf8')) as Record<string, unknown>

/** The value of a plain `key: value` line. */
function setting(key: string): string | undefined {
  return new RegExp(`^\\s*${key}: (.+)$`, 'm').exec(config)?.[1]
}

test('the app uses the same identity as its installer', () => {
  expect(setting('appId')).toBe(APP_ID)
  expect(setting('productName')).toBe(pkg.productName)
  expect(pkg.desktopName).toBe(`${APP_ID}.desktop`)
  expect(pkg.main).toBe('./out/main/index.cjs')
})

test.each([
  ['runAsNode', 'false'],
  ['enableCookieEncryption', 'true'],
  ['enableNodeOptionsEnvironmentVariable', 'false'],
  ['enableNodeCliInspectArguments', 'false'],
  ['enableEmbeddedAsarIntegrityValidation', 'true'],
  ['onlyLoadAppFromAsar', 'true'],
  ['loadBrowserProcessSpecificV8Snapshot', 'false'],
  ['grantFileProtocolExtraPrivileges', 'false'],
  ['asar', 'true'],
])('the fuse %s is %s', (fuse, value) => {
  expect(setting(fuse)).toBe(value)
})

test('no packaged app runs without the sandbox', () => {
  expect(config.replace(/#.*$/gm, '')).not.toContain('no-sandbox')
  expect(setting('appimage')).toBe('1.0.3')
})

test('Electron is pinned to one version, and its release notes were reviewed for that major version', () => {
  const { electron } = pkg.devDependencies as Record<string, string>
  expect(electron).toMatch(/^45\.\d+\.\d+$/)
})

test('DESK-05 the installer registers the link scheme', () => {
  expect(config).toMatch(new RegExp(`schemes: \\[${LINK_SCHEME}\\]`))
})

test('DESK-08 uninstalling removes the Windows registrations of the app, an update keeps them', async () => {
  const script = (await readFile(resolve(root, setting('include') ?? ''), 'utf8')).replaceAll('\\', '/')
  const [before = '', inside = ''] = script.split('$' + '{ifNot} $' + '{isUpdated}')
  expect(before).not.toMatch(/Delete/)
  const removed = [...inside.matchAll(/^ +DeleteReg(?:Key|Value) HKCU (.+)$/gm)].map(([, what]) => what)
  expect(removed).toEqual([
    `"Software/Classes/${LINK_SCHEME}"`,
    // Electron names the registry entry after the AppUserModelID by default; login-item.ts keeps that.
    '"Software/Microsoft/Windows/CurrentVersion/Run" "$' + '{APP_ID}"',
    '"Software/Microsoft/Windows/CurrentVersion/Explorer/StartupApproved/Run" "$' + '{APP_ID}"',
    `"Software/Classes/CLSID/${TOAST_ACTIVATOR}"`,
  ])
  expect(inside).toContain(`ReadRegStr $R0 HKCU "Software/Classes/${LINK_SCHEME}/shell/open/command" ""`)
})

test.each(['win', 'mac', 'linux'])('DESK-08 the icon for %s exists', async (system) => {
  const icon = new RegExp(`^${system}:\\n  icon: (.+)$`, 'm').exec(config)?.[1] ?? ''
  const found = await stat(resolve(root, icon))
  expect(found.isDirectory()).toBe(system === 'linux')
})

test('macOS lists the app as an alternative program for exactly the photos that it reads', () => {
  const extensions = /\bext:\s*\[([^\]]+)\]/.exec(config)?.[1]?.match(/\w+/g) ?? []
  expect(extensions).toEqual(PHOTO_EXTENSIONS)
  expect(extensions.every((extension) => isPhotoPath(`photo.${extension}`))).toBe(true)
  expect(setting('rank')).toBe('Alternate')
})

test('publishes nothing and configures no feed by default', () => {
  expect(setting('publish')).toBe('null')
})
