import { beforeEach, describe, expect, test, vi } from 'vitest'
import { logFailure } from '#/renderer/lib/core/logger'
import {
  createMediaChooser,
  type MediaChoice,
  type MediaChoiceChange,
  MediaError,
  type MediaErrorCode,
  mediaChoiceReducer,
  toMediaErrorCode,
} from '#/renderer/lib/media'
import type { PickedFile } from '#/shared/bridge'
import { BridgeError, FILE_TOO_LARGE } from '#/shared/bridge-error'

/** A preparation that the test ends. */
interface Work {
  signal: AbortSignal | undefined
  report: (fraction: number) => void
  end: (media: string) => void
  fail: (cause: unknown) => void
  /** Ends the small version. */
  show: (preview: Blob | null) => void
  failToShow: (cause: unknown) => void
}

function chooserUnderTest() {
  const works: Work[] = []
  const previews: Pick<Work, 'show' | 'failToShow'>[] = []
  const changes: MediaChoiceChange<string>[] = []
  const chooser = createMediaChooser<string>({
    what: 'choose photo',
    prepare: (_source, { signal, onProgress }) =>
      new Promise((end, fail) => {
        const asked = previews.shift()
        if (asked === undefined) throw new Error('the small version was not asked for first')
        works.push({ signal, report: (fraction) => onProgress?.(fraction), end, fail, ...asked })
      }),
    preview: () =>
      new Promise((show, failToShow) => {
        previews.push({ show, failToShow })
      }),
    onChange: (change) => changes.push(change),
  })
  const workOn = (at: number): Work => {
    const work = works[at]
    if (work === undefined) throw new Error(`file ${at} is not being prepared`)
    return work
  }
  return { ...chooser, workOn, changes }
}

const FILE = new Blob(['a photo'])
const picked = async () => ({ name: 'photo.jpg', bytes: new Uint8Array([1]) })

beforeEach(() => {
  vi.mocked(logFailure).mockClear()
})

describe('CREATE-05 the media chooser prepares one file at a time', () => {
  test('reports the start, the progress and the result', async () => {
    const { take, workOn, changes } = chooserUnderTest()
    const taken = take(FILE)
    workOn(0).report(0.4)
    workOn(0).end('ready')
    await taken
    expect(changes).toEqual([
      { type: 'chosen' },
      { type: 'progress', fraction: 0.4 },
      { type: 'ready', media: 'ready' },
    ])
  })

  test('choosing another file aborts the previous file and ignores its events', async () => {
    const { take, workOn, changes } = chooserUnderTest()
    const taken = [take(FILE), take(FILE), take(FILE)]
    expect([0, 1, 2].map((at) => workOn(at).signal?.aborted)).toEqual([true, true, false])
    workOn(0).report(0.9)
    workOn(0).end('the first')
    workOn(1).fail(new MediaError('broken'))
    workOn(2).end('the last')
    await Promise.all(taken)
    expect(changes.filter(({ type }) => type !== 'chosen')).toEqual([{ type: 'ready', media: 'the last' }])
  })

  test('cancel aborts the running preparation and reports nothing without one', async () => {
    const { take, cancel, workOn, changes } = chooserUnderTest()
    cancel()
    expect(changes).toEqual([])
    const taken = take(FILE)
    cancel()
    expect(workOn(0).signal?.aborted).toBe(true)
    workOn(0).fail(workOn(0).signal?.reason)
    await taken
    cancel()
    expect(changes).toEqual([{ type: 'chosen' }, { type: 'cancelled' }])
  })

  test('cancel does nothing after the file is ready', async () => {
    const { take, cancel, workOn, changes } = chooserUnderTest()
    const taken = take(FILE)
    workOn(0).end('ready')
    await taken
    cancel()
    expect(changes.at(-1)).toEqual({ type: 'ready', media: 'ready' })
  })

  test('reports the code of a refused file', async () => {
    const { take, workOn, changes } = chooserUnderTest()
    const taken = take(FILE)
    workOn(0).fail(new MediaError('unsupported'))
    await taken
    expect(changes.at(-1)).toEqual({ type: 'refused', code: 'unsupported', name: null })
    const named = take(new File([], 'beach.heic'))
    workOn(1).fail(new MediaError('unsupported'))
    await named
    expect(changes.at(-1)).toEqual({ type: 'refused', code: 'unsupported', name: 'beach.heic' })
  })

  test('STORY-08 reports how much of a video that is too long would fit', async () => {
    const { take, workOn, changes } = chooserUnderTest()
    const taken = take(new File([], 'beach.mp4'))
    workOn(0).fail(new MediaError('video-too-large-after', { longestSeconds: 174 }))
    await taken
    const refused = { code: 'video-too-large-after', name: 'beach.mp4', longestSeconds: 174 }
    expect(changes.at(-1)).toEqual({ type: 'refused', ...refused })
    const choice = changes.reduce(mediaChoiceReducer<string>, { state: 'none' })
    expect(choice).toEqual({ state: 'refused', ...refused, previous: null })
  })
})

describe('CREATE-11 a small version of the file', () => {
  const preview = new Blob(['small'])
  const shown = (changes: MediaChoiceChange<string>[]) => changes.filter(({ type }) => type === 'previewed')

  test('is reported as soon as it is ready, and not after the file is', async () => {
    const { take, workOn, changes } = chooserUnderTest()
    const taken = take(FILE)
    workOn(0).show(preview)
    await vi.waitFor(() => expect(changes.at(-1)).toEqual({ type: 'previewed', preview }))
    workOn(0).end('ready')
    await taken
    const again = take(FILE)
    workOn(1).end('ready')
    await again
    workOn(1).show(preview)
    await Promise.resolve()
    expect(shown(changes)).toHaveLength(1)
  })

  test('of a file that has been replaced is not reported', async () => {
    const { take, workOn, changes } = chooserUnderTest()
    const taken = [take(FILE), take(FILE)]
    workOn(0).show(preview)
    workOn(0).end('first')
    workOn(1).show(null)
    workOn(1).end('second')
    await Promise.all(taken)
    expect(shown(changes)).toEqual([])
  })

  test('is missing without a word if the file is refused or cancelled; another failure is logged', async () => {
    const { take, cancel, workOn, changes } = chooserUnderTest()
    const refused = take(FILE)
    workOn(0).failToShow(new MediaError('broken'))
    workOn(0).fail(new MediaError('broken'))
    await refused
    const cancelled = take(FILE)
    cancel()
    workOn(1).failToShow(workOn(1).signal?.reason)
    workOn(1).fail(workOn(1).signal?.reason)
    await cancelled
    expect(logFailure).not.toHaveBeenCalled()
    const cause = new Error('a fault')
    const taken = take(FILE)
    workOn(2).failToShow(cause)
    workOn(2).end('ready')
    await taken
    expect(logFailure).toHaveBeenCalledExactlyOnceWith('choose photo', cause)
    expect(changes.at(-1)).toEqual({ type: 'ready', media: 'ready' })
  })

  test('stays while the progress grows, over the media that was ready before', () => {
    const states: MediaChoice<string>[] = [{ state: 'ready', media: 'old' }]
    const changes: MediaChoiceChange<string>[] = [
      { type: 'previewed', preview },
      { type: 'chosen' },
      { type: 'previewed', preview },
      { type: 'progress', fraction: 0.5 },
    ]
    for (const change of changes) states.push(mediaChoiceReducer(states.at(-1) ?? { state: 'none' }, change))
    expect(states.slice(1)).toEqual([
      { state: 'ready', media: 'old' },
      { state: 'working', progress: 0, preview: null, previous: 'old' },
      { state: 'working', progress: 0, preview, previous: 'old' },
      { state: 'working', progress: 0.5, preview, previous: 'old' },
    ])
  })
})

describe('takeFile', () => {
  test('prepares the picked file and changes nothing without one', async () => {
    const { takeFile, workOn, changes } = chooserUnderTest()
    await takeFile(async () => null)
    expect(changes).toEqual([])
    const taken = takeFile(picked)
    await vi.waitFor(() => workOn(0).end('ready'))
    await taken
    expect(changes.at(-1)).toEqual({ type: 'ready', media: 'ready' })
  })

  test('MSG-11 says that a file is being read, until it is chosen or there is none', async () => {
    const events: string[] = []
    const { takeFile } = createMediaChooser<string>({
      what: 'choose photo',
      preview: async () => null,
      prepare: async () => 'ready',
      onChange: ({ type }) => events.push(type),
      onAsking: (isAsking) => events.push(isAsking ? 'asking' : 'answered'),
    })
    await takeFile(async () => null)
    await takeFile(() => Promise.reject(new BridgeError(FILE_TOO_LARGE, 'Too large.')))
    await takeFile(picked)
    expect(events.join(' ')).toBe('asking answered asking answered refused asking chosen answered ready')
  })

  test('MSG-11 STORY-01 of files that are read at the same time the one chosen last stays, and the answer waits for it', async () => {
    const asked: { answer: (file: PickedFile | null) => void }[] = []
    const ask = () => new Promise<PickedFile | null>((answer) => asked.push({ answer }))
    const events: string[] = []
    const { take, takeFile } = createMediaChooser<string>({
      what: 'choose photo',
      preview: async () => null,
      prepare: (source) => source.text(),
      onChange: (change) => events.push(change.type === 'ready' ? change.media : change.type),
      onAsking: (isAsking) => events.push(isAsking ? 'asking' : 'answered'),
    })
    const file = (text: string) => ({ name: 'photo.jpg', bytes: new TextEncoder().encode(text) })
    const taken = [takeFile(ask), takeFile(ask), takeFile(ask)]
    // The dialog that was opened last is cancelled.
    asked[2]?.answer(null)
    asked[1]?.answer(file('second'))
    await Promise.all(taken.slice(1))
    expect(events).toEqual(['asking', 'chosen', 'second'])
    asked[0]?.answer(file('first'))
    await taken[0]
    expect(events).toEqual(['asking', 'chosen', 'second', 'answered'])

    const late = takeFile(ask)
    await take(new Blob(['dropped']))
    asked[3]?.answer(file('chosen before the drop'))
    await late
    expect(events.slice(4)).toEqual(['asking', 'chosen', 'dropped', 'answered'])
  })

  test('reports the code and the name when the host refuses the file', async () => {
    const { takeFile, changes } = chooserUnderTest()
    await takeFile(() => Promise.reject(new BridgeError(FILE_TOO_LARGE, 'large.jpg')))
    expect(changes).toEqual([{ type: 'refused', code: 'too-large', name: 'large.jpg' }])
  })
})

test.each<[string, unknown, MediaErrorCode, boolean]>([
  ['a refused photo', new MediaError('broken'), 'broken', false],
  ['a photo that could not be read', new MediaError('failed'), 'failed', true],
  ['a video that could not be read', new MediaError('video-failed'), 'video-failed', true],
  ['a photo with too many bytes', new BridgeError(FILE_TOO_LARGE, ''), 'too-large', false],
  ['a file dialog that failed', new BridgeError('file-unreadable', ''), 'failed', true],
])('maps %s to its code, and logs only unexpected errors', (_, cause, code, isLogged) => {
  expect(toMediaErrorCode(cause, 'choose photo')).toBe(code)
  expect(vi.mocked(logFailure).mock.calls).toEqual(isLogged ? [['choose photo', cause]] : [])
})
