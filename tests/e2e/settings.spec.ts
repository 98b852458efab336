import type { Locator, Page } from '@playwright/test'
import { texts } from '#/renderer/lib/texts'
import { navigation, passwordField, storedSessions } from './support/auth-forms'
import { boxOf } from './support/boxes'
import { longStep } from './support/long-step'
import { createApi, signInMember } from './support/member'
import { failRequests, joined, liveSwitch } from './support/network'
import { expect, type Member, test } from './support/test'

const DELETE = /\/rest\/v1\/rpc\/delete_account/

async function storedSettings({ api, id }: Member) {
  const columns = 'is_private,show_activity_status,allow_story_replies'
  const { data, error } = await api.from('profiles').select(columns).eq('id', id).single()
  if (error) throw error
  return data
}

/** Stores drafts and unsent rows in the page's storage, if any are given; returns the members who have some. */
function unsentOn(page: Page, members: readonly Member[]): Promise<string[]> {
  const drafts = members.map(({ id }) => `vignette.draft.embedded.${id}.somewhere`)
  const waiting = members.map(({ id }) => ({
    id,
    member: id,
    server: 'embedded',
    scope: 'message somewhere',
    kind: 'message',
    payload: { conversation_id: 'somewhere', content: 'Waits' },
    createdAt: new Date().toISOString(),
    state: 'refused',
  }))
  return page.evaluate(
    async ([drafts, waiting]) => {
      const open = (name: string, store: string, keyPath: string, owner: string | string[]) =>
        new Promise<IDBDatabase>((resolve, reject) => {
          const opening = indexedDB.open(name, 1)
          opening.onupgradeneeded = () =>
            opening.result.createObjectStore(store, { keyPath }).createIndex('owner', owner)
          opening.onerror = () => reject(opening.error)
          opening.onsuccess = () => resolve(opening.result)
        })
      const keep = async (
        [name, store, keyPath, owner]: [string, string, string, string | string[]],
        rows: readonly object[],
      ) => {
        const database = await open(name, store, keyPath, owner)
        const kept = database.transaction(store, 'readwrite').objectStore(store)
        for (const row of rows) kept.put(row)
        const reading = kept.getAll()
        await new Promise((resolve, reject) => {
          kept.transaction.oncomplete = resolve
          kept.transaction.onabort = reject
        })
        database.close()
        return reading.result
      }
      for (const key of drafts) localStorage.setItem(key, JSON.stringify({ text: 'Half a line' }))
      const extras = drafts.map((key) => ({ key, replyToId: 'asked', photo: null }))
      return [
        ...Object.keys(localStorage).filter((key) => key.startsWith('vignette.draft.')),
        ...(await keep(['vignette.drafts', 'extras', 'key', 'key'], extras)).map(({ key }) => key),
        ...(await keep(['vignette.pending', 'rows', 'id', ['member', 'server']], waiting)).map(
          ({ id }) => id,
        ),
      ]
    },
    [drafts, waiting] as const,
  )
}

const DELETE_ANSWER_MS = 2_000

test('SET-03 a failed deletion is only logged; after confirmation the account is gone with all its data, and the member at /login', {
  tag: '@steps',
}, async ({ page, member, newMember, problems }) => {
  const other = await newMember()
  await member.api.from('posts').insert({ user_id: member.id, content: 'Soon gone' })
  await page.goto('/settings')
  await longStep('a failure is only logged, and the member stays signed in', async () => {
    problems.expect(/ERR_CONNECTION_REFUSED/, /delete account: offline/)
    const undo = await failRequests(page, DELETE)
    await page.getByRole('button', { name: 'Delete Account' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await dialog.getByRole('button', { name: 'Delete for good' }).click()
    await expect(dialog).toHaveCount(0)
    await problems.arrived()
    await expect(page).toHaveURL('/settings')
    await expect(page.getByRole('alert')).toHaveCount(0)
    expect(await storedSessions(page)).toHaveLength(1)
    expect(await storedSettings(member)).toMatchObject({ is_private: false })
    await undo()
  })

  const others = await unsentOn(page, [other])
  expect(await unsentOn(page, [member])).toHaveLength(6)
  // Long enough for a live connection that is still open to notice that its session has ended.
  await page.route(DELETE, async (route) => {
    const response = await route.fetch()
    await new Promise((resolve) => setTimeout(resolve, DELETE_ANSWER_MS))
    await route.fulfill({ response })
  })
  const remove = page.getByRole('button', { name: 'Delete Account' })
  await remove.click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toHaveAccessibleDescription(
    'Are you sure you want to delete your account? This action cannot be undone.',
  )
  // The second button lies where the first one was.
  await dialog.getByRole('button', { name: 'Delete', exact: true }).dblclick()
  await expect(dialog.getByRole('button', { name: 'Delete for good' })).toBeEnabled()
  await dialog.getByRole('button', { name: 'Download My Data' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Download', exact: true })).toBeFocused()
  const kept = await other.api.from('profiles').select('username').eq('id', member.id)
  expect(kept.data).toEqual([{ username: member.username }])

  await remove.click()
  await dialog.getByRole('button', { name: 'Delete', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Delete for good' })).toBeEnabled()
  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  await expect(page).toHaveURL('/login')
  expect(await storedSessions(page)).toEqual([])
  expect(await unsentOn(page, [])).toEqual(others)
  expect((await other.api.from('profiles').select('id').eq('id', member.id)).data).toEqual([])
  expect((await other.api.from('posts').select('id').eq('user_id', member.id)).data).toEqual([])
  const { email, password } = member
  expect((await member.api.auth.signInWithPassword({ email, password })).error).not.toBeNull()
})

test('AUTH-15 AUTH-16 AUTH-18 signs out other devices, also one that is offline, and changes the password and the e-mail', {
  tag: '@steps',
}, async ({ page, member, openAs, server, problems }) => {
  const unchanged = await member.api.auth.getUser()
  const other = await openAs(await signInMember(server.info, member))
  await other.goto('/')
  await expect(navigation(other)).toBeVisible()
  const offline = await openAs(await signInMember(server.info, member))
  const live = await liveSwitch(offline)
  const isJoined = joined(offline)
  await offline.goto('/')
  await isJoined
  live.cut()
  await page.goto('/settings')
  const section = page.getByRole('region', { name: 'Sign-in and devices' })
  const devices = section.getByRole('list', { name: 'Devices' }).getByRole('listitem')
  await expect(devices).toHaveCount(3)
  await expect(devices.first()).toContainText('This device')
  await expect(devices.last()).toContainText('Last used')

  // The other device is notified at once and signs out.
  problems.expect(/status of 403.*\/auth\/v1\/user/)
  await section.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await expect(section.getByRole('status')).toHaveText('All other devices have been signed out.')
  await expect(devices).toHaveCount(1)
  await expect(other).toHaveURL('/login')

  // The offline device finds out once it is back.
  await expect(navigation(offline)).toBeVisible()
  problems.expect(/live channel/)
  await live.restore()
  await expect(offline).toHaveURL('/login')

  await section.getByRole('button', { name: 'Change password' }).click()
  const password = page.getByRole('dialog', { name: 'Change password' })
  await expect(password.getByText('This signs you out on all other devices.')).toBeVisible()
  await passwordField(page, 'New password').fill('short')
  problems.expect(/status of 422.*\/auth\/v1\/user/, /change password: weak-password/)
  await password.getByRole('button', { name: 'Change password' }).click()
  await expect(password.getByRole('alert')).toHaveText('Password should be at least 8 characters.')
  await longStep('other rules for passwords', async () => {
    for (const [refused, words] of [
      ['Dragon2026!', texts.auth.passwordProblems.common],
      [`${member.username}!`, texts.auth.passwordProblems['own-name']],
      ['密'.repeat(25), texts.auth.passwordProblems['too-long']],
    ] as const) {
      await passwordField(page, 'New password').fill(refused)
      await page.keyboard.press('Enter')
      await expect(passwordField(page, 'New password')).toHaveAccessibleDescription(words)
    }
  })
  await passwordField(page, 'New password').fill('a longer horse')
  await page.keyboard.press('Enter')
  await expect(password).toHaveCount(0)
  await expect(page.getByText('Your password has been changed. Other devices are signed out.')).toBeVisible()
  await expect(section.getByRole('button', { name: 'Change password' })).toBeFocused()

  const address = `new.${member.email}`
  await section.getByRole('button', { name: 'Change e-mail' }).click()
  const email = page.getByRole('dialog', { name: 'Change e-mail' })
  await email.getByLabel('New e-mail').fill(address)
  await longStep('where a link is mailed first, the address stays until it is opened', async () => {
    // A hosted server mails a link first, and the address stays until it is opened.
    const userEndpoint = /\/auth\/v1\/user/
    await page.route(userEndpoint, (route) =>
      route.request().method() === 'PUT' ? route.fulfill({ json: unchanged.data.user }) : route.continue(),
    )
    await email.getByRole('button', { name: 'Change e-mail' }).click()
    const mailed = page.getByRole('dialog', { name: 'Check your e-mail' })
    await expect(mailed.getByText(`We sent a link to ${address}.`)).toBeVisible()
    await mailed.getByRole('button', { name: 'Done' }).click()
    await page.unroute(userEndpoint)
    await expect(section.getByText(`You sign in as ${member.email}`, { exact: true })).toBeVisible()

    await section.getByRole('button', { name: 'Change e-mail' }).click()
  })
  await email.getByLabel('New e-mail').fill(address)
  await email.getByRole('button', { name: 'Change e-mail' }).click()
  await expect(email).toHaveCount(0)
  await expect(section.getByText(`You sign in as ${address}`, { exact: true })).toBeVisible()
  const renewed = await createApi(server.info).auth.signInWithPassword({
    email: address,
    password: 'a longer horse',
  })
  expect(renewed.error).toBeNull()
})

test('AUTH-15 SET-03 asks for the password ten minutes after sign-in', { tag: '@long' }, async ({
  page,
  member,
  problems,
}) => {
  // The responses for an eleven-minute-old session; tests/backend/http/account.test.ts uses real ones.
  let isOld = true
  await page.route(/\/rpc\/signed_in_recently/, (route) => route.fulfill({ json: !isOld }))
  await page.route(DELETE, (route) =>
    isOld
      ? route.fulfill({ status: 428, json: { code: 'PT428', message: 'Enter your password again.' } })
      : route.continue(),
  )
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Change e-mail' }).click()
  const email = page.getByRole('dialog', { name: 'Change e-mail' })
  const current = passwordField(page, 'Current password')
  await email.getByLabel('New e-mail').fill(`new.${member.email}`)
  await current.fill('not my password')
  problems.expect(/status of 400.*\/auth\/v1\/token/, /change email: credentials/)
  await email.getByRole('button', { name: 'Change e-mail' }).click()
  await expect(email.getByRole('alert')).toHaveText('This is not your current password.')
  await page.keyboard.press('Escape')
  await expect(email).toHaveCount(0)

  await page.getByRole('button', { name: 'Delete Account' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete Account' })
  await expect(current).toBeFocused()
  await current.fill(member.password)
  isOld = false
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page).toHaveURL('/login')
  expect(await storedSessions(page)).toEqual([])
})

test('FEED-21 SET-01 in wide windows a list leads to the sections, and an address opens one', async ({
  page,
  member: _member,
}) => {
  const sections = page.getByRole('navigation', { name: 'Sections' })
  const account = page.getByRole('region', { name: 'Account', exact: true })
  await page.goto('/settings')
  await expect(sections.getByRole('link', { name: 'Privacy' })).toHaveAttribute('aria-current', 'location')
  await expect(account).not.toBeInViewport()
  await sections.getByRole('link', { name: 'Account' }).click()
  await expect(account).toBeInViewport()
  await expect(sections.getByRole('link', { name: 'Account' })).toHaveAttribute('aria-current', 'location')
  // Tab goes on in the section, and the address stays, so that 'Back' leaves the settings.
  await expect(account.getByRole('heading', { name: 'Account' })).toBeFocused()
  await expect(page).toHaveURL('/settings')
  const [list, section] = await Promise.all([boxOf(sections), boxOf(account)])
  expect(list.x + list.width).toBeLessThanOrEqual(section.x)

  await page.goto('/settings#account')
  await expect(account).toBeInViewport()
  await page.setViewportSize({ width: 900, height: 640 })
  await expect(sections).toBeHidden()
  await expect(account).toBeInViewport()
})

test('FEED-21 in a right-to-left page English texts keep the order of their words, and are on the right', {
  tag: '@long',
}, async ({ page, member }) => {
  const show = async (path: string) => {
    await page.goto(path)
    await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
  }
  /** Whether a text ends on the right of its beginning, and how far its end is from the right of its box, in pixels. */
  const lineOf = (text: Locator) =>
    text.evaluate((element) => {
      const range = document.createRange()
      const at = (node: Node, from: number) => {
        range.setStart(node, from)
        range.setEnd(node, from + 1)
        return range.getBoundingClientRect()
      }
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
      const nodes: Node[] = []
      while (walker.nextNode()) nodes.push(walker.currentNode)
      const [first, last] = [nodes[0], nodes.at(-1)]
      if (first === undefined || last === undefined) throw new Error('No text.')
      const end = at(last, (last.textContent?.length ?? 0) - 1)
      return {
        isInOrder: at(first, 0).x < end.x,
        distance: Math.round(element.getBoundingClientRect().right - end.right),
      }
    })

  await show('/settings')
  await expect
    .poll(() => lineOf(page.getByText(texts.settings.messagesFrom.body)))
    .toEqual({ isInOrder: true, distance: 0 })
  await show(`/profile/${member.username}`)
  await expect.poll(async () => (await lineOf(page.getByText(/^0\sposts$/).first())).isInOrder).toBe(true)
})
