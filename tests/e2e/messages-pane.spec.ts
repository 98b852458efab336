import { GRID_PAGE, MESSAGES_PAGE } from '#/shared/limits'
import { startConversation, write } from './support/conversations'
import { longStep } from './support/long-step'
import { dataUrl, noisePng } from './support/png'
import { expect, test } from './support/test'

test('FEED-21 wide windows show the other member, a search and the shared photos beside a conversation', {
  tag: '@steps',
}, async ({ page, member, newMember, problems }) => {
  const other = await newMember({ fullName: 'Ada With A Name' })
  await other.api.from('profiles').update({ bio: 'Fog and piers.' }).eq('id', other.id).throwOnError()
  const id = await startConversation(other, member)
  const about = { conversation_id: id, sender_id: other.id }
  await write(other, id, 'Is the darkroom free?')
  const image_url = dataUrl(noisePng(24, 1))
  const size = { thumbnail_url: image_url, image_width: 24, image_height: 24 }
  /** Sends these many photos; returns the ids of their messages. */
  const sendPhotos = async (count: number) => {
    const files = Array.from({ length: count }, () => ({ id: crypto.randomUUID(), ...about, image_url }))
    await other.api.from('message_media').insert(files).throwOnError()
    const rows = files.map((file) => ({ ...about, content: '', media_id: file.id, ...size }))
    const sent = await other.api.from('messages').insert(rows).select('id').throwOnError()
    return sent.data.map(({ id }) => id)
  }
  await sendPhotos(GRID_PAGE + 1)
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
  const shown = photos.getByRole('button', { name: `Photo from ${other.username}` })

  await test.step('it lists the photos of all messages in pages, and a photo opens', async () => {
    await expect(shown).toHaveCount(GRID_PAGE)
    await shown.last().scrollIntoViewIfNeeded()
    await expect(shown).toHaveCount(GRID_PAGE + 1)
    await shown.last().press('Enter')
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(shown.last()).toBeFocused()
  })

  await test.step('a new photo appears at the front, and leaves when it is unsent', async () => {
    const [added = ''] = await sendPhotos(1)
    await expect(shown).toHaveCount(GRID_PAGE + 2)
    await expect(shown.last()).toBeFocused()
    const deleted_at = new Date().toISOString()
    await other.api.from('messages').update({ deleted_at }).eq('id', added).throwOnError()
    await expect(shown).toHaveCount(GRID_PAGE + 1)
  })

  await longStep('if the photos cannot be read it says so, and they come with the next try', async () => {
    const reads = /\/messages\?.*media_id=not\.is\.null/
    problems.expect(/ERR_FAILED.*\/messages\?.*media_id=not\.is\.null/, /read messages: offline/)
    await page.route(reads, (route) => route.abort())
    // A conversation without photos, so that none are known.
    const empty = await newMember()
    const otherId = await startConversation(empty, member)
    await write(empty, otherId, 'Nothing to see')
    await page.goto(`/messages?c=${otherId}`)
    await expect(photos.getByRole('button', { name: 'Try again' })).toBeVisible()
    await page.unroute(reads)
    await photos.getByRole('button', { name: 'Try again' }).click()
    await expect(photos.getByText('No photos in the messages so far.')).toBeVisible()
    await page.goto(`/messages?c=${id}`)
    await expect(shown.first()).toBeVisible()
  })

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
