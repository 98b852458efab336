import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { isPhotoPath } from '#/main/files/file-dialogs'
import { APP_ID } from '#/main/installation/app-identity'
import { hasUpdateFeed } from '#/main/updates/updates'
import { LINK_SCHEME, routeLink } from '#/shared/routes'
import { buildStandin } from '#tests/standin/build'
import { launch } from '#tests/standin/launch'
import { build } from '../../scripts/lib/build.mjs'
import { type Packed, pack, packDeb, type Recorded } from './pack'

const root = resolve(import.meta.dirname, '../..')

let folder: string
let packed: Packed
/** The files of app.asar, with forward slashes. */
let files: string[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vignette-packaging-'))
  if (!(await build({ quiet: true }))) throw new Error('out could not be built')
  packed = await pack(join(folder, 'packed'))
  const entries = await readdir(packed.contents, { recursive: true, withFileTypes: true })
  files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(packed.contents.length + 1))
    .map((path) => path.replaceAll('\\', '/'))
})

afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

/** The files allowed in app.asar. */
const ALLOWED = [
  /^package\.json$/,
  /^out\/main\/(index|chunks\/[\w-]+)\.cjs$/,
  /^out\/preload\/index\.cjs$/,
  /^out\/renderer\/(index\.html|favicon\.svg)$/,
  /^out\/renderer\/assets\/[\w.-]+\.(js|css|woff2|webp)$/,
  /^out\/backend\/utility\.mjs$/,
  /^out\/backend\/(database|hash)-thread\.mjs$/,
  /^out\/backend\/chunk-[\w-]+\.mjs$/,
  /^out\/backend\/before-0\.2\.json$/,
  /^out\/backend\/migrations\/\d{14}_\w+\.sql$/,
  /^out\/backend\/template\/(about\.json|schema\.json|database\.tar\.gz)$/,
  /^out\/(main|renderer|backend)\/third-party-licenses\.txt$/,
  /^resources\/demo\/([\w-]+\.(webp|webm|mp4)|manifest\.json)$/,
  /^resources\/icons\/tray\/[\w@-]+\.(png|ico)$/,
  /^resources\/icons\/overlay\/[\w@-]+\.png$/,
  /^resources\/icons\/app\/256x256\.png$/,
  /^node_modules\/@electric-sql\/pglite\/(package\.json|LICENSE)$/,
  /^node_modules\/@electric-sql\/pglite\/dist\/((index|initdb|pglite|chunk-\w+|fs\/nodefs)\.js|\w+\.wasm|pglite\.data)$/,
  /^node_modules\/@electric-sql\/pglite\/dist\/contrib\/pg_trgm\.js$/,
  /^node_modules\/@electric-sql\/pglite\/dist\/pg_trgm\.tar\.gz$/,
]

/** Parses a desktop entry into its groups. */
function groupsOf(desktopEntry: string): Record<string, Record<string, string | undefined>> {
  return Object.fromEntries(
    desktopEntry
      .split(/^\[/m)
      .slice(1)
      .map((group) => [
        group.slice(0, group.indexOf(']')),
        Object.fromEntries([...group.matchAll(/^(\w+)=(.*)$/gm)].map(([, key, value]) => [key, value])),
      ]),
  )
}

describe('DESK-08 the packaged app', () => {
  test('contains only the files it needs at run time', () => {
    expect(files.filter((file) => !ALLOWED.some((pattern) => pattern.test(file)))).toEqual([])
    expect(ALLOWED.filter((pattern) => !files.some((file) => pattern.test(file)))).toEqual([])
  })

  test.each([
    ['main', 'zod'],
    ['renderer', 'react'],
    ['renderer', 'geotiff'],
    ['renderer', '@fontsource/noto-color-emoji'],
    ['renderer', 'uqr'],
    ['backend', '@supabase/lite'],
  ])('contains the licenses of the packages bundled in %s', async (part, name) => {
    const text = await readFile(join(packed.contents, `out/${part}/third-party-licenses.txt`), 'utf8')
    expect(text).toContain(`## ${name} - `)
  })

  test('CREATE-11 says where to get the source of libheif and libde265, and how to replace them', async () => {
    const text = await readFile(join(packed.contents, 'out/renderer/third-party-licenses.txt'), 'utf8')
    for (const part of [
      'https://github.com/strukturag/libheif',
      'https://github.com/strukturag/libde265',
      'You may replace it.',
    ])
      expect(text).toContain(part)
  })

  test('contains every migration', async () => {
    const migrations = await readdir(join(root, 'supabase', 'migrations'))
    const brought = files.filter((file) => file.startsWith('out/backend/migrations/'))
    expect(brought.sort()).toEqual(migrations.map((name) => `out/backend/migrations/${name}`).sort())
    expect(files).toContain('out/backend/before-0.2.json')
  })

  test('mentions neither the build tools nor the build folder', async () => {
    const manifest = JSON.parse(await readFile(join(packed.contents, 'package.json'), 'utf8'))
    expect(manifest).toMatchObject({ main: './out/main/index.cjs', desktopName: `${APP_ID}.desktop` })
    expect(Object.keys(manifest)).not.toContain('scripts')
    expect(Object.keys(manifest)).not.toContain('devDependencies')
    const tellers = []
    for (const file of files.filter((name) => /\.(c?js|mjs|html|css|json|sql)$/.test(name))) {
      const text = await readFile(join(packed.contents, file), 'utf8')
      if (text.includes(root) || text.includes(root.replaceAll('\\', '/'))) tellers.push(file)
    }
    expect(tellers).toEqual([])
  })

  test('starts without the project: window, page and embedded server with the demo community', async () => {
    const app = launch({
      main: join(packed.contents, 'out', 'main', 'index.cjs'),
      standin: await buildStandin(join(folder, 'standin')),
      userData: join(folder, 'user-data'),
    })
    try {
      await vi.waitUntil(async () => (await app.driver.inspect()).channels.includes('server.current'), {
        timeout: 60_000,
      })
      const server = await app.driver.invoke('server.current', [])
      expect(server, app.output()).toMatchObject({ ok: true, value: { kind: 'embedded' } })
      const { url, publishableKey, demo } = (
        server as { value: { url: string; publishableKey: string; demo: unknown[] } }
      ).value
      expect(demo.length).toBeGreaterThan(3)
      const answer = await fetch(`${url}/auth/v1/settings`, { headers: { apikey: publishableKey } })
      expect(answer.status).toBe(200)

      const page = await app.driver.fetch('app://bundle/')
      expect(page.status).toBe(200)
      const scripts = [...page.body.matchAll(/src="(\/assets\/[^"]+\.js)"/g)].map(([, path]) => path)
      expect(scripts.length).toBeGreaterThan(0)
      for (const path of scripts) {
        expect(await app.driver.fetch(`app://bundle${path}`)).toMatchObject({ status: 200 })
      }
      await app.driver.quit().catch(() => undefined)
      expect(await app.ended, app.output()).toBe(0)
    } finally {
      await app.kill()
    }
  })

  test('has its Electron fuses set', () => {
    expect(packed.fuses).toEqual({
      runAsNode: false,
      cookieEncryption: true,
      nodeOptionsEnvironmentVariable: false,
      nodeCliInspectArguments: false,
      embeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      loadBrowserProcessSpecificV8Snapshot: false,
      grantFileProtocolExtraPrivileges: false,
      wasmTrapHandlers: true,
    })
  })

  test('keeps everything inside the archive', async () => {
    expect((await readdir(packed.resources)).sort()).toEqual(['app.asar', 'libheif'])
    // CREATE-11: what the LGPL asks for.
    expect((await readdir(join(packed.resources, 'libheif'))).sort()).toEqual([
      'LICENSE.txt',
      'README.txt',
      'libheif.mjs',
    ])
  })
})

describe('DESK-08 the installers', () => {
  const url = 'https://updates.example.com/vignette'
  let recorded: Recorded
  beforeAll(async () => {
    recorded = await packDeb(join(folder, 'deb'), {
      VIGNETTE_UPDATES_URL: url,
      VIGNETTE_HOMEPAGE: 'https://example.com',
      VIGNETTE_MAINTAINER: 'Ada <ada@example.com>',
    })
  })

  test('a .deb installs the desktop entry for its windows, links and photos', () => {
    const { args, desktopEntry } = recorded.deb
    expect(args).toContainEqual(expect.stringMatching(`=/usr/share/applications/${APP_ID}\\.desktop$`))
    const values = groupsOf(desktopEntry)['Desktop Entry'] ?? {}
    expect(values).toMatchObject({
      Name: 'Vignette',
      Exec: '/opt/Vignette/vignette %U',
      Icon: 'vignette',
      StartupWMClass: APP_ID,
      Categories: 'Graphics;Photography;Network;',
    })
    const types = values.MimeType?.split(';').filter((type) => type !== '') ?? []
    expect(types).toContain(`x-scheme-handler/${LINK_SCHEME}`)
    const photos = types.filter((type) => type.startsWith('image/'))
    expect(photos.length).toBeGreaterThan(0)
    expect(types).toContain('video/mp4')
    // 'image/x-canon-cr2' of photo.cr2.
    expect(photos.filter((type) => !isPhotoPath(type.replace(/image\/(x-\w+-)?/, 'photo.')))).toEqual([])
  })

  test('DESK-12 the desktop entry offers New Post and Messages, with links that the app follows', () => {
    const { 'Desktop Entry': entry = {}, ...actions } = groupsOf(recorded.deb.desktopEntry)
    const program = entry.Exec?.replace(' %U', '')
    expect(program).toBeDefined()
    expect(entry.Actions).toBe('NewPost;Messages;')
    expect(actions).toEqual({
      'Desktop Action NewPost': { Name: 'New Post', Exec: `${program} ${routeLink({ page: 'create' })}` },
      'Desktop Action Messages': { Name: 'Messages', Exec: `${program} ${routeLink({ page: 'messages' })}` },
    })
  })

  test('a .deb installs the icon in every available size', async () => {
    const sizes = recorded.deb.args.flatMap(
      (arg) => /=\/usr\/share\/icons\/hicolor\/(\w+)\/apps\/vignette\.png$/.exec(arg)?.[1] ?? [],
    )
    const icons = await readdir(join(root, 'resources', 'icons', 'app'))
    expect(sizes.sort()).toEqual(icons.map((name) => name.replace('.png', '')).sort())
  })

  test('a .deb installs an AppArmor profile that lets the sandbox create user namespaces', async () => {
    const profile = await readFile(join(recorded.resources, 'apparmor-profile'), 'utf8')
    expect(profile).toContain('profile "vignette" "/opt/Vignette/vignette" flags=(unconfined) {')
    expect(profile).toMatch(/^ {2}userns,$/m)
    const { afterInstall, args } = recorded.deb
    expect(afterInstall).toContain("'/opt/Vignette/resources/apparmor-profile'")
    expect(afterInstall).toContain("'/etc/apparmor.d/vignette'")
    expect(args).toContainEqual(expect.stringMatching(/linux(-\w+)?-unpacked\/=\/opt\/Vignette$/))
    expect(args[args.indexOf('--maintainer') + 1]).toBe('Ada <ada@example.com>')
  })

  test('a Mac app is hardened, may compile WebAssembly, and is signed after its fuses even without a Developer ID', () => {
    const { entitlements, hardenedRuntime, isAdHocAfterFuses, icon } = recorded.mac
    expect([...entitlements.matchAll(/<key>(.*)<\/key>\s*<true\/>/g)].map(([, key]) => key)).toEqual([
      'com.apple.security.cs.allow-jit',
      'com.apple.security.cs.allow-unsigned-executable-memory',
      'com.apple.security.cs.disable-library-validation',
    ])
    expect(entitlements.match(/<key>/g)).toHaveLength(3)
    expect({ hardenedRuntime, isAdHocAfterFuses }).toEqual({ hardenedRuntime: true, isAdHocAfterFuses: true })
    expect(icon).toBe(join(root, 'resources', 'icons', 'vignette.icns'))
  })

  test('have an update feed only if one is configured while packaging', async () => {
    expect(await hasUpdateFeed(true, packed.resources)).toBe(false)
    expect(await hasUpdateFeed(true, recorded.resources)).toBe(true)
    const feed = await readFile(join(recorded.resources, 'app-update.yml'), 'utf8')
    expect(feed).toContain('provider: generic')
    expect(feed).toContain(`url: ${url}`)
  })
})
