import { cleanup, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { DesktopIntegration } from '#/renderer/app/DesktopIntegration'
import { MailFile } from '#/renderer/features/auth/components/RecoverForms'
import { useAbilities, useUpdates } from '#/renderer/features/desktop/bridge-hooks'
import { askForNotifications } from '#/renderer/features/desktop/browser-notifications'
import { BackendFailed } from '#/renderer/features/desktop/components/BackendFailed'
import { GraphicsBanner } from '#/renderer/features/desktop/components/GraphicsBanner'
import { SystemBanners } from '#/renderer/features/desktop/components/SystemBanners'
import { startPreferences, usePreferences } from '#/renderer/features/desktop/preferences-store'
import { logFailure } from '#/renderer/lib/core/logger'
import { uploads } from '#/renderer/lib/outbox/pending'
import { texts } from '#/renderer/lib/texts'
import type { DesktopAbilities } from '#/shared/bridge'
import { DEFAULT_PREFERENCES } from '#/shared/preferences'
import { callHook, pageText, press, settle, show, showHook } from '#tests/renderer/dom'
import { REFUSED, refusingDesktop } from '../refusing-desktop'

vi.mock('#/renderer/features/desktop/desktop', async () => ({
  desktop: (await import('../refusing-desktop')).refusingDesktop,
}))
vi.mock('#/renderer/features/notifications/system/report-events', () =>
  Promise.reject(new Error('not loaded')),
)
vi.mock('#/renderer/lib/core/schedule', () => ({
  onNetworkIdle: (_client: unknown, act: () => void) => {
    act()
    return () => undefined
  },
}))
vi.mock('#/renderer/lib/core/server-info', () => ({
  useServerInfo: (select: (state: object) => unknown) => select({ server: { mailFile: '/data/mail.txt' } }),
}))
vi.mock('#/renderer/features/auth', () => ({
  useMe: () => ({ id: 'me' }),
  useServerLink: () => null,
  forgetServerLink: () => undefined,
}))
vi.mock('#/renderer/features/messages', () => ({
  useUnreadConversations: () => 1,
  answerNotification: vi.fn(),
}))
vi.mock('#/renderer/features/notifications', async () => ({
  ...(await import('#/renderer/features/notifications/system/useSystemNotifications')),
  useUnreadCount: () => 2,
}))

/** The names of the failures logged so far. */
async function logged(): Promise<string[]> {
  await settle()
  return vi.mocked(logFailure).mock.calls.map(([what]) => what)
}

beforeEach(() => {
  vi.mocked(logFailure).mockClear()
})

test('errors of the host are only logged, and show no banner', async () => {
  show(<SystemBanners />)
  expect(await logged()).toEqual(['read backend state', 'read recovery', 'read persistence'])
  expect(pageText()).toBe('')
})

test('DESK-01 the banner stays if keeping the session fails', async () => {
  const persistence = vi.spyOn(refusingDesktop.session, 'persistence').mockResolvedValue('memory')
  show(<SystemBanners />)
  await settle()
  expect(pageText()).toContain(texts.session.notKept)
  await press(texts.session.keepAnyway)
  expect(await logged()).toContain('keep session anyway')
  expect(pageText()).toContain(texts.session.notKept)
  expect(localStorage.length).toBe(0)
  await press('OK')
  expect(pageText()).not.toContain(texts.session.notKept)
  expect(localStorage.length).toBe(1)
  persistence.mockRestore()
})

test('DESK-19 a locked keyring is named, with a restart and without plain text', async () => {
  const persistence = vi.spyOn(refusingDesktop.session, 'persistence').mockResolvedValue('locked')
  show(<SystemBanners />)
  await settle()
  expect(pageText()).toContain('Your keyring is locked. Unlock it and restart Vignette.')
  expect(pageText()).not.toContain(texts.session.keepAnyway)
  await press(texts.session.restart)
  expect(await logged()).toContain('restart')
  await press('OK')
  expect(pageText()).not.toContain(texts.session.locked)
  // It is shown again with the next start.
  expect(localStorage.length).toBe(0)
  persistence.mockRestore()
})

test('DESK-18 the start after crashes of the graphics says that hardware acceleration is off, until that is read', async () => {
  const abilities = vi
    .spyOn(refusingDesktop.system, 'abilities')
    .mockResolvedValue({ acceleration: true } as DesktopAbilities)
  show(<GraphicsBanner />)
  await settle()
  expect(pageText()).toBe('')
  cleanup()
  abilities.mockResolvedValue({ acceleration: false } as DesktopAbilities)
  show(<GraphicsBanner />)
  await settle()
  expect(pageText()).toContain('Hardware acceleration is off')
  const set = vi.spyOn(refusingDesktop.preferences, 'set')
  await press('OK')
  expect(set).toHaveBeenCalledWith({ hardwareAcceleration: 'off' })
  expect(await logged()).toContain('save preferences')
  set.mockRestore()
  abilities.mockRestore()
})

test('abilities and updates are unknown while the host does not respond', async () => {
  const abilities = showHook(useAbilities)
  const updates = showHook(useUpdates)
  expect(await logged()).toEqual(['read abilities', 'read updates'])
  expect(abilities.result.current).toBeNull()
  expect(updates.result.current).toEqual({ state: 'off' })
})

test('SET-06 unreadable preferences fall back to the defaults, and a failed change has no effect', async () => {
  await startPreferences()
  const [before, change] = callHook(usePreferences)
  expect(before).toEqual(DEFAULT_PREFERENCES)
  change({ theme: 'dark' })
  expect(await logged()).toEqual(['read preferences', 'save preferences'])
  expect(callHook(usePreferences)[0]).toEqual(DEFAULT_PREFERENCES)
})

test('DESK-02 DESK-10 DESK-19 the host’s errors about badge, uploads, routes, notifications and answers are only logged', async () => {
  show(<DesktopIntegration />)
  uploads.setState({ a: { sent: 1, total: 2, state: 'running' } })
  await vi.waitFor(async () => expect(await logged()).toContain('load reports'))
  expect((await logged()).sort()).toEqual([
    'listen to routes',
    'load reports',
    'set badge',
    'show uploads',
    'take answers',
  ])
})

test('a failed server offers the same actions after one of them has failed', async () => {
  const { container } = show(<BackendFailed message="Port in use" canRestore />)
  const before = container.innerHTML
  expect(before).toContain('Port in use')
  await press(texts.tryAgain)
  await press(texts.desktop.showDataFolder)
  expect(await logged()).toEqual(['retry backend', 'show data folder'])
  await press(texts.desktop.restore)
  const question = screen.getByRole('alertdialog', { name: 'Restore the last snapshot?' })
  expect(question.textContent).toContain(
    'What was posted and written since then will be missing. The data of now is kept in the data folder.',
  )
  await press('Restore last snapshot', question)
  expect(await logged()).toEqual(['retry backend', 'show data folder', 'restore snapshot'])
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(container.innerHTML).toBe(before)
})

test('AUTH-12 the path of the mail file is shown, even if the folder cannot be opened', async () => {
  show(<MailFile />)
  expect(pageText()).toContain('This server has no mail: it writes messages to a file on this computer.')
  expect(pageText()).toContain('/data/mail.txt')
  await press('Show the file')
  expect(await logged()).toEqual(['show mail file'])
})

test('SET-06 a failed permission prompt of the browser is only logged', async () => {
  const Notification = { permission: 'default', requestPermission: () => Promise.reject(REFUSED) }
  vi.stubGlobal('Notification', Notification)
  askForNotifications()
  expect(await logged()).toEqual(['ask for notifications'])
})
