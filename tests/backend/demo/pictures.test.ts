import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { BufferSource, Input, MP4, WEBM } from 'mediabunny'
import { thumbHashToApproximateAspectRatio, thumbHashToRGBA } from 'thumbhash'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  commentsOf,
  DEMO_CONVERSATIONS,
  DEMO_MEMBERS,
  DEMO_POSTS,
  DEMO_STORIES,
} from '#/backend/demo/community'
import { type DemoManifest, readDemoManifest } from '#/backend/demo/pictures'
import { demoAssetsFolder } from '#/backend/start/paths'
import { fullSize, pictureSizes } from '#/renderer/lib/media/picture/picture-sizes'
import { STORED_PICTURE, TEXT_LIMITS, USERNAME_PATTERN } from '#/shared/limits'
import { readDimensions } from '#/shared/media-formats'
import { isPlayedEverywhere } from '#/shared/played-codecs'

const folder = demoAssetsFolder()
let manifest: DemoManifest

beforeAll(async () => {
  manifest = await readDemoManifest(folder)
})

const characters = (text: string) => [...text].length

const read = (file: string) => readFile(join(folder, file))

const pixels = async (file: string) => readDimensions(await read(file), 'webp')

describe('resources/demo', () => {
  test('holds exactly the files of its manifest, at most 14 MB of them, and their source', async () => {
    const named = Object.values(manifest).flatMap((picture) => [
      picture.file,
      ...(picture.use === 'avatar'
        ? []
        : [picture.grid, picture.feed ?? picture.file, picture.middle ?? picture.file]),
    ])
    const entries = await readdir(folder)
    const files = entries.filter((entry) => entry !== 'manifest.json' && entry !== 'source')
    expect(files.sort()).toEqual([...new Set(named)].sort())
    const sizes = await Promise.all(files.map(async (file) => (await stat(join(folder, file))).size))
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(14 * 1024 * 1024)
  })

  test('has pictures of the size in the manifest, within the upload limits of members', async () => {
    for (const [name, picture] of Object.entries(manifest)) {
      if (picture.use !== 'avatar' && picture.durationMs !== undefined) continue
      const { file, width, height } = picture
      const bytes = await read(file)
      expect(readDimensions(bytes, 'webp'), name).toEqual({ width, height })
      if (picture.use === 'avatar') {
        expect([width, height], name).toEqual([STORED_PICTURE.avatarSide, STORED_PICTURE.avatarSide])
      } else {
        expect(fullSize({ width, height }), name).toEqual({ width, height })
        expect(bytes.length, name).toBeLessThanOrEqual(STORED_PICTURE.fullBytes)
      }
    }
  })

  test('has posts of at least 2,048 px, one a panorama', () => {
    const posts = Object.values(manifest).filter(
      (picture) => picture.use === 'post' && picture.durationMs === undefined,
    )
    for (const { file, width, height } of posts)
      expect(Math.max(width, height), file).toBeGreaterThanOrEqual(STORED_PICTURE.middleSide)
    expect(posts.filter(({ width, height }) => width > 3 * height)).toHaveLength(1)
  })

  test('has videos with sound, of the size and duration in the manifest, 4 to 8 seconds long and at most 400 KB', async () => {
    const videos = Object.entries(manifest).flatMap(([name, picture]) =>
      picture.use === 'avatar' || picture.durationMs === undefined
        ? []
        : [{ name, ...picture, durationMs: picture.durationMs }],
    )
    expect(videos.map(({ use }) => use)).toEqual(['post', 'story'])
    for (const { name, use, file, width, height, durationMs } of videos) {
      const bytes = await read(file)
      expect(bytes.length, name).toBeLessThanOrEqual(400_000)
      const input = new Input({ source: new BufferSource(bytes), formats: [use === 'post' ? MP4 : WEBM] })
      const [video, sound] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()]
      expect([video?.codec, video?.codedWidth, video?.codedHeight], name).toEqual(['vp9', width, height])
      expect(isPlayedEverywhere((await video?.getCodecParameterString()) ?? null), name).toBe(true)
      expect(sound?.codec, name).toBe('opus')
      // The last audio packet may extend past the video.
      expect(((await input.computeDuration()) * 1_000 - durationMs) / 1_000, name).toBeCloseTo(0, 1)
      expect(durationMs, name).toBeGreaterThanOrEqual(4_000)
      expect(durationMs, name).toBeLessThanOrEqual(8_000)
    }
  })

  test('has the smaller sizes and a ThumbHash of each post and story, as the app creates them', async () => {
    for (const [name, picture] of Object.entries(manifest)) {
      if (picture.use === 'avatar') continue
      const { grid, feed, middle, width, height, thumbhash, durationMs } = picture
      const file = durationMs === undefined ? picture.file : grid
      const sizes = pictureSizes({ width, height })
      expect(await pixels(grid), name).toEqual(sizes.grid)
      if (picture.use === 'post') expect(await pixels(feed ?? file), name).toEqual(sizes.feed)
      if (picture.use === 'post') expect(await pixels(middle ?? file), name).toEqual(sizes.middle)
      const hash = Buffer.from(thumbhash, 'base64')
      expect(hash.toString('base64'), name).toBe(thumbhash)
      expect(thumbHashToApproximateAspectRatio(hash) / (width / height), name).toBeCloseTo(1, 0)
      expect(thumbHashToRGBA(hash).rgba.length, name).toBeGreaterThan(1_000)
    }
    const hashes = Object.values(manifest).flatMap((picture) =>
      picture.use === 'avatar' ? [] : [picture.thumbhash],
    )
    expect(new Set(hashes).size).toBe(hashes.length)
  })

  test('uses each picture once for the purpose in the manifest; further photos of a post repeat their author’s', () => {
    const used = [
      ...DEMO_POSTS.flatMap(({ picture }) => (picture === undefined ? [] : [['post', picture]])),
      ...DEMO_STORIES.map(({ picture }) => ['story', picture]),
      ...DEMO_MEMBERS.map(({ avatar }) => ['avatar', avatar]),
    ]
    const listed = Object.entries(manifest).map(([name, { use }]) => [use, name])
    expect(used.map(String).sort()).toEqual(listed.map(String).sort())
    const pictures = [...DEMO_POSTS, ...DEMO_STORIES]
    for (const { author, morePictures = [] } of DEMO_POSTS) {
      const own = pictures.filter((each) => each.author === author).map(({ picture }) => picture)
      expect(own).toEqual(expect.arrayContaining([...morePictures]))
    }
    expect(DEMO_POSTS.filter(({ morePictures = [] }) => morePictures.length > 0)).toHaveLength(3)
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
  const textsOfPosts = () =>
    DEMO_POSTS.flatMap((post) => [post.content, ...commentsOf(post).map(({ text }) => text)])

  test('are within the limits for members', () => {
    for (const { username, fullName, bio, website = '' } of DEMO_MEMBERS) {
      expect(username).toMatch(USERNAME_PATTERN)
      expect(characters(fullName)).toBeLessThanOrEqual(TEXT_LIMITS.fullName)
      expect(characters(bio)).toBeLessThanOrEqual(TEXT_LIMITS.bio)
      expect(characters(website)).toBeLessThanOrEqual(TEXT_LIMITS.website)
    }
    for (const post of DEMO_POSTS) {
      const { content, location = '' } = post
      expect(characters(content)).toBeLessThanOrEqual(TEXT_LIMITS.post)
      expect(characters(location)).toBeLessThanOrEqual(TEXT_LIMITS.location)
      for (const { text } of commentsOf(post))
        expect(characters(text)).toBeLessThanOrEqual(TEXT_LIMITS.comment)
    }
    for (const { content = '' } of DEMO_STORIES)
      expect(characters(content)).toBeLessThanOrEqual(TEXT_LIMITS.caption)
    for (const { text } of DEMO_CONVERSATIONS.flatMap(({ messages }) => messages))
      expect(characters(text)).toBeLessThanOrEqual(TEXT_LIMITS.message)
  })

  test('mention only members that exist', () => {
    const usernames = DEMO_MEMBERS.map(({ username }) => username)
    const texts = textsOfPosts()
    const mentioned = texts.flatMap((text) =>
      [...text.matchAll(/@([a-z0-9._]*[a-z0-9_])/g)].map(([, name]) => name),
    )
    expect(mentioned.length).toBeGreaterThan(10)
    for (const name of mentioned) expect(usernames).toContain(name)
  })

  test('are all different', () => {
    const said = textsOfPosts()
    expect(new Set(said).size).toBe(said.length)
  })
})
