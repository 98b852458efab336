import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { APP_ID } from '#/main/installation/app-identity'
import { LINK_SCHEME } from '#/shared/routes'
import { words } from '#tests/words'
import { findInstallers, installerOf, tryInstaller } from '../../scripts/lib/installers.mjs'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vignette-installers-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('the installers of a system', () => {
  const made = words(`
    Vignette-0.1.0-linux-amd64.deb Vignette-0.1.0-linux-x86_64.AppImage Vignette-0.1.0-mac-arm64.dmg
    Vignette-0.1.0-mac-arm64.dmg.blockmap Vignette-0.1.0-mac-arm64.zip Vignette-0.1.0-mac-x64.dmg
    Vignette-0.1.0-mac-x64.zip Vignette-0.1.0-setup.exe latest.yml
  `)

  test.each([
    ['linux', 'x64', ['Vignette-0.1.0-linux-amd64.deb', 'Vignette-0.1.0-linux-x86_64.AppImage']],
    ['darwin', 'arm64', ['Vignette-0.1.0-mac-arm64.dmg', 'Vignette-0.1.0-mac-arm64.zip']],
    ['win32', 'x64', ['Vignette-0.1.0-setup.exe']],
  ] as const)('on %s %s are all tried', (platform, arch, names) => {
    expect(findInstallers('release', made, { platform, arch })).toEqual(
      names.map((name) => join('release', name)),
    )
  })

  test('must all be there, once', () => {
    const linux = { platform: 'linux', arch: 'x64' } as const
    expect(() => findInstallers('release', ['a.AppImage'], linux)).toThrow(
      'There is no .deb in release: set VIGNETTE_MAINTAINER and VIGNETTE_HOMEPAGE.',
    )
    expect(() => findInstallers('release', ['a.deb', 'b.deb'], linux)).toThrow('There are several .deb')
  })
})

describe('how an installer is tried', () => {
  const scratch = 'C:\\temp\\x'

  test('nsis installs silently for the member, into a folder without quotes, and removes its links', () => {
    const { install, link, remove } = installerOf('setup.exe', { platform: 'win32', arch: 'x64', scratch })
    expect(install).toEqual([['setup.exe', '/S', '/currentuser', '/D=C:\\temp\\x\\installed']])
    expect(link?.command.join(' ')).toContain(`Classes\\${LINK_SCHEME}\\shell\\open\\command`)
    expect(remove?.at(0)?.at(-1)).toBe('_?=C:\\temp\\x\\installed')
  })

  test('a .deb registers the app for links', () => {
    const { install, link, program } = installerOf('/r/a.deb', { platform: 'linux', arch: 'x64', scratch })
    expect(install).toEqual([['sudo', 'apt-get', 'install', '--yes', '/r/a.deb']])
    expect(link).toEqual({
      command: ['xdg-mime', 'query', 'default', `x-scheme-handler/${LINK_SCHEME}`],
      output: `${APP_ID}.desktop`,
    })
    expect(program).toBe('/opt/Vignette/vignette')
  })

  test('a dmg is copied to the applications, and its signature checked', () => {
    const { install } = installerOf('/r/a.dmg', { platform: 'darwin', arch: 'arm64', scratch: '/s' })
    expect(install.map(([program, action]) => `${program} ${action}`)).toEqual([
      'hdiutil attach',
      'ditto /s/volume/Vignette.app',
      'hdiutil detach',
      'codesign --verify',
    ])
  })
})

describe('trying an installer', () => {
  const works = async () => ({ problem: null, output: '' })

  /** An installer whose commands write, print and delete files, as `run` below does. */
  const fake = () => {
    const program = join(folder, 'program')
    return {
      file: 'a.deb',
      install: [['write', program]],
      program,
      link: { command: ['read', program], output: 'installed' },
      remove: [['delete', program]],
    }
  }
  const run = async ([action, path = '']: string[]) => {
    if (action === 'write') await writeFile(path, '')
    if (action === 'delete') await rm(path)
    const ok = action !== 'fail' && (action !== 'read' || existsSync(path))
    return { ok, output: ok ? 'installed' : 'no' }
  }

  test('installs, starts and removes the app', async () => {
    const { program, ...installer } = fake()
    const started: string[] = []
    const tryProgram = async (path: string) => {
      expect(existsSync(path)).toBe(true)
      started.push(path)
      return works()
    }
    expect(await tryInstaller({ ...installer, program }, { run, tryProgram })).toBeNull()
    expect(started).toEqual([program])
    expect(existsSync(program)).toBe(false)
  })

  test.each([
    ['an installation that fails', { install: [['fail', 'now']] }, 'fail now failed:\nno'],
    [
      'links that open nothing',
      { link: { command: ['read', '/nowhere'], output: 'x' } },
      'Links do not open the app.',
    ],
    ['a program that remains', { remove: [] }, /program remains after the removal\.$/],
    [
      'links that remain',
      { link: { command: ['say'], output: 'installed' } },
      'Links still open the removed app.',
    ],
  ])('finds %s', async (_, change, problem) => {
    const found = await tryInstaller({ ...fake(), ...change }, { run, tryProgram: works })
    expect(found).toEqual(typeof problem === 'string' ? problem : expect.stringMatching(problem))
  })

  test('finds a program that does not work, with its output', async () => {
    const tryProgram = async () => ({ problem: 'It exited.', output: 'FATAL' })
    expect(await tryInstaller(fake(), { run, tryProgram })).toBe('FATAL\nIt exited.')
  })

  test('leaves an installed copy alone', async () => {
    const installer = fake()
    await writeFile(installer.program, '')
    expect(await tryInstaller(installer, { run, tryProgram: works })).toMatch(/is installed already/)
    expect(existsSync(installer.program)).toBe(true)
  })
})
