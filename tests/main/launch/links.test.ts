import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { entryProgram } from '#/main/installation/desktop-entry'
import { createLinks, type LinksParts } from '#/main/launch/links'
import { writeImageContent } from '../support/image-content'
import { recordingLog } from '../support/recording-log'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vignette-links-'))
  await writeImageContent(join(folder, 'mounted'))
  await writeFile(join(folder, 'My $5 100%.AppImage'), '')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const image = () => ({ path: join(folder, 'My $5 100%.AppImage'), content: join(folder, 'mounted') })
const entryPath = () => join(folder, 'data', 'applications', 'app.vignette.desktop')
const icons = () => join(folder, 'data', 'icons', 'hicolor')

function createTestLinks(given: Partial<LinksParts> = {}, { accepts = true, isPackaged = true } = {}) {
  const log = recordingLog()
  const asked: unknown[][] = []
  const ran: string[] = []
  const links = createLinks({
    app: {
      isPackaged,
      setAsDefaultProtocolClient: (...args) => {
        asked.push(args)
        return accepts
      },
    },
    platform: 'linux',
    program: { path: '/usr/bin/electron', project: '/project' },
    appImage: image(),
    dataHome: join(folder, 'data'),
    run: async (program, args) => {
      ran.push([program, ...args].join(' '))
      throw new Error(`spawn ${program} ENOENT`)
    },
    log,
    ...given,
  })
  return { links, log, asked, ran }
}

describe('DESK-05 links', () => {
  test('are registered once, in development with the project as argument', async () => {
    const packaged = createTestLinks({ platform: 'win32', appImage: null })
    expect(await packaged.links.register()).toBe(true)
    expect(await packaged.links.register()).toBe(true)
    expect(packaged.asked).toEqual([['vignette']])
    const development = createTestLinks({ appImage: null }, { isPackaged: false })
    await development.links.register()
    expect(development.asked).toEqual([['vignette', '/usr/bin/electron', ['/project']]])
    expect([packaged.log.lines, development.log.lines]).toEqual([[], []])
  })

  test('are off if the system does not register them', async () => {
    const { links, log, ran } = createTestLinks({ appImage: null }, { accepts: false })
    expect(await links.register()).toBe(false)
    expect(log.lines).toEqual(['warn the system did not register links'])
    expect(ran).toEqual([])
  })
})

describe('DESK-15 an AppImage', () => {
  test('installs its entry, which starts the AppImage, and its icons, then registers its links', async () => {
    const { links, ran, log } = createTestLinks({
      run: async (program, args) => {
        ran.push([program, ...args].join(' '))
        return ''
      },
    })
    expect(await links.register()).toBe(true)
    const entry = await readFile(entryPath(), 'utf8')
    expect(entryProgram(entry)).toBe(image().path)
    expect(entry).toContain(`TryExec=${image().path}\n`)
    expect(entry).toMatch(/^Exec=env ".*" %U$/m)
    expect(entry).toMatch(/^Exec=env ".*" vignette:\/\/create$/m)
    expect(entry).not.toMatch(/AppRun|\/opt\//)
    expect(entry).toContain('MimeType=image/jpeg;x-scheme-handler/vignette;\n')
    for (const size of ['16x16', '512x512'])
      expect(await readFile(join(icons(), size, 'apps', 'vignette.png'), 'utf8')).toBe(`the icon of ${size}`)
    expect(await readdir(join(folder, 'data', 'applications'))).toEqual(['app.vignette.desktop'])
    expect(ran).toEqual([`update-desktop-database ${join(folder, 'data')}/applications`])
    expect(log.lines).toEqual([])
  })

  test('writes nothing that is the same, and repairs what differs', async () => {
    await createTestLinks().links.register()
    const old = new Date(2020, 1)
    const icon = join(icons(), '16x16', 'apps', 'vignette.png')
    for (const path of [entryPath(), icon, icons()]) await utimes(path, old, old)
    const again = createTestLinks()
    await again.links.register()
    for (const path of [entryPath(), icon, icons()]) expect((await stat(path)).mtime).toEqual(old)
    expect(again.ran).toEqual([])

    // Moved, with a new icon: the theme's folder changes too, which tells desktops to look.
    await writeFile(join(folder, 'mounted', 'usr/share/icons/hicolor/16x16/apps/vignette.png'), 'new')
    const path = join(folder, 'Vignette.AppImage')
    await createTestLinks({ appImage: { ...image(), path } }).links.register()
    expect(entryProgram(await readFile(entryPath(), 'utf8'))).toBe(path)
    expect(await readFile(icon, 'utf8')).toBe('new')
    expect((await stat(icons())).mtime).not.toEqual(old)
  })

  test('registers with xdg-mime if Electron does not know the new entry yet', async () => {
    const answers: Record<string, string> = { query: 'app.vignette.desktop\n' }
    const ran: string[] = []
    const run: LinksParts['run'] = async (program, args) => {
      ran.push([program, ...args].join(' '))
      return answers[args[0] ?? ''] ?? ''
    }
    expect(await createTestLinks({ run }, { accepts: false }).links.register()).toBe(true)
    expect(ran.slice(1)).toEqual([
      'xdg-mime default app.vignette.desktop x-scheme-handler/vignette',
      'xdg-mime query default x-scheme-handler/vignette',
    ])
    answers.query = 'other.desktop\n'
    expect(await createTestLinks({ run }, { accepts: false }).links.register()).toBe(false)
    expect(await createTestLinks({}, { accepts: false }).links.register()).toBe(false)
  })

  test.each([
    ['folder that cannot be written', async () => writeFile(join(folder, 'data'), 'a file')],
    ['content without an entry', async () => rm(join(folder, 'mounted', 'app.vignette.desktop'))],
  ])('in a %s has no links, and says why', async (_, damage) => {
    await damage()
    const { links, log } = createTestLinks({}, { accepts: false })
    expect(await links.register()).toBe(false)
    expect(log.lines[0]).toMatch(/^warn the desktop entry was not installed: Error: E/)
    expect(log.lines[1]).toBe('warn the system did not register links')
  })

  test('leaves no half-written file', async () => {
    const applications = join(folder, 'data', 'applications')
    await mkdir(join(applications, 'app.vignette.desktop', 'in-the-way'), { recursive: true })
    expect(await createTestLinks({}, { accepts: false }).links.register()).toBe(false)
    expect(await readdir(applications)).toEqual(['app.vignette.desktop'])
  })

  test('that is gone leaves no entry to the installed app, whose own one it would hide', async () => {
    await createTestLinks().links.register()
    const installed = () => createTestLinks({ appImage: null }).links.register()
    await installed()
    expect(await readFile(entryPath(), 'utf8')).toContain('Vignette')
    await rm(image().path)
    await installed()
    await expect(stat(entryPath())).rejects.toThrow('ENOENT')
    // An entry of the member's own.
    await writeFile(entryPath(), '[Desktop Entry]\nExec=/missing/vignette\n')
    await chmod(entryPath(), 0o600)
    await installed()
    expect((await stat(entryPath())).mode & 0o777).toBe(0o600)
  })
})
