import { startConversation, write } from '../support/conversations'
import { message } from '../support/messages-page'
import { insertPosts } from '../support/posts'
import { newMember, signIn } from './support/members'
import { appPlatform, expect, test } from './support/test'

const MOD = appPlatform === 'darwin' ? 'Meta' : 'Control'

test('DESK-12 MSG-14 the find bar finds texts of the page, keeps the focus while the member types, and leaves the match selected', {
  tag: '@long',
}, async ({ desktop }) => {
  const app = await desktop.start()
  const [member, anna] = [await newMember(app), await newMember(app, { fullName: 'Anna Berg' })]
  const id = await startConversation(anna, member)
  await write(anna, id, 'Is the darkroom free?')
  await insertPosts(anna, 3, { content: (index) => `Heron ${index} of the lake, a grey heron` })
  await signIn(app, member)
  const { page } = app
  await expect(page.getByText('Heron 0 of the lake')).toBeVisible()
  const field = page.getByLabel('Find', { exact: true })
  const bar = page.getByRole('search', { name: 'Find in page' })
  const status = bar.getByRole('status')
  const selected = () => page.evaluate(() => String(document.getSelection()))

  await test.step('it opens with the keys, and counts the matches without its own field and count', async () => {
    await page.keyboard.press(`${MOD}+f`)
    await expect(field).toBeFocused()
    await page.keyboard.type('heron')
    await expect(status).toHaveText('1 of 6')
    await expect(field).toBeFocused()
    // The count has an 'of', and so has each post.
    await field.fill('of')
    await expect(status).toHaveText('1 of 3')
    await field.press('Enter')
    await expect(status).toHaveText('2 of 3')
  })

  await test.step('keys typed while it searches arrive, in the right place', async () => {
    await field.fill('')
    await field.pressSequentially('grey xheron', { delay: 40 })
    for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Backspace')
    await expect(field).toHaveValue('grey heron')
    // It goes on at the match of the text before.
    await expect(status).toHaveText(/^\d of 3$/)
    await expect(field).toBeFocused()
    await page.keyboard.press('s')
    await expect(field).toHaveValue('grey sheron')
    await expect(status).toHaveText('No results')
    await page.keyboard.press('Backspace')
    await expect(status).toHaveText('1 of 3')
  })

  await test.step('Enter, F3 and the buttons go on, with Shift back, and around the ends', async () => {
    for (const [keys, expected] of [
      ['Enter', '2 of 3'],
      ['F3', '3 of 3'],
      [`${MOD}+g`, '1 of 3'],
      ['Shift+F3', '3 of 3'],
      [`${MOD}+Shift+g`, '2 of 3'],
      ['Shift+Enter', '1 of 3'],
    ] as const) {
      await page.keyboard.press(keys)
      await expect(status).toHaveText(expected)
      await expect(field).toBeFocused()
    }
    await bar.getByRole('button', { name: 'Previous match' }).click()
    await expect(status).toHaveText('3 of 3')
    await bar.getByRole('button', { name: 'Next match' }).click()
    await expect(status).toHaveText('1 of 3')
  })

  await test.step('the keys of an input method are its own', async () => {
    await field.focus()
    const session = await page.context().newCDPSession(page)
    await field.fill('')
    await session.send('Input.imeSetComposition', { text: 'her', selectionStart: 3, selectionEnd: 3 })
    for (const key of ['Enter', 'Escape']) {
      await session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key, windowsVirtualKeyCode: 229 })
    }
    await expect(bar).toBeVisible()
    await expect(status).toHaveText('')
    await session.send('Input.insertText', { text: 'heron' })
    await expect(status).toHaveText('2 of 6')
    await page.keyboard.press('Enter')
    await expect(status).toHaveText('3 of 6')
  })

  await test.step('Escape closes it, and the match is selected', async () => {
    await field.fill('heron')
    await expect(status).toHaveText(/^\d of 6$/)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await expect(bar).toBeHidden()
    await expect.poll(async () => (await selected()).toLowerCase()).toBe('heron')
    // The letters are shortcuts again.
    await page.keyboard.press('Escape')
  })

  await test.step('the menu opens it with the last text, and without a match the focus returns', async () => {
    const home = page.getByRole('link', { name: 'Home', exact: true })
    await home.focus()
    await app.clickMenu('Find…')
    await expect(field).toBeFocused()
    await expect(field).toHaveValue('heron')
    await page.keyboard.type('no such words')
    await expect(status).toHaveText('No results')
    await bar.getByRole('button', { name: 'Close find bar' }).click()
    await expect(home).toBeFocused()
  })

  await test.step('it closes on another page and when a dialog opens, and not at all opens over one', async () => {
    await page.keyboard.press(`${MOD}+f`)
    await expect(bar).toBeVisible()
    await page.getByRole('link', { name: 'Home', exact: true }).focus()
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
    await expect(bar).toBeHidden()
    await page.keyboard.press(`${MOD}+f`)
    await app.clickMenu('Find…')
    // The answer comes after the menu's event.
    await page.evaluate(() => window.desktop?.window.state())
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(bar).toBeHidden()

    await page.keyboard.press(`${MOD}+f`)
    await expect(bar).toBeVisible()
    await page.getByRole('link', { name: /^Messages/ }).click()
    await expect(page.getByRole('heading', { name: 'Your Messages' })).toBeVisible()
    await expect(bar).toBeHidden()
  })

  await test.step('MSG-14 in a conversation the keys and the menu open its own search', async () => {
    await app.startAgain([`vignette://messages/${id}`])
    await expect(message(page, 'Is the darkroom free?')).toBeVisible()
    for (const open of [() => page.keyboard.press(`${MOD}+f`), () => app.clickMenu('Find…')]) {
      await open()
      await expect(page.getByRole('dialog')).toBeVisible()
      await expect(bar).toBeHidden()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toBeHidden()
    }
  })
})
