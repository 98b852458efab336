import { MESSAGES_PAGE } from '#/shared/limits'
import { startConversation, write } from './support/conversations'
import { dataUrl, noisePng } from './support/png'
import { expect, test } from './support/test'

test('FEED-21 wide windows show the other member, a search and the shared photos beside a conversation', async ({
  page,
  member,
  newMember,
}) => {
  const other = await newMember({ fullName: 'Ada With A Name' })
  await other.api.from('profiles').update({ bio: 'Fog and piers.' }).eq('id', other.id).throwOnError()
  const id = await startConversation(other, member)
  const about = { conversation_id: id, sender_id: other.id }
  await write(other, id, 'Is the darkroom free?')
  const photo = { id: crypto.randomUUID(), ...about, image_url: dataUrl(noisePng(24, 1)) }
  await other.api.from('message_photos').insert(photo).throwOnError()
  const size = { thumbnail_url: photo.image_url, image_width: 24, image_height: 24 }
  await other.api
    .from('messages')
    .insert({ ...about, content: '', photo_id: photo.id, ...size })
    .throwOnError()
  // More than the newest page and what the list loads ahead.
  const lines = Array.from({ length: 2 * MESSAGES_PAGE }, (_, index) => ({
    ...about,
    content: `Line ${index}`,
  }))
  await other.api.from('messages').insert(lines).throwOnError()
  // Read, so that the page of the newest messages is enough.
  await member.api
    .from('messages')
    .update({ read: true })
    .eq('conversation_id', id)
    .eq('sender_id', other.id)
    .throwOnError()
  const pane = page.getByRole('complementary', { name: 'Details' })
  const button = page.getByRole('button', { name: 'Details' })
  const photos = pane.getByRole('region', { name: 'Shared photos' })

  await page.setViewportSize({ width: 1_400, height: 900 })
  await page.goto(`/messages?c=${id}`)
  await expect(pane.getByText('Fog and piers.')).toBeVisible()
  await expect(pane.getByRole('link', { name: other.username })).toHaveAttribute(
    'href',
    `/profile/${other.username}`,
  )
  await expect(photos.getByText('No photos in the messages so far.')).toBeVisible()

  await expect(async () => {
    await photos.getByRole('button', { name: 'Look further back' }).click({ timeout: 5_000 })
    await expect(photos.getByRole('listitem')).toHaveCount(1, { timeout: 1_000 })
  }).toPass()
  await photos.getByRole('listitem').getByRole('button').click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(photos.getByRole('listitem').getByRole('button')).toBeFocused()

  await test.step('a search replaces the photos, and actions are at hand', async () => {
    await pane.getByRole('searchbox').fill('darkroom')
    await expect(pane.getByRole('link', { name: /darkroom/ })).toBeVisible()
    await expect(photos).toHaveCount(0)
    await pane.getByRole('button', { name: 'Mute' }).click()
    await expect(pane.getByRole('button', { name: 'Unmute' })).toBeVisible()
    await pane.getByRole('button', { name: 'Block' }).click()
    await expect(page.getByRole('dialog', { name: `Block ${other.username}?` })).toBeVisible()
    await page.keyboard.press('Escape')
  })

  await test.step('the button hides it, which is remembered; narrower windows have no pane', async () => {
    await expect(button).toHaveAttribute('aria-pressed', 'true')
    await button.click()
    await expect(pane).toHaveCount(0)
    await page.reload()
    await expect(button).toHaveAttribute('aria-pressed', 'false')
    await button.click()
    await expect(pane).toBeVisible()
    await page.setViewportSize({ width: 1_280, height: 860 })
    await expect(pane).toHaveCount(0)
    await expect(button).toHaveCount(0)
  })
})
