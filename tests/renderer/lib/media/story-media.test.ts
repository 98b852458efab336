import { describe, expect, onTestFinished, test } from 'vitest'
import { blobOfDataUrl } from '#/renderer/lib/browser/data-url'
import { useServerInfo } from '#/renderer/lib/core/server-info'
import { initialEdit, MediaError, postVideoRules, preparePostVideo } from '#/renderer/lib/media'
import { isVideoFile, prepareStoryMedia } from '#/renderer/lib/media/story-media'
import { longestSeconds } from '#/renderer/lib/media/video/video-plan'
import { texts } from '#/renderer/lib/texts'
import { POST_VIDEO } from '#/shared/limits'
import type { ServerInfo } from '#/shared/server'
import { bytes } from './files'

describe('STORY-08 prepareStoryMedia detects the format by bytes and checks the size', () => {
  const MP4 = "0000001c 'ftyp' 'isom' 00000200 'isom' 'avc1' 'mp41'"
  /** A file with this start and size; the rest is never read. */
  const file = (head: string, size: number) => {
    const blob = new Blob([bytes(head)])
    Object.defineProperty(blob, 'size', { value: size })
    return blob
  }

  test.each<[string, Blob, MediaError['code']]>([
    ['an empty file', new Blob([]), 'empty'],
    ['a text of any size', file("'Dear diary'", 100_000_000), 'not-media'],
    ['a video of more than 1 GB', file(MP4, 1024 ** 3 + 1), 'video-too-large'],
    ['an AVI video', file("'RIFF' 24080000 'AVI LIST'", 1_000), 'video-container'],
    ['a Windows Media video', file('3026b2758e66cf11', 1_000), 'video-container'],
    ['an MPEG-2 recording', file('000001ba', 1_000), 'video-container'],
    ['a photo of 210 MB', file('ffd8ffe0', 210_000_000), 'too-large'],
  ])('refuses %s', async (_, source, code) => {
    await expect(prepareStoryMedia(source)).rejects.toThrow(new MediaError(code))
  })

  test.each<[string, Blob, MediaError['code']]>([
    ['a video of more than 4 GB', file(MP4, 4 * 1024 ** 3 + 1), 'video-too-large-for-post'],
    ['an AVI video', file("'RIFF' 24080000 'AVI LIST'", 1_000), 'video-container'],
    ['a photo', file('ffd8ffe0', 1_000), 'not-media'],
  ])('of a post: refuses %s as its video', async (_, source, code) => {
    const options = { edit: initialEdit(3, POST_VIDEO), rules: POST_VIDEO }
    await expect(preparePostVideo(source, options)).rejects.toThrow(new MediaError(code))
  })

  test('CREATE-10 of a post: a server that takes less takes a shorter video, which the form says in words', async () => {
    const size = { width: 1_920, height: 1_080 }
    expect(longestSeconds(size, { ...POST_VIDEO, bytes: 50_000_000 })).toBe(174)
    expect(texts.media.serverLimit(50_000_000, 174)).toBe(
      'This server takes videos of up to 50 MB: about 2 minutes and 54 seconds in good quality.',
    )
    expect(texts.media.serverLimit(900_000, 3)).toContain('up to 900 KB: about 3 seconds')
    useServerInfo.setState({ server: { kind: 'embedded' } as ServerInfo })
    onTestFinished(() => useServerInfo.setState({ server: null }))
    expect(longestSeconds(size, await postVideoRules())).toBe(600)
  })

  test('isVideoFile tells videos from photos, also videos that are refused', async () => {
    const kinds = await Promise.all(
      [MP4, "'RIFF' 24080000 'AVI LIST'", 'ffd8ffe0'].map((head) => isVideoFile(file(head, 99))),
    )
    expect(kinds).toEqual([true, true, false])
  })
})

describe('blobOfDataUrl', () => {
  test('returns the bytes and type of a long data URL', async () => {
    const original = Uint8Array.from({ length: 1_600_001 }, (_, index) => (index * 31) % 256)
    const url = `data:video/webm;base64,${Buffer.from(original).toString('base64')}`
    const blob = await blobOfDataUrl(url)
    expect(blob.type).toBe('video/webm')
    expect(Buffer.from(await blob.arrayBuffer()).equals(Buffer.from(original))).toBe(true)
  })
})
