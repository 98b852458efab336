import { describe, expect, test, vi } from 'vitest'
import { type DraftCaptions, writeCaptions } from '#/renderer/features/composer/captions'
import { newPhoto } from '#/renderer/features/composer/draft-photo'
import {
  captionsOf,
  type DraftVideo,
  exceedsCaptions,
  isLost,
  newVideo,
  returnedVideo,
} from '#/renderer/features/composer/draft-video'
import { filesOf, keptMediaOf, toKept } from '#/renderer/features/composer/kept-media'
import { keptVideosOf } from '#/renderer/features/composer/kept-video'
import {
  type ComposerDraft,
  type ComposerEvent,
  canShare,
  composerReducer,
  emptyDraft,
  postOf,
  shownPicture,
} from '#/renderer/features/composer/model'
import type { PicturePreview, PreparedPostVideo } from '#/renderer/lib/media'
import type { StoredPicture } from '#/renderer/lib/media/picture/picture-request'
import { KEPT_VIDEO_BYTES, POST_VIDEO } from '#/shared/limits'

vi.mock('#/renderer/lib/server/supabase', () => ({}))
vi.mock('#/renderer/features/post', async () => ({ ...(await import('#/renderer/features/post/model')) }))

const INFO = { seconds: 30, width: 1920, height: 1080, sound: 'readable' } as const

const video = (id: string, patch: Partial<DraftVideo> = {}): DraftVideo => ({
  ...newVideo(new Blob([id]), { name: `${id}.mov`, info: INFO, rules: POST_VIDEO }),
  id,
  ...patch,
})

const cover: StoredPicture = {
  full: new Blob(['full']),
  feed: new Blob(['feed']),
  grid: new Blob(['grid']),
  thumbhash: '',
  width: 1920,
  height: 1080,
  colorSpace: 'srgb',
}
const prepared = (name: string): PreparedPostVideo => ({
  video: new Blob([name]),
  durationMs: 12_000,
  hasSound: true,
  cover,
})
const preview: PicturePreview = {
  file: new Blob(['frame']),
  colorSpace: 'srgb',
  original: { width: 3840, height: 2160 },
  width: 1920,
  height: 1080,
}

const added = (...photos: ComposerDraft['photos']): ComposerEvent => ({
  type: 'photos-added',
  photos,
  problems: [],
})
const ready = (id: string, name = id): ComposerEvent => ({ type: 'video-ready', id, video: prepared(name) })
const draftAfter = (...events: ComposerEvent[]): ComposerDraft => events.reduce(composerReducer, emptyDraft())

const CAPTIONS: DraftCaptions = {
  name: 'clip.vtt',
  cues: [
    { from: 1, to: 3, text: 'Waves & <wind>' },
    { from: 9.5, to: 12.25, text: 'Two\nlines' },
    { from: 20, to: 25, text: 'Late' },
  ],
}

describe('CREATE-12 the videos of a draft', () => {
  test('stand among the photos in one order, and are shared with them', () => {
    const photo = { ...newPhoto(new Blob(['p']), { note: null }), id: 'p' }
    const draft = draftAfter(
      added(photo, video('v')),
      { type: 'photo-ready', id: 'p', picture: cover },
      ready('v'),
      { type: 'medium-described', id: 'v', altText: 'The tide' },
      { type: 'medium-moved', id: 'v', to: 0 },
    )
    expect(canShare(draft)).toBe(true)
    const { video: file, ...rest } = prepared('v')
    expect(postOf(draft).photos).toEqual([
      { ...rest, video: file, altText: 'The tide', captions: null },
      { picture: cover, altText: '', camera: null },
    ])
  })

  test('keep at most what the server takes; a longer one waits for the member', () => {
    const short = video('a')
    expect(short).toMatchObject({ edit: { from: 0, to: 30 }, isHeld: false })
    const long = newVideo(new Blob(), { name: '', info: { ...INFO, seconds: 700 }, rules: POST_VIDEO })
    expect(long).toMatchObject({ edit: { from: 0, to: 600 }, isHeld: true })
    const rules = { ...POST_VIDEO, bytes: 50_000_000 }
    const small = newVideo(new Blob(), { name: '', info: { ...INFO, seconds: 200 }, rules })
    expect(small).toMatchObject({ edit: { from: 0, to: 174 }, isHeld: true })
  })

  test('show a frame before they are converted, then their cover, and the frame again after an edit', () => {
    const shown = ({ photos: [medium] }: ComposerDraft) => medium && shownPicture(medium)
    const early = draftAfter(added(video('v')), { type: 'medium-previewed', id: 'v', preview })
    expect(shown(early)).toBe(preview)
    const done = composerReducer(early, ready('v'))
    expect(shown(done)).toBe(cover)
    const edit = { from: 2, to: 9, cover: 4, isMuted: true }
    const edited = composerReducer(done, { type: 'video-edited', id: 'v', edit })
    expect(edited.photos[0]).toMatchObject({ edit, work: { progress: 0, failure: null } })
    expect(shown(edited)).toBe(preview)
  })

  test('wait for the member after Cancel, until they choose a part', () => {
    const progress = { type: 'medium-progress', id: 'v', fraction: 0.4, secondsLeft: 20 } as const
    const working = draftAfter(added(video('v')), progress)
    expect(working.photos[0]?.work).toEqual({ progress: 0.4, failure: null, secondsLeft: 20 })
    const held = composerReducer(working, { type: 'video-held', id: 'v' })
    expect(held.photos[0]).toMatchObject({ isHeld: true, work: { progress: 0, failure: null } })
    expect(
      composerReducer(draftAfter(added(video('v')), ready('v')), { type: 'video-held', id: 'v' }),
    ).toEqual(expect.objectContaining({ photos: [expect.objectContaining({ isHeld: false, work: null })] }))
    const edit = { from: 0, to: 5, cover: 1, isMuted: false }
    const chosen = composerReducer(held, { type: 'video-edited', id: 'v', edit })
    expect(chosen.photos[0]).toMatchObject({ isHeld: false, edit })
  })

  test('stay in the form when they cannot be converted, with everything that was chosen', () => {
    const failed = draftAfter(
      added(video('v')),
      { type: 'video-captioned', id: 'v', captions: CAPTIONS },
      { type: 'medium-refused', id: 'v', code: 'video-too-large-after', longestSeconds: 9 },
    )
    expect(failed.photos).toMatchObject([
      { id: 'v', captions: CAPTIONS, work: { failure: 'video-too-large-after' } },
    ])
    expect(failed.problems).toEqual([
      { type: 'refused', name: 'v.mov', code: 'video-too-large-after', longestSeconds: 9 },
    ])
    expect(canShare(failed)).toBe(true)
  })

  test('make the draft another post once they are converted again or get other captions', () => {
    const sent = draftAfter(added(video('v')), ready('v'), { type: 'sent' })
    const back = composerReducer(sent, { type: 'failed', id: sent.id })
    expect(composerReducer(back, { type: 'video-captioned', id: 'v', captions: CAPTIONS }).id).not.toBe(
      sent.id,
    )
    const outgrown = composerReducer(back, { type: 'video-outgrown', id: 'v' })
    expect(outgrown.photos[0]).toMatchObject({ isHeld: true, work: { progress: 0, failure: null } })
    expect(composerReducer(outgrown, { type: 'sharing' }).sending?.id).not.toBe(sent.id)
  })

  test('ignore what belongs to photos', () => {
    const draft = draftAfter(added(video('v')))
    expect(composerReducer(draft, { type: 'photo-film-typed', id: 'v', film: 'HP5' })).toBe(draft)
    const photo = draftAfter(added({ ...newPhoto(new Blob(), { note: null }), id: 'p' }))
    expect(composerReducer(photo, { type: 'video-held', id: 'p' })).toBe(photo)
  })
})

describe('CREATE-12 captions', () => {
  test('are cut to the part that is kept and moved with it, as WebVTT without markup', () => {
    expect(writeCaptions(CAPTIONS, { from: 2, to: 12 })).toBe(
      'WEBVTT\n\n00:00.000 --> 00:01.000\nWaves &amp; &lt;wind&gt;\n\n00:07.500 --> 00:10.000\nTwo\nlines\n',
    )
    expect(writeCaptions(CAPTIONS, { from: 13, to: 19 })).toBeNull()
    expect(writeCaptions(null, { from: 0, to: 30 })).toBeNull()
    const late = { name: '', cues: [{ from: 599.4, to: 599.9996, text: 'End' }] }
    expect(writeCaptions(late, { from: 0, to: 600 })).toContain('09:59.400 --> 10:00.000')
  })

  test('that are more than the server stores keep the post from being shared', () => {
    const cues = Array.from({ length: 100 }, (_, index) => ({
      from: index / 4,
      to: index / 4 + 0.2,
      text: 'x'.repeat(500),
    }))
    const long = video('v', { captions: { name: 'long.vtt', cues } })
    expect(exceedsCaptions([long])).toBe(true)
    const draft = draftAfter(added(long), ready('v'))
    expect(canShare(draft)).toBe(false)
    const part = { from: 0, to: 10, cover: 0, isMuted: false }
    expect(canShare(composerReducer(draft, { type: 'video-edited', id: 'v', edit: part }))).toBe(true)
    // Six videos with 25,000 bytes and more each.
    const half = { ...long, captions: { name: '', cues: cues.slice(0, 50) } }
    expect(exceedsCaptions([half, half, half, half, half])).toBe(false)
    expect(exceedsCaptions([half, half, half, half, half, half])).toBe(true)
  })

  test('of a returned post belong to its converted video', () => {
    const post = { ...prepared('v'), altText: 'The tide', captions: 'WEBVTT' }
    const returned = returnedVideo(post, CAPTIONS)
    expect(returned).toMatchObject({
      altText: 'The tide',
      captions: CAPTIONS,
      info: { seconds: 12, width: 1920, height: 1080, sound: 'readable' },
      edit: { from: 0, to: 12 },
      work: null,
    })
    expect(returned.source).toBe(post.video)
    expect(captionsOf(returned)).toContain('00:09.500 --> 00:12.000')
  })
})

describe('CREATE-08 stored videos', () => {
  test('have their choices, and are no photos for earlier versions of the app', () => {
    const stored = toKept(video('v', { captions: CAPTIONS, altText: 'The tide', isHeld: true }))
    expect(stored).not.toHaveProperty('id')
    const [again] = keptMediaOf(JSON.parse(JSON.stringify([stored])))
    expect(again).toEqual(stored)
    expect(again).toMatchObject({ video: { captions: 'clip.vtt', isStale: true, bytes: 1 } })
  })

  test.each([
    null,
    { video: null },
    { video: { id: 'v' } },
    { video: { id: 'v', info: {}, edit: {} } },
    { video: { id: 'v', bytes: 1, info: { ...INFO, seconds: null }, edit: { from: 0, to: 1, cover: 0 } } },
  ])('are left out if they are not valid: %j', (value) => {
    expect(keptVideosOf(value)).toEqual([])
  })

  test('larger than what is copied keep their converted video, without their original', () => {
    const large = { size: KEPT_VIDEO_BYTES + 1 } as Blob
    const done = prepared('v')
    const [files] = filesOf([video('v', { source: large, video: done, work: null, captions: CAPTIONS })])
    expect(files).toEqual({ id: 'v', source: null, picture: done, captions: CAPTIONS.cues })
    expect(isLost(video('v', { source: null, video: done, work: null }))).toBe(false)
    expect(isLost(video('v', { source: null }))).toBe(true)
  })
})
