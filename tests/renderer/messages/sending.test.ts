import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { KeptExtras } from '#/renderer/features/messages/extras-store'
import type { OutgoingPhoto } from '#/renderer/features/messages/outbox'
import type { ErrorCode } from '#/renderer/lib/errors'

interface Sent {
  id: string
  earlier?: { id: string }
  content: string
  reply_to_id?: string
  photo?: OutgoingPhoto
}

/** What survives the window: the disk and the server. */
const world = vi.hoisted(() => ({
  disk: new Map<string, string>(),
  /** Messages the server took, by id. */
  taken: new Map<string, Sent>(),
  /** How the next sends end: `lost` takes the message and loses the answer. */
  outcomes: [] as ('lost' | ErrorCode)[],
  /** Called while a message is under way. */
  during: async (): Promise<void> => undefined,
  isUnreachable: false,
  /** Whether the outbox has room for what is sent. */
  isKept: true,
  asked: 0,
  /** What goes with drafts, by their key, and what other windows do to it. */
  extras: new Map<string, KeptExtras>(),
  /** The locks of the windows that are there. */
  locks: new Set<string>(),
  followers: [] as ((key: string) => void)[],
  logged: vi.fn<(what: string, cause: unknown) => void>(),
  saveFails: null as Error | null,
}))

vi.mock('#/renderer/lib/logger', () => ({ logFailure: world.logged }))

async function failure(code: ErrorCode): Promise<Error> {
  // Each window has its own.
  const { AppError } = await import('#/renderer/lib/errors')
  return new AppError(code, '', 'test')
}

vi.mock('#/renderer/features/messages/outbox', () => ({
  sendMessage: async (message: Sent, onKept: () => void) => {
    if (world.isKept) onKept()
    await world.during()
    const outcome = world.outcomes.shift()
    if (outcome !== undefined && outcome !== 'lost') throw await failure(outcome)
    const photos = [...world.taken.values()]
      .filter(({ id }) => id !== message.id)
      .map(({ photo }) => photo?.id)
    if (message.photo !== undefined && photos.includes(message.photo.id)) throw await failure('conflict')
    if (!world.taken.has(message.id)) world.taken.set(message.id, message)
    if (outcome === 'lost') throw await failure('offline')
    return 'sent'
  },
}))

vi.mock('#/renderer/features/messages/extras-store', () => ({
  loadExtras: async (key: string) => {
    const kept = world.extras.get(key) ?? null
    return world.locks.has(`vignette.window ${kept?.sentBy}`) ? null : kept
  },
  saveExtras: async (key: string, extras: KeptExtras | null) => {
    if (world.saveFails !== null) throw world.saveFails
    if (extras === null) world.extras.delete(key)
    else world.extras.set(key, extras)
  },
  removeExtras: async (prefix: string) => {
    for (const key of world.extras.keys()) if (key.startsWith(prefix)) world.extras.delete(key)
  },
  onExtrasChange: (listener: (key: string) => void) => world.followers.push(listener),
}))

vi.mock('#/renderer/features/messages/delivered', () => ({
  isDelivered: async (id: string) => {
    world.asked += 1
    if (world.isUnreachable) throw await failure('offline')
    return world.taken.has(id)
  },
}))

const C = 'conversation'

/** The app ends, however it does: no window is there any more. */
function end(): void {
  world.locks.clear()
}

/** A window just opened, with this member signed in. */
async function openWindow(me = 'ana') {
  vi.resetModules()
  const drafts = await import('#/renderer/features/messages/drafts')
  const extras = await import('#/renderer/features/messages/draft-extras')
  const { send } = await import('#/renderer/features/messages/sending')
  drafts.openDrafts(me)
  await extras.openDraftExtras(drafts.draftKey(C))
  return {
    ...drafts,
    ...extras,
    /** Sends what is in the field, as the composer does. */
    submit: () => {
      const { photo, replyToId } = extras.getDraftExtras(C)
      const message = {
        conversation_id: C,
        content: drafts.getDraftText(C).trim(),
        ...(replyToId !== null && { reply_to_id: replyToId }),
        ...(photo.state === 'ready' && { photo: photo.photo }),
      }
      return send(message, () => undefined)
    },
  }
}

const photo: OutgoingPhoto = {
  id: 'photo',
  image_url: 'data:,',
  thumbnail_url: 'data:,',
  image_width: 1,
  image_height: 1,
}

function taken(): string[] {
  return [...world.taken.values()].map(({ content }) => content)
}

/** How windows hear of what another one wrote. */
const storageListeners: ((event: Partial<StorageEvent>) => void)[] = []

beforeEach(() => {
  world.disk.clear()
  world.taken.clear()
  world.outcomes = []
  world.during = async () => undefined
  world.isUnreachable = false
  world.isKept = true
  world.asked = 0
  world.extras.clear()
  world.locks.clear()
  world.logged.mockClear()
  world.saveFails = null
  storageListeners.length = 0
  vi.stubGlobal('addEventListener', (_type: string, listener: (event: Partial<StorageEvent>) => void) =>
    storageListeners.push(listener),
  )
  vi.stubGlobal('navigator', {
    locks: {
      request: (name: string) => world.locks.add(name),
      query: async () => ({ held: [...world.locks].map((name) => ({ name })) }),
    },
  })
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

describe('MSG-04 a message that the outbox keeps', () => {
  test('does not return to the field when the app ends before the answer; what is behind it does', async () => {
    const window = await openWindow()
    window.setDraft(C, 'Hello')
    window.setDraftExtras(C, { photo: { state: 'ready', photo } })
    let disk = new Map<string, string>()
    let extras = new Map<string, KeptExtras>()
    world.during = async () => {
      if (disk.size > 0) return
      window.setDraft(C, 'Behind it')
      void window.submit()
      disk = new Map(world.disk)
      extras = new Map(world.extras)
    }
    await window.submit()
    expect(taken()).toEqual(['Hello', 'Behind it'])
    expect(world.disk.size).toBe(0)
    end()
    world.disk = disk
    world.extras = extras
    const next = await openWindow()
    expect(next.getDraftText(C)).toBe('Behind it')
    expect(next.getDraftExtras(C).photo.state).toBe('none')
  })

  test('returns to the field when the server refuses it', async () => {
    const window = await openWindow()
    window.setDraft(C, 'Hello')
    window.setDraftExtras(C, { photo: { state: 'ready', photo } })
    world.outcomes = ['forbidden']
    await window.submit()
    expect(window.getDraftText(C)).toBe('Hello')
    expect(window.getDraftExtras(C).photo).toEqual({ state: 'ready', photo })
    expect(world.logged.mock.calls.map(([what]) => what)).toEqual(['send message'])
  })
})

describe('MSG-04 a message whose answer was lost while the outbox could not keep it', () => {
  beforeEach(() => {
    world.isKept = false
  })

  test('is sent again under its id, with its photo and answer too', async () => {
    const window = await openWindow()
    window.setDraft(C, 'Hello')
    window.setDraftExtras(C, { replyToId: 'asked', photo: { state: 'ready', photo } })
    world.outcomes = ['lost']
    world.isUnreachable = true
    await window.submit()
    expect(window.getDraftExtras(C)).toEqual({ replyToId: 'asked', photo: { state: 'ready', photo } })
    world.isUnreachable = false
    await window.submit()
    expect(taken()).toEqual(['Hello'])
    expect(window.getDraftText(C)).toBe('')
    expect(window.getDraftExtras(C).photo.state).toBe('none')
  })

  test('is not said again by what was written below it', async () => {
    const window = await openWindow()
    window.setDraft(C, 'Hello')
    window.setDraftExtras(C, { photo: { state: 'ready', photo } })
    world.during = async () => window.setDraft(C, 'and more')
    world.outcomes = ['lost']
    world.isUnreachable = true
    await window.submit()
    expect(window.getDraftText(C)).toBe('Hello\nand more')
    world.isUnreachable = false
    world.during = async () => undefined
    await window.submit()
    expect(taken()).toEqual(['Hello', 'and more'])
    expect([...world.taken.values()].filter((message) => message.photo !== undefined)).toHaveLength(1)
    expect(window.getDraftText(C)).toBe('')
  })

  test('that never came there goes out whole, with what was written below it', async () => {
    const window = await openWindow()
    window.setDraft(C, 'Hello')
    world.during = async () => window.setDraft(C, 'and more')
    world.outcomes = ['offline']
    await window.submit()
    world.during = async () => undefined
    await window.submit()
    expect(taken()).toEqual(['Hello\nand more'])
  })

  test('keeps its id over a restart in the middle, and behind a second failure', async () => {
    const window = await openWindow()
    window.setDraft(C, 'Hello')
    world.outcomes = ['lost']
    // The app ends while the answer is awaited.
    world.isUnreachable = true
    let disk = new Map<string, string>()
    world.during = async () => {
      disk = new Map(world.disk)
    }
    await window.submit()
    world.disk = disk
    world.during = async () => undefined
    end()

    const next = await openWindow()
    expect(next.getDraftText(C)).toBe('Hello')
    next.setDraft(C, 'Hello\nyou')
    await next.submit()
    expect(next.getDraftText(C)).toBe('Hello\nyou')
    world.isUnreachable = false
    await next.submit()
    expect(taken()).toEqual(['Hello', 'you'])
  })
})

test('MSG-09 an edited message of which some may be there waits for the connection too', async () => {
  const window = await openWindow()
  const { connection } = await import('#/renderer/lib/live/connection')
  window.setDraft(C, 'Hello')
  world.outcomes = ['lost']
  world.isUnreachable = true
  await window.submit()
  const [first] = [...world.taken.keys()]
  world.taken.clear()
  world.asked = 0
  window.setDraft(C, 'Hello\nand more')
  connection.setState({ state: 'lost', retryAt: null })
  await window.submit()
  connection.setState({ state: 'online', retryAt: null })
  expect(window.getDraftText(C)).toBe('')
  expect(world.asked).toBe(0)
  expect([...world.taken.values()]).toMatchObject([{ content: 'Hello\nand more', earlier: { id: first } }])
})

describe('what one member began is nobody else’s', () => {
  test('a message that fails after another signed in is back with its writer, and nothing else is sent', async () => {
    const window = await openWindow('ana')
    window.setDraft(C, 'From Ana')
    window.setDraftExtras(C, { replyToId: 'asked', photo: { state: 'ready', photo } })
    world.outcomes = ['forbidden']
    world.during = async () => {
      window.setDraft(C, 'Behind it')
      void window.submit()
      window.closeDrafts('ana')
      window.openDrafts('ben')
    }
    await window.submit()
    expect(window.getDraftText(C)).toBe('')
    expect(window.getDraftExtras(C)).toEqual({ replyToId: null, photo: { state: 'none' } })
    window.setDraft(C, 'From Ben')

    const later = await openWindow('ana')
    expect(later.getDraftText(C)).toBe('From Ana\nBehind it')
    later.openDrafts('ben')
    expect(later.getDraftText(C)).toBe('From Ben')
    expect(taken()).toEqual([])
  })

  test('what waits behind a message that was sent does not go out in another’s name', async () => {
    const window = await openWindow('ana')
    window.setDraft(C, 'From Ana')
    world.during = async () => {
      window.setDraft(C, 'Behind it')
      void window.submit()
      window.closeDrafts('ana')
    }
    await window.submit()
    expect(taken()).toEqual(['From Ana'])
    expect((await openWindow('ana')).getDraftText(C)).toBe('Behind it')
  })

  test('a chosen photo and reply are gone with who chose them', async () => {
    const window = await openWindow('ana')
    window.setDraftExtras(C, { replyToId: 'asked', photo: { state: 'ready', photo } })
    window.openDrafts('ben')
    expect(window.getDraftExtras(C)).toEqual({ replyToId: null, photo: { state: 'none' } })
  })
})

describe('MSG-12 two windows', () => {
  const keyOf = (text: string) => [...world.disk].find(([, json]) => json.includes(text))?.[0] ?? ''

  test('keep what is begun in different conversations', async () => {
    const one = await openWindow()
    const two = await openWindow()
    one.setDraft(C, 'In one')
    two.setDraft('other conversation', 'In two')
    one.setDraft(C, 'In one, longer')
    const later = await openWindow()
    expect(later.getDraftText(C)).toBe('In one, longer')
    expect(later.getDraftText('other conversation')).toBe('In two')
  })

  test('show one field in one conversation: what is typed in the other is there, and nothing is lost', async () => {
    const one = await openWindow()
    one.setDraft(C, 'In one')
    const key = keyOf('In one')
    const two = await openWindow()
    one.setDraft(C, 'In one, longer')
    storageListeners.at(-1)?.({ key, newValue: world.disk.get(key) ?? null })
    expect(two.getDraftText(C)).toBe('In one, longer')
    // Of another member, or of something else.
    storageListeners.at(-1)?.({ key: 'vignette.draft.x.ben.c', newValue: '{"text":"no"}' })
    storageListeners.at(-1)?.({ key: null })
    expect(two.getDraftText(C)).toBe('In one, longer')
  })

  test('what one sends is not in the field of the other, which does not take it off the disk either', async () => {
    // As before the outbox has it.
    world.isKept = false
    const one = await openWindow()
    one.setDraft(C, 'On its way')
    one.setDraftExtras(C, { photo: { state: 'ready', photo } })
    let disk = new Map<string, string>()
    let kept = new Map<string, KeptExtras>()
    world.during = async () => {
      const two = await openWindow()
      expect(two.getDraftText(C)).toBe('')
      expect(two.getDraftExtras(C).photo.state).toBe('none')
      two.setDraft(C, 'Typed in two')
      disk = new Map(world.disk)
      kept = new Map(world.extras)
    }
    await one.submit()
    expect(taken()).toEqual(['On its way'])
    expect(world.extras.size).toBe(0)

    // Had both ended then, all of it would be back.
    end()
    world.disk = disk
    world.extras = kept
    const later = await openWindow()
    await vi.waitFor(() => expect(later.getDraftText(C)).toBe('On its way\nTyped in two'))
    expect(later.getDraftExtras(C).photo).toEqual({ state: 'ready', photo })
  })
})

describe('MSG-12 a chosen photo and reply', () => {
  const chosen = { replyToId: 'asked', photo: { state: 'ready', photo } } as const

  test('are there again after a restart, until they are sent', async () => {
    const window = await openWindow()
    window.setDraftExtras(C, chosen)
    end()
    const next = await openWindow()
    expect(next.getDraftExtras(C)).toEqual(chosen)
    await next.submit()
    expect([...world.taken.values()]).toMatchObject([{ reply_to_id: 'asked', photo }])
    end()
    expect((await openWindow()).getDraftExtras(C).photo.state).toBe('none')
    expect(world.extras.size).toBe(0)
  })

  test('come back with a message that failed, also to the disk', async () => {
    const window = await openWindow()
    window.setDraftExtras(C, chosen)
    world.outcomes = ['forbidden']
    await window.submit()
    expect(window.getDraftExtras(C)).toEqual(chosen)
    end()
    expect((await openWindow()).getDraftExtras(C)).toEqual(chosen)
  })

  test('that cannot be kept are in the field all the same, and sent', async () => {
    const window = await openWindow()
    world.saveFails = new Error('QuotaExceededError')
    window.setDraftExtras(C, chosen)
    await vi.waitFor(() => expect(world.logged.mock.calls).toEqual([['keep draft', world.saveFails]]))
    expect(window.getDraftExtras(C)).toEqual(chosen)
    await window.submit()
    expect([...world.taken.values()]).toMatchObject([{ reply_to_id: 'asked', photo }])
  })

  test('that are taken out of the field are not kept', async () => {
    const window = await openWindow()
    window.setDraftExtras(C, chosen)
    window.setDraftExtras(C, { photo: { state: 'none' } })
    window.setDraftExtras(C, { replyToId: null })
    expect(world.extras.size).toBe(0)
  })

  test('that was read too late is not put back into a field that was sent', async () => {
    const window = await openWindow()
    window.setDraftExtras(C, chosen)
    const reading = window.openDraftExtras(window.draftKey(C))
    window.clearDraftExtras(window.draftKey(C))
    await reading
    expect(window.getDraftExtras(C).photo.state).toBe('none')
  })

  test('leave the computer when who chose them signs out; those of others stay', async () => {
    const window = await openWindow('ana')
    window.setDraftExtras(C, chosen)
    const place = window.closeDrafts('ana') ?? ''
    const other = await openWindow('ben')
    other.setDraftExtras(C, chosen)
    await window.forgetDraftExtras(place)
    expect([...world.extras.keys()].join()).toContain('ben')
    expect([...world.extras.keys()].join()).not.toContain('ana')
  })
})

test('MSG-04 drafts are there although it cannot be told which windows are', async () => {
  const window = await openWindow()
  window.setDraft(C, 'Begun')
  const cause = new Error('no locks')
  vi.stubGlobal('navigator', {
    locks: { request: () => undefined, query: async () => Promise.reject(cause) },
  })
  const next = await openWindow()
  await vi.waitFor(() => expect(world.logged.mock.calls).toEqual([['read drafts', cause]]))
  expect(next.getDraftText(C)).toBe('Begun')
})

test('SET-03 of who deletes the account nothing stays, not even what comes back later; of others all does', async () => {
  const other = await openWindow('ben')
  other.setDraft(C, 'Of Ben')
  other.setDraftExtras(C, { replyToId: 'asked' })
  const window = await openWindow('ana')
  window.setDraft('another', 'Begun')
  window.setDraft(C, 'On its way')
  window.setDraftExtras(C, { photo: { state: 'ready', photo } })
  world.outcomes = ['forbidden']
  world.during = async () => {
    expect([...world.disk.keys(), ...world.extras.keys()].join()).toContain('.ana.')
    await window.forgetDraftExtras(window.forgetDrafts('ana'))
  }
  await window.submit()
  expect(window.getDraftText(C)).toBe('On its way')
  expect([...world.disk.keys(), ...world.extras.keys()].join()).not.toContain('.ana.')
  end()
  const later = await openWindow('ben')
  expect(later.getDraftText(C)).toBe('Of Ben')
  expect(later.getDraftExtras(C).replyToId).toBe('asked')
})
