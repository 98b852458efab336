import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const folder = '.github/workflows'
const names = await readdir(folder)

test('there are a check and a release', () => {
  expect(names.sort()).toEqual(['check.yml', 'release.yml'])
})

describe.each(names)('the workflow %s', async (name) => {
  const text = await readFile(join(folder, name), 'utf8')
  const jobs = text.slice(text.indexOf('\njobs:')).match(/^ {2}\w[\w-]*:$/gm) ?? []

  test('pins every action to a commit', () => {
    const uses = [...text.matchAll(/uses: (.+)$/gm)].map(([, action]) => action)
    expect(uses.length).toBeGreaterThan(0)
    for (const action of uses) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })

  test('may only read, but for the job that drafts a release', () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read\n$/m)
    const written = [...text.matchAll(/^ +([\w-]+): write$/gm)].map(([, scope]) => scope)
    expect(written).toEqual(name === 'release.yml' ? ['contents'] : [])
    expect(text.match(/persist-credentials: false/g)).toHaveLength(
      text.match(/actions\/checkout@/g)?.length ?? 0,
    )
  })

  test('ends every job that hangs', () => {
    expect(jobs.length).toBeGreaterThan(0)
    expect(text.match(/^ {4}timeout-minutes: \d+$/gm)).toHaveLength(jobs.length)
  })

  test('puts nothing from outside into a shell command', () => {
    expect(text).not.toMatch(/run: .*\$\{\{/)
    expect(text).not.toContain('pull_request_target')
  })

  test('runs only commands that there are', async () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(
      await readFile('package.json', 'utf8'),
    )
    const commands = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, command]) => command)
    expect(commands.filter((command) => command === undefined || !(command in scripts))).toEqual([])
  })
})
