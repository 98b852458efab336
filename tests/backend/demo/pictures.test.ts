import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { BufferSource, Input, WEBM } from 'mediabunny'
import { beforeAll, describe, expect, test } from 'vitest'
import { DEMO_CONVERSATIONS } from '#/backend/demo/data/conversations'
import { DEMO_MEMBERS } from '#/backend/demo/data/members'
import { DEMO_STORIES } from '#/backend/demo/data/stories'
import { type DemoManifest, loadDemoPictures, readDemoManifest } from '#/backend/demo/pictures'
import { DEMO_POSTS } from '#/backend/demo/rows'
import { demoAssetsFolder } from '#/backend/paths'
import { MEDIA_LIMITS, PICTURE, TEXT_LIMITS, USERNAME_PATTERN } from '#/shared/limits'

const folder = demoAssetsFolder()
let manifest: DemoManifest

beforeAll(async () => {
  manifest = await readDemoManifest(folder)
})

const characters = (text: string) => [...text].length

/** Width and height from the header of a WebP file (lossy or extended format). */
function webpSize(bytes: Buffer): [number, number] {
  const kind = bytes.toString('latin1', 12, 16)
  if (kind === 'VP8 ') return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff]
  if (kind === 'VP8X') return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1]
  throw new Error(`Not a WebP picture that npm run demo writes: ${kind}`)
}

describe('resources/demo', () => {
  test('holds exactly the files of its manifest, at most 7 MB of them, and their source', async () => {
    const named = Object.values(manifest).flatMap(({ file, thumbnail }) => [file, thumbnail ?? []].flat())
    const entries = await readdir(folder)
    const files = entries.filter((entry) => entry !== 'manifest.json' && entry !== 'source')
    expect(files.sort()).toEqual(named.sort())
    const sizes = await Promise.all(files.map(async (file) => (await stat(join(folder, file))).size))
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(7 * 1024 * 1024)
  })

  test('has pictures of the size in the manifest, within the upload limits of members', async () => {
    const pictures = await loadDemoPictures(folder)
    for (const [name, { use, durationMs }] of Object.entries(manifest)) {
      if (durationMs !== undefined) continue
      const picture = pictures.get(name)
      const bytes = Buffer.from(picture?.dataUrl.split(',')[1] ?? '', 'base64')
      expect(webpSize(bytes), name).toEqual([picture?.width, picture?.height])
      const side = Math.max(picture?.width ?? 0, picture?.height ?? 0)
      expect(side, name).toBeLessThanOrEqual(use === 'avatar' ? PICTURE.avatarSide : PICTURE.side)
      const limit = use === 'avatar' ? MEDIA_LIMITS.avatar : MEDIA_LIMITS.image
      expect(bytes.length, name).toBeLessThanOrEqual(limit.bytes)
      expect(picture?.dataUrl.length, name).toBeLessThanOrEqual(limit.characters)
    }
  })

  test('has videos with sound, of the size and duration in the manifest, 4 to 8 seconds long and at most 400 KB', async () => {
    const videos = [...(await loadDemoPictures(folder))].filter(([, { durationMs }]) => durationMs !== null)
    expect(videos.length).toBeGreaterThan(0)
    for (const [name, { dataUrl, width, height, durationMs }] of videos) {
      expect(manifest[name]?.use).toBe('story')
      expect(dataUrl.startsWith('data:video/webm;base64,'), name).toBe(true)
      const bytes = Buffer.from(dataUrl.split(',')[1] ?? '', 'base64')
      expect(bytes.length, name).toBeLessThanOrEqual(400_000)
      const input = new Input({ source: new BufferSource(bytes), formats: [WEBM] })
      const [video, sound] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()]
      expect([video?.codec, video?.codedWidth, video?.codedHeight], name).toEqual(['vp9', width, height])
      expect(sound?.codec, name).toBe('opus')
      // The last audio packet may extend past the video.
      expect(((await input.computeDuration()) * 1_000 - (durationMs ?? 0)) / 1_000, name).toBeCloseTo(0, 1)
      expect(durationMs, name).toBeGreaterThanOrEqual(4_000)
      expect(durationMs, name).toBeLessThanOrEqual(8_000)
    }
  })

  test('has a thumbnail for each post and story, within the limits and with the same aspect ratio', async () => {
    for (const [name, picture] of await loadDemoPictures(folder)) {
      if (manifest[name]?.use === 'avatar') continue
      const bytes = Buffer.from(picture.thumbnailUrl?.split(',')[1] ?? '', 'base64')
      const [width, height] = webpSize(bytes)
      expect(Math.max(width, height), name).toBeLessThanOrEqual(PICTURE.thumbnailSide)
      expect(width / height, name).toBeCloseTo(picture.width / picture.height, 1)
      expect(bytes.length, name).toBeLessThanOrEqual(MEDIA_LIMITS.thumbnail.bytes)
      expect(picture.thumbnailUrl?.length, name).toBeLessThanOrEqual(MEDIA_LIMITS.thumbnail.characters)
    }
  })

  test('uses each picture exactly once, for the purpose in the manifest', () => {
    const used = [
      ...DEMO_POSTS.flatMap(({ picture }) => (picture === undefined ? [] : [['post', picture]])),
      ...DEMO_STORIES.map(({ picture }) => ['story', picture]),
      ...DEMO_MEMBERS.map(({ avatar }) => ['avatar', avatar]),
    ]
    const listed = Object.entries(manifest).map(([name, { use }]) => [use, name])
    expect(used.map(String).sort()).toEqual(listed.map(String).sort())
  })

  test('has a distinct alt text for each picture, within the limit', () => {
    const alts = Object.values(manifest).map(({ alt }) => alt)
    for (const alt of alts) {
      expect(characters(alt), alt).toBeGreaterThan(15)
      expect(characters(alt), alt).toBeLessThanOrEqual(TEXT_LIMITS.altText)
    }
    expect(new Set(alts).size).toBe(alts.length)
  })
})

describe('the demo texts', () => {
  test('are within the limits for members', () => {
    for (const { username, fullName, bio, website = '' } of DEMO_MEMBERS) {
      expect(username).toMatch(USERNAME_PATTERN)
      expect(characters(fullName)).toBeLessThanOrEqual(TEXT_LIMITS.fullName)
      expect(characters(bio)).toBeLessThanOrEqual(TEXT_LIMITS.bio)
      expect(characters(website)).toBeLessThanOrEqual(TEXT_LIMITS.website)
    }
    for (const { content, location = '', comments = [] } of DEMO_POSTS) {
      expect(characters(content)).toBeLessThanOrEqual(TEXT_LIMITS.post)
      expect(characters(location)).toBeLessThanOrEqual(TEXT_LIMITS.location)
      for (const [, text] of comments) expect(characters(text)).toBeLessThanOrEqual(TEXT_LIMITS.comment)
    }
    for (const { content = '' } of DEMO_STORIES)
      expect(characters(content)).toBeLessThanOrEqual(TEXT_LIMITS.caption)
    for (const { text } of DEMO_CONVERSATIONS.flatMap(({ messages }) => messages))
      expect(characters(text)).toBeLessThanOrEqual(TEXT_LIMITS.message)
  })

  test('mention only members that exist', () => {
    const usernames = DEMO_MEMBERS.map(({ username }) => username)
    const texts = DEMO_POSTS.flatMap(({ content, comments = [] }) => [
      content,
      ...comments.map(([, text]) => text),
    ])
    const mentioned = texts.flatMap((text) =>
      [...text.matchAll(/@([a-z0-9._]*[a-z0-9_])/g)].map(([, name]) => name),
    )
    expect(mentioned.length).toBeGreaterThan(10)
    for (const name of mentioned) expect(usernames).toContain(name)
  })

  test('are all different', () => {
    const said = DEMO_POSTS.flatMap(({ content, comments = [] }) => [
      content,
      ...comments.map(([, text]) => text),
    ])
    expect(new Set(said).size).toBe(said.length)
  })
})
