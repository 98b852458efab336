import { beforeEach, describe, expect, test, vi } from 'vitest'
import {
  captionOf,
  type DraftEvent,
  dispatchDraft,
  draftReducer,
  emptyDraft,
  forgetStoryDraft,
  hasStoryDraft,
  openStoryDraft,
  type StoryDraft,
  useStoryDraftStore,
} from '#/renderer/features/stories/story-draft-store'
import { type MediaChoiceChange, mediaOf, type PreparedMedia } from '#/renderer/lib/media'

vi.mock('#/renderer/features/stories/story-files-store', () => ({
  readStory: () => null,
  keepStory: () => undefined,
  keepFiles: () => undefined,
}))

const photo = (name: string): PreparedMedia => ({
  kind: 'image',
  dataUrl: `data:image/webp;base64,${name}`,
  thumbnailUrl: `data:image/webp;base64,small${name}`,
  width: 810,
  height: 1440,
})
const FIRST = photo('first')
const SECOND = photo('second')

const media = (change: MediaChoiceChange<PreparedMedia>): DraftEvent => ({ type: 'media', change })

const draftAfter = (...events: DraftEvent[]): StoryDraft => events.reduce(draftReducer, emptyDraft())

describe('STORY-01 the draft of a story', () => {
  test('‘Change Media’ clears the media and the caption', () => {
    const draft = draftAfter(
      media({ type: 'ready', media: FIRST }),
      { type: 'typed', caption: 'Low tide' },
      { type: 'cleared' },
    )
    expect(draft).toMatchObject({ caption: '', chosen: { state: 'none' } })
  })

  test('keeps its media and caption when the next file is refused or cancelled', () => {
    const before: DraftEvent[] = [
      media({ type: 'ready', media: FIRST }),
      { type: 'typed', caption: 'Low tide' },
      media({ type: 'chosen' }),
      media({ type: 'progress', fraction: 0.4 }),
    ]
    const refused = draftAfter(...before, media({ type: 'refused', code: 'video-incomplete', name: 'a.mov' }))
    expect(refused.chosen).toEqual({
      state: 'refused',
      code: 'video-incomplete',
      name: 'a.mov',
      previous: FIRST,
    })
    expect([mediaOf(refused.chosen), refused.caption]).toEqual([FIRST, 'Low tide'])
    expect(draftAfter(...before, media({ type: 'cancelled' }))).toMatchObject({
      caption: 'Low tide',
      chosen: { state: 'ready', media: FIRST },
    })
    expect(draftAfter(media({ type: 'chosen' }), media({ type: 'cancelled' })).chosen).toEqual({
      state: 'none',
    })
  })

  test('ignores progress that is reported after the media are ready', () => {
    const ready = draftAfter(media({ type: 'chosen' }), media({ type: 'ready', media: FIRST }))
    expect(draftReducer(ready, media({ type: 'progress', fraction: 0.9 }))).toBe(ready)
  })

  test('keeps its id when it is sent again unchanged', () => {
    const draft = draftAfter(media({ type: 'ready', media: FIRST }), { type: 'sent' })
    const again = draftReducer(draftReducer(draft, { type: 'typed', caption: '' }), { type: 'sent' })
    expect([again.id, again.replaces]).toEqual([draft.id, []])
  })

  test.each<[string, DraftEvent]>([
    ['another caption', { type: 'typed', caption: 'High tide' }],
    ['another picture', media({ type: 'ready', media: SECOND })],
    ['nothing', { type: 'cleared' }],
  ])('gets a new id and replaces the sent story when it is changed to %s', (_, change) => {
    const sent = draftAfter(media({ type: 'ready', media: FIRST }), { type: 'sent' })
    const changed = draftReducer(sent, change)
    expect(changed.id).not.toBe(sent.id)
    expect([changed.replaces, changed.wasSent]).toEqual([[sent.id], false])
    // Further changes before the next send keep the new id.
    expect(draftReducer(changed, { type: 'typed', caption: 'Tide' })).toMatchObject({
      id: changed.id,
      replaces: [sent.id],
    })
  })

  test('is cleared when it is stored, but not by the response for another draft', () => {
    const draft = draftAfter(media({ type: 'ready', media: FIRST }), { type: 'typed', caption: 'Low tide' })
    expect(draftReducer(draft, { type: 'shared', id: 'another' })).toBe(draft)
    const next = draftReducer(draft, { type: 'shared', id: draft.id })
    expect(next).toEqual({ ...emptyDraft(), id: next.id })
  })

  test('is marked as sending until the response', () => {
    const sent = draftAfter(media({ type: 'ready', media: FIRST }), { type: 'sent' })
    expect(sent.sending).toBe(sent.id)
    expect(draftReducer(sent, { type: 'failed', id: 'another' })).toBe(sent)
    expect(draftReducer(sent, { type: 'failed', id: sent.id })).toEqual({ ...sent, sending: null })
    expect(draftReducer(sent, { type: 'shared', id: sent.id }).sending).toBeNull()
  })

  test.each([
    ['  Low tide \n', 'Low tide'],
    [' \n\t', null],
    ['\u2800\u3164\u200b', null],
    ['', null],
  ])('stores the caption %j as %j', (caption, stored) => {
    expect(captionOf({ caption })).toBe(stored)
  })
})

describe('the owner of the draft', () => {
  beforeEach(() => {
    useStoryDraftStore.setState({ owner: '', draft: emptyDraft(), others: {} })
  })

  test('AUTH-11 finds it again after another member; it can be deleted while the other one is signed in, or before', () => {
    const caption = () => useStoryDraftStore.getState().draft.caption
    const begin = (owner: string, text: string) => {
      openStoryDraft(owner)
      dispatchDraft({ type: 'typed', caption: text })
    }
    begin('mara', 'Low tide')
    begin('noor', 'High tide')
    openStoryDraft('mara')
    expect(caption()).toBe('Low tide')
    expect(['mara', 'noor', 'ada'].map(hasStoryDraft)).toEqual([true, true, false])
    forgetStoryDraft('noor')
    forgetStoryDraft('mara')
    expect([caption(), hasStoryDraft('mara'), hasStoryDraft('noor')]).toEqual(['', false, false])
    openStoryDraft('noor')
    expect(caption()).toBe('')
  })
})
