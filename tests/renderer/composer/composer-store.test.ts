import { beforeEach, describe, expect, test, vi } from 'vitest'
import {
  dispatch,
  forgetComposer,
  openComposer,
  useComposerStore,
} from '#/renderer/features/composer/composer-store'
import type { Files } from '#/renderer/features/composer/draft-files-store'
import { type DraftPhoto, newPhoto } from '#/renderer/features/composer/draft-photo'
import {
  type ComposerDraft,
  type ComposerEvent,
  canShare,
  composerReducer,
  emptyDraft,
  postOf,
  shownPicture,
  unprepared,
} from '#/renderer/features/composer/model'
import { loadQueued } from '#/renderer/features/composer/queued-photos-store'
import { logFailure } from '#/renderer/lib/core/logger'
import { clearDrafts } from '#/renderer/lib/local/draft-store'
import { type PictureEdit, type PicturePreview, type PreparedPicture, UNEDITED } from '#/renderer/lib/media'
import { QUEUED_ORIGINALS_BYTES } from '#/shared/limits'
import { stubLocalStorage } from '#tests/renderer/local-storage'

const files = vi.hoisted(() => ({ stored: new Map<string, unknown>() }))

vi.mock('#/renderer/lib/server/supabase', () => ({}))
vi.mock('#/renderer/features/post', async () => ({ ...(await import('#/renderer/features/post/model')) }))
// The files of photos, by the id of the photo.
vi.mock('#/renderer/features/composer/draft-files-store', () => ({
  filesPlace: (me: string) => `${me}.`,
  saveFiles: (place: string, photos: readonly Files[], before: readonly Files[]) => {
    for (const { id } of before) files.stored.delete(place + id)
    for (const { id, ...stored } of photos) files.stored.set(place + id, stored)
  },
  removeFiles: async (place: string, ids: readonly string[]) => {
    for (const id of ids) files.stored.delete(place + id)
  },
  loadFiles: async (place: string, id: string) => {
    const stored = files.stored.get(place + id) ?? null
    if (stored instanceof Error) throw stored
    return stored
  },
  keepOnly: async (place: string, ids: readonly string[]) => {
    for (const key of [...files.stored.keys()])
      if (key.startsWith(place) && !ids.includes(key.slice(place.length))) files.stored.delete(key)
  },
}))

const picture = (name: string): PreparedPicture => ({
  dataUrl: `data:image/webp;base64,${name}`,
  thumbnailUrl: `data:image/webp;base64,small${name}`,
  width: 1440,
  height: 960,
})
const TURNED: PictureEdit = { ...UNEDITED, turns: 1 }

const chosen = (id: string, patch: Partial<DraftPhoto> = {}): DraftPhoto => ({
  ...newPhoto(new Blob([id]), { note: null }),
  id,
  ...patch,
})
const added = (...photos: DraftPhoto[]): ComposerEvent => ({ type: 'photos-added', photos, problems: [] })
const ready = (id: string, name = id): ComposerEvent => ({
  type: 'photo-ready',
  id,
  picture: picture(name),
})
const preview = (name: string): PicturePreview => ({
  file: new Blob([name]),
  colorSpace: 'srgb',
  original: { width: 6000, height: 4000 },
  width: 1440,
  height: 960,
})
const previewed = (id: string, name = id): ComposerEvent => ({
  type: 'medium-previewed',
  id,
  preview: preview(name),
})
const words = (content: string): ComposerEvent => ({ type: 'typed', field: 'content', value: content })
const moved = (id: string, to: number): ComposerEvent => ({ type: 'medium-moved', id, to })

const draftAfter = (...events: ComposerEvent[]): ComposerDraft => events.reduce(composerReducer, emptyDraft())
const ids = ({ photos }: ComposerDraft) => photos.map(({ id }) => id)

/** A draft with prepared photos. */
const withPhotos = (...names: string[]): ComposerEvent[] => [
  added(...names.map((name) => chosen(name))),
  ...names.map((name) => ready(name)),
]

describe('CREATE-07 the photos of a draft', () => {
  test('are added in order, and can be shared at once, before they are prepared', () => {
    const draft = draftAfter(added(chosen('a'), chosen('b')), ready('b'), added(chosen('c')))
    expect(ids(draft)).toEqual(['a', 'b', 'c'])
    expect(ids({ ...draft, photos: unprepared(draft.photos) })).toEqual(['a', 'c'])
    expect(canShare(draft)).toBe(true)
  })

  test('show their preview until they are prepared, and again after an edit', () => {
    const shown = ({ photos: [photo] }: ComposerDraft) => photo && shownPicture(photo)
    const chosenOne = draftAfter(added(chosen('a')))
    expect(shown(chosenOne)).toBeNull()
    const early = composerReducer(chosenOne, previewed('a', 'early'))
    expect(shown(early)).toEqual(preview('early'))
    const done = composerReducer(early, ready('a'))
    expect(shown(done)).toEqual(picture('a'))
    const edited = composerReducer(done, { type: 'photo-edited', id: 'a', edit: TURNED })
    expect(edited.photos[0]).toMatchObject({ edit: TURNED, work: { progress: 0, failure: null } })
    expect(shown(composerReducer(edited, previewed('a', 'turned')))).toEqual(preview('turned'))
  })

  test('show their progress, and ignore progress that arrives late', () => {
    const working = draftAfter(added(chosen('a')), { type: 'medium-progress', id: 'a', fraction: 0.5 })
    expect(working.photos[0]?.work).toEqual({ progress: 0.5, failure: null })
    const done = composerReducer(working, ready('a'))
    expect(composerReducer(done, { type: 'medium-progress', id: 'a', fraction: 1 })).toBe(done)
    expect(composerReducer(done, ready('gone'))).toBe(done)
  })

  test('can be moved to any position, but not beyond the ends', () => {
    const draft = draftAfter(...withPhotos('a', 'b', 'c'))
    expect(ids(composerReducer(draft, moved('c', 0)))).toEqual(['c', 'a', 'b'])
    expect(ids(composerReducer(draft, moved('a', 1)))).toEqual(['b', 'a', 'c'])
    expect(ids(composerReducer(draft, moved('a', 9)))).toEqual(['b', 'c', 'a'])
    expect(composerReducer(draft, moved('a', -1))).toBe(draft)
  })

  test('each have an alt text and an edit, which are removed with the photo', () => {
    const draft = draftAfter(
      ...withPhotos('a', 'b'),
      { type: 'medium-described', id: 'b', altText: ' A pier ' },
      { type: 'photo-edited', id: 'b', edit: TURNED },
      ready('b', 'turned'),
    )
    expect(draft.photos[1]).toMatchObject({ altText: ' A pier ', edit: TURNED, picture: picture('turned') })
    expect(postOf(draft).photos).toEqual([
      { picture: picture('a'), altText: '', camera: null },
      { picture: picture('turned'), altText: ' A pier ', camera: null },
    ])
    expect(ids(composerReducer(draft, { type: 'medium-removed', id: 'b' }))).toEqual(['a'])
    const long: ComposerEvent = { type: 'medium-described', id: 'a', altText: 'x'.repeat(1_001) }
    expect(canShare(composerReducer(draft, long))).toBe(false)
  })

  test('a refused file is removed with a reason, and the rest stays', () => {
    const draft = draftAfter(
      words('First light'),
      ...withPhotos('a'),
      added(chosen('broken', { source: new File(['?'], 'cut-off.jpg') }), chosen('b')),
      { type: 'medium-refused', id: 'broken', code: 'broken' },
      ready('b'),
    )
    expect(ids(draft)).toEqual(['a', 'b'])
    expect(draft.content).toBe('First light')
    expect(draft.problems).toEqual([{ type: 'refused', name: 'cut-off.jpg', code: 'broken' }])
    expect(composerReducer(draft, added(chosen('c'))).problems).toEqual([])
  })

  test('a photo that was seen stays when it cannot be prepared, with its edit and texts, and is tried again', () => {
    const described: ComposerEvent = { type: 'medium-described', id: 'a', altText: 'A pier' }
    const refused: ComposerEvent = { type: 'medium-refused', id: 'a', code: 'failed' }
    const edited: ComposerEvent = { type: 'photo-edited', id: 'a', edit: TURNED }
    const failed = draftAfter(
      added(chosen('a', { source: new File(['a'], 'a.jpg') }), chosen('b')),
      previewed('a'),
      described,
      edited,
      refused,
    )
    expect(failed.photos).toMatchObject([
      { id: 'a', edit: TURNED, altText: 'A pier', work: { failure: 'failed' } },
      { id: 'b' },
    ])
    expect(failed.problems).toEqual([{ type: 'refused', name: 'a.jpg', code: 'failed' }])
    expect(canShare(failed)).toBe(true)
    const again = composerReducer(failed, { type: 'medium-progress', id: 'a', fraction: 0.1 })
    expect(again.photos[0]?.work).toEqual({ progress: 0.1, failure: null })
  })
})

test.each<Partial<DraftPhoto>>([{ altText: 'A pier' }, { edit: TURNED }])(
  'CREATE-08 a restored photo that cannot be read any more stays with what the member gave it: %j',
  (patch) => {
    const failed = draftAfter(added(chosen('a', patch)), { type: 'medium-refused', id: 'a', code: 'failed' })
    expect(failed.photos).toMatchObject([{ id: 'a', ...patch, work: { failure: 'failed' } }])
  },
)

describe('CREATE-09 the camera details of a photo', () => {
  const camera = { camera: 'NIKON Z 6', aperture: 'f/2.8', iso: 'ISO 400' }
  const toggled = (field: 'camera' | 'iso'): ComposerEvent => ({
    type: 'photo-detail-toggled',
    id: 'a',
    field,
  })
  const film = (text: string): ComposerEvent => ({ type: 'photo-film-typed', id: 'a', film: text })
  const start = [added(chosen('a', { camera })), ready('a')]
  const stored = (...events: ComposerEvent[]) => {
    const [photo] = postOf(draftAfter(...start, ...events)).photos
    return photo && 'camera' in photo ? photo.camera : undefined
  }

  test('are all off at first, and only the details turned on are stored, in their order', () => {
    expect(stored()).toBeNull()
    expect(stored(toggled('iso'), film(' Portra 400 '), toggled('camera'))).toEqual({
      camera: 'NIKON Z 6',
      iso: 'ISO 400',
      film: 'Portra 400',
    })
    expect(stored(toggled('iso'), toggled('iso'), film('Portra'), film(' '))).toBeNull()
  })

  test('give a draft that the server may have stored a new id, and have a maximum length', () => {
    const sent = draftAfter(...start, { type: 'sent' }, { type: 'failed', id: '' })
    for (const event of [toggled('iso'), film('Portra')])
      expect(composerReducer(sent, event).id).not.toBe(sent.id)
    expect(canShare(draftAfter(...start, film('x'.repeat(100))))).toBe(true)
    expect(canShare(draftAfter(...start, film('x'.repeat(101))))).toBe(false)
  })
})

describe('CREATE-05 a draft', () => {
  test('keeps its id until it is posted, so that sending it again is the same post', () => {
    const draft = draftAfter(words('First light'))
    const typedOn = composerReducer(draft, words('First light, again'))
    expect(typedOn.id).toBe(draft.id)
    const sent = composerReducer(typedOn, { type: 'sent' })
    const next = composerReducer(sent, { type: 'posted', id: draft.id })
    expect(next.id).not.toBe(draft.id)
    expect(next).toEqual({ ...emptyDraft(), id: next.id })
  })

  test('is not cleared by the response to another draft', () => {
    const draft = draftAfter(words('The next one'), { type: 'sent' })
    expect(composerReducer(draft, { type: 'posted', id: 'the one before' })).toBe(draft)
    expect(composerReducer(draft, { type: 'failed', id: 'the one before' })).toBe(draft)
  })

  test('becomes a new post when its photos change after it may have been stored, but not when its texts change', () => {
    const sent = draftAfter(...withPhotos('a', 'b'), { type: 'sent' }, { type: 'failed', id: '' })
    const same: ComposerEvent[] = [
      words('First light'),
      { type: 'medium-described', id: 'a', altText: 'Fog' },
    ]
    for (const event of same) expect(composerReducer(sent, event).id).toBe(sent.id)
    const others: ComposerEvent[] = [added(chosen('c')), moved('b', 0), { type: 'medium-removed', id: 'a' }]
    for (const event of others) expect(composerReducer(sent, event).id).not.toBe(sent.id)
    const editing = composerReducer(sent, { type: 'photo-edited', id: 'a', edit: TURNED })
    expect(editing.id).toBe(sent.id)
    expect(composerReducer(editing, ready('a', 'turned')).id).not.toBe(sent.id)
  })
})

describe('CREATE-05 while the post is being sent', () => {
  test('CREATE-07 its photos are prepared first, and all of it stays when one fails', () => {
    const draft = draftAfter(words('First light'), added(chosen('a'), chosen('b')), { type: 'sharing' })
    expect(draft).toMatchObject({ wasSent: false, sending: { id: draft.id, content: 'First light' } })
    expect(canShare(draft)).toBe(false)
    const events: ComposerEvent[] = [
      ready('a'),
      { type: 'medium-refused', id: 'b', code: 'broken' },
      { type: 'failed', id: draft.id },
    ]
    const failed = events.reduce(composerReducer, draft)
    expect(failed).toMatchObject({
      id: draft.id,
      wasSent: false,
      sending: null,
      content: 'First light',
      photos: [{ picture: picture('a'), work: null }, { work: { failure: 'broken' } }],
    })
  })

  test('CREATE-07 it is sent with the pictures that were prepared since, under one id', () => {
    const sharing = draftAfter(added(chosen('a')), { type: 'sharing' })
    const sent = [ready('a'), { type: 'sent' } as const].reduce(composerReducer, sharing)
    expect(sent).toMatchObject({ id: sharing.id, wasSent: true })
    expect(sent.sending && postOf(sent.sending).photos).toEqual([
      { picture: picture('a'), altText: '', camera: null },
    ])
    // The server may have stored it with another picture.
    const failed = composerReducer(sent, { type: 'failed', id: sent.id })
    const edited = [
      { type: 'photo-edited', id: 'a', edit: TURNED } as const,
      { type: 'sharing' } as const,
      ready('a', 'turned'),
      { type: 'sent' } as const,
    ].reduce(composerReducer, failed)
    expect(edited.id).not.toBe(sent.id)
    expect(edited.sending?.id).toBe(edited.id)
  })

  test('CREATE-07 a photo opened from outside while it is prepared belongs to the next post', () => {
    const sharing = draftAfter(added(chosen('a')), { type: 'sharing' })
    const events = [added(chosen('b')), ready('a'), { type: 'sent' } as const]
    const sent = events.reduce(composerReducer, sharing)
    expect(sent.sending).toMatchObject({ id: sharing.id, photos: [{ id: 'a' }] })
    const next = composerReducer(sent, { type: 'posted', id: sharing.id })
    expect(next).toMatchObject({ id: sent.id, wasSent: false, photos: [{ id: 'b' }] })
    expect(next.id).not.toBe(sharing.id)
  })

  test('the draft is marked as being sent until the response', () => {
    const sent = draftAfter(words('First light'), ...withPhotos('a'), { type: 'sent' })
    expect(sent.sending).toMatchObject({ id: sent.id, content: 'First light', photos: sent.photos })
    expect(canShare(sent)).toBe(false)
    const failed = composerReducer(sent, { type: 'failed', id: sent.id })
    expect(failed).toEqual({ ...sent, sending: null })
    const posted = composerReducer(sent, { type: 'posted', id: sent.id })
    expect(posted).toEqual({ ...emptyDraft(), id: posted.id })
  })

  test('text added since stays in the form', () => {
    const place: ComposerEvent = { type: 'typed', field: 'location', value: 'Trieste' }
    const sent = draftAfter(words('First light'), place, ...withPhotos('a'), { type: 'sent' })
    const typedOn = composerReducer(sent, words('An afterthought'))
    const next = composerReducer(typedOn, { type: 'posted', id: sent.id })
    expect(next).toEqual({ ...emptyDraft(), id: next.id, content: 'An afterthought' })
    expect(next.id).not.toBe(sent.id)
  })

  test('a photo opened from outside belongs to the next post, and keeps the id that it got', () => {
    const sent = draftAfter(words('First light'), ...withPhotos('a'), { type: 'sent' })
    const another = composerReducer(sent, added(chosen('b')))
    const next = composerReducer(another, { type: 'posted', id: sent.id })
    expect(next.id).toBe(another.id)
    expect(ids(next)).toEqual(['b'])
    expect(next.content).toBe('')
  })
})

describe('the owner of a draft', () => {
  beforeEach(() => {
    stubLocalStorage()
    for (const member of ['mara', 'noor']) clearDrafts(member)
    files.stored.clear()
    vi.mocked(logFailure).mockClear()
    useComposerStore.setState({ owner: '', draft: emptyDraft(), restoring: [] })
  })

  test('finds it again after leaving the screen', () => {
    openComposer('mara')
    dispatch(words('First light'))
    openComposer('mara')
    expect(useComposerStore.getState().draft.content).toBe('First light')
  })

  test('is the only member of this window who sees it', () => {
    openComposer('mara')
    dispatch(words('First light'))
    openComposer('noor')
    expect(useComposerStore.getState().draft.content).toBe('')
  })

  /** The page as it is after a reload, with its member signed in. */
  async function reloaded(member: string) {
    vi.resetModules()
    const store = await import('#/renderer/features/composer/composer-store')
    store.openComposer(member)
    await vi.waitFor(() => expect(store.useComposerStore.getState().restoring).toEqual([]))
    return { ...store, draft: () => store.useComposerStore.getState().draft }
  }

  test('CREATE-08 finds texts and photos after a reload, in their order and with their edits, until they are posted', async () => {
    openComposer('mara')
    for (const event of [
      words('First light'),
      ...withPhotos('a', 'b'),
      { type: 'medium-described', id: 'a', altText: 'A harbour' },
      { type: 'photo-edited', id: 'b', edit: TURNED },
      { type: 'photo-film-typed', id: 'a', film: 'HP5' },
      moved('b', 0),
    ] satisfies ComposerEvent[])
      dispatch(event)
    expect((await reloaded('noor')).draft()).toMatchObject({ content: '', photos: [] })
    const page = await reloaded('mara')
    expect(page.draft()).toMatchObject({
      content: 'First light',
      wasSent: false,
      photos: [
        // Its edit was interrupted.
        { id: 'b', edit: TURNED, work: { progress: 0, failure: null }, picture: picture('b') },
        {
          id: 'a',
          altText: 'A harbour',
          camera: { film: 'HP5' },
          shown: ['film'],
          work: null,
          edit: UNEDITED,
          picture: picture('a'),
        },
      ],
    })
    expect(await page.draft().photos[1]?.source?.text()).toBe('a')
    page.dispatch(ready('b', 'turned'))
    page.dispatch({ type: 'sent' })
    const again = await reloaded('mara')
    expect(again.draft()).toMatchObject({ id: page.draft().id, wasSent: true })
    expect(again.draft().photos[0]).toMatchObject({ picture: picture('turned'), edit: TURNED, work: null })
    page.dispatch({ type: 'posted', id: page.draft().id })
    expect((await reloaded('mara')).draft()).toMatchObject({ content: '', photos: [] })
    expect(files.stored.size).toBe(0)
  })

  test('CREATE-08 drops a photo whose file is missing, and then becomes a new post', async () => {
    openComposer('mara')
    for (const event of [...withPhotos('a', 'b'), { type: 'sent' } as const]) dispatch(event)
    const { id } = useComposerStore.getState().draft
    files.stored.delete('mara.a')
    const draft = (await reloaded('mara')).draft()
    expect(ids(draft)).toEqual(['b'])
    expect(draft.id).not.toBe(id)
  })

  test('CREATE-08 keeps the other photos when one cannot be read, and logs the failure', async () => {
    openComposer('mara')
    for (const event of withPhotos('a', 'b')) dispatch(event)
    const cause = new Error('disk')
    files.stored.set('mara.a', cause)
    expect(ids((await reloaded('mara')).draft())).toEqual(['b'])
    const { logFailure } = await import('#/renderer/lib/core/logger')
    expect(logFailure).toHaveBeenCalledExactlyOnceWith('restore draft photos', cause)
  })

  test('CREATE-08 typing while the photos are loaded does not lose them', async () => {
    openComposer('mara')
    for (const event of withPhotos('a')) dispatch(event)
    vi.resetModules()
    const page = await import('#/renderer/features/composer/composer-store')
    page.openComposer('mara')
    page.dispatch(words('Quick'))
    expect((await reloaded('mara')).draft()).toMatchObject({ content: 'Quick', photos: [{ id: 'a' }] })
  })

  test('CREATE-08 AUTH-11 nothing of a draft that was deleted at sign-out is left; another member keeps theirs', async () => {
    openComposer('noor')
    for (const event of withPhotos('n')) dispatch(event)
    openComposer('mara')
    for (const event of [words('First light'), ...withPhotos('a')]) dispatch(event)
    clearDrafts('mara')
    await forgetComposer('mara', 'mara.')
    expect([...files.stored.keys()]).toEqual(['noor.n'])
    openComposer('mara')
    expect(useComposerStore.getState().draft).toMatchObject({ content: '', photos: [] })
    expect((await reloaded('noor')).draft()).toMatchObject({ photos: [{ id: 'n' }] })
  })

  test('CREATE-10 the photos of a post that waits stay with their originals and edits, until it has left the outbox', async () => {
    openComposer('mara')
    const edited: ComposerEvent = { type: 'photo-edited', id: 'b', edit: TURNED }
    for (const event of [...withPhotos('a', 'b'), edited, ready('b'), { type: 'sent' } as const])
      dispatch(event)
    const { id } = useComposerStore.getState().draft
    dispatch({ type: 'queued', id })
    expect(useComposerStore.getState()).toMatchObject({ posted: id, draft: { photos: [] } })
    // The next draft opens after a reload, with its own photos.
    const page = await reloaded('mara')
    for (const event of withPhotos('c')) page.dispatch(event)
    expect([...files.stored.keys()]).toEqual(['mara.a', 'mara.b', 'mara.c'])
    files.stored.delete('mara.a')
    const queued = await import('#/renderer/features/composer/queued-photos-store')
    const [lost, photo] = await queued.loadQueued('mara', id)
    expect(lost).toBeNull()
    expect(photo).toMatchObject({ edit: TURNED, picture: picture('b') })
    expect(await photo?.source?.text()).toBe('b')

    await queued.forgetQueued('mara', 'mara.', [id])
    expect([...files.stored.keys()]).toEqual(['mara.c'])
    expect(await queued.loadQueued('mara', id)).toEqual([])
  })

  test('CREATE-10 originals beyond the limit are not kept', () => {
    openComposer('mara')
    const large = (name: string) => {
      const source = new Blob([name])
      Object.defineProperty(source, 'size', { value: QUEUED_ORIGINALS_BYTES / 2 + 1 })
      return chosen(name, { source })
    }
    for (const name of ['a', 'b']) {
      for (const event of [added(large(name)), ready(name), { type: 'sent' } as const]) dispatch(event)
      dispatch({ type: 'queued', id: useComposerStore.getState().draft.id })
    }
    expect([...files.stored.keys()]).toEqual(['mara.a'])
  })

  test('CREATE-10 an original that cannot be read is logged, and the others are loaded', async () => {
    openComposer('mara')
    for (const event of [...withPhotos('a', 'b'), { type: 'sent' } as const]) dispatch(event)
    const { id } = useComposerStore.getState().draft
    dispatch({ type: 'queued', id })
    const cause = new Error('disk')
    files.stored.set('mara.a', cause)
    expect(await loadQueued('mara', id)).toMatchObject([null, { id: 'b' }])
    expect(logFailure).toHaveBeenCalledExactlyOnceWith('restore photos of a post', cause)
  })

  test('CREATE-08 discarding the draft removes it from the disk', async () => {
    openComposer('mara')
    for (const event of [words('First light'), ...withPhotos('a'), { type: 'discarded' } as const])
      dispatch(event)
    expect(files.stored.size).toBe(0)
    expect((await reloaded('mara')).draft()).toMatchObject({ content: '', photos: [] })
  })

  test('after a reload, sends a text that may have been stored under the same id', async () => {
    openComposer('mara')
    dispatch(words('First light'))
    dispatch({ type: 'sent' })
    const { id } = useComposerStore.getState().draft
    expect((await reloaded('mara')).draft()).toMatchObject({ id, wasSent: true, content: 'First light' })
  })
})
