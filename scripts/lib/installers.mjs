// @ts-check
import { existsSync } from 'node:fs'
import { join, win32 } from 'node:path'

/**
 * How an installer is tried. Commands are a program and its arguments.
 * @typedef {object} Installer
 * @property {string} file
 * @property {string[][]} install
 * @property {string} program what it installs
 * @property {{ command: string[], output: string }} [link] says which program opens `vignette:` links
 * @property {string[][]} [remove] without it, the program is in the scratch folder
 *
 * @typedef {object} Place
 * @property {NodeJS.Platform} platform
 * @property {string} arch
 * @property {string} scratch an empty folder, whose path has no spaces: NSIS takes no quotes around one
 * @property {boolean} [isRoot]
 */

/** The packages of electron-builder.yml, in the order of the try: an AppImage may register links for the member. */
/** @type {Partial<Record<NodeJS.Platform, string[]>>} */
const KINDS = { linux: ['deb', 'AppImage'], darwin: ['dmg', 'zip'], win32: ['exe'] }

/**
 * The path of each kind of installer that `npm run dist` makes for this system and processor. Throws if one is missing or
 * there are several.
 * @param {string} folder
 * @param {string[]} names of its files
 * @param {Pick<Place, 'platform' | 'arch'>} system
 */
export function findInstallers(folder, names, { platform, arch }) {
  const ofProcessor = names.filter((name) => platform !== 'darwin' || name.includes(`-${arch}.`))
  return (KINDS[platform] ?? []).map((kind) => {
    const [file, ...others] = ofProcessor.filter((name) => name.endsWith(`.${kind}`))
    if (file === undefined) {
      const why = kind === 'deb' ? ': set VIGNETTE_MAINTAINER and VIGNETTE_HOMEPAGE' : ''
      throw new Error(`There is no .${kind} in ${folder}${why}.`)
    }
    if (others.length > 0) throw new Error(`There are several .${kind} in ${folder}: remove the old ones.`)
    return join(folder, file)
  })
}

/**
 * @param {string} file
 * @param {Place} place
 * @returns {Installer}
 */
export function installerOf(file, { platform, scratch, isRoot = false }) {
  const asRoot = isRoot ? [] : ['sudo']
  if (platform === 'win32') {
    const folder = win32.join(scratch, 'installed')
    const program = win32.join(folder, 'Vignette.exe')
    return {
      file,
      // For NSIS, /D and _? come last.
      install: [[file, '/S', '/currentuser', `/D=${folder}`]],
      program,
      link: {
        command: ['reg', 'query', 'HKCU\\Software\\Classes\\vignette\\shell\\open\\command', '/ve'],
        output: program,
      },
      // With _? it does not return before it is done.
      remove: [[win32.join(folder, 'Uninstall Vignette.exe'), '/S', '/currentuser', `_?=${folder}`]],
    }
  }
  if (file.endsWith('.deb')) {
    return {
      file,
      install: [[...asRoot, 'apt-get', 'install', '--yes', file]],
      program: '/opt/Vignette/vignette',
      link: {
        command: ['xdg-mime', 'query', 'default', 'x-scheme-handler/vignette'],
        output: 'app.vignette.desktop',
      },
      remove: [[...asRoot, 'apt-get', 'remove', '--yes', 'vignette']],
    }
  }
  if (file.endsWith('.AppImage')) {
    return {
      file,
      install: [
        ['chmod', '+x', file],
        [file, '--appimage-extract'],
      ],
      program: join(scratch, 'squashfs-root', 'AppRun'),
    }
  }
  const installed = file.endsWith('.dmg') ? '/Applications/Vignette.app' : join(scratch, 'Vignette.app')
  const volume = join(scratch, 'volume')
  return {
    file,
    install: [
      ...(file.endsWith('.dmg')
        ? [
            ['hdiutil', 'attach', '-nobrowse', '-readonly', '-mountpoint', volume, file],
            ['ditto', join(volume, 'Vignette.app'), installed],
            ['hdiutil', 'detach', volume],
          ]
        : [['ditto', '-x', '-k', file, scratch]]),
      ['codesign', '--verify', '--deep', '--strict', installed],
    ],
    program: join(installed, 'Contents/MacOS/Vignette'),
    link: {
      command: [
        'plutil',
        '-extract',
        'CFBundleURLTypes.0.CFBundleURLSchemes.0',
        'raw',
        join(installed, 'Contents/Info.plist'),
      ],
      output: 'vignette',
    },
    ...(file.endsWith('.dmg') && { remove: [['rm', '-rf', installed]] }),
  }
}

/**
 * @typedef {object} Tools
 * @property {(command: string[]) => Promise<{ ok: boolean, output: string }>} run
 * @property {(program: string) => Promise<{ problem: string | null, output: string }>} tryProgram
 */

/**
 * Installs, starts and removes the app. Returns what does not work, or null.
 * @param {Installer} installer
 * @param {Tools} tools
 * @returns {Promise<string | null>}
 */
export async function tryInstaller({ install, program, link, remove }, { run, tryProgram }) {
  /** @param {string[][]} commands */
  const runAll = async (commands) => {
    for (const command of commands) {
      const { ok, output } = await run(command)
      if (!ok) return `${command.join(' ')} failed:\n${output}`
    }
    return null
  }
  const opensLinks = async () => {
    if (link === undefined) return false
    const { ok, output } = await run(link.command)
    return ok && output.includes(link.output)
  }

  if (existsSync(program)) return `${program} is installed already; remove it first.`
  const failure = await runAll(install)
  if (failure !== null) return failure
  const { problem, output } = await tryProgram(program)
  if (problem !== null) return `${output}\n${problem}`
  if (link !== undefined && !(await opensLinks())) return 'Links do not open the app.'
  if (remove === undefined) return null
  const remains = await runAll(remove)
  if (remains !== null) return remains
  if (existsSync(program)) return `${program} remains after the removal.`
  return (await opensLinks()) ? 'Links still open the removed app.' : null
}
