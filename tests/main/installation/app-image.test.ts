import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { takeAppImage } from '#/main/installation/app-image'

let folder: string
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'vignette-image-')))
  await mkdir(join(folder, 'mounted'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('DESK-15 the AppImage of the app', () => {
  const APPIMAGE = '/home/ana/Vignette.AppImage'

  test('is the one whose content has the running program, also through a link', async () => {
    const content = join(folder, 'mounted')
    const env: NodeJS.ProcessEnv = { APPIMAGE, APPDIR: content }
    expect(takeAppImage(env, join(content, 'vignette'))).toEqual({ path: APPIMAGE, content })
    const link = join(folder, 'link')
    await symlink(content, link)
    expect(takeAppImage({ APPIMAGE, APPDIR: link }, join(content, 'vignette'))?.path).toBe(APPIMAGE)
    expect(env).toEqual({ APPIMAGE, APPDIR: content })
  })

  test.each([
    ['the folder beside it', 'mounted', 'mounted-too/vignette'],
    ['another folder', 'mounted', 'opt/vignette'],
    ['the content of an AppImage that has ended', 'unmounted', 'unmounted/vignette'],
  ])('is not another app’s, inherited by a program in %s; nothing later reads it', (_, content, program) => {
    const env: NodeJS.ProcessEnv = { APPIMAGE, APPDIR: join(folder, content), HOME: '/home/ana' }
    expect(takeAppImage(env, join(folder, program))).toBeNull()
    expect(env).toEqual({ HOME: '/home/ana' })
  })

  test('does not exist for a program that no AppImage started', () => {
    expect(takeAppImage({}, '/opt/Vignette/vignette')).toBeNull()
    expect(takeAppImage({ APPDIR: folder }, join(folder, 'vignette'))).toBeNull()
  })
})
