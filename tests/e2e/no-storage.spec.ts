import { texts } from '#/renderer/lib/texts'
import { connect, fillSignIn } from './support/auth-forms'
import { countUnsent, namesFor, restoreDevice } from './support/earlier-device'
import { conversation as conversationPane, field, message } from './support/messages-page'
import { startRemoteServer } from './support/remote-server'
import { expect, test } from './support/test'
import { visit } from './support/visit'

const NO_STORAGE = texts.media['no-storage']

test('DESK-08 MEDIA-01 a server without Storage says so before it is used and in each form, takes texts, and gets what waited once it has Storage', {
  tag: '@long',
}, async ({ page, server, newMember }) => {
  const [member, other] = [await newMember(), await newMember()]
  const names = await namesFor(member, other)
  const { conversation } = names

  let hasStorage = false
  const remote = await startRemoteServer(server, (path) => {
    if (hasStorage) return null
    if (path === '/rest/v1/rpc/media_limit') return { status: 200, json: null }
    const status = { version: '99991231000000', changes: true, channels: true, bucket: 'missing' }
    return path === '/rest/v1/rpc/setup_status' ? { status: 200, json: status } : null
  })

  await test.step('the member is warned, and connects anyway', async () => {
    await page.goto('/login')
    await connect(page, remote.url, remote.publishableKey)
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('alert')).toHaveText(texts.server.problem('storage'))
    // Another address is checked again.
    await dialog.getByLabel(texts.server.url).fill(`${remote.url}/`)
    await expect(dialog.getByRole('alert')).toHaveCount(0)
    await dialog.getByRole('button', { name: texts.server.submit }).click()
    await expect(dialog.getByRole('alert')).toHaveText(texts.server.problem('storage'))
    await dialog.getByRole('button', { name: texts.server.submitAnyway }).click()
    await expect(page.getByRole('button', { name: `Server: ${new URL(remote.url).host}` })).toBeVisible()
  })

  await restoreDevice(page, names, new URL(remote.url).host)
  await page.goto('/login')
  await fillSignIn(page, member)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()

  const rows = async () => {
    const { api, id } = member
    const all = await Promise.all([
      api.from('messages').select('content').eq('sender_id', id).order('content'),
      api.from('posts').select('content').eq('user_id', id).order('content'),
      api.from('stories').select('content').eq('user_id', id).order('content'),
    ])
    return all.map(({ data }) => data?.map(({ content }) => content))
  }

  await test.step('what was queued waits with the reason, its texts are sent', async () => {
    await expect(page.getByRole('feed').getByText('A queued post')).toBeVisible()
    await expect(page.getByRole('main').getByText(NO_STORAGE)).toHaveCount(3)
    await visit(page, `/messages?c=${conversation}`)
    await expect(message(page, 'Inline photo')).toContainText(NO_STORAGE)
    await expect(message(page, 'Stored photo')).toContainText(NO_STORAGE)
    await expect.poll(rows).toEqual([['Text one'], [], []])
  })

  await test.step('a photo for a message is refused before it is chosen', async () => {
    const pane = conversationPane(page, other)
    await pane.getByRole('button', { name: texts.messages.removePhoto }).click()
    await pane.getByRole('button', { name: texts.messages.addPhoto }).click()
    await expect(pane.getByRole('alert')).toHaveText(NO_STORAGE)
    await expect(field(page)).toHaveValue('A draft of a message')
  })

  await test.step('a post has no photos, and its text is shared', async () => {
    await visit(page, '/create')
    await expect(page.getByRole('alert')).toHaveText(NO_STORAGE)
    const share = page.getByRole('button', { name: texts.composer.share })
    await expect(share).toBeDisabled()
    await expect(page.getByRole('button', { name: texts.composer.addPhotos })).toHaveCount(0)
    await page.getByRole('button', { name: texts.composer.removePhoto }).click()
    await expect(page.getByText(NO_STORAGE)).toBeVisible()
    await expect(page.getByRole('button', { name: texts.composer.choosePhotos })).toHaveCount(0)
    await share.click()
    await expect.poll(rows).toEqual([['Text one'], ['A draft of a post'], []])
  })

  await test.step('a story and a profile picture cannot be chosen', async () => {
    await visit(page, '/?story=new')
    const form = page.getByRole('dialog', { name: texts.makeStory.title })
    await expect(form).toContainText(NO_STORAGE)
    await expect(form.getByRole('button', { name: texts.makeStory.choosePhoto })).toHaveCount(0)
    await visit(page, '/edit-profile')
    await expect(page.getByLabel(texts.auth.username)).toHaveValue(member.username)
    await expect(page.getByRole('main').getByText(NO_STORAGE)).toBeVisible()
    await expect(page.getByRole('button', { name: texts.editProfile.changePhoto })).toHaveCount(0)
  })

  await test.step('once it has Storage, all is sent', async () => {
    hasStorage = true
    await page.reload()
    await expect.poll(rows).toEqual([
      ['Inline photo', 'Stored photo', 'Text one'],
      ['A draft of a post', 'A queued post'],
      ['A photo story', 'A video story'],
    ])
    await expect(page.getByRole('button', { name: texts.editProfile.changePhoto })).toBeVisible()
    // A message that was refused before stays until it is sent again.
    expect(await countUnsent(page)).toBe(1)
  })
  await remote.close()
})
