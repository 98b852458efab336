import { cleanup } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { PendingPost } from '#/renderer/features/feed/components/PendingPost'
import type { NewPost } from '#/renderer/features/feed/mutations'
import { logFailure } from '#/renderer/lib/core/logger'
import { connection } from '#/renderer/lib/live'
import { cancelRow, discardRow, type OutboxRow, retryRow } from '#/renderer/lib/outbox'
import { texts } from '#/renderer/lib/texts'
import { videoPlayer } from '#/renderer/lib/texts/later/video-player'
import { pageText, press, show } from '#tests/renderer/dom'

const page = vi.hoisted(() => ({
  navigated: [] as unknown[],
  hasNetwork: true,
  uploaded: null as number | null,
}))

vi.mock('react-router-dom', async (load) => ({
  ...(await load<object>()),
  useNavigate: () => async (to: string, options: object) => void page.navigated.push([to, options]),
}))
vi.mock('#/renderer/features/auth', () => ({
  useMe: () => ({ id: 'me', profile: { username: 'mara', avatar_url: null, avatar_path: null } }),
}))
vi.mock('#/renderer/lib/server/supabase', () => ({}))
vi.mock('#/renderer/lib/outbox', () => ({
  cancelRow: vi.fn(async () => undefined),
  discardRow: vi.fn(),
  retryRow: vi.fn(),
  useUploadProgress: () => page.uploaded,
}))

const PICTURE = { dataUrl: 'data:,full', thumbnailUrl: 'data:,small', width: 3, height: 2 }
const { outbox, tryAgain } = texts

function row(state: OutboxRow['state'], post: Partial<NewPost> = {}, reason?: string): OutboxRow<NewPost> {
  const photos = [{ picture: PICTURE, altText: ' A pier ', camera: null }]
  const payload = { content: ' Fog ', location: ' Trieste ', photos, ...post }
  const sent = { id: 'p', scope: 'post', kind: 'post', createdAt: '2026-03-01T12:00:00Z' }
  return { ...sent, payload, state, ...(reason !== undefined && { reason }) }
}

/** Shows the pending post alone, and returns its text. */
function shown(pending: OutboxRow<NewPost>): string {
  cleanup()
  show(<PendingPost row={pending} position={1} setSize={1} />)
  return pageText()
}

beforeEach(() => {
  connection.setState({ state: 'online', retryAt: null })
  page.navigated = []
  page.uploaded = null
  vi.mocked(discardRow).mockReset().mockResolvedValue(null)
  vi.mocked(retryRow).mockReset().mockResolvedValue(undefined)
  vi.mocked(logFailure).mockClear()
})

test('CREATE-10 a pending post shows its author, place, picture and text', () => {
  const post = shown(row('waiting'))
  for (const text of [texts.post.by('mara'), 'mara', 'Trieste', 'A pier', 'Fog']) expect(post).toContain(text)
  const photos = [{ picture: PICTURE, altText: ' ', camera: null }]
  expect(shown(row('waiting', { photos }))).toContain(texts.post.photoBy('mara'))
  expect(shown(row('waiting', { photos: [], content: '' }))).not.toContain('A pier')
})

test('CREATE-07 a pending post with several photos shows them beside each other', () => {
  const photos = ['A pier', 'A gull', 'A boat'].map((altText) => ({
    picture: PICTURE,
    altText,
    camera: null,
  }))
  const post = shown(row('waiting', { photos }))
  expect(post).toContain('A pier')
  expect(post).toContain('Photo 1 of 3')
  expect(post).toContain('3 photos')
})

test('CREATE-10 a pending post with a video shows its cover and length, and can be edited', () => {
  const video = {
    video: new Blob(),
    cover: {
      full: new Blob(),
      feed: new Blob(),
      grid: new Blob(),
      thumbhash: '1QcSHQRnh493V4dIh4eXh1h4kJUI',
      width: 3,
      height: 2,
    },
    durationMs: 64_600,
    hasSound: true,
    captions: null,
    altText: 'Waves',
  }
  const post = shown(row('refused', { photos: [video] }, 'Too large'))
  expect(post).toContain(videoPlayer.label('Waves', 65))
  expect(post).toContain('1:05')
  expect(post).toContain(tryAgain)
  expect(post).toContain(outbox.edit)
  const photos = [{ ...video, altText: ' ', durationMs: 20 }]
  const mixed = shown(row('waiting', { photos: [video, { picture: PICTURE, altText: '', camera: null }] }))
  expect(mixed).toContain('1 photo and 1 video')
  expect(mixed).toContain('Video, 1 of 2')
  expect(mixed).toContain(texts.post.previousMedium)
  expect(mixed).toContain(texts.post.nextMedium)
  expect(shown(row('waiting', { photos }))).toContain(videoPlayer.label(texts.post.videoBy('mara'), 0.02))
})

test('CREATE-10 says that it waits while the connection is lost or the system has no network, else that it is sent', () => {
  expect(shown(row('waiting'))).toContain(outbox.sending)
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  expect(shown(row('waiting'))).toContain(outbox.waiting)
  online.mockRestore()
  connection.setState({ state: 'lost', retryAt: null })
  expect(shown(row('waiting'))).toContain(outbox.waiting)
})

test('CREATE-10 a post is not discarded while an attempt is running', async () => {
  expect(shown(row('sending'))).not.toContain(outbox.discard)
  expect(shown(row('waiting'))).toContain(outbox.discard)
  await press(outbox.discard)
  expect(discardRow).toHaveBeenCalledExactlyOnceWith('p')
})

test('MEDIA-05 shows the progress of an upload, which discarding the post cancels', async () => {
  page.uploaded = 0.4
  expect(shown(row('sending'))).toContain(outbox.uploading)
  await press(outbox.discard)
  expect(cancelRow).toHaveBeenCalledExactlyOnceWith('p')
  expect(discardRow).not.toHaveBeenCalled()
})

test('CREATE-10 a refused post says why, and is sent again, edited or discarded', async () => {
  const refused = shown(row('refused', {}, 'You are posting too fast.'))
  expect(refused).toContain(outbox.notSent)
  expect(refused).toContain('You are posting too fast.')
  await press(tryAgain)
  expect(retryRow).toHaveBeenCalledExactlyOnceWith('p')
  await press(outbox.edit)
  expect(page.navigated).toEqual([['/create', { state: { edit: 'p' } }]])
  vi.mocked(discardRow).mockRejectedValue(new Error('disk'))
  await press(outbox.discard)
  await vi.waitFor(() => expect(logFailure).toHaveBeenCalledExactlyOnceWith('outbox', new Error('disk')))
})
