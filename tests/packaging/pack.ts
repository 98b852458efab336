import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { extractAll } from '@electron/asar'
import { builderArguments } from '../../scripts/lib/dist.mjs'
import { packagedExecutable } from '../../scripts/lib/packaged-app.mjs'

const root = resolve(import.meta.dirname, '../..')
const exec = promisify(execFile)

/** Fuses are found in Electron's binary by this text; version 1, their number and a digit for each follow. */
const FUSE_SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
/** As Electron leaves them: some of each that the configuration must turn round. */
const FUSES_OF_ELECTRON = '101100011'
/** In the order of the wire. */
const FUSE_NAMES = [
  'runAsNode',
  'cookieEncryption',
  'nodeOptionsEnvironmentVariable',
  'nodeCliInspectArguments',
  'embeddedAsarIntegrityValidation',
  'onlyLoadAppFromAsar',
  'loadBrowserProcessSpecificV8Snapshot',
  'grantFileProtocolExtraPrivileges',
  'wasmTrapHandlers',
] as const

export interface Packed {
  /** What is installed beside the program. */
  resources: string
  /** app.asar, unpacked: far from the project, whose packages it could otherwise borrow. */
  contents: string
  fuses: Record<string, boolean>
}

/** What a .deb would hold besides the app, and what a Mac app would be signed with. */
export interface Recorded {
  resources: string
  deb: { desktopEntry: string; afterInstall: string; args: string[] }
  mac: { entitlements: string; hardenedRuntime: boolean; isAdHocAfterFuses: boolean; icon: string | null }
}

/** What electron-builder takes for Electron's runtime: its folders, and a program with fuses in it. */
async function writeRuntime(folder: string): Promise<void> {
  await mkdir(join(folder, 'resources'), { recursive: true })
  await mkdir(join(folder, 'locales'))
  await writeFile(join(folder, 'locales', 'en-US.pak'), '')
  await writeFile(join(folder, 'electron'), `${FUSE_SENTINEL}\x01\x09${FUSES_OF_ELECTRON}`)
}

function readFuses(program: string): Record<string, boolean> {
  const wire = program.slice(program.indexOf(FUSE_SENTINEL) + FUSE_SENTINEL.length + 2)
  return Object.fromEntries(FUSE_NAMES.map((name, at) => [name, wire[at] === '1']))
}

/** Runs `npm run dist` for Linux around a runtime that is none, and so without any download. */
async function dist(folder: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const runtime = join(folder, 'runtime')
  await writeRuntime(runtime)
  await exec(
    process.execPath,
    [
      join(root, 'scripts', 'dist.mjs'),
      '--platform=linux',
      `--output=${folder}`,
      `-c.electronDist=${runtime}`,
      ...args,
    ],
    { cwd: root, env: { ...process.env, ...env } },
  )
  return packagedExecutable(folder, { platform: 'linux' })
}

/** Packages the built app as `npm run dist -- --dir` does. */
export async function pack(folder: string): Promise<Packed> {
  const program = await dist(folder, ['--dir'], { VIGNETTE_UPDATES_URL: '' })
  const resources = join(dirname(program), 'resources')
  const contents = join(folder, 'contents')
  extractAll(join(resources, 'app.asar'), contents)
  return { resources, contents, fuses: readFuses(await readFile(program, 'latin1')) }
}

/** Goes as far as `npm run dist` comes with a .deb before fpm has to be downloaded, with the settings of a Mac app besides. */
export async function packDeb(folder: string, env: NodeJS.ProcessEnv): Promise<Recorded> {
  const forMac = builderArguments({ platform: 'darwin', env: {} }).filter((arg) => arg.startsWith('-c'))
  const args = [...forMac, '-c.linux.target=deb', `-c.afterPack=${join(import.meta.dirname, 'recorder.cjs')}`]
  const resources = join(dirname(await dist(folder, args, env)), 'resources')
  const read = async (name: string) => JSON.parse(await readFile(join(folder, name), 'utf8'))
  return { resources, deb: await read('deb.json'), mac: await read('mac.json') }
}
