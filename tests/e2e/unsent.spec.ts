import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { texts } from '#/renderer/lib/texts'
import { composePhotos } from '#/renderer/lib/texts/later/compose-photos'
import { fillSignIn, openAccountMenu } from './support/auth-forms'
import { startConversation } from './support/conversations'
import { chooseFiles } from './support/files'
import { longStep } from './support/long-step'
import { field, message } from './support/messages-page'
import { liveSwitch } from './support/network'
import { png } from './support/png'
import { insertPosts } from './support/posts'
import { expect, type Member, test } from './support/test'
import { visit } from './support/visit'

const { composer, outbox, session } = texts
const words = texts.settings.signOut
const PHOTO = { name: 'red.png', mimeType: 'image/png', buffer: png(300, 200, () => [200, 30, 30]) }

const question = (page: Page) => page.getByRole('alertdialog', { name: words.title })
const banner = (page: Page) => page.getByText(session.notKeptHere)
const commentField = (page: Page) => page.getByRole('dialog').getByPlaceholder(texts.post.commentPlaceholder)
const photos = (page: Page) =>
  page.getByRole('list', { name: composePhotos.list }).getByRole('button', { name: /^Photo \d+ of \d+$/ })

/** Without waiting for pending requests: the live connection of these tests is cut. */
async function pressSignOut(page: Page): Promise<void> {
  await (await openAccountMenu(page)).getByRole('menuitem', { name: texts.nav.signOut, exact: true }).click()
}

async function signIn(page: Page, member: Member): Promise<void> {
  await fillSignIn(page, member)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL('/')
}

/** What the browser has stored with the id of a member, except how the app looks for them. */
function stored(page: Page, { id }: Member): Promise<string[]> {
  return page.evaluate(async (id) => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const found = Object.keys(localStorage)
    for (const { name = '' } of await indexedDB.databases()) {
      if (name === 'vignette.cache') continue
      const database = await done(indexedDB.open(name))
      for (const store of database.objectStoreNames) {
        const rows = database.transaction(store).objectStore(store)
        found.push(...(await done(rows.getAllKeys())).map(String))
        for (const row of await done(rows.getAll())) if (row.member !== undefined) found.push(row.member)
      }
      database.close()
    }
    return found.filter((key) => key.includes(id))
  }, id)
}

test('AUTH-11 CREATE-08 Sign Out asks only if something is not sent: it stays for this member alone, or is deleted', {
  tag: '@steps',
}, async ({ page, member, other, newMember, problems }) => {
  problems.allow(/ERR_CONNECTION_REFUSED/, /status of 40\d/, /(offline|session-expired)/)
  const id = await startConversation(other, member)
  const [post = ''] = await insertPosts(other, 1)

  const live = await liveSwitch(page)
  await test.step('write everywhere', async () => {
    await page.goto('/create')
    await chooseFiles(page.getByRole('button', { name: composer.choosePhotos }), PHOTO)
    await expect(photos(page)).toHaveCount(1)
    await expect(page.getByRole('button', { name: composer.share, exact: true })).toBeEnabled()
    await page.getByPlaceholder(composer.placeholder).fill('First light')
    await visit(page, `/?post=${post}`)
    await commentField(page).fill('What a morning')
    await visit(page, `/messages?c=${id}`)
    await expect(field(page)).toBeEnabled()
    live.cut()
    await expect(page.getByRole('button', { name: 'Try now' })).toBeVisible()
    await field(page).fill('On the train')
    await page.keyboard.press('Enter')
    await expect(message(page, 'On the train')).toContainText(outbox.waiting)
    await field(page).fill('Half a line')
  })

  await longStep('Cancel stays signed in', async () => {
    await pressSignOut(page)
    await question(page).getByRole('button', { name: texts.cancel }).click()
    await expect(question(page)).toBeHidden()
    await expect(field(page)).toHaveValue('Half a line')
  })

  await test.step('Sign Out keeps it', async () => {
    await pressSignOut(page)
    await question(page).getByRole('button', { name: words.keep }).click()
    await expect(page).toHaveURL('/login')
    await live.restore()
  })

  await longStep(
    'another member of this computer sees nothing of what was kept, and is not asked',
    async () => {
      const third = await newMember()
      await signIn(page, third)
      await page.goto('/create')
      await expect(page.getByPlaceholder(composer.placeholder)).toHaveValue('')
      await expect(photos(page)).toHaveCount(0)
      await visit(page, `/?post=${post}`)
      await expect(commentField(page)).toHaveValue('')
      await visit(page, '/')
      await pressSignOut(page)
      await expect(page).toHaveURL('/login')
      await expect(question(page)).toBeHidden()
    },
  )

  const expectAll = async () => {
    await visit(page, '/create')
    await expect(page.getByPlaceholder(composer.placeholder)).toHaveValue('First light')
    await expect(photos(page)).toHaveCount(1)
    await visit(page, `/?post=${post}`)
    await expect(commentField(page)).toHaveValue('What a morning')
  }
  await test.step('everything returns', async () => {
    await signIn(page, member)
    await visit(page, `/messages?c=${id}`)
    await expect(field(page)).toHaveValue('Half a line')
    await expect(message(page, 'On the train')).toContainText('ago')
    await expectAll()
  })

  await longStep('a session that ends by itself loses nothing either', async () => {
    await page.goto('/favicon.svg')
    // The first sign-out ended the session of `member.api`.
    const { email, password } = member
    expect((await member.api.auth.signInWithPassword({ email, password })).error).toBeNull()
    expect((await member.api.auth.signOut({ scope: 'global' })).error).toBeNull()
    await page.goto('/')
    await expect(page).toHaveURL('/login')
    await signIn(page, member)
    await expectAll()
  })

  await test.step('Delete leaves nothing on this computer', async () => {
    expect(await stored(page, member)).not.toEqual([])
    await visit(page, '/')
    await pressSignOut(page)
    await question(page).getByRole('button', { name: words.delete }).click()
    await expect(page).toHaveURL('/login')
    expect(await stored(page, member)).toEqual([])
    await longStep('nor in the forms', async () => {
      await signIn(page, member)
      await visit(page, '/create')
      await expect(page.getByPlaceholder(composer.placeholder)).toHaveValue('')
      await expect(photos(page)).toHaveCount(0)
    })
  })
})

test('ACC-05 MSG-04 FEED-06 a browser whose IndexedDB never answers sends messages and comments, and says once that nothing is kept', {
  tag: '@long',
}, async ({ page, member, other, problems }) => {
  problems.allow(/open database/, /disk cache/, /(keep|restore|remove|clear|outbox|look).*/)
  const id = await startConversation(other, member)
  const [post = ''] = await insertPosts(other, 1)
  await page.addInitScript(() => {
    const open = IDBFactory.prototype.open
    IDBFactory.prototype.open = function (name) {
      return Object.assign(open.call(this, name), { addEventListener: () => undefined })
    }
  })
  await page.goto(`/messages?c=${id}`)
  await field(page).fill('Hello')
  await page.keyboard.press('Enter')
  await expect(message(page, 'Hello')).toContainText('ago')
  await expect(banner(page)).toBeVisible()
  await page.setViewportSize({ width: 900, height: 640 })
  await expect(field(page), 'a banner leaves room for the field').toBeInViewport({ ratio: 1 })
  await page.getByRole('button', { name: session.understood }).click()
  await page.getByRole('link', { name: 'Home' }).click()
  const card = page.locator(`[data-post="${post}"]`)
  await card.getByRole('button', { name: texts.post.comment, exact: true }).click()
  const comment = card.getByPlaceholder(texts.post.commentPlaceholder)
  await comment.fill('What a morning')
  await comment.press('Enter')
  await expect(comment).toHaveValue('')
  const comments = () => other.api.from('comments').select('content').eq('post_id', post)
  await expect.poll(async () => (await comments()).data).toEqual([{ content: 'What a morning' }])
  await expect(banner(page)).toBeHidden()
  const sent = await other.api.from('messages').select('content').eq('conversation_id', id)
  expect(sent.data).toEqual([{ content: 'Hello' }])
})

test('MSG-12 MSG-04 with a full localStorage a text can be typed and sent, and the member is informed once', {
  tag: '@long',
}, async ({ page, member, other, problems }) => {
  problems.expect(/store (item|draft): QuotaExceededError/)
  const id = await startConversation(other, member)
  await page.goto(`/messages?c=${id}`)
  await expect(field(page)).toBeEnabled()
  await page.evaluate(() => {
    for (let size = 4 * 1_024 * 1_024; size >= 1; size = Math.floor(size / 2)) {
      try {
        for (let n = 0; ; n += 1) localStorage.setItem(`filler ${size} ${n}`, 'x'.repeat(size))
      } catch {
        // Fill the rest with smaller items.
      }
    }
  })
  await field(page).pressSequentially('Where is this?')
  await expect(banner(page)).toBeVisible()
  await page.getByRole('button', { name: session.understood }).click()
  await page.getByRole('link', { name: 'Home' }).click()
  await page.goBack()
  await expect(field(page)).toHaveValue('Where is this?')
  await page.keyboard.press('Tab')
  await field(page).press('Enter')
  await expect(message(page, 'Where is this?')).toContainText('ago')
  await expect(banner(page)).toBeHidden()
})

test('MSG-09 a message that fails for an unknown reason could not be sent after five attempts; what another version stored blocks nothing', {
  tag: '@long',
}, async ({ page, member, other, problems }) => {
  problems.expect(/send message: server/, /read outbox row: Error: message of another build/)
  const id = await startConversation(other, member)
  const scope = `message ${id}`
  await page.goto(`/messages?c=${id}`)
  await expect(field(page)).toBeEnabled()
  await page.evaluate(
    async ([row]) => {
      const opening = indexedDB.open('vignette.pending', 1)
      opening.onupgradeneeded = () =>
        opening.result.createObjectStore('rows', { keyPath: 'id' }).createIndex('owner', ['member', 'server'])
      await new Promise((resolve) => opening.addEventListener('success', resolve))
      const rows = opening.result.transaction('rows', 'readwrite').objectStore('rows')
      rows.put(row)
      await new Promise((resolve) => rows.transaction.addEventListener('complete', resolve))
      opening.result.close()
    },
    [
      {
        id: randomUUID(),
        member: member.id,
        server: 'embedded',
        scope,
        kind: 'message',
        payload: { content: 'From an old version' },
        createdAt: '2020-01-01T12:00:00Z',
        state: 'waiting',
      },
    ],
  )

  let attempts = 0
  await page.route(/\/rest\/v1\/messages/, (route) => {
    const isBroken = route.request().method() === 'POST' && route.request().postData()?.includes('broken')
    if (isBroken !== true) return route.fallback()
    attempts += 1
    return route.fulfill({ status: 200, contentType: 'application/json', body: 'no JSON' })
  })
  await page.reload()
  await expect(page.getByText(outbox.unreadable)).toBeVisible()
  await field(page).fill('broken')
  await page.keyboard.press('Enter')
  await expect(message(page, 'broken')).toContainText(outbox.sending)
  await expect(async () => {
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await expect(message(page, 'broken')).toContainText(outbox.notSent, { timeout: 200 })
  }).toPass()
  expect(attempts).toBe(5)
  await field(page).fill('Next')
  await page.keyboard.press('Enter')
  await expect(message(page, 'Next')).toContainText('ago')
  for (const name of [texts.tryAgain, outbox.edit, outbox.discard])
    await expect(message(page, 'broken').getByRole('button', { name })).toBeVisible()
  await message(page, 'broken').getByRole('button', { name: outbox.edit }).click()
  await expect(field(page)).toHaveValue('broken')
  await expect(message(page, 'broken')).toHaveCount(0)

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: outbox.copyText }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('From an old version')
  await page.getByRole('status').getByRole('button', { name: outbox.discard }).click()
  await expect(page.getByText(outbox.unreadable)).toBeHidden()
  await page.reload()
  await expect(field(page)).toHaveValue('broken')
  await expect(page.getByText(outbox.unreadable)).toBeHidden()
})
