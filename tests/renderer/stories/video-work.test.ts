import { beforeEach, describe, expect, test, vi } from 'vitest'
import {
  dispatchDraft,
  emptyDraft,
  hasStoryDraft,
  isEmptyDraft,
  openStoryDraft,
  useStoryDraftStore,
} from '#/renderer/features/stories/story-draft-store'
import {
  applyEdit,
  clearDraft,
  closeEditor,
  endDraft,
  forgetDraftOf,
  openDraftOf,
  storyChooser,
  takeForStory,
  takeOpened,
} from '#/renderer/features/stories/video-work'
import { logFailure } from '#/renderer/lib/core/logger'
import type { PreparedMedia, VideoInfo } from '#/renderer/lib/media'
import type { StoryOptions } from '#/renderer/lib/media/story-media'
import type { OpenedVideo } from '#/shared/bridge'

const work = vi.hoisted(() => ({
  opened: [] as (OpenedVideo | Error)[],
  seconds: 8,
  /** The conversions, oldest first. */
  started: [] as { source: Blob; options: StoryOptions; end: (media: PreparedMedia) => void }[],
  kept: new Map<string, unknown>(),
  files: { media: null, source: null } as { media: unknown; source: Blob | null },
}))

vi.mock('#/renderer/features/desktop', () => ({
  desktop: {
    files: {
      takeOpenedVideo: async () => {
        const next = work.opened.shift() ?? null
        if (next instanceof Error) throw next
        return next
      },
    },
  },
}))
vi.mock('#/renderer/lib/media/story-media', () => ({
  examineVideo: async (): Promise<VideoInfo> => ({
    seconds: work.seconds,
    width: 4,
    height: 3,
    sound: 'readable',
  }),
  isVideoFile: async () => true,
  prepareStoryMedia: (source: Blob, options: StoryOptions) =>
    new Promise<PreparedMedia>((end) => work.started.push({ source, options, end })),
}))
vi.mock('#/shared/limits', async (load) => ({ ...(await load<object>()), KEPT_VIDEO_BYTES: 100 }))
vi.mock('#/renderer/features/stories/story-files-store', () => ({
  readStory: (me: string) => work.kept.get(me) ?? null,
  keepStory: (me: string, story: unknown) => work.kept.set(me, story),
  keepFiles: (_me: string, files: object) => Object.assign(work.files, files),
  loadFiles: async () => work.files,
}))

const draft = () => useStoryDraftStore.getState().draft
const READY = { kind: 'video', video: new Blob() } as unknown as PreparedMedia
const clip = (bytes = 50) => new File([new Uint8Array(bytes)], 'beach.mov')
const conversions = (count: number) => vi.waitFor(() => expect(work.started).toHaveLength(count))

/** Ends the run of the app. */
function restart(): void {
  useStoryDraftStore.setState({ owner: '', draft: emptyDraft(), others: {} })
  work.started.length = 0
}

beforeEach(async () => {
  storyChooser.cancel()
  restart()
  work.kept.clear()
  work.files = { media: null, source: null }
  work.seconds = 8
  await openStoryDraft('mara')
})

describe('STORY-08 a chosen video', () => {
  test('of at most a minute is converted at once, and can be cut afterwards', async () => {
    const taken = storyChooser.take(clip())
    await conversions(1)
    expect(work.started[0]?.options.edit).toEqual({ from: 0, to: 8, cover: 0.5, isMuted: false })
    work.started[0]?.end(READY)
    await taken
    expect(draft()).toMatchObject({ chosen: { state: 'ready' }, next: null, clip: { name: 'beach.mov' } })

    dispatchDraft({ type: 'editor-opened' })
    expect(draft().next?.step).toBe('editing')
    const edit = { from: 2, to: 5, cover: 3, isMuted: true }
    applyEdit(edit)
    await conversions(2)
    expect(work.started[1]?.options.edit).toEqual(edit)
    expect(draft()).toMatchObject({ chosen: { state: 'working', previous: READY } })
    // Cancelling returns to the editor; the ready video stays with its own edit.
    storyChooser.cancel()
    expect(draft()).toMatchObject({ chosen: { state: 'ready' }, next: { edit, step: 'editing' } })
    closeEditor()
    expect(draft()).toMatchObject({ chosen: { state: 'ready' }, next: null, clip: { edit: { to: 8 } } })
  })

  test('of more than a minute waits until its part is chosen', async () => {
    work.seconds = 200
    void storyChooser.take(clip())
    await vi.waitFor(() => expect(draft().next?.step).toBe('editing'))
    expect(work.started).toEqual([])
    applyEdit({ from: 100, to: 130, cover: 110, isMuted: false })
    await conversions(1)
    expect(work.started[0]?.options.edit).toMatchObject({ from: 100, to: 130 })
  })

  test('is dropped when its editor is closed before a part was chosen', async () => {
    work.seconds = 200
    void storyChooser.take(clip())
    await vi.waitFor(() => expect(draft().next?.step).toBe('editing'))
    closeEditor()
    expect(draft()).toMatchObject({ chosen: { state: 'none' }, next: null })
  })

  test('returns to its editor, with what was chosen, when its conversion is cancelled', async () => {
    work.seconds = 200
    const file = clip()
    void storyChooser.take(file)
    await vi.waitFor(() => expect(draft().next?.step).toBe('editing'))
    const edit = { from: 100, to: 130, cover: 110, isMuted: true }
    applyEdit(edit)
    await conversions(1)
    storyChooser.cancel()
    expect(draft()).toMatchObject({
      chosen: { state: 'none' },
      next: { source: file, edit, step: 'editing' },
    })
    expect(work.started[0]?.options.signal?.aborted).toBe(true)
    // A story that is edited cannot take its place, and signing out asks.
    expect([isEmptyDraft(draft()), hasStoryDraft('mara')]).toEqual([false, true])
    applyEdit({ ...edit, to: 120 })
    await conversions(2)
    expect(work.started[1]).toMatchObject({ source: file, options: { edit: { from: 100, to: 120 } } })
  })

  test('has the time left of the latest conversion only', async () => {
    void storyChooser.take(clip())
    await conversions(1)
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 10_000)
    work.started[0]?.options.onProgress?.(0.5)
    expect(draft().secondsLeft).toBe(10)
    void storyChooser.take(clip())
    await conversions(2)
    work.started[0]?.options.onProgress?.(0.9)
    expect(draft().secondsLeft).toBeNull()
    vi.restoreAllMocks()
  })
})

describe('STORY-08 a restart', () => {
  test('returns what was ready, with its caption and the video it was cut from', async () => {
    const taken = storyChooser.take(clip())
    await conversions(1)
    work.started[0]?.end(READY)
    await taken
    dispatchDraft({ type: 'typed', caption: 'Low tide' })
    const { id } = draft()
    restart()
    await openStoryDraft('mara')
    expect(draft()).toMatchObject({
      id,
      caption: 'Low tide',
      chosen: { state: 'ready', media: READY },
      clip: { name: 'beach.mov' },
      lost: null,
    })
  })

  test('continues an interrupted conversion, with the chosen part', async () => {
    work.seconds = 200
    void storyChooser.take(clip())
    await vi.waitFor(() => expect(draft().next?.step).toBe('editing'))
    const edit = { from: 100, to: 130, cover: 110, isMuted: true }
    applyEdit(edit)
    await conversions(1)
    restart()
    openDraftOf('mara')
    await conversions(1)
    expect(work.started[0]?.options.edit).toEqual(edit)
  })

  test('returns to the editor of a video whose part was not chosen yet', async () => {
    work.seconds = 200
    void storyChooser.take(clip())
    await vi.waitFor(() => expect(draft().next?.step).toBe('editing'))
    restart()
    openDraftOf('mara')
    await vi.waitFor(() => expect(draft().next).toMatchObject({ name: 'beach.mov', step: 'editing' }))
    expect(work.started).toEqual([])
    const edit = { from: 100, to: 130, cover: 110, isMuted: true }
    applyEdit(edit)
    await conversions(1)
    // Nor is one converted whose conversion was cancelled.
    storyChooser.cancel()
    restart()
    openDraftOf('mara')
    await vi.waitFor(() => expect(draft().next).toMatchObject({ edit, step: 'editing' }))
    expect(work.started).toEqual([])
  })

  test('returns what is ready while another part of it is being chosen', async () => {
    const taken = storyChooser.take(clip())
    await conversions(1)
    work.started[0]?.end(READY)
    await taken
    dispatchDraft({ type: 'editor-opened' })
    restart()
    openDraftOf('mara')
    await vi.waitFor(() => expect(draft().chosen).toEqual({ state: 'ready', media: READY }))
    expect(draft()).toMatchObject({ next: null, lost: null, clip: { name: 'beach.mov' } })
    expect(work.started).toEqual([])
  })

  test('says that a large file must be chosen again, and keeps its part', async () => {
    work.seconds = 200
    void storyChooser.take(clip(101))
    await vi.waitFor(() => expect(draft().next?.step).toBe('editing'))
    const edit = { from: 100, to: 130, cover: 110, isMuted: true }
    applyEdit(edit)
    await conversions(1)
    restart()
    openDraftOf('mara')
    await vi.waitFor(() => expect(draft().lost?.name).toBe('beach.mov'))
    expect(work.started).toEqual([])
    void storyChooser.take(clip(101))
    await conversions(1)
    expect(work.started[0]?.options.edit).toEqual(edit)
    expect(draft().lost).toBeNull()
  })

  test('returns nothing to another member, and nothing that was forgotten', async () => {
    dispatchDraft({ type: 'typed', caption: 'Low tide' })
    restart()
    await openStoryDraft('noor')
    expect(draft().caption).toBe('')
    restart()
    forgetDraftOf('mara')
    await openStoryDraft('mara')
    expect(draft().caption).toBe('')
  })

  test('returns nothing of a conversion whose draft was forgotten', async () => {
    const taken = storyChooser.take(clip())
    await conversions(1)
    forgetDraftOf('mara')
    work.started[0]?.end(READY)
    await taken
    expect([isEmptyDraft(draft()), work.files, work.kept.get('mara')]).toEqual([
      true,
      { media: null, source: null },
      null,
    ])
  })
})

describe('STORY-08 a file that comes while a story is being shared', () => {
  const share = async () => {
    const taken = storyChooser.take(clip())
    await conversions(1)
    work.started[0]?.end(READY)
    await taken
    dispatchDraft({ type: 'sent' })
    return draft().id
  }

  test('is added afterwards', async () => {
    const id = await share()
    const next = new File(['next'], 'next.mov')
    await takeForStory('mara', next)
    expect(draft()).toMatchObject({ sending: id, waiting: [next], chosen: { state: 'ready', media: READY } })
    endDraft(id)
    await conversions(2)
    expect(work.started[1]?.source).toBe(next)
    expect(draft()).toMatchObject({ waiting: [], chosen: { state: 'working', previous: null } })
  })

  test('waits on if the story is not shared, until that is removed', async () => {
    const id = await share()
    const next = new File(['next'], 'next.mov')
    await takeForStory('mara', next)
    dispatchDraft({ type: 'failed', id })
    expect(draft()).toMatchObject({ waiting: [next], chosen: { state: 'ready', media: READY } })
    clearDraft()
    await conversions(2)
    expect(work.started[1]?.source).toBe(next)
  })
})

describe('STORY-08 videos that the app was opened with', () => {
  const video = (name: string): OpenedVideo => ({ name, size: 50, url: `/opened/${name}` })

  test('are added one after the other', async () => {
    work.opened = [video('1.mov'), video('2.mov'), video('3.mov')]
    await takeOpened('mara')
    await conversions(1)
    expect(work.started[0]?.source).toEqual(video('1.mov'))
    expect(draft()).toMatchObject({
      next: { name: '1.mov' },
      waiting: [{ name: '2.mov' }, { name: '3.mov' }],
    })
    clearDraft()
    await conversions(2)
    expect(work.started[1]?.source).toEqual(video('2.mov'))
    expect(draft().waiting).toEqual([video('3.mov')])
  })

  test('wait for the story that is being shared', async () => {
    const taken = storyChooser.take(clip())
    await conversions(1)
    work.started[0]?.end(READY)
    await taken
    dispatchDraft({ type: 'sent' })
    work.opened = [video('1.mov')]
    await takeOpened('mara')
    expect(draft().waiting).toEqual([video('1.mov')])
  })

  test('that cannot be read are refused', async () => {
    const gone = new Error('gone')
    work.opened = [gone]
    await takeOpened('mara')
    expect(logFailure).toHaveBeenCalledWith('open video', gone)
    expect(draft().chosen).toMatchObject({ state: 'refused', code: 'failed' })
  })
})
