import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startConversation, write } from '../support/conversations'
import { message } from '../support/messages-page'
import { png } from '../support/png'
import { insertPosts } from '../support/posts'
import { newMember, signIn } from './support/members'
import { expect, test } from './support/test'

test('DESK-05 a second start brings up the first window, on the profile, conversation or post its link names', async ({
  desktop,
}) => {
  const app = await desktop.start()
  const [member, anna] = [await newMember(app), await newMember(app, { fullName: 'Anna Berg' })]
  const id = await startConversation(anna, member)
  await write(anna, id, 'Is the darkroom free?')
  const [post = ''] = await insertPosts(anna, 1, { content: () => 'First light' })
  await signIn(app, member)
  const { page } = app

  await app.handleWindow('minimize')
  await expect.poll(app.window).toMatchObject({ isFocused: false })
  await app.startAgain([])
  await expect.poll(app.window).toMatchObject({ isVisible: true, isFocused: true })

  await app.startAgain([`vignette://profile/${anna.username}`])
  await expect(page.getByRole('heading', { name: anna.username })).toBeVisible()
  await app.startAgain([`vignette://messages/${id}`])
  await expect(message(page, 'Is the darkroom free?')).toBeVisible()
  await app.startAgain([`vignette://post/${post}`])
  await expect(page.getByRole('dialog').getByText('First light')).toBeVisible()

  // What is no place of the app leads nowhere: only the link after them is followed.
  const visited: string[] = []
  page.on('framenavigated', (frame) => visited.push(new URL(frame.url()).pathname))
  for (const hostile of [
    'vignette://profile/..%2F..%2Fsettings',
    'vignette://messages/x?c=1',
    'vignette://bundle/create',
    'vignette://post/javascript:alert(1)',
  ]) {
    await app.startAgain([hostile])
  }
  await app.startAgain([`vignette://profile/${member.username}`])
  await expect(page.getByRole('heading', { name: member.username })).toBeVisible()
  expect(visited).toEqual([`/profile/${member.username}`])
})

test('DESK-05 a link that starts the app is followed after sign-in; a photo on the command line starts a post, on any start', async ({
  desktop,
}) => {
  const first = await desktop.start()
  const [member, anna] = [await newMember(first), await newMember(first)]
  await desktop.quit()
  const app = await desktop.start([`vignette://profile/${anna.username}`])
  await signIn(app, member)
  await expect(app.page.getByRole('heading', { name: anna.username })).toBeVisible()

  const photo = join(desktop.userData, 'gull.png')
  await writeFile(
    photo,
    png(320, 240, (x, y) => [y % 256, x % 256, 90]),
  )
  const chosen = { name: 'Your photo, as it will be posted' }
  await app.startAgain([photo])
  await expect(app.page.getByRole('img', chosen)).toBeVisible()
  await desktop.quit()
  const { page } = await desktop.start([photo])
  await expect(page.getByRole('img', chosen)).toBeVisible()
})
