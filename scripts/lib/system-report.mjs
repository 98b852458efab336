// @ts-check

/** What stands in for the system in every run of the desktop tests on Electron. */
const REPLACED = [
  ['key store', 'replaced by Playwright; the try of the packaged app uses the real one'],
  ['file dialogs, links and files in other programs', 'replaced: nobody is there to answer them'],
  ['idle time', "replaced: Playwright's input does not reach the system"],
]

/**
 * What the desktop tests on Electron used of the system, as Markdown.
 * @param {string} lines of VIGNETTE_SYSTEM_REPORT, which recorder.cjs (tests/e2e/desktop/support) writes
 * @param {{ platform: NodeJS.Platform, env: NodeJS.ProcessEnv }} machine
 */
export function systemReport(lines, { platform, env }) {
  const answers = lines.split('\n').map((line) => line.split('\t'))
  const rows = ['notifications', 'badge'].map((part) => {
    const given = new Set(answers.flatMap(([name, answer]) => (name === part ? (answer ?? []) : [])))
    return [part, [...given].join(', ') || 'not used']
  })
  const isWayland = platform === 'linux' && !env.DISPLAY
  const focus = isWayland ? [['focus and minimizing', 'replaced: the compositor has no seat']] : []
  const sandbox = platform === 'linux' ? [['sandbox', 'off, by Playwright; on in the packaged app']] : []
  const table = [...rows, ...REPLACED, ...focus, ...sandbox].map(([part, how]) => `| ${part} | ${how} |`)
  return [
    '### Desktop tests on real Electron',
    '',
    '| part of the system | |',
    '| --- | --- |',
    ...table,
    '',
  ].join('\n')
}
