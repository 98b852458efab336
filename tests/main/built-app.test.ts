import { copyFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { APP_ID } from '#/main/app-identity'
import { bridgeCalls } from '#/shared/bridge'
import { contentSecurityPolicy } from '#/shared/csp'
import { buildShell, buildStandin } from '#tests/standin/build'
import { type LaunchedApp, type LaunchOptions, launch } from '#tests/standin/launch'

const fakeBackend = join(import.meta.dirname, '../standin/fake-backend.mjs')

let folder: string
let standin: string
let main: string
let runs = 0
const launched: LaunchedApp[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vignette-shell-'))
  const out = join(folder, 'out')
  await buildShell(out, ['main'])
  standin = await buildStandin(join(folder, 'standin'))
  main = join(out, 'main', 'index.cjs')
  await mkdir(join(out, 'backend'))
  await copyFile(fakeBackend, join(out, 'backend', 'utility.mjs'))
  await mkdir(join(out, 'renderer', 'assets'), { recursive: true })
  await writeFile(join(out, 'renderer', 'index.html'), '<!doctype html><title>Vignette</title>')
  await writeFile(join(out, 'renderer', 'assets', 'app.js'), 'export {}')
}, 60_000)

afterEach(async () => {
  await Promise.all(launched.splice(0).map((app) => app.kill()))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

function newUserData(): string {
  runs += 1
  return join(folder, `user-data-${runs}`)
}

function start(options: Partial<LaunchOptions> = {}): LaunchedApp {
  const app = launch({ main, standin, userData: newUserData(), ...options })
  launched.push(app)
  return app
}

/** Asks until the answer is right: the app is another process, and when it gets there is its own affair. */
async function eventually<T>(ask: () => Promise<T>, isRight: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await ask()
    if (isRight(value)) return value
  }
}

/** The app once its window shows. */
async function shown(app: LaunchedApp) {
  return eventually(app.driver.inspect, ({ windows }) => windows[0]?.isVisible === true)
}

const embeddedInfo = { ok: true, value: { kind: 'embedded', storageKey: 'embedded' } }

describe('the built main bundle', { timeout: 60_000 }, () => {
  test('stays within its budget of 500 KB', async () => {
    expect((await stat(main)).size).toBeLessThanOrEqual(500_000)
  })

  test('opens one locked-down window on app://bundle and quits cleanly, backend and all', async () => {
    const app = start()
    const { windows, channels, record } = await shown(app)

    expect(windows).toHaveLength(1)
    expect(windows[0]).toMatchObject({
      url: 'app://bundle/',
      options: {
        name: 'main',
        show: false,
        webPreferences: {
          sandbox: true,
          contextIsolation: true,
          nodeIntegration: false,
          nodeIntegrationInWorker: false,
          nodeIntegrationInSubFrames: false,
          webviewTag: false,
          navigateOnDragDrop: false,
          devTools: false,
          preload: join(folder, 'out', 'preload', 'index.cjs'),
        },
      },
    })
    expect(windows[0]?.options.webPreferences).not.toHaveProperty('webSecurity')
    expect(channels.sort()).toEqual(Object.keys(bridgeCalls).sort())
    expect(record).toMatchObject({
      isSandboxEnabled: true,
      appUserModelId: process.platform === 'win32' ? APP_ID : '',
    })
    expect(record.privilegedSchemes).toEqual([
      {
        scheme: 'app',
        privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
      },
    ])

    expect(await app.driver.invoke('server.current', [])).toMatchObject(embeddedInfo)
    await app.driver.closeWindow().catch(() => undefined)
    expect(await app.ended).toBe(0)
    expect(app.output()).not.toContain('Error')
  })

  test('serves pages under a policy that names the embedded server, and files by their type', async () => {
    const app = start()
    await shown(app)
    const reply = (await app.driver.invoke('server.current', [])) as { value: { url: string } }

    const page = await app.driver.fetch('app://bundle/profile/ana.b')
    expect(page).toMatchObject({ status: 200, body: expect.stringContaining('Vignette') })
    expect(page.headers['content-security-policy']).toBe(contentSecurityPolicy(reply.value.url))
    const asset = await app.driver.fetch('app://bundle/assets/app.js')
    expect(asset.headers['content-type']).toBe('text/javascript; charset=utf-8')
  })

  test('DESK-06 keeps the page where it is; links open outside, and only safe ones', async () => {
    const app = start()
    await shown(app)

    expect(await app.driver.navigate('https://example.com/')).toBe(true)
    expect(await app.driver.navigate('file:///etc/passwd')).toBe(true)
    expect(await app.driver.navigate('app://elsewhere/')).toBe(true)
    expect(await app.driver.navigate('app://bundle/create')).toBe(false)
    expect(await app.driver.open('https://example.com/window')).toBe('deny')
    expect(await app.driver.open('javascript:alert(1)')).toBe('deny')
    const { record } = await app.driver.inspect()
    expect(record.openedExternally).toEqual(['https://example.com/', 'https://example.com/window'])
  })

  test('grants loopback access to its own main frame while the server is on loopback, and nothing else', async () => {
    const app = start()
    await shown(app)
    const ask = app.driver.permission

    for (const name of [
      'local-network-access',
      'loopback-network',
      'local-network',
      'clipboard-sanitized-write',
    ]) {
      expect(await ask(name, 'app://bundle/', true)).toEqual({ request: true, check: true })
      expect(await ask(name, 'app://bundle/', false)).toEqual({ request: false, check: false })
      expect(await ask(name, 'https://example.com/', true)).toEqual({ request: false, check: false })
    }
    for (const name of [
      'media',
      'geolocation',
      'notifications',
      'clipboard-read',
      'openExternal',
      'unknown',
    ]) {
      expect(await ask(name, 'app://bundle/', true)).toEqual({ request: false, check: false })
    }
  })

  test('a server named while building is baked in, and the environment comes before it', async () => {
    const out = join(folder, 'baked')
    await buildShell(out, ['main'], {
      SUPABASE_URL: 'https://baked.example.com',
      SUPABASE_PUBLISHABLE_KEY: 'k',
    })
    const baked = join(out, 'main', 'index.cjs')
    const info = async (app: LaunchedApp) => {
      await eventually(app.driver.inspect, ({ channels }) => channels.length > 0)
      return app.driver.invoke('server.current', [])
    }
    expect(await info(start({ main: baked }))).toMatchObject({
      value: { kind: 'fixed', url: 'https://baked.example.com' },
    })
    const env = { SUPABASE_URL: 'https://environment.example.com', SUPABASE_PUBLISHABLE_KEY: 'e' }
    expect(await info(start({ main: baked, env }))).toMatchObject({
      value: { kind: 'fixed', url: 'https://environment.example.com' },
    })
  })

  test('with a fixed server it starts no backend, names it in the policy and refuses to change it', async () => {
    const app = start({
      env: { SUPABASE_URL: 'https://example.supabase.co/', SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_x' },
    })
    const { record } = await shown(app)

    expect(record.forks).toEqual([])
    expect(await app.driver.invoke('server.current', [])).toEqual({
      ok: true,
      value: {
        kind: 'fixed',
        url: 'https://example.supabase.co',
        publishableKey: 'sb_publishable_x',
        storageKey: 'example.supabase.co',
        demo: [],
        mailFile: null,
      },
    })
    const page = await app.driver.fetch('app://bundle/')
    expect(page.headers['content-security-policy']).toContain(
      "connect-src 'self' https://example.supabase.co wss://example.supabase.co;",
    )
    expect(await app.driver.permission('loopback-network', 'app://bundle/', true)).toEqual({
      request: false,
      check: false,
    })
    expect(await app.driver.invoke('server.useEmbedded', [])).toMatchObject({
      ok: false,
      error: { code: 'fixed-server' },
    })
  })

  test('DESK-07 refuses calls of other frames and origins', async () => {
    const app = start()
    await shown(app)
    const refused = { ok: false, error: { code: 'refused' } }

    expect(await app.driver.invoke('preferences.get', [], null)).toMatchObject(refused)
    expect(
      await app.driver.invoke('preferences.get', [], { parent: {}, origin: 'app://bundle' }),
    ).toMatchObject(refused)
    expect(
      await app.driver.invoke('preferences.get', [], { parent: null, origin: 'https://example.com' }),
    ).toMatchObject(refused)
    expect(await app.driver.invoke('preferences.get', [])).toMatchObject({
      ok: true,
      value: { theme: 'system' },
    })
  })

  test('DESK-01 AUTH-10 AUTH-11 seals the session on disk and gives it back after a restart; signing out removes it', async () => {
    const userData = newUserData()
    const key = 'vignette.session.embedded'
    const first = start({ userData })
    await shown(first)
    await first.driver.invoke('session.setItem', [key, 'refresh me'])
    expect(await first.driver.invoke('session.persistence', [])).toEqual({ ok: true, value: 'secure' })
    await first.driver.quit().catch(() => undefined)
    expect(await first.ended).toBe(0)

    const file = join(userData, 'sessions.json')
    expect(await readFile(file, 'utf8')).not.toContain('refresh me')
    const second = start({ userData })
    await shown(second)
    expect(await second.driver.invoke('session.getItem', [key])).toEqual({ ok: true, value: 'refresh me' })
    await second.driver.invoke('session.removeItem', [key])
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ keepPlain: false, entries: {} })
  })

  test('without a keychain the session stays off the disk until the member chooses otherwise', async () => {
    const userData = newUserData()
    const app = start({ userData, env: { STANDIN_KEYCHAIN: 'weak' } })
    await shown(app)
    const key = 'vignette.session.embedded'
    await app.driver.invoke('session.setItem', [key, 'refresh me'])
    expect(await app.driver.invoke('session.persistence', [])).toEqual({ ok: true, value: 'memory' })
    await expect(readFile(join(userData, 'sessions.json'), 'utf8')).rejects.toThrow('ENOENT')
    await app.driver.invoke('session.keepAnyway', [])
    expect(await readFile(join(userData, 'sessions.json'), 'utf8')).toContain('refresh me')
  })

  test('keeps preferences and the port between runs, and sets damaged files aside', async () => {
    const userData = newUserData()
    const first = start({ userData })
    await shown(first)
    await first.driver.invoke('preferences.set', [{ theme: 'dark' }])
    const url = async (app: LaunchedApp) =>
      ((await app.driver.invoke('server.current', [])) as { value: { url: string } }).value.url
    const address = await url(first)
    await first.driver.quit().catch(() => undefined)
    await first.ended
    await writeFile(join(userData, 'sessions.json'), '{"keepPlain": tr')
    await writeFile(join(userData, 'hints.json'), '[]')

    const second = start({ userData })
    const { windows } = await shown(second)
    expect(windows[0]?.options.backgroundColor).toBe('#131110')
    expect(await second.driver.invoke('preferences.get', [])).toMatchObject({
      ok: true,
      value: { theme: 'dark' },
    })
    expect(await url(second)).toBe(address)
    expect(await readFile(join(userData, 'sessions.damaged.json'), 'utf8')).toBe('{"keepPlain": tr')
    expect(await readFile(join(userData, 'hints.damaged.json'), 'utf8')).toBe('[]')
    await second.driver.quit().catch(() => undefined)
    await second.ended
    await writeFile(join(userData, 'preferences.json'), '{"theme": "dark"')

    const third = start({ userData })
    await shown(third)
    expect(await third.driver.invoke('preferences.get', [])).toMatchObject({ value: { theme: 'system' } })
    expect(await readFile(join(userData, 'preferences.damaged.json'), 'utf8')).toBe('{"theme": "dark"')
  })

  test('DESK-02 hands over the bytes of a chosen file', async () => {
    const app = start()
    await shown(app)
    const path = join(folder, 'photo.png')
    await writeFile(path, new Uint8Array([137, 80, 78, 71]))
    await app.driver.chooseFile(path)
    expect(await app.driver.invoke('files.pick', ['photo'])).toEqual({
      ok: true,
      value: { name: 'photo.png', bytes: new Uint8Array([137, 80, 78, 71]) },
    })
    expect(await app.driver.invoke('files.pick', ['photo'])).toEqual({ ok: true, value: null })
  })

  test('DESK-05 a second start shows the first window; a second process touches nothing and ends', async () => {
    const app = start()
    const before = await shown(app)
    await app.driver.secondStart()
    const after = await app.driver.inspect()
    expect(after.record.shown).toBe(before.record.shown + 1)

    const userData = newUserData()
    const second = start({ userData, env: { STANDIN_SECOND: 'yes' } })
    expect(await second.ended).toBe(0)
    await expect(stat(userData)).rejects.toThrow('ENOENT')
  })

  /** The app once what the first window can do without is there too. */
  const settled = (app: LaunchedApp) =>
    eventually(app.driver.inspect, ({ record }) => record.tray !== null && record.linkSchemes.length > 0)
  const menuOf = (app: LaunchedApp) =>
    eventually(
      () => app.driver.menuLabels('application'),
      (labels) => labels.length > 0,
    )
  const sentTo = async (app: LaunchedApp, channel: string) =>
    (await app.driver.inspect()).record.sent
      .filter((each) => each.channel === channel)
      .map(({ args }) => args[0])
  const message = (id: string) => ({
    kind: 'message',
    id,
    title: 'mara',
    body: 'Hello',
    route: '/messages?c=0193a6f2-5a51-7b7c-8d5f-0a5f3c1e9b10',
  })

  test('DESK-03 tells of a message once; a click brings the window up on the conversation', async () => {
    const app = start()
    await shown(app)
    await app.driver.invoke('navigation.listen', [true])
    await app.driver.invoke('notifications.show', [message('m1')])
    await app.driver.invoke('notifications.show', [message('m1')])
    const { record } = await eventually(app.driver.inspect, ({ record }) => record.notifications.length > 0)
    expect(record.notifications).toMatchObject([{ title: 'mara', body: 'Hello' }])
    await app.driver.clickNotification()
    expect(await sentTo(app, 'navigate')).toEqual([message('m1').route])
    expect((await app.driver.inspect()).record.shown).toBe(record.shown + 1)
  })

  test('DESK-03 with messages turned off nothing is told', async () => {
    const app = start()
    await shown(app)
    await app.driver.invoke('preferences.set', [{ notifications: { messages: false } }])
    await app.driver.invoke('notifications.show', [message('m1')])
    await app.driver.invoke('notifications.show', [{ ...message('l1'), kind: 'like' }])
    const { record } = await eventually(app.driver.inspect, ({ record }) => record.notifications.length > 0)
    expect(record.notifications).toHaveLength(1)
    expect(record.notifications[0]?.id).toContain('#l1')
  })

  test('DESK-04 kept in the tray, a member’s closed window comes back; Quit quits', async () => {
    const app = start({ env: { STANDIN_PLATFORM: 'win32' } })
    await shown(app)
    await settled(app)
    await app.driver.invoke('preferences.set', [{ keepRunningInTray: true }])
    await app.driver.invoke('navigation.listen', [true])
    await app.driver.closeWindow()
    await eventually(
      app.driver.inspect,
      ({ record }) => record.notifications[0]?.title === 'Vignette keeps running',
    )
    expect((await app.driver.inspect()).windows).toMatchObject([{ isVisible: false }])
    expect(await sentTo(app, 'window.changed')).toContainEqual({ isVisible: false, isFocused: false })

    await app.driver.clickMenu('tray', 'Messages')
    expect((await app.driver.inspect()).windows).toMatchObject([{ isVisible: true }])
    expect(await sentTo(app, 'navigate')).toEqual(['/messages'])
    await app.driver.clickMenu('tray', 'Quit Vignette').catch(() => undefined)
    expect(await app.ended).toBe(0)
  })

  test.each([
    ['a tray', {}],
    ['none', { STANDIN_TRAY: 'none' }],
  ])('DESK-04 started with the computer it waits in the tray, if there is one: %s', async (what, env) => {
    const userData = newUserData()
    const before = start({ userData })
    await shown(before)
    await before.driver.invoke('preferences.set', [{ keepRunningInTray: true }])
    await before.driver.quit().catch(() => undefined)
    await before.ended

    const app = start({ userData, args: ['--hidden'], env: { STANDIN_PLATFORM: 'linux', ...env } })
    await menuOf(app)
    expect((await app.driver.inspect()).windows).toMatchObject([{ isVisible: what === 'none' }])
    await app.driver.secondStart()
    expect((await app.driver.inspect()).windows).toMatchObject([{ isVisible: true }])
  })

  test.skipIf(process.platform === 'darwin')(
    'DESK-04 without a tray closing the window quits, whatever is set',
    async () => {
      const app = start({ env: { STANDIN_PLATFORM: 'linux', STANDIN_TRAY: 'none' } })
      await shown(app)
      await menuOf(app)
      await app.driver.invoke('preferences.set', [{ keepRunningInTray: true }])
      await app.driver.invoke('navigation.listen', [true])
      await app.driver.closeWindow().catch(() => undefined)
      expect(await app.ended).toBe(0)
    },
  )

  test('DESK-04 on macOS closing hides the window, signed in or not, and the Dock’s number counts', async () => {
    const app = start({ env: { STANDIN_PLATFORM: 'darwin' } })
    await shown(app)
    await settled(app)
    await menuOf(app)
    await app.driver.closeWindow()
    expect((await app.driver.inspect()).windows).toMatchObject([{ isVisible: false }])
    await app.driver.invoke('badge.set', [{ unread: 3 }])
    await app.driver.secondStart()
    const { windows, record } = await app.driver.inspect()
    expect(windows).toMatchObject([{ isVisible: true }])
    expect(record).toMatchObject({ badge: '3', appFocused: 1 })
    expect(record.tray?.image).toMatch(/trayTemplate\.png$/)
    expect(await app.driver.menuLabels('application')).toContain('hideOthers')
  })

  test('DESK-04 what is unread is on the badge and in the tray', async () => {
    const app = start({ env: { STANDIN_PLATFORM: 'win32' } })
    await shown(app)
    await settled(app)
    await app.driver.invoke('badge.set', [{ unread: 12 }])
    const { record } = await app.driver.inspect()
    expect(record.badge).toBe('9+ unread')
    expect(record.tray?.image).toMatch(/tray-unread\.ico$/)
    expect(record.tray?.toolTip).toBe('Vignette · 9+ unread')
    expect(await app.driver.menuLabels('tray')).toContain('Open Vignette (9+ unread)')
  })

  test('DESK-05 links lead to the profile they name: at a cold start, from a second one, from the system', async () => {
    const app = start({ args: ['vignette://profile/mara'] })
    await shown(app)
    expect(await app.driver.invoke('navigation.listen', [true])).toEqual({ ok: true, value: '/profile/mara' })
    await app.driver.secondStart(['--switch', 'vignette://profile/ilse'])
    await app.driver.openFromSystem('open-url', 'vignette://create')
    await app.driver.openFromSystem('open-url', 'vignette://profile/../../login')
    expect(await sentTo(app, 'navigate')).toEqual(['/profile/ilse', '/create'])
    await settled(app)
    expect((await app.driver.inspect()).record.linkSchemes).toEqual(['vignette'])
  })

  test('a photo dropped on the icon starts a post with it', async () => {
    const app = start()
    await shown(app)
    const path = join(folder, 'sea.jpg')
    await writeFile(path, new Uint8Array([255, 216, 255]))
    await app.driver.openFromSystem('open-file', path)
    expect(await app.driver.invoke('navigation.listen', [true])).toEqual({ ok: true, value: '/create' })
    expect(await sentTo(app, 'files.opened')).toEqual([null])
    const taken = { ok: true, value: { name: 'sea.jpg', bytes: new Uint8Array([255, 216, 255]) } }
    expect(await app.driver.invoke('files.takeOpened', [])).toEqual(taken)
    expect(await app.driver.invoke('files.takeOpened', [])).toEqual({ ok: true, value: null })
  })

  test('SET-06 desktop options are kept between runs', async () => {
    const userData = newUserData()
    const chosen = {
      notifications: { messages: true, likes: false, comments: true, follows: true },
      notificationsPausedUntil: 4_000_000_000_000,
      keepRunningInTray: true,
    }
    const first = start({ userData })
    await shown(first)
    await first.driver.invoke('preferences.set', [chosen])
    await first.driver.quit().catch(() => undefined)
    await first.ended
    const second = start({ userData })
    await shown(second)
    expect(await second.driver.invoke('preferences.get', [])).toMatchObject({ ok: true, value: chosen })
  })

  test('help shows log and data folder, and copies a report without what is private', async () => {
    const userData = newUserData()
    const app = start({ userData })
    await shown(app)
    const labels = await menuOf(app)
    expect(labels).toContain('Updates are off for this copy')
    await app.driver.invoke('log.write', ['error', 'refresh_token=s3cr3t of ana@example.com'])
    await app.driver.clickMenu('application', 'Open Log')
    await app.driver.clickMenu('application', 'Show Data Folder')
    await app.driver.clickMenu('application', 'Copy Diagnostics')
    const { record } = await eventually(app.driver.inspect, ({ record }) => record.clipboard !== '')
    expect(record.openedPaths).toEqual([join(userData, 'logs', 'main.log'), userData])
    expect(record.clipboard).toContain('Server: embedded, backend')
    expect(record.clipboard).not.toMatch(/s3cr3t|ana@/)
    expect(await app.driver.invoke('updates.state', [])).toEqual({ ok: true, value: { state: 'off' } })
  })

  test('a page that dies is loaded again and told so; a computer that wakes up is told of', async () => {
    const app = start()
    const before = await shown(app)
    await app.driver.crashPage()
    await eventually(
      app.driver.inspect,
      ({ windows }) => (windows[0]?.loads ?? 0) > (before.windows[0]?.loads ?? 0),
    )
    expect(await app.driver.invoke('recovery.take', [])).toEqual({ ok: true, value: true })
    await menuOf(app)
    await app.driver.resume()
    expect(await sentTo(app, 'power.resumed')).toEqual([null])
  })

  test('a rejection nobody caught is logged; an exception is told, logged, and the app quits cleanly', async () => {
    const userData = newUserData()
    const app = start({ userData })
    await shown(app)
    await app.driver.invoke('server.current', [])
    await app.driver.defect('rejection')
    await app.driver.inspect()
    await app.driver.defect('exception')
    expect(await app.ended).toBe(0)
    const log = await readFile(join(userData, 'logs', 'main.log'), 'utf8')
    expect(log).toContain('unhandled rejection: Error: a rejection for the test')
    expect(log).toContain('uncaught exception: Error: a defect for the test')
    expect(app.output()).toContain('Vignette has to close')
  })

  test('a chosen server that does not answer is told as such and changes nothing', async () => {
    const app = start()
    await shown(app)
    const nowhere = { url: 'http://127.0.0.1:1', publishableKey: 'sb_publishable_x' }
    expect(await app.driver.invoke('server.connect', [nowhere])).toEqual({
      ok: true,
      value: { ok: false, problem: 'unreachable' },
    })
    expect(await app.driver.invoke('server.current', [])).toMatchObject(embeddedInfo)
  })
})
