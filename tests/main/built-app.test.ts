import { readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { APP_ID } from '#/main/installation/app-identity'
import { texts } from '#/main/texts'
import { bridgeCalls } from '#/shared/bridge'
import { contentSecurityPolicy } from '#/shared/csp'
import { buildShell } from '#tests/standin/build'
import type { LaunchedApp } from '#tests/standin/launch'
import { eventually, prepareBuiltApp, shown } from './support/built-app'

const built = prepareBuiltApp()
const { newUserData, start } = built

const embeddedInfo = { ok: true, value: { kind: 'embedded', storageKey: 'embedded' } }

describe('the built main bundle', () => {
  test('stays within its budget of 500 KB', async () => {
    expect((await stat(built.main())).size).toBeLessThanOrEqual(500_000)
  })

  test('opens one sandboxed window on app://bundle and quits cleanly with its backend', async () => {
    const app = start()
    const { windows, channels, record } = await shown(app)

    expect(windows).toHaveLength(1)
    expect(windows[0]).toMatchObject({
      url: 'app://bundle/',
      options: {
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
          preload: join(built.folder(), 'out', 'preload', 'index.cjs'),
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

  test('serves pages with a policy that names the embedded server, and files with their content type', async () => {
    const app = start()
    await shown(app)
    const reply = (await app.driver.invoke('server.current', [])) as { value: { url: string } }

    const page = await app.driver.fetch('app://bundle/profile/ana.b')
    expect(page).toMatchObject({ status: 200, body: expect.stringContaining('Vignette') })
    expect(page.headers['content-security-policy']).toBe(contentSecurityPolicy(reply.value.url))
    const asset = await app.driver.fetch('app://bundle/assets/app.js')
    expect(asset.headers['content-type']).toBe('text/javascript; charset=utf-8')
  })

  test('lets the page save only a zip that it created, one at a time', async () => {
    const app = start()
    await shown(app)
    const save = app.driver.download
    expect(await save('https://example.com/tool.zip', 'tool.zip')).toBe(false)
    expect(await save('blob:app://bundle/1', 'tool.exe')).toBe(false)
    expect(await save('blob:app://bundle/2', 'vignette.zip')).toBe(true)
    expect(await save('blob:app://bundle/3', 'vignette.zip')).toBe(false)
  })

  test('grants local network access to its own main frame, and nothing else', async () => {
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

  test('uses the server set at build time unless the environment sets one', async () => {
    const out = join(built.folder(), 'baked')
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

  test('with a fixed server, starts no backend, names it in the policy and refuses changes', async () => {
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
    // The host name may resolve to a local address; the policy above still limits the page to this server.
    expect(await app.driver.permission('local-network', 'app://bundle/', true)).toEqual({
      request: true,
      check: true,
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

  test('DESK-01 DESK-11 DESK-19 AUTH-10 AUTH-11 encrypts the session on disk and restores it after a restart; signing out removes it', async () => {
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
    const sealed = await readFile(file, 'utf8')
    const locked = start({ userData, env: { STANDIN_KEYCHAIN: 'denied', STANDIN_PLATFORM: 'linux' } })
    await shown(locked)
    expect(await locked.driver.invoke('session.getItem', [key])).toEqual({ ok: true, value: null })
    await locked.driver.invoke('session.setItem', [key, 'another sign-in'])
    await locked.driver.invoke('session.keepAnyway', [])
    // The keychain’s first answer holds until the process ends.
    await locked.driver.setKeychain('open')
    expect(await locked.driver.invoke('session.persistence', [])).toEqual({ ok: true, value: 'locked' })
    expect(await readFile(file, 'utf8')).toBe(sealed)
    // A member's page, for which it waits before it ends.
    await locked.driver.invoke('navigation.listen', [true])
    for (let press = 0; press < 2; press += 1) await locked.driver.invoke('system.restart', [])
    expect((await locked.driver.inspect()).record.relaunches).toEqual([{ args: [] }])
    await locked.driver.invoke('quit.agree', []).catch(() => undefined)
    expect(await locked.ended).toBe(0)

    const third = start({ userData, env: { STANDIN_KEYCHAIN: 'late', STANDIN_PLATFORM: 'linux' } })
    await shown(third)
    const reading = third.driver.invoke('session.getItem', [key])
    await third.driver.setKeychain('open')
    expect(await reading).toEqual({ ok: true, value: 'refresh me' })
    await third.driver.invoke('session.removeItem', [key])
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ keepPlain: false, entries: {} })
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
    await third.driver.quit().catch(() => undefined)
    await third.ended
    await writeFile(join(userData, 'server.json'), '{"chosen": {"url"')

    const fourth = start({ userData })
    const { record } = await shown(fourth)
    expect(record.messageBoxes).toEqual([texts.server.lostTitle])
  })

  test('DESK-05 a second instance shows the first window, touches no files and exits', async () => {
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

  test('respects --no-sandbox, which AppImages add where the system forbids the sandbox of Chromium', async () => {
    const app = start({ args: ['--no-sandbox'] })
    const { record } = await shown(app)
    expect(record.isSandboxEnabled).toBe(false)
  })

  test('logs an unhandled rejection; shows and logs an uncaught exception, then quits cleanly', async () => {
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

  test('shows and logs a failed start, and exits with an error code', async () => {
    const userData = newUserData()
    const app = start({ userData, env: { STANDIN_DISPLAY: 'none' } })
    expect(await app.ended).toBe(1)
    expect(app.output()).toContain('Vignette cannot start')
    const log = await readFile(join(userData, 'logs', 'main.log'), 'utf8')
    expect(log).toContain('start failed: Error: Unable to open a display')
  })

  test('names a chosen server that redirects, and logs links that the system does not register', async () => {
    const userData = newUserData()
    const app = start({ userData, env: { STANDIN_PLATFORM: 'linux', STANDIN_DESKTOP_ENTRY: 'none' } })
    await shown(app)
    const server = createServer((_request, reply) => reply.writeHead(302, { location: '/login' }).end())
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const { port } = server.address() as AddressInfo
    const address = { url: `http://127.0.0.1:${port}`, publishableKey: 'sb_publishable_x' }
    expect(await app.driver.invoke('server.check', [address])).toMatchObject({
      value: { ok: false, problem: 'redirect' },
    })
    server.close()
    await eventually(
      () => readFile(join(userData, 'logs', 'main.log'), 'utf8'),
      (log) => log.includes('the system did not register links'),
    )
  })

  test('reports a chosen server that does not respond, and changes nothing', async () => {
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
