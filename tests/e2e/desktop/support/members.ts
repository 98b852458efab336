import { fillSignIn, navigation } from '../../support/auth-forms'
import { startConversation } from '../../support/conversations'
import { createMember, type Member } from '../../support/member'
import { CHANGES_READY } from '../../support/network'
import { expect, type RunningApp, serverOf } from './test'

/** Creates a member on the embedded server of the running app. */
export async function newMember(
  { page }: Pick<RunningApp, 'page'>,
  wanted?: Parameters<typeof createMember>[1],
): Promise<Member> {
  return createMember(await serverOf(page), wanted)
}

/** Two members of the running app and a conversation started by the second. */
export async function newPair(app: Pick<RunningApp, 'page'>) {
  const [member, anna] = [await newMember(app), await newMember(app)]
  return { member, anna, id: await startConversation(anna, member) }
}

/** Signs in on the login screen; resolves when the page receives live events. */
export async function signIn({ page }: Pick<RunningApp, 'page'>, member: Member): Promise<void> {
  const isLive = page
    .waitForEvent('websocket', (socket) => socket.url().includes('/realtime/'))
    .then((socket) =>
      socket.waitForEvent('framereceived', ({ payload }) => String(payload).includes(CHANGES_READY)),
    )
  await fillSignIn(page, member)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(navigation(page)).toBeVisible()
  await isLive
}
