import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { StoredAttachments } from '#/renderer/features/messages/attachments-store'
import type { NewMessage, OutgoingPhoto } from '#/renderer/features/messages/message'
import type { AppError, ErrorCode } from '#/renderer/lib/core/errors'
import type { NewRow, OutboxKind, OutboxRow } from '#/renderer/lib/outbox/row'

interface Sent extends NewMessage {
  id: string
}

/** State that outlives a window: the disk and the server. */
const world = vi.hoisted(() => ({
  disk: new Map<string, string>(),
  /** Messages that the server has stored, by id. */
  taken: new Map<string, Sent>(),
  /** How the next sends end. */
  outcomes: [] as ErrorCode[],
  /** Called while a message is being sent. */
  during: async (): Promise<void> => undefined,
  /** Why the outbox cannot be opened. */
  openFails: null as Error | null,
  /** Refused rows of the outbox, by id. */
  refused: new Map<string, OutboxRow>(),
  /** Stored attachments by key, and the listeners for changes of other windows. */
  extras: new Map<string, StoredAttachments>(),
  followers: [] as ((key: string) => void)[],
  logged: vi.fn<(what: string, cause: unknown) => void>(),
  saveFails: null as Error | null,
}))

vi.mock('#/renderer/lib/core/logger', () => ({ logFailure: world.logged }))

async function failure(code: ErrorCode): Promise<Error> {
  // Each window has its own module.
  const { AppError } = await import('#/renderer/lib/core/errors')
  return new AppError(code, '', 'test')
}

vi.mock('#/renderer/lib/outbox/active', () => ({
  untilOpen: async () => {
    if (world.openFails !== null) throw world.openFails
  },
  submit: async (
    kind: Required<OutboxKind<NewMessage>>,
    { id = crypto.randomUUID(), scope, payload }: NewRow<NewMessage>,
  ) => {
    await world.during()
    const outcome = world.outcomes.shift()
    if (outcome === undefined) {
      world.taken.set(id, { id, ...payload })
      return 'sent'
    }
    const row = { id, scope, kind: kind.name, payload, createdAt: '', state: 'sending' } as const
    const error = (await failure(outcome)) as AppError
    kind.onRefused([row], error)
    throw error
  },
  discardRow: async (id: string) => {
    const row = world.refused.get(id) ?? null
    world.refused.delete(id)
    return row
  },
}))

vi.mock('#/renderer/features/messages/attachments-store', () => ({
  loadAttachments: async (key: string) => world.extras.get(key) ?? null,
  saveAttachments: async (key: string, extras: StoredAttachments | null) => {
    if (world.saveFails !== null) throw world.saveFails
    if (extras === null) world.extras.delete(key)
    else world.extras.set(key, extras)
  },
  removeAttachments: async (prefix: string) => {
    for (const key of world.extras.keys()) if (key.startsWith(prefix)) world.extras.delete(key)
  },
  onAttachmentsChange: (listener: (key: string) => void) => world.followers.push(listener),
}))

const C = 'conversation'

/** A new window with this member signed in. */
async function openWindow(me = 'ana') {
  vi.resetModules()
  const drafts = await import('#/renderer/features/messages/drafts-store')
  const extras = await import('#/renderer/features/messages/draft-attachments-store')
  const { sendDraft, editRefused } = await import('#/renderer/features/messages/mutations/send')
  drafts.openDrafts(me)
  await extras.openDraftAttachments(drafts.draftKey(C))
  return {
    ...drafts,
    ...extras,
    editRefused,
    /** Sends the content of the field, as the composer does. */
    submit: () => {
      const { photo, replyToId } = extras.getDraftAttachments(C)
      const message = {
        conversation_id: C,
        content: drafts.getDraftText(C).trim(),
        ...(replyToId !== null && { reply_to_id: replyToId }),
        ...(photo.state === 'ready' && { photo: photo.photo }),
      }
      return sendDraft(message, () => undefined)
    },
  }
}

const photo: OutgoingPhoto = {
  id: 'photo',
  picture: { dataUrl: 'data:,', thumbnailUrl: 'data:,', width: 1, height: 1 },
}

function taken(): string[] {
  return [...world.taken.values()].map(({ content }) => content)
}

/** Listeners of the windows for changes of localStorage. */
const storageListeners: ((event: Partial<StorageEvent>) => void)[] = []

beforeEach(() => {
  world.disk.clear()
  world.taken.clear()
  world.outcomes = []
  world.during = async () => undefined
  world.openFails = null
  world.refused.clear()
  world.extras.clear()
  world.logged.mockClear()
  world.saveFails = null
  storageListeners.length = 0
  vi.stubGlobal('addEventListener', (_type: string, listener: (event: Partial<StorageEvent>) => void) =>
    storageListeners.push(listener),
  )
  vi.stubGlobal('localStorage', {
    get length() {
      return world.disk.size
    },
    key: (index: number) => [...world.disk.keys()][index] ?? null,
    getItem: (key: string) => world.disk.get(key) ?? null,
    setItem: (key: string, value: string) => world.disk.set(key, value),
    removeItem: (key: string) => world.disk.delete(key),
  })
})

describe('MSG-04 a message', () => {
  test('leaves the field, and the disk, when it is sent', async () => {
    const window = await openWindow()
    window.setDraft(C, 'Hello')
    window.setDraftAttachments(C, { photo: { state: 'ready', photo } })
    let meanwhile = ''
    world.during = async () => {
      meanwhile = window.getDraftText(C)
      window.setDraft(C, 'Typed since')
    }
    await window.submit()
    expect(meanwhile).toBe('')
    expect([...world.taken.values()]).toMatchObject([{ content: 'Hello', photo }])
    expect(window.getDraftText(C)).toBe('Typed since')
    expect(world.extras.size).toBe(0)
    window.setDraft(C, '')
    expect(world.disk.size).toBe(0)
  })

  test('stays in the field when the outbox cannot be opened', async () => {
    const window = await openWindow()
    window.setDraft(C, 'Hello')
    world.openFails = new TypeError('not loaded')
    await window.submit()
    expect(window.getDraftText(C)).toBe('Hello')
    expect(world.logged.mock.calls).toEqual([['send message', world.openFails]])
  })

  test('is sent once when Enter is pressed twice before the outbox is open', async () => {
    const window = await openWindow()
    window.setDraft(C, 'Hello')
    await Promise.all([window.submit(), window.submit()])
    expect(taken()).toEqual(['Hello'])
  })

  test('returns before the text typed since', async () => {
    const window = await openWindow()
    window.setDraft(C, 'Hello')
    world.outcomes = ['forbidden']
    world.during = async () => window.setDraft(C, 'and more')
    await window.submit()
    expect(window.getDraftText(C)).toBe('Hello\nand more')
  })
})

test('MSG-09 Edit inserts a refused message before the text typed since', async () => {
  const window = await openWindow()
  window.setDraft(C, 'and more')
  const payload = { conversation_id: C, content: 'Hello', reply_to_id: 'asked', photo }
  const row = { id: 'refused', scope: '', kind: 'message', payload, createdAt: '', state: 'refused' } as const
  world.refused.set(row.id, row)
  await window.editRefused(row.id)
  expect(window.getDraftText(C)).toBe('Hello\nand more')
  expect(window.getDraftAttachments(C)).toEqual({ replyToId: 'asked', photo: { state: 'ready', photo } })
  await window.editRefused(row.id)
  expect(window.getDraftText(C)).toBe('Hello\nand more')
})

test('STORY-05 a reply to a story that the server refuses stays in the story’s field', async () => {
  const window = await openWindow()
  const { messageKind } = await import('#/renderer/features/messages/mutations/send')
  const payload = { conversation_id: C, content: 'Hello', story_id: 'story' }
  const row = { id: 'reply', scope: '', kind: 'message', payload, createdAt: '', state: 'sending' } as const
  messageKind.onRefused([row], (await failure('forbidden')) as AppError)
  expect(window.getDraftText(C)).toBe('')
  messageKind.onRefused(
    ['one', 'two'].map((content) => ({ ...row, payload: { conversation_id: C, content } })),
    (await failure('forbidden')) as AppError,
  )
  expect(window.getDraftText(C)).toBe('one\ntwo')
})

describe('drafts belong to one member', () => {
  test('a message that fails after another member signed in does not return to their field', async () => {
    const window = await openWindow('ana')
    window.setDraft(C, 'From Ana')
    window.setDraftAttachments(C, { replyToId: 'asked', photo: { state: 'ready', photo } })
    world.outcomes = ['session-expired']
    world.during = async () => {
      window.closeDrafts('ana')
    }
    await window.submit()
    window.openDrafts('ben')
    expect(window.getDraftText(C)).toBe('')
    expect(window.getDraftAttachments(C)).toEqual({ replyToId: null, photo: { state: 'none' } })
  })

  test('a message that waits for the outbox is not sent as another member', async () => {
    const window = await openWindow('ana')
    window.setDraft(C, 'From Ana')
    const sending = window.submit()
    window.closeDrafts('ana')
    window.openDrafts('ben')
    await sending
    expect(taken()).toEqual([])
    expect((await openWindow('ana')).getDraftText(C)).toBe('From Ana')
  })
})

describe('MSG-12 two windows', () => {
  const keyOf = (text: string) => [...world.disk].find(([, json]) => json.includes(text))?.[0] ?? ''

  test('keep drafts of different conversations', async () => {
    const one = await openWindow()
    const two = await openWindow()
    one.setDraft(C, 'In one')
    two.setDraft('other conversation', 'In two')
    one.setDraft(C, 'In one, longer')
    const later = await openWindow()
    expect(later.getDraftText(C)).toBe('In one, longer')
    expect(later.getDraftText('other conversation')).toBe('In two')
  })

  test('share the draft of one conversation', async () => {
    const one = await openWindow()
    one.setDraft(C, 'In one')
    const key = keyOf('In one')
    const two = await openWindow()
    one.setDraft(C, 'In one, longer')
    storageListeners.at(-1)?.({ key, newValue: world.disk.get(key) ?? null })
    expect(two.getDraftText(C)).toBe('In one, longer')
    // A key of another member, and a cleared storage.
    storageListeners.at(-1)?.({ key: 'vignette.draft.x.ben.c', newValue: '{"text":"no"}' })
    storageListeners.at(-1)?.({ key: null })
    expect(two.getDraftText(C)).toBe('In one, longer')
  })
})

describe('MSG-12 a chosen photo and reply', () => {
  const chosen = { replyToId: 'asked', photo: { state: 'ready', photo } } as const

  test('are restored after a restart until they are sent', async () => {
    const window = await openWindow()
    window.setDraftAttachments(C, chosen)
    const next = await openWindow()
    expect(next.getDraftAttachments(C)).toEqual(chosen)
    await next.submit()
    expect([...world.taken.values()]).toMatchObject([{ reply_to_id: 'asked', photo }])
    expect((await openWindow()).getDraftAttachments(C).photo.state).toBe('none')
    expect(world.extras.size).toBe(0)
  })

  test('return with a message that failed, also on disk', async () => {
    const window = await openWindow()
    window.setDraftAttachments(C, chosen)
    world.outcomes = ['forbidden']
    await window.submit()
    expect(window.getDraftAttachments(C)).toEqual(chosen)
    expect((await openWindow()).getDraftAttachments(C)).toEqual(chosen)
  })

  test('are sent although they cannot be stored', async () => {
    const window = await openWindow()
    world.saveFails = new Error('QuotaExceededError')
    window.setDraftAttachments(C, chosen)
    await vi.waitFor(() => expect(world.logged.mock.calls).toEqual([['keep draft', world.saveFails]]))
    expect(window.getDraftAttachments(C)).toEqual(chosen)
    await window.submit()
    expect([...world.taken.values()]).toMatchObject([{ reply_to_id: 'asked', photo }])
  })

  test('are deleted from disk when removed from the field', async () => {
    const window = await openWindow()
    window.setDraftAttachments(C, chosen)
    window.setDraftAttachments(C, { photo: { state: 'none' } })
    window.setDraftAttachments(C, { replyToId: null })
    expect(world.extras.size).toBe(0)
  })

  test('are not restored by a slow read after they were sent', async () => {
    const window = await openWindow()
    window.setDraftAttachments(C, chosen)
    const reading = window.openDraftAttachments(window.draftKey(C))
    window.clearDraftAttachments(window.draftKey(C))
    await reading
    expect(window.getDraftAttachments(C).photo.state).toBe('none')
  })

  test('AUTH-11 stay when their member signs out, and are not another member’s', async () => {
    const window = await openWindow('ana')
    window.setDraftAttachments(C, chosen)
    window.setDraft(C, 'Look')
    window.closeDrafts('ana')
    window.openDrafts('ben')
    await window.openDraftAttachments(window.draftKey(C))
    expect([window.getDraftText(C), window.getDraftAttachments(C).photo.state]).toEqual(['', 'none'])
    window.closeDrafts('ben')
    window.openDrafts('ana')
    await window.openDraftAttachments(window.draftKey(C))
    expect([window.getDraftText(C), window.getDraftAttachments(C)]).toEqual(['Look', chosen])
  })

  test('AUTH-11 are deleted on request, and can be written again after the next sign-in', async () => {
    const window = await openWindow('ana')
    window.setDraft(C, 'Look')
    window.setDraftAttachments(C, chosen)
    await window.removeMemberAttachments(window.forgetDrafts('ana'))
    window.setDraft(C, 'typed before the session has ended')
    window.closeDrafts('ana')
    expect([...world.extras.keys(), ...world.disk.keys()].join()).not.toContain('ana')
    window.openDrafts('ana')
    expect(window.getDraftText(C)).toBe('')
    window.setDraft(C, 'Hello')
    window.closeDrafts('ana')
    window.openDrafts('ana')
    expect(window.getDraftText(C)).toBe('Hello')
  })
})

test('SET-03 deletes all drafts of a deleted account, also drafts that return later, and keeps those of others', async () => {
  const other = await openWindow('ben')
  other.setDraft(C, 'Of Ben')
  other.setDraftAttachments(C, { replyToId: 'asked' })
  const window = await openWindow('ana')
  window.setDraft('another', 'Half a line')
  window.setDraft(C, 'On its way')
  window.setDraftAttachments(C, { photo: { state: 'ready', photo } })
  world.outcomes = ['forbidden']
  world.during = async () => {
    expect([...world.disk.keys(), ...world.extras.keys()].join()).toContain('.ana.')
    await window.removeMemberAttachments(window.forgetDrafts('ana'))
  }
  await window.submit()
  expect(window.getDraftText(C)).toBe('On its way')
  expect([...world.disk.keys(), ...world.extras.keys()].join()).not.toContain('.ana.')
  const later = await openWindow('ben')
  expect(later.getDraftText(C)).toBe('Of Ben')
  expect(later.getDraftAttachments(C).replyToId).toBe('asked')
})
