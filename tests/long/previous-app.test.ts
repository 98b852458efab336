import { cp, readFile, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { scratchFolder } from '#tests/backend/support/backend'
import { buildBackend } from '#tests/backend/support/processes'
import { ROOT } from '../../scripts/lib/paths.mjs'
import { run } from '../../scripts/lib/process.mjs'

beforeAll(buildBackend)

/** The commit of the version before this one, as docs/upgrading.md names it. */
async function previousCommit(): Promise<string> {
  const text = await readFile(join(ROOT, 'docs/upgrading.md'), 'utf8')
  const [, commit] = /The version before this one is commit `([\da-f]{40})`/.exec(text) ?? []
  if (commit === undefined) throw new Error('docs/upgrading.md does not name the version before this one.')
  return commit
}

/** Runs a program; throws with its output if it fails. */
async function runIn(cwd: string, command: string, args: string[]): Promise<string> {
  const { ok, output } = await run(command, args, { cwd, quiet: true })
  if (!ok) throw new Error(`${command} ${args.join(' ')} failed:\n${output.slice(-4_000)}`)
  return output
}

test('the app of the version before passes its own tests with the server and schema of this one', async () => {
  const commit = await previousCommit()
  const folder = await scratchFolder()
  const archive = join(folder, 'source.tar')
  await runIn(ROOT, 'git', ['cat-file', '-e', `${commit}^{commit}`]).catch(() => {
    throw new Error(`This clone does not have the version before: run \`git fetch origin ${commit}\`.`)
  })
  await runIn(ROOT, 'git', ['archive', `--output=${archive}`, commit])
  await runIn(folder, 'tar', ['-xf', archive])
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction')
  await runIn(folder, process.execPath, ['scripts/build.mjs'])

  await rm(join(folder, 'out/backend'), { recursive: true })
  await cp(join(ROOT, 'out/backend'), join(folder, 'out/backend'), { recursive: true })
  const cli = join(ROOT, 'node_modules/@playwright/test/cli.js')
  const output = await runIn(folder, process.execPath, [cli, 'test', '--project=browser', '--grep=@smoke'])
  expect(Number(/(\d+) passed/.exec(output)?.[1])).toBeGreaterThanOrEqual(15)
})
