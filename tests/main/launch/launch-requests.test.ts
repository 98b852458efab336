import { EventEmitter } from 'node:events'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type LaunchRequest, launchArguments, parseLaunchArguments } from '#/main/launch/launch-arguments'
import { collectLaunchRequests } from '#/main/launch/launch-requests'
import { createOpenedFiles } from '#/main/launch/opened-files'
import { recordingLog } from '../support/recording-log'

const MARA = { route: { page: 'profile', username: 'mara' } }

describe('DESK-05 launch arguments', () => {
  const read = (...args: string[]) => parseLaunchArguments(args, '/home/ana')

  test('parses a link between switches that Chromium inserted', () => {
    expect(read('--allow-file-access', 'vignette://profile/mara', '--original-process-start-time=1')).toEqual(
      MARA,
    )
  })

  test('resolves a photo path against the working directory', () => {
    expect(read('pictures/Sea.JPG')).toEqual({ photo: resolve('/home/ana', 'pictures/Sea.JPG') })
    expect(read('/photos/sea.webp')).toEqual({ photo: resolve('/photos/sea.webp') })
    expect(read('notes.txt', 'clips/Sea.MOV', 'sea.jpg')).toEqual({
      video: resolve('/home/ana', 'clips/Sea.MOV'),
    })
  })

  test('parses the file URL of a Linux file manager, but not of another host', () => {
    const path = resolve('/photos', 'Sea & sky é.jpg')
    expect(read(pathToFileURL(path).href)).toEqual({ photo: path })
    expect(read('file://evil.example/share/sea.jpg')).toBeNull()
    expect(read('file:///photos/%2e%2e%2fsea.jpg')).toBeNull()
    expect(read('file:///etc/passwd')).toBeNull()
    expect(read('file:')).toBeNull()
  })

  test('ignores an invalid link, also next to a photo', () => {
    expect(read('vignette://profile/../..', '/photos/sea.webp')).toBeNull()
  })

  test('AUTH-17 parses a link from a Supabase Auth email', () => {
    expect(read('vignette://auth#access_token=a.b.c&type=recovery')).toEqual({
      auth: 'access_token=a.b.c&type=recovery',
    })
    expect(read('vignette://auth/?error=access_denied#error_code=otp_expired')).toEqual({
      auth: 'error_code=otp_expired',
    })
    expect(read('vignette://auth')).toBeNull()
    expect(read(`vignette://auth#${'a'.repeat(8_000)}`)).toBeNull()
  })

  test('DESK-08 parses a link to a server', () => {
    const server = { url: 'https://example.supabase.co', publishableKey: 'sb_1' }
    expect(read('vignette://connect?url=https%3A%2F%2Fexample.supabase.co&key=sb_1')).toEqual({ server })
    expect(read('vignette://connect?url=http%3A%2F%2Fexample.com&key=sb_1')).toBeNull()
  })

  test('ignores everything else', () => {
    expect(read()).toBeNull()
    expect(read('--hidden', 'notes.txt', 'https://example.com/a.jpg?', 'program.exe')).toBeNull()
  })

  test('skips the program, and in development the project folder', () => {
    expect(launchArguments(['vignette', 'a.jpg'], true)).toEqual(['a.jpg'])
    expect(launchArguments(['electron', '.', 'a.jpg'], false)).toEqual(['a.jpg'])
  })
})

describe('DESK-05 launch requests from the system', () => {
  function collecting(argv: string[] = ['vignette']) {
    const app = Object.assign(new EventEmitter(), { isPackaged: true })
    const log = recordingLog()
    const launchRequests = collectLaunchRequests(
      app as unknown as Electron.App,
      { argv, workingDirectory: '/home/ana' },
      log,
    )
    let prevented = 0
    const ask = (event: 'open-url' | 'open-file', what: string) =>
      app.emit(event, { preventDefault: () => (prevented += 1) }, what)
    const got: LaunchRequest[] = []
    const onRequest = () => launchRequests.onRequest((request) => got.push(request))
    return { launchRequests, ask, got, onRequest, log, preventions: () => prevented }
  }

  test('queues requests until the app is ready, then handles them at once', () => {
    const { ask, got, onRequest, preventions } = collecting(['vignette', 'vignette://create'])
    ask('open-url', 'vignette://profile/mara')
    ask('open-file', '/photos/sea.jpg')
    ask('open-file', '/photos/sea.m2ts')
    expect(got).toEqual([])
    onRequest()
    expect(got).toEqual([
      { route: { page: 'create' } },
      MARA,
      { photo: '/photos/sea.jpg' },
      { video: '/photos/sea.m2ts' },
    ])
    ask('open-url', 'vignette://messages')
    expect(got.at(-1)).toEqual({ route: { page: 'messages' } })
    ask('open-url', 'vignette://auth#error_code=otp_expired')
    expect(got.at(-1)).toEqual({ auth: 'error_code=otp_expired' })
    expect(preventions()).toBe(5)
  })

  test('a second instance passes its arguments; without any it only shows the window', () => {
    const { launchRequests, got, onRequest } = collecting()
    onRequest()
    launchRequests.fromSecondInstance(['vignette'], '/')
    launchRequests.fromSecondInstance(['vignette', 'vignette://profile/mara'], '/')
    launchRequests.fromSecondInstance(['vignette', 'sea.png'], '/photos')
    expect(got).toEqual([null, MARA, { photo: resolve('/photos', 'sea.png') }])
  })

  test('a malicious link at most shows the window and is not quoted in the log', () => {
    const { ask, got, onRequest, log } = collecting()
    onRequest()
    ask('open-url', 'vignette://profile/x?next=javascript:alert(1)')
    ask('open-file', '/etc/passwd')
    ask('open-file', '/videos/sea.avi')
    expect(got).toEqual([null, null, null])
    expect(log.lines).toEqual(['warn link refused'])
  })
})

test('CREATE-07 opened photos start a post and are returned once, in order; of very many the last ten', async () => {
  const did: string[] = []
  const photo = createOpenedFiles({
    read: async (path) => ({ name: path, bytes: new Uint8Array([1]) }),
    openForm: () => did.push('composer'),
    changed: () => did.push('changed'),
  })
  const { take } = photo
  expect(await take()).toBeNull()
  photo.open('/photos/sea.jpg')
  photo.open('/photos/lake.jpg')
  expect(did).toEqual(['composer', 'changed', 'composer', 'changed'])
  expect(await take()).toMatchObject({ name: '/photos/sea.jpg' })
  expect(await take()).toMatchObject({ name: '/photos/lake.jpg' })
  expect(await take()).toBeNull()
  for (let n = 0; n < 12; n += 1) photo.open(`/photos/${n}.jpg`)
  expect(await take()).toMatchObject({ name: '/photos/2.jpg' })
})
