import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { BufferSource, Input, MP4 } from 'mediabunny'
import { pictureSizes } from '#/renderer/lib/media/picture/picture-sizes'
import { POST_VIDEO, type VideoRules } from '#/shared/limits'
import type { Dimensions } from '#/shared/media-formats'
import { isPlayedEverywhere } from '#/shared/played-codecs'
import { isPlayableVideo } from '#/shared/played-video'
import { tracesIn, tracksOf, videoPath } from './fixtures/videos'
import { longStep } from './support/long-step'
import { expect, test } from './support/test'

const ASSETS = join(import.meta.dirname, '../../out/renderer/assets')

/** What the worker answers, and how the page plays it. */
interface Converted {
  refused: string | null
  /** What would fit, in seconds. */
  longestSeconds: number | undefined
  bytes: Buffer
  /** Width and height of the sizes of the cover, of the full one first, and whether its ThumbHash is there. */
  cover: string[]
  durationMs: number
  hasSound: boolean
  isSoundLost: boolean
  /** Of its pictures as they are decoded. */
  format: string | null
  size: [width: number, height: number]
  /** Seconds at which it ended. */
  endedAt: number
}

/** Converts a video for a post with the app's worker, and plays the result to its end. */
async function convert(page: Page, path: string, changed: Partial<VideoRules> = {}): Promise<Converted> {
  const worker = (await readdir(ASSETS)).find((name) => /^video\.worker-.*\.js$/.test(name))
  const source = (await readFile(path)).toString('base64')
  const answer = await page.evaluate(
    async ([url, content, rules]) => {
      const bytesOf = (text: string) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
      const worker = new Worker(url, { type: 'module' })
      // biome-ignore lint/suspicious/noExplicitAny: types of the page are not those of the test
      const answered = await new Promise<any>((resolve, reject) => {
        worker.addEventListener('message', ({ data }) => data.type !== 'progress' && resolve(data))
        worker.addEventListener('error', () => reject(new Error('The worker failed')))
        worker.postMessage({ type: 'prepare-post', source: new Blob([bytesOf(content)]), edit: null, rules })
      })
      worker.terminate()
      if (answered.type === 'refused')
        return { refused: String(answered.code), longestSeconds: answered.longestSeconds }
      const { video, cover, durationMs, hasSound, isSoundLost } = answered.video
      const sizes: string[] = []
      for (const file of [cover.full, cover.feed, cover.grid] as Blob[]) {
        const { width, height } = await createImageBitmap(file)
        sizes.push(`${width} × ${height}`)
      }
      if (cover.thumbhash !== '' && cover.middle === undefined) sizes.push('thumbhash')
      const shown = document.createElement('video')
      shown.muted = true
      shown.src = URL.createObjectURL(video)
      await new Promise((resolve, reject) => {
        shown.requestVideoFrameCallback(resolve)
        shown.addEventListener('error', () => reject(new Error(shown.error?.message)), { once: true })
      })
      const frame = new VideoFrame(shown)
      const { format } = frame
      frame.close()
      const ended = new Promise((resolve, reject) => {
        shown.addEventListener('ended', resolve, { once: true })
        shown.addEventListener('error', () => reject(new Error(shown.error?.message)), { once: true })
      })
      shown.playbackRate = 16
      // One frame ends before it plays.
      shown.play().catch(() => undefined)
      await ended
      const bytes = new Uint8Array(await (video as Blob).arrayBuffer())
      return {
        refused: null,
        content: Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''),
        cover: sizes,
        durationMs: Number(durationMs),
        hasSound: hasSound === true,
        isSoundLost: isSoundLost === true,
        format,
        size: [shown.videoWidth, shown.videoHeight] as [number, number],
        endedAt: shown.currentTime,
      }
    },
    [`/assets/${worker}`, source, { ...POST_VIDEO, ...changed }] as const,
  )
  const { content = '', refused, ...rest } = answer
  return { ...rest, refused, bytes: Buffer.from(content, 'latin1') } as Converted
}

interface Kind {
  name: `kinds/${string}` | `formats/${string}`
  /** Codecs of the result. */
  codecs: RegExp
  hasSound?: true
  isSoundLost?: true
  size?: readonly [width: number, height: number]
  durationMs?: number
}

const H264 = String.raw`avc1\.(42|4d|58|64)\w+`
const SOUND = '(opus|mp4a.40.2)'

const ENCODED: Kind = {
  name: 'formats/four-two-two.mp4',
  codecs: RegExp(`^${H264} mp4a.40.2$`),
  hasSound: true,
}
const KINDS: readonly Kind[] = [
  { name: 'kinds/clip.mov', codecs: RegExp(`^${H264} mp4a.40.2$`), hasSound: true },
  { name: 'kinds/ten-bit.mp4', codecs: RegExp(`^${H264} mp4a.40.2$`), hasSound: true },
  { name: 'kinds/sixty.mp4', codecs: RegExp(`^${H264}$`) },
  { name: 'kinds/hlg.webm', codecs: RegExp(`^${H264}$`) },
  { name: 'kinds/vp8.webm', codecs: RegExp(`^${H264} opus$`), hasSound: true },
  { name: 'kinds/vp9.mkv', codecs: /^vp09\.00\S+ opus$/, hasSound: true },
  { name: 'kinds/av1.webm', codecs: /^av01\.0\S+ opus$/, hasSound: true },
  { name: 'kinds/varying.mp4', codecs: RegExp(`^${H264}$`) },
  { name: 'kinds/camera.m2ts', codecs: RegExp(`^${H264}$`), isSoundLost: true },
  { name: 'kinds/upright.mp4', codecs: RegExp(`^${H264} mp4a.40.2$`), hasSound: true, size: [90, 160] },
  { name: 'formats/ten-bit.webm', codecs: RegExp(`^${H264}$`) },
  { name: 'formats/ten-bit-av1.mp4', codecs: RegExp(`^${H264}$`) },
  { name: 'formats/four-two-two.webm', codecs: RegExp(`^${H264}$`) },
  { name: 'formats/short-packets.mp4', codecs: RegExp(`^${H264} ${SOUND}$`), hasSound: true },
  { name: 'formats/high-rate.mp4', codecs: RegExp(`^${H264} ${SOUND}$`), hasSound: true },
  { name: 'formats/one-frame.mp4', codecs: RegExp(`^${H264}$`), durationMs: 100 },
  { name: 'formats/one-frame.webm', codecs: /^vp09\.00\S+$/, durationMs: 100 },
]

/** The sizes of a photo. */
function coverSizes(full: Dimensions): string[] {
  const { feed, grid } = pictureSizes(full)
  return [full, feed, grid].map(({ width, height }) => `${width} × ${height}`)
}

async function expectConverted(page: Page, kind: Kind): Promise<Buffer> {
  const { name, codecs, hasSound = false, isSoundLost = false, durationMs = 2_000 } = kind
  const { size: [width, height] = [160, 90] } = kind
  const video = await convert(page, videoPath(name))
  expect(video.refused, name).toBeNull()
  const { bytes, ...facts } = video
  expect(facts, name).toMatchObject({ hasSound, isSoundLost, size: [width, height] })
  expect(facts.cover, name).toEqual([...coverSizes({ width, height }), 'thumbhash'])
  expect(['I420', 'NV12'], name).toContain(facts.format)
  expect(Math.abs(facts.durationMs - durationMs), name).toBeLessThan(250)
  expect(Math.abs(facts.endedAt * 1_000 - facts.durationMs), name).toBeLessThan(150)

  expect(tracesIn(bytes), name).toEqual([])
  const read = async (from: number, to: number) => bytes.subarray(from, to)
  expect(await isPlayableVideo('mp4', read, bytes.length), name).toBe(true)
  const input = new Input({ source: new BufferSource(new Uint8Array(bytes)), formats: [MP4] })
  const tracks = await input.getTracks()
  const found = await Promise.all(tracks.map((track) => track.getCodecParameterString()))
  expect(found.join(' '), name).toMatch(codecs)
  expect(isPlayedEverywhere(found[0] ?? null), name).toBe(true)
  const [pictures, sound] = await tracksOf(bytes)
  expect(pictures?.packets.length, name).toBeLessThanOrEqual(80)
  expect((sound?.packets.length ?? 0) / (durationMs / 1_000), name).toBeLessThan(60)
  return bytes
}

test('a video is converted for a post: an MP4 in a codec, profile and pixel format that play everywhere, which plays to its end, with a cover in the sizes of a photo', {
  tag: '@steps',
}, async ({ page, member: _signedIn }) => {
  test.slow()
  await page.goto('/')
  await expectConverted(page, ENCODED)
  const refused = await convert(page, videoPath('formats/eighty-seconds.mp4'), { bytes: 10_000_000 })
  expect(refused).toMatchObject({ refused: 'video-too-large-after', longestSeconds: 34 })
  await longStep('encoded in pieces, with its tables first', async () => {
    // At 5 Mbit/s it would have 51 MB.
    const kind = { codecs: RegExp(`^${H264}$`), size: [1_920, 1_080], durationMs: 80_000 } as const
    const bytes = await expectConverted(page, { name: 'formats/eighty-seconds.mp4', ...kind })
    const [tables, room, pictures] = ['moov', 'free', 'mdat'].map((type) => bytes.indexOf(type))
    expect(tables).toBeLessThan(room ?? 0)
    expect(room).toBeLessThan(pictures ?? 0)
  })
  await longStep('of every other kind', async () => {
    for (const kind of KINDS) await expectConverted(page, kind)
    const hevc = await convert(page, videoPath('kinds/hevc.mov'))
    // Chromium on Linux cannot decode it.
    if (hevc.refused === null)
      await expectConverted(page, { name: 'kinds/hevc.mov', codecs: RegExp(`^${H264}`) })
    else expect(hevc.refused).toBe('video-hevc')
  })
})
