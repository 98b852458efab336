import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { APP_ID, TOAST_ACTIVATOR } from '#/main/installation/app-identity'
import type { Preferences } from '#/shared/preferences'
import type { LaunchedApp } from '#tests/standin/launch'
import { eventually, prepareBuiltApp, shown } from './support/built-app'
import { writeImageContent } from './support/image-content'

const built = prepareBuiltApp()
const { newUserData, start } = built

/** Waits until the deferred setup has finished too. */
const setUp = (app: LaunchedApp) =>
  eventually(app.driver.inspect, ({ record }) => record.tray !== null && record.linkSchemes.length > 0)
/** Waits until the backend has started: only then it is started again. */
const served = (app: LaunchedApp) =>
  eventually(
    () => app.driver.invoke('backend.state', []),
    (answer) => JSON.stringify(answer).includes('"state":"ready"'),
  )
const menuOf = (app: LaunchedApp) =>
  eventually(
    () => app.driver.menuLabels('application'),
    (labels) => labels.length > 0,
  )
const sentTo = async (app: LaunchedApp, channel: string) =>
  (await app.driver.inspect()).record.sent
    .filter((each) => each.channel === channel)
    .map(({ args }) => args[0])
/** The page agrees to quit when asked. */
async function pageAgrees(app: LaunchedApp): Promise<void> {
  await eventually(
    () => sentTo(app, 'quit.asked'),
    (asked) => asked.length > 0,
  )
  await app.driver.invoke('quit.agree', []).catch(() => undefined)
}
const message = (id: string) => ({
  kind: 'message',
  // As long as real message ids.
  id: `0193a6f2-5a51-7b7c-8d5f-0a5f3c1e9b10-${id}`,
  title: 'mara',
  body: 'Hello',
  route: '/messages?c=0193a6f2-5a51-7b7c-8d5f-0a5f3c1e9b10',
})

describe('the built app on its desktop', () => {
  test('DESK-03 notifies of a message once; a click shows the window at the conversation', async () => {
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

  test('DESK-03 on Windows the notification itself contains the link, which opens the conversation from any run', async () => {
    const userData = newUserData()
    const app = start({ userData, env: { STANDIN_PLATFORM: 'win32' } })
    await shown(app)
    await app.driver.invoke('navigation.listen', [true])
    await app.driver.invoke('notifications.show', [message('m1')])
    const { record } = await eventually(app.driver.inspect, ({ record }) => record.notifications.length > 0)
    expect(record).toMatchObject({ appUserModelId: APP_ID, toastActivator: TOAST_ACTIVATOR })
    expect(record.notifications[0]?.id.length).toBeLessThanOrEqual(64)
    const link = /launch="(\S+)"/.exec(record.notifications[0]?.toastXml ?? '')?.[1] ?? ''
    expect(link).toMatch(/^vignette:/)
    // Windows starts a second instance for the link, which passes it to the first.
    await app.driver.secondStart([link])
    expect(await sentTo(app, 'navigate')).toEqual([message('m1').route])

    await app.driver.closeNotification()
    await app.driver.setNotifications('refuse')
    await app.driver.invoke('notifications.show', [message('m2')])
    const log = join(userData, 'logs', 'main.log')
    const refusals = (text: string) =>
      text.match(/could not show the notification: refused by the system/g) ?? []
    // Once with toast XML and once without.
    await eventually(
      () => readFile(log, 'utf8'),
      (text) => refusals(text).length === 2,
    )
    await app.driver.setNotifications('none')
    expect(await app.driver.invoke('system.abilities', [])).toMatchObject({ value: { notifications: false } })
  })

  test.each(['darwin', 'win32'])(
    'DESK-10 on %s answers are queued for the page, read notifications are removed, and a message requests attention if the member wants it',
    async (platform) => {
      const app = start({ env: { STANDIN_PLATFORM: platform } })
      const { driver } = app
      await shown(app)
      await setUp(app)
      await driver.invoke('navigation.listen', [true])
      await driver.handleWindow('blur')
      const icon =
        'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
      const show = async (id: string, count: number) => {
        await driver.invoke('notifications.show', [{ ...message(id), icon }])
        await eventually(driver.inspect, ({ record }) => record.notifications.length === count)
      }
      await show('m0', 1)
      const quiet = (await driver.inspect()).record
      expect([quiet.bounces, quiet.isFlashing]).toEqual([0, false])
      await driver.invoke('preferences.set', [{ drawAttention: true }])
      await show('m1', 2)
      const { record } = await driver.inspect()
      expect(record.notifications[0]).toMatchObject({ groupId: message('').route.slice(12), hasIcon: true })
      expect([record.bounces, record.isFlashing]).toEqual(platform === 'darwin' ? [1, false] : [0, true])
      await driver.answerNotification('On my way')
      await show('m2', 3)
      await driver.answerNotification(null)
      expect(await sentTo(app, 'notifications.answered')).toHaveLength(2)
      const conversationId = message('').route.slice(12)
      expect(await driver.invoke('notifications.takeAnswers', [])).toEqual({
        ok: true,
        value: [
          { conversationId, reply: 'On my way', until: null, owner: null },
          { conversationId, reply: null, until: null, owner: null },
        ],
      })
      await show('m3', 4)
      expect(await driver.invoke('notifications.shown', [])).toEqual({
        ok: true,
        value: expect.arrayContaining([message('m3').id]),
      })
      await driver.invoke('notifications.dismiss', [[message('m3').id]])
      const after = await driver.inspect()
      expect(after.record.isFlashing).toBe(false)
      expect(after.record.notificationsOnScreen).not.toContain(after.record.notifications[3]?.id)
      await driver.invoke('notifications.dismiss', [null])
    },
  )

  test('DESK-10 macOS: a reply in the notification that starts the app is queued for the page', async () => {
    const identifier = `${message('').route}#m1`
    const info = { identifier, actionIdentifier: 'REPLY_ACTION', userText: 'On my way' }
    const app = start({
      env: { STANDIN_PLATFORM: 'darwin', STANDIN_LAUNCH_INFO: JSON.stringify(info) },
    })
    await shown(app)
    await setUp(app)
    await menuOf(app)
    await app.driver.invoke('navigation.listen', [true])
    expect(await app.driver.invoke('notifications.takeAnswers', [])).toMatchObject({
      value: [{ reply: 'On my way' }],
    })
  })

  test('DESK-03 shows nothing with messages turned off', async () => {
    const app = start()
    await shown(app)
    await app.driver.invoke('preferences.set', [{ notifications: { messages: false } }])
    await app.driver.invoke('notifications.show', [message('m1')])
    await app.driver.invoke('notifications.show', [{ ...message('l1'), kind: 'like' }])
    const { record } = await eventually(app.driver.inspect, ({ record }) => record.notifications.length > 0)
    expect(record.notifications).toHaveLength(1)
    expect(record.notifications[0]?.id).toMatch(/#.*l1$/)
  })

  test('DESK-04 closing hides the window to the tray, the tray shows it again, and Quit quits', async () => {
    const app = start({ env: { STANDIN_PLATFORM: 'win32' } })
    await shown(app)
    await setUp(app)
    await app.driver.invoke('preferences.set', [{ keepRunningInTray: true }])
    await app.driver.invoke('navigation.listen', [true])
    await app.driver.invoke('badge.set', [{ unread: 12 }])
    await app.driver.closeWindow()
    await eventually(
      app.driver.inspect,
      ({ record }) => record.notifications[0]?.title === 'Vignette keeps running',
    )
    expect((await app.driver.inspect()).windows).toMatchObject([{ isVisible: false }])
    expect(await sentTo(app, 'window.changed')).toContainEqual({ isVisible: false, isFocused: false })

    await app.driver.clickMenu('tray', 'Messages')
    const back = await app.driver.inspect()
    expect(back.windows).toMatchObject([{ isVisible: true }])
    // Hiding the window removed its taskbar button and the overlay.
    expect(back.record.badge).toBe('9+ unread')
    expect(await sentTo(app, 'navigate')).toEqual(['/messages'])
    await app.driver.clickMenu('tray', 'Quit Vignette')
    await pageAgrees(app)
    expect(await app.ended).toBe(0)
  })

  test('a Windows logoff waits only for pending work, and a critical one never waits', async () => {
    const app = start({ env: { STANDIN_PLATFORM: 'win32' } })
    await shown(app)
    await app.driver.invoke('navigation.listen', [true])
    await app.driver.invoke('quit.setBusy', [true])
    expect(await app.driver.endSession()).toBe(true)
    expect((await app.driver.inspect()).record.flushes).toBe(1)
    await pageAgrees(app)
    expect(await app.ended).toBe(0)

    const other = start({ env: { STANDIN_PLATFORM: 'win32' } })
    await shown(other)
    await other.driver.invoke('navigation.listen', [true])
    await other.driver.invoke('quit.setBusy', [true])
    expect(await other.driver.endSession(['critical'])).toBe(false)
    expect(await other.ended).toBe(0)
  })

  test.each([
    ['a tray', {}],
    ['none', { STANDIN_TRAY: 'none' }],
  ])('DESK-04 waits in the tray when started at login, if there is one: %s', async (what, env) => {
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
    'DESK-04 quits on close without a tray, whatever the preference',
    async () => {
      const app = start({ env: { STANDIN_PLATFORM: 'linux', STANDIN_TRAY: 'none' } })
      await shown(app)
      await menuOf(app)
      await app.driver.invoke('preferences.set', [{ keepRunningInTray: true }])
      await app.driver.invoke('navigation.listen', [true])
      await app.driver.closeWindow()
      expect((await app.driver.inspect()).windows).toMatchObject([{ isVisible: false }])
      await pageAgrees(app)
      expect(await app.ended).toBe(0)
    },
  )

  test('DESK-04 on macOS the Dock shows the window after a login start and after closing, and its badge counts', async () => {
    const app = start({ env: { STANDIN_PLATFORM: 'darwin', STANDIN_LOGIN_START: 'yes' } })
    await setUp(app)
    await menuOf(app)
    await eventually(app.driver.inspect, ({ windows }) => windows[0]?.loads === 1)
    expect((await app.driver.inspect()).windows).toMatchObject([{ isVisible: false }])
    await app.driver.activate()
    expect((await app.driver.inspect()).windows).toMatchObject([{ isVisible: true }])
    await app.driver.handleWindow('enter-full-screen')
    await app.driver.closeWindow()
    const closed = await eventually(app.driver.inspect, ({ windows }) => windows[0]?.isVisible === false)
    expect(closed.record.hiddenInFullScreen).toBe(false)
    await app.driver.invoke('badge.set', [{ unread: 3 }])
    await app.driver.secondStart()
    const { windows, record } = await app.driver.inspect()
    expect(windows).toMatchObject([{ isVisible: true }])
    expect(record).toMatchObject({ badge: '3', appFocused: 2 })
    expect(record.order).not.toContain('notification permission')
    await app.driver.invoke('navigation.listen', [true])
    expect((await app.driver.inspect()).record.order).toContain('notification permission')
    expect(record.tray?.image).toMatch(/trayTemplate\.png$/)
    expect(await app.driver.menuLabels('application')).toContain('hideOthers')
    expect(await app.driver.menuLabels('dock')).toEqual(['New Post', 'Messages'])
    await app.driver.clickMenu('dock', 'Messages')
    expect(await sentTo(app, 'navigate')).toEqual(['/messages'])
  })

  test('DESK-04 DESK-12 the unread count is on badge and tray; the jump list opens the app at a route', async () => {
    const app = start({ env: { STANDIN_PLATFORM: 'win32' } })
    await shown(app)
    await setUp(app)
    await app.driver.invoke('badge.set', [{ unread: 12 }])
    const { record } = await app.driver.inspect()
    expect(record.badge).toBe('9+ unread')
    expect(record.tray?.image).toMatch(/tray-unread\.ico$/)
    expect(record.tray?.toolTip).toBe('Vignette · 9+ unread')
    expect(await app.driver.menuLabels('tray')).toContain('Open Vignette (9+ unread)')
    expect(record.userTasks).toEqual([
      { title: 'New Post', arguments: 'vignette://create' },
      { title: 'Messages', arguments: 'vignette://messages' },
    ])
  })

  test('DESK-19 uploads show their progress as each system can, until the page is gone', async () => {
    const half = { fraction: 0.5, isWaiting: false }
    const cases = [
      {
        platform: 'win32',
        shown: { fraction: 0.5, mode: 'normal' },
        waits: { fraction: 0.5, mode: 'paused' },
      },
      {
        platform: 'darwin',
        shown: { fraction: 0.5, mode: 'normal' },
        waits: { fraction: 0.5, mode: 'normal' },
      },
      {
        platform: 'linux',
        shown: { fraction: 0.5, mode: 'normal' },
        waits: { fraction: 0.5, mode: 'normal' },
      },
      { platform: 'linux', shown: null, waits: null, entry: 'none' },
    ]
    for (const { platform, shown: expected, waits, entry } of cases) {
      const app = start({ env: { STANDIN_PLATFORM: platform, STANDIN_DESKTOP_ENTRY: entry } })
      const progress = async () => (await app.driver.inspect()).record.progress
      await shown(app)
      await eventually(app.driver.inspect, ({ record }) => record.tray !== null)
      await app.driver.invoke('navigation.listen', [true])
      for (const wrong of [{ fraction: 1.5, isWaiting: false }, { ...half, mode: 'error' }, -1]) {
        expect(await app.driver.invoke('uploads.show', [wrong])).toMatchObject({ ok: false })
      }
      expect(await app.driver.invoke('uploads.show', [half])).toEqual({ ok: true, value: undefined })
      expect(await progress()).toEqual(expected)
      await app.driver.invoke('uploads.show', [{ ...half, isWaiting: true }])
      expect(await progress()).toEqual(waits)
      await app.driver.invoke('preferences.set', [{ keepRunningInTray: true }])
      // On Windows hiding the window removed its taskbar button and the progress.
      await app.driver.closeWindow()
      await app.driver.activate()
      expect(await progress()).toEqual(waits)
      await app.driver.crashPage()
      expect(await progress()).toBeNull()
      await app.kill()
    }
  })

  test('DESK-05 links open their profile: at a cold start, from a second instance, and from the system', async () => {
    const app = start({ args: ['vignette://profile/mara'] })
    await shown(app)
    expect(await app.driver.invoke('navigation.listen', [true])).toEqual({ ok: true, value: '/profile/mara' })
    await app.driver.secondStart(['--switch', 'vignette://profile/ilse'])
    await app.driver.openFromSystem('open-url', 'vignette://create')
    await app.driver.openFromSystem('open-url', 'vignette://profile/../../login')
    expect(await sentTo(app, 'navigate')).toEqual(['/profile/ilse', '/create'])
    await setUp(app)
    expect((await app.driver.inspect()).record.linkSchemes).toEqual(['vignette'])

    // Started again while it waits for the page before quitting.
    await app.driver.quit()
    await app.driver.secondStart(['vignette://profile/mara'])
    expect((await app.driver.inspect()).record.relaunches).toEqual([{ args: ['vignette://profile/mara'] }])
  })

  test('DESK-15 an AppImage registers its links and its icon by itself, and starts itself at login', async () => {
    const userData = newUserData()
    const content = join(built.folder(), 'mounted')
    const image = join(built.folder(), 'Vignette.AppImage')
    await writeImageContent(content)
    await writeFile(image, '')
    const env = {
      STANDIN_PLATFORM: 'linux',
      STANDIN_DESKTOP_ENTRY: 'none',
      STANDIN_PROGRAM: join(content, 'vignette'),
      APPIMAGE: image,
      APPDIR: content,
    }
    const autostart = join(userData, 'xdg-config', 'autostart', 'app.vignette.desktop')
    await mkdir(dirname(autostart), { recursive: true })
    await writeFile(autostart, '[Desktop Entry]\nExec="/old/Vignette-0.1.0.AppImage" --hidden\n')
    const app = start({ userData, env })
    await shown(app)
    await setUp(app)
    expect(await app.driver.invoke('system.abilities', [])).toMatchObject({ value: { links: true } })
    await app.driver.invoke('badge.set', [{ unread: 3 }])
    expect((await app.driver.inspect()).record.badge).toBe('3')
    await eventually(
      () => readFile(autostart, 'utf8'),
      (entry) => entry === `[Desktop Entry]\nExec="${image}" --hidden\n`,
    )
    // A member's page, for which it waits before it ends.
    await app.driver.invoke('navigation.listen', [true])
    await app.driver.invoke('system.restart', [])
    expect((await app.driver.inspect()).record.relaunches).toEqual([
      { execPath: image, args: ['--appimage-extract-and-run'] },
    ])
  })

  test('DESK-15 the AppImage of another app is not started, replaced or put into the menu', async () => {
    const userData = newUserData()
    const app = start({
      userData,
      env: {
        STANDIN_PLATFORM: 'linux',
        STANDIN_DESKTOP_ENTRY: 'none',
        APPIMAGE: '/home/ana/Other.AppImage',
        APPDIR: built.folder(),
      },
    })
    await shown(app)
    expect(await app.driver.invoke('system.abilities', [])).toMatchObject({ value: { links: false } })
    await app.driver.invoke('preferences.set', [{ startAtLogin: true }])
    const autostart = join(userData, 'xdg-config', 'autostart', 'app.vignette.desktop')
    expect(await readFile(autostart, 'utf8')).toContain(`Exec="${process.execPath}" --hidden`)
    // A member's page, for which it waits before it ends.
    await app.driver.invoke('navigation.listen', [true])
    await app.driver.invoke('system.restart', [])
    expect((await app.driver.inspect()).record.relaunches).toEqual([{ args: [] }])
  })

  test('DESK-18 two crashes of the GPU process turn hardware acceleration off at the next start', async () => {
    const userData = newUserData()
    const app = start({ userData })
    await shown(app)
    await app.driver.invoke('preferences.get', [])
    await app.driver.crashGraphics()
    await app.driver.crashGraphics()
    expect((await app.driver.inspect()).record.isAccelerated).toBe(true)
    await app.driver.handleWindow('blur')
    await app.driver.handleWindow('focus')
    await eventually(
      () => sentTo(app, 'preferences.changed'),
      ([changed]) => (changed as Preferences | undefined)?.hardwareAcceleration === 'crashed',
    )
    await app.kill()

    const next = start({ userData })
    await shown(next)
    expect((await next.driver.inspect()).record.isAccelerated).toBe(false)
    expect(await next.driver.invoke('system.abilities', [])).toMatchObject({ value: { acceleration: false } })
    await next.driver.invoke('preferences.set', [{ hardwareAcceleration: 'on' }])
    await next.kill()
    const last = start({ userData })
    await shown(last)
    expect((await last.driver.inspect()).record.isAccelerated).toBe(true)
  })

  test('DESK-19 an app that macOS runs from the downloads offers once to move to the Applications folder', async () => {
    const question = 'Move Vignette to the Applications folder?'
    const env = { STANDIN_PLATFORM: 'darwin', STANDIN_FOLDER: 'downloads' }
    const asked = (app: LaunchedApp) =>
      eventually(app.driver.inspect, ({ record }) => record.messageBoxes.includes(question))
    const refusing = start({ env: { ...env, STANDIN_MOVE: 'fails' } })
    await asked(refusing)
    await refusing.driver.pressInDialog('Move to Applications')
    const { record } = await eventually(refusing.driver.inspect, ({ record }) => record.errorBoxes.length > 0)
    expect(record.errorBoxes[0]).toContain('Vignette was not moved')

    const moving = start({ env })
    await asked(moving)
    await moving.driver.pressInDialog('Move to Applications').catch(() => undefined)
    expect(await moving.ended).toBe(0)

    const userData = newUserData()
    const hints = join(userData, 'hints.json')
    const staying = start({ userData, env })
    await asked(staying)
    await staying.driver.pressInDialog('Not Now')
    await eventually(
      () => readFile(hints, 'utf8').catch(() => ''),
      (text) => text.includes('"applications": true'),
    )
    expect((await staying.driver.inspect()).record.moves).toBe(0)
    await staying.kill()
    for (const later of [{ userData, env }, { env: { ...env, STANDIN_FOLDER: 'applications' } }]) {
      const app = start(later)
      await setUp(app)
      await menuOf(app)
      expect((await app.driver.inspect()).record.messageBoxes).toEqual([])
    }
  })

  test.each(['linux', 'win32', 'darwin'])(
    'DESK-19 diagnostics on %s name package, sandbox, graphics and key store',
    async (platform) => {
      const args = platform === 'linux' ? ['--no-sandbox'] : []
      const env = { STANDIN_PLATFORM: platform, XDG_CURRENT_DESKTOP: 'GNOME', XDG_SESSION_TYPE: 'x11' }
      const app = start({ args, env })
      await shown(app)
      expect(await app.driver.invoke('help.copyDiagnostics', [])).toMatchObject({ ok: true })
      const { clipboard } = (await app.driver.inspect()).record
      const [type, sandbox, store] =
        {
          linux: ['unpacked', 'off', 'gnome_libsecret'],
          win32: ['nsis', 'on', 'DPAPI'],
          darwin: ['app', 'on', 'Keychain'],
        }[platform] ?? []
      expect(clipboard).toContain(`Package: ${type}, sandbox ${sandbox}\n`)
      expect(clipboard).toContain('Graphics: acceleration on; gpu_compositing enabled')
      expect(clipboard).toContain(`Key store: ${store}\n`)
      expect(await app.driver.invoke('system.abilities', [])).toMatchObject({
        value: { sandbox: sandbox === 'on' },
      })
    },
  )

  test('STORY-08 starts a story with a video that it is opened with, and serves it in parts', async () => {
    const path = join(built.folder(), 'sea.mov')
    await writeFile(path, new Uint8Array([0, 1, 2, 3]))
    const app = start({ args: [path] })
    await shown(app)
    expect(await app.driver.invoke('navigation.listen', [true])).toEqual({ ok: true, value: '/?story=new' })
    await app.driver.openFromSystem('open-file', path)
    expect(await sentTo(app, 'navigate')).toEqual(['/?story=new'])
    expect(await sentTo(app, 'files.opened')).toEqual([null, null])
    expect(await app.driver.invoke('files.takeOpened', [])).toEqual({ ok: true, value: null })
    const taken = await app.driver.invoke('files.takeOpenedVideo', [])
    expect(taken).toMatchObject({ ok: true, value: { name: 'sea.mov', size: 4 } })
    const { url } = (taken as { value: { url: string } }).value
    expect(await app.driver.fetch(`app://bundle${url}`)).toMatchObject({
      status: 200,
      body: '\0\x01\x02\x03',
      headers: { 'accept-ranges': 'bytes' },
    })
  })

  test('DESK-03 a file opened before a sign-out is not for the member who signs in next, one opened after it is', async () => {
    const path = join(built.folder(), 'sea.mov')
    await writeFile(path, new Uint8Array([0, 1, 2, 3]))
    const app = start({ args: [path] })
    await shown(app)
    const take = () => app.driver.invoke('files.takeOpenedVideo', [])
    expect(await app.driver.invoke('files.forgetOpened', [])).toMatchObject({ ok: true })
    expect(await take()).toEqual({ ok: true, value: null })
    await app.driver.openFromSystem('open-file', path)
    expect(await take()).toMatchObject({ ok: true, value: { name: 'sea.mov' } })
  })

  test('DESK-12 the context menu saves and copies a picture, corrects a word and adds it to the dictionary', async () => {
    const app = start({ env: { STANDIN_PLATFORM: 'darwin' } })
    await shown(app)
    const saved = join(built.folder(), 'saved.png')
    await app.driver.chooseFile(saved)
    const srcURL = `data:image/png;base64,${Buffer.from('picture').toString('base64')}`
    await app.driver.rightClick({ mediaType: 'image', hasImageContents: true, srcURL, x: 3, y: 4 })
    await app.driver.clickMenu('context', 'Copy Picture')
    await app.driver.clickMenu('context', 'Save Picture As…')
    expect(await sentTo(app, 'files.pictureAsked')).toEqual([srcURL])
    await app.driver.invoke('files.savePicture', [{ author: 'ana', date: '2026-11-26', bytes: null }])
    await eventually(
      () => readFile(saved, 'utf8').catch(() => ''),
      (text) => text === 'picture',
    )
    const editFlags = {
      canUndo: true,
      canRedo: true,
      canCut: true,
      canCopy: true,
      canPaste: true,
      canDelete: true,
      canSelectAll: true,
      canEditRichly: false,
    }
    await app.driver.rightClick({
      isEditable: true,
      editFlags,
      selectionText: 'ligth',
      misspelledWord: 'ligth',
      dictionarySuggestions: ['light'],
    })
    for (const entry of ['light', 'Add to Dictionary', 'Look Up “ligth”'])
      await app.driver.clickMenu('context', entry)
    expect((await app.driver.inspect()).record.editing).toEqual([
      'copy picture at 3,4',
      'replace light',
      'learn ligth',
      'look up',
    ])
  })

  test('DESK-12 start at login follows the system setting, and spell checker languages persist', async () => {
    const userData = newUserData()
    const app = start({ userData, env: { STANDIN_PLATFORM: 'win32' } })
    await shown(app)
    const preferences = () => app.driver.invoke('preferences.get', [])
    expect(await app.driver.invoke('system.abilities', [])).toMatchObject({
      value: { spellCheck: { available: expect.arrayContaining(['de', 'en-GB']), suggested: 'de' } },
    })
    const { record } = await app.driver.inspect()
    expect(record).toMatchObject({ spellCheckerLanguages: [], dictionaries: [] })
    await app.driver.invoke('preferences.set', [{ startAtLogin: true, spellCheckLanguages: ['de', 'tlh'] }])
    expect(await preferences()).toMatchObject({ value: { startAtLogin: true } })
    await app.driver.turnLoginItemOff()
    await app.driver.handleWindow('blur')
    await app.driver.handleWindow('focus')
    const calls = await eventually(
      () => sentTo(app, 'preferences.changed'),
      (values) => values.length > 1,
    )
    expect(calls.at(-1)).toMatchObject({ startAtLogin: false })
    expect(await preferences()).toMatchObject({ value: { startAtLogin: false } })
    expect((await app.driver.inspect()).record).toMatchObject({
      spellCheckerLanguages: ['de'],
      dictionaries: ['https://redirector.gvt1.com/edgedl/chrome/dict/de'],
    })
    await app.driver.quit().catch(() => undefined)
    await app.ended

    const again = start({ userData, env: { STANDIN_PLATFORM: 'linux' } })
    await shown(again)
    expect((await again.driver.inspect()).record.spellCheckerLanguages).toEqual(['de'])
    await again.driver.quit().catch(() => undefined)
    await again.ended

    const onMac = start({ userData, env: { STANDIN_PLATFORM: 'darwin' } })
    await shown(onMac)
    expect(await onMac.driver.invoke('system.abilities', [])).toMatchObject({ value: { spellCheck: null } })
  })

  test('DESK-19 crash dumps are kept from the start after the member turned them on, and deleted at Sign Out', async () => {
    const userData = newUserData()
    const app = start({ userData })
    await shown(app)
    expect((await app.driver.inspect()).record.crashReporter).toBeNull()
    await app.driver.invoke('preferences.set', [{ keepCrashDumps: true }])
    await app.driver.quit().catch(() => undefined)
    await app.ended

    const again = start({ userData })
    await shown(again)
    expect((await again.driver.inspect()).record.crashReporter).toEqual({ uploadToServer: false })
    expect(await again.driver.invoke('system.abilities', [])).toMatchObject({ value: { crashDumps: true } })
    const dumps = join(userData, 'Crashpad')
    await writeFile(join(dumps, '1.dmp'), 'messages')
    await again.driver.invoke('session.removeItem', ['vignette.session.embedded'])
    await eventually(
      () => readdir(dumps),
      (names) => names.length === 0,
    )
  })

  test('help opens log and data folder, and copies a report without personal data', async () => {
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

  test('DESK-13 restarts a crashed page or backend, and tells the page that the computer woke up', async () => {
    const userData = newUserData()
    const app = start({ userData })
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

    await served(app)
    await app.driver.failBackend()
    await eventually(app.driver.inspect, ({ record }) => record.forks.length === 2)
    expect(await readFile(join(userData, 'logs', 'main.log'), 'utf8')).toContain(
      'backend: FatalError in v8::Heap',
    )
    expect((await app.driver.inspect()).record.errorBoxes).toEqual([])

    for (const [leave, comeBack] of [
      ['lock-screen', 'unlock-screen'],
      ['user-did-resign-active', 'user-did-become-active'],
    ] as const) {
      await app.driver.power(leave)
      expect(await app.driver.invoke('window.state', [])).toMatchObject({
        value: { isVisible: false, isFocused: false },
      })
      await app.driver.power(comeBack)
    }
    expect(await app.driver.invoke('window.state', [])).toMatchObject({ value: { isVisible: true } })
  })

  test.each([
    ['darwin', 'swipe', 'left', 'right'],
    ['win32', 'app-command', 'browser-backward', 'browser-forward'],
    // Chromium answers the side buttons of the mouse.
    ['linux', 'app-command', null, null],
  ] as const)('DESK-16 on %s the menu and %s go back and forward', async (platform, event, back, forward) => {
    const app = start({ env: { STANDIN_PLATFORM: platform } })
    await shown(app)
    await menuOf(app)
    await app.driver.clickMenu('application', 'Back')
    await app.driver.clickMenu('application', 'Forward')
    await app.driver.command(event, back ?? 'browser-backward')
    await app.driver.command(event, forward ?? 'browser-forward')
    await app.driver.command(event, 'up')
    const once = ['back', 'forward']
    expect((await app.driver.inspect()).record.history).toEqual(back === null ? once : [...once, ...once])
  })

  test('roles of menu items act: reload, copy, zoom, about, close and quit', async () => {
    const app = start({ env: { STANDIN_PLATFORM: 'darwin' } })
    const before = await shown(app)
    await menuOf(app)
    const click = (role: string) => app.driver.clickMenu('application', role)
    for (const role of ['reload', 'copy', 'zoomIn', 'about']) await click(role)
    const { record, windows } = await eventually(
      app.driver.inspect,
      (now) => (now.windows[0]?.loads ?? 0) > (before.windows[0]?.loads ?? 0),
    )
    expect(record).toMatchObject({ editing: ['copy', 'zoomIn'], aboutPanels: 1 })
    expect(windows[0]?.url).toBe('app://bundle/')
    await click('close')
    await eventually(app.driver.inspect, (now) => now.windows[0]?.isVisible === false)
    await click('quit').catch(() => undefined)
    expect(await app.ended).toBe(0)
  })

  test('on Linux the About panel has name, version and icon, and Ctrl and W closes', async () => {
    const app = start({ env: { STANDIN_PLATFORM: 'linux' } })
    await shown(app)
    await menuOf(app)
    await app.driver.clickMenu('application', 'about')
    expect((await app.driver.inspect()).record).toMatchObject({
      aboutPanels: 1,
      about: {
        applicationName: 'Vignette',
        applicationVersion: '0.0.0',
        iconPath: expect.stringMatching(/\.png$/),
      },
    })
    await app.driver.clickMenu('application', 'close').catch(() => undefined)
    expect(await app.ended).toBe(0)
  })

  test('DESK-14 a computer that nobody uses, or whose screen is locked, counts as away', async () => {
    const app = start({ env: { STANDIN_PLATFORM: 'linux' } })
    await shown(app)
    await app.driver.invoke('navigation.listen', [true])
    const state = () => app.driver.invoke('window.state', [])
    const [away, there] = [
      { isVisible: false, isFocused: false },
      { isVisible: true, isFocused: true },
    ]
    expect(await state()).toMatchObject({ value: there })
    for (const [seconds, isLocked] of [
      [120, false],
      [1, true],
    ] as const) {
      await app.driver.setIdle(seconds, isLocked)
      await eventually(
        () => sentTo(app, 'window.changed'),
        (sent) => JSON.stringify(sent.at(-1)) === JSON.stringify(away),
      )
      expect(await state()).toMatchObject({ value: away })
      await app.driver.setIdle(0, false)
      expect(await state()).toMatchObject({ value: there })
      await eventually(
        () => sentTo(app, 'window.changed'),
        (sent) => JSON.stringify(sent.at(-1)) === JSON.stringify(there),
      )
    }
  })

  test('DESK-06 moves the window back from a removed display, at once and at the next start', async () => {
    const userData = newUserData()
    const [first, second] = [
      { x: 0, y: 0, width: 1280, height: 800 },
      { x: 1280, y: 0, width: 1280, height: 800 },
    ]
    const app = start({ userData, env: { STANDIN_DISPLAYS: JSON.stringify([first, second]) } })
    await shown(app)
    const bounds = { x: 1400, y: 50, width: 900, height: 700 }
    const place = async (of: LaunchedApp) => (await of.driver.inspect()).windows[0]?.bounds
    await app.driver.moveWindow(bounds)
    await app.driver.setDisplays([first])
    expect(await place(app)).toEqual({ ...bounds, x: 380 })
    await app.driver.moveWindow(bounds)
    await app.driver.quit().catch(() => undefined)
    await app.ended

    const again = start({ userData, env: { STANDIN_DISPLAYS: JSON.stringify([first]) } })
    await shown(again)
    await eventually(again.driver.inspect, ({ windows }) => windows[0]?.isVisible === true)
    // The frame is where the window was put.
    expect(await place(again)).toEqual({ ...bounds, x: 381 })
  })

  test('DESK-06 on X11 four restarts leave the window where it is', async () => {
    const userData = newUserData()
    const placed: unknown[] = []
    for (let run = 0; run < 5; run++) {
      const app = start({ userData, env: { STANDIN_PLATFORM: 'linux' } })
      await shown(app)
      placed.push((await app.driver.inspect()).windows[0]?.bounds)
      await app.driver.quit().catch(() => undefined)
      await app.ended
    }
    expect(placed[0]).toEqual({ x: 371, y: 127, width: 1180, height: 860 })
    expect(placed.slice(1)).toEqual(Array.from({ length: 4 }, () => placed[0]))
  })

  test('DESK-09 shows the window without ready-to-show, with tray, menu and links; before it there is no menu', async () => {
    const app = start({ env: { STANDIN_READY_TO_SHOW: 'never', STANDIN_FOCUS: 'refused' } })
    await shown(app)
    await setUp(app)
    await menuOf(app)
    const { order } = (await app.driver.inspect()).record
    expect(order.slice(0, 2)).toEqual(['no menu', 'window'])
    expect(order.slice(2).sort()).toEqual(['links', 'menu', 'page', 'tray'])
  })

  test('after the start, a changed document is written once and nothing else is accessed synchronously', async () => {
    const app = start()
    await shown(app)
    await setUp(app)
    const syncCalls = async () => (await app.driver.inspect()).record.syncCalls
    // The files read at startup are recorded, so the recording works.
    expect((await syncCalls()).filter((call) => call.startsWith('readFileSync')).length).toBeGreaterThan(2)

    const photo = join(built.folder(), 'photo.png')
    await writeFile(photo, 'bytes')
    await app.driver.chooseFile(photo)
    const key = 'vignette.session.embedded'
    const calls: [string, unknown[]][] = [
      ['files.pick', ['photo']],
      ['preferences.set', [{ theme: 'dark', keepRunningInTray: true }]],
      ['session.setItem', [key, '{"access_token":"x"}']],
      ['session.getItem', [key]],
      ['session.removeItem', [key]],
      ['log.write', ['warn', 'a line of the page']],
      ['notifications.show', [message('m1')]],
      ['badge.set', [{ unread: 3 }]],
      ['help.copyDiagnostics', []],
      ['server.check', [{ url: 'http://127.0.0.1:1', publishableKey: 'sb_publishable_x' }]],
    ]
    const written: Record<string, string> = {
      'preferences.set': 'preferences.json',
      'session.setItem': 'sessions.json',
      'session.removeItem': 'sessions.json',
    }
    for (const [channel, args] of calls) {
      const before = (await syncCalls()).length
      expect(await app.driver.invoke(channel, args), channel).toMatchObject({ ok: true })
      const made = (await syncCalls()).slice(before)
      const document = written[channel]
      if (document === undefined) expect(made, channel).toEqual([])
      else {
        const replaced = made.filter((call) => call.startsWith('renameSync')).map((call) => basename(call))
        expect(replaced, channel).toEqual([expect.stringMatching(`^${document}\\.tmp-`)])
      }
    }
    await served(app)
    const before = await syncCalls()
    await app.driver.killBackend()
    await eventually(app.driver.inspect, ({ record }) => record.forks.length === 2)
    expect((await syncCalls()).slice(before.length)).toEqual([])
  })

  test('on Windows a development run does not change the shortcut of an installed Vignette', async () => {
    const app = start({ env: { STANDIN_PLATFORM: 'win32', STANDIN_PACKAGED: 'no' } })
    await shown(app)
    await app.driver.invoke('notifications.show', [message('m1')])
    const { record } = await eventually(app.driver.inspect, ({ record }) => record.notifications.length > 0)
    expect(record.shortcut).toBe('Vignette Development.lnk')
    expect(record.appUserModelId).not.toBe(APP_ID)
  })

  test('handles every event that it listens to, and this test emits all of them', async () => {
    const events = join(built.folder(), 'events.log')
    const userData = newUserData()
    const app = start({ userData, env: { STANDIN_PLATFORM: 'linux', STANDIN_EVENTS: events } })
    const { driver } = app
    await setUp(app)
    await menuOf(app)
    const before = await shown(app)
    await driver.clickTray()
    await driver.activate()
    expect((await driver.inspect()).record.shown).toBe(before.record.shown + 2)
    expect(await driver.invoke('find.search', ['light', { isForward: true, isNew: true }])).toEqual({
      ok: true,
      value: { active: 0, matches: 0 },
    })
    expect(await driver.invoke('find.stop', ['clearSelection'])).toEqual({ ok: true, value: undefined })
    await driver.rightClick({ linkURL: 'https://example.com/' })
    expect((await driver.inspect()).record.popups).toEqual([['Copy Link']])
    expect(await driver.redirect('https://example.com/')).toBe(true)
    expect(await driver.attachWebview()).toBe(true)
    expect(await driver.navigate('app://bundle/create')).toBe(false)
    for (const id of ['1', '2']) {
      expect(await driver.download(`blob:app://bundle/${id}`, 'vignette.zip')).toBe(true)
      await driver.endDownload(`blob:app://bundle/${id}`)
    }
    await driver.openFromSystem('open-url', 'vignette://create')
    await driver.openFromSystem('open-file', join(built.folder(), 'sea.jpg'))
    await driver.secondStart()
    await driver.invoke('preferences.set', [{ theme: 'dark' }])
    expect((await driver.inspect()).windows[0]?.options.backgroundColor).toBe('#131110')

    // After a display got smaller, the window moves back once it is neither maximized nor full screen.
    const area = { x: 0, y: 0, width: 1200, height: 800 }
    for (const [out, back] of [
      ['maximize', 'unmaximize'],
      ['enter-full-screen', 'leave-full-screen'],
      ['enter-html-full-screen', 'leave-html-full-screen'],
      ['minimize', 'restore'],
    ] as const) {
      await driver.moveWindow({ x: 0, y: 0, width: 900, height: 700 })
      await driver.handleWindow(out)
      await driver.moveWindow({ x: 5_000, y: 0, width: 900, height: 700 })
      await driver.setDisplays([area])
      await driver.handleWindow(back)
      await eventually(driver.inspect, ({ windows }) => windows[0]?.bounds.x === 300)
    }
    await driver.setDisplays([area, { ...area, x: 1200 }])
    await driver.setDisplays([area])
    await driver.handleWindow('blur')
    await driver.handleWindow('focus')
    for (const [leave, comeBack] of [
      ['lock-screen', 'unlock-screen'],
      ['suspend', 'resume'],
      ['user-did-resign-active', 'user-did-become-active'],
    ] as const) {
      await driver.power(leave)
      expect(await driver.invoke('window.state', [])).toMatchObject({ value: { isFocused: false } })
      await driver.power(comeBack)
      expect(await driver.invoke('window.state', [])).toMatchObject({ value: { isFocused: true } })
    }

    await served(app)
    await driver.failBackend()
    await eventually(driver.inspect, ({ record }) => record.forks.length === 2)
    await driver.failLoad()
    await driver.handleWindow('unresponsive')
    expect((await driver.inspect()).record.messageBoxes).toEqual(['Vignette does not respond'])
    await driver.handleWindow('responsive')
    await driver.handleWindow('unresponsive')
    const { loads = 0 } = (await driver.inspect()).windows[0] ?? {}
    await driver.pressInDialog('Reload')
    await eventually(driver.inspect, ({ windows }) => (windows[0]?.loads ?? 0) > loads)
    await driver.crashPage()
    expect(await driver.invoke('recovery.take', [])).toEqual({ ok: true, value: true })
    await driver.invoke('navigation.listen', [true])
    await driver.closeWindow()
    await driver.endSession()
    await driver.destroyWindow().catch(() => undefined)
    await driver.invoke('quit.agree', []).catch(() => undefined)
    expect(await app.ended).toBe(0)
    const log = await readFile(join(userData, 'logs', 'main.log'), 'utf8')
    expect(log).toContain('page not loaded: ERR_CONNECTION_REFUSED')
    expect(log).toContain('page unresponsive')
    expect(log).toContain('process gone: Utility, killed')

    const onWindows = start({ env: { STANDIN_PLATFORM: 'win32', STANDIN_EVENTS: events } })
    await shown(onWindows)
    const notify = (id: string) => onWindows.driver.invoke('notifications.show', [message(id)])
    await notify('m1')
    await eventually(onWindows.driver.inspect, ({ record }) => record.notifications.length === 1)
    await onWindows.driver.clickNotification()
    await onWindows.driver.closeNotification()
    await onWindows.driver.setNotifications('refuse')
    await notify('m2')
    await eventually(
      () => readFile(events, 'utf8'),
      (text) => text.includes('emits Notification failed'),
    )
    await onWindows.driver.command('app-command', 'browser-backward')
    expect(await onWindows.driver.endSession()).toBe(false)
    expect(await onWindows.ended).toBe(0)

    const lines = (await readFile(events, 'utf8')).trimEnd().split('\n')
    const named = (prefix: string) =>
      new Set(lines.filter((line) => line.startsWith(prefix)).map((line) => line.slice(prefix.length)))
    const [listened, stopped, emitted] = [named('listens '), named('stops '), named('emits ')]
    expect([...listened].filter((event) => !emitted.has(event) && !stopped.has(event))).toEqual([])
    expect(listened.size).toBeGreaterThan(40)
  })
})
