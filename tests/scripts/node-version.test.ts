import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { isSupportedNode, NODE_RANGE } from '../../scripts/lib/node-version.mjs'

test.each([
  ['18.20.4', false],
  ['20.18.3', false],
  ['20.19.0', true],
  ['20.20.2', true],
  ['21.7.3', false],
  ['22.11.0', false],
  ['22.12.0', true],
  ['23.0.0', true],
  ['26.1.0', true],
])('Node %s is supported: %s', (version, expected) => {
  expect(isSupportedNode(version)).toBe(expected)
})

test('NODE_RANGE equals the engines range of package.json', async () => {
  const { engines } = JSON.parse(await readFile('package.json', 'utf8'))
  expect(engines.node).toBe(NODE_RANGE)
})
