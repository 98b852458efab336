import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { toolPath } from '../../scripts/lib/tools.mjs'

const ROOT = resolve(import.meta.dirname, '../..')

const BROWSER = 'document.title'
const NODE = "Buffer.from('')"
const BOTH = "new URL('https://vignette.example').href"

test.each([
  { project: 'src/renderer', missing: [NODE, 'process.pid'] },
  { project: 'src/main', missing: [BROWSER, 'window.name', 'localStorage.length'] },
])(
  'names that $project and src/shared do not have at run time do not compile',
  async ({ project, missing }) => {
    const root = await mkdtemp(join(tmpdir(), 'vignette-types-'))
    try {
      await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'), 'junction')
      for (const file of ['tsconfig.json', `${project}/tsconfig.json`])
        await cp(join(ROOT, file), join(root, file))
      for (const folder of [project, 'src/shared']) {
        await mkdir(join(root, folder), { recursive: true })
        await writeFile(
          join(root, folder, 'planted.ts'),
          [BOTH, ...missing].map((expression, at) => `export const value${at} = ${expression}\n`).join(''),
        )
      }
      const { stdout } = await promisify(execFile)(process.execPath, [
        toolPath('typescript', 'tsc'),
        '-p',
        join(root, project),
      ]).catch((error: { stdout: string }) => error)
      const refused = [...stdout.matchAll(/src\/(\w+)\/planted\.ts\((\d+),/g)].map(([, folder, line]) => [
        folder,
        line,
      ])
      const lines = missing.map((_, at) => String(at + 2))
      const folders = [project.slice('src/'.length), 'shared']
      expect(refused.sort()).toEqual(folders.flatMap((folder) => lines.map((line) => [folder, line])).sort())
    } finally {
      await rm(root, { recursive: true, force: true })
    }
  },
)
