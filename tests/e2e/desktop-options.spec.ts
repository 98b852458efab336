import { expect, test } from './support/test'

test('SET-06 desktop options persist, DESK-04 and the title of the tab has the unread count', {
  tag: '@long',
}, async ({ page, member, newMember }) => {
  await page.goto('/settings')
  await page.getByRole('radio', { name: 'Dark' }).click()
  const section = page.getByRole('region', { name: 'Notifications on this computer' })
  await section.getByRole('switch', { name: 'Likes' }).click()
  await section.getByRole('button', { name: 'Pause for an hour' }).click()
  await expect(section.getByText(/^Paused until /)).toBeVisible()
  // Browsers support neither start at login nor a tray.
  await expect(page.getByRole('switch', { name: /login|tray/ })).toHaveCount(0)

  await page.reload()
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked()
  await expect(section.getByRole('switch', { name: 'Likes' })).not.toBeChecked()
  await expect(section.getByRole('switch', { name: 'Messages' })).toBeChecked()
  await section.getByRole('button', { name: 'Resume' }).click()
  await expect(section.getByRole('button', { name: 'Pause for an hour' })).toBeVisible()

  await expect(page).toHaveTitle('Settings · Vignette')
  const fan = await newMember()
  const { error } = await fan.api.from('follows').insert({ follower_id: fan.id, following_id: member.id })
  expect(error).toBeNull()
  await expect(page).toHaveTitle('(1) Settings · Vignette')
})
