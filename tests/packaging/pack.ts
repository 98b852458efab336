import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { extractAll } from '@electron/asar'
import { builderArguments } from '../../scripts/lib/dist.mjs'
import { toolPath } from '../../scripts/lib/tools.mjs'

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
  desktopEntry: { file: string; values: Record<string, string> }
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

/**
 * Packages the built app for Linux as `npm run dist -- --dir` does in this environment, around a runtime that is none
 * and so without any download.
 */
export async function pack(folder: string, env: NodeJS.ProcessEnv = {}): Promise<Packed> {
  const runtime = join(folder, 'runtime')
  await writeRuntime(runtime)
  await exec(
    process.execPath,
    [
      toolPath('electron-builder'),
      ...builderArguments({ platform: 'linux', env, dir: true }),
      '--x64',
      `-c.electronDist=${runtime}`,
      `-c.directories.output=${folder}`,
      `-c.afterPack=${join(import.meta.dirname, 'desktop-entry.cjs')}`,
    ],
    { cwd: root },
  )
  const resources = join(folder, 'linux-unpacked', 'resources')
  const contents = join(folder, 'contents')
  extractAll(join(resources, 'app.asar'), contents)
  const entry: { file: string; text: string } = JSON.parse(
    await readFile(join(folder, 'desktop-entry.json'), 'utf8'),
  )
  return {
    resources,
    contents,
    fuses: readFuses(await readFile(join(folder, 'linux-unpacked', 'vignette'), 'latin1')),
    desktopEntry: {
      file: entry.file,
      values: Object.fromEntries(
        [...entry.text.matchAll(/^(\w+)=(.*)$/gm)].map(([, key, value]) => [key, value]),
      ),
    },
  }
}
