import { beforeEach, describe, expect, test, vi } from 'vitest'
import { dispatch, openComposer, useComposerStore } from '#/renderer/features/composer/composer-store'
import {
  type ComposerDraft,
  type ComposerEvent,
  composerReducer,
  emptyDraft,
} from '#/renderer/features/composer/model'
import { clearDrafts } from '#/renderer/lib/draft-store'
import { type MediaChoiceChange, mediaOf, type PreparedPicture } from '#/renderer/lib/media'
import { stubLocalStorage } from '#tests/renderer/local-storage'

const picture = (name: string): PreparedPicture => ({
  dataUrl: `data:image/webp;base64,${name}`,
  thumbnailUrl: `data:image/webp;base64,small${name}`,
  width: 1440,
  height: 960,
})
const FIRST = picture('first')
const SECOND = picture('second')

const photo = (change: MediaChoiceChange<PreparedPicture>): ComposerEvent => ({ type: 'photo', change })

const draftAfter = (...events: ComposerEvent[]): ComposerDraft => events.reduce(composerReducer, emptyDraft())

describe('CREATE-05 a draft', () => {
  test('stores typed text in its field', () => {
    const draft = draftAfter(
      { type: 'typed', field: 'content', value: 'First light' },
      { type: 'typed', field: 'location', value: 'Trieste' },
      { type: 'typed', field: 'altText', value: 'A harbour' },
    )
    expect(draft).toMatchObject({ content: 'First light', location: 'Trieste', altText: 'A harbour' })
  })

  test('shows the progress of a photo, then the photo', () => {
    const working = draftAfter(photo({ type: 'chosen' }), photo({ type: 'progress', fraction: 0.5 }))
    expect(working.photo).toEqual({ state: 'working', progress: 0.5, previous: null })
    expect(mediaOf(working.photo)).toBeNull()
    const ready = composerReducer(working, photo({ type: 'ready', media: FIRST }))
    expect(ready.photo).toEqual({ state: 'ready', media: FIRST })
    expect(mediaOf(ready.photo)).toBe(FIRST)
  })

  test('ignores progress that arrives late', () => {
    const ready = draftAfter(photo({ type: 'chosen' }), photo({ type: 'ready', media: FIRST }))
    expect(composerReducer(ready, photo({ type: 'progress', fraction: 1 }))).toBe(ready)
  })

  test('keeps the previous photo and the texts when a choice is refused', () => {
    const draft = draftAfter(
      { type: 'typed', field: 'content', value: 'First light' },
      photo({ type: 'ready', media: FIRST }),
      photo({ type: 'chosen' }),
      photo({ type: 'refused', code: 'too-large' }),
    )
    expect(draft.photo).toEqual({ state: 'refused', code: 'too-large', previous: FIRST })
    expect(mediaOf(draft.photo)).toBe(FIRST)
    expect(draft.content).toBe('First light')
  })

  test('keeps the previous photo when a choice is cancelled', () => {
    const chosen: ComposerEvent[] = [photo({ type: 'chosen' }), photo({ type: 'cancelled' })]
    expect(draftAfter(...chosen).photo).toEqual({ state: 'none' })
    expect(draftAfter(photo({ type: 'ready', media: FIRST }), ...chosen).photo).toEqual({
      state: 'ready',
      media: FIRST,
    })
  })

  test('keeps the photo when two choices in a row fail', () => {
    const draft = draftAfter(
      photo({ type: 'ready', media: FIRST }),
      photo({ type: 'chosen' }),
      photo({ type: 'refused', code: 'broken' }),
      photo({ type: 'chosen' }),
      photo({ type: 'cancelled' }),
    )
    expect(draft.photo).toEqual({ state: 'ready', media: FIRST })
  })

  test('replaces the photo by a new one', () => {
    const draft = draftAfter(
      photo({ type: 'ready', media: FIRST }),
      photo({ type: 'chosen' }),
      photo({ type: 'ready', media: SECOND }),
    )
    expect(mediaOf(draft.photo)).toBe(SECOND)
  })

  test('loses only the alt text with a removed photo', () => {
    const draft = draftAfter(
      { type: 'typed', field: 'content', value: 'First light' },
      { type: 'typed', field: 'altText', value: 'A harbour' },
      photo({ type: 'ready', media: FIRST }),
      { type: 'photo-removed' },
    )
    expect(draft).toMatchObject({ content: 'First light', altText: '', photo: { state: 'none' } })
  })

  test('keeps its id until it is posted, so that sending it again is the same post', () => {
    const draft = draftAfter({ type: 'typed', field: 'content', value: 'First light' })
    const typedOn = composerReducer(draft, { type: 'typed', field: 'content', value: 'First light, again' })
    expect(typedOn.id).toBe(draft.id)
    const sent = composerReducer(typedOn, { type: 'sent' })
    const next = composerReducer(sent, { type: 'posted', id: draft.id })
    expect(next.id).not.toBe(draft.id)
    expect(next).toEqual({ ...emptyDraft(), id: next.id })
  })

  test('is not emptied by the response to another draft', () => {
    const draft = draftAfter({ type: 'typed', field: 'content', value: 'The next one' }, { type: 'sent' })
    expect(composerReducer(draft, { type: 'posted', id: 'the one before' })).toBe(draft)
    expect(composerReducer(draft, { type: 'failed', id: 'the one before' })).toBe(draft)
  })

  test('becomes a new post with another picture once it may have arrived', () => {
    const sent = draftAfter(photo({ type: 'ready', media: FIRST }), { type: 'sent' })
    const typedOn = composerReducer(sent, { type: 'typed', field: 'content', value: 'First light' })
    expect(typedOn.id).toBe(sent.id)
    expect(composerReducer(typedOn, photo({ type: 'ready', media: SECOND })).id).not.toBe(sent.id)
    expect(composerReducer(typedOn, { type: 'photo-removed' }).id).not.toBe(sent.id)
  })

  test('keeps its id with every picture until it is sent', () => {
    const draft = draftAfter(photo({ type: 'ready', media: FIRST }))
    expect(composerReducer(draft, photo({ type: 'ready', media: SECOND })).id).toBe(draft.id)
  })
})

describe('CREATE-05 while the post is being sent', () => {
  const words = (content: string): ComposerEvent => ({ type: 'typed', field: 'content', value: content })

  test('the draft is marked as being sent until the response', () => {
    const sent = draftAfter(words('First light'), photo({ type: 'ready', media: FIRST }), { type: 'sent' })
    expect(sent.sending).toMatchObject({ id: sent.id, content: 'First light', picture: FIRST })
    const failed = composerReducer(sent, { type: 'failed', id: sent.id })
    expect(failed).toEqual({ ...sent, sending: null })
    const posted = composerReducer(sent, { type: 'posted', id: sent.id })
    expect(posted).toEqual({ ...emptyDraft(), id: posted.id })
  })

  test('text and photo added since stay in the form', () => {
    const sent = draftAfter(
      words('First light'),
      { type: 'typed', field: 'location', value: 'Trieste' },
      photo({ type: 'ready', media: FIRST }),
      { type: 'sent' },
    )
    const typedOn = composerReducer(sent, words('An afterthought'))
    const next = composerReducer(typedOn, { type: 'posted', id: sent.id })
    expect(next).toEqual({ ...emptyDraft(), id: next.id, content: 'An afterthought' })
    expect(next.id).not.toBe(sent.id)
  })

  test('a photo opened from outside belongs to the next post, and keeps the id that it got', () => {
    const sent = draftAfter(words('First light'), photo({ type: 'ready', media: FIRST }), { type: 'sent' })
    const another = composerReducer(sent, photo({ type: 'ready', media: SECOND }))
    const next = composerReducer(another, { type: 'posted', id: sent.id })
    expect(next).toEqual({ ...emptyDraft(), id: another.id, photo: { state: 'ready', media: SECOND } })
    const working = composerReducer(sent, photo({ type: 'chosen' }))
    expect(composerReducer(working, { type: 'posted', id: sent.id }).photo).toEqual({
      state: 'working',
      progress: 0,
      previous: null,
    })
  })
})

describe('the owner of a draft', () => {
  beforeEach(() => {
    stubLocalStorage()
    for (const member of ['mara', 'noor']) clearDrafts(member)
    useComposerStore.setState({ owner: '', draft: emptyDraft() })
  })

  test('finds it again after leaving the screen', () => {
    openComposer('mara')
    dispatch({ type: 'typed', field: 'content', value: 'First light' })
    openComposer('mara')
    expect(useComposerStore.getState().draft.content).toBe('First light')
  })

  test('is the only member of this window who sees it', () => {
    openComposer('mara')
    dispatch({ type: 'typed', field: 'content', value: 'First light' })
    openComposer('noor')
    expect(useComposerStore.getState().draft.content).toBe('')
  })

  /** The page as it is after a reload, with its member signed in. */
  async function reloaded(member: string) {
    vi.resetModules()
    const store = await import('#/renderer/features/composer/composer-store')
    store.openComposer(member)
    return { ...store, draft: () => store.useComposerStore.getState().draft }
  }

  test('finds its texts after a reload, until they are posted', async () => {
    openComposer('mara')
    dispatch({ type: 'typed', field: 'content', value: 'First light' })
    dispatch({ type: 'typed', field: 'location', value: 'Trieste' })
    dispatch(photo({ type: 'ready', media: FIRST }))
    dispatch({ type: 'typed', field: 'altText', value: 'A harbour' })
    expect((await reloaded('noor')).draft()).toMatchObject({ content: '', location: '', altText: '' })
    const page = await reloaded('mara')
    const words = { content: 'First light', location: 'Trieste', altText: 'A harbour' }
    expect(page.draft()).toMatchObject({ ...words, photo: { state: 'none' }, wasSent: false })
    page.dispatch(photo({ type: 'ready', media: FIRST }))
    page.dispatch({ type: 'sent' })
    expect((await reloaded('mara')).draft()).toMatchObject({ ...words, wasSent: false })
    page.dispatch({ type: 'posted', id: page.draft().id })
    expect((await reloaded('mara')).draft().content).toBe('')
  })

  test('sends a text that may have arrived as the same post after a reload', async () => {
    openComposer('mara')
    dispatch({ type: 'typed', field: 'content', value: 'First light' })
    dispatch({ type: 'sent' })
    const { id } = useComposerStore.getState().draft
    expect((await reloaded('mara')).draft()).toMatchObject({ id, wasSent: true, content: 'First light' })
  })
})
