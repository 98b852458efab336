import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { isPhotoPath, isVideoPath } from '#/main/files/file-dialogs'
import { APP_ID, TOAST_ACTIVATOR } from '#/main/installation/app-identity'
import { PHOTO_EXTENSIONS } from '#/shared/photo-files'
import { LINK_SCHEME } from '#/shared/routes'
import { VIDEO_EXTENSIONS } from '#/shared/video-formats'

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

test('CREATE-07 STORY-08 macOS lists the app as an alternative program for exactly the photos and videos that it reads', () => {
  const [photos, videos, ...others] = [...config.matchAll(/\bext:\s*\[([^\]]+)\]/g)].map(
    ([, list]) => list?.match(/\w+/g) ?? [],
  )
  expect([photos, videos, others]).toEqual([PHOTO_EXTENSIONS, VIDEO_EXTENSIONS, []])
  expect(photos?.every((extension) => isPhotoPath(`photo.${extension}`))).toBe(true)
  expect(videos?.every((extension) => isVideoPath(`video.${extension}`))).toBe(true)
  expect([...config.matchAll(/^ +rank: (.+)$/gm)].map(([, rank]) => rank)).toEqual(['Alternate', 'Alternate'])
})

/** The extensions of the type of each video (shared-mime-info 2.2). */
const VIDEO_TYPES: Record<string, readonly string[]> = {
  'video/mp4': ['mp4', 'm4v', 'f4v', 'lrv'],
  'video/x-m4v': ['m4v'],
  'video/quicktime': ['mov', 'qt'],
  'video/3gpp': ['3gp', '3gpp'],
  'video/3gpp2': ['3g2', '3gp2'],
  'video/webm': ['webm'],
  'video/x-matroska': ['mkv'],
  'video/mp2t': ['ts', 'mts', 'm2ts', 'm2t'],
}

test('STORY-08 Linux lists the app as a program for exactly the videos that it reads', () => {
  const types = [...config.matchAll(/^ +- (video\/.+)$/gm)].map(([, type]) => type ?? '')
  expect(types).toEqual(Object.keys(VIDEO_TYPES))
  expect(new Set(types.flatMap((type) => VIDEO_TYPES[type] ?? []))).toEqual(new Set(VIDEO_EXTENSIONS))
})

test('DESK-15 the file name of the AppImage has no version, so that an update keeps it', () => {
  const [, name = ''] = /^appImage:\n(?: +#.*\n)* {2}artifactName: (.+)$/m.exec(config) ?? []
  expect(name).toContain('$' + '{productName}')
  expect(name).not.toMatch(/version|\d+\.\d+/)
})

test('publishes nothing and configures no feed by default', () => {
  expect(setting('publish')).toBe('null')
})
