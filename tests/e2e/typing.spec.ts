import type { CDPSession, Locator, Page } from '@playwright/test'
import { texts } from '#/renderer/lib/texts'
import { TEXT_LIMITS } from '#/shared/limits'
import { photoPath } from './fixtures/photos'
import { addStory, bubble, showStoriesOf, viewer } from './fixtures/stories'
import { startConversation, write } from './support/conversations'
import { chooseFiles } from './support/files'
import { nextFrames } from './support/frames'
import { longStep } from './support/long-step'
import { conversation, field, message } from './support/messages-page'
import { holdRequests } from './support/network'
import { insertPosts } from './support/posts'
import { expect, test } from './support/test'

/** Fields for which input methods are on. */
const TEXT_FIELDS =
  'textarea:not([readonly]):visible, input:is(:not([type]), [type=text], [type=search], [type=url], [type=email]):visible'

/** What keys could change: the page, its layers, the focus, what is chosen in a list, and the text. */
function stateOf(page: Page) {
  return page.evaluate(async () => {
    // Two frames: a handled key has changed the page by then.
    for (const _ of [1, 2]) await new Promise(requestAnimationFrame)
    const focused = document.activeElement
    const layers = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]:not([hidden])'
    return {
      address: location.href,
      layers: [...document.querySelectorAll(layers)].map(
        (layer) => layer.getAttribute('aria-labelledby') ?? layer.getAttribute('aria-label'),
      ),
      articles: document.querySelectorAll('[role=log] article').length,
      forms: [...document.querySelectorAll('form')].map((form) => form.hidden),
      active: focused?.getAttribute('aria-activedescendant'),
      focused:
        focused instanceof HTMLInputElement || focused instanceof HTMLTextAreaElement
          ? [focused.ariaLabel ?? focused.placeholder, focused.value, focused.selectionStart]
          : focused?.tagName,
    }
  })
}

const KEYS = ['ArrowDown', 'ArrowUp', 'ArrowLeft', 'Tab', 'Process', 'Enter', 'Escape']

async function pressTaken(cdp: CDPSession, key: string) {
  for (const type of ['rawKeyDown', 'keyUp'] as const)
    await cdp.send('Input.dispatchKeyEvent', { type, key, windowsVirtualKeyCode: 229 })
}

/**
 * Composes a word in the field with an input method, and presses keys meanwhile and just after it: nothing but the text may
 * change. Resolves with the name of the field.
 * @param options of the word that must be listed before the keys are pressed
 */
async function compose(page: Page, input: Locator, word = 'neko', options?: Locator): Promise<string> {
  const cdp = await page.context().newCDPSession(page)
  await input.focus()
  await cdp.send('Input.imeSetComposition', {
    text: word,
    selectionStart: word.length,
    selectionEnd: word.length,
  })
  await expect(input).toHaveValue(new RegExp(word))
  if (options !== undefined) await expect(options).toBeVisible()
  const before = await stateOf(page)
  for (const key of KEYS) {
    await pressTaken(cdp, key)
    expect(await stateOf(page), `${key} while composing`).toEqual(before)
  }
  await cdp.send('Input.insertText', { text: word })
  if (options !== undefined) await expect(options).toBeVisible()
  const ended = await stateOf(page)
  await pressTaken(cdp, 'Enter')
  expect(await stateOf(page), 'the late Enter').toEqual(ended)
  await cdp.detach()
  return input.evaluate(
    (element: HTMLInputElement) => element.ariaLabel ?? element.labels?.[0]?.textContent ?? '',
  )
}

/** Composes in each field of a layer. Resolves with the names of the fields. */
async function composeInAll(page: Page, layer: Locator): Promise<string[]> {
  await expect(layer.locator(TEXT_FIELDS).first()).toBeVisible()
  const names: string[] = []
  for (const input of await layer.locator(TEXT_FIELDS).all()) {
    names.push(await compose(page, input))
    await input.fill('')
  }
  return names
}

test('ACC-02 while an input method composes, its keys change nothing in the header and in messages', {
  tag: '@steps',
}, async ({ page, member, other }) => {
  const id = await startConversation(member, other)
  await write(member, id, 'An earlier line')
  await page.goto(`/messages?c=${id}`)
  await expect(message(page, 'An earlier line')).toBeVisible()
  const found = (name: string) =>
    page.getByRole('listbox', { name }).getByRole('option', { name: other.username })

  const search = page.getByRole('combobox', { name: texts.search.label, exact: true })
  await compose(page, search, other.username, found(texts.search.label))
  await longStep('in the search for members', async () => {
    await page.getByRole('button', { name: texts.messages.newConversation }).click()
    const users = page.getByRole('combobox', { name: texts.messages.searchPlaceholder })
    await compose(page, users, other.username, found(texts.messages.searchPlaceholder))
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect(users).toHaveCount(0)
  })

  await compose(page, field(page))
  await field(page).fill('@')
  await compose(page, field(page), other.username, page.getByRole('option', { name: other.username }))
  await field(page).fill('')
  await longStep('in the emoji picker', async () => {
    await page.getByRole('button', { name: texts.emoji.choose }).click()
    await composeInAll(page, page.getByRole('dialog', { name: texts.emoji.choose }))
    await page.keyboard.press('Escape')
  })
  await longStep('in an answer', async () => {
    await message(page, 'An earlier line').getByRole('button', { name: 'Message options' }).click()
    await page.getByRole('menuitem', { name: texts.messages.reply }).click()
    await compose(page, field(page))
    await expect(page.getByRole('button', { name: texts.messages.cancelReply })).toBeVisible()
    await field(page).fill('')
    await page.keyboard.press('Escape')
  })
  await page.keyboard.press('ArrowUp')
  await compose(page, page.getByRole('textbox', { name: texts.messages.editField }))
  await page.keyboard.press('Escape')
  await longStep('in searches and while forwarding', async () => {
    await compose(page, page.getByRole('searchbox', { name: texts.messages.search }))
    await page.keyboard.press('Escape')

    await message(page, 'An earlier line').getByRole('button', { name: 'Message options' }).click()
    await page.getByRole('menuitem', { name: texts.messages.forward }).click()
    await composeInAll(page, page.getByRole('dialog', { name: texts.messages.forwardTitle }))
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Search in conversation' }).click()
    await composeInAll(page, page.getByRole('dialog'))
  })
})

test('ACC-02 while an input method composes, its keys neither close nor send posts, stories, shares, reports and forms', {
  tag: '@long',
}, async ({ page, member, other }) => {
  const [post = ''] = await insertPosts(other, 1, { content: () => `By ${other.username}` })
  await insertPosts(member, 1, { content: () => `By ${member.username}` })
  await addStory(other)
  const menuOf = (author: string) =>
    page
      .getByRole('article')
      .filter({ hasText: `By ${author}` })
      .getByRole('button', { name: 'Post options' })

  await page.goto('/')
  await menuOf(other.username).click()
  await page.getByRole('menuitem', { name: 'Report post' }).click()
  const report = page.getByRole('dialog', { name: 'Report this post' })
  await report.getByRole('radio').first().click()
  expect(await composeInAll(page, report)).toHaveLength(1)
  await page.keyboard.press('Escape')
  await menuOf(member.username).click()
  await page.getByRole('menuitem', { name: 'Edit post' }).click()
  expect(await composeInAll(page, page.getByRole('dialog', { name: 'Edit post' }))).toEqual([
    texts.composer.textLabel,
    texts.composer.locationLabel,
  ])
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await page.getByRole('button', { name: 'Add story' }).click()
  const story = page.getByRole('dialog', { name: 'Add story' })
  await chooseFiles(
    story.getByRole('button', { name: texts.makeStory.choosePhoto }),
    photoPath('orientation-1.jpg'),
  )
  expect(await composeInAll(page, story)).toEqual([texts.makeStory.caption])
  await showStoriesOf(page, [other])
  await page.goto('/')
  await bubble(page, other.username).click()
  expect(await composeInAll(page, viewer(page, other.username))).toHaveLength(1)

  await page.goto(`/?post=${post}`)
  const open = page.getByRole('dialog', { name: `Post by ${other.username}` })
  expect(await composeInAll(page, open)).toEqual([texts.post.commentPlaceholder])
  await open.getByRole('button', { name: 'Share', exact: true }).click()
  const share = page.getByRole('dialog', { name: 'Share post' })
  expect(await composeInAll(page, share)).toEqual([texts.messages.searchPlaceholder, texts.share.text])

  await page.goto('/create')
  await composeInAll(page, page.getByRole('main'))
  await page.goto('/edit-profile')
  expect(await composeInAll(page, page.getByRole('main'))).toHaveLength(4)
  await page.goto('/settings')
  await page.getByRole('button', { name: texts.settings.security.changeEmail }).click()
  await composeInAll(page, page.getByRole('dialog'))
})

test('ACC-02 while an input method composes, its keys do not close the dialog of a server', {
  tag: '@long',
}, async ({ page }) => {
  await page.goto('/login')
  await composeInAll(page, page.getByRole('main'))
  await page.getByRole('button', { name: 'Connect to a server…' }).click()
  expect(await composeInAll(page, page.getByRole('dialog'))).toHaveLength(2)
})

/** The texts of a field after each step of typing, undo and redo. */
async function undoSteps(page: Page, input: Locator): Promise<string[]> {
  await input.focus()
  await page.keyboard.type('Low tide at six')
  const texts = [await input.inputValue()]
  for (const keys of ['Control+z', 'Control+Shift+z', 'Control+z']) {
    await page.keyboard.press(keys)
    texts.push(await input.inputValue())
  }
  return texts
}

test('ACC-03 undo and redo work in all fields of several lines as in a plain one, also after an emoji or a mention', {
  tag: '@steps',
}, async ({ page, member, other }) => {
  const id = await startConversation(member, other)
  await write(member, id, '.')
  const [post = ''] = await insertPosts(other, 1, { content: () => `By ${other.username}` })
  await page.goto(`/messages?c=${id}`)
  await expect(message(page, '.')).toBeVisible()
  await page.evaluate(() => {
    const plain = document.createElement('textarea')
    plain.id = 'plain'
    document.body.append(plain)
  })
  const plain = await undoSteps(page, page.locator('#plain'))
  expect(plain).toEqual(['Low tide at six', '', 'Low tide at six', ''])
  expect(await undoSteps(page, field(page))).toEqual(plain)

  await page.keyboard.type('@')
  await page.keyboard.type(other.username.slice(0, 8))
  await page.getByRole('option', { name: other.username }).click()
  await expect(field(page)).toHaveValue(`@${other.username} `)
  await page.keyboard.press('Control+z')
  await expect(field(page)).not.toHaveValue(new RegExp(other.username))
  await page.keyboard.press('Control+Shift+z')
  await expect(field(page)).toHaveValue(`@${other.username} `)
  await page.getByRole('button', { name: texts.emoji.choose }).click()
  await page.getByRole('combobox', { name: texts.emoji.search }).fill('camera')
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveValue(`@${other.username} 📷`)
  await expect(field(page)).toBeFocused()
  await page.keyboard.press('Control+z')
  await expect(field(page)).not.toHaveValue(/📷/)
  await page.keyboard.press('Control+Shift+z')
  await expect(field(page)).toHaveValue(`@${other.username} 📷`)

  await field(page).fill('')
  await page.keyboard.press('ArrowUp')
  const edit = page.getByRole('textbox', { name: texts.messages.editField })
  expect(await undoSteps(page, edit)).toEqual(plain.map((text) => `.${text}`))

  await longStep('in every other form', async () => {
    await page.goto(`/?post=${post}`)
    const open = page.getByRole('dialog', { name: `Post by ${other.username}` })
    await expect(open.getByText(texts.post.noComments)).toBeVisible()
    // Chromium may end a run of typing while a page still loads.
    await page.waitForLoadState('networkidle')
    await nextFrames(page)
    const comment = open.getByRole('textbox', { name: texts.post.commentPlaceholder })
    expect(await undoSteps(page, comment)).toEqual(plain)
    await open.getByRole('button', { name: 'Share', exact: true }).click()
    expect(await undoSteps(page, page.getByRole('dialog').getByLabel(texts.share.text))).toEqual(plain)
    await page.goto('/')
    await page
      .getByRole('article')
      .filter({ hasText: `By ${other.username}` })
      .getByRole('button', { name: 'Post options' })
      .click()
    await page.getByRole('menuitem', { name: 'Report post' }).click()
    const report = page.getByRole('dialog', { name: 'Report this post' })
    await report.getByRole('radio').first().click()
    expect(await undoSteps(page, report.getByRole('textbox'))).toEqual(plain)
    await page.goto('/create')
    expect(await undoSteps(page, page.getByRole('textbox', { name: texts.composer.textLabel }))).toEqual(
      plain,
    )
    await page.goto('/edit-profile')
    expect(await undoSteps(page, page.getByRole('textbox', { name: texts.editProfile.bio }))).toEqual(plain)
  })
})

test('MSG-14 Ctrl and F search the open conversation, and indentation is kept', { tag: '@long' }, async ({
  page,
  member,
  other,
}) => {
  const id = await startConversation(member, other)
  await page.goto(`/messages?c=${id}`)
  await field(page).fill('if it rains:\n    stay')
  await page.keyboard.press('Enter')
  const sent = message(page, 'if it rains:')
  await expect(sent).toBeVisible()
  // As wide as four spaces and the word.
  const indent = await sent.getByText('stay').evaluate((element) => {
    const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode() as Text
    const at = text.data.indexOf('stay')
    const left = (index: number) => {
      const range = document.createRange()
      range.setStart(text, index)
      range.setEnd(text, index + 1)
      return range.getBoundingClientRect().left
    }
    return left(at) - left(0)
  })
  expect(indent).toBeGreaterThan(4)

  await page.keyboard.press('Control+f')
  await expect(page.getByRole('dialog').getByRole('searchbox')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

/** The limit of fields that name none, in characters. */
const LINE = 1_000

/** Pastes a million characters into each field of a layer: all but the beginning is left out, and the app says so. */
async function pasteInAll(page: Page, layer: Locator): Promise<string[]> {
  const fields = layer.locator(`${TEXT_FIELDS}, input[type=password]:visible`)
  await expect(fields.first()).toBeVisible()
  const names: string[] = []
  for (const input of await fields.all()) {
    const { name, most } = await input.evaluate(
      (element: HTMLInputElement, line) => ({
        name: element.ariaLabel ?? element.labels?.[0]?.textContent ?? '',
        // Browsers cut at `maxlength`.
        most: Math.min(
          10 * Number(element.dataset.limit ?? line),
          element.maxLength > 0 ? element.maxLength : Number.POSITIVE_INFINITY,
        ),
      }),
      LINE,
    )
    await input.fill('')
    await page.keyboard.press('ControlOrMeta+v')
    await expect.poll(() => input.evaluate(({ value }: HTMLInputElement) => value.length), name).toBe(most)
    const said = page.locator('[role=status]', { hasText: texts.pasteCut })
    await expect(said, name).toBeVisible()
    // The press closes the emoji picker too.
    await input.fill('')
    await said.locator(`[aria-label="${texts.close}"]`).click()
    await expect(said).toHaveCount(0)
    names.push(name)
  }
  return names
}

async function copy(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
}

test('ACC-03 a far too long paste is cut in every field of members, and said to be', {
  tag: '@long',
}, async ({ page, member, other }) => {
  const id = await startConversation(member, other)
  await write(member, id, 'An earlier line')
  const [post = ''] = await insertPosts(other, 1, { content: () => `By ${other.username}` })
  await insertPosts(member, 1, { content: () => `By ${member.username}` })
  await addStory(other)
  const main = page.getByRole('main')
  const openMenu = (author: string) =>
    page
      .getByRole('article')
      .filter({ hasText: `By ${author}` })
      .getByRole('button', { name: 'Post options' })
      .click()

  await page.goto(`/messages?c=${id}`)
  await expect(message(page, 'An earlier line')).toBeVisible()
  await copy(page, 'a'.repeat(1_000_000))
  await pasteInAll(page, page.getByRole('banner'))
  await page.getByRole('button', { name: texts.messages.newConversation }).click()
  expect(await pasteInAll(page, main)).toHaveLength(3)
  await page.getByRole('button', { name: texts.emoji.choose }).click()
  await pasteInAll(page, page.getByRole('dialog', { name: texts.emoji.choose }))
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await field(page).press('ArrowUp')
  await pasteInAll(page, page.locator('form', { has: page.getByLabel(texts.messages.editField) }))
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Search in conversation' }).click()
  await pasteInAll(page, page.getByRole('dialog'))

  await page.goto('/')
  await openMenu(other.username)
  await page.getByRole('menuitem', { name: 'Report post' }).click()
  const report = page.getByRole('dialog', { name: 'Report this post' })
  await report.getByRole('radio').first().click()
  await pasteInAll(page, report)
  await page.keyboard.press('Escape')
  await openMenu(member.username)
  await page.getByRole('menuitem', { name: 'Edit post' }).click()
  expect(await pasteInAll(page, page.getByRole('dialog', { name: 'Edit post' }))).toHaveLength(2)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Add story' }).click()
  const story = page.getByRole('dialog', { name: 'Add story' })
  await chooseFiles(
    story.getByRole('button', { name: texts.makeStory.choosePhoto }),
    photoPath('orientation-1.jpg'),
  )
  await pasteInAll(page, story)
  await showStoriesOf(page, [other])
  await page.goto('/')
  await bubble(page, other.username).click()
  await pasteInAll(page, viewer(page, other.username))

  await page.goto(`/?post=${post}`)
  const open = page.getByRole('dialog', { name: `Post by ${other.username}` })
  await pasteInAll(page, open)
  await open.getByRole('button', { name: 'Share', exact: true }).click()
  expect(await pasteInAll(page, page.getByRole('dialog', { name: 'Share post' }))).toHaveLength(2)

  await page.goto('/create')
  expect(await pasteInAll(page, main)).toHaveLength(2)
  await page.goto('/edit-profile')
  expect(await pasteInAll(page, main)).toEqual([
    texts.auth.username,
    texts.editProfile.fullName,
    texts.editProfile.bio,
    texts.editProfile.website,
  ])
  await page.goto('/settings')
  await page.getByRole('button', { name: texts.settings.security.changeEmail }).click()
  await pasteInAll(page, page.getByRole('dialog'))
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: texts.settings.security.changePassword }).click()
  await pasteInAll(page, page.getByRole('dialog'))
})

test('ACC-03 a far too long paste is cut in every field of the sign-in, and said to be; a character is never cut', {
  tag: '@steps',
}, async ({ page }) => {
  const main = page.getByRole('main')
  await page.goto('/login')
  await copy(page, 'a'.repeat(1_000_000))
  expect(await pasteInAll(page, main)).toHaveLength(2)
  await longStep('in the dialog of a server', async () => {
    await page.getByRole('button', { name: 'Connect to a server…' }).click()
    expect(await pasteInAll(page, page.getByRole('dialog'))).toHaveLength(2)
  })
  await page.goto('/signup')
  await longStep('in the sign-up', async () => {
    expect(await pasteInAll(page, main)).toHaveLength(4)
  })

  await copy(page, '🐟'.repeat(500_000))
  const name = page.getByLabel(texts.auth.fullName)
  await name.focus()
  await page.keyboard.press('ControlOrMeta+v')
  await expect(name).toHaveValue('🐟'.repeat(10 * TEXT_LIMITS.fullName))
  await page.keyboard.press('ControlOrMeta+z')
  await expect(name).toHaveValue('')
})

test('STORY-05 a reply leaves its field at once: keys typed meanwhile are the next one, and a failure loses neither', {
  tag: '@long',
}, async ({ page, member: _signedIn, other, problems }) => {
  await addStory(other)
  await showStoriesOf(page, [other])
  await page.goto('/')
  await bubble(page, other.username).click()
  const reply = viewer(page, other.username).getByRole('textbox')
  const url = /\/rest\/v1\/messages/
  const stored = async () =>
    (await other.api.from('messages').select('content').order('created_at')).data?.map(
      ({ content }) => content,
    )

  const held = await holdRequests(page, url, { method: 'POST' })
  await reply.fill('First')
  await page.keyboard.press('Enter')
  await held.arrived
  await expect(reply).toHaveValue('')
  await page.keyboard.type('Second')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Third')
  await held.release()
  await expect.poll(stored).toEqual(['First', 'Second'])
  await expect(reply).toHaveValue('Third')
  await expect(reply).toBeFocused()

  problems.expect(url, /answer story: /)
  const answer = { status: 400, json: { message: 'Not today', code: 'P0001' } }
  const refused = await holdRequests(page, url, { method: 'POST' }, answer)
  await page.keyboard.press('Enter')
  await refused.arrived
  await page.keyboard.type('Fourth')
  await refused.release()
  await expect(reply).toHaveValue('Third Fourth')
  await page.keyboard.press('Enter')
  await expect.poll(stored).toEqual(['First', 'Second', 'Third Fourth'])
  await expect(reply).toHaveValue('')
  await expect(reply).not.toBeFocused()
})

test('FEED-17 a note and members added while a post is sent stay for the next time', {
  tag: '@long',
}, async ({ page, member, newMember }) => {
  const [ada, ben] = [await newMember(), await newMember()]
  for (const each of [ada, ben]) await write(member, await startConversation(member, each), 'Hello')
  const [post = ''] = await insertPosts(ada, 1)
  await page.goto(`/?post=${post}`)
  await page.getByRole('button', { name: 'Share', exact: true }).last().click()
  const share = page.getByRole('dialog', { name: 'Share post' })
  const note = share.getByRole('textbox', { name: texts.share.text })
  await share.getByRole('checkbox', { name: ada.username }).check()
  await note.fill('Look')
  const held = await holdRequests(page, /\/rest\/v1\/messages/, { method: 'POST' })
  await share.getByRole('button', { name: texts.share.send(1) }).click()
  await held.arrived
  await note.press('End')
  await page.keyboard.type(' at this')
  await share.getByRole('checkbox', { name: ben.username }).check()
  await held.release()
  await expect(page.getByText(texts.share.sent, { exact: true })).toBeVisible()
  await expect(note).toHaveValue('Look at this')
  await expect(share.getByRole('checkbox', { checked: true })).toHaveCount(1)
  await share.getByRole('button', { name: texts.share.send(1) }).click()
  await expect(share).toHaveCount(0)
  for (const [each, content] of [
    [ada, 'Look'],
    [ben, 'Look at this'],
  ] as const) {
    const { data } = await each.api.from('messages').select('content').eq('shared_post_id', post)
    expect(data).toEqual([{ content }])
  }
})

test('SAFE-03 details added while a report is sent stay for the next report', { tag: '@long' }, async ({
  page,
  member: _signedIn,
  other,
}) => {
  await insertPosts(other, 1)
  await page.goto('/')
  await page.getByRole('button', { name: 'Post options' }).first().click()
  await page.getByRole('menuitem', { name: 'Report post' }).click()
  const report = page.getByRole('dialog', { name: texts.safety.reportPostTitle })
  const details = report.getByRole('textbox')
  const submit = report.getByRole('button', { name: texts.safety.sendReport })
  await report.getByRole('radio').first().click()
  await details.fill('Advertising')
  const url = /\/rest\/v1\/reports/
  const held = await holdRequests(page, url)
  await submit.click()
  await held.arrived
  await details.press('End')
  await page.keyboard.type(' for shoes')
  await held.release()
  await expect(report.getByRole('status').filter({ hasText: texts.safety.reportSent })).toBeVisible()
  await expect(details).toHaveValue('Advertising for shoes')
  const answered = page.waitForResponse(url)
  await submit.click()
  expect((await answered).status()).toBe(201)
  await expect(page.getByRole('dialog', { name: texts.safety.thanksTitle })).toBeVisible()
})

test('MSG-02 a name typed while a conversation is opened stays in the search, and Enter opens the next one', {
  tag: '@long',
}, async ({ page, member: _signedIn, newMember }) => {
  const [ada, ben] = [await newMember(), await newMember()]
  await page.goto('/messages')
  await page.getByRole('button', { name: texts.messages.newConversation }).click()
  const search = page.getByRole('combobox', { name: texts.messages.searchPlaceholder })
  await search.fill(ada.username)
  await expect(page.getByRole('option', { name: ada.username })).toBeVisible()
  const held = await holdRequests(page, /\/rest\/v1\/conversations/, { method: 'POST' })
  await page.keyboard.press('Enter')
  await held.arrived
  await page.keyboard.type(ben.username.slice(0, 6))
  await held.release()
  await expect(conversation(page, ada)).toBeVisible()
  await expect(field(page)).toBeVisible()
  await page.keyboard.type(ben.username.slice(6))
  await expect(search).toHaveValue(ben.username)
  await expect(field(page)).toHaveValue('')
  await expect(page.getByRole('option', { name: ben.username })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(conversation(page, ben)).toBeVisible()
  await expect(search).toHaveCount(0)
})
