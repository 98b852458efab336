import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactElement } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { AppearanceSection } from '#/renderer/features/settings/components/AppearanceSection'
import { ComputerSection } from '#/renderer/features/settings/components/ComputerSection'
import { NotificationsSection } from '#/renderer/features/settings/components/NotificationsSection'
import { DownloadData } from '#/renderer/features/settings/download/DownloadData'
import type { DownloadProgress } from '#/renderer/features/settings/download/write-download'
import { logFailure } from '#/renderer/lib/core/logger'
import type { DesktopAbilities, SpellCheckLanguages, UpdateState } from '#/shared/bridge'
import {
  DEFAULT_PREFERENCES,
  type Preferences,
  type PreferencesPatch,
  videoPreference,
} from '#/shared/preferences'
import { fill, press, settle, show } from '#tests/renderer/dom'
import { refusingDesktop } from '../refusing-desktop'

const host = vi.hoisted(() => ({
  updates: { state: 'off' } as UpdateState,
  preferences: {} as Preferences,
  patches: [] as PreferencesPatch[],
  spellCheck: null as SpellCheckLanguages | null,
  lockScreen: true,
  abilities: {} as Partial<DesktopAbilities>,
  keepsCrashDumps: false,
  download: { status: 'idle' } as object,
}))

vi.mock('#/renderer/features/desktop', async () => ({
  desktop: (await import('../refusing-desktop')).refusingDesktop,
  useAbilities: () => ({
    notifications: true,
    attention: true,
    lockScreen: host.lockScreen,
    crashDumps: host.keepsCrashDumps,
    startAtLogin: true,
    tray: true,
    files: true,
    spellCheck: host.spellCheck,
    links: true,
    sandbox: true,
    acceleration: true,
    ...host.abilities,
  }),
  usePreferences: () => [host.preferences, (patch: PreferencesPatch) => host.patches.push(patch)],
  useUpdates: () => host.updates,
}))
vi.mock('#/renderer/features/auth', () => ({ useMe: () => ({ id: 'me' }) }))
vi.mock('#/renderer/features/settings/download/download-store', () => ({
  useDownload: () => host.download,
  startDownload: () => undefined,
  cancelDownload: () => undefined,
}))

async function logged(): Promise<string[]> {
  await settle()
  return vi.mocked(logFailure).mock.calls.map(([what]) => what)
}

/** Shows the element alone, and returns its markup. */
function draw(element: ReactElement): string {
  cleanup()
  return show(element).container.innerHTML
}

const toggle = (name: string) => userEvent.click(screen.getByRole('switch', { name }))

beforeEach(() => {
  vi.mocked(logFailure).mockClear()
  host.updates = { state: 'off' }
  host.preferences = DEFAULT_PREFERENCES
  host.patches = []
  host.spellCheck = null
  host.lockScreen = true
  host.abilities = {}
  host.keepsCrashDumps = false
})

test('SET-06 the section of this computer explains its switches', async () => {
  const markup = draw(<ComputerSection />)
  expect(markup).toContain('This computer')
  expect(markup).toContain('Vignette starts with your computer')
  expect(markup).toContain(
    'Closing the window leaves Vignette in the tray, so that messages still reach you. Some desktops show no tray: start Vignette again, and the window is back',
  )
  await toggle('Start at login')
  expect(host.patches).toEqual([{ startAtLogin: true }])
})

test('SET-06 paused notifications say until when, and are resumed', async () => {
  host.preferences = { ...DEFAULT_PREFERENCES, notificationsPausedUntil: Date.now() + 3_600_000 }
  expect(draw(<NotificationsSection />)).toContain('Paused until ')
  await press('Resume')
  expect(host.patches).toEqual([{ notificationsPausedUntil: null }])
})

test('DESK-12 spelling is not checked until the member turns it on, in the system’s language', async () => {
  host.spellCheck = { available: ['de', 'en-GB', 'fr'], suggested: 'en-GB' }
  const markup = draw(<ComputerSection />)
  expect(markup).toContain(
    'A dictionary that your system lacks is downloaded from Google. What you write stays on this computer.',
  )
  expect(markup).not.toContain('Add a language')
  await toggle('Check spelling')
  expect(host.patches).toEqual([{ spellCheckLanguages: ['en-GB'] }])
})

test('DESK-12 the member adds and removes spell checker languages; none turns it off', async () => {
  host.spellCheck = { available: ['de', 'en-GB', 'fr'], suggested: 'en-GB' }
  host.preferences = { ...DEFAULT_PREFERENCES, spellCheckLanguages: ['en-GB'] }
  const markup = draw(<ComputerSection />)
  expect(markup).toContain('aria-label="Checked languages"')
  expect(markup).toContain('British English')
  expect([...markup.matchAll(/<option[^>]*>([^<]+)</g)].map(([, name]) => name)).toEqual([
    'Add a language',
    'French',
    'German',
  ])
  fill('Add a language', 'fr')
  await press('Remove British English')
  await toggle('Check spelling')
  expect(host.patches).toEqual([
    { spellCheckLanguages: ['en-GB', 'fr'] },
    { spellCheckLanguages: [] },
    { spellCheckLanguages: [] },
  ])
})

test('DESK-12 no language setting where the system chooses the languages', () => {
  expect(draw(<ComputerSection />)).not.toContain('Check spelling')
})

test('DESK-18 hardware acceleration has a switch, which takes effect with a restart', async () => {
  const off = { ...DEFAULT_PREFERENCES, hardwareAcceleration: 'off' } as const
  const markup = draw(<ComputerSection />)
  expect(markup).toContain('>Hardware acceleration</label>')
  expect(markup).not.toContain('Takes effect when Vignette starts again.')
  await toggle('Hardware acceleration')
  expect(host.patches).toEqual([{ hardwareAcceleration: 'off' }])
  host.preferences = off
  expect(draw(<ComputerSection />)).toContain('Takes effect when Vignette starts again.')
  await press('Restart')
  expect(await logged()).toEqual(['restart'])
  host.abilities = { acceleration: false }
  expect(draw(<ComputerSection />)).not.toContain('Takes effect')
  await toggle('Hardware acceleration')
  expect(host.patches.at(-1)).toEqual({ hardwareAcceleration: 'on' })
  host.preferences = { ...off, hardwareAcceleration: 'crashed' }
  expect(draw(<ComputerSection />)).toContain('Turned off, because your graphics driver kept crashing')
  host.abilities = { acceleration: null }
  expect(draw(<ComputerSection />)).not.toContain('Hardware acceleration')
})

test('DESK-15 says that links are off, and that there is no sandbox', () => {
  const markup = draw(<ComputerSection />)
  expect(markup).not.toContain('Links do not open Vignette')
  expect(markup).not.toContain('without Chromium’s sandbox')
  host.abilities = { links: false, sandbox: false }
  const warned = draw(<ComputerSection />)
  expect(warned).toContain('Links do not open Vignette on this computer.')
  expect(warned).toContain('Vignette runs without Chromium’s sandbox')
})

test('the buttons for a problem report are shown; the copied state appears only after copying', async () => {
  draw(<ComputerSection />)
  const page = document.body
  for (const name of ['Copy diagnostics', 'Open log', 'Show data folder']) await press(name)
  expect(await logged()).toEqual(['copy diagnostics', 'open log', 'show data folder'])
  expect(page.innerHTML).not.toContain('Copied')
  const copying = vi.spyOn(refusingDesktop.help, 'copyDiagnostics').mockResolvedValue(undefined)
  await press('Copy diagnostics')
  await logged()
  expect(page.innerHTML).toContain('>Copied</button>')
  copying.mockRestore()
})

test.each<[UpdateState, string, string | null]>([
  [{ state: 'off' }, 'Updates are off: this copy of Vignette has no update feed.', null],
  [{ state: 'idle' }, 'Vignette is up to date.', 'Check for updates'],
  [{ state: 'checking' }, 'Looking for updates…', null],
  [{ state: 'available', version: '2.0.0' }, 'Version 2.0.0 is available.', 'Download'],
  [{ state: 'downloading', percent: 40 }, 'Downloading the update… 40 %', null],
  [{ state: 'ready', version: '2.0.0' }, 'Version 2.0.0 is ready to install.', 'Restart and install'],
  [{ state: 'failed' }, 'Looking for updates failed.', 'Check for updates'],
])(
  'DESK-07 the update state %j shows its text and next step; a failed step is only logged',
  async (state, words, action) => {
    host.updates = state
    expect(draw(<ComputerSection />)).toContain(words)
    if (action !== null) await press(action)
    expect(await logged()).toEqual(action === null ? [] : ['update'])
  },
)

test('SET-06 DESK-10 each notification topic has a switch, and the pause is explained', () => {
  const markup = draw(<NotificationsSection />)
  for (const topic of [
    'Messages',
    'Likes and story views',
    'Comments, replies and mentions',
    'New followers and requests',
  ])
    expect(markup).toContain(`>${topic}</label>`)
  expect(markup).toContain('No notification for what is already on screen.')
  expect(markup).toContain('>Pause for an hour</button>')
  expect(markup).toContain('>Draw attention to new messages</label>')
  expect(markup).toContain(
    'The Dock icon bounces, or the taskbar entry flashes. Vignette cannot see whether the system’s Do Not Disturb is on; a pause stops it too.',
  )
  host.preferences = { ...DEFAULT_PREFERENCES, notificationsPausedUntil: Date.now() + 60_000 }
  expect(draw(<NotificationsSection />)).toMatch(/Paused until .*>Resume<\/button>/)
})

test.each([
  [false, false, null],
  [true, false, 'Vignette keeps crash dumps from its next start on.'],
  [true, true, null],
  [false, true, 'All crash dumps are deleted. Vignette makes none from its next start on.'],
])('DESK-19 crash dumps: chosen %s, kept in this run %s', async (keepCrashDumps, isKeeping, note) => {
  host.preferences = { ...DEFAULT_PREFERENCES, keepCrashDumps }
  host.keepsCrashDumps = isKeeping
  const markup = draw(<ComputerSection />)
  expect(markup).toContain(
    'After a crash, the memory of Vignette stays in a file in the data folder. It can contain messages and your sign-in, and Vignette never sends it. At most five files stay, for a week or until you sign out.',
  )
  expect(markup.includes('>Restart</button>')).toBe(note !== null)
  if (note !== null) expect(markup).toContain(note)
  await toggle('Keep crash dumps')
  expect(host.patches).toEqual([{ keepCrashDumps: !keepCrashDumps }])
})

test.each([
  ['text', 'Who it is from, and what they wrote.', true],
  ['name', 'Who it is from, without what they wrote.', false],
  ['nothing', 'Only ‘New message’ or ‘New notification’, without a name and a picture.', false],
] as const)(
  'DESK-17 notifications show %s; a locked screen can show the text only if they do',
  (chosen, body, hasSwitch) => {
    host.preferences = { ...DEFAULT_PREFERENCES, notificationContent: chosen }
    const markup = draw(<NotificationsSection />)
    expect(markup).toContain('Notifications show')
    for (const name of ['Name and text', 'Name only', 'Neither'])
      expect(markup).toContain(`>${name}</button>`)
    expect(markup).toContain(body)
    expect(markup.includes('Text on a locked screen')).toBe(hasSwitch)
    expect(
      markup.includes('While this is off, notifications show only the name when the screen is locked.'),
    ).toBe(hasSwitch)
    // A browser does not know whether the screen is locked.
    host.lockScreen = false
    expect(draw(<NotificationsSection />)).not.toContain('Text on a locked screen')
  },
)

test('SET-06 FEED-14 videos play by themselves unless the system asks for less motion, or as the member has chosen', () => {
  expect(videoPreference(DEFAULT_PREFERENCES, false)).toBe('always')
  expect(videoPreference(DEFAULT_PREFERENCES, true)).toBe('click')
  host.preferences = { ...DEFAULT_PREFERENCES, playVideos: 'saveData' }
  expect(videoPreference(host.preferences, true)).toBe('saveData')
  const markup = draw(<AppearanceSection />)
  for (const text of ['Videos in posts play by themselves', 'Always', 'Unless saving data', 'Never'])
    expect(markup).toContain(text)
})

test('SET-06 FEED-20 the theme has three choices, the ground of the light table two', () => {
  const markup = draw(<AppearanceSection />)
  expect(markup).toContain('Ground behind opened photos')
  for (const ground of ['Black', 'Light grey']) expect(markup).toContain(`>${ground}</button>`)
  for (const theme of ['System', 'Light', 'Dark']) expect(markup).toContain(`>${theme}</button>`)
  for (const size of ['90 %', '100 %', '130 %']) expect(markup).toContain(`>${size}</button>`)
})

test.each<[DownloadProgress['step'], string]>([
  ['profile', 'Getting your profile…'],
  ['posts', 'Getting your posts…'],
  ['stories', 'Getting your stories…'],
  ['comments', 'Getting your comments…'],
  ['lists', 'Getting your lists…'],
  ['messages', 'Getting your messages…'],
  ['page', 'Putting it all together…'],
])('SAFE-05 a running download shows its step %s', (step, words) => {
  host.download = { status: 'running', progress: { step, done: 1_200, total: 3_000 } }
  expect(draw(<DownloadData />)).toContain(`${words} 1,200 of 3,000`)
  host.download = { status: 'running', progress: { step, done: 7, total: null } }
  expect(draw(<DownloadData />)).toContain(`${words} 7<`)
})

test('SAFE-05 a download of several zip files has a button for each that is not saved yet', () => {
  host.download = { status: 'done', name: 'mara-1.zip', others: [{ file: new Blob(), name: 'mara-2.zip' }] }
  const markup = draw(<DownloadData />)
  expect(markup.replaceAll(/[\u2066-\u2069]/g, '')).toContain('>Save mara-2.zip</button>')
  expect(markup).toContain('unpack all of them into the same folder')
  host.download = { status: 'done', name: 'mara.zip', others: [] }
  expect(draw(<DownloadData />)).not.toContain('>Save ')
})

test.each([
  ['offline', 'The server could not be reached, so nothing was saved. Check your connection and try again.'],
  ['too-large', 'Your data is larger than the 4 GB that a zip file can hold.'],
  ['other', 'Something went wrong, and nothing was saved. Please try again.'],
])('SAFE-05 a failed download shows the reason and a retry button: %s', (reason, words) => {
  host.download = { status: 'failed', reason }
  const markup = draw(<DownloadData />)
  expect(markup).toContain(words)
  expect(markup).toContain('>Try again</button>')
})
