import { beforeEach, describe, expect, test } from 'vitest'
import {
  dispatch,
  emptyDraft,
  type MakingEvent,
  makingReducer,
  openMaking,
  type StoryDraft,
  useMakingStore,
} from '#/renderer/features/stories/making/making-store'
import { captionOf } from '#/renderer/features/stories/making/share-story'
import { type MediaChoiceChange, mediaOf, type PreparedMedia } from '#/renderer/lib/media'

const photo = (name: string): PreparedMedia => ({
  kind: 'image',
  dataUrl: `data:image/webp;base64,${name}`,
  thumbnailUrl: `data:image/webp;base64,small${name}`,
  width: 810,
  height: 1440,
})
const FIRST = photo('first')
const SECOND = photo('second')

const media = (change: MediaChoiceChange<PreparedMedia>): MakingEvent => ({ type: 'media', change })

const draftAfter = (...events: MakingEvent[]): StoryDraft => events.reduce(makingReducer, emptyDraft())

describe('STORY-01 the story that is being made', () => {
  test('‘Change Media’ clears the media and the text', () => {
    const draft = draftAfter(
      media({ type: 'ready', media: FIRST }),
      { type: 'typed', caption: 'Low tide' },
      { type: 'cleared' },
    )
    expect(draft).toMatchObject({ caption: '', chosen: { state: 'none' } })
  })

  test('what was there stays when the next file is refused, or its preparing is cancelled', () => {
    const before: MakingEvent[] = [
      media({ type: 'ready', media: FIRST }),
      { type: 'typed', caption: 'Low tide' },
      media({ type: 'chosen' }),
      media({ type: 'progress', fraction: 0.4 }),
    ]
    const refused = draftAfter(...before, media({ type: 'refused', code: 'video-too-long' }))
    expect(refused.chosen).toEqual({ state: 'refused', code: 'video-too-long', previous: FIRST })
    expect([mediaOf(refused.chosen), refused.caption]).toEqual([FIRST, 'Low tide'])
    expect(draftAfter(...before, media({ type: 'cancelled' }))).toMatchObject({
      caption: 'Low tide',
      chosen: { state: 'ready', media: FIRST },
    })
    expect(draftAfter(media({ type: 'chosen' }), media({ type: 'cancelled' })).chosen).toEqual({
      state: 'none',
    })
  })

  test('progress that comes late does not begin the work anew', () => {
    const ready = draftAfter(media({ type: 'chosen' }), media({ type: 'ready', media: FIRST }))
    expect(makingReducer(ready, media({ type: 'progress', fraction: 0.9 }))).toBe(ready)
  })

  test('sent again unchanged it is the same story', () => {
    const draft = draftAfter(media({ type: 'ready', media: FIRST }), { type: 'sent' })
    const again = makingReducer(makingReducer(draft, { type: 'typed', caption: '' }), { type: 'sent' })
    expect([again.id, again.replaces]).toEqual([draft.id, []])
  })

  test.each<[string, MakingEvent]>([
    ['other words', { type: 'typed', caption: 'High tide' }],
    ['another picture', media({ type: 'ready', media: SECOND })],
    ['nothing, begun anew', { type: 'cleared' }],
  ])('with %s it takes the place of the one that may have arrived', (_, change) => {
    const sent = draftAfter(media({ type: 'ready', media: FIRST }), { type: 'sent' })
    const changed = makingReducer(sent, change)
    expect(changed.id).not.toBe(sent.id)
    expect([changed.replaces, changed.wasSent]).toEqual([[sent.id], false])
    // More changes before it is sent again are the same new story.
    expect(makingReducer(changed, { type: 'typed', caption: 'Tide' })).toMatchObject({
      id: changed.id,
      replaces: [sent.id],
    })
  })

  test('once it is stored, the form is empty; an answer for another draft empties nothing', () => {
    const draft = draftAfter(media({ type: 'ready', media: FIRST }), { type: 'typed', caption: 'Low tide' })
    expect(makingReducer(draft, { type: 'shared', id: 'the one before' })).toBe(draft)
    const next = makingReducer(draft, { type: 'shared', id: draft.id })
    expect(next).toEqual({ ...emptyDraft(), id: next.id })
  })

  test('the draft says that it is on its way until the answer, whether the form is open or not', () => {
    const sent = draftAfter(media({ type: 'ready', media: FIRST }), { type: 'sent' })
    expect(sent.sending).toBe(sent.id)
    expect(makingReducer(sent, { type: 'failed', id: 'the one before' })).toBe(sent)
    expect(makingReducer(sent, { type: 'failed', id: sent.id })).toEqual({ ...sent, sending: null })
    expect(makingReducer(sent, { type: 'shared', id: sent.id }).sending).toBeNull()
  })

  test.each([
    ['  Low tide \n', 'Low tide'],
    [' \n\t', null],
    ['', null],
  ])('the caption %j is stored as %j', (caption, stored) => {
    expect(captionOf({ caption })).toBe(stored)
  })
})

describe('whose draft it is', () => {
  beforeEach(() => {
    useMakingStore.setState({ owner: '', draft: emptyDraft() })
  })

  test('it outlives its form, and another member of this window does not get to see it', () => {
    openMaking('mara')
    dispatch({ type: 'typed', caption: 'Low tide' })
    openMaking('mara')
    expect(useMakingStore.getState().draft.caption).toBe('Low tide')
    openMaking('noor')
    expect(useMakingStore.getState().draft.caption).toBe('')
  })
})
