import { beforeEach, describe, expect, test, vi } from 'vitest'
import { PhotoPicker } from '#/renderer/features/composer/components/PhotoPicker'
import { useComposerStore } from '#/renderer/features/composer/composer-store'
import { type DraftVideo, newVideo } from '#/renderer/features/composer/draft-video'
import { emptyDraft } from '#/renderer/features/composer/model'
import { texts } from '#/renderer/lib/texts'
import { composeVideo } from '#/renderer/lib/texts/later/compose-photos'
import { POST_VIDEO } from '#/shared/limits'
import { pageText, show } from '#tests/renderer/dom'

vi.mock('#/renderer/lib/server/supabase', () => ({}))
vi.mock('#/renderer/features/post', () => ({ canPost: () => true }))
vi.mock('#/renderer/features/desktop', () => ({ desktop: { files: { onOpened: () => () => undefined } } }))
vi.mock('#/renderer/features/composer/photo-work-store', () => ({
  photoWork: { takeOpened: async () => undefined, takeFiles: () => undefined },
}))
vi.mock('#/renderer/features/composer/draft-files-store', () => ({ filesPlace: () => '' }))
vi.mock('#/renderer/lib/outbox', () => ({ useUploadProgress: () => null, cancelRow: vi.fn() }))

const INFO = { seconds: 30, width: 1920, height: 1080, sound: 'readable' } as const
const PREVIEW = {
  file: new Blob(),
  colorSpace: 'srgb',
  original: { width: 1920, height: 1080 },
  width: 1920,
  height: 1080,
} as const

const video = (patch: Partial<DraftVideo> = {}): DraftVideo => ({
  ...newVideo(new Blob(['v']), { name: 'tide.mov', info: INFO, rules: POST_VIDEO }),
  preview: PREVIEW,
  ...patch,
})

function form(photos: readonly DraftVideo[], isSending = false): string {
  const draft = { ...emptyDraft(), photos }
  useComposerStore.setState({ draft })
  const sending = isSending ? { id: 'p', content: '', location: '', photos } : null
  const { baseElement } = show(
    <PhotoPicker photos={photos} mayTakePhotos problems={[]} sending={sending}>
      {null}
    </PhotoPicker>,
  )
  return baseElement.innerHTML
}

beforeEach(() => useComposerStore.setState({ reading: 0, videoRules: POST_VIDEO }))

test('CREATE-12 the form says that a video is not converted yet, and how far it is', () => {
  const work = { progress: 0.5, failure: null, secondsLeft: 20 }
  const markup = form([video({ work })])
  expect(markup).toContain(composeVideo.waiting)
  expect(markup).toContain(composeVideo.secondsLeft(20))
  expect(form([video({ work }), video({ work })], true)).toContain(composeVideo.convertingAll)
})

test('CREATE-12 the form says that files are being read, and what the server takes', () => {
  useComposerStore.setState({ reading: 1, videoRules: { ...POST_VIDEO, bytes: 50_000_000 } })
  form([video()])
  expect(pageText()).toContain(texts.composer.reading)
  expect(pageText()).toContain(texts.media.serverLimit(50_000_000, 174))
})

test('CREATE-08 CREATE-12 the form asks again for a large video whose file is gone', () => {
  form([video({ source: null, work: { progress: 0, failure: 'video-interrupted' } })])
  expect(pageText()).toContain(composeVideo.chooseAgain)
  expect(pageText()).toContain('tide.mov')
})

test('CREATE-12 captions outside the part that is kept are named as such', () => {
  const captions = { name: 'late.vtt', cues: [{ from: 20, to: 25, text: 'Late' }] }
  form([video({ captions, edit: { from: 0, to: 9, cover: 1, isMuted: false } })])
  expect(pageText()).toContain(composeVideo.changeCaptions)
  expect(pageText()).toContain(composeVideo.noCaptionsInPart)
})

describe('a video that the server has refused as too large', () => {
  const held = { isHeld: true, work: { progress: 0, failure: null, secondsLeft: null } }
  beforeEach(() => useComposerStore.setState({ videoRules: { ...POST_VIDEO, bytes: 5_000_000 } }))

  test('CREATE-12 asks for a shorter part', () => {
    form([video(held)])
    expect(pageText()).toContain(texts.media.serverLimit(5_000_000, 17))
    expect(pageText()).toContain(composeVideo.shorten)
    expect(pageText()).not.toContain(composeVideo.held)
  })

  test('CREATE-12 is converted once a shorter part is chosen', () => {
    form([video({ ...held, edit: { from: 2, to: 9, cover: 2, isMuted: false } })])
    expect(pageText()).not.toContain(composeVideo.shorten)
    expect(pageText()).toContain(composeVideo.held)
  })
})
