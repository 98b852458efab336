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

/** Width and height as a WebP file's own header says (lossy or extended format). */
function webpSize(bytes: Buffer): [number, number] {
  const kind = bytes.toString('latin1', 12, 16)
  if (kind === 'VP8 ') return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff]
  if (kind === 'VP8X') return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1]
  throw new Error(`Not a WebP picture that npm run demo writes: ${kind}`)
}

describe('resources/demo', () => {
  test('holds the files of its manifest and nothing else, 7 MB at most', async () => {
    const named = Object.values(manifest).flatMap(({ file, thumbnail }) => [file, thumbnail ?? []].flat())
    const files = (await readdir(folder)).filter((file) => file !== 'manifest.json')
    expect(files.sort()).toEqual(named.sort())
    const sizes = await Promise.all(files.map(async (file) => (await stat(join(folder, file))).size))
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(7 * 1024 * 1024)
  })

  test('has pictures of the size that the manifest says, within the limits of what members may store', async () => {
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

  test('has films of the size and length that the manifest says, 4 to 8 seconds and 400 KB at most, with sound', async () => {
    const films = [...(await loadDemoPictures(folder))].filter(([, { durationMs }]) => durationMs !== null)
    expect(films.length).toBeGreaterThan(0)
    for (const [name, { dataUrl, width, height, durationMs }] of films) {
      expect(manifest[name]?.use).toBe('story')
      expect(dataUrl.startsWith('data:video/webm;base64,'), name).toBe(true)
      const bytes = Buffer.from(dataUrl.split(',')[1] ?? '', 'base64')
      expect(bytes.length, name).toBeLessThanOrEqual(400_000)
      const input = new Input({ source: new BufferSource(bytes), formats: [WEBM] })
      const [video, sound] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()]
      expect([video?.codec, video?.codedWidth, video?.codedHeight], name).toEqual(['vp9', width, height])
      expect(sound?.codec, name).toBe('opus')
      // The last packet of sound reaches a little further.
      expect(((await input.computeDuration()) * 1_000 - (durationMs ?? 0)) / 1_000, name).toBeCloseTo(0, 1)
      expect(durationMs, name).toBeGreaterThanOrEqual(4_000)
      expect(durationMs, name).toBeLessThanOrEqual(8_000)
    }
  })

  test('has a thumbnail for each post and story, within its limits and of the same shape', async () => {
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

  test('is used up: each picture once, for what it was drawn', () => {
    const used = [
      ...DEMO_POSTS.flatMap(({ picture }) => (picture === undefined ? [] : [['post', picture]])),
      ...DEMO_STORIES.map(({ picture }) => ['story', picture]),
      ...DEMO_MEMBERS.map(({ avatar }) => ['avatar', avatar]),
    ]
    const drawn = Object.entries(manifest).map(([name, { use }]) => [use, name])
    expect(used.map(String).sort()).toEqual(drawn.map(String).sort())
  })

  test('is described in words of its own', () => {
    const alts = Object.values(manifest).map(({ alt }) => alt)
    for (const alt of alts) {
      expect(characters(alt), alt).toBeGreaterThan(15)
      expect(characters(alt), alt).toBeLessThanOrEqual(TEXT_LIMITS.altText)
    }
    expect(new Set(alts).size).toBe(alts.length)
  })
})

describe('the words', () => {
  test('are within the limits members have', () => {
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

  test('say nothing twice', () => {
    const said = DEMO_POSTS.flatMap(({ content, comments = [] }) => [
      content,
      ...comments.map(([, text]) => text),
    ])
    expect(new Set(said).size).toBe(said.length)
  })
})
