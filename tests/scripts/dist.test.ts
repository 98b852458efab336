import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { builderArguments, packagingWarnings, updateFeed, withoutHevc } from '../../scripts/lib/dist.mjs'

const feed = 'https://updates.example.com/'

describe('CREATE-11 packages without a decoder of HEVC', () => {
  const config = readFileSync(join(import.meta.dirname, '../../electron-builder.yml'), 'utf8')

  test('contain no libheif, and open no HEIC', () => {
    const changed = withoutHevc(config)
    expect(config).toContain('from: out/libheif')
    expect(changed).not.toMatch(/from: out\/libheif|\bheic\b|\bheif\b|\bhif\b/)
    const removed = config.split('\n').filter((line) => !changed.split('\n').includes(line))
    expect(removed.map((line) => line.trim())).toEqual([
      'extraResources:',
      '- from: out/libheif',
      'to: libheif',
      'heic,',
      'heif,',
      'hif,',
      '- image/heic',
      '- image/heif',
    ])
  })

  test('are not made from a configuration in another form', () => {
    expect(() => withoutHevc('ext: [jpg, heic]')).toThrow('still names HEIC')
  })
})

describe('the arguments of electron-builder', () => {
  test('target the current platform, publish nothing and set no feed by default', () => {
    expect(builderArguments({ platform: 'win32', env: {} })).toEqual(['--win', '--publish=never'])
    expect(builderArguments({ platform: 'darwin', env: {} })).toEqual([
      '--mac',
      '--publish=never',
      '-c.electronFuses.resetAdHocDarwinSignature=true',
    ])
    expect(builderArguments({ platform: 'linux', env: {}, dir: true })).toEqual([
      '--linux',
      '--dir',
      '--publish=never',
    ])
    // A .deb needs a maintainer.
    expect(
      builderArguments({ platform: 'linux', env: { VIGNETTE_HOMEPAGE: 'https://example.com' } }),
    ).toEqual(['--linux', 'AppImage', '--publish=never', '-c.extraMetadata.homepage=https://example.com'])
    expect(() => builderArguments({ platform: 'freebsd', env: {} })).toThrow('no installers for freebsd')
  })

  test('take the feed, homepage and maintainer from the environment', () => {
    const env = {
      VIGNETTE_UPDATES_URL: feed,
      VIGNETTE_HOMEPAGE: 'https://example.com',
      VIGNETTE_MAINTAINER: 'Ada <ada@example.com>',
    }
    expect(builderArguments({ platform: 'linux', env })).toEqual([
      '--linux',
      '--publish=never',
      '-c.publish.provider=generic',
      `-c.publish.url=${feed}`,
      '-c.extraMetadata.homepage=https://example.com',
      '-c.linux.maintainer=Ada <ada@example.com>',
    ])
  })
})

test.each([
  'http://updates.example.com',
  'file:///updates',
  'updates.example.com',
  'https://ada:secret@example.com',
])('rejects the insecure update feed %s', (address) => {
  expect(() => updateFeed({ VIGNETTE_UPDATES_URL: address })).toThrow('must be an https address')
})

describe('warns about what the packages lack', () => {
  test.each([
    ['win32', {}, [/^Updates are off/]],
    ['darwin', { VIGNETTE_UPDATES_URL: feed }, []],
    ['linux', { VIGNETTE_UPDATES_URL: feed }, [/^No \.deb is built/]],
    ['linux', { VIGNETTE_UPDATES_URL: feed, VIGNETTE_MAINTAINER: 'a', VIGNETTE_HOMEPAGE: 'b' }, []],
  ] as const)('on %s with %o', (platform, env, warnings) => {
    expect(packagingWarnings(platform, env)).toEqual(warnings.map((text) => expect.stringMatching(text)))
  })
})
