import { expect, test } from 'vitest'
import { releaseNotes } from '../../scripts/lib/release-notes.mjs'

const CHANGELOG = `# Changelog

## Unreleased

## 1.10.0 - 2026-12-01

### Added

- A light table.

## 1.1.0

- The first.
`

test.each([
  ['1.10.0', '### Added\n\n- A light table.'],
  ['1.1.0', '- The first.'],
])('finds the notes of %s', (version, notes) => {
  expect(releaseNotes(CHANGELOG, version)).toBe(notes)
})

test.each(['1.1', '2.0.0', 'Unreleased'])('refuses a release of %s without notes', (version) => {
  expect(() => releaseNotes(CHANGELOG, version)).toThrow(`CHANGELOG.md has no entries under '## ${version}'.`)
})
