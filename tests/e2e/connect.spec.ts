import { basename } from 'node:path'
import { sessionKey } from '#/shared/server'
import {
  connect,
  fillSignIn,
  navigation,
  openAccountMenu,
  signOut,
  storedSessions,
} from './support/auth-forms'
import { createMember } from './support/member'
import { type RemoteServer, startRemoteServer } from './support/remote-server'
import { test as base, expect } from './support/test'

const test = base.extend<{ startRemote: typeof startRemoteServer }>({
  startRemote: async ({ server: _ }, use) => {
    const started: RemoteServer[] = []
    await use(async (...args) => {
      const remote = await startRemoteServer(...args)
      started.push(remote)
      return remote
    })
    for (const remote of started) await remote.close()
  },
})

const serverName = ({ url }: RemoteServer) => `Server: ${new URL(url).host}`

/** `setup_status` of servers that are not set up completely, and the dialog's messages. */
const INCOMPLETE = [
  {
    status: { version: '20260101000000' },
    says: 'The server runs an older version of Vignette. Ask its operator to apply the newer migrations.',
  },
  { status: { serves: '99991231000000' }, says: 'This server needs a newer Vignette.' },
  {
    status: { changes: false },
    says: 'The server does not send live updates: its database has no function realtime.send.',
  },
  {
    status: { channels: false },
    says: 'The server’s Realtime is not set up for Vignette: the policies of its private channels are missing.',
  },
]

test('DESK-08 a server is checked before it is saved, and everything it lacks is listed', async ({
  page,
  server,
  startRemote,
}) => {
  const closed = await startRemote(server)
  await closed.close()
  const other = await startRemote(server, () => ({ status: 200, json: { hello: 'world' } }))
  const bare = await startRemote(server, (path) =>
    path.startsWith('/rest/') ? { status: 404, json: { code: 'PGRST202', message: 'no function' } } : null,
  )
  const broken = await startRemote(server, () => ({ status: 500, json: {} }))
  const remote = await startRemote(server)
  const key = remote.publishableKey
  await page.goto('/login')
  const alert = page.getByRole('dialog').getByRole('alert')

  await connect(page, closed.url, key)
  await expect(alert).toHaveText('No answer from that address. Check it, and your connection.')
  await connect(page, other.url, key)
  await expect(alert).toHaveText('Something answers there, but it is not a Supabase server.')
  // Consecutive alerts have different texts, so that the test notices each new one.
  await connect(page, broken.url, key)
  await expect(alert).toHaveText('No answer from that address. Check it, and your connection.')
  await connect(page, bare.url, key)
  await expect(alert).toHaveText(
    'The server answers, but it is not set up for Vignette yet: its migrations are missing.',
  )
  for (const { status, says } of INCOMPLETE) {
    const complete = { version: '99991231000000', changes: true, channels: true }
    const incomplete = await startRemote(server, (path) =>
      path === '/rest/v1/rpc/setup_status' ? { status: 200, json: { ...complete, ...status } } : null,
    )
    await connect(page, incomplete.url, key)
    await expect(alert).toHaveText(says)
  }
  await connect(page, remote.url, 'sb_publishable_wrong')
  await expect(alert).toHaveText('The server does not accept this key.')
  await expect(page.getByLabel('Server address')).toHaveValue(remote.url)
  await expect(page.getByLabel('Publishable key')).toHaveValue('sb_publishable_wrong')

  await page.reload()
  await expect(page.getByRole('button', { name: 'Connect to a server…' })).toBeVisible()
})

test('FEED-02 a member signs in on another server with an empty feed, and each server has a separate session', {
  tag: '@long',
}, async ({ ownServer, page, server, startRemote }) => {
  const remote = await startRemote(ownServer)
  const here = await createMember(server.info, { fullName: 'Member of this computer' })
  const there = await createMember(ownServer.info, { fullName: 'Member of the other server' })
  const neighbour = await createMember(ownServer.info)
  await page.goto('/login')
  await connect(page, ` ${remote.url}/ `, ` ${remote.publishableKey} `)
  await expect(page.getByRole('button', { name: serverName(remote) })).toBeVisible()
  await fillSignIn(page, there)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'No posts yet' })).toBeVisible()
  await expect(page.getByText('Start following people or create your first post!')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Create your first post' })).toHaveAttribute('href', '/create')
  await expect(page.getByRole('link', { name: 'Add a profile picture' })).toHaveAttribute(
    'href',
    '/edit-profile',
  )
  const people = page.getByRole('region', { name: 'People to follow' })
  await people.getByRole('button', { name: `Follow ${neighbour.username}` }).click()
  await expect(people.getByRole('button', { name: `Unfollow ${neighbour.username}` })).toBeEnabled()
  await expect(await openAccountMenu(page)).toContainText('Member of the other server')
  await page.keyboard.press('Escape')
  expect(await storedSessions(page)).toEqual([sessionKey({ storageKey: new URL(remote.url).host })])

  // The choice outlives the page; signing out leads back to the same server.
  await page.reload()
  await expect(navigation(page)).toBeVisible()
  await signOut(page)
  await page.getByRole('button', { name: serverName(remote) }).click()
  await page.getByRole('button', { name: 'Use this computer instead' }).click()
  await expect(page.getByRole('button', { name: 'Connect to a server…' })).toBeVisible()
  await fillSignIn(page, here)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(await openAccountMenu(page)).toContainText('Member of this computer')
  expect(await storedSessions(page)).toEqual([sessionKey({ storageKey: 'embedded' })])
})

test('AUTH-12 a server that sends mails names no mail file', { tag: '@long' }, async ({
  ownServer,
  page,
  startRemote,
}) => {
  const remote = await startRemote(ownServer)
  await page.goto('/login')
  await connect(page, remote.url, remote.publishableKey)
  await expect(page.getByRole('button', { name: serverName(remote) })).toBeVisible()
  await page.getByRole('button', { name: 'Forgot password?' }).click()
  await page.getByLabel('Email').fill('mara@example.com')
  await page.getByRole('button', { name: 'Send code' }).click()
  await expect(page.getByRole('heading', { name: 'Enter the code' })).toBeVisible()
  const { mailFile } = ownServer.info
  if (mailFile === null) throw new Error('The server has no mail file')
  await expect(page.getByText(basename(mailFile))).toHaveCount(0)
})
