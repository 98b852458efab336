import { newMember, signIn } from './support/members'
import { expect, test } from './support/test'

const isMac = process.platform === 'darwin'

test('DESK-06 DESK-04 web links open in the browser, nothing leads the window away, and closing it quits except on macOS', async ({
  desktop,
}) => {
  const app = await desktop.start()
  const [member, anna] = [await newMember(app), await newMember(app)]
  const { error } = await anna.api
    .from('profiles')
    .update({ website: 'https://example.com/anna' })
    .eq('id', anna.id)
  expect(error).toBeNull()
  await signIn(app, member)
  const { page } = app
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
  expect(await app.openedExternally()).toHaveLength(3)

  desktop.problems.stop()
  await app.closeWindow()
  if (isMac) await expect.poll(app.window).toMatchObject({ isVisible: false })
  else expect(await app.ended).toBe(0)
})

test('DESK-07 the page has the bridge and nothing of Node; frames and foreign scripts have neither, wrong calls are refused', async ({
  desktop,
}) => {
  desktop.problems.expect(/Content Security Policy/)
  const app = await desktop.start()
  await signIn(app, await newMember(app))
  const { page } = app
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
  expect(await app.openedExternally()).toEqual([])
})
