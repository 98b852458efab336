import { lightTable } from '#/renderer/lib/texts/later/light-table'
import { startConversation, write } from '../support/conversations'
import { longStep } from '../support/long-step'
import { message } from '../support/messages-page'
import { insertPosts } from '../support/posts'
import { newMember, signIn } from './support/members'
import { appPlatform, expect, test } from './support/test'

const isMac = appPlatform === 'darwin'

test('FEED-20 DESK-04 DESK-05 DESK-06 DESK-07 DESK-12 DESK-16 links open in the window or the browser, the page can only use the bridge, and closing quits except on macOS', {
  tag: '@steps',
}, async ({ desktop }) => {
  const app = await desktop.start()
  const [member, anna] = [await newMember(app), await newMember(app, { fullName: 'Anna Berg' })]
  await anna.api
    .from('profiles')
    .update({ website: 'https://example.com/anna' })
    .eq('id', anna.id)
    .throwOnError()
  const id = await startConversation(anna, member)
  await write(anna, id, 'Is the darkroom free?')
  const [post = ''] = await insertPosts(anna, 1, { content: () => 'First light' })
  await signIn(app, member)
  const { page } = app

  await test.step('DESK-05 a second instance shows the first window at the profile, conversation or post of its link', async () => {
    await app.handleWindow('minimize')
    await expect.poll(app.window).toMatchObject({ isFocused: false })
    await app.startAgain([])
    await expect.poll(app.window).toMatchObject({ isVisible: true, isFocused: true })

    await app.startAgain([`vignette://profile/${anna.username}`])
    await expect(page.getByRole('heading', { name: anna.username })).toBeVisible()
    await app.startAgain([`vignette://messages/${id}`])
    await expect(message(page, 'Is the darkroom free?')).toBeVisible()
    await app.startAgain([`vignette://post/${post}`])
    await expect(page.getByRole('dialog').getByText('First light')).toBeVisible()

    // Invalid links are ignored: only the valid one after them is opened.
    const visited: string[] = []
    page.on('framenavigated', (frame) => visited.push(new URL(frame.url()).pathname))
    for (const hostile of [
      'vignette://profile/..%2F..%2Fsettings',
      'vignette://messages/x?c=1',
      'vignette://bundle/create',
      'vignette://post/javascript:alert(1)',
    ]) {
      await app.startAgain([hostile])
    }
    await app.startAgain([`vignette://profile/${member.username}`])
    await expect(page.getByRole('heading', { name: member.username })).toBeVisible()
    expect(visited).toEqual([`/profile/${member.username}`])
  })

  await test.step('FEED-20 the light table fills the screen, and Escape gives the window back before it closes the table', async () => {
    await app.startAgain([`vignette://post/${post}`])
    const table = page.getByRole('dialog')
    await expect(table.getByText('First light')).toBeVisible()
    await page.keyboard.press('f')
    await expect.poll(app.window).toMatchObject({ isFullScreen: true })
    await expect(table.getByRole('button', { name: lightTable.leaveFullScreen })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect.poll(app.window).toMatchObject({ isFullScreen: false })
    await expect(table.getByRole('button', { name: lightTable.fullScreen })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(table).toHaveCount(0)
  })

  await test.step('DESK-06 web links open in the browser, and navigation away is blocked', async () => {
    await app.startAgain([`vignette://profile/${anna.username}`])
    await page.getByRole('link', { name: /example\.com\/anna/ }).click()
    await expect.poll(app.openedExternally).toEqual(['https://example.com/anna'])
    const place = page.url()

    await page.evaluate(() => {
      location.href = 'https://example.com/elsewhere'
    })
    await expect.poll(app.openedExternally).toContain('https://example.com/elsewhere')
    await page.evaluate(() => {
      window.open('https://example.com/popup')
    })
    await expect.poll(app.openedExternally).toContain('https://example.com/popup')
    await expect.poll(() => page.context().pages().length).toBe(1)
    expect(page.url()).toBe(place)
  })
  const opened = await app.openedExternally()
  expect(opened).toHaveLength(3)

  await longStep('DESK-12 the menu opens routes, and a chosen spell checker language persists', async () => {
    await app.clickMenu('New Post')
    await expect(page).toHaveURL(/\/create$/)
    await app.startAgain(['vignette://settings'])
    const spelling = page.getByRole('switch', { name: 'Check spelling' })
    await expect(page.getByText('Copy diagnostics')).toBeVisible()
    // macOS detects the language itself.
    await expect(spelling).toHaveCount(isMac ? 0 : 1)
    if (isMac) return
    await spelling.click()
    await page.getByLabel('Add a language').selectOption('French')
    await expect(page.getByRole('button', { name: 'Remove French' })).toBeVisible()
    await page.reload()
    await expect(page.getByRole('button', { name: 'Remove French' })).toBeVisible()
  })

  await longStep('DESK-16 the menu and the side buttons of the mouse go back and forward', async () => {
    await app.clickMenu('New Post')
    await expect(page).toHaveURL(/\/create$/)
    await app.clickMenu('Back')
    await expect(page).toHaveURL(/\/settings$/)
    await app.clickMenu('Forward')
    await expect(page).toHaveURL(/\/create$/)
    const session = await page.context().newCDPSession(page)
    for (const type of ['mousePressed', 'mouseReleased'] as const)
      await session.send('Input.dispatchMouseEvent', { type, button: 'back', clickCount: 1, x: 2, y: 2 })
    await expect(page).toHaveURL(/\/settings$/)
  })

  await longStep(
    'DESK-16 a click that asks for a tab opens the link in the window, and Back returns',
    async () => {
      const messages = page.getByRole('link', { name: 'Messages' }).first()
      for (const click of [{ modifiers: ['ControlOrMeta' as const] }, { button: 'middle' as const }]) {
        await messages.click(click)
        await expect(page).toHaveURL(/\/messages$/)
        await page.goBack()
        await expect(messages).toBeVisible()
        await expect(page).toHaveURL(/\/settings$/)
      }
      expect(await app.openedExternally()).toEqual(opened)
    },
  )

  await test.step('DESK-07 the page has the bridge but no Node; frames and foreign scripts have neither, and invalid calls are refused', async () => {
    expect(desktop.problems.verdict()).toEqual([])
    desktop.problems.expect(/Content Security Policy/)
    const reach = await page.evaluate(() => ({
      host: window.desktop?.host,
      isFrozen: Object.isFrozen(window.desktop) && Object.isFrozen(window.desktop?.session),
      hasRequire: 'require' in window,
      hasProcess: 'process' in window,
    }))
    expect(reach).toEqual({ host: 'electron', isFrozen: true, hasRequire: false, hasProcess: false })

    const inFrame = await page.evaluate(() => {
      const frame = document.body.appendChild(document.createElement('iframe'))
      const hasBridge = frame.contentWindow !== null && 'desktop' in frame.contentWindow
      frame.remove()
      return hasBridge
    })
    expect(inFrame).toBe(false)

    const expected = ['connect-src', 'frame-src', 'script-src-elem', 'script-src-elem']
    const blocked = await page.evaluate(
      (count) =>
        new Promise<string[]>((resolve) => {
          const violations: string[] = []
          document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
            violations.push(effectiveDirective)
            if (violations.length === count) resolve(violations.sort())
          })
          const add = (name: 'script' | 'iframe', attributes: object) =>
            document.body.append(Object.assign(document.createElement(name), attributes))
          add('script', { textContent: 'window.hacked = true' })
          add('script', { src: 'https://example.com/script.js' })
          add('iframe', { src: 'https://example.com/' })
          fetch('https://example.com/').catch(() => undefined)
        }),
      expected.length,
    )
    expect(blocked).toEqual(expected)
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false)

    const refused = await page.evaluate(async () => {
      const { desktop } = window
      if (desktop === undefined) return []
      const wrong: (() => Promise<unknown>)[] = [
        () => desktop.session.getItem('vignette.session.elsewhere.example.com'),
        () => desktop.shell.openExternal('file:///etc/passwd'),
        () => desktop.shell.openExternal('javascript:alert(1)'),
        () => desktop.files.pick('passwords' as 'photo'),
        () => desktop.preferences.set(JSON.parse('{"__proto__":{"theme":"dark"},"isAdmin":true}')),
        () => desktop.badge.set({ unread: -1 }),
        () => desktop.log.write('info', 'x'.repeat(1_000_000)),
      ]
      return Promise.all(
        wrong.map((call) =>
          call().then(
            () => 'allowed',
            () => 'refused',
          ),
        ),
      )
    })
    expect(refused).toEqual(Array.from({ length: 7 }, () => 'refused'))
    expect(await app.openedExternally()).toEqual(opened)
  })

  await test.step('DESK-04 closing the window quits except on macOS', async () => {
    await page.evaluate(() => window.desktop?.preferences.set({ keepRunningInTray: false }))
    desktop.problems.stop()
    await app.closeWindow()
    if (isMac) await expect.poll(app.window).toMatchObject({ isVisible: false })
    else expect(await app.ended).toBe(0)
  })
})
