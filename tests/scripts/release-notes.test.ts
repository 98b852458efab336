import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const CHANGELOG = `# Changelog

## Unreleased

## 1.10.0 - 2026-12-01

### Added

- A light table.

## 1.1.0

- The first.
`

function releaseNotes(version: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'vignette-notes-'))
  try {
    writeFileSync(join(folder, 'CHANGELOG.md'), CHANGELOG)
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ version }))
    return execFileSync(process.execPath, ['scripts/release-notes.mjs', folder], {
      encoding: 'utf8',
      stdio: 'pipe',
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test.each([
  ['1.10.0', '### Added\n\n- A light table.'],
  ['1.1.0', '- The first.'],
])('finds the notes of %s', (version, notes) => {
  expect(releaseNotes(version)).toBe(`${notes}\n`)
})

test.each(['1.1', '2.0.0', 'Unreleased'])('refuses a release of %s without notes', (version) => {
  expect(() => releaseNotes(version)).toThrow(`CHANGELOG.md has no entries under '## ${version}'.`)
})
