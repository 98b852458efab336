import { beforeEach, expect, test, vi } from 'vitest'
import { CreateScreen } from '#/renderer/features/composer/CreateScreen'
import { dispatch, useComposerStore } from '#/renderer/features/composer/composer-store'
import { newPhoto } from '#/renderer/features/composer/draft-photo'
import { emptyDraft } from '#/renderer/features/composer/model'
import { loadQueued } from '#/renderer/features/composer/queued-photos-store'
import type { NewPost } from '#/renderer/features/feed'
import { logFailure } from '#/renderer/lib/core/logger'
import { UNEDITED } from '#/renderer/lib/media'
import { discardRow, type OutboxRow } from '#/renderer/lib/outbox'
import { texts } from '#/renderer/lib/texts'
import { pageText, show } from '#tests/renderer/dom'

const page = vi.hoisted(() => ({
  state: null as { edit: string } | null,
  navigated: [] as unknown[],
  mayStoreMedia: true,
}))

vi.mock('react-router-dom', async (load) => ({
  ...(await load<object>()),
  useLocation: () => ({ state: page.state }),
  useNavigate: () => async (to: string, options: { state: null }) => {
    page.navigated.push(to)
    page.state = options.state
  },
}))
vi.mock('#/renderer/features/auth', () => ({ useMe: () => ({ id: 'me' }) }))
vi.mock('#/renderer/features/feed', () => ({}))
vi.mock('#/renderer/features/post', () => ({ canPost: () => true }))
vi.mock('#/renderer/features/desktop', () => ({ desktop: {} }))
vi.mock('#/renderer/features/composer/draft-files-store', () => ({
  filesPlace: () => '',
  saveFiles: () => undefined,
}))
vi.mock('#/renderer/features/composer/queued-photos-store', () => ({ loadQueued: vi.fn() }))
vi.mock('#/renderer/features/stories', () => ({ AddStoryLink: () => null }))
vi.mock('#/renderer/features/composer/components/PhotoPicker', () => ({
  PhotoPicker: ({ children }: { children: unknown }) => children,
}))
vi.mock('#/renderer/lib/server/supabase', () => ({}))
vi.mock('#/renderer/lib/media/source/storage-store', () => ({ useMayStoreMedia: () => page.mayStoreMedia }))
vi.mock('#/renderer/lib/outbox', () => ({ discardRow: vi.fn(), useUploadProgress: () => null }))

const PICTURE = {
  dataUrl: `data:image/webp;base64,${btoa('full')}`,
  thumbnailUrl: 'data:,small',
  width: 3,
  height: 2,
}
const POST: NewPost = {
  content: 'Fog',
  location: 'Trieste',
  photos: [{ picture: PICTURE, altText: 'A pier', camera: { film: 'HP5' } }],
}
const ROW: OutboxRow<NewPost> = {
  id: 'p',
  scope: 'post',
  kind: 'post',
  payload: POST,
  createdAt: '2026-03-01T12:00:00Z',
  state: 'refused',
}

const draft = () => useComposerStore.getState().draft
const screen = () => show(<CreateScreen />)

beforeEach(() => {
  page.state = { edit: 'p' }
  page.navigated = []
  useComposerStore.setState({ owner: 'me', draft: emptyDraft(), reading: 0 })
  vi.mocked(discardRow).mockReset().mockResolvedValue(ROW)
  vi.mocked(loadQueued).mockReset().mockResolvedValue([])
  vi.mocked(logFailure).mockClear()
})

test('CREATE-10 a refused post returns with its originals and their edits, as other photos', async () => {
  const edit = { ...UNEDITED, turns: 1 as const }
  const chosen = newPhoto(new Blob(['original']), {
    note: 'animated',
    camera: { iso: '100' },
  })
  const original = { ...chosen, id: 'a', edit, altText: 'A pier', picture: null }
  vi.mocked(loadQueued).mockResolvedValue([original])
  const [first] = POST.photos
  const photos = first === undefined ? [] : [first, first]
  vi.mocked(discardRow).mockResolvedValue({ ...ROW, payload: { ...POST, photos } })
  screen()
  await vi.waitFor(() => expect(draft().photos).toHaveLength(2))
  expect(loadQueued).toHaveBeenCalledExactlyOnceWith('me', 'p')
  const kept = {
    edit,
    picture: PICTURE,
    altText: 'A pier',
    camera: { iso: '100' },
    note: 'animated',
    work: null,
  }
  // The original of the second one did not fit on the disk.
  expect(draft().photos).toMatchObject([kept, { edit: UNEDITED, picture: PICTURE, work: null }])
  expect(await draft().photos[0]?.source?.text()).toBe('original')
  // The files of the first id are removed with the row.
  expect(draft().photos[0]?.id).not.toBe('a')
})

test('CREATE-10 a refused post leaves the outbox for the form, under its id, once', async () => {
  screen()
  await vi.waitFor(() => expect(page.navigated).toEqual(['.']))
  expect(discardRow).toHaveBeenCalledExactlyOnceWith('p')
  const { content, location, id, wasSent, sending, photos } = draft()
  expect({ content, location, id, wasSent, sending }).toEqual({
    content: 'Fog',
    location: 'Trieste',
    id: 'p',
    wasSent: true,
    sending: null,
  })
  expect(photos).toMatchObject([
    { picture: PICTURE, altText: 'A pier', camera: { film: 'HP5' }, shown: ['film'], work: null },
  ])
  expect(await photos[0]?.source?.text()).toBe('full')
  expect(pageText()).not.toContain(texts.composer.editLater)
  expect(discardRow).toHaveBeenCalledOnce()
})

test('CREATE-10 a refused post without a picture brings no photo', async () => {
  vi.mocked(discardRow).mockResolvedValue({ ...ROW, payload: { ...POST, photos: [] } })
  screen()
  await vi.waitFor(() => expect(draft().content).toBe('Fog'))
  expect(draft().photos).toEqual([])
})

test('CREATE-10 a refused post stays in the outbox while the form has another one', () => {
  dispatch({ type: 'typed', field: 'location', value: 'Elsewhere' })
  screen()
  expect(pageText()).toContain(texts.composer.editLater)
  expect(discardRow).not.toHaveBeenCalled()
  expect(draft()).toMatchObject({ content: '', location: 'Elsewhere' })
})

test('CREATE-10 a refused post stays in the outbox while a photo is being read into the form', () => {
  useComposerStore.setState({ reading: 1 })
  screen()
  expect(pageText()).toContain(texts.composer.editLater)
  expect(discardRow).not.toHaveBeenCalled()
})

test('CREATE-10 a post that was discarded meanwhile leaves the form empty', async () => {
  vi.mocked(discardRow).mockResolvedValue(null)
  screen()
  await vi.waitFor(() => expect(page.navigated).toEqual(['.']))
  expect(draft().content).toBe('')
})

test('CREATE-10 a failure to take the post out of the outbox is logged', async () => {
  const cause = new Error('disk')
  vi.mocked(discardRow).mockRejectedValue(cause)
  screen()
  await vi.waitFor(() => expect(logFailure).toHaveBeenCalledExactlyOnceWith('outbox', cause))
})
